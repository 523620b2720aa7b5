/** Tests which controls of grids and application roots are listed, and how they are named by columns and rows. */
import { expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";

const stage = await stageOfTests({ evaluate: false });

test("fields and cells without a name in a grid without table tags have the header of their column", async () => {
  const style = `<style>.row, .heads { display: flex } .row > div, .heads > div { width: 120px; height: 24px; box-sizing: border-box }
    .canvas { position: relative; height: 60px } .line { position: absolute; width: 360px; height: 24px }
    .line > div { position: absolute; height: 24px; width: 118px; cursor: pointer }
    .left { left: 0 } .middle { left: 120px } .right { left: 240px }</style>`;
  const row = (name: string) =>
    `<div class="row"><div>${name}</div><div><input></div><div onclick="1"></div><div>7</div></div>`;
  const line = (at: number, name: string) =>
    `<div class="line" style="top: ${at * 24}px"><div class="left">${name}</div><div class="middle"></div><div class="right" tabindex="0"></div></div>`;
  const data = await stage.show(
    `<div><div class="heads"><div>Payee</div><div>Notes</div><div>Category</div><div>Amount</div></div>
       <div class="body"><div>${row("Ann")}${row("Bob")}</div></div></div>
     <section><div><div class="heads"><div class="l">Title</div><div class="m">Start</div><div class="r">Finish</div></div></div>
       <div style="display: none">Panel</div>
       <div class="view"><div class="canvas">${line(0, "Task 1")}${line(1, "Task 2")}</div></div></section>`,
    style,
  );
  const named = data.highlightedElements.map((element) => element.around ?? nameOf(element));
  expect(named).toEqual(
    expect.arrayContaining(["Notes: Ann 7", "Category: Ann 7", "Notes: Bob 7", "Category: Bob 7"]),
  );
  expect(named).toEqual(expect.arrayContaining(["Finish: Task 1", "Finish: Task 2"]));
});

test("a cell of a grid with ARIA roles gets the header of its column as context", async () => {
  const row = (name: string) =>
    `<div role="row"><div role="gridcell">${name}</div><div role="gridcell"><input></div></div>`;
  const data = await stage.show(
    `<div role="grid"><div role="row"><div role="columnheader">Name</div><div role="columnheader">Remark</div></div>
     ${row("Ann")}${row("Bob")}</div>`,
    "<style>[role=row] { display: flex } [role=row] > div { width: 200px }</style>",
  );
  expect(data.highlightedElements.map(({ around }) => around)).toEqual(["Remark: Ann", "Remark: Bob"]);
});

test("words above the cells of a grid do not name the cells if these words are not in a row of headers", async () => {
  const row = (name: string) => `<div class="row"><div>${name}</div><div><input></div><div>7</div></div>`;
  const data = await stage.show(
    `<div class="bar"><button>One</button><button>Two</button><input aria-label="Search"></div>
     <p>Some words</p><div>${row("Ann")}${row("Bob")}</div>`,
    "<style>.row, .bar { display: flex } .row > div, .bar > * { width: 120px }</style>",
  );
  expect(data.highlightedElements.flatMap(({ around }) => around ?? [])).toEqual(["Ann 7", "Bob 7"]);
});

test.if(isFull)(
  "the root of an application is no control, although scripts listen to all clicks in it",
  async () => {
    const listening = (body: string) =>
      `<noscript>No scripts</noscript><div id="app">${body}</div><div hidden>Later</div>
     <script>document.querySelector("#app").addEventListener("click", () => {})</script>`;
    for (const body of ["Loading", "<div><h1>Reports</h1><p>Nothing to see here.</p></div>"])
      expect((await stage.show(listening(body))).highlightedElements).toEqual([]);
    const { highlightedElements } = await stage.show(listening("<button>Reload</button>"));
    expect(highlightedElements.map((element) => nameOf(element))).toEqual(["Reload"]);
    const pointed = "<style>#app { cursor: pointer }</style>";
    expect((await stage.show(listening("Start"), pointed)).highlightedElements).toHaveLength(1);
  },
);

test("a checkbox that a script draws by an icon and a layer over it is one control, named by its row", async () => {
  // As in Vuetify 2, the box has the click listener, and the icon and the ripple in it have the pointer cursor.
  const row = (name: string) =>
    `<tr><td><div class="box"><div class="ripple"></div><i class="mdi mdi-checkbox-blank-outline" aria-hidden="true"></i></div></td><td>${name}</td><td>4</td></tr>`;
  const { highlightedElements } = await stage.show(
    `<table><tr><th></th><th>Name</th><th>Count</th></tr>${row("Ann")}${row("Bob")}</table>
     <script>for (const box of document.querySelectorAll(".box")) {
       box.addEventListener("click", () => did.push(box.closest("tr").innerText.trim().split(/\\s/)[0]));
       box.firstChild.addEventListener("mousedown", () => {}) }</script>`,
    `<style>.box { position: relative; width: 24px; height: 24px } .mdi { cursor: pointer; display: inline-block; width: 24px; height: 24px }
     .mdi::before { content: "\\f131" } .ripple { position: absolute; cursor: pointer; inset: -5px }</style>`,
  );
  expect(highlightedElements.map(({ around }) => around)).toEqual(["Ann 4", "Bob 4"]);
  await stage.act("click", { index: highlightedElements[1]?.highlight_index });
  expect(await stage.run("did.join()")).toBe("Bob");
});

test.if(isFull)(
  "stars beside each other in a box that listens to clicks are listed as several controls",
  async () => {
    const { highlightedElements } = await stage.show(
      `<div id="rating">${'<i class="fa fa-star"></i>'.repeat(3)}</div>
     <script>rating.addEventListener("click", () => {})</script>`,
      `<style>#rating { width: 80px } .fa { cursor: pointer; display: inline-block; width: 24px; height: 24px } .fa::before { content: "x" }</style>`,
    );
    expect(highlightedElements).toHaveLength(3);
  },
);

test("a field in a component that has the same role is listed once", async () => {
  const { highlightedElements } = await stage.show(
    `<div role="combobox" aria-haspopup="listbox" aria-expanded="false" tabindex="-1"><span>10</span>
     <input role="combobox" aria-label="Items per page" value="10"></div>`,
  );
  expect(highlightedElements.map((element) => nameOf(element))).toEqual(["Items per page"]);
});

test("a calendar that a script has put into the label of its field is no part of the field's name", async () => {
  const calendar = (style: string) =>
    `<div style="position: absolute; ${style}"><button>«</button><table><tr><td>1</td><td>2</td></tr></table></div>`;
  for (const style of ["display: none", "top: 60px"]) {
    const data = await stage.show(`<label>Born <input>${calendar(style)}</label>`);
    expect(nameOf(data.highlightedElements[0] ?? expect.unreachable())).toBe("Born");
  }
});
