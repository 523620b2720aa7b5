/**
 * Tests that nested boxes of one control are listed only once, and decoration is not listed. A box with an
 * effect of its own is listed.
 */
import { expect, test } from "bun:test";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called, names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

/** Returns the lines of the elements on a page, without indices, ids and sizes. */
const lines = async (body: string, head = ""): Promise<readonly string[]> =>
  (await stage.show(body, head)).clickableElementsString
    .split("\n")
    .map((line) => line.replace(/^\[\d+\]| (?:id|size)="[^"]*"/g, ""));

const HEARS =
  "<script>for (const one of document.querySelectorAll('[hears]')) one.addEventListener('click', () => {})</script>";

test("the control inside a component is listed, and the wrappers with click listeners around it are not", async () => {
  const listed = await lines(
    `<x-button>Save</x-button><x-icon aria-label="New folder" tabindex="0"></x-icon><x-check>I agree</x-check>
     <x-select></x-select><div hears class="p"><button>More</button></div>
     <div class="p" tabindex="0" aria-label="Card"><button>Open</button></div>
     <div class="p" hears>Ann <button>Call</button></div>
     <script>const made = (name, html, more = () => {}) => customElements.define(name, class extends HTMLElement {
       constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = html;
         this.style.cursor = "pointer"; this.addEventListener("click", () => {}); more(this); } });
       made("x-button", "<button><span><slot></slot></span></button>");
       made("x-icon", "<button aria-label='New folder'>+</button>");
       made("x-check", "<label><slot></slot><input type=checkbox></label>", (host) => {
         host.role = "checkbox"; host.ariaChecked = "false"; });
       made("x-select", "<label style='cursor: pointer'>Fruit<button aria-haspopup=dialog aria-label=Fruit></button><b>Banana</b></label>");
     </script>${HEARS}`,
    "<style>.p { cursor: pointer }</style>",
  );
  expect(listed).toEqual([
    "<button>Save</button>",
    "<button>New folder</button>",
    `<input type="checkbox">I agree</input>`,
    expect.stringContaining(`<button haspopup="dialog">`),
    "<button>More</button>",
    "<div>Open</div>",
    "<button>Open</button>",
    "<div>Ann Call</div>",
    "<button>Call</button>",
  ]);
});

test("if a script has put a button as the only content into a button or link, only one of the two is listed", async () => {
  const nested = await lines(`<div id="box"></div><script>
    const nest = (...tags) => tags.reduceRight((inner, [tag, attributes, text]) => {
      const one = Object.assign(document.createElement(tag), attributes);
      one.append(inner ?? text);
      return one }, undefined);
    const button = (attributes = {}, text = "") => ["button", attributes, text];
    box.append(nest(button(), button({}, "Generate")), " ",
      nest(button(), button({ ariaExpanded: "false", ariaHasPopup: "dialog" }), button({}, "More…")), " ",
      nest(["a", { href: "/new" }], button({}, "New order")), " ",
      nest(["a", { href: "/new", style: "display: block; width: 400px; height: 300px" }], button({}, "Add to cart")), " ",
      nest(button({ ariaExpanded: "false" }), button({ ariaPressed: "false" }, "Bold")));
    </script>`);
  expect(nested).toEqual([
    "<button>Generate</button>",
    `<button collapsed haspopup="dialog">More…</button>`,
    "<a>New order</a>",
    "<a>Add to cart</a>",
    "<button>Add to cart</button>",
    "<button collapsed>Bold</button>",
    "<button unchecked>Bold</button>",
  ]);
});

test("a row with a click listener is listed beside its controls if a style sheet shows a pointer over it", async () => {
  const row = (name: string, kind: string) =>
    `<tr hears class="${kind}"><td class="cell"><button role="checkbox" aria-checked="false"></button></td><td class="cell">${name}</td></tr>`;
  const listed = await lines(
    `<table><tbody>${row("Article 1", "table-row clickable")}${row("Article 2", "table-row")}</tbody></table>
     <table><tbody>${row("Order 1", "order")}</tbody></table>
     <ul><li hears class="message">Hello <button>Reply</button></li></ul>${HEARS}`,
    `<style>.table-row.clickable:not(.subdued):hover .cell { cursor: pointer }
       @media (min-width: 1px) { tr.order:hover { cursor: pointer } .message:hover { cursor: default } }</style>`,
  );
  const box = (name: string) => `<button role="checkbox" unchecked in="${name}"></button>`;
  expect(listed).toEqual([
    ...["<tr>Article 1</tr>", `<button role="checkbox" unchecked></button>`, box("Article 2")],
    ...["<tr>Order 1</tr>", `<button role="checkbox" unchecked></button>`, "<button>Reply</button>"],
  ]);
});

test("a row with a click listener is not listed while its style rule with a pointer does not apply, and is listed once it applies", async () => {
  const hover = "tr:hover { cursor: pointer }";
  const listed = await lines(
    `<table><tr hears><td>Order 1 <button>Edit</button></td></tr></table>${HEARS}
     <script>var sheet = new CSSStyleSheet(); sheet.replaceSync("td { color: red }"); document.adoptedStyleSheets = [sheet]</script>`,
    `<style>@media print { ${hover} } @media (max-width: 100px) { @media screen { ${hover} } }</style>
     <style media="print">${hover}</style><style id="off">${hover}</style><script>off.sheet.disabled = true</script>`,
  );
  expect(listed).toEqual(["<button>Edit</button>"]);
  await stage.run(`sheet.replaceSync("${hover}"); document.querySelector("table").append("")`);
  expect((await stage.analyze()).clickableElementsString).toContain("<tr>Order 1 Edit</tr>");
});

test("a row with a click listener is listed if a nested style rule, or a rule with `:has`, shows a pointer for it", async () => {
  const row = (name: string) => `<tr hears class="${name}"><td>${name} <button>Edit</button></td></tr>`;
  const listed = await lines(
    `<table>${["first", "second", "third", "fourth", "fifth"].map(row).join("")}</table>${HEARS}`,
    `<style>table { tr.first:hover { cursor: pointer } }
       tr.second { color: black; &:hover { @media (min-width: 1px) { cursor: pointer } } }
       tr.third:hover { & td { cursor: pointer } }
       tr.fourth:has(td:hover) { cursor: pointer }
       ul { tr.fifth:hover { cursor: pointer } }</style>`,
  );
  expect(listed.filter((line) => line.startsWith("<tr>"))).toEqual(
    ["first", "second", "third", "fourth"].map((name) => `<tr>${name} Edit</tr>`),
  );
});

test("of two nested controls with the same name, the one with a state (such as selected) is listed, or both if their states differ", async () => {
  const listed = await lines(
    `<div role="button" tabindex="0"><a role="button" tabindex="0">Select all</a></div>
     <li role="tab" tabindex="0" aria-selected="true"><a href="#one" role="presentation">One</a></li>
     <div role="listbox"><div draggable="true"><button role="option">Paragraph</button></div></div>
     <div draggable="true"><a href="/x">Link</a></div>
     <div role="switch" tabindex="0" aria-checked="true" aria-label="Wifi"><input type="checkbox" tabindex="-1" checked></div>
     <div role="checkbox" tabindex="0" aria-checked="true">Terms<input type="checkbox" aria-label="Terms"></div>`,
  );
  expect(listed).toEqual([
    `<a role="button">Select all</a>`,
    `<li role="tab" selected>One</li>`,
    `<button role="option">Paragraph</button>`,
    `<div>Link</div>`,
    "<a>Link</a>",
    `<div role="switch" checked>Wifi</div>`,
    `<div role="checkbox" checked>Terms</div>`,
    `<input type="checkbox">Terms</input>`,
  ]);
});

test("a checkbox of a component is listed once, without the field and the button by which it draws its tick", async () => {
  const tick =
    "<input type=checkbox tabindex=-1 style='position: absolute; opacity: 0'><button style='width: 20px; height: 20px'></button>";
  const box = (more = "") =>
    `<x-box role="checkbox" aria-checked="false" tabindex="0"><template shadowrootmode="open"><label>${tick}Crane</label>${more}</template></x-box>`;
  expect(await lines(box())).toEqual([`<x-box role="checkbox" unchecked>Crane</x-box>`]);
  expect(await lines(box("<button>Why?</button>"))).toContain("<button>Why?</button>");
});

test("a component that only draws the label of a field is not listed, even if it has a listener", async () => {
  const component = (content: string) =>
    `<x-label hears><template shadowrootmode="open"><style></style><label>${content}</label></template>Title</x-label>${HEARS}`;
  expect(await lines(`${component("<slot></slot>")}<input id="t" aria-label="Title">`)).toEqual([
    "<input>Title</input>",
  ]);
  const withField = await lines(component("<slot></slot><input type=checkbox>"));
  expect(withField).toContain(`<input type="checkbox">Title</input>`);
});

test("a custom element with a label in its shadow root is listed if it can receive the focus", async () => {
  const chip = `<x-chip hears tabindex="0"><template shadowrootmode="open"><label><slot></slot></label></template>Red</x-chip>`;
  expect((await lines(chip + HEARS)).join()).toContain("Red");
});

test("a custom element with a label in its shadow root is listed if it reacts to clicks and has no field for the label", async () => {
  const chip = (name: string, more = "") =>
    `<x-chip hears ${more}><template shadowrootmode="open"><label><slot></slot></label></template>${name}</x-chip>`;
  const listed = await lines(
    `<div>${chip("Red")} ${chip("Blue")}</div><p>${chip("Size", "for=x")}</p>${HEARS}`,
  );
  expect(listed).toEqual(["<x-chip>Red</x-chip>", "<x-chip>Blue</x-chip>"]);
});

test.if(isFull)(
  "a nameless icon in a checkbox is listed as an element of its own, because it may be a trash bin that deletes the entry",
  async () => {
    const bin = `<svg hears width="16" height="16"><path d="M3 6h18M8 6V4h8v2M6 6l1 14h10l1-14" stroke="red"/></svg>`;
    const box = (more: string) =>
      `<div role="checkbox" aria-checked="false" tabindex="0" style="padding: 9px">Crane ${more}</div>`;
    expect(await lines(box(bin) + HEARS)).toHaveLength(2);
    expect(
      await lines(
        box(
          `<i hears class="fa fa-trash-square" style="display: inline-block; width: 16px; height: 16px; background: red"></i>`,
        ) + HEARS,
      ),
    ).toHaveLength(2);
  },
);

test("icons in a checkbox are listed if they have a function of their own, such as a trash icon, but the icon of its tick is not listed", async () => {
  const icon = (name: string) =>
    `<i hears class="fa fa-${name}" style="display: inline-block; width: 16px; height: 16px; background: red"></i>`;
  const box = `<div role="checkbox" aria-checked="false" tabindex="0" style="padding: 9px">${icon("check")} Crane ${icon("trash")} ${icon("pencil")}</div>`;
  const listed = (await lines(box + HEARS)).join();
  expect(listed).toContain('icon="trash"');
  expect(listed).toContain('icon="pencil"');
  expect(listed).not.toContain('icon="check"');
});

test("labels, lines, overlays and decorative images are not listed, even if they have listeners", async () => {
  const listed = await lines(
    `<label for="f" hears>Zip</label><input id="f"><label for="b" hears>Send</label><button id="b" hidden></button>
     <ul role="menu"><li role="menuitem" tabindex="0">Open</li><li role="presentation" tabindex="0" class="line"></li>
       <li role="separator" hears class="line"></li></ul>
     <div role="separator" tabindex="0" aria-valuenow="5" class="line"></div>
     <span role="presentation" hears><svg width="16" height="16"><path d="M0 0h9" stroke="red"/></svg></span>
     <div role="slider" tabindex="0" aria-valuenow="5" aria-label="Volume" style="position: relative; width: 90px; height: 40px">
       <i hears style="position: absolute; inset: 0; background: red"></i><i hears style="display: block; width: 30px; height: 30px"></i></div>
     <div role="button" tabindex="0">Ann<i hears style="display: inline-block; width: 16px; height: 16px; background: red"></i></div>
     <canvas aria-hidden="true"></canvas><div aria-hidden="true"><canvas></canvas></div><canvas aria-hidden="true" hears></canvas>
     <div style="position: relative; width: 300px; height: 60px"><pre style="cursor: text">let a</pre>
       <textarea style="position: absolute; width: 1px; height: 1px; border: 0; padding: 0"></textarea><canvas width="9" height="9"></canvas></div>${HEARS}`,
    "<style>.line { height: 30px; border-top: 1px solid; display: block }</style>",
  );
  expect(listed.map((line) => line.replace(/ icon=".*?"/, ""))).toEqual([
    "<input>Zip</input>",
    "<label>Send</label>",
    `<li role="menuitem">Open</li>`,
    `<div role="separator"></div>`,
    "<span></span>",
    `<div role="slider" value="5">Volume</div>`,
    `<div role="button">Ann</div>`,
    "<i></i>",
    "<canvas></canvas>",
    "<pre editable>let a</pre>",
  ]);
});

test("SVG shapes with click listeners are listed, and so is a larger clickable area around them", async () => {
  const listed = await lines(
    `<svg width="400" height="100"><g hears id="n"><rect hears x="40" y="30" width="120" height="30" fill="#abc"/><text x="60" y="50">inject</text>
       <rect hears x="152" y="36" width="10" height="12" fill="#abc"/><rect hears x="40" y="36" width="10" height="12" fill="none"/></g></svg>
     <svg width="500" height="300"><g hears id="ground"><rect width="500" height="300" fill="#eee"/><g hears><rect width="80" height="30"/><text y="20">node</text></g></g></svg>
     <div hears id="board" style="position: relative; height: 200px"><div hears style="position: absolute; left: 9px; width: 90px">Note</div></div>
     <ul hears id="list" style="height: 200px"><li><a href="/one">One</a></li><li><a href="/two">Two</a></li></ul>${HEARS}`,
  );
  expect(listed).toEqual([
    "<g>inject</g>",
    "<rect></rect>",
    "<g></g>",
    "<g>node</g>",
    "<div></div>",
    "<div>Note</div>",
    "<a>One</a>",
    "<a>Two</a>",
  ]);
});

test("each part of a composite widget with roving focus or a common listener is listed", async () => {
  const data = await stage.show(
    `<div id="all" tabindex="0"><ul><li class="i"><span tabindex="0" role="button">sub</span> <i>now</i></li>
       <li class="i"><span tabindex="-1">data.csv</span> <i>then</i></li><li class="i"><span tabindex="-1">a.txt</span></li></ul></div>
     <div id="grid"><div class="e" tabindex="-1" aria-label="grin"><b>☺</b></div><div class="e" tabindex="-1" aria-label="wink"></div></div>
     <div class="s" tabindex="-1">Alone</div><div class="s" tabindex="-1">With another</div>
     <div hears><h2 tabindex="-1">Title</h2><h2 tabindex="-1">Title</h2><p tabindex="-1">One</p><div tabindex="-1">Other</div></div>
     <script>all.ondblclick = ({ target }) => did.push(target.textContent); grid.onclick = ({ target }) => did.push(target.closest(".e").ariaLabel)</script>${HEARS}`,
    "<style>.e { width: 30px; height: 30px }</style>",
  );
  expect(names(data)).toEqual(["sub", "data.csv", "a.txt", "grin", "wink", expect.stringContaining("Title")]);
  await stage.act("double_click", { index: called(data, "data.csv").highlight_index });
  await stage.act("click", { index: called(data, "wink").highlight_index });
  expect(await stage.run("did.join()")).toBe("data.csv,wink");
});

test("a control that is reached by arrow keys (roving focus) is listed, even if it is nested in a cell of its row", async () => {
  const row = (name: string, focus: string) =>
    `<li class="row"><span class="cell"><i class="icon"></i><span class="name" ${focus}><span>${name}</span></span></span>
       <span class="time">1m ago</span></li>`;
  const data = await stage.show(
    `<div id="files" tabindex="-1"><ul>${row("archive", 'tabindex="0" role="button"')}${row("cities.csv", 'tabindex="-1"')}${row("a.txt", 'tabindex="-1"')}</ul></div>
     <script>files.addEventListener("dblclick", ({ target }) => did.push(target.textContent))</script>`,
  );
  expect(names(data)).toEqual(["archive", "cities.csv", "a.txt"]);
  await stage.act("double_click", { index: called(data, "cities.csv").highlight_index });
  expect(await stage.run("did.join()")).toBe("cities.csv");
});

test("a control that is reached by arrow keys (roving focus) is listed directly in the shadow root of a component that listens to clicks", async () => {
  const parts = (tag: string) =>
    `<${tag} class="tab" tabindex="0">One</${tag}><${tag} class="tab" tabindex="-1">Two</${tag}>`;
  const data = await stage.show(
    `<x-tabs hears><template shadowrootmode="open">${parts("div")}</template></x-tabs>
     <x-tabs hears><template shadowrootmode="open"><p>${parts("b").replace("</b>", "</b></p><p>")}</p></template></x-tabs>${HEARS}`,
  );
  expect(names(data)).toEqual(["One", "Two", "One", "Two"]);
});

test("an icon with a click listener inside of a control without text is listed once, with the control", async () => {
  const listed = await lines(
    `<a href="/files" class="box"><span data-icon="folder" role="button" tabindex="0" class="icon"></span></a>
     <button class="box"><i data-lucide="trash" hears class="icon"></i></button>
     <button class="box">Search <i data-lucide="search" hears class="icon"></i></button>
     <div role="button" tabindex="0" class="row"><i data-lucide="star" role="button" tabindex="0" class="icon"></i></div>
     ${HEARS}`,
    `<style>.box { display: inline-block; width: 48px; height: 48px } .icon { display: inline-block; width: 16px; height: 16px; background: red }
      .row { width: 400px; height: 60px }</style>`,
  );
  expect(listed.filter((line) => line.includes("folder"))).toEqual([`<a href="/files" icon="folder"></a>`]);
  expect(listed.filter((line) => line.includes("trash"))).toEqual([`<button icon="trash"></button>`]);
  expect(listed.filter((line) => line.includes("Search"))).toHaveLength(1);
  // The row is much larger than its icon `star`, so the icon is listed in addition to the row.
  expect(listed.filter((line) => line.includes("star")).length).toBeGreaterThan(0);
});

test("a button and the only link in it are listed as one element if their texts are equal, whatever label (aria-label) the button has", async () => {
  const listed = await lines(
    `<div role="button" tabindex="0" aria-label="Toggle the menu"><a href="/"><img alt="Logo"> Homebridge</a></div>
     <li role="button" tabindex="0" aria-label="Account menu"><a href="#">Ann</a></li>
     <div role="button" tabindex="0" aria-label="Menu" aria-expanded="false"><a href="/b">Files</a></div>`,
  );
  expect(listed.filter((line) => line.includes("Homebridge"))).toEqual([`<a>Logo Homebridge</a>`]);
  expect(listed.filter((line) => line.includes("Ann"))).toEqual(["<a>Ann</a>"]);
  expect(listed.filter((line) => line.includes("Files"))).toHaveLength(2);
});

test("a box that only enlarges the clickable area of its checkbox is not listed, unless the box has a name or a drawing", async () => {
  const row = (box: string, inner = "") =>
    `<p>Order <span style="display: inline-block; padding: 16px; cursor: pointer" ${box}><input type="checkbox">${inner}</span></p>`;
  expect(
    await lines(`${row('onclick="tick(this)"')}${row("hears")}${row('onclick="open(this)" title="More"')}
      ${row('onclick="open(this)"', '<svg width="12" height="12"><path d="M0 0h12v12H0z"/></svg>')}${HEARS}`),
  ).toEqual([
    expect.stringContaining('<input type="checkbox"'),
    expect.stringContaining('<input type="checkbox"'),
    expect.stringContaining("<span"),
    expect.stringContaining('<input type="checkbox"'),
    expect.stringContaining("<span"),
    expect.stringContaining('<input type="checkbox"'),
  ]);
});

// In the side bar of Home Assistant, each link contains an item element of Polymer. The link and the item
// element have the same role (`option`).
test("a link that contains an item element with the same role is listed once, is not marked as covered, and a click opens its page", async () => {
  const item = (name: string): string =>
    `<a role="option" href="#${name}" style="display: block"><x-item role="option" tabindex="0"
       style="display: block; cursor: pointer; padding: 8px"><span>${name}</span></x-item></a>`;
  expect(await lines(`<div role="listbox">${item("Map")}${item("History")}</div>`)).toEqual([
    `<a role="option">Map</a>`,
    `<a role="option">History</a>`,
  ]);
  expect((await stage.act("click", { role: "option", name: "History" })).success).toBe(true);
  expect(await stage.run("location.hash")).toBe("#History");
});
