import { describe, expect, test } from "bun:test";
import type { Item, StepResult } from "../../../../actors/runtime/core/actor-step.ts";
import { KindMeter } from "../../../../actors/runtime/inspection/metrics-of-actor-kinds.ts";

type Counted = Pick<StepResult, "applied" | "outcome">;

// A step processes an item, such as a command. The code under test reads only the item's field `kind`, so the
// test leaves out the other fields.
const command = { kind: "command" } as Item;
const refusal = (code: string): Counted["outcome"] => ({
  ok: false,
  error: { code, message: code, status: 409 },
});
const done: Counted["outcome"] = { ok: true, body: null };

function countedAs(result: Counted): readonly string[] {
  const meter = new KindMeter();
  meter.countStep(command, result);
  return [...meter.commands.counts.keys()];
}

describe("the counter of an actor kind", () => {
  test.each<[string, Counted]>([
    ["ok", { applied: true, outcome: done }],
    ["refused", { applied: true, outcome: refusal("door.locked") }],
    ["repeated", { applied: false, outcome: done }],
    ["repeated", { applied: false, outcome: refusal("door.locked") }],
    ["refused", { applied: false, outcome: refusal("actor.parked") }],
    ["refused", { applied: false, outcome: refusal("actor.reserved_event") }],
    ["cancelled", { applied: false, outcome: refusal("actor.cancelled") }],
    ["expired", { applied: false, outcome: undefined }],
  ])("counts a command as %s if its result is %p", (label, result) => {
    expect(countedAs(result)).toEqual([label]);
  });
});
