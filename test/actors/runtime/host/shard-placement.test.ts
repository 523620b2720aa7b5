import { describe, expect, test } from "bun:test";
import { type Member, placement } from "../../../../actors/runtime/host/shard-placement.ts";
import { roles } from "../../../../machines/runtime/cluster-node-roles.ts";
import { addressLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";

const member = (name: string, more: Partial<Member> = {}): Member => ({
  name,
  roles,
  workers: 2,
  version: "1.0.0",
  kinds: { exploration: 1, knowledge: 1 },
  since: 0,
  ...more,
});

/** Returns the number of shards of each node. */
function shares(...members: readonly Member[]): Readonly<Record<string, number>> {
  const shared: Record<string, number> = {};
  for (const [worker, shards] of placement(members)) {
    const node = worker.replace(/-w\d+$/, "");
    shared[node] = (shared[node] ?? 0) + shards.length;
  }
  return shared;
}

const ALL = addressLimits.shards;

describe("shards are placed", () => {
  test("on all nodes of the same release, and each shard on only one of them", () => {
    const { a = 0, b = 0 } = shares(member("a"), member("b"));
    expect(a + b).toBe(ALL);
    expect(Math.min(a, b)).toBeGreaterThan(ALL / 4);
  });

  test("on the nodes with the newest versions of actor kinds, and if versions are equal, on those with the most kinds", () => {
    const newer = { kinds: { exploration: 2, knowledge: 1 } };
    expect(shares(member("a"), member("b", newer))).toEqual({ b: ALL });
    expect(shares(member("a"), member("b", { kinds: { exploration: 1, knowledge: 1, session: 1 } }))).toEqual(
      {
        b: ALL,
      },
    );
    expect(Object.keys(shares(member("a"), member("b", newer), member("c", newer))).sort()).toEqual([
      "b",
      "c",
    ]);
  });

  test("on two nodes if each of them has a newer version of some kind of actors than the other", () => {
    const left = member("a", { kinds: { exploration: 2, knowledge: 1 } });
    const right = member("b", { kinds: { exploration: 1, knowledge: 2 } });
    expect(Object.keys(shares(left, right)).sort()).toEqual(["a", "b"]);
  });

  test("on no node that is configured to host nothing", () => {
    const gateway = member("g", { workers: 0, kinds: { exploration: 9 } });
    expect(shares(member("a"), gateway)).toEqual({ a: ALL });
  });
});
