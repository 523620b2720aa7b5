/** Tests the names and contexts of elements, on pages that are built like those of component libraries. */
import { expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/element-line.ts";
import { stageOfTests } from "./page-session-of-tests.ts";
import { called, names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests({ evaluate: false });

const lines = async (body: string, head = ""): Promise<string> =>
  (await stage.show(body, head)).clickableElementsString;

test("icon-font characters are not part of an element's name, unless it has no other name", async () => {
  const listed = await lines(
    `<button><i class="m" aria-hidden="true">save</i> Save order</button><button><i class="m">delete</i></button>
     <button><i class="m">home</i>Start</button><button aria-label="Main menu"><i class="m">menu</i></button>
     <button><i>\ue001</i>Bell</button><button>open</button>`,
    `<style>.m { font-family: "Some Icons" }</style>`,
  );
  for (const name of ["Save order", "delete", "Start", "Main menu", "Bell", "open"])
    expect(listed).toContain(`<button>${name}</button>`);
});

test("words in a font that has a symbol font as its fallback are not taken for icons", async () => {
  await stage.show(
    `<table><tr><th>State</th><td>failed</td></tr></table><a href="/x">Go <i>back</i></a><button style="font-family: 'Segoe UI Symbol'">open</button>
     <button><i class="m">delete</i></button>`,
    `<style>body { font-family: system-ui, "Segoe UI", sans-serif, "Segoe UI Symbol", "Noto Sans Symbols" } .m { font-family: "Material Symbols Outlined", sans-serif }</style>`,
  );
  const data = await stage.analyze({ include_text: true });
  expect(data.text_content).toBe("State\nfailed");
  expect(names(data)).toEqual(["Go back", "open", "delete"]);
});

test("names of elements have spaces and line breaks where the page shows them", async () => {
  await stage.show(
    `<a href="#x">Je<mark>an</mark>ne (<i>3</i>)</a> <button>Pay<b>Pal</b></button>
     <a href="#y"><span>25</span><span>%</span></a> <a href="#i">Inbox<span class="badge">4</span></a>
     <a href="#n">New<span class="tag">beta</span></a> <button><div>One</div><div>Two</div></button>
     <a href="#f"><span class="flex"><span>Ada</span><span>Admin</span></span></a> <a href="#l">Hello <em>world</em></a>
     <a href="#p"><img alt="Python 3" src="/p.png">Python 3 (kernel)</a>
     <p>Set <b>M</b>ode:<br>Dark<span class="gone">er</span></p><p><span>(</span><i>x</i><span>)</span> <q>done</q></p>
     <div class="flex"><span>Total</span><span>7</span></div><h2>In <i>all</i></h2>
     <pre><span>def</span> <span>f</span>(<span>a</span>):
  <b>return</b> a</pre>`,
    `<style>.badge { display: inline-block } .tag { margin-left: 4px } .flex { display: flex } .gone { display: none }</style>`,
  );
  const data = await stage.analyze({ include_text: true });
  expect(names(data)).toEqual([
    ...["Jeanne (3)", "PayPal", "25%", "Inbox 4", "New beta", "One Two", "Ada Admin", "Hello world"],
    "Python 3 (kernel)",
  ]);
  expect(data.text_content).toBe(
    ["Set Mode:", "Dark", "(x) done", "Total", "7", "## In all", "def f(a):\n  return a"].join("\n"),
  );
});

test("a name by `aria-labelledby` takes precedence over the element's own text and `aria-label`", async () => {
  const listed =
    await lines(`<span id="tag">Tennis</span><button id="x" aria-label="Remove" aria-labelledby="x tag">×</button>
    <span id="l">Volume</span><div role="slider" tabindex="0" aria-labelledby="l" aria-valuenow="10">10</div>
    <span id="d">Birthday</span><span id="m" role="spinbutton" tabindex="0" aria-label="month" aria-labelledby="m d">mm</span>`);
  expect(listed).toContain("<button>Remove Tennis</button>");
  expect(listed).toContain(`role="slider">Volume: 10<`);
  expect(listed).toContain(`role="spinbutton" value="mm">month Birthday<`);
});

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

test("a field without a label is named by the adjacent text", async () => {
  const listed =
    await lines(`<div><div><span>Start</span></div><div><input placeholder="YYYY-MM-DD"></div></div>
    <div role="row"><div role="columnheader"><span>Customer</span><span><input type="search"></span></div><div role="columnheader">Total</div></div>
    <form><p>Two</p><input><input></form>`);
  expect(listed).toContain(`in="Start">YYYY-MM-DD<`);
  expect(listed).toContain(`<input type="search" in="Customer"></input>`);
  expect(listed).not.toContain(`in="Two"`);
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

test("a label without a `for` attribute names the adjacent field if there is only one", async () => {
  const row = `style="cursor: pointer"`;
  const data = await stage.show(
    `<div><label ${row} for="">Repeat</label> <select><option>none</option></select></div>
     <div><label>Folder type</label> <a href="/h">Help</a> <select name="type"><option>Send</option></select><p>Only when adding a folder.</p></div>
     <div><label for="dead">Rate</label><input name="maxKbps"><label>Limit</label><input></div>
     <table><tr><td><label>Street</label></td><td><input></td></tr><tr><td><label>Town</label></td><td><input></td></tr></table>
     <div><label>Range</label><input placeholder="from"><input placeholder="to"></div>
     <div><label>Fruits</label><div><div><input id="late" role="combobox"></div></div></div>
     <label><span>News</span><span>once a week</span><input type="checkbox"></label>
     <label>Na<b>m</b>e<sup>*</sup> <input></label>`,
  );
  expect(names(data)).toEqual(
    [
      ...["Repeat", "Folder type", "Rate", "Limit", "Street", "Town", "from", "to", "Fruits"],
      ...["News once a week", "Name*"],
    ].toSpliced(1, 0, "Help"),
  );
  await stage.run(
    `late.insertAdjacentHTML("afterend", "<input>"), late.closest("div").parentElement.previousElementSibling.textContent = "Fruit"`,
  );
  expect(names(await stage.analyze())).not.toContain("Fruits");
});

test("a label without a valid `for` attribute names the scripted control beside it, if there is only one", async () => {
  const listed = await lines(`
    <div class="form-field"><label for="gone-1">status</label>
      <div class="select"><div tabindex="0" role="button" aria-expanded="false">- Select -</div><div role="menu"></div></div></div>
    <div class="space-y-2"><label for="gone-2">Fruit</label>
      <button type="button" role="combobox" aria-expanded="false"><span>Pick one</span></button></div>
    <div><label>Plan</label><div><button type="button" aria-haspopup="menu" aria-expanded="false">Free</button></div></div>
    <div class="form-field"><label for="gone-3">meta</label>
      <div class="cm-editor"><div class="cm-content" role="textbox" contenteditable="true">null</div></div></div>
    <div><label>Sections</label><button aria-expanded="false">One</button><button aria-expanded="false">Two</button></div>`);
  expect(listed.replace(/\[\d+\]|\s*<\/[a-z]+>$/gm, "").split("\n")).toEqual([
    `<div role="button" collapsed>status: - Select -`,
    `<button role="combobox" collapsed>Fruit: Pick one`,
    `<button collapsed haspopup="menu">Plan: Free`,
    `<div role="textbox" value="null">meta`,
    "<button collapsed>One",
    "<button collapsed>Two",
  ]);
});

test("when two forms use the same ids, each label names the field of its own form", async () => {
  const group = (label: string) =>
    `<div><label for="url">${label}</label><div><div><input id="url"><button>Test</button></div></div></div>`;
  const data = await stage.show(
    `<section id="settings" hidden>${group("Stream URL")}</section><section id="setup">${group("Camera")}</section>`,
  );
  expect(names(data)).toEqual(["Camera", "Test"]);
  await stage.run(`settings.hidden = false; setup.querySelector("label").textContent = "Camera address"`);
  expect(names(await stage.analyze())).toEqual(["Stream URL", "Test", "Camera address", "Test"]);
});

test("when two forms use the same ids, a label does not stand for the hidden checkbox beside it if clicking it operates the other form's checkbox", async () => {
  const form = (name: string, style: string) =>
    `<form><p><input type="checkbox" id="on" name="${name}" style="${style}"><label for="on">${name}</label></p></form>`;
  const data = await stage.show(`${form("First", "display: none")}${form("Second", "display: none")}`);
  expect(names(data)).toEqual(["First"]);
  const shown = await stage.show(`${form("First", "display: none")}${form("Second", "")}`);
  await stage.act("click", { index: called(shown, "Second").highlight_index });
  expect(await stage.run("[...document.querySelectorAll('input')].map((box) => box.checked).join()")).toBe(
    "false,true",
  );
});

test("if a field and another element both have the id that a label refers to, the label names the field, even if the other element is nearer", async () => {
  const data = await stage.show(
    `<header><div><input id="q"></div></header>
     <main><section><div><p><label for="q">Find things</label></p><div id="q">Box</div><input type="hidden" id="q"></div></section></main>`,
  );
  expect(names(data)).toEqual(["Find things"]);
});

test("parts of a menu with one common listener, and items of a draggable list, are listed individually", async () => {
  const data = await stage.show(
    `<div id="all"><div id="drop" tabindex="0" class="p">File<div class="menu"><div class="item">Open</div><hr><div class="item">Print</div></div></div>
      <div class="list"><div class="p">Archive</div><div class="p">Approve</div></div>
      <ul><li class="g">Write</li><li class="g">Review</li></ul></div>
     <script>all.onclick = (event) => did.push(event.target.textContent)</script>`,
    `<style>.p { cursor: pointer } .g { cursor: grab } .menu { position: absolute; left: 300px; top: 0 }</style>`,
  );
  expect(names(data)).toEqual(
    expect.arrayContaining(["Open", "Print", "Archive", "Approve", "Write", "Review"]),
  );
  for (const name of ["Print", "Approve"])
    await stage.act("click", { index: called(await stage.analyze(), name).highlight_index });
  expect(await stage.run("did.join()")).toBe("Print,Approve");
});

test("invisible elements and mere containers are not listed, but the text of the containers is read", async () => {
  const data = await stage.show(
    `<span id="grip" style="display: inline-block; width: 4px; height: 30px"></span><span id="icon" style="display: inline-block; width: 16px; height: 16px; background: red"></span>
     <div id="toast"><b>Post published</b> <button>Undo</button></div>
     <script>for (const one of [grip, icon, toast]) one.addEventListener("mousedown", () => {})</script>`,
  );
  expect(data.highlightedElements.map(({ attributes }) => attributes.id)).toEqual(["icon", undefined]);
  expect((await stage.analyze({ include_text: true })).text_content).toContain("Post published");
});

test("draggable elements and days of a calendar are listed", async () => {
  const listed = await lines(`<div role="grid"><div role="row" draggable="true">Publish</div></div>
    <table role="grid"><tr><td role="gridcell" data-date="2026-11-18"><span>18</span></td></tr></table>`);
  expect(listed).toContain(`role="row">Publish<`);
  expect(listed).toContain(`role="gridcell">2026-11-18<`);
});

test("listeners that a framework registers at its root are attributed to the elements they handle", async () => {
  const listed = await lines(`<div id="root"><p id="zone">Right-click here</p><p>Nothing</p></div>
    <script>root.__reactContainer$abc = {}; zone.__reactProps$abc = { onContextMenu() {} }</script>`);
  expect(listed).toContain("<p>Right-click here</p>");
  expect(listed).not.toContain("Nothing");
});

test('a form with a field named "id" is listed', async () => {
  const { highlightedElements } = await stage.show(
    `<form id="edit" action="/x"><input name="id" value="7"><input name="name"><button>Delete</button></form>`,
  );
  expect(highlightedElements.map(({ formId }) => formId)).toEqual(["edit", "edit", "edit"]);
});

test("controls of a row get the words of the row as context, also when the list shows only a link's name for the row", async () => {
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

test("an icon without text is named by its class, symbol or file name, for every notation of icons", async () => {
  const glyph = `content: "\\e5cd"`;
  const data = await stage.show(
    `<button><i class="mdi mdi-chevron-up"></i></button>
     <button class="btn btn-primary"><i class="fa-solid fa-trash fa-fw"></i></button>
     <button><svg width="20" height="20"><use href="/sprites.svg#icon-settings"></use></svg></button>
     <button><svg class="lucide lucide-trash-2" width="20" height="20"></svg></button>
     <button><svg data-testid="DeleteOutlineIcon" width="20" height="20"></svg></button>
     <button><my-icon name="arrow-left" style="display: inline-block; width: 20px; height: 20px"></my-icon></button>
     <button><span class="ri-close-line font"></span></button>
     <button><img src="/assets/pencil_edit.svg" width="20" height="20"></button>
     <button data-tooltip="Print the list"><i class="bi bi-printer"></i></button>
     <button class="btn btn-danger" style="width: 20px; height: 20px"></button>
     <button aria-label="Shut"><i class="bi bi-x"></i></button>
     <button><i class="pi pi-plus">\ue90d</i></button>
     <button class="p-button p-button-icon-only"><span class="p-button-icon pi pi-pencil font"></span></button>
     <button class="q-btn"><i class="q-icon mdi mdi-archive" aria-hidden="true" role="img"></i></button>
     <button><i class="var-icon var-icon--set var-icon-heart-outline"></i></button>
     <button><i class="ivu-icon ivu-icon-md-add"></i></button>
     <button><my-icon icon="md-menu" style="display: inline-block; width: 20px; height: 20px"></my-icon></button>
     <button><i class="ivu-icon ivu-icon-ios-search"></i></button>
     <button><img src="/assets/signal-logo-CyD4qrZT.svg" width="20" height="20"></button>
     <button><img src="/static/arrow-down.5d5d9eef.svg" width="20" height="20"></button>
     <button><img src="/static/back-circle24.svg" width="20" height="20"></button>`,
    `<style>.font::before { ${glyph} }</style>`,
  );
  const listed = data.highlightedElements.map((element) => element.icon ?? nameOf(element));
  expect(listed).toEqual([
    "chevron up",
    "trash",
    "settings",
    "trash 2",
    "delete outline",
    "arrow left",
    "close line",
    "pencil edit",
    "Print the list",
    "",
    "Shut",
    "plus",
    "pencil",
    "archive",
    "heart outline",
    "add",
    "menu",
    "search",
    "signal logo",
    "arrow down",
    "back circle24",
  ]);
  expect(data.clickableElementsString).toContain('<button icon="chevron up"></button>');
  expect((await stage.analyze({ query: "settings" })).highlightedElements).toHaveLength(1);
});

test("an icon beside a counter is reported, and a class prefix that ends with icon (flaticon-) is not part of an icon's name", async () => {
  const data = await stage.show(
    `<a href="/news"><i class="fa fa-bell-o"></i><span>10</span></a>
     <a href="/more"><i class="fa fa-cog"></i><span>Settings</span></a>
     <a href="/2">2</a>
     <button><i class="flaticon-delete-1"></i></button>
     <button><i class="flaticon2-refresh"></i></button>`,
  );
  const listed = data.highlightedElements.map((element) => [element.icon ?? "", nameOf(element)]);
  expect(listed).toEqual([
    ["bell o", "10"],
    ["", "Settings"],
    ["", "2"],
    ["delete 1", ""],
    ["refresh", ""],
  ]);
  expect(data.clickableElementsString).toContain('<a icon="bell o">10</a>');
});

test("an icon in the slot of a component names the control in the component's shadow root", async () => {
  const button = (icon: string) =>
    `<x-action><template shadowrootmode="open"><button><span><slot></slot></span></button></template>${icon}</x-action>`;
  const data = await stage.show(
    `${button('<i class="mdi mdi-bell-outline"></i>')}${button('<my-icon name="gear" style="display: inline-block; width: 20px; height: 20px"></my-icon>')}`,
  );
  expect(data.highlightedElements.map(({ icon }) => icon)).toEqual(["bell outline", "gear"]);
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

test("the text of a card that draws its own button is context for the buttons in the card", async () => {
  const card = (name: string) =>
    `<x-card class="card"><template shadowrootmode="open"><button aria-label="Hide"></button><slot></slot></template><b>${name}</b> <button>Open</button></x-card>`;
  const listed = await lines(`<div>${card("Rome")}${card("Oslo")}</div>`);
  for (const name of ["Rome", "Oslo"]) expect(listed).toContain(`<button in="${name}">Open</button>`);
});

test("an icon button without a name is named by its only class (ql-bold), if the buttons beside it have other classes", async () => {
  const svg = `<svg width="16" height="16"></svg>`;
  const data = await stage.show(
    `<div><button class="ql-bold">${svg}</button><button class="ql-italic">${svg}</button></div>
     <div><button class="owl-prev">${svg}</button><button class="owl-next">${svg}</button></div>
     <div><button class="text-white">${svg}</button><button class="text-white">${svg}</button></div>
     <div><button class="btn btn-danger">${svg}</button><button class="btn btn-info">${svg}</button></div>`,
  );
  const listed = data.highlightedElements.map(({ icon }) => icon ?? "");
  expect(listed).toEqual(["bold", "italic", "prev", "next", "", "", "", ""]);
});

test("the summary of a page contains the text and the aria-label of a control, because a map may name it by either", async () => {
  await stage.show(`<div role="button" tabindex="0" aria-label="Toggle menu"><b>Acme</b></div>
    <button aria-label="Save the order">Save</button><a href="/next" aria-label="Next">Next</a>`);
  const { dom_summary } = await stage.session.content();
  expect(dom_summary).toBe("Page\ndiv: Acme\ndiv: Toggle menu\nbutton: Save the order\na: Next");
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

test("the only button inside a component gets the icon that the component declares", async () => {
  await stage.show(
    `<x-button icon="play_arrow"></x-button><x-bar icon="star"></x-bar>
     <script>
       const define = (name, content) => customElements.define(name, class extends HTMLElement {
         connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = content; }
       });
       define("x-button", "<button style='width: 40px; height: 40px'></button><slot></slot>");
       define("x-bar", "<button>One</button><button style='width: 40px; height: 40px'></button>");
     </script>`,
  );
  const { highlightedElements } = await stage.analyze({});
  expect(highlightedElements.map(({ icon, textContent }) => icon ?? textContent ?? "")).toEqual([
    ...["play arrow", "One", ""],
  ]);
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

test("a field without a name in a table has the header of its column as context, also if a row of filters follows the headers", async () => {
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

test("a label that contains only an icon names its radio button by `aria-label`", async () => {
  const data = await stage.show(
    `<label aria-label="Comfortable density"><input type="radio" value="comfortable"><svg width="24" height="24"></svg></label>
     <input type="radio" id="dense" value="dense"><label for="dense" aria-label="Dense rows"><i class="icon-rows"></i></label>`,
  );
  expect(names(data)).toEqual(["Comfortable density", "Dense rows"]);
});

test("a tooltip attribute that contains an id does not name its element, which is named by its icon", async () => {
  const { clickableElementsString } = await stage.show(
    `<button data-tooltip="QXXNiBziThdXboU-EBACR"><i data-icon="check"></i></button>
     <button data-tip="0b2f7a8e-2f0c-4f6e-9d0e-5b1d7f3f1c11"><i data-icon="search"></i></button>
     <button data-tooltip="Save and stay"><i data-icon="check"></i></button>`,
  );
  expect(clickableElementsString).toContain(`<button icon="check"></button>`);
  expect(clickableElementsString).toContain(`<button icon="search"></button>`);
  expect(clickableElementsString).toContain("Save and stay");
  expect(clickableElementsString).not.toContain("QXXN");
});

test("an icon is named by the attribute of its component, as in Clarity and Angular Material", async () => {
  const { clickableElementsString } = await stage.show(
    `<button><clr-icon shape="two-way-arrows left"></clr-icon></button>
     <button><mat-icon svgicon="trash"></mat-icon></button>`,
  );
  expect(clickableElementsString).toContain('icon="two way arrows left"');
  expect(clickableElementsString).toContain('icon="trash"');
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

test("radio buttons without any text around them show their values", async () => {
  const { clickableElementsString: lines } = await stage.show(
    `<form><div><input type="radio" name="pattern" value="waves"></div><div><input type="radio" name="pattern" value="stars"></div>
     <p><input type="radio" name="pay" value="1"> Card <input type="radio" name="pay" value="2"> Bill</p></form>`,
  );
  expect(lines.replace(/<\/\w+>|\[\d+\]/g, "").split("\n")).toEqual([
    '<input type="radio" value="waves">pattern',
    '<input type="radio" value="stars">pattern',
    '<input type="radio" in="Card">pay',
    '<input type="radio" in="Bill">pay',
  ]);
});

test("the options of a closed list are not part of the name of the combobox around the list", async () => {
  const { clickableElementsString: lines } = await stage.show(
    `<div role="combobox" aria-haspopup="true" aria-expanded="false" style="border: 1px solid"><div><select
       hidden multiple><option>Submitted</option><option>Accepted</option></select><input type="search" role="textbox"
       aria-label="States"></div><div style="display: none"><div role="listbox"><div role="option">Submitted</div></div></div></div>`,
  );
  expect(lines).toContain('role="combobox"');
  expect(lines).not.toContain("Submitted");
});

test("a menu in a row that is a details element has the words of the row as context", async () => {
  const row = (title: string) => `<tr><td><a href="/${title}">${title}</a></td>
    <td><details><summary>accepted</summary><a href="/${title}/reject">reject</a></details></td></tr>`;
  await stage.show(`<table><tr><th>Title</th><th>State</th></tr>${row("Tides")}${row("Knots")}</table>`);
  const { clickableElementsString: lines } = await stage.analyze({ query: "accepted" });
  expect(lines).toMatch(/<summary in="Tides[^"]*">accepted.*\n.*<summary in="Knots[^"]*">accepted/);
});

test("transparent text of a folded box is no part of the name or the context of an element", async () => {
  const folded = `<div style="max-height: 0; opacity: 0; overflow: hidden"><p>Showing a fix</p><b>Keep change</b></div>`;
  const row = (text: string) => `<li><p>${text}</p>${folded}<button>Run</button></li>`;
  const { clickableElementsString: lines } = await stage.show(
    `<div tabindex="0" onclick="1">Card${folded}</div><ul>${row("First cell")}${row("Second cell")}</ul>`,
  );
  expect(lines).toContain(">Card</div>");
  expect(lines).toContain(`<button in="Second cell">Run</button>`);
  expect(lines).not.toMatch(/Showing|Keep/);
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

test("a swatch without a name has its colour, if another swatch beside it has another colour", async () => {
  const style = (colour: string) => `style="background: ${colour}; width: 24px; height: 24px"`;
  const listed = await lines(
    `<p><button ${style("#d9e3f0")}></button><button ${style("teal")}></button></p>
     <p><span><button data-color="Crimson" ${style("crimson")}></button></span></p>
     <p><span><button><i ${style("#010203")}></i></button></span><span><button><i ${style("#040506")}></i></button></span></p>
     <p><button ${style("#0a0b0c")}></button><button>Save</button></p>`,
  );
  for (const colour of ["#d9e3f0", "teal", "crimson", "#010203", "#040506"])
    expect(listed).toContain(`<button icon="${colour}"></button>`);
  expect(listed).not.toContain("#0a0b0c");
});
