/**
 * Tests that Chromium computes no layout of a page without a viewer, except when a script measures something.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import type { JobRenderer } from "../../../../actors/browser/index.ts";
import { html, type ScriptedSite, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { documentOf, linksOf, testBrowser } from "../test-browser.ts";

const { browser, folder } = await testBrowser();
let site: ScriptedSite;
let job: JobRenderer;
const linksAt = async (path: string): Promise<readonly string[]> =>
  linksOf(documentOf(await job.render(site.url(path), { signal: new AbortController().signal })).text);
const script = (code: string) => `<script>${code}</script>`;

/**
 * Script with the function `tell`. It adds the result of a measurement to the page as a link, which the test
 * reads.
 */
const TELL = `const tell = (answer) => document.body.insertAdjacentHTML("beforeend", '<a href="/' + answer + '">x</a>');`;
const STYLED = `<style>
  body { margin: 0 }
  #box { width: 200px; height: 3000px; text-transform: uppercase }
  #box b { display: none }
  #fixed { position: fixed; top: 0; right: 0; width: 25%; height: 50% }
  img { width: 120px; height: 40px }
</style><div id="box">shown<b>hidden</b></div><div id="fixed"></div><img alt=""><input id="field">
<svg width="100" height="100"><rect id="rect" width="30" height="20" /></svg>`;

/** Scripts that measure the page, each with the result that a browser with a visible window returns. */
const QUESTIONS: Readonly<Record<string, readonly [code: string, answer: string]>> = {
  "the height of the page": ["document.documentElement.offsetHeight > 3000", "true"],
  "the scroll height of the page": ["document.scrollingElement.scrollHeight > 3000", "true"],
  "the position of an element": ["box.getBoundingClientRect().bottom", "3000"],
  "the width of an element": ["box.offsetWidth", "200"],
  "the width of an element that is fixed to the window": ["fixed.clientWidth * 4 === innerWidth", "true"],
  "the computed style of an element": [
    "parseFloat(getComputedStyle(fixed).height) * 2 === innerHeight",
    "true",
  ],
  "the visible text of an element": ["box.innerText", "SHOWN"],
  "the element at a point": ["document.elementFromPoint(5, 5).id", "box"],
  "the box of a range": [
    "(() => { const range = new Range(); range.selectNode(box); return range.getBoundingClientRect().width; })()",
    "200",
  ],
  "the width of an image": ["document.images[0].width", "120"],
  "the width of an SVG shape": ["rect.getBBox().width", "30"],
  "the scroll position after scrolling": ["(scrollTo(0, 500), scrollY)", "500"],
  "the focused element": ["(field.focus(), document.activeElement.id)", "field"],
  "the list of adopted style sheets": [
    "(() => { const { length } = document.adoptedStyleSheets; document.adoptedStyleSheets.push(new CSSStyleSheet()); " +
      "return length + '-' + document.adoptedStyleSheets.length; })()",
    "0-1",
  ],
  "the width of an iframe that was just added": [
    "(() => { const frame = document.createElement('iframe'); frame.width = 321; document.body.append(frame); " +
      "return frame.contentWindow.innerWidth; })()",
    "321",
  ],
  "platform functions, which look native to the page": [
    "(() => { const all = () => [Element.prototype.getBoundingClientRect, getComputedStyle, " +
      "Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetWidth').get]; const before = all(); " +
      "box.offsetWidth; return [...before, ...all()].every((each) => " +
      "/\\[native code\\]/.test(Function.prototype.toString.call(each)) && !('prototype' in each)); })()",
    "true",
  ],
  "a platform function that the page has replaced": [
    "(() => { const own = () => 7; Element.prototype.getClientRects = own; box.offsetWidth; " +
      "return box.getClientRects() + '-' + (Element.prototype.getClientRects === own); })()",
    "7-true",
  ],
  "the height of a page that has removed platform functions": [
    "(() => { Reflect.apply = Reflect.getOwnPropertyDescriptor = Object.defineProperty = undefined; Event = undefined; " +
      "EventTarget.prototype.dispatchEvent = undefined; Array.prototype[Symbol.iterator] = undefined; " +
      "return document.documentElement.getBoundingClientRect().height > 3000; })()",
    "true",
  ],
};

const inner = (code: string) => script(`parent.document.body.insertAdjacentHTML("beforeend", ${code})`);
const innerWidthLink = inner(`'<a href=&quot;/' + innerWidth + '&quot;>x</a>'`).replaceAll('"', "'");
const withPicture = (who: string, code: string) =>
  `<style>p { background: url(/pattern?of=${who}) }</style><p>x</p>${script(code)}`;

beforeAll(() => {
  job = browser.openJob();
  site = serveSite({
    ...Object.fromEntries(
      Object.values(QUESTIONS).map(([code], at) => [
        `/question-${at}`,
        html("Question", STYLED + script(`${TELL} tell(${code})`)),
      ]),
    ),
    "/later": html(
      "Later",
      STYLED + script(`${TELL} addEventListener("load", () => setTimeout(() => tell(box.offsetHeight), 20))`),
    ),
    "/framed": html("Framed", `<iframe width="321" srcdoc="${innerWidthLink}"></iframe>`),
    "/framed-in-shadow": html(
      "Framed in shadow",
      `<div id="host"></div>${script(`
        host.attachShadow({ mode: "open" }).innerHTML = "<iframe width=321 src=/inner></iframe>"`)}`,
    ),
    "/inner": html("Inner", innerWidthLink.replaceAll("&quot;", '\\"')),
    "/frames-alone": html(
      "Frames alone",
      withPicture(
        "frames",
        `${TELL}
        let frames = 0;
        const step = () => ++frames === 4 ? tell(document.visibilityState) : requestAnimationFrame(step);
        step()`,
      ),
    ),
    "/nobody-measures": html("Nobody measures", withPicture("nobody", "")),
    "/somebody-measures": html("Somebody measures", withPicture("somebody", "document.body.offsetWidth")),
    "/pattern": new Response("", { headers: { "content-type": "image/svg+xml" } }),
  });
});

afterAll(async () => {
  await browser.close();
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the layout of a page whose scripts measure it", () => {
  test.each(Object.entries(QUESTIONS).map(([name, [, answer]], at) => [name, at, answer] as const))(
    "gives the script the same value as in a visible window for %s",
    async (_, at, answer) => {
      expect(await linksAt(`/question-${at}`)).toEqual([`/${answer}`]);
    },
  );

  test("is computed for a script that measures long after the page has loaded", async () => {
    expect(await linksAt("/later")).toEqual(["/3000"]);
  });

  test.each(["/framed", "/framed-in-shadow"])(
    "gives a document in an iframe the width of the iframe (page %s)",
    async (path) => {
      expect(await linksAt(path)).toEqual(["/321"]);
    },
  );
});

test("Chromium computes no layout for a page whose scripts measure nothing, and a complete layout otherwise", async () => {
  // The page is loaded into a frame of another page, because Chromium computes a layout for the first
  // document of every new window.
  await linksAt("/inner");
  await linksAt("/nobody-measures");
  expect(await linksAt("/frames-alone")).toEqual(["/visible"]);
  await linksAt("/somebody-measures");
  expect(site.requests.filter((path) => path.startsWith("/pattern"))).toEqual(["/pattern?of=somebody"]);
});
