/**
 * Tests how long an action waits for a page that has not reacted to a click yet. The limit of the wait is set to
 * more than a test may take, so a test ends only if the wait ends for another reason.
 */
import { expect, test } from "bun:test";
import { waitForReaction } from "../../../../../actors/browser/session/actions/wait-for-responses-of-action.ts";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests({
  routes: {
    "/worker.js": () =>
      new Response("onmessage = () => setTimeout(() => postMessage(1), 700)", {
        headers: { "content-type": "text/javascript" },
      }),
    "/frame": () =>
      new Response("<script>onmessage = () => setTimeout(() => parent.postMessage(1), 700)</script>", {
        headers: { "content-type": "text/html" },
      }),
  },
});

const HOURS = 10 * 60 * 60 * 1_000;

/** Clicks the button "Go" of a page, and then waits for the reaction of the page without a limit. */
async function waitAfterClick(body: string): Promise<unknown> {
  const page = await stage.show(body);
  // The cast is safe: `openSession` returns a `ContextSession`.
  const { tab } = stage.session as ContextSession;
  const { url, navigations } = tab;
  await stage.act("click", { index: called(page, "Go").highlight_index });
  await waitForReaction(tab, { url, navigations }, HOURS);
  return await stage.run("location.hash");
}

test.each(
  [
    ["without a handler", "<button>Go</button>"],
    ["whose handler only counts the clicks", `<button onclick="did.push('go')">Go</button>`],
    [
      "of which the click has changed the look at once",
      `<button onclick="this.className = 'on'">Go</button>`,
    ],
    [
      "that has run timers and frames before",
      `<button>Go</button><script>setTimeout(() => did.push(1), 1);
    requestAnimationFrame(() => requestIdleCallback(() => did.push(2)))</script>`,
    ],
    [
      "whose promises have settled",
      `<button onclick="Promise.resolve().then(() => new Promise((done) => {
    const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(1) }))">Go</button>`,
    ],
  ].slice(0, isFull ? undefined : 2),
)("the wait for a reaction to a click ends early on a page %s", async (_, body) => {
  expect(await waitAfterClick(body)).toBe("");
});

test.each(
  [
    ["a timer", `setTimeout(react, 700)`],
    ["a timer that a promise sets", `Promise.resolve().then(() => setTimeout(react, 700))`],
    [
      "a timer that a later task sets",
      `const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => setTimeout(react, 700); port2.postMessage(1)`,
    ],
    ["an interval", `setInterval(react, 700)`],
    [
      "animation frames",
      `const at = performance.now();
    const step = () => performance.now() - at > 700 ? react() : requestAnimationFrame(step); step()`,
    ],
    ["an idle callback", `requestIdleCallback(() => setTimeout(react, 700))`],
    [
      "an image",
      `const image = new Image(); image.onerror = () => setTimeout(react, 700); image.src = '/none.png'`,
    ],
  ].slice(0, isFull ? undefined : 2),
)("the wait for a reaction to a click lasts until the page reacts by %s", async (_, reaction) => {
  const body = `<button>Go</button><script>const react = () => { location.hash = "reacted" };
    document.querySelector("button").onclick = () => { ${reaction} }</script>`;
  expect(await waitAfterClick(body)).toBe("#reacted");
});

test.if(isFull)(
  "the wait for a reaction to a click lasts until a web worker of the page answers",
  async () => {
    const body = `<button onclick="worker.postMessage(1)">Go</button><script>
    const worker = new Worker("/worker.js"); worker.onmessage = () => { location.hash = "reacted" }</script>`;
    expect(await waitAfterClick(body)).toBe("#reacted");
  },
);

test.if(isFull)("the wait for a reaction to a click lasts until a frame of the page answers", async () => {
  const body = `<button onclick="frames[0].postMessage(1)">Go</button><iframe src="/frame"></iframe><script>
    onmessage = () => { location.hash = "reacted" }</script>`;
  expect(await waitAfterClick(body)).toBe("#reacted");
});
