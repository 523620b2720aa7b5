/** The first snapshot of a document waits until the page shows something. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { waitForContent } from "../../../../../actors/browser/session/snapshot/page-ready.ts";
import { type Frame, Frames } from "../../../../../actors/browser/session/tabs/frames.ts";
import type { Tab } from "../../../../../actors/browser/session/tabs/tab.ts";
import { nameOf } from "../../../../../machines/session/element-line.ts";
import { type SessionStage, sessionStage } from "../session-stage.ts";

const later = (text: string, ms: number) => async () => {
  await Bun.sleep(ms);
  return new Response(text);
};

let stage: SessionStage;
beforeAll(async () => {
  stage = await sessionStage({
    routes: {
      "/slow": later("Orders", 1_500),
      "/slower": later("Orders", 60_000),
      "/first": later("second", 600),
      "/second": later("Orders", 600),
    },
  });
});
afterAll(() => stage.close());

/** A button with the text that a path answers. */
const BUTTON =
  "(text) => { document.body.innerHTML = ''; document.body.append(Object.assign(document.createElement('button'), { textContent: text })); }";
const loads = (path: string) => `fetch("${path}").then((answer) => answer.text()).then(${BUTTON});`;

const names = ({ highlightedElements }: Awaited<ReturnType<SessionStage["analyze"]>>) =>
  highlightedElements.map((element) => nameOf(element));

describe("the first snapshot of an application", () => {
  test("waits for data that an empty page loads after its load event", async () => {
    const page = await stage.show(
      `<div id="root"></div><script>onload = () => { ${loads("/slow")} }</script>`,
    );
    expect(names(page)).toEqual(["Orders"]);
    expect(page.loading).toBeUndefined();
  });

  test("waits through several requests with a pause between them", async () => {
    const chain = `fetch("/first").then((answer) => answer.text()).then((path) => setTimeout(() => { fetch("/" + path).then((answer) => answer.text()).then(${BUTTON}) }, 400));`;
    expect(names(await stage.show(`<script>onload = () => { ${chain} }</script>`))).toEqual(["Orders"]);
  });

  test("waits for content behind a notice that it is loading", async () => {
    const page = await stage.show(`<p>Loading…</p><script>onload = () => { ${loads("/slow")} }</script>`);
    expect(names(page)).toEqual(["Orders"]);
  });

  test("says what is pending when the time is up", async () => {
    const page = await stage.show(`<p>Loading…</p><script>onload = () => { fetch("/slower") }</script>`);
    expect(page).toMatchObject({ totalElements: 0, loading: { pending_requests: 1 } });
  });
});

/** A tab of which only the parts exist that the wait reads, and the number of its snapshots. */
function tabWith(
  page: { readonly elements: readonly unknown[]; readonly texts: readonly unknown[] },
  pending: number,
) {
  let snapshots = 0;
  const parts = {
    url: "https://a.test/",
    loading: false,
    dialog: undefined,
    frames: { main: { id: "main", loaderId: "one", session: { id: "page" } } },
    snapshots: {
      peek: async () => {
        snapshots++;
        return { ...page, document: Frames.documentKey(parts.frames.main as Frame) };
      },
    },
    pendingRequests: () => pending,
    answer: (answer: Promise<unknown>) => answer,
  };
  // The wait reads no other part of a tab.
  return { tab: parts as unknown as Tab, snapshots: () => snapshots };
}

describe("a document is looked at once, without a wait,", () => {
  test.each([
    ["if it has an element, though requests are pending", { elements: [{}], texts: [] }, 3],
    ["if it has text and no request is pending", { elements: [], texts: [{}] }, 0],
  ])("%s", async (_, page, pending) => {
    const { tab, snapshots } = tabWith(page, pending);
    expect(await waitForContent(tab)).toBeUndefined();
    expect(snapshots()).toBe(1);
    await waitForContent(tab);
    expect(snapshots()).toBe(1);
  });
});
