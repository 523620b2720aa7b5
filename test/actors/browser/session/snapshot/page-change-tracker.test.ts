/**
 * Tests the page changes in the answer of an action: all differences to the page as the caller last saw it.
 */
import { expect, test } from "bun:test";
import { sessionLimits } from "../../../../../machines/session/session-limits.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests({ routes: { "/next": "<p>Next</p>" } });

const click = async (index: number) => (await stage.act("click", { index })).data;

test("the changes in an action's answer list new, changed and removed elements and new text, each once", async () => {
  const page =
    await stage.show(`<button id="go">Go</button><button id="old">Old</button><button id="other">Other</button>
    <p id="out"></p><script>var n = 0; go.onclick = () => {
      if (n++ > 0) return;
      const come = document.createElement('button'); come.textContent = 'Come'; come.onclick = () => did.push('come');
      out.append('Saved.', come); other.textContent = 'Another'; old.remove();
    }</script>`);
  const [go, old, other] = ["Go", "Old", "Other"].map((name) => called(page, name).highlight_index);
  const { page: change } = await click(go ?? -1);
  const come = Number(/\*\[(\d+)\]<button>Come/.exec(String((change as { lines: string }).lines))?.[1]);
  expect(change).toEqual({
    changed: 3,
    lines: `[${other}]<button>Another</button>\n*[${come}]<button>Come</button>`,
    removed: [old],
    said: ["Saved."],
  });
  // Only the answer to the first click has reported that these buttons changed. They can be clicked although
  // no snapshot contains their new state. A change is reported once, so the answer to the second click
  // reports none.
  expect(await click(go ?? -1)).not.toHaveProperty("page");
  expect(await click(come)).toMatchObject({ clicked: true });
  expect(await click(other ?? -1)).toMatchObject({ clicked: true });
  expect(await stage.run("did.join()")).toBe("come");
  // A delta since the first analysis contains all changes, including changes that answers of actions have
  // already reported.
  const delta = await stage.analyze({ since_revision: page.revision });
  expect(delta).toMatchObject({ revision: page.revision + 1, delta: { added: [come], removed: [old] } });
});

for (const [kind, dialog] of [
  ["a native dialog", `<dialog id="box"><p>Settings of Ann</p><button>Close</button></dialog>`],
  ["inert", `<div id="box" role="dialog" hidden><p>Settings of Ann</p><button>Close</button></div>`],
] as const) {
  test(`texts of controls behind an open dialog (${kind}) do not count as new`, async () => {
    const open = kind === "inert" ? "box.hidden = false; back.inert = true" : "box.showModal()";
    const page = await stage.show(
      `<main id="back"><a href="/next">Journal</a><button onclick="${open}">Open</button></main>${dialog}`,
    );
    const { page: change } = await click(called(page, "Open").highlight_index);
    expect(change).toMatchObject({ said: ["Settings of Ann"], lines: expect.stringContaining("Close") });
  });
}

test("a new text counts as new even if it repeats the name of a removed element", async () => {
  const page = await stage.show(
    `<div id="list"><a href="/next">12</a> <a href="/next">Delete</a> <a href="/next">Saved</a></div>
    <button onclick="list.innerHTML = '<p>12</p><p>$ 12.12</p><p>Saved</p>'">Go</button>`,
  );
  const { page: change } = await click(called(page, "Go").highlight_index);
  expect(change).toMatchObject({ said: ["12", "$ 12.12", "Saved"] });
});

test("a new text behind an open dialog is reported, even if it repeats the name of a control", async () => {
  const page = await stage.show(
    `<nav><a href="/next">Saved</a></nav><p id="out"></p><dialog id="box"><button>Close</button></dialog>
    <button onclick="box.showModal(); out.textContent = 'Saved'">Open</button>`,
  );
  const { page: change } = await click(called(page, "Open").highlight_index);
  expect(change).toMatchObject({ said: ["Saved"] });
});

