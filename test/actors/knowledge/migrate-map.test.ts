/** Tests the migration of the stored state of a map. */
import { expect, test } from "bun:test";
import { knowledge } from "../../../actors/knowledge/knowledge-actor-kind.ts";

test("a stored map state of version 1 is migrated with the failures of its transitions", () => {
  const stored = { value: "idle", context: { version: 7, failing: { "a>b": 2 } } };
  expect(knowledge.migrate?.(stored, 1)).toEqual({
    value: "idle",
    context: { version: 7, travelled: { "a>b": { successes: 0, failures: 2, failing: 2, at: 0 } } },
  });
});

test("a stored map state of version 2 is migrated with the outcomes of its transitions unchanged", () => {
  const travelled = { "a>b": { successes: 3, failures: 1, failing: 0, at: 1_000 } };
  const stored = { value: "idle", context: { version: 7, travelled } };
  expect(knowledge.migrate?.(stored, 2)).toEqual(stored);
});
