/** Tests clicks on elements that a notification, a dialog or a loading screen covers, in a real Chromium. */
import { expect } from "bun:test";
import { sessionLimits } from "../../../../../machines/session/session-limits.ts";
import { testInOwnSession } from "../concurrent-tests-in-own-sessions.ts";
import { actionOn } from "../session-in-shared-test-browser.ts";

testInOwnSession(
  "the action click waits while another element covers its target, unless the cover is permanent",
  async (stage) => {
    const fails = async (name: string, code: string) => {
      const from = performance.now();
      expect((await actionOn(stage, "click", name)).data.code).toBe(code);
      expect(performance.now() - from).toBeLessThan(sessionLimits.actionableWithin);
    };
    await stage.show(`<button aria-disabled="true">Off</button><div style="position:relative"><input aria-label="When">
    <span style="position:absolute;inset:0;background:white">12 Nov</span></div><button>Under</button>`);
    await fails("Off", "element_disabled");
    await fails("When", "element_covered");
    await stage.run(
      `document.body.insertAdjacentHTML("beforeend", '<div id="shade" style="position:fixed;inset:0"></div>')`,
    );
    await fails("Under", "element_covered");
    // Both clicks must wait until nothing covers the button. During the first click, a layer covers the whole page,
    // but the page still changes (its title), so the click waits. During the second click, only a notice at the upper
    // edge covers the button. Each is removed after 2.2 s.
    await stage.run(`{ const timer = setInterval(() => { document.title += 1 }, 500);
    setTimeout(() => { clearInterval(timer); shade.remove() }, 2_200) }`);
    expect((await actionOn(stage, "click", "Under")).success).toBe(true);
    await stage.run(`document.body.insertAdjacentHTML("beforeend",
    '<p id="note" style="position:fixed;inset:0 0 auto;height:60px;margin:0">Saved</p>'); setTimeout(() => note.remove(), 2_200)`);
    expect((await actionOn(stage, "click", "Under")).success).toBe(true);
  },
);

testInOwnSession(
  "the action click does not wait for a dialog with controls over its target, even while the page below changes",
  async (stage) => {
    // The page changes all the time, and removes the dialog after more than two seconds.
    const changing = `<p id="clock">0</p><script>{ const timer = setInterval(() => {
    clock.textContent = Number(clock.textContent) + 1;
    if (clock.textContent === "25") { clearInterval(timer); over.remove(); } }, 100) }</script>`;
    const layer = (attributes: string, content: string) =>
      `<button>Under</button><div id="over" ${attributes}>${content}</div>${changing}`;
    const corner = `style="position:fixed;inset:0 40% 40% 0;background:white"`;
    await stage.show(layer(`role="dialog" ${corner}`, "<button>Close</button>"));
    expect((await actionOn(stage, "click", "Under")).data).toMatchObject({
      code: "element_covered",
      by_dialog: true,
    });
    await stage.show(layer(`style="position:fixed;inset:0;background:white"`, "<button>Close</button>"));
    expect((await actionOn(stage, "click", "Under")).data).toMatchObject({ code: "element_covered" });
    // A layer without a control, such as a loading screen, disappears by itself, and so may a notification.
    await stage.show(layer(`style="position:fixed;inset:0;background:white"`, "Loading"));
    expect((await actionOn(stage, "click", "Under")).success).toBe(true);
    await stage.show(layer(corner, "Saved <button>Undo</button>"));
    expect((await actionOn(stage, "click", "Under")).success).toBe(true);
    // A notification inside of a dialog may cover a button of the same dialog. Such a notification does not
    // count as another dialog.
    const notice = `<p id="over" style="position:absolute;inset:0;background:white">Saving</p>`;
    await stage.show(
      `<div role="dialog" ${corner}><button>Under</button><button>Close</button>${notice}</div>${changing}`,
    );
    expect((await actionOn(stage, "click", "Under")).success).toBe(true);
  },
);

testInOwnSession(
  "the action click waits for a dialog that changes or is animated in a shadow root, because it may disappear by itself",
  async (stage) => {
    const dialog = (content: string) =>
      `<div role="dialog" style="position:fixed;inset:0 40% 40% 0;background:white">${content}</div>`;
    const spinner = `<style>@keyframes turn { to { rotate: 1turn } } p { animation: turn 1s infinite }</style><p>Working</p>`;
    const removed = `setTimeout(() => over.remove(), 1_500)`;
    const counter = `const timer = setInterval(() => { root.querySelector("p").firstChild.data += "."; }, 100);
    setTimeout(() => { clearInterval(timer); over.remove() }, 1_500)`;
    const inside = dialog(`<x-progress></x-progress><button>Cancel</button>`);
    for (const [layer, shadow, script] of [
      [inside, "<p>Working</p>", counter],
      [inside, spinner, removed],
      ["<x-progress></x-progress>", dialog("<p>Working</p><button>Cancel</button>"), counter],
      ["<x-progress></x-progress>", dialog(`${spinner}<button>Cancel</button>`), removed],
    ] as const) {
      await stage.show(`<button>Under</button><div id="over">${layer}</div><script>{
      const root = document.querySelector("x-progress").attachShadow({ mode: "open" });
      root.innerHTML = \`${shadow}\`; ${script} }</script>`);
      expect((await actionOn(stage, "click", "Under")).success).toBe(true);
    }
  },
);