test.if(isFull)(
  "an action's answer lists only as many changed elements as its length limit permits, and an action on an omitted one is refused as stale",
  async () => {
    const names = Array.from({ length: 300 }, (_, at) => `A fairly long name of a button, number ${at}`);
    const page =
      await stage.show(`<button id="go">Go</button>${names.map((name) => `<button class="b">${name}</button>`).join("")}
    <script>go.onclick = () => { for (const b of document.querySelectorAll('.b')) b.textContent = 'New: ' + b.textContent }</script>`);
    const { page: reported } = await click(called(page, "Go").highlight_index);
    const { lines, changed, more } = reported as { lines: string; changed: number; more: number };
    expect(changed).toBe(300);
    expect(lines.length).toBeLessThanOrEqual(sessionLimits.changeLength);
    const count = lines.split("\n").length;
    expect(count + more).toBe(300);
    const indexOf = (at: number) => called(page, names[at] ?? "").highlight_index;
    expect(await click(indexOf(0))).toMatchObject({ clicked: true });
    expect(await click(indexOf(299))).toMatchObject({ code: "element_stale" });
    // The answer to the first click lists only a part of the 300 changes. The answers to the two later clicks
    // list further changes, although one of these clicks failed. The caller has thus seen the button of the
    // next click, so the button is not stale.
    expect(await click(indexOf(count))).toMatchObject({ clicked: true });
  },
);

test.if(isFull)(
  "an element with a unique name keeps its identity when a text next to it changes",
  async () => {
    const page = await stage.show(`<form onsubmit="return false">
      <textarea aria-label="Text" oninput="c.textContent = value.length + '/200'"></textarea><span id="c">0/200</span><input
      aria-label="From" name="from"><button onclick="did.push('sent')">Send</button></form>
    <p><button id="all">All</button> <select aria-label="What"><option>Keep<option>Drop</select>
      <button onclick="did.push('went')">Go</button> <span id="n">0 of 120 chosen</span></p>
    <ul>${Array.from({ length: 120 }, (_, at) => `<li><label><input type="checkbox" class="b"> An item that is called ${at}</label></li>`).join("")}</ul>
    <script>all.onclick = () => { for (const b of document.querySelectorAll('.b')) b.checked = true; n.textContent = '120 of 120 chosen' }</script>`);
    const at = (name: string) => called(page, name).highlight_index;
    await stage.act("input", { index: at("Text"), text: "hello" });
    expect(await stage.act("input", { index: at("From"), text: "ann" })).toMatchObject({ success: true });
    expect(await click(at("Send"))).toMatchObject({ clicked: true });
    const { page: change } = await click(at("All"));
    // The answer lists only some of the 120 changed elements (`more`). A message of the page is always in the answer.
    expect(change).toMatchObject({ said: ["120 of 120 chosen"], more: expect.any(Number) });
    expect(await stage.act("select_dropdown", { index: at("What"), text: "Drop" })).toMatchObject({
      success: true,
    });
    expect(await click(at("Go"))).toMatchObject({ clicked: true });
    expect(await stage.run("did.join()")).toBe("sent,went");
  },
);

test("a button that occurs in several rows is stale after the text of its row has changed", async () => {
  const rows = [1, 2, 3].map((n) => `<li><span>Item ${n}</span> <button id="d${n}">Delete</button></li>`);
  const page = await stage.show(`<button id="go">Go</button><ul>${rows.join("")}</ul>
    <script>go.onclick = () => { for (const s of document.querySelectorAll('span')) s.textContent = s.textContent + '0' }</script>`);
  const [first] = page.highlightedElements.filter(({ textContent }) => textContent === "Delete");
  expect(await click(called(page, "Go").highlight_index)).toMatchObject({
    page: { said: ["Item 10", "Item 20", "Item 30"] },
  });
  expect(await click(first?.highlight_index ?? -1)).toMatchObject({ code: "element_stale" });
});

