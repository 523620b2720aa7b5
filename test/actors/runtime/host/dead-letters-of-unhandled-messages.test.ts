/**
 * Tests messages that no actor can process. They are stored as dead letters and reported, and never block
 * other messages.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Message } from "../../../../actors/runtime/actor-messages.ts";
import { address, type Consumer, MemoryBus, shardOf } from "../../../../actors/runtime/index.ts";
import { Unavailable } from "../../../../machines/errors.ts";
import { commitLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { Stage } from "../support/real-runtime-with-simulated-clock.ts";

const a = address("counter", "a");
const add = { type: "add" };
/** A bus that also delivers messages of other programs, as a real broker may do. */
class OddBus extends MemoryBus {
  readonly #consumers = new Map<number, Consumer>();
  override async consume(shard: number, fence: number, consumer: Consumer): Promise<() => void> {
    this.#consumers.set(shard, consumer);
    return await super.consume(shard, fence, consumer);
  }
  deliver(shard: number, given: unknown): { readonly done: boolean } {
    const state = { done: false };
    const ack = () => {
      state.done = true;
    };
    // The value is deliberately not a valid message, so a cast is needed.
    this.#consumers.get(shard)?.take({ message: given as Message, ack });
    return state;
  }
}

let odd: OddBus;
let stage: Stage;
beforeEach(() => {
  stage = new Stage((clock) => {
    odd = new OddBus({ clock });
    return odd;
  });
});
afterEach(() => stage.close());

describe("a message that no actor can accept", () => {
  test("is refused and dead-lettered if its kind is unknown, and does not block the queue", async () => {
    await stage.host("one");
    const ghost = address("ghost", "a");
    expect(await stage.outcome(stage.system.ask(ghost, add, { id: "lost" }))).toMatchObject({
      code: "actor.unknown_kind",
      status: 404,
    });
    const [letter] = await stage.store.deadLetters({ limit: 10 });
    expect(letter).toMatchObject({ kind: "ghost", actor_id: "a", error_code: "actor.unknown_kind" });
    expect(JSON.parse(letter?.message ?? "")).toMatchObject({ id: "lost", body: add });
    expect(await stage.system.ask(a, add)).toEqual({ n: 1 });
  });

  test("is dead-lettered if its format is invalid, and the next one is processed", async () => {
    await stage.host("one");
    const shard = shardOf(a);
    const strange = [
      "bytes of another program",
      { id: 1 },
      { id: "x", to: { kind: "NO!", id: "" }, body: {} },
    ];
    const acknowledged = strange.map((given) => odd.deliver(shard, given));
    await stage.clock.advance(10);
    expect(acknowledged.map(({ done }) => done)).toEqual([true, true, true]);
    const letters = await stage.store.deadLetters({ limit: 10 });
    expect(letters.map(({ error_code }) => error_code)).toEqual(
      strange.map(() => "actor.unreadable_message"),
    );
    expect(letters.map(({ message }) => message).join()).toContain("bytes of another program");
    expect(await stage.system.ask(a, add)).toEqual({ n: 1 });
  });

  test("waits for the store, and then for the shard's next owner if the shard is lost in the meantime", async () => {
    let away = true;
    const commit = stage.store.commit.bind(stage.store);
    stage.store.commit = async (units) => {
      if (away) throw new Unavailable("store.unavailable", "away");
      return await commit(units);
    };
    const one = await stage.host("one");
    const kept = odd.deliver(shardOf(a), "first");
    await stage.clock.advance(1_000);
    expect(kept.done).toBe(false);
    away = false;
    await stage.clock.advance(commitLimits.maxBackoff);
    expect(kept.done).toBe(true);
    away = true;
    const lost = odd.deliver(shardOf(a), "second");
    await stage.clock.advance(1_000);
    one.close();
    away = false;
    await stage.clock.advance(commitLimits.maxBackoff * 2);
    expect(lost.done).toBe(false);
    expect(await stage.store.deadLetters({ limit: 10 })).toHaveLength(1);
  });
});
