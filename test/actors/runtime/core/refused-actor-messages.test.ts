/**
 * Tests messages that their target actor refuses. The state machine of the sender receives an event about the
 * refusal.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { assign, emit, setup } from "xstate";
import { activationLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import { type AnyActorDefinition, address } from "../../../../actors/runtime/index.ts";
import { commitLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { erased, Stage } from "../support/real-runtime-with-simulated-clock.ts";
import { counter, relay } from "../support/simulated-actor-kinds.ts";

const a = address("counter", "a");

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

describe("a message that its target does not accept", () => {
  const reportedRelay: AnyActorDefinition = {
    ...erased(relay),
    machine: setup({
      types: { context: {} as { heard: unknown[] }, events: {} as { type: string } },
    }).createMachine({
      id: "relay",
      context: { heard: [] },
      on: {
        go: {
          actions: emit(({ event }) => ({ ...event, type: "send", command: { type: "poison" } })),
        },
        "cairn.send_refused": {
          actions: assign({ heard: ({ context, event }) => [...context.heard, event] }),
        },
      },
    }),
    queries: {
      heard: async (_params: unknown, { context }: { context: { heard: unknown[] } }) => context.heard,
    },
  } as unknown as AnyActorDefinition;
  const definitions = [erased(counter), reportedRelay];
  const sender = address("relay", "r");
  const send = (to: string) => stage.system.ask(sender, { type: "go", to });

  test("is reported to the sender's state machine when it becomes a dead letter, and is not sent again", async () => {
    await stage.host("one", { definitions });
    await send("counter/a");
    await stage.clock.advance(1_000);
    expect(await stage.system.query(sender, "heard")).toMatchObject([
      { to: "counter/a", command: { type: "poison" }, error: { code: "actor.step_failed" }, final: true },
    ]);
    expect(JSON.parse((await stage.store.load(sender))?.data ?? "").outbox).toEqual([]);
  });

  test("is reported once while its target is parked (out of service), and delivered when the target is back", async () => {
    await stage.host("one", { definitions });
    for (let i = 0; i <= activationLimits.maxCrashes; i++)
      await stage.outcome(stage.system.ask(a, { type: "poison" }));
    await send("counter/a");
    await stage.clock.advance(60_000);
    expect(await stage.system.query(sender, "heard")).toMatchObject([
      { error: { code: "actor.parked" }, final: false },
    ]);
    await stage.system.operate(a, { type: "unpark" });
    await stage.clock.advance(commitLimits.maxBackoff);
    expect(await stage.system.query(sender, "heard")).toMatchObject([
      { final: false },
      { error: { code: "actor.step_failed" }, final: true },
    ]);
  });

  test("changes nothing if the sender's machine ignores the report", async () => {
    await stage.host("one", { definitions: [erased(counter), erased(relay)] });
    await stage.system.ask(sender, { type: "relay", to: ["ghost/a"] });
    await stage.clock.advance(1_000);
    expect(JSON.parse((await stage.store.load(sender))?.data ?? "")).toMatchObject({
      outbox: [],
      parked: null,
    });
  });
});

test("a caller cannot send events that only the runtime creates", async () => {
  await stage.host("one");
  expect(await stage.outcome(stage.system.ask(a, { type: "cairn.send_refused" }))).toMatchObject({
    code: "actor.reserved_event",
  });
});
