/**
 * Tests scripted widgets whose input field is hidden, completely or partly. A visible element (the proxy)
 * receives the clicks instead of the field.
 */
import { describe, expect, test } from "bun:test";
import type { ContextSession } from "../../../../actors/browser/session/browser-session.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { actionOn, called } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const HIDDEN = "position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px; overflow: hidden";

/**
 * Returns the HTML of a widget that shows the chosen option next to its field. If `several` is true, several options
 * can be chosen.
 */
const box = (several: boolean) => `
  <style>.box { position: relative; width: 200px; height: 30px; border: 1px solid }
    .box input { position: absolute; inset: 0; opacity: 0 } .shown { position: absolute; inset: 0 }
    .list { position: absolute; top: 34px; width: 200px; background: white; z-index: 2; border: 1px solid }
    .list div { height: 30px; cursor: pointer }</style>
  <label for="f">Fruit</label>
  <div class="box"><span><span><input id="f" role="combobox" aria-haspopup="listbox" aria-expanded="false"></span></span></div>
  <button style="display: block; margin-top: 10px" onclick="did.push('next')">Next</button>
  <script>
    const field = document.querySelector("#f"), holder = document.querySelector(".box");
    const chosen = [];
    let list;
    const draw = () => {
      holder.querySelectorAll(".shown").forEach((one) => one.remove());
      chosen.forEach((text) => holder.append(Object.assign(document.createElement("div"), { className: "shown", textContent: text })));
    };
    const shut = () => { list?.remove(); list = undefined; };
    holder.addEventListener("mousedown", () => {
      if (list) return;
      list = document.body.appendChild(Object.assign(document.createElement("div"), { className: "list" }));
      list.style.marginTop = "20px";
      for (const text of ["Apple", "Banana", "Cherry"]) {
        const item = list.appendChild(Object.assign(document.createElement("div"), { textContent: text }));
        item.onclick = () => {
          if (!${several}) chosen.length = 0;
          chosen.push(text); did.push(text); draw();
          if (!${several}) shut();
        };
      }
    });
    addEventListener("keydown", ({ key }) => key === "Escape" && shut());
  </script>`;

describe("a hidden field with a visible stand-in (proxy)", () => {
  test("accepts a choice, and then a second one, although the proxy now shows the first", async () => {
    await stage.show(box(false));
    expect((await actionOn(stage, "select_dropdown", "Fruit", { text: "Banana" })).data).toMatchObject({
      selected: ["Banana"],
    });
    const again = await actionOn(stage, "select_dropdown", "Fruit", { text: "Cherry" });
    expect(again.data).toMatchObject({ selected: ["Cherry"] });
    expect(await stage.run("did.join()")).toBe("Banana,Cherry");
  });

  test.if(isFull)("closes the list of options after several options were chosen", async () => {
    await stage.show(box(true));
    const { data } = await actionOn(stage, "select_dropdown", "Fruit", { text: ["Apple", "Cherry"] });
    expect(data).toMatchObject({ selected: ["Apple", "Cherry"] });
    expect(await stage.run("document.querySelectorAll('.list').length")).toBe(0);
    expect((await actionOn(stage, "click", "Next")).success).toBe(true);
    expect(await stage.run("did.join()")).toBe("Apple,Cherry,next");
  });

  test("is not confused with the proxy of another field, or with an unrelated element over a visible field", async () => {
    await stage.show(`<div style="position: relative; height: 60px">
      <input type="checkbox" aria-label="One" style="${HIDDEN}"><input type="checkbox" aria-label="Two" style="${HIDDEN}; top: 40px">
      <div style="position: absolute; inset: 0; background: red" onclick="did.push('stranger')"></div></div>
      <div style="position: relative; height: 30px"><input aria-label="Seen"><p style="position: absolute; inset: 0; margin: 0; background: red">x</p></div>`);
    const { highlightedElements } = await stage.analyze();
    // The cast is safe: every session that the browser of this test opens is an instance of this class.
    const { frames, snapshots } = (stage.session as ContextSession).tab;
    for (const { highlight_index, ariaLabel } of highlightedElements) {
      const { id = 0 } = snapshots.locationOf(highlight_index) ?? {};
      // `prepare` is the check that an action makes before it clicks. It is called directly here, because an action
      // would wait until nothing covers the element.
      const aim = await frames.call(frames.main, "actionability", "prepare", id, "check");
      if (ariaLabel !== undefined) expect([ariaLabel, "problem" in aim]).toEqual([ariaLabel, true]);
    }
    expect(highlightedElements.filter(({ ariaLabel }) => ariaLabel !== undefined)).not.toEqual([]);
  });
});

