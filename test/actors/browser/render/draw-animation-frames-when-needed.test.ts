/**
 * Tests pages that are rendered in a minimised window: Chromium draws no frames of them, except when a script of the
 * page requests one.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { browserLimits } from "../../../../actors/browser/browser-limits.ts";
import type { JobRenderer, RenderedDocument } from "../../../../actors/browser/index.ts";
import { html, type ScriptedSite, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { documentOf, linksOf, testBrowser } from "../test-browser.ts";

const { browser, folder } = await testBrowser();
let site: ScriptedSite;
let job: JobRenderer;
const shown = async (path: string): Promise<RenderedDocument> =>
  documentOf(await job.render(site.url(path), { signal: new AbortController().signal }));
const script = (code: string) => `<script>${code}</script>`;

beforeAll(() => {
  job = browser.openJob();
  site = serveSite({
    "/frame-by-frame": html(
      "Frame by frame",
      `<p>x</p>${script(`
        let at = 0;
        const step = () => {
          if (++at < 5) requestAnimationFrame(step);
          else document.body.innerHTML += '<a href="/fifth">fifth</a>';
        };
        setTimeout(() => requestAnimationFrame(step), 20)`)}`,
    ),
    "/slow-frames": html(
      "Slow frames",
      `<p>x</p>${script(`
        let at = 0;
        const step = () => {
          const from = performance.now();
          while (performance.now() - from < 60);
          if (++at < 6) requestAnimationFrame(step);
          else document.body.innerHTML += '<a href="/fifth">fifth</a>';
        };
        requestAnimationFrame(step)`)}`,
    ),
    "/in-sight": html(
      "In sight",
      `<ul id="list"></ul><div id="end"></div>${script(`
        let rows = 0;
        new IntersectionObserver(([{ isIntersecting }], sight) => {
          if (!isIntersecting || rows === 3) return;
          list.insertAdjacentHTML("beforeend", '<li><a href="/row-' + ++rows + '">row</a></li>');
          sight.unobserve(end);
          sight.observe(end);
        }).observe(end);
        const measured = document.createElement("div");
        measured.style.height = "10px";
        document.body.append(measured);
        new ResizeObserver(([{ contentRect }]) => {
          measured.insertAdjacentHTML("afterend", '<a href="/high-' + contentRect.height + '">high</a>');
        }).observe(measured)`)}`,
    ),
    "/if-seen": html(
      "If seen",
      script(`
        const shows = () => document.body.append(Object.assign(document.createElement("a"), { href: "/seen" }));
        if (document.visibilityState === "visible" && !document.hidden) shows();
        else document.addEventListener("visibilitychange", shows, { once: true })`),
    ),
    "/fades": html(
      "Fades",
      `<style>#fading { opacity: 0; transition: opacity 10ms } #fading.in { opacity: 1 }</style>
       <p id="fading">x</p>${script(`
        fading.addEventListener("transitionend", () => { fading.innerHTML = '<a href="/faded">faded</a>'; });
        setTimeout(() => { fading.className = "in"; }, 20)`)}`,
    ),
    "/fades-by-handler": html(
      "Fades by handler",
      `<style>#fading { opacity: 0; transition: opacity 10ms } #fading.in { opacity: 1 }</style>
       <p id="fading">x</p>${script(`
        fading.ontransitionend = () => { fading.innerHTML = '<a href="/faded">faded</a>'; };
        setTimeout(() => { fading.className = "in"; }, 20)`)}`,
    ),
    "/moves-by-handler": html(
      "Moves by handler",
      `<style>@keyframes move { to { left: 9px } } #moving { position: relative; animation: move 10ms }</style>
       <p id="moving">x</p>${script(`
        onanimationend = () => { moving.innerHTML = '<a href="/moved">moved</a>'; };`)}`,
    ),
    "/late-frame": html(
      "Late frame",
      '<p>x</p><iframe loading="lazy" src="/inner-page" onload="this.insertAdjacentHTML(`beforebegin`, \'<a href=&quot;/came&quot;>came</a>\')"></iframe>',
    ),
    "/not-drawn": html(
      "Not drawn",
      `<p id="state">Loading...</p>${script(`
        let turns = 0;
        const turn = () => {
          if (++turns < 8) setTimeout(turn, 10);
          else document.getElementById("state").outerHTML =
            '<a href="/turns-' + turns + "-painted-" + performance.getEntriesByType("paint").length + '">x</a>';
        };
        turn()`)}`,
    ),
    "/native": html(
      "Native",
      script(`
        const { get } = Object.getOwnPropertyDescriptor(Document.prototype, "hidden");
        const native = [requestAnimationFrame, IntersectionObserver, addEventListener, get]
          .every((each) => /\\[native code\\]/.test(Function.prototype.toString.call(each)));
        class Own extends IntersectionObserver {}
        const own = new Own(() => {});
        const works = own instanceof Own && own instanceof IntersectionObserver && own.observe(document.body) === undefined;
        document.body.innerHTML = '<a href="/' + [native, works].join("-") + '">x</a>'`),
    ),
    "/inner-page": html("Inner", "<p>y</p>"),
  });
});

afterAll(async () => {
  await browser.close();
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("a rendered page whose window is minimised", () => {
  test.each([
    ["a chain of requested frames", "/frame-by-frame", ["/fifth"]],
    ["a chain of frames that takes longer than the quiet time", "/slow-frames", ["/fifth"]],
    ["observers of intersections and sizes", "/in-sight", ["/row-1", "/row-2", "/row-3", "/high-10"]],
    ["content that is loaded when its place is visible", "/if-seen", ["/seen"]],
    ["content after a CSS transition", "/fades", ["/faded"]],
    ["an event handler of the end of a transition", "/fades-by-handler", ["/faded"]],
    ["a handler of the window for the end of an animation", "/moves-by-handler", ["/moved"]],
    ["iframes that are added later", "/late-frame", ["/came"]],
  ])("draws animation frames if a script needs them for %s", async (_, path, expected) => {
    // Each page is opened twice: first in a new window, and then in a window that is open already.
    for (let time = 1; time <= 2; time++)
      expect(linksOf((await shown(path)).text)).toEqual(expect.arrayContaining(expected));
  });

  test.if(isFull)("is never drawn if it requests no animation frame, but its timers run", async () => {
    await shown("/frame-by-frame");
    // Cairn reuses windows, and a window may still draw a frame that an earlier page has requested. First,
    // enough pages are opened to use every window once.
    for (let time = 1; time <= 2 * browserLimits.pages; time++) await shown("/not-drawn");
    expect(linksOf((await shown("/not-drawn")).text)).toEqual(["/turns-8-painted-0"]);
  });

  test("gives its scripts the same built-in objects and functions as any browser", async () => {
    expect(linksOf((await shown("/native")).text)).toEqual(["/true-true"]);
  });
});
