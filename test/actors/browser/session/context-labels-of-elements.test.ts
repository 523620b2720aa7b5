/** Tests the context labels of elements: the words of their row, card or column, which tell elements with equal names apart. */
import { expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";

const stage = await stageOfTests({ evaluate: false });

const lines = async (body: string, head = ""): Promise<string> =>
  (await stage.show(body, head)).clickableElementsString;

test("elements with equal names in several rows get the row's text as context, unless a link names the row", async () => {
  const row = (name: string) =>
    `<tr><td><input type="checkbox" aria-label="Select row"></td><td>${name}</td><td>7</td><td><button>Delete</button></td></tr>`;
  const data = await stage.show(`<table>${row("Ann")}${row("Bob")}</table>
    <ul><li><a href="/c">Cleo</a> <button>Edit</button></li><li><a href="/d">Dan</a> <button>Edit</button></li></ul>`);
  const listed = data.clickableElementsString;
  expect(listed).toContain(`<input type="checkbox" in="Bob 7">Select row</input>`);
  expect(listed).toContain(`<button in="Ann 7">Delete</button>`);
  expect(listed).toContain("<button>Edit</button>");
  const { clickableElementsString } = await stage.analyze({ query: "delete bob" });
  expect(clickableElementsString.split("\n")).toHaveLength(1);
});

test("elements without a distinct name get their row or the adjacent text as context", async () => {
  const grip = (name: string) => `<div><span role="button">⠿</span> ${name}</div>`;
  const deep = " ".repeat(200);
  const listed = await lines(
    `<section>${grip("Write")}${grip("Review")}</section>
     <div><button role="switch" aria-checked="true"></button><span>Notifications</span> <input type="checkbox"> <i></i>Red <input type="checkbox">Blue</div>
     <ul><li>Title <input placeholder="Title"></li></ul>
     <table><tr><td>All</td><td><button>Sort</button></td><td><button>Sort</button></td></tr></table>
     <div>${deep}<span>Kind</span>${deep}<select><option>One</option><option>${"Two ".repeat(40)}</option></select></div>`,
  );
  for (const line of [
    `<span role="button" in="Write">⠿</span>`,
    `<span role="button" in="Review">⠿</span>`,
    `<button role="switch" checked in="Notifications"></button>`,
    `<input type="checkbox" in="Red"></input>`,
    `<input type="checkbox" in="Blue"></input>`,
    "<input>Title</input>",
    "<button>Sort</button>",
    `in="Kind"`,
  ])
    expect(listed).toContain(line);
});

test("a text that opens a menu when it is clicked names the field after it", async () => {
  // The markup of a field on the page of an item in Directus, and in an expanded record of NocoDB.
  const directus = (name: string, width: string, field: string) =>
    `<div class="field ${width}"><div class="menu"><div class="activator"><div class="field-label">
     <span class="clickable"><div class="overflow">${name}</div><i></i></span></div></div></div>
     <div class="interface"><div class="v-input"><div class="input">${field}</div></div></div><div class="dialog"></div></div>`;
  const nocodb = (name: string) =>
    `<div><div class="header"><div class="clickable">${name}</div></div><div class="cell"><div><input></div></div></div>`;
  const listed = await lines(
    `<main><div class="grid">${directus("Title", "half first", "<input>")}${directus("Seats", "half-right", `<input type="number">`)}
     ${directus("Notes", "full", "<textarea></textarea>")}</div></main>
     <div class="record">${nocodb("Phone")}</div>
     <script>for (const text of document.querySelectorAll(".clickable")) text.addEventListener("click", () => {})</script>`,
  );
  for (const name of ["Title", "Seats", "Notes", "Phone"]) expect(listed).toContain(`in="${name}"`);
});

test("a drawn list that is nested deep after its caption, and a switch whose own text is only its state, have the caption as context", async () => {
  // The markup of fields in Directus (lists and a switch), and in a record of NocoDB (a select of Ant Design).
  const directus = (name: string, control: string) =>
    `<div class="field half"><div class="menu"><div class="label"><span class="clickable">${name}</span></div></div>
     <div class="interface">${control}</div></div>`;
  const drawn = `<div class="menu select"><div class="activator"><div class="v-input"><div class="input">
    <input readonly placeholder="Select an item..."></div></div></div></div>`;
  const nocodb = (name: string) =>
    `<div class="row"><div class="header"><div class="clickable">${name}</div></div><div class="cell"><div><div class="select"><div class="selector">
     <div class="overflow"><span class="search"><input role="combobox"></span></div></div></div></div></div></div>`;
  const state = `<button role="checkbox" aria-checked="false">Enabled</button>`;
  const listed = await lines(
    `<main>${directus("Category", drawn)}${directus("Status", drawn)}${directus("Featured", state)}</main>
     <div class="form">${nocodb("Country")}${nocodb("Currency")}</div>
     <div class="one"><h2>Items</h2><div><div><div><div><div><input placeholder="Search"></div></div></div></div></div></div>
     <script>for (const text of document.querySelectorAll(".clickable")) text.addEventListener("click", () => {})</script>`,
  );
  for (const name of ["Category", "Status", "Country", "Currency"]) expect(listed).toContain(`in="${name}"`);
  expect(listed).toContain(`<button role="checkbox" unchecked in="Featured">Enabled</button>`);
  expect(listed).not.toContain(`in="Items"`);
});

test("fields of a sign-in form get no context label from the column around the form, but fields after a short caption do", async () => {
  const column = (caption: string) =>
    `<div class="column"><h1>${caption}</h1><form><div class="group"><input type="email" placeholder="Email"></div>
      <div class="group"><input placeholder="Company"></div><a href="/home">Sign in</a></form>
      <hr><p><a href="/forgot">Forgot your password?</a> <a href="/new">Create an account for your team</a></p></div>`;
  const data = await stage.show(
    `<main><div class="column"></div>${column("Welcome back to our store!")}</main>`,
  );
  expect(data.clickableElementsString).toContain(`<input type="email">Email<`);
  expect(data.clickableElementsString).toContain("<input>Company<");
  const rows = data.highlightedElements.slice(0, 2).map(({ row }) => row ?? "");
  for (const row of rows) expect(row).toStartWith("Welcome back to our store! Sign in");
  const prices = await lines(`<ul><li>Price <input placeholder="from"> <input placeholder="to"></li></ul>`);
  expect(prices).toContain(`<input in="Price">from<`);
  expect(prices).toContain(`<input in="Price">to<`);
});

test("controls in a row get the words of the row as context, even if the printed list shows only the link that names the row", async () => {
  const { highlightedElements: found, clickableElementsString: listed } = await stage.show(
    `<table><tr><td><a href="/1">Printed shirt</a></td><td>Ada Inc</td><td><input type="number" value="1"></td><td><a href="#e">Edit</a></td></tr>
     <tr><td><a href="/2">Plain shirt</a></td><td>Bob Ltd</td><td><input type="number" value="1"></td><td><a href="#e">Edit</a></td></tr></table>
     <table><tr><td><label><input type="checkbox"> c</label></td><td>Carla</td></tr>
     <tr><td><label><input type="checkbox"> c</label></td><td>Dan</td></tr></table>
     <section><div class="card"><h3>Alpha</h3><div class="line"><label><input type="checkbox"> Draft</label></div><div class="line"><label><input type="checkbox"> Final</label></div></div>
     <div class="card"><h3>Beta</h3><div class="line"><label><input type="checkbox"> Draft</label></div><div class="line"><label><input type="checkbox"> Final</label></div></div></section>`,
  );
  const rows = found.map(({ around, row }) => around ?? row ?? "");
  expect(rows.slice(0, 6)).toEqual([
    "",
    "Printed shirt Ada Inc Edit",
    "Printed shirt Ada Inc",
    "",
    "Plain shirt Bob Ltd Edit",
    "Plain shirt Bob Ltd",
  ]);
  expect(rows.slice(6, 8)).toEqual(["c Carla", "c Dan"]);
  expect(rows.slice(8).map((row) => row.split(" ")[0])).toEqual(["Alpha", "Alpha", "Beta", "Beta"]);
  // In the list of elements, the link with the row's name directly precedes "Edit". So the line of "Edit"
  // does not repeat the row's name.
  expect(listed).toContain(">Edit</a>");
  expect(listed).not.toContain('in="Printed');
  expect(listed).toContain('in="c Carla"');
});

test("a group of buttons in a row gets the words of the row as context, unless an element of the row names the row", async () => {
  const group = "<div class=actions><div><button>Like</button></div><div><button>Report</button></div></div>";
  const comment = (name: string) => `<li><div><b>${name}</b> wrote a comment</div>${group}</li>`;
  const listed = await lines(`<ul>${comment("Ann")}${comment("Bob")}</ul>`);
  expect(listed).toContain(`<button in="Ann wrote a comment">Like</button>`);
  expect(listed).toContain(`<button in="Bob wrote a comment">Report</button>`);
  const file = (name: string) => `<li><div><a href="/${name}">${name}</a> 7 KB</div>${group}</li>`;
  const { clickableElementsString, highlightedElements } = await stage.show(
    `<ul>${file("one.txt")}${file("two.txt")}</ul>`,
  );
  expect(clickableElementsString).not.toContain("in=");
  const rows = highlightedElements.filter((element) => nameOf(element) === "Report").map(({ row }) => row);
  expect(rows).toEqual(["one.txt 7 KB", "two.txt 7 KB"]);
});

test("buttons that components draw in the rows of a table or list get the words of the row as context", async () => {
  const button = (name: string) =>
    `<x-button><template shadowrootmode="open"><button><slot></slot></button></template>${name}</x-button>`;
  const animal = (name: string) =>
    `<tr><td>${name}</td><td>Cat</td><td>${button("Feed")} ${button("Weigh")}</td></tr>`;
  const shift = (name: string) => `<li>${name} ${button("Swap")} ${button("Drop")}</li>`;
  const listed = await lines(
    `<table>${animal("Olive")}${animal("Pepper")}</table><ul>${shift("Lena")}${shift("Mateo")}</ul>`,
  );
  for (const name of ["Feed", "Weigh"])
    for (const row of ["Olive Cat", "Pepper Cat"])
      expect(listed).toContain(`<button in="${row}">${name}</button>`);
  for (const name of ["Swap", "Drop"])
    for (const row of ["Lena", "Mateo"]) expect(listed).toContain(`<button in="${row}">${name}</button>`);
});

test("the text of a card is context for the buttons in the card, even if the card's component draws a button of its own", async () => {
  const card = (name: string) =>
    `<x-card class="card"><template shadowrootmode="open"><button aria-label="Hide"></button><slot></slot></template><b>${name}</b> <button>Open</button></x-card>`;
  const listed = await lines(`<div>${card("Rome")}${card("Oslo")}</div>`);
  for (const name of ["Rome", "Oslo"]) expect(listed).toContain(`<button in="${name}">Open</button>`);
});

test("a button with a unique name in a row has the row's words only in the data for the planner", async () => {
  await stage.show(
    `<table><tr><td>C-1 Bicycle</td><td><button>Details</button> <button>Object</button></td></tr>
     <tr><td>C-2 Window</td><td><button>Details</button> <button>Withdraw</button></td></tr></table><button>Save</button>`,
  );
  const { highlightedElements, clickableElementsString } = await stage.analyze({});
  const rows = highlightedElements.map(
    (element) => `${nameOf(element)}: ${element.around ?? element.row ?? ""}`,
  );
  expect(rows).toEqual([
    ...[
      "Details: C-1 Bicycle",
      "Object: C-1 Bicycle",
      "Details: C-2 Window",
      "Withdraw: C-2 Window",
      "Save: ",
    ],
  ]);
  expect(clickableElementsString).not.toContain("Withdraw</button> (C-2");
});

test("a button of a grid whose cells are grouped by column has the words of its row as context", async () => {
  const cell = (row: number, content: string) =>
    `<div role="gridcell" aria-rowindex="${row}">${content}</div>`;
  await stage.show(
    `<div role="grid"><div>${cell(1, "Alma Nordin")}${cell(2, "Greta Holm")}</div>
     <div>${cell(1, "<button>Cancel</button>")}${cell(2, "<button>Cancel</button>")}</div></div>`,
  );
  const { highlightedElements } = await stage.analyze({});
  expect(highlightedElements.map(({ around }) => around)).toEqual(["Alma Nordin", "Greta Holm"]);
});

test("the context of a button in a grid is updated when the text of its row changes in another column", async () => {
  const cell = (row: number, content: string) =>
    `<div role="gridcell" aria-rowindex="${row}">${content}</div>`;
  const inner = `<div role="grid">${cell(1, "Paid")}</div>`;
  const before = await stage.show(
    `<div role="grid"><div id="names">${cell(1, "Alma Nordin")}${cell(2, "Greta Holm")}</div>
     <div>${cell(1, "<button>Cancel</button>")}${cell(2, "<button>Cancel</button>")}</div>${inner}</div>`,
  );
  expect(before.highlightedElements.map(({ around }) => around)).toEqual(["Alma Nordin", "Greta Holm"]);
  // A virtualised grid reuses the elements of its rows while the user scrolls.
  await stage.run(`document.querySelector("#names").firstElementChild.textContent = "Bert Lund"`);
  const { highlightedElements } = await stage.analyze({});
  expect(highlightedElements.map(({ around }) => around)).toEqual(["Bert Lund", "Greta Holm"]);
});

test("a checkbox without a name in a table has the header of its column as context, before the words of its row", async () => {
  const row = (name: string, boxes: number) =>
    `<tr><td>${name}</td>${`<td><input type="checkbox"></td>`.repeat(boxes)}</tr>`;
  const { clickableElementsString } = await stage.show(
    `<table><thead><tr><th>Permission</th><th><button>Editor</button></th><th>Author</th></tr></thead>
       <tbody>${row("View pages", 2)}${row("Delete pages", 2)}</tbody></table>
     <table><tr><th colspan="2">Event</th><th>Mail</th></tr>
       <tr><td>1</td><td><a href="#m">Mention</a></td><td><input type="checkbox"></td></tr></table>
     <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>
       <tr><td rowspan="2">Tall</td><td>x</td></tr><tr><td><input type="checkbox"></td></tr></tbody></table>`,
  );
  for (const context of [
    "Editor: View pages",
    "Author: View pages",
    "Editor: Delete pages",
    "Author: Delete pages",
    "Mail",
  ])
    expect(clickableElementsString).toContain(`in="${context}"`);
  // A cell that spans two rows shifts the cells of the second row to other columns. So no column header is
  // certain there, and the words of the row are used.
  expect(clickableElementsString).toContain('in="Tall x"');
});

test("a field without a name in a table has the header of its column as context, even if a row of filters follows the headers", async () => {
  const heads = "<tr><th></th><th>Title</th><th>Price</th></tr>";
  const row = `<tr><td><input type="checkbox"></td><td>Desk</td><td><input type="number" value="5"></td></tr>`;
  const { clickableElementsString } = await stage.show(
    `<table><thead>${heads}<tr><th colspan="3"><div>Add filter <span>f</span></div></th></tr></thead><tbody>${row}</tbody></table>
     <table><thead>${heads}<tr><td></td><td><input></td><td><select><option>any</option></select></td></tr></thead><tbody>${row.replace("Desk", "Lamp")}</tbody></table>`,
  );
  expect(clickableElementsString.replace(/\[\d+\]|\s*<\/[a-z]+>$/gm, "").split("\n")).toEqual([
    `<input type="checkbox" in="Desk">`,
    `<input type="number" value="5" in="Price: Desk">`,
    `<input in="Title">`,
    `<select value="any" in="Price"> (any)`,
    `<input type="checkbox" in="Lamp">`,
    `<input type="number" value="5" in="Price: Lamp">`,
  ]);
});

test("the context of a checkbox contains the header of its column, even if the header was empty at the first analysis", async () => {
  const { clickableElementsString: before } = await stage.show(
    `<table><thead><tr><th>Permission</th><th><span id="head" aria-hidden="true">&nbsp;</span></th></tr></thead>
       <tbody><tr><td>View pages</td><td><input type="checkbox"></td></tr></tbody></table>`,
  );
  expect(before).toContain('in="View pages"');
  await stage.run(`void (head.firstChild.data = "Editor")`);
  expect((await stage.analyze()).clickableElementsString).toContain('in="View pages"');
  await stage.run(`head.removeAttribute("aria-hidden")`);
  expect((await stage.analyze()).clickableElementsString).toContain('in="Editor: View pages"');
});

test("a menu in a row has the words of the row as context, even if the menu is a `details` element", async () => {
  const row = (title: string) => `<tr><td><a href="/${title}">${title}</a></td>
    <td><details><summary>accepted</summary><a href="/${title}/reject">reject</a></details></td></tr>`;
  await stage.show(`<table><tr><th>Title</th><th>State</th></tr>${row("Tides")}${row("Knots")}</table>`);
  const { clickableElementsString: lines } = await stage.analyze({ query: "accepted" });
  expect(lines).toMatch(/<summary in="Tides[^"]*">accepted.*\n.*<summary in="Knots[^"]*">accepted/);
});

test("transparent words of a row (opacity 0) are the context of its button, because the page may be fading them in", async () => {
  const row = (text: string) => `<li><p style="opacity: 0">${text}</p><button>Run</button></li>`;
  const { clickableElementsString: lines } = await stage.show(`<ul>${row("First")}${row("Second")}</ul>`);
  expect(lines).toContain(`<button in="Second">Run</button>`);
});

test("a button keeps its row's words as context while the pointer over the row above gives that row a class and an icon", async () => {
  const row = (text: string, more = "") => `<span>${text}</span><button>Open</button>${more}`;
  const { clickableElementsString: lines } = await stage.show(
    `<section><div class="hover">${row("First", "<i></i>")}</div><div>${row("Second")}</div></section>`,
  );
  expect(lines).toContain(`<button in="Second">Open</button>`);
});
