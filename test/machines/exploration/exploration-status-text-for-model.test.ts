/** Tests the text that a language model gets for the status of an exploration. */
import { expect, test } from "bun:test";
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import { statusText } from "../../../machines/exploration/exploration-text-for-model.ts";

test("the status text of an exploration contains the counts of pressed controls, without the reason for each decision", () => {
  const decisions = Array.from({ length: 200 }, (_, at) => ({
    url: `https://shop.example/${at}`,
    pressed: at % 2 === 0,
    reason: "its links lead on (8), and it has no buttons of its own",
  }));
  // The cast is safe: the object has all properties that the tested function reads.
  const job = {
    job_id: "j",
    status: "completed",
    start_url: "https://shop.example/",
    knowledge_id: "shop",
    progress: { completed: 200, queued: 0, failed: 0, skipped: 1, searchable: 200 },
    traps: [],
    held_back: [],
    interactive: {
      actions: 31,
      states: 5,
      unsafe: 2,
      held: 1,
      lost: 0,
      decisions,
      stopped_by: "nothing_left",
    },
  } as unknown as ExplorationStatus;
  const text = statusText(job);
  expect(text).toContain(
    "pressed 31 times: 5 states, 2 unsafe elements left alone, 1 requests held back, on 100 of 200 kinds of pages, ended by nothing_left",
  );
  expect(text.length).toBeLessThan(400);
});
