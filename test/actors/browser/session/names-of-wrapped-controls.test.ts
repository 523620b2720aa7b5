/** Tests controls that components wrap: tabs in tabs, disabled buttons in tooltips, and fields with equal captions. */
import { expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";

const stage = await stageOfTests({ evaluate: false });

test("a tab that a component puts into another tab is listed once, and so is the tab's close button", async () => {
  // Returns a tab as in rc-dock (used by pgAdmin): a tab in a tab. Either only the outer or only the inner one takes
  // the focus.
  const tab = (name: string, [outer, inner]: readonly string[]) =>
    `<div role="tab" aria-selected="false" ${outer}><div role="tab" aria-selected="false" ${inner}>
     <div class="words" title="${name}">${name}<button aria-label="Close"><svg width="9" height="9"></svg></button></div></div></div>`;
  for (const focus of [
    ['tabindex="0" id="kept"', ""],
    ["", 'tabindex="0" id="kept"'],
  ]) {
    const { highlightedElements } = await stage.show(
      `<div role="tablist" id="list">${tab("Dashboard", focus)}${tab("SQL", focus)}</div>
       <script>for (const one of [list, ...document.querySelectorAll(".words")]) one.addEventListener("mousedown", () => {})</script>`,
    );
    expect(highlightedElements.map((element) => nameOf(element))).toEqual([
      ...["Dashboard", "Close"],
      ...["SQL", "Close"],
    ]);
    expect(highlightedElements[0]?.attributes.id).toBe("kept");
  }
});

test("a disabled button has the name of the tooltip around it", async () => {
  const { highlightedElements } = await stage.show(
    `<span aria-label="Schema Diff"><button disabled><svg class="MuiSvgIcon-root css-p8wh2g" width="16" height="16"></svg></button></span>
     <span title="Delete"><button disabled><i class="fa fa-trash"></i></button></span>
     <span aria-label="Toolbar"><button disabled>Undo</button></span>`,
  );
  expect(highlightedElements.map((element) => nameOf(element))).toEqual(["Schema Diff", "Delete", "Undo"]);
});

test("a link that shows only an icon has the tooltip of the box around it, and is listed without the box", async () => {
  // The first link is written as in Bugsink (its box has a click listener), the second as in Kallithea (its box only has
  // a tooltip).
  const { highlightedElements } = await stage.show(
    `<div title="Project settings" onclick="this.querySelector('a').click()" style="cursor:pointer;padding:8px">
       <a href="/projects/1/edit/"><svg width="24" height="24"><path d="M0 0h9"/></svg></a></div>
     <span title="Add New File"><a href="/files/add"><i class="icon-plus-circled" style="display:inline-block;width:16px;height:16px;background:#333"></i></a></span>
     <div title="Files"><a href="/files/1"><svg width="24" height="24"><path d="M0 0h9"/></svg></a> 2 files</div>`,
  );
  expect(highlightedElements.map((element) => nameOf(element))).toEqual([
    "Project settings",
    "Add New File",
    "",
  ]);
  expect(highlightedElements.map(({ tagName }) => tagName)).toEqual(["a", "a", "a"]);
});

test("an icon is not named by classes that a style library has generated", async () => {
  const { highlightedElements } = await stage.show(
    `<button><svg class="css-8mmkcg" width="16" height="16"><path d="M0 0h9"/></svg></button>
     <button><svg class="MuiSvgIcon-root css-p8wh2g" width="16" height="16"><path d="M0 0h9"/></svg></button>`,
  );
  expect(highlightedElements.map(({ icon }) => icon)).toEqual([undefined, undefined]);
});

test("fields with the same placeholder and the same unit have the words of their rows as context", async () => {
  const row = (name: string) =>
    `<tr><th>${name}</th><td>20</td><td><div><input type="number" placeholder="off"><span>°C</span></div></td></tr>`;
  const { highlightedElements } = await stage.show(`<table>${row("Tool")}${row("Bed")}</table>`);
  expect(highlightedElements.map(({ around }) => around)).toEqual(["Tool 20 °C", "Bed 20 °C"]);
});

test.if(isFull)("a selector and a text together find a cell that the snapshot does not list", async () => {
  await stage.show(
    `<div id="grid"><div class="cell">1.50</div><div class="cell">3.00</div></div>
     <script>grid.ondblclick = (event) => did.push(event.target.textContent)</script>`,
  );
  const params = { selector: ".cell", text: "3.00" };
  expect(await stage.act("double_click", params)).toMatchObject({ success: true });
  expect(await stage.run("did.join()")).toBe("3.00");
  expect((await stage.act("double_click", { selector: ".cell", text: "3" })).data.code).toBe(
    "element_not_found",
  );
});

test("a label without a text names the drawn switch in it by its tooltip", async () => {
  const { highlightedElements } = await stage.show(
    `<label class="switch" title="DAG is paused"><input type="checkbox" class="gone"><span class="track" aria-hidden="true"></span></label>
     <label title="Help">News <input type="checkbox"></label>`,
    `<style>.gone { opacity: 0; position: absolute } .track { display: inline-block; width: 40px; height: 20px; background: red }</style>`,
  );
  expect(highlightedElements.map((one) => nameOf(one))).toEqual(["DAG is paused", "News"]);
});