test.if(isFull)(
  "selecting an option chooses the only match of a search in a list without ARIA roles",
  async () => {
    await stage.show(`<label for="q">City</label><input id="q" role="combobox"><div id="list" hidden></div>
    <script>
      const cities = Array.from({ length: 300 }, (_, at) => "City " + at);
      const draw = () => {
        const found = cities.filter((one) => one.includes(q.value)).slice(0, 10);
        list.hidden = false;
        list.replaceChildren(...found.map((text) => {
          const item = Object.assign(document.createElement("div"), { textContent: text });
          item.onmousedown = () => { q.value = text; did.push(text); list.hidden = true; };
          return item;
        }));
      };
      q.onfocus = q.oninput = draw;
    </script>`);
    expect((await actionOn(stage, "select_dropdown", "City", { text: "City 250" })).data).toMatchObject({
      selected: ["City 250"],
    });
    expect(await stage.run("did.join()")).toBe("City 250");
  },
);

test.if(isFull)("chips next to a field count as its values, and not as a list of options", async () => {
  await stage.show(`<label for="c">Colours</label><div id="around"><input id="c" role="combobox"></div>
    <script>
      c.onclick = () => {
        document.querySelector("[role=listbox]")?.remove();
        const list = document.body.appendChild(document.createElement("ul"));
        list.setAttribute("role", "listbox");
        for (const text of ["Red", "Green", "Blue"]) {
          const item = list.appendChild(Object.assign(document.createElement("li"), { textContent: text, role: "option" }));
          item.onclick = () => {
            c.before(Object.assign(document.createElement("div"), { textContent: text }));
            did.push(text);
            list.remove();
          };
        }
      };
    </script>`);
  const { data } = await actionOn(stage, "select_dropdown", "Colours", { text: ["Red", "Blue"] });
  expect(data).toMatchObject({ selected: ["Red", "Blue"] });
});

test("hovering returns after content has opened under the pointer", async () => {
  await stage.show(`<button id="b">Menu</button><script>
    let timer;
    b.onmouseenter = () => { timer = setTimeout(() => document.body.append(
      Object.assign(document.createElement("button"), { textContent: "Copy" })), 150); };
  </script>`);
  expect((await actionOn(stage, "hover", "Menu")).data).toMatchObject({ effect: "changed" });
  called(await stage.analyze(), "Copy");
});

test.if(isFull)("a scripted slider is moved by keys to the given number", async () => {
  await stage.show(`<div id="s" role="slider" tabindex="0" aria-label="Volume" aria-valuenow="10" style="width: 20px; height: 20px; background: blue"></div>
    <script>
      s.onkeydown = ({ key }) => {
        const way = key === "ArrowRight" ? 5 : key === "ArrowLeft" ? -5 : 0;
        s.setAttribute("aria-valuenow", Math.min(100, Number(s.getAttribute("aria-valuenow")) + way));
      };
    </script>`);
  expect((await actionOn(stage, "input", "Volume", { text: "45" })).data).toMatchObject({ value: "45" });
  expect((await actionOn(stage, "input", "Volume", { text: "20" })).data).toMatchObject({ value: "20" });
  expect((await actionOn(stage, "input", "Volume", { text: "23" })).data).toMatchObject({
    code: "not_applied",
    value: "25",
  });
  expect((await actionOn(stage, "input", "Volume", { text: "loud" })).data).toMatchObject({
    code: "invalid_params",
  });
});

test.if(isFull)("a slider that shows its new value with a delay is moved to the given number", async () => {
  await stage.show(`<div id="s" role="slider" tabindex="0" aria-label="Volume" aria-valuenow="20" style="width: 20px; height: 20px; background: blue"></div>
    <script>let at = 20; s.onkeydown = ({ key }) => { at += { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0; setTimeout(() => s.setAttribute("aria-valuenow", at), 40); };</script>`);
  expect((await actionOn(stage, "input", "Volume", { text: "63" })).data).toMatchObject({ value: "63" });
  expect((await actionOn(stage, "input", "Volume", { text: "60" })).data).toMatchObject({ value: "60" });
  expect(await stage.run("at")).toBe(60);
});