test("a button from a list of rows is stale if only one row is left and this row shows another item", async () => {
  const rows = ["Ann", "Ben", "Cyd"].map((name) => `<li><span>${name}</span> <button>Delete</button></li>`);
  const page =
    await stage.show(`<button id="go">Filter</button><ul>${rows.join("")}</ul><script>go.onclick = () => {
    const [first, ...rest] = document.querySelectorAll('li');
    for (const row of rest) row.remove();
    first.firstChild.textContent = 'Zoe' }</script>`);
  const [first] = page.highlightedElements.filter(({ textContent }) => textContent === "Delete");
  expect(await click(called(page, "Filter").highlight_index)).toMatchObject({ page: { said: ["Zoe"] } });
  expect(await click(first?.highlight_index ?? -1)).toMatchObject({ code: "element_stale" });
});

test.if(isFull)(
  "the changes are omitted from an action's answer after a navigation, and for a page that is too large",
  async () => {
    const page = await stage.show(`<a href="/next">Next</a>`);
    const next = await click(called(page, "Next").highlight_index);
    expect(next).toMatchObject({ effect: "navigated" });
    expect(next).not.toHaveProperty("page");
    const many = Array.from(
      { length: sessionLimits.changeElements + 1 },
      (_, at) => `<button>${at}</button>`,
    ).join("");
    const large = await stage.show(many);
    expect(await click(called(large, "7").highlight_index)).toMatchObject({ page: { untold: true } });
  },
);

test("the changes in an action's answer never contain a password", async () => {
  const page = await stage.show(`<input type="password" aria-label="Word"><button id="b">Go</button>
    <script>b.onclick = () => { b.textContent = 'Gone' }</script>`);
  await stage.act("type", { index: called(page, "Word").highlight_index, text: "hunter2" });
  const data = await click(called(page, "Go").highlight_index);
  expect(data).toMatchObject({ page: { changed: 1 } });
  expect(JSON.stringify(data)).not.toContain("hunter2");
});

test.if(isFull)(
  "the changes in an action's answer list new elements, and give newly covered elements as a range of indices",
  async () => {
    const many = Array.from({ length: 150 }, (_, at) => `<button>Number ${at}</button>`).join("");
    const page = await stage.show(`${many}<button id="ask" onclick="over.style.display = 'block'">Ask</button>
    <div id="over" style="display: none; position: fixed; inset: 0; background: white"><p>Are you sure?</p>
    <button onclick="over.style.display = 'none'">Yes</button></div>`);
    const [first, last] = ["Number 0", "Ask"].map((name) => called(page, name).highlight_index);
    const all = `${first}-${last}`;
    const { page: change } = await click(last ?? -1);
    const yes = Number(/\d+/.exec(String((change as { lines: string }).lines))?.[0]);
    expect(change).toMatchObject({
      lines: expect.stringMatching(/^\*\[\d+\]<button>Yes<\/button>$/),
      covered: all,
    });
    expect((change as { said: string[] }).said).toEqual(["Are you sure?"]);
    const { page: after } = await click(yes);
    expect(after).toMatchObject({ uncovered: all });
    expect((await click(called(page, "Number 3").highlight_index)).clicked).toBe(true);
  },
);

test.if(isFull)(
  "pressing the mouse button counts as a click if the pressed element then shows a new state, such as expanded",
  async () => {
    const body = (
      says: string,
    ) => `<button id="b" aria-expanded="false">Menu</button><script>b.onpointerdown = () => {
    ${says} document.body.style.pointerEvents = 'none';
    document.body.insertAdjacentHTML('beforeend', '<div style="pointer-events: auto"><button>Profile</button></div>') }</script>`;
    const opened = await stage.show(body("b.setAttribute('aria-expanded', 'true');"));
    expect(await click(called(opened, "Menu").highlight_index)).toMatchObject({
      clicked: true,
      expanded: true,
      page: { lines: expect.stringContaining("Profile") },
    });
    const silent = await stage.show(body(""));
    expect(await click(called(silent, "Menu").highlight_index)).toMatchObject({
      code: "element_covered",
      pressed: true,
      page: { lines: expect.stringContaining("Profile") },
    });
    const cell =
      await stage.show(`<div id="c" tabindex="0" role="gridcell">open</div><script>c.onmousedown = (event) => {
    event.preventDefault(); c.innerHTML = '<input aria-label="State">'; c.firstChild.focus() }</script>`);
    expect(await click(called(cell, "open").highlight_index)).toMatchObject({ clicked: true });
  },
);

