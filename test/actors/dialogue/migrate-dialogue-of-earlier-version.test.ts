/** Tests that a dialogue which an older release has stored can be loaded. */
import { expect, test } from "bun:test";
import { migrateDialogue } from "../../../actors/dialogue/migrate-dialogue-of-earlier-version.ts";
import { kinds } from "../../../machines/actor-kinds.ts";
import { initialContext } from "../../../machines/dialogue/dialogue-context.ts";

test("a stored dialogue of version 2 keeps its answers and gets an empty list of asked questions", () => {
  const { asked: _, ...before } = { ...initialContext("d"), answers: { "target-0": "3" } };
  expect(kinds.dialogue.version).toBe(4);
  expect(migrateDialogue({ status: "active", value: "clarifying", context: before } as never, 2)).toEqual({
    status: "active",
    value: "clarifying",
    context: { ...before, asked: {} },
  } as never);
});
