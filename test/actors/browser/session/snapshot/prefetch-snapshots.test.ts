/** Tests snapshots that a session takes in advance, before a caller requests them. */
import { expect, test } from "bun:test";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { ReadAhead } from "../../../../../actors/browser/session/snapshot/prefetch-snapshots.ts";
import { DocumentGone } from "../../../../../actors/browser/session/tabs/tab-frames.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";

const stage = await stageOfTests();

test("a changed page is read before the next analysis is requested, but its new elements do not count as seen by the caller", async () => {
  const first = await stage.show("<button id=b>Before</button>");
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { tab } = stage.session as ContextSession;
  const { snapshots } = tab;
  const takeAhead = snapshots.takeAhead.bind(snapshots);
  const ahead = Promise.withResolvers<readonly number[]>();
  snapshots.takeAhead = async () => {
    const seen = await takeAhead();
    const fresh = seen.elements.filter(({ textContent }) => textContent === "After");
    if (fresh.length > 0) ahead.resolve(fresh.map(({ highlight_index }) => highlight_index));
    return seen;
  };
  await stage.run(
    `const made = document.createElement("button"); made.textContent = "After"; document.body.append(made)`,
  );
  const [index = -1] = await ahead.promise;
  expect(snapshots.wasShown(index)).toBe(false);
  const { clickableElementsString } = await stage.analyze({ since_revision: first.revision });
  expect(clickableElementsString).toContain(`*[${index}]<button>After</button>`);
});

test("an analysis of an unchanged page checks whether the page has changed, and calls nothing else", async () => {
  await stage.show(`<ul>${"<li><button>Row</button></li>".repeat(100)}</ul>`);
  await stage.analyze();
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { frames, snapshots } = (stage.session as ContextSession).tab;
  const { session } = frames.main;
  const methods: string[] = [];
  const send = session.send.bind(session);
  const counting = async (method: string, params: never): Promise<unknown> => {
    methods.push(JSON.stringify(params).includes("checkOrTake") ? "checkOrTake" : method);
    return await send(method as Parameters<typeof send>[0], params);
  };
  Object.assign(session, { send: counting });
  const before = snapshots.last;
  const again = await snapshots.take();
  Object.assign(session, { send });
  expect(again).toBe(before as typeof again);
  // Snapshots that are taken in advance call `checkOrTake` too. So all calls into the page were calls of
  // `checkOrTake`.
  expect(new Set(methods)).toEqual(new Set(["checkOrTake"]));
});

test("the check whether a page has changed ends as soon as Chromium's counters show no change, even if the page does not answer", async () => {
  await stage.show("<button>Kept</button>");
  await stage.analyze();
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { frames, snapshots } = (stage.session as ContextSession).tab;
  const { session } = frames.main;
  const send = session.send.bind(session);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  Object.assign(session, {
    send: async (method: string, params: never): Promise<unknown> => {
      const answer = send(method as Parameters<typeof send>[0], params);
      if (!JSON.stringify(params).includes("checkOrTake")) return await answer;
      ask();
      return await new Promise<never>(() => {});
    },
  });
  const before = snapshots.last;
  const again = await snapshots.take();
  Object.assign(session, { send });
  await asked;
  expect(again).toBe(before as typeof again);
});

test("a snapshot does not count as still valid if its document is replaced during the check", async () => {
  await stage.show("<button>Old</button>");
  await stage.analyze();
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { frames, snapshots } = (stage.session as ContextSession).tab;
  const { id, session, url } = frames.main;
  let isReplaced = false;
  session.also("Performance.metrics", () => {
    if (isReplaced) return;
    isReplaced = true;
    // Simulates that Chromium loads a new document directly after it has answered the request for its counters.
    session.hear("Page.frameNavigated", { frame: { id, url, loaderId: "of the next document" } });
  });
  await expect(snapshots.take()).rejects.toThrow(DocumentGone);
  expect(isReplaced).toBe(true);
});

test("taking snapshots in advance stops after a failed one, and resumes with the next request", async () => {
  const failed = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  let reads = 0;
  const readAhead = new ReadAhead(async () => {
    reads++;
    if (reads === 2) {
      failed.resolve();
      throw new Error("The page hangs.");
    }
    if (reads === 3) again.resolve();
  });
  readAhead.extend();
  await failed.promise;
  readAhead.extend();
  await again.promise;
  readAhead.stop();
  expect(reads).toBe(3);
});
