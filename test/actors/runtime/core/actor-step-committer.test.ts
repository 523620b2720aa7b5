/** Tests group commits: which commits are written in one transaction, and which are refused. */
import { expect, test } from "bun:test";
import { type ActorCommit, Committer } from "../../../../actors/runtime/core/actor-step-committer.ts";
import { Fenced, Refused } from "../../../../machines/errors.ts";
import { commitLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import type { ActorStore, CommitOutcome, CommitUnit } from "../../../../store/index.ts";
import { MemoryActorStore } from "../../../../store/index.ts";
import { settled } from "../model/simulated-clock.ts";

/** A store whose transactions end only when the test calls their `end`. */
class SlowStore extends MemoryActorStore implements ActorStore {
  readonly transactions: { readonly units: readonly CommitUnit[]; readonly end: () => void }[] = [];
  outcome: CommitOutcome = { ok: true };

  override commit(units: readonly CommitUnit[]): Promise<readonly CommitOutcome[]> {
    return new Promise((resolve) => {
      this.transactions.push({ units, end: () => resolve(units.map(() => this.outcome)) });
    });
  }

  get sizes(): readonly number[] {
    return this.transactions.map(({ units }) => units.length);
  }
}

const commitOf = (shard: number, id: string, data = "{}"): ActorCommit => ({
  shard,
  fence: 1,
  row: { kind: "counter", id, shard, version: 1, data, wake_at: null, state: "idle", updated_at: 0 },
  writes: [],
  deadLetters: [],
});

test("a committer (which stores the commits of actors) starts commits at once, and groups those that must wait", async () => {
  const store = new SlowStore();
  const committer = new Committer(store, () => true);
  const all = Array.from({ length: commitLimits.inFlight + 10 }, (_, i) =>
    committer.commit(commitOf(i, `a${i}`)),
  );
  expect(store.sizes).toEqual(Array.from({ length: commitLimits.inFlight }, () => 1));
  store.transactions[0]?.end();
  await all[0];
  await settled();
  expect(store.sizes.at(-1)).toBe(10);
});

test("a committer never has a shard in two transactions at once, and keeps the order of its commits", async () => {
  const store = new SlowStore();
  const committer = new Committer(store, () => true);
  void committer.commit(commitOf(7, "first"));
  void committer.commit(commitOf(7, "second"));
  void committer.commit(commitOf(7, "third"));
  expect(store.sizes).toEqual([1]);
  store.transactions[0]?.end();
  await settled();
  expect(store.transactions[1]?.units.map(({ rows }) => rows[0]?.id)).toEqual(["second", "third"]);
});

test("a committer limits the actors and bytes of a transaction, and commits a larger commit alone", async () => {
  const store = new SlowStore();
  const committer = new Committer(store, () => true);
  const busy = Array.from({ length: commitLimits.inFlight }, (_, i) =>
    committer.commit(commitOf(i, `busy${i}`)),
  );
  for (let i = 0; i < commitLimits.group + 5; i++) void committer.commit(commitOf(100 + i, `small${i}`));
  const heavy = "x".repeat(commitLimits.groupBytes * 0.6);
  void committer.commit(commitOf(20, "heavy1", heavy));
  void committer.commit(commitOf(21, "heavy2", heavy));
  void committer.commit(commitOf(22, "giant", heavy + heavy));
  for (let i = 0; i < store.transactions.length; i++) {
    store.transactions[i]?.end();
    await settled();
  }
  await Promise.all(busy);
  expect(store.sizes.slice(commitLimits.inFlight)).toEqual([commitLimits.group, 6, 1, 1]);
});

test("a committer does not attempt the commit of an owner whose lease has expired", async () => {
  const store = new SlowStore();
  const committer = new Committer(store, (shard) => shard !== 3);
  await expect(committer.commit(commitOf(3, "lost"))).rejects.toBeInstanceOf(Fenced);
  expect(store.transactions).toEqual([]);
});

test("a committer reports the outcome of each commit separately, and continues after a failed transaction", async () => {
  const store = new SlowStore();
  const committer = new Committer(store, () => true);
  const first = committer.commit(commitOf(1, "a"));
  store.outcome = { ok: false, error: new Refused("a.b", "no") };
  store.transactions[0]?.end();
  await expect(first).rejects.toMatchObject({ code: "a.b" });
  store.outcome = { ok: true };
  const second = committer.commit(commitOf(1, "a"));
  await settled();
  store.transactions[1]?.end();
  await second;
});
