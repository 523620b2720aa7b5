/** Tests that a page is analysed again only if it has changed, for every kind of change. */
import { expect, test } from "bun:test";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";

const stage = await stageOfTests();

const BODY = `
  <style>.off { display: none } [data-gone] + div { visibility: hidden } .box { height: 60px; overflow: auto } .lid { display: none; position: fixed; inset: 0; background: #fff }</style>
  <h1>Still</h1><img id="image" alt=""><button id="first">First</button> <span id="plain">Plain</span>
  <label for="name">Name</label><input id="name"><input id="agree" type="checkbox" aria-label="Agree">
  <select id="pick" aria-label="Pick"><option>One<option>Two</select>
  <div class="box"><div style="height: 100px">Above</div><button id="inner">Inner</button></div>
  <div popover id="pop"><button>In the popover</button></div>
  <div id="host"></div><iframe srcdoc="<button id=framed>Framed</button>"></iframe><div class="lid" id="lid"></div>
  <div style="height: 3000px"></div><section style="content-visibility: auto"><div id="far"><button>Far</button></div>
  <div><button>Farther</button></div></section>
  <script>document.getElementById("host").attachShadow({ mode: "closed" }).innerHTML = "<button>Closed</button>";</script>`;

/** Scripts that change the page without an action of the session. */
const CHANGES: Readonly<Record<string, string>> = {
  "an attribute": `first.setAttribute("aria-label", "Other")`,
  "a text": `first.firstChild.data = "Other"`,
  "a rule of a style sheet": `document.styleSheets[0].insertRule("#first { display: none }", 0)`,
  "a rule by which an element covers the page": `document.styleSheets[0].insertRule(".lid { display: block !important }", 2)`,
  "a rule that makes an element clickable": `document.styleSheets[0].insertRule("#plain { cursor: pointer }", 0)`,
  "an adopted style sheet": `(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync("#first { visibility: hidden }");
    document.adoptedStyleSheets = [sheet]; })()`,
  "the value of a field": `void (document.getElementById("name").value = "Ada")`,
  "a checkbox that is checked": `void (agree.checked = true)`,
  "the selected option of a list": `void (pick.selectedIndex = 1)`,
  "the scroll position of a box": `void (document.querySelector(".box").scrollTop = 30)`,
  "the scroll position of the page": `document.body.style.height = "5000px"; scrollTo(0, 40)`,
  "an opened popover": `pop.showPopover()`,
  "an added event listener": `plain.addEventListener("click", () => {})`,
  "an element that is added in a frame": `document.querySelector("iframe").contentDocument.body.append(document.createElement("input"))`,
  "a style in a frame": `document.querySelector("iframe").contentDocument.styleSheets.length,
    (() => { const inner = document.querySelector("iframe").contentDocument; const sheet = new inner.defaultView.CSSStyleSheet();
    sheet.replaceSync("button { display: none }"); inner.adoptedStyleSheets = [sheet]; })()`,
  "a class in a part without layout": `void document.getElementById("far").classList.add("off")`,
  "a style rule that an attribute of a neighbour activates": `void (document.getElementById("far").dataset.gone = "")`,
  "an animation": `void first.animate([{ transform: "translateX(90px)" }, { transform: "translateX(90px)" }], 1e6)`,
  "an image that grows": `new Promise((done) => { const image = document.getElementById("image");
    image.onload = done; image.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='80' height='90'/>"; })`,
  "the title of the page": `void (document.title = "Other")`,
  "the address of the page": `history.pushState({}, "", "?other")`,
};

for (const [at, [what, change]] of Object.entries(CHANGES).entries()) {
  // The fast tier tests every second change.
  test.if(isFull || at % 2 === 0)(`a change of a page is in the next snapshot: ${what}`, async () => {
    await stage.show(BODY);
    await stage.analyze();
    const before = await stage.analyze();
    expect(await stage.analyze()).toEqual(before);
    await stage.run(change);
    const after = await stage.analyze();
    expect(after.revision).toBe(before.revision + 1);
    const { revision: _, ...reported } = after;
    const { revision: __, ...then } = before;
    expect(reported).not.toEqual(then);
  });
}

test("a change in a closed shadow root is in the next snapshot", async () => {
  await stage.show(`<div id="host"></div><script>
    var root = document.getElementById("host").attachShadow({ mode: "closed" });
    root.innerHTML = "<button>Closed</button>";</script>`);
  await stage.analyze();
  const before = await stage.analyze();
  expect(before.totalElements).toBe(1);
  await stage.run(`root.firstChild.setAttribute("aria-label", "Other")`);
  expect((await stage.analyze()).highlightedElements[0]?.ariaLabel).toBe("Other");
});

test("a page that did not change has the same elements and an empty delta", async () => {
  await stage.show(BODY);
  await stage.analyze();
  const before = await stage.analyze();
  const again = await stage.analyze();
  expect(again.highlightedElements.every((element, at) => element === before.highlightedElements[at])).toBe(
    true,
  );
  const { delta } = await stage.analyze({ since_revision: before.revision });
  expect(delta).toEqual({ since_revision: before.revision, removed: [], added: [], segments_changed: false });
});

test("a change of a detached element is listed when the element is attached again", async () => {
  await stage.show(`<main><div id="box"><p>Text <button>One</button></p></div><a href="/x">Link</a></main>`);
  await stage.analyze();
  await stage.run(`(window.box = document.getElementById("box")).remove()`);
  expect((await stage.analyze()).totalElements).toBe(1);
  await stage.run(`{ const made = document.createElement("button"); made.textContent = "Two"; box.append(made);
    box.querySelector("button").firstChild.data = "Other"; }`);
  await stage.analyze();
  await stage.run(`document.querySelector("main").append(box)`);
  const { clickableElementsString } = await stage.analyze();
  expect(clickableElementsString.match(/(?<=>)\w+(?=<)/g)?.toSorted()).toEqual(["Link", "Other", "Two"]);
});
