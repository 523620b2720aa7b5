/**
 * Tests actions in a real Chromium. An action either reaches the right element, and its effect is verified,
 * or it returns a typed error.
 */
import { describe, expect, test } from "bun:test";
import { Fenced } from "../../../../../machines/errors.ts";
import type { Action } from "../../../../../machines/session/actions/browser-action-parameters.ts";
import { analyzeOptionsSchema } from "../../../../../machines/session/page/page-snapshot.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { testInOwnSession } from "../concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { actionOn, called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests({
  routes: {
    "/next": "<title>Next</title><h1>Next</h1><button>Stay</button>",
    "/none": new Response(null, { status: 204 }),
    "/links": "<title>Links</title><a href='/next'>Onward</a>",
  },
});

const did = () => stage.run("did.join()");

describe("the action click", () => {
  test("reaches its element and returns the outcome", async () => {
    await stage.show(`<button onclick="did.push('a')">A</button>
      <button onclick="this.insertAdjacentHTML('afterend', '<p>More</p>')">B</button>
      <button aria-expanded="false" onclick="this.ariaExpanded = 'true'">C</button>
      <label><input type="checkbox" style="display:none">D</label>`);
    expect(await actionOn(stage, "click", "A")).toMatchObject({
      success: true,
      error: null,
      data: { clicked: true, element: { tagName: "button", textContent: "A" } },
    });
    expect(await did()).toBe("a");
    expect((await actionOn(stage, "click", "B")).data).toMatchObject({ effect: "changed" });
    expect((await actionOn(stage, "click", "C")).data).toMatchObject({
      effect: "state_changed",
      expanded: true,
    });
    expect((await actionOn(stage, "click", "D")).data).toMatchObject({
      effect: "state_changed",
      checked: true,
    });
    expect((await actionOn(stage, "double_click", "A")).success).toBe(true);
    expect(await did()).toBe("a,a,a");
  });

  test("scrolls its element into view, even inside a scrolling container", async () => {
    await stage.show(`<div style="height:3000px"></div>
      <div style="height:100px;overflow:auto"><div style="height:900px"></div><button onclick="did.push('far')">Far</button></div>`);
    expect((await actionOn(stage, "click", "Far")).success).toBe(true);
    expect(await did()).toBe("far");
  });

  test("waits for the new page if it navigates", async () => {
    await stage.show(
      `<a href="/next">Away</a><a href="#part">Part</a><a href="/next" target="_blank">Tab</a>`,
    );
    expect((await actionOn(stage, "click", "Part")).data).toMatchObject({ effect: "address_changed" });
    expect((await actionOn(stage, "click", "Tab")).success).toBe(true);
    expect((await actionOn(stage, "click", "Away")).data).toMatchObject({
      effect: "navigated",
      url: stage.site.url("/next"),
    });
    expect((await stage.session.context()).title).toBe("Next");
  });

  test("reports a dialog that it opens, and other actions are refused until the dialog is answered", async () => {
    await stage.show(`<button onclick="did.push(prompt('Name?', 'x'))">Ask</button>`);
    const dialog = { type: "prompt", message: "Name?", default_text: "x" };
    expect((await actionOn(stage, "click", "Ask")).data).toMatchObject({ effect: "dialog_opened", dialog });
    expect(await stage.act("click", { index: 0 })).toMatchObject({
      success: false,
      data: { code: "dialog_open", dialog },
    });
    await expect(stage.analyze()).rejects.toMatchObject({ code: "session.dialog_open" });
    expect((await stage.act("handle_dialog", { accept: true, text: "ann" })).data).toMatchObject({ dialog });
    expect(await did()).toBe("ann");
  });

  test.each([
    ["alert", 'An alert is open: "Saved". Answer it with handle_dialog.'],
    ["confirm", 'A confirm is open: "Saved". Answer it with handle_dialog.'],
  ])(
    "is refused while a native dialog of type %s is open, and the error says how to answer it",
    async (type, message) => {
      await stage.show(`<button onclick="${type}('Saved')">Save</button>`);
      await actionOn(stage, "click", "Save");
      expect(await stage.act("click", { index: 0 })).toMatchObject({ success: false, error: message });
      expect((await stage.act("handle_dialog", { accept: true })).success).toBe(true);
    },
  );

  test("on an element of an earlier page is refused without candidates if the new page has no similar element", async () => {
    const shown = await stage.show(`<a href="/next">Away</a><input aria-label="Search">`);
    const index = called(shown, "Search").highlight_index;
    await actionOn(stage, "click", "Away");
    const { success, error, data } = await stage.act("click", { index });
    expect([success, data.code, data.candidates]).toEqual([false, "element_stale", []]);
    expect(error).toEndWith("Nothing like it is on the page: call analyze_page.");
  });

  testInOwnSession(
    "is refused if another element covers its target, and the error names that element",
    async (stage) => {
      const data = await stage.show(`<button disabled>Off</button>
      <div style="position:relative"><button onclick="did.push('under')">Under</button><div id="over" style="position:absolute;inset:0"></div></div>`);
      expect(await actionOn(stage, "click", "Off")).toMatchObject({
        success: false,
        data: { code: "element_disabled" },
      });
      expect(await actionOn(stage, "click", "Under")).toMatchObject({
        data: { code: "element_covered", by: "div#over" },
      });
      const { highlight_index: index } = called(data, "Under");
      await stage.run("over.previousElementSibling.style.visibility = 'hidden'");
      expect(await stage.act("click", { index })).toMatchObject({ data: { code: "element_not_visible" } });
      expect(await stage.act("click", { index: 99_999 })).toMatchObject({
        data: { code: "element_not_found" },
      });
      expect(await stage.run("did.join()")).toBe("");
    },
  );

  test("moves the pointer away from a menu that opens under it and covers the element", async () => {
    await stage.show(`<style>
        #drop { position: relative; width: 99px; }
        #drop div { display: none; position: absolute; width: 400px; height: 90px; background: white; }
        #drop:hover div { display: block; }
        #side { position: fixed; top: 200px; width: 90px; }
        .open ~ main { pointer-events: none; }
      </style>
      <div id="drop"><button>Shop</button><div><a>Chairs</a></div></div>
      <aside id="side" onmouseenter="this.className = 'open'" onmouseleave="this.className = ''"><button>Menu</button></aside>
      <main><button onclick="did.push('below')">Below</button><p></p>
      <button onclick="did.push('beside')">Beside</button></main>`);
    const data = await stage.analyze();
    const press = (name: string) => stage.act("click", { index: called(data, name).highlight_index });
    for (const name of ["Shop", "Below", "Menu", "Beside"])
      expect(await press(name)).toMatchObject({ success: true });
    expect(await did()).toBe("below,beside");
  });

  test("waits until its element is uncovered and stops moving", async () => {
    await stage.show(`<style>@keyframes in { from { transform: translateX(600px) } }</style>
      <div style="position:relative"><button disabled style="animation: in 300ms" onclick="did.push('late')">Late</button>
      <div id="over" style="position:absolute;inset:0"></div></div>
      <script>setTimeout(() => { over.remove(); document.querySelector("button").disabled = false }, 400)</script>`);
    expect((await actionOn(stage, "click", "Late")).success).toBe(true);
    expect(await did()).toBe("late");
  });

  test("on a removed element is refused as stale, with candidates for the element", async () => {
    const data = await stage.show(
      `<ul><li>Ann <button>Delete</button></li><li>Bob <button>Keep</button></li></ul>`,
    );
    const { highlight_index: index } = called(data, "Delete");
    await stage.run(`document.querySelector("ul").innerHTML += ""`);
    const { success, data: reported } = await stage.act("click", { index });
    expect({ success, code: reported.code }).toEqual({ success: false, code: "element_stale" });
    const now = called(await stage.analyze(), "Delete").highlight_index;
    expect(reported.candidates).toMatchObject([
      { highlight_index: now, line: expect.stringContaining("Delete") },
      {},
    ]);
  });

  test("is refused as stale if the text of the element's row has changed, although its own text is the same", async () => {
    const data = await stage.show(
      `<ul><li><span>Ann</span> <button onclick="did.push('deleted')">Delete</button></li><li><span>Bob</span></li></ul>`,
    );
    const { highlight_index: index } = called(data, "Delete");
    await stage.run(`document.querySelector("span").textContent = "Eve"`);
    const answer = await stage.act("click", { index });
    expect(answer.data).toMatchObject({ code: "element_stale", was: "Ann Delete", is: "Eve Delete" });
    expect(await did()).toBe("");
    // The only candidate is the element itself, which has changed after the caller saw it. So the error says
    // that the action may be repeated with the same index.
    expect(answer.error).toContain("repeat the action");
    expect(answer.data.candidates).toMatchObject([{ highlight_index: index }]);
    expect((await stage.act("click", { index })).success).toBe(true);
    expect(await did()).toBe("deleted");
  });

  test.if(isFull)(
    "is stopped before the page receives it if another element moves under the pointer at the last moment",
    async () => {
      await stage.show(`<button id="b" onclick="did.push('b')">B</button><script>
      document.addEventListener("mousemove", () => {
        if (document.querySelector("#o")) return;
        const over = document.createElement("div");
        over.id = "o";
        over.style = "position:fixed;inset:0";
        for (const name of ["pointerdown", "mousedown", "mouseup", "click"]) over.addEventListener(name, () => did.push(name));
        document.body.append(over);
      });</script>`);
      expect(await actionOn(stage, "click", "B")).toMatchObject({
        data: { code: "element_covered", by: "div#o" },
      });
      expect(await did()).toBe("");
    },
    30_000,
  );
});

describe("pressing the mouse button", () => {
  const menu = (event: string) => `<ul id="menu" role="menu"><li role="menuitem" tabindex="-1">Rename</li>
    <li role="menuitem" tabindex="-1">Delete</li></ul><script>menu.addEventListener("${event}", (event) => {
      did.push(event.target.textContent); `;

  test.if(isFull)("counts as success if the element reacts to the press and disappears", async () => {
    const done = { success: true, data: { pressed: true, effect: "element_gone" } };
    for (const event of ["mousedown", "mouseup"]) {
      await stage.show(`${menu(event)} const then = menu.innerHTML; menu.hidden = true; menu.innerHTML = "";
        setTimeout(() => { menu.innerHTML = then }, 20) })</script>`);
      const emptied = await actionOn(stage, "click", "Rename");
      expect(emptied).toMatchObject(done);
      expect(emptied.data.clicked).toBeUndefined();
      expect(await did()).toBe("Rename");
    }
    await stage.show(`${menu("mousedown")} menu.hidden = true })</script><button>Below</button>`);
    expect(await actionOn(stage, "click", "Delete")).toMatchObject(done);
    expect(await did()).toBe("Delete");
    await stage.show(`<div id="box"><p role="button" tabindex="0" id="p">Write</p></div><script>p.onfocus = () => {
      box.innerHTML = '<p contenteditable aria-label="Empty"></p>'; box.firstChild.focus() }</script>`);
    expect(await actionOn(stage, "click", "Write")).toMatchObject(done);
  });

  test.if(isFull)("does not click the replacement if the element is redrawn during the press", async () => {
    await stage.show(`<div id="box"><button id="b" onclick="did.push('b')">B</button></div><script>
      box.onmousedown = () => { box.innerHTML = box.innerHTML }</script>`);
    const { index, ...rest } = (await actionOn(stage, "click", "B")).data;
    expect(rest).toMatchObject({ code: "interrupted", pressed: true });
    const now = called(await stage.analyze(), "B").highlight_index;
    expect(rest.candidates).toMatchObject([{ highlight_index: now }]);
    expect(now).not.toBe(index);
    // On the following two pages, a `mousedown` event removes the pressed button. The first page inserts the
    // button again elsewhere. The second page removes the button's row, so the next row moves under the
    // pointer.
    await stage.show(`<div id="box"><button onclick="did.push('b')">B</button></div><p id="p"></p><script>
      box.onmousedown = () => { const { innerHTML } = box; box.innerHTML = ""; p.innerHTML = innerHTML }</script>`);
    expect((await actionOn(stage, "click", "B")).data).toMatchObject({ code: "interrupted", pressed: true });
    const rows = ["Ann", "Bob"].map(
      (name) => `<li>${name} <button onclick="did.push(name)">Remove</button></li>`,
    );
    await stage.show(`<ul id="list">${rows.join("")}</ul><script>
      list.onmousedown = ({ target }) => target.parentNode.remove()</script>`);
    expect((await actionOn(stage, "click", "Remove")).data).toMatchObject({
      code: "interrupted",
      pressed: true,
    });
    // On this page, a `mousedown` listener of the window removes the paragraph with the button.
    await stage.show(`<p>Order 17 <button onclick="did.push('paid')">Pay</button></p><script>
      addEventListener("mousedown", () => document.querySelector("p").remove())</script>`);
    expect((await actionOn(stage, "click", "Pay")).data).toMatchObject({
      code: "interrupted",
      pressed: true,
    });
    expect(await did()).toBe("");
  });
});

describe("typing text", () => {
  test("fills fields of every kind and verifies their values", async () => {
    await stage.show(`<input aria-label="Text" value="old"><textarea aria-label="Long"></textarea>
      <input aria-label="Number" type="number"><input aria-label="Day" type="date">
      <input aria-label="Key" type="password"><div contenteditable role="textbox" aria-label="Rich">was</div>
      <script>document.addEventListener("input", ({ target }) => did.push(target.ariaLabel))</script>`);
    const typed = async (name: string, text: string, more = {}) =>
      (await actionOn(stage, "type", name, { text, ...more })).data;
    expect(await typed("Text", "new")).toMatchObject({ typed: true, value: "new" });
    expect(await typed("Text", "er", { clear: false })).toMatchObject({ value: "newer" });
    expect(await typed("Long", "one\ntwo")).toMatchObject({ value: "one\ntwo" });
    expect(await typed("Number", "42")).toMatchObject({ value: "42" });
    expect(await typed("Day", "2026-11-22")).toMatchObject({ value: "2026-11-22" });
    expect(await typed("Rich", "is")).toMatchObject({ value: "is" });
    const secret = await typed("Key", "hunter2");
    expect(secret).toMatchObject({ typed: true });
    expect(JSON.stringify(secret)).not.toContain("hunter2");
    expect(await stage.run(`document.querySelector("[type=password]").value`)).toBe("hunter2");
    expect((await actionOn(stage, "clear", "Text")).data).toMatchObject({ value: "" });
    expect(await stage.run("[...new Set(did)].join()")).toBe("Text,Long,Number,Day,Rich,Key");
  });

  test("sets a slider that ignores arrow keys, even if the page shows its value beside it", async () => {
    await stage.show(`<ul><li><input type="range" min="0" max="10" value="2" aria-label="Level"><b>2</b> of 10</li><li>Other</li></ul>
      <script>const level = document.querySelector("input");
        level.oninput = () => { level.nextSibling.textContent = level.value };
        level.onkeydown = (event) => event.preventDefault();</script>`);
    expect(await actionOn(stage, "input", "Level", { text: "7" })).toMatchObject({
      success: true,
      error: null,
    });
    expect(await stage.run("document.querySelector('b').textContent")).toBe("7");
  });

  test("fails with a reason if the field rejects the text", async () => {
    await stage.show(`<input aria-label="Short" maxlength="3"><input aria-label="Fixed" readonly value="x">`);
    expect(await actionOn(stage, "input", "Short", { text: "abcdef" })).toMatchObject({
      data: { code: "not_applied", value: "abc" },
    });
    expect(await actionOn(stage, "input", "Fixed", { text: "y" })).toMatchObject({
      data: { code: "element_disabled" },
    });
  });

  test.if(isFull)(
    "fails if the field drops the minus sign of a number, but not if it writes the number in another way",
    async () => {
      await stage.show(
        ["Plain:900", "Spaced:- 9 00", "Accounting:(900)", "Typographic:−900"]
          .map((field) => field.split(":"))
          .map(
            ([name, shown]) =>
              `<input aria-label="${name}" oninput="if (value === '-900') value = '${shown}'">`,
          )
          .join(""),
      );
      expect(await actionOn(stage, "input", "Plain", { text: "-900" })).toMatchObject({
        data: { code: "not_applied", value: "900" },
      });
      for (const name of ["Spaced", "Accounting", "Typographic"])
        expect(await actionOn(stage, "input", name, { text: "-900" })).toMatchObject({ success: true });
    },
  );

  test("clears an editor that draws a placeholder as part of its text when it is empty", async () => {
    await stage.show(`<div contenteditable="true" role="textbox" aria-label="Filter">old text</div>
      <script>document.querySelector("div").addEventListener("input", ({ currentTarget: editor }) => {
        if (editor.innerText.trim() === "")
          editor.innerHTML = '<p><span class="cm-placeholder" contenteditable="false" style="pointer-events: none">Search…</span><br></p>';
      });</script>`);
    expect(await actionOn(stage, "clear", "Filter")).toMatchObject({ success: true, error: null });
    expect(await stage.run("document.querySelector('div').innerText.trim()")).toBe("Search…");
  });

  test("does not report an editor as cleared if it still contains the inserted field {name}, although this field has the class placeholder", async () => {
    await stage.show(`<div contenteditable="true" role="textbox" aria-label="Mail"><span class="placeholder" contenteditable="false">{name}</span></div>
      <script>for (const type of ["beforeinput", "keydown"])
        document.querySelector("div").addEventListener(type, (event) => event.preventDefault());</script>`);
    expect(await actionOn(stage, "clear", "Mail")).toMatchObject({
      success: false,
      data: { code: "not_applied" },
    });
  });

  test("stops if the field moves the focus to another field", async () => {
    await stage.show(`<input id="a" aria-label="A"><input id="b" aria-label="B">
      <script>a.addEventListener("focus", () => b.focus())</script>`);
    expect((await actionOn(stage, "type", "A", { text: "lost" })).success).toBe(false);
    expect(await stage.run("a.value + b.value")).toBe("");
  });

  test("with the action send_keys sends text and key combinations to the focused element", async () => {
    await stage.show(
      `<form onsubmit="did.push('sent'); return false"><input aria-label="F" value="abc"></form>`,
    );
    await actionOn(stage, "click", "F");
    expect((await stage.act("send_keys", { keys: "Control+a Backspace x" })).success).toBe(true);
    expect(await stage.run(`document.querySelector("input").value`)).toBe("x");
    await stage.act("send_keys", { keys: "Enter" });
    expect(await did()).toBe("sent");
    expect((await stage.act("send_keys", { keys: "Hyper+q" })).data).toMatchObject({
      code: "invalid_params",
    });
  });

  test("with the action send_keys presses the modifiers of a combination as keys, and releases them", async () => {
    await stage.show(
      `<input aria-label="F"><script>const down = new Set();
       addEventListener("keydown", ({ key }) => { down.add(key); if (key === "s") did.push([...down].join("+")); });
       addEventListener("keyup", ({ key }) => { down.delete(key); if (down.size === 0) did.push("released"); });</script>`,
    );
    await actionOn(stage, "click", "F");
    expect((await stage.act("send_keys", { keys: "Control+s" })).success).toBe(true);
    expect(await did()).toBe("Control+s,released");
  });
});

test("a native select is returned with the value and the label of its selected option, and is printed with the label", async () => {
  const { highlightedElements, clickableElementsString } = await stage.show(
    `<select aria-label="Size"><option value="s">Small</option><option value="l" selected>Large</option></select>`,
  );
  expect(highlightedElements[0]).toMatchObject({
    value: "l",
    value_label: "Large",
    options: ["Small", "Large"],
  });
  expect(clickableElementsString).toContain(`<select value="Large">Size (Small|Large)</select>`);
});

test("a native select accepts options by text or value, and returns its options", async () => {
  await stage.show(
    `<select aria-label="Size" onchange="did.push(value)"><option value="s">Small</option><option value="l">Large</option></select>`,
  );
  expect((await actionOn(stage, "select_dropdown", "Size", { text: "large" })).data).toMatchObject({
    selected: ["Large"],
    values: ["l"],
  });
  expect((await actionOn(stage, "select_dropdown", "Size", { value: "s" })).data).toMatchObject({
    selected: ["Small"],
  });
  expect(await did()).toBe("l,s");
  const none = await actionOn(stage, "select_dropdown", "Size", { text: "Huge" });
  expect(none.data).toMatchObject({ code: "invalid_params", options: ["Small", "Large"] });
  expect((await actionOn(stage, "dropdown_options", "Size")).data).toEqual({
    options: ["Small", "Large"],
    values: ["s", "l"],
  });
});

test("the actions hover, scroll and wait return the changes of the page", async () => {
  await stage.show(`<button onmouseenter="did.push('over')">H</button><div id="end" style="height:3000px"></div>
    <script>setTimeout(() => end.insertAdjacentHTML("beforebegin", "<p class='late'>Late text</p>"), 300)</script>`);
  expect((await actionOn(stage, "hover", "H")).data).toMatchObject({ hovered: true });
  expect(await did()).toBe("over");
  expect((await stage.act("wait", { selector: ".late", text: "Late", seconds: 5 })).data).toMatchObject({
    found: true,
  });
  expect((await stage.act("wait", { text: "Never", seconds: 0.2 })).data).toMatchObject({ code: "timeout" });
  expect((await stage.act("scroll", { direction: "down", amount: 500 })).data).toMatchObject({
    scrolled: 500,
    position: 500,
  });
  expect((await stage.act("scroll", { direction: "down", amount: 9_000 })).data).toMatchObject({
    at_start: false,
    at_end: true,
  });
  expect((await stage.act("scroll", { direction: "up", amount: 9_000 })).data).toMatchObject({
    position: 0,
    at_start: true,
  });
  expect((await stage.act("scroll", { direction: "up" })).data).toMatchObject({ effect: "nothing_changed" });
});

test("navigating by address, history or reload returns the new page or the reason why it failed", async () => {
  await stage.show("<p>First</p>");
  const first = stage.session.url;
  expect((await stage.act("navigate", { url: "/next" })).data).toMatchObject({
    url: stage.site.url("/next"),
  });
  expect((await stage.act("go_back")).data).toMatchObject({ url: first });
  expect((await stage.act("go_forward")).data).toMatchObject({ url: stage.site.url("/next") });
  expect((await stage.act("go_forward")).data).toMatchObject({ code: "navigation_failed" });
  expect((await stage.act("refresh")).data).toMatchObject({ url: stage.site.url("/next") });
  for (const url of ["file:///etc/passwd", "chrome://version", "javascript:alert(1)"]) {
    expect((await stage.act("navigate", { url })).data).toMatchObject({ code: "navigation_blocked" });
  }
  expect((await stage.act("navigate", { url: "http://127.0.0.1:1/" })).data).toMatchObject({
    code: "navigation_blocked",
  });
  const none = stage.site.url("/none");
  expect((await stage.act("navigate", { url: none })).data).toMatchObject({ code: "navigation_failed" });
});

test("windows that a page opens become tabs, which a caller can select and close", async () => {
  await stage.show(`<button onclick="window.open('/next')">Open</button>`);
  const before = (await stage.session.context()).tabs.length;
  await actionOn(stage, "click", "Open");
  await stage.act("wait", { seconds: 0.5 });
  const { tabs } = await stage.session.context();
  expect(tabs).toHaveLength(before + 1);
  await stage.act("switch", { tab: tabs.length - 1 });
  expect((await stage.session.context()).url).toBe(stage.site.url("/next"));
  expect((await stage.act("close")).data).toMatchObject({ closed: true, tabs: before });
  await stage.act("switch", { tab: 0 });
});

test("an action accepts only element indices that an analysis or an answer has returned", async () => {
  const fresh = await stage.browser.openSession({ viewport: { width: 800, height: 600 } });
  const perform = (action: Action) => fresh.perform(action, async () => {});
  await perform({ name: "navigate", params: { url: stage.site.url("/next") } });
  const { highlightedElements } = await fresh.analyze(analyzeOptionsSchema.parse({}));
  const first = highlightedElements[0]?.highlight_index ?? Number.NaN;
  await perform({ name: "navigate", params: { url: stage.site.url("/links") } });
  // The caller has received only the page's text, and no index of an element on this page. So the click is
  // refused.
  expect((await fresh.content()).dom_summary).toBeString();
  expect((await perform({ name: "click", params: { index: first + 1 } })).data).toMatchObject({
    code: "element_not_found",
  });
  expect((await fresh.context()).url).toBe(stage.site.url("/links"));
  const shown = await fresh.analyze(analyzeOptionsSchema.parse({}));
  const link = called(shown, "Onward").highlight_index;
  expect(link).toBeGreaterThan(first);
  expect((await perform({ name: "click", params: { index: link } })).success).toBe(true);
  await fresh.close();
});

test("an action is refused without an analysis of its page or without the lease of the session", async () => {
  const fresh = await stage.browser.openSession({ viewport: { width: 800, height: 600 } });
  const click = { name: "click", params: { index: 0 } } as const;
  expect((await fresh.perform(click, async () => {})).data).toMatchObject({ code: "no_analysis" });
  await fresh.close();
  await stage.show(`<button onclick="did.push('a')">A</button>`);
  const index = called(await stage.analyze(), "A").highlight_index;
  const refused = await stage.session.perform({ name: "click", params: { index } }, async () => {
    throw new Fenced("lease.lost", "It is somebody else's.");
  });
  expect(refused.data).toMatchObject({ code: "interrupted", begun: false });
  expect(await did()).toBe("");
});

test("screenshots show the viewport, the complete page, or one element", async () => {
  const data = await stage.show(
    `<button style="width:200px;height:50px">B</button><div style="height:2000px"></div>`,
  );
  const size = (base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  };
  const options = { format: "png", full_page: false } as const;
  expect(size((await stage.session.screenshot(options)).data)).toEqual({ width: 1_280, height: 800 });
  expect(size((await stage.session.screenshot({ ...options, full_page: true })).data).height).toBeGreaterThan(
    2_000,
  );
  const index = called(data, "B").highlight_index;
  expect(size((await stage.session.screenshot({ ...options, index })).data)).toEqual({
    width: 200,
    height: 50,
  });
});
