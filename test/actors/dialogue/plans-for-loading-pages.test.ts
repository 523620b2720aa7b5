/** Tests plans for pages that are still loading when the dialogue reads them. The session is a stand-in. */
import { expect, test } from "bun:test";
import { plan } from "../../../actors/dialogue/plan-task-on-session-page.ts";
import { createModels } from "../../../actors/models/index.ts";
import type { PlanInput } from "../../../machines/dialogue/dialogue-context.ts";
import { button } from "../../machines/dialogue/support/test-page-elements.ts";

const EMPTY = { loading: true, elements: [] };
const SHOWN = { loading: undefined, elements: [button("Archive"), button("Share")] };

/** Plans a task in a session whose page is in each of these states, one after another. */
async function planned(...states: readonly { readonly loading: unknown; readonly elements: unknown[] }[]) {
  let reads = 0;
  const analysis = () => {
    const { loading, elements } = states[Math.min(reads++, states.length - 1)] ?? EMPTY;
    return {
      url: "http://site.test/",
      title: "Boats",
      revision: reads,
      loading,
      highlightedElements: elements,
    };
  };
  const scope = {
    address: { kind: "dialogue", id: "d" },
    signal: new AbortController().signal,
    services: { models: createModels({ secrets: [] }) },
    ask: async () => ({}),
    query: async (_kind: string, _id: string, name: string) => (name === "analyze" ? analysis() : {}),
  };
  const input = {
    ...{ room_name: "room", url: null, knowledge_id: null, version: 1, task: "Archive it" },
    ...{ answers: {}, asked: {}, done: [] },
  };
  // The casts are safe: planning reads only these fields of the input and of the scope.
  const made = await plan(input as unknown as PlanInput, scope as unknown as Parameters<typeof plan>[1]);
  return { reads, steps: made.plan.steps.length, questions: made.questions.length };
}

test("a page that is still loading is read again until it shows what the task names", async () => {
  expect(await planned(EMPTY, SHOWN)).toEqual({ reads: 2, steps: 1, questions: 0 });
});

test("the person is asked at once about a page that has loaded", async () => {
  expect(await planned({ ...EMPTY, loading: undefined }, SHOWN)).toEqual({
    reads: 1,
    steps: 0,
    questions: 1,
  });
});
