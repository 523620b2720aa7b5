/** Tests answers that a session builds before they are requested. */
import { expect, test } from "bun:test";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { PreparedAnswer } from "../../../../../actors/browser/session/snapshot/page-analysis-prepared-in-advance.ts";
import { answerOf } from "../../../../../machines/session/page/analyze-page-answer.ts";
import {
  type AnalyzeRequest,
  analyzeOptionsSchema,
  type PageAnalysis,
} from "../../../../../machines/session/page/page-snapshot.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";

const stage = await stageOfTests();

const options = (given: Readonly<Record<string, unknown>> = {}): AnalyzeRequest =>
  analyzeOptionsSchema.parse(given);

/**
 * Returns two snapshots of a page that changes between them: the caller's snapshot (`seen`) and the later one
 * (`next`).
 */
async function snapshotsAroundChange(): Promise<{
  readonly seen: PageAnalysis;
  readonly next: PageAnalysis;
}> {
  await stage.show("<button id=b>Before</button><button>Other</button>");
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { snapshots } = (stage.session as ContextSession).tab;
  const seen = await snapshots.take();
  await stage.run(`b.textContent = "After"`);
  return { seen, next: await snapshots.takeAhead() };
}

/** Returns the snapshot and counts how often its elements are read. */
function counted(analysis: PageAnalysis): { readonly analysis: PageAnalysis; readonly reads: () => number } {
  let reads = 0;
  const counting = {
    ...analysis,
    get elements() {
      reads++;
      return analysis.elements;
    },
  };
  return { analysis: counting, reads: () => reads };
}

test("a request for the changes since the newest snapshot returns the answer that was prepared in advance, and reads no element again", async () => {
  const { seen, next } = await snapshotsAroundChange();
  const prepared = new PreparedAnswer();
  prepared.answer(seen, options({ since_revision: 0 }), undefined);
  const { analysis, reads } = counted(next);
  prepared.prepare(analysis, seen);
  const before = reads();
  const request = options({ since_revision: seen.revision });
  const answer = prepared.answer(analysis, request, seen);
  expect(reads()).toBe(before);
  expect(answer).toEqual(answerOf(next, request, seen));
  expect(answer.clickableElementsString).toContain("After");
});

test("the answer that was prepared in advance is not used for a request with other options, or for the changes since another snapshot", async () => {
  const { seen, next } = await snapshotsAroundChange();
  const prepared = new PreparedAnswer();
  const whole = options();
  prepared.answer(seen, whole, undefined);
  prepared.prepare(next, seen);
  const filtered = options({ query: "other" });
  expect(prepared.answer(next, filtered, undefined)).toEqual(answerOf(next, filtered, undefined));
  expect(prepared.answer(seen, whole, undefined)).toEqual(answerOf(seen, whole, undefined));
  const delta = options({ since_revision: seen.revision });
  expect(prepared.answer(next, delta, seen)).toEqual(answerOf(next, delta, seen));
  expect(prepared.answer(next, delta, undefined)).toEqual(answerOf(next, delta, undefined));
});

test("a page that has changed and changed back has the same snapshot as before", async () => {
  const { seen, next } = await snapshotsAroundChange();
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { snapshots } = (stage.session as ContextSession).tab;
  expect(next).not.toBe(seen);
  await stage.run(`b.textContent = "Before"`);
  expect(await snapshots.takeAhead()).toBe(seen);
  expect(await snapshots.take()).toBe(seen);
});

test("an analysis shows a change of the page even if the answer was prepared before the change", async () => {
  await stage.show("<button id=b>Before</button>");
  const { revision } = await stage.analyze({ since_revision: 0 });
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { snapshots } = (stage.session as ContextSession).tab;
  const takeAhead = snapshots.takeAhead.bind(snapshots);
  const ahead = Promise.withResolvers<void>();
  snapshots.takeAhead = async () => {
    const next = await takeAhead();
    if (next.elements.some(({ textContent }) => textContent === "First")) ahead.resolve();
    return next;
  };
  await stage.run(`b.textContent = "First"`);
  await ahead.promise;
  await stage.run(`b.textContent = "Second"`);
  const { clickableElementsString } = await stage.analyze({ since_revision: revision });
  expect(clickableElementsString).toContain("Second");
  expect(clickableElementsString).not.toContain("First");
});
