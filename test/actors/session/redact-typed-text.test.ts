/**
 * Tests that typed text is private to its caller: neither the inspector nor the list of dead letters shows
 * it.
 */
import { expect, test } from "bun:test";
import { OperationsService } from "../../../actors/operations/actor-and-node-administration.ts";
import type { ActorSystem } from "../../../actors/runtime/index.ts";
import { session } from "../../../actors/session/session-actor-kind.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import { type ActorStore, type DeadLetterRow, MemoryActorStore } from "../../../store/index.ts";

const SECRET = "correct horse battery";
const typed = parseAction("type", { index: 3, text: SECRET });
const form = parseAction("fill_form", { fields: [{ label: "Password", value: SECRET }] });

test("inspected events of a session contain no typed text", () => {
  const shown = session.redactEvent?.({ type: "ACT", action: typed, retry: true });
  expect(shown).toMatchObject({
    type: "ACT",
    action: { name: typed.name, params: { index: 3 } },
    retry: true,
  });
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(JSON.stringify(session.redactEvent?.({ type: "ACT", action: form }))).not.toContain(SECRET);
});

test("listed dead letters of a session contain no typed text", async () => {
  const row: DeadLetterRow = {
    id: "1",
    kind: "session",
    actor_id: "demo",
    message: JSON.stringify({
      id: "c",
      to: { kind: "session", id: "demo" },
      body: { type: "ACT", action: form },
    }),
    error_code: "actor.step_failed",
    error_message: "x",
    attempts: 3,
    at: 0,
  };
  const store: ActorStore = Object.assign(new MemoryActorStore(), { deadLetters: async () => [row] });
  // The cast is safe: listing dead letters uses only the store, and never the actor system.
  const operations = new OperationsService(undefined as unknown as ActorSystem, store, {
    nodes: async () => [],
    ping: async () => {},
    metrics: async () => [],
  });
  const { dead_letters } = await operations.deadLetters({ limit: 10 });
  expect(dead_letters).toMatchObject([
    { item: "command", command_id: "c", message: { body: { type: "ACT" } } },
  ]);
  expect(JSON.stringify(dead_letters)).not.toContain(SECRET);
});
