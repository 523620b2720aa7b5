/**
 * Tests that a session distinguishes the element that was shown to the caller from a similar element. In each test,
 * the page changes between the analysis and the action.
 */
import { describe, expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const index = async (body: string, name: string): Promise<number> =>
  called(await stage.show(body), name).highlight_index;

test("a field that removes its placeholder on focus accepts typing, and typing into a field whose label has changed is refused", async () => {
  const field = await index(
    `<label>Search <input placeholder="Products" onfocus="this.placeholder = ''"></label>`,
    "Search",
  );
  expect(await stage.act("type", { index: field, text: "tea" })).toMatchObject({ success: true });
  const other = await index(`<input placeholder="Amount in euros">`, "Amount in euros");
  await stage.run(`document.querySelector("input").placeholder = "Amount in cents"`);
  const typed = await stage.act("type", { index: other, text: "100" });
  expect(typed).toMatchObject({ success: false, data: { code: "element_stale" } });
});

test("an element keeps its identity when a timer, a message or a state next to it changes", async () => {
  const save = await index(
    `<form onsubmit="did.push('saved'); return false"><label>Name <input></label><p>Kept for <b id="left">59</b> seconds, <i id="part">10 %</i> done</p>
      <p role="status" id="state">Not saved</p><output id="sum">3</output><style></style><button>Save</button></form>`,
    "Save",
  );
  await stage.run(
    `left.textContent = "58"; part.textContent = "12 %"; state.textContent = "Saving"; sum.textContent = "4"`,
  );
  expect(await stage.act("click", { index: save })).toMatchObject({ success: true });
  expect(await stage.run("did.join()")).toBe("saved");
});

test.if(isFull)(
  "a field keeps its name and identity while the list in its label or row is open",
  async () => {
    const box = (name: string) =>
      `<input role="combobox" aria-autocomplete="list" placeholder="${name}" onfocus="this.nextElementSibling.hidden = false"
      onblur="this.nextElementSibling.hidden = true; this.nextElementSibling.replaceChildren()"><ul role="listbox"><li role="option">Bakery</li><li role="option">Grocer</li></ul>`;
    const data = await stage.show(
      `<form><label>Payee ${box("Who")}</label><div role="group" draggable="true">${box("Account")}<button type="button">m</button></div></form>
      <script>for (const list of document.querySelectorAll("ul")) list.hidden = list !== document.querySelector("ul");</script>`,
    );
    const [payee, account] = ["Payee", "Account"].map((name) => called(data, name).highlight_index);
    const fields = [
      { index: payee, value: "Ann" },
      { index: account, value: "Food" },
    ];
    expect(await stage.act("fill_form", { fields })).toMatchObject({ success: true, data: { filled: 2 } });
    expect(await stage.act("input", { label: "Payee", text: "Bob" })).toMatchObject({ success: true });
  },
);

test("a number in an element's text distinguishes it from otherwise equal elements, unless the number is a time", async () => {
  const offer = (percent: number) =>
    `<li><p>${percent} % off</p><button onclick="did.push(${percent})">Take</button></li>`;
  const take = await index(`<ul>${offer(10)}${offer(20)}</ul>`, "Take");
  await stage.run(
    `for (const one of document.querySelectorAll("p")) one.textContent = parseInt(one.textContent) + 10 + " % off"`,
  );
  expect((await stage.act("click", { index: take })).data).toMatchObject({ code: "element_stale" });
  const pay = await index(
    `<article><p>Order <b>17</b></p><button onclick="did.push(1)">Pay</button></article>`,
    "Pay",
  );
  await stage.run(`document.querySelector("b").textContent = "18"`);
  const paid = await stage.act("click", { index: pay });
  expect(paid.data).toMatchObject({ code: "element_stale", was: "Order 17 Pay", is: "Order 18 Pay" });
  expect(await stage.run("did.join()")).toBe("");
});

test("a heading keeps its identity when the section next to it opens", async () => {
  const tags = await index(
    `<div><div><div><h2><button>Groups</button></h2><div id="panel"></div></div><div><h2><button onclick="did.push('tags')">Tags</button></h2></div><div><h2><button>Excerpt</button></h2></div></div></div><div>Footer</div>`,
    "Tags",
  );
  await stage.run(`panel.innerHTML = "<label><input type=checkbox>News</label><button>Add a group</button>"`);
  expect(await stage.act("click", { index: tags })).toMatchObject({ success: true });
  expect(await stage.run("did.join()")).toBe("tags");
});

test("a text editor with a name keeps its identity after its text has changed", async () => {
  const editor = await index(
    `<div contenteditable role="textbox" aria-label="Message"><p>Hello</p></div>`,
    "Message",
  );
  for (const text of ["first", "second", "third"])
    expect(await stage.act("type", { index: editor, text })).toMatchObject({ success: true });
  expect(await stage.run(`document.querySelector("div[contenteditable]").innerText.trim()`)).toBe("third");
  await stage.run(`document.querySelector("div[contenteditable]").textContent = "Somebody else's"`);
  const typed = await stage.act("type", { index: editor, text: "fourth" });
  expect(typed.data).toMatchObject({ code: "element_stale" });
});

test("a button keeps its identity when the text of its form changes, but not when its table row changes", async () => {
  const send = await index(
    `<form onsubmit="did.push('sent'); return false"><div contenteditable aria-label="Text">Hello</div><button>Send</button></form>`,
    "Send",
  );
  await stage.run(`document.querySelector("div[contenteditable]").textContent = "Good bye"`);
  expect(await stage.act("click", { index: send })).toMatchObject({ success: true });
  const remove = await index(
    `<table><tr><td contenteditable>Ann</td><td><button onclick="did.push('removed')">Remove</button></td></tr></table>`,
    "Remove",
  );
  await stage.run(`document.querySelector("td").textContent = "Bob"`);
  expect((await stage.act("click", { index: remove })).data).toMatchObject({ code: "element_stale" });
});

test.if(isFull)("an element that shows its value on hover is not stale after it was hovered", async () => {
  const slider = await index(
    `<div role="slider" tabindex="0" aria-label="Size" aria-valuemin="0" aria-valuemax="100" aria-valuenow="20"
      style="width: 20px; height: 20px; background: blue" onmouseenter="this.innerHTML = '<span>20</span>'" onmouseleave="this.innerHTML = ''"
      onkeydown="if (event.key === 'ArrowRight') this.ariaValueNow = +this.ariaValueNow + 1"></div>`,
    "Size",
  );
  expect(await stage.act("hover", { index: slider })).toMatchObject({ success: true });
  expect(await stage.act("type", { index: slider, text: "25" })).toMatchObject({ success: true });
  expect(await stage.run(`document.querySelector("[role=slider]").ariaValueNow`)).toBe("25");
});

test("a click on a tree item with nested items hits the item itself, which is named by its own text", async () => {
  const data = await stage.show(`<ul role="tree" style="width: 300px">
    <li role="treeitem" aria-expanded="true" tabindex="0" onclick="did.push('docs')"><span>Docs</span><ul role="group">
      <li role="treeitem" tabindex="-1" onclick="event.stopPropagation(); did.push('invoices')">Invoices</li>
      <li role="treeitem" tabindex="-1" onclick="event.stopPropagation(); did.push('letters')">Letters</li></ul></li></ul>`);
  expect(data.highlightedElements.map(nameOf)).toEqual(["Docs", "Invoices", "Letters"]);
  for (const [name, wanted] of [
    ["Docs", "docs"],
    ["Letters", "docs,letters"],
  ]) {
    const index = called(data, name ?? "").highlight_index;
    expect(await stage.act("click", { index })).toMatchObject({ success: true });
    expect(await stage.run("did.join()")).toBe(wanted);
  }
});

test("an element keeps its identity when a tooltip or a hint appears next to it", async () => {
  const data =
    await stage.show(`<button onmouseover="this.title = 'Save it'" onclick="did.push('saved')">Save</button>
    <button title="Bin" onmouseover="this.title = ''" onclick="did.push('gone')"><svg width="20" height="20"></svg></button>
    <section><label for="n">Notes</label><div data-testid="root"><textarea id="n"
      onfocus="this.parentElement.after(document.createElement('div'))"></textarea></div></section>`);
  for (const name of ["Save", "Bin"])
    expect(await stage.act("click", { index: called(data, name).highlight_index })).toMatchObject({
      success: true,
    });
  expect(await stage.run("did.join()")).toBe("saved,gone");
  const notes = called(data, "Notes").highlight_index;
  expect(await stage.act("type", { index: notes, text: "Hello" })).toMatchObject({ success: true });
});

test("a slider with a hidden duplicate input is listed once, and gets its value by keys", async () => {
  const data =
    await stage.show(`<label>Discount <input type="range" id="r" min="0" max="50" value="5"></label>
    <div aria-hidden="true" style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">
      <input type="date" tabindex="-1"></div>
    <script>r.onkeyup = r.onpointerup = () => did.push(r.value)</script>`);
  expect(data.highlightedElements).toHaveLength(1);
  const index = called(data, "Discount").highlight_index;
  for (const text of ["25", "0", "50"])
    expect(await stage.act("type", { index, text })).toMatchObject({ success: true, data: { value: text } });
  expect(await stage.run("did.join()")).toBe("25,0,50");
});

test("a slider whose name is its value, drawn later by a framework, gets its value by keys", async () => {
  const data = await stage.show(`<input type="range" id="r" aria-label="0.0" min="0" max="100" value="0">
    <script>r.oninput = async () => { await 0; r.ariaLabel = r.value + ".0"; }; r.onchange = () => did.push(r.value)</script>`);
  const index = called(data, "0.0").highlight_index;
  expect(await stage.act("type", { index, text: "40" })).toMatchObject({ success: true });
  expect(await stage.run("r.value")).toBe("40");
});

for (const [kind, hovered] of [
  ["its first class", "this.className = 'over'"],
  ["a class before its others", "this.className = 'over ' + this.className"],
] as const) {
  test(`a button in a row can be clicked although the row gets ${kind} on hover`, async () => {
    const name = kind === "its first class" ? "" : `class="row"`;
    const row = (item: string) =>
      `<div ${name} data-key="${item}" onmouseover="${hovered}"><span>${item}</span><button onclick="did.push('${item}')">Open</button></div>`;
    const data = await stage.show(`<section>${["Tea", "Milk", "Bread"].map(row).join("")}</section>`);
    const opens = data.highlightedElements.filter((element) => nameOf(element) === "Open");
    const at = opens[1]?.highlight_index;
    expect(await stage.act("hover", { index: at })).toMatchObject({ success: true });
    expect(await stage.act("click", { index: at })).toMatchObject({ success: true });
    expect(await stage.run("did.join()")).toBe("Milk");
  });
}

test("the error for a changed element quotes the attributes that differ when its texts are equal", async () => {
  const open = await index(`<button data-id="1">Open</button><button data-id="2">Open</button>`, "Open");
  await stage.run(`document.querySelector("button").dataset.id = "7"`);
  const { error, data } = await stage.act("click", { index: open });
  expect(data.code).toBe("element_stale");
  expect(error).toContain(`It was "data-id=1" and is "data-id=7".`);
});

test("a button of a side bar keeps its identity when a sum in the side bar changes", async () => {
  const more = await index(
    `<div><div class="side"><div><nav><button onclick="did.push('more')">More</button><p>All accounts <b id="sum">0.00</b></p></nav></div><div>Add account</div></div>
      <div><div style="position: absolute; width: 10px; height: 100%"></div></div></div>`,
    "More",
  );
  await stage.run(`sum.textContent = "1,250.00"`);
  expect(await stage.act("click", { index: more })).toMatchObject({ success: true });
  expect(await stage.run("did.join()")).toBe("more");
});

describe("the error about a control that the page has replaced", () => {
  // Returns a page that draws all rows again, some time after an input. Some sites have such pages.
  const redrawing = (
    row: string,
  ) => `<label>Extra <input type="checkbox" id="extra"></label><div id="rows">${row}</div>
    <script>extra.onchange = () => {
      const before = rows.innerHTML;
      rows.innerHTML = "";
      setTimeout(() => { rows.innerHTML = before }, 300) }</script>`;

  test("names the element that is drawn in its place, even if this happens a moment later", async () => {
    const shown = await stage.show(redrawing("<label>Amount <input></label><label>Note <input></label>"));
    const { highlight_index: index } = called(shown, "Amount");
    await stage.run("extra.click()");
    const { error, data } = await stage.act("input", { index, text: "5" });
    expect(data.code).toBe("element_stale");
    const [, now] = /use \[(\d+)\], or repeat the action with retry: true/.exec(error ?? "") ?? [];
    expect(await stage.act("input", { index: Number(now), text: "5" })).toMatchObject({
      data: { value: "5", element: { attributes: {} } },
    });
    expect(await stage.run("document.querySelector('#rows input').value")).toBe("5");
  });

  test("names no element if several elements have the name of the replaced control", async () => {
    const row = (name: string) => `<p>${name} <button>Remove</button></p>`;
    const shown = await stage.show(redrawing(row("Ann") + row("Bob")));
    const { highlight_index: index } = called(shown, "Remove");
    await stage.run("extra.click()");
    const { error } = await stage.act("click", { index });
    expect(error).toContain(
      "Several elements have its name: choose among the candidates, or repeat the action",
    );
  });

  test.each([
    ["has the name of the removed one", "Remove", "Remove"],
    ["has no name either", "", ""],
  ])("names no element that already stood beside the replaced control and %s", async (_, removed, other) => {
    const row = (person: string, name: string) => `<p>${person} <input type="button" value="${name}"></p>`;
    const shown = await stage.show(row("Ann", removed) + row("Bob", other));
    const [{ highlight_index: index } = { highlight_index: -1 }] = shown.highlightedElements;
    await stage.run("document.querySelector('p').remove()");
    const { error, data } = await stage.act("click", { index });
    expect(data.code).toBe("element_stale");
    expect(error).toContain("Choose among the candidates");
  });
});
