/** Tests that the lines of elements contain their values and states. */
import { expect, test } from "bun:test";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests({ evaluate: false });

const reported = async (): Promise<readonly string[]> =>
  (await stage.analyze()).clickableElementsString
    .split("\n")
    .map((line) => line.replace(/^\*?\[\d+\]| (?:style|size)="[^"]*"/g, ""));

test("the text of a rich-text editor is listed as its value, next to the editor's name", async () => {
  const data = await stage.show(
    `<div contenteditable role="textbox" aria-label="Message"><p>Dear <b>A</b>nn,</p><p>see you.</p></div>
     <div contenteditable>Alone</div>
     <div contenteditable data-placeholder="Write here" style="height: 20px; width: 90px"></div>`,
  );
  expect(await reported()).toEqual([
    `<div role="textbox" value="Dear Ann, see you.">Message</div>`,
    "<div editable>Alone</div>",
    "<div editable>Write here</div>",
  ]);
  expect(data.highlightedElements.map(({ value }) => value)).toEqual(["Dear Ann,\nsee you.", "Alone", ""]);
  await stage.run(`document.querySelector("p").textContent = "Hello"`);
  expect((await reported())[0]).toContain(`value="Hello see you."`);
});

test("values of sliders, mixed checkboxes and the sort order of columns are listed", async () => {
  await stage.show(
    `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="91" aria-valuemin="0" aria-valuemax="95">.</div>
     <div role="slider" tabindex="0" aria-label="Speed" aria-valuenow="2" aria-valuetext="Slow">.</div>
     <div role="slider" tabindex="0" aria-label="Size" aria-valuenow="7">7</div>
     <div role="checkbox" tabindex="0" aria-checked="mixed">All</div><input type="checkbox" aria-label="Some" id="some">
     <table><tr><th aria-sort="ascending" id="head"><button>Name</button><button aria-label=""></button></th><th aria-sort="none"><button>Age</button></th></tr></table>
     <script>some.indeterminate = true</script>`,
  );
  expect(await reported()).toEqual([
    `<div role="slider" value="91" range="0..95">Volume</div>`,
    `<div role="slider" value="Slow">Speed</div>`,
    `<div role="slider">Size: 7</div>`,
    `<div role="checkbox" mixed>All</div>`,
    `<input type="checkbox" mixed>Some</input>`,
    `<button sorted="ascending">Name</button>`,
    "<button></button>",
    `<button>Age</button>`,
  ]);
  await stage.run(`head.ariaSort = "descending"; some.indeterminate = false`);
  const now = await reported();
  expect(now).toContain(`<button sorted="descending">Name</button>`);
  expect(now).toContain(`<input type="checkbox">Some</input>`);
});

test("a slider with a clipped input is marked as covered if a layer is over it, but its own track never counts as such a layer", async () => {
  const clipped = "clip: rect(0 0 0 0); margin: -1px; overflow: hidden; position: absolute;";
  const field = (name: string, style: string) =>
    `<input type="range" min="0" max="10" value="2" aria-label="${name}" style="${style}">`;
  const slider = (inner: string) =>
    `<div style="position: relative; width: 200px; height: 20px"><div style="position: absolute; width: 12px; height: 12px">${inner}</div></div>`;
  await stage.show(
    `${slider(`<div style="${clipped} width: 1px; height: 1px">${field("Level", "")}</div>`)}
     ${slider(field("Volume", `${clipped} width: 100%; height: 100%`))}
     <div id="over" hidden style="position: fixed; inset: 0; background: white"></div>`,
  );
  const lines = (state: string) => [
    `<input type="range" value="2" range="0..10"${state}>Level</input>`,
    `<input type="range" value="2" range="0..10"${state}>Volume</input>`,
  ];
  expect(await reported()).toEqual(lines(""));
  await stage.run("over.hidden = false");
  expect(await reported()).toEqual(lines(" covered"));
});

test("a transparent button is marked as covered if another element is over it, as in a closed menu", async () => {
  await stage.show(`<button onclick="">Actions</button>
    <ul style="position: absolute; top: 60px; z-index: -1; opacity: 0"><li><button onclick="">Delete</button></li></ul>
    <p style="position: absolute; top: 50px; width: 300px; height: 100px; background: white">Met at the fair.</p>`);
  expect(await reported()).toEqual(["<button>Actions</button>", "<button covered>Delete</button>"]);
});

test("a read-only field is marked, and typing into it is refused", async () => {
  const data = await stage.show(`<input aria-label="Key" value="k" readonly>`);
  expect(await reported()).toEqual([`<input value="k" readonly>Key</input>`]);
  const outcome = await stage.act("type", { index: called(data, "Key").highlight_index, text: "x" });
  expect(outcome).toMatchObject({ success: false, data: { code: "element_disabled" } });
  expect(!outcome.success && outcome.error).toContain("is read-only");
});

test("hovering over a disabled button opens its menu, but a click on the button is refused", async () => {
  // Menus of Bugsink open when the pointer rests on a disabled button, and so do tooltips of Material UI.
  const data = await stage.show(
    `<style>.menu ul { display: none } .menu:hover ul { display: block }</style>
     <div class="menu" style="width: 120px"><button disabled>Mute for</button><ul><li><button>1 day</button></li></ul></div>`,
  );
  const { highlight_index: index } = called(data, "Mute for");
  expect(await stage.act("hover", { index })).toMatchObject({ success: true });
  expect(await reported()).toContain("<button>1 day</button>");
  expect((await stage.act("click", { index })).data).toMatchObject({ code: "element_disabled" });
});

test("of several tabs, the one whose class differs from all others is marked as the current tab", async () => {
  await stage.show(
    `<ul><li class="active"><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul>
     <nav><a href="/3" class="tab">Three</a><a href="/4" class="tab is-active" id="four">Four</a></nav>
     <p><button class="selected">A</button><button class="selected">B</button><button class="inactive">C</button></p>
     <div role="tablist"><div role="tab" class="active" aria-selected="true">E</div><div role="tab" aria-selected="false">F</div></div>`,
  );
  const marked = async () => (await reported()).filter((line) => line.includes("current"));
  expect(await marked()).toEqual(["<a current>One</a>", "<a current>Four</a>"]);
  await stage.run(`four.className = "tab"; four.previousSibling.className = "tab tab--active"`);
  expect(await marked()).toEqual(["<a current>One</a>", "<a current>Three</a>"]);
});

test("elements that only show a symbol are named by their tooltips", async () => {
  await stage.show(
    `<a href="#" title="Top" style="display: inline-block; width: 20px; height: 20px; background: red"></a>
     <a href="#" style="display: inline-block; width: 30px; height: 30px; background: red"></a>
     <button title="Undo (Ctrl+Z)">↶</button><button title="Bold">B</button><button title="Of all">3</button><button title="Long">Save</button>
     <label for="b">Birthday</label><button id="b">Pick date</button>`,
  );
  expect(await reported()).toEqual([
    "<a>Top</a>",
    "<a></a>",
    "<button>Undo (Ctrl+Z)</button>",
    "<button>Bold</button>",
    "<button>Of all: 3</button>",
    "<button>Save</button>",
    "<button>Birthday: Pick date</button>",
  ]);
});
