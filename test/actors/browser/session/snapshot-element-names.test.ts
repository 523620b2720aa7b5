/** Tests which elements a snapshot lists, and their names, on pages that are built like those of component libraries. */
import { expect, test } from "bun:test";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called, names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests({ evaluate: false });

const lines = async (body: string, head = ""): Promise<string> =>
  (await stage.show(body, head)).clickableElementsString;

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

test("a switch is named by its label, not by the hidden words for its value", async () => {
  const words = (id: string) =>
    `<span></span><span id="${id}-on" aria-hidden="true">On</span><span id="${id}-off" aria-hidden="true">Off</span>`;
  const data = await stage.show(
    `<label for="mail">Email verified</label> <label for="mail"><input type="checkbox" id="mail" aria-labelledby="mail-off" aria-label="">${words("mail")}</label>
     <div>Login</div><label for="reg"><input type="checkbox" id="reg" aria-label="User registration">${words("reg")}</label>
     <input type="checkbox" id="dark" aria-label="Dark mode"><label for="dark">${words("dark")}</label>
     <label for="bare"><input type="checkbox" id="bare">${words("bare")}</label>`,
  );
  expect(names(data)).toEqual(["Email verified", "User registration", "Dark mode", "OnOff"]);
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

test("a label beside a hidden checkbox does not stand for it if both forms use the same id and a click changes the other form's checkbox", async () => {
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

test("a label names a field and not another, nearer element if both have the id to which the label refers", async () => {
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

test("the summary of a page contains the text and the aria-label of a control, because a map may name it by either", async () => {
  await stage.show(`<div role="button" tabindex="0" aria-label="Toggle menu"><b>Acme</b></div>
    <button aria-label="Save the order">Save</button><a href="/next" aria-label="Next">Next</a>`);
  const { dom_summary } = await stage.session.content();
  expect(dom_summary).toBe("Page\ndiv: Acme\ndiv: Toggle menu\nbutton: Save the order\na: Next");
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

test("a swatch without a name is named by its colour, if a swatch beside it has another colour", async () => {
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

test("a list is named by its label and not by its value, and a drawn radio button by its label or the text beside it", async () => {
  const data = await stage.show(
    `<label id="l">Audience</label><button aria-haspopup="listbox" aria-labelledby="v l"><span id="v">Everyone</span></button>
     <label id="a">Size</label><div role="combobox" tabindex="0" id="s" aria-haspopup="listbox" aria-labelledby="a s">Large</div>
     <div role="radiogroup" aria-label="Status"><div><button role="radio" aria-checked="false" id="r1"></button><label for="r1">Draft</label></div>
     <div><button role="radio" aria-checked="true"><svg width="9" height="9"></svg></button><span>Published</span></div></div>`,
  );
  expect(names(data)).toEqual(["Audience: Everyone", "Size: Large", "Draft", "Published"]);
});
