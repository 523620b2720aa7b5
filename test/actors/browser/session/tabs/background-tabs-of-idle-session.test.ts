/**
 * Tests that pages of an idle session are treated as background tabs, and become foreground tabs again with
 * the next request.
 */
import { expect } from "bun:test";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { testInOwnSession, testInOwnSessionIfFull } from "../concurrent-tests-in-own-sessions.ts";
import { called, names } from "../session-in-shared-test-browser.ts";

const IDLE_AT_ONCE = { given: { backgroundAfter: 100 } };

const ANIMATED = `<style>@keyframes turn { to { transform: rotate(1turn) } } i { animation: turn 1s infinite }</style><i>x</i>
  <script>var frames = 0, events = []; (function draw() { frames++; requestAnimationFrame(draw) })();
  addEventListener("blur", () => events.push("blur")); document.addEventListener("focusout", () => events.push("focusout"));</script>`;

/**
 * A JavaScript expression that resolves when the page is hidden. It waits by timers, which still fire once a
 * second in a hidden page.
 */
const HIDDEN =
  "new Promise((done) => { const check = () => document.hidden ? done('hidden') : setTimeout(check, 10); check(); })";
/** A JavaScript expression that counts the frames that are drawn until a timer has fired three times. */
const FRAMES =
  "new Promise((done) => { const from = frames; let left = 3; const timer = setInterval(() => { if (--left === 0) { clearInterval(timer); done(frames - from); } }, 20); })";

if (isFull)
  testInOwnSession(
    "an idle page draws no frames",
    async (stage) => {
      await stage.show(`${ANIMATED}<button>Save</button>`);
      expect(await stage.run(HIDDEN)).toBe("hidden");
      expect(await stage.run(FRAMES)).toBe(0);
    },
    IDLE_AT_ONCE,
  );

/**
 * A JavaScript expression that counts how often a timer of 20 ms fires while a timer of one second fires
 * three times.
 */
const FIRED =
  "new Promise((done) => { let fired = 0, seconds = 0; const fast = setInterval(() => { fired++; }, 20); const slow = setInterval(() => { if (++seconds < 3) return; clearInterval(fast); clearInterval(slow); done(fired); }, 1000); })";

if (isFull)
  testInOwnSession(
    "timers of an idle page fire once a second, and at full speed again after the next request",
    async (stage) => {
      await stage.show(`${ANIMATED}<button>Save</button>`);
      await stage.run(HIDDEN);
      // `FIRED` counts how often a 20 ms timer fires while a one-second timer fires three times. In an idle page,
      // Chromium fires a timer at most once a second, so the count is about 6. In a page in front, the count would
      // be 150.
      expect(await stage.run(FIRED)).toBeLessThanOrEqual(10);
      const release = stage.session.keepInFront();
      await stage.analyze();
      expect(await stage.run(FIRED)).toBeGreaterThan(20);
      release();
    },
    IDLE_AT_ONCE,
  );

testInOwnSession(
  "the next snapshot of an idle page shows content that arrived while it was idle",
  async (stage) => {
    await stage.show(
      `${ANIMATED}<div id="root"></div><script>
     document.addEventListener("visibilitychange", () => { if (document.hidden) fetch("/late").then((answer) => answer.text()).then((text) => {
       window.arrived = true;
       requestAnimationFrame(() => root.append(Object.assign(document.createElement("button"), { textContent: text })));
     }) });</script><button>Save</button>`,
    );
    await stage.run(HIDDEN);
    await stage.run(
      "new Promise((done) => { const check = () => window.arrived ? done() : setTimeout(check, 10); check(); })",
    );
    expect(await stage.run("root.childElementCount")).toBe(0);
    expect(names(await stage.analyze())).toEqual(["Late orders", "Save"]);
  },
  { ...IDLE_AT_ONCE, routes: { "/late": () => new Response("Late orders") } },
);

testInOwnSessionIfFull(
  "a menu that closes when it loses the focus stays open while its page is in the background",
  async (stage) => {
    const page = await stage.show(
      `${ANIMATED}<button id="open">Menu</button><ul id="menu" hidden><li><button>Delete</button></li></ul><script>
     open.onclick = undefined; const button = document.getElementById("open");
     button.onclick = () => { menu.hidden = false; };
     button.onblur = () => { menu.hidden = true; }; addEventListener("blur", () => { menu.hidden = true; });</script>`,
    );
    await stage.act("click", { index: called(page, "Menu").highlight_index });
    await stage.run(HIDDEN);
    expect(names(await stage.analyze())).toEqual(["Menu", "Delete"]);
    expect(
      await stage.run("[document.hidden, document.hasFocus(), document.activeElement.id, events.join()]"),
    ).toEqual([false, true, "open", ""]);
  },
  IDLE_AT_ONCE,
);

testInOwnSession(
  "an element of a page in the background can be clicked",
  async (stage) => {
    const page = await stage.show(`${ANIMATED}<button onclick="did.push('saved')">Save</button>`);
    await stage.run(HIDDEN);
    const outcome = await stage.act("click", { index: called(page, "Save").highlight_index });
    expect(outcome.success).toBe(true);
    expect(await stage.run("did")).toEqual(["saved"]);
  },
  IDLE_AT_ONCE,
);

testInOwnSessionIfFull(
  "a button that its row shows only under the pointer can be clicked after the page was in the background",
  async (stage) => {
    const data = await stage.show(
      `${ANIMATED}<style>li button { display: none } li:hover button { display: inline }</style>
     <ul><li tabindex="0" onclick="1">Pets <button onclick="event.stopPropagation(); did.push('menu')">Menu</button></li></ul>`,
    );
    await stage.act("hover", { index: called(data, "Pets").highlight_index });
    const shown = await stage.analyze();
    expect(await stage.run(HIDDEN)).toBe("hidden");
    const clicked = await stage.act("click", { index: called(shown, "Menu").highlight_index });
    expect(clicked).toMatchObject({ success: true, error: null });
    expect(await stage.run("did.join()")).toBe("menu");
  },
  IDLE_AT_ONCE,
);

testInOwnSessionIfFull(
  "a page is kept in the foreground while a subscriber or a viewer watches it",
  async (stage) => {
    const release = stage.session.keepInFront();
    await stage.show(`${ANIMATED}<button>Save</button>`);
    expect(await stage.run(FRAMES)).toBeGreaterThan(0);
    stage.session.follow({ changes: true, content: false });
    release();
    expect(await stage.run(FRAMES)).toBeGreaterThan(0);
    stage.session.follow({ changes: false, content: false });
    expect(await stage.run(HIDDEN)).toBe("hidden");
    const again = stage.session.keepInFront();
    expect(
      await stage.run(HIDDEN.replace("document.hidden ? done('hidden')", "!document.hidden ? done('shown')")),
    ).toBe("shown");
    again();
  },
  IDLE_AT_ONCE,
);