test("the changes in an action's answer include content that opens shortly after the click", async () => {
  const page = await stage.show(
    `<button id="b">Delete</button><script>b.onclick = () => {
      const box = document.createElement('div');
      box.innerHTML = '<p>Delete it?</p><button>OK</button>';
      box.className = 'from';
      document.body.append(box);
      requestAnimationFrame(() => requestAnimationFrame(() => { box.className = 'to' })) }</script>`,
    "<style>.from { opacity: 0; transform: scale(0) } .to { transition: all .2s }</style>",
  );
  expect(await click(called(page, "Delete").highlight_index)).toMatchObject({
    page: { lines: expect.stringContaining("<button>OK</button>") },
  });
});

test.if(isFull)(
  "the answer to a click that has changed nothing waits for the click's requests, and reports those that are still pending",
  async () => {
    const later = (wait: number) => async () => {
      await new Promise((resolve) => setTimeout(resolve, wait));
      return new Response("Details");
    };
    stage.site.routes.set("/soon", later(350));
    const begun = (controller: ReadableStreamDefaultController): void => controller.enqueue("begun");
    stage.site.routes.set("/late", () => new Response(new ReadableStream({ start: begun })));
    const page =
      await stage.show(`<button onclick="ask('/soon')">Add</button><button onclick="ask('/late')">Report</button>
    <button onclick="navigator.sendBeacon('/late'); new Image().src = '/late'">Count</button><dialog id="d"></dialog>
    <script>const ask = async (url) => { d.textContent = await (await fetch(url)).text(); d.show() }</script>`);
    const counted = await click(called(page, "Count").highlight_index);
    expect(counted).toMatchObject({ effect: "focused", changes: 0 });
    expect(counted.pending).toBeUndefined();
    expect(await click(called(page, "Report").highlight_index)).toMatchObject({ changes: 0, pending: 1 });
    const data = await click(called(page, "Add").highlight_index);
    expect(data).toMatchObject({ effect: "changed", page: { said: ["Details"] } });
    expect(data.pending).toBeUndefined();
  },
);

test("the changes in an action's answer include content that a script expands step by step", async () => {
  const page = await stage.show(`<button id="b" aria-expanded="false">Options</button>
    <div id="panel" style="display:none"><button>Columns</button></div><button>Below</button><script>
    b.onclick = () => { const from = performance.now();
      Object.assign(panel.style, { display: "block", overflow: "hidden", height: "0px" });
      const step = () => { const part = (performance.now() - from) / 250;
        if (part < 1) { panel.style.height = 80 * part + "px"; requestAnimationFrame(step) }
        else { panel.style.height = panel.style.overflow = ""; b.setAttribute("aria-expanded", "true") } };
      requestAnimationFrame(step) }</script>`);
  expect(await click(called(page, "Options").highlight_index)).toMatchObject({
    effect: "state_changed",
    expanded: true,
    page: { lines: expect.stringContaining("<button>Columns</button>") },
  });
});

test.if(isFull)(
  "the changes in the answer to hovering include a delayed menu and content that only a style sheet shows",
  async () => {
    const page = await stage.show(
      `<ul role="menu"><li role="menuitem" aria-haspopup="true" tabindex="0" id="n">New</li></ul>
    <ul role="menu" id="s" hidden><li role="menuitem" tabindex="0">Text File</li></ul>
    <div class="row" tabindex="0">Ann <button>Edit</button></div><script>
    n.onmousemove = () => { n.className = "active"; setTimeout(() => { s.hidden = false }, 250) }</script>`,
      "<style>.row button { display: none } .row:hover button { display: inline }</style>",
    );
    const hover = async (name: string) =>
      (await stage.act("hover", { index: called(page, name).highlight_index })).data;
    expect(await hover("New")).toMatchObject({
      effect: "changed",
      page: { lines: expect.stringContaining("Text File") },
    });
    expect(await hover("Ann")).toMatchObject({
      effect: "changed",
      page: { lines: expect.stringContaining("Edit") },
    });
  },
);