test("a checkbox is named by an adjacent label without a `for` attribute, and such a label without a checkbox names nothing", async () => {
  const data = await stage.show(`<div><input type="checkbox"><label>Agree</label></div>
    <div><label>No field</label> text <input aria-label="Name"></div>
    <div tabindex="0" role="combobox" aria-label="Kind">\u200b</div>`);
  expect(called(data, "Agree")).toMatchObject({ tagName: "input", type: "checkbox" });
  expect(called(data, "Name")).toMatchObject({ tagName: "input" });
  expect(called(data, "Kind")).toMatchObject({ role: "combobox" });
});

test("a slider whose input has no size is set by the track that is drawn for it", async () => {
  await stage.show(`<div style="position: relative; width: 200px; height: 20px"><span style="${HIDDEN}">
    <input type="range" aria-label="Opacity" min="0" max="100" value="30" oninput="did.push(this.value)"></span>
    <div style="position: absolute; inset: 0; background: silver"></div></div>`);
  expect((await actionOn(stage, "input", "Opacity", { text: "70" })).success).toBe(true);
  expect(await stage.run("did.join()")).toBe("69,70");
});

test("a key press is received by the listeners of a page without fields, and waiting for a text also finds the text in a field", async () => {
  await stage.show(`<input aria-label="Filter" onkeyup="did.push(this.value); out.value = 'Found ' + this.value">
    <textarea id="out" disabled></textarea>`);
  expect((await actionOn(stage, "input", "Filter", { text: "Jones" })).data).toMatchObject({
    value: "Jones",
  });
  expect(await stage.run("did.join()")).toBe("Jones");
  expect((await stage.act("wait", { text: "Found Jones", seconds: 5 })).success).toBe(true);
});

/**
 * A scripted code editor. It draws its lines as elements, and a field of one pixel receives the keys and
 * contains only a part of the text.
 */
const DRAWN = `
  <div id="editor" style="position: relative; width: 400px; height: 100px; border: 1px solid">
    <textarea id="keys" aria-label="Editor content" style="position: absolute; width: 1px; height: 1px; border: 0; padding: 0; opacity: 0"></textarea>
    <div id="lines" style="cursor: text; height: 100px; white-space: pre"></div>
  </div><button>Save</button>
  <script>
    let text = "let a = 1;\\nlet b = 2;", chosen = false;
    const draw = () => setTimeout(() => { lines.innerHTML = text.split("\\n").map((line) => "<div><span>" + line.replace(/ /g, "</span>&nbsp;<span>") + "</span></div>").join(""); }, 20);
    editor.onmousedown = (event) => { event.preventDefault(); keys.focus(); };
    keys.onkeydown = (event) => {
      if (event.ctrlKey && event.key === "a") chosen = true;
      if (event.key === "Delete" && chosen) { text = ""; chosen = false; draw(); }
    };
    keys.oninput = () => { text = (chosen ? "" : text) + keys.value; keys.value = ""; chosen = false; draw(); };
    draw();
  </script>`;

test("an editor that draws its text over a hidden input is listed and accepts typed text", async () => {
  await stage.show(DRAWN);
  await Bun.sleep(50);
  const before = await stage.analyze();
  expect(before.clickableElementsString).toContain("<div editable>let a = 1; let b = 2;</div>");
  expect(before.highlightedElements.map(({ tagName }) => tagName)).toEqual(["div", "button"]);
  const { highlight_index: index = -1 } = before.highlightedElements[0] ?? {};
  const typed = await stage.act("type", { index, text: "say(1)\nsay(2)" });
  expect(typed).toMatchObject({ success: true, data: { typed: true, effect: "changed" } });
  expect(await stage.run("text")).toBe("say(1)\nsay(2)");
  expect(await stage.act("type", { index, text: "!", clear: false })).toMatchObject({ success: true });
  expect(await stage.run("text")).toBe("say(1)\nsay(2)!");
  expect(await stage.act("select_all", { index })).toMatchObject({ success: true, data: { selected: true } });
  expect(await stage.act("clear", { index })).toMatchObject({ success: true });
  expect(await stage.run("text")).toBe("");
  expect(await stage.act("type", { index, text: "anew" })).toMatchObject({ success: true });
  expect(await stage.run("text")).toBe("anew");
});

test.if(isFull)(
  "typing into an editor that draws its text fails if the editor ignores the input",
  async () => {
    await stage.show(`${DRAWN}<script>keys.oninput = () => { keys.value = ""; }</script>`);
    await Bun.sleep(50);
    const [element] = (await stage.analyze()).highlightedElements;
    const typed = await stage.act("type", { index: element?.highlight_index, text: "nothing of it" });
    expect(typed).toMatchObject({ success: false, data: { code: "not_applied" } });
  },
);
