/**
 * Tests addresses of actors, the shard of each address, and the assignment of shards to members of a cluster.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  address,
  allShards,
  formatAddress,
  parseAddress,
  rendezvous,
  shardOf,
} from "../../../actors/runtime/index.ts";
import { addressLimits } from "../../../machines/runtime/shared-runtime-limits.ts";

test("the address of an actor is parsed from its text, whatever characters the id has", () => {
  const id = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }).filter((text) => {
    const bytes = new TextEncoder().encode(text).length;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is refused is left out
    return bytes <= addressLimits.maxIdBytes && !/[\u0000-\u001f]/.test(text);
  });
  fc.assert(
    fc.property(id, (text) => {
      const parsed = parseAddress(formatAddress(address("kind", text)));
      expect(parsed).toEqual({ kind: "kind", id: text });
    }),
  );
  expect(parseAddress("job/a/b c").id).toBe("a/b c");
});

test("an actor id that is empty, too long in bytes or has control characters is refused", () => {
  const longest = "é".repeat(addressLimits.maxIdBytes / 2);
  expect(address("kind", longest).id).toBe(longest);
  for (const id of ["", `${longest}x`, "a\nb", "\u0000"])
    expect(() => address("kind", id)).toThrow("control characters");
  for (const kind of ["", "Kind", "1st", "a.b", "a/b"])
    expect(() => address(kind, "id")).toThrow("not a kind");
  expect(() => parseAddress("nothing")).toThrow("kind/id");
});

test("an actor's address has the same shard as in stores of earlier releases", () => {
  expect([shardOf(address("exploration", "job-1")), shardOf(address("knowledge", "example.org"))]).toEqual([
    144, 122,
  ]);
  // The shard of an address depends on its UTF-8 bytes. Each character of "地図" has three bytes.
  expect([shardOf(address("knowledge", "größe")), shardOf(address("knowledge", "地図"))]).toEqual([93, 116]);
});

test("sequential and random actor ids spread evenly over the shards of their group", () => {
  for (const { role, first, shards } of addressLimits.groups) {
    const kind = role === "browser" ? "session" : "knowledge";
    const many = 100 * shards;
    const counted = Array.from({ length: many }, (_, i) => address(kind, `room-${i}`));
    const random = Array.from({ length: many }, () => address(kind, crypto.randomUUID()));
    for (const addresses of [counted, random]) {
      const sizes = allShards.map(() => 0);
      for (const target of addresses) sizes[shardOf(target)] = (sizes[shardOf(target)] ?? 0) + 1;
      const own = sizes.slice(first, first + shards);
      expect(Math.min(...own)).toBeGreaterThan(50);
      expect(Math.max(...own)).toBeLessThan(160);
      expect(own.reduce((sum, size) => sum + size, 0)).toBe(many);
    }
  }
});

test("the groups of shards (one for each role of nodes that run actors) follow each other without gaps and cover all shards", () => {
  let next = 0;
  for (const { first, shards } of addressLimits.groups) {
    expect<number>(first).toBe(next);
    next += shards;
  }
  expect<number>(next).toBe(addressLimits.shards);
});

test("a node that joins or leaves moves only its own shards", () => {
  const members = ["n1-w1", "n1-w2", "n2-w1", "n2-w2"];
  const before = allShards.map((shard) => rendezvous(shard, members));
  const without = allShards.map((shard) => rendezvous(shard, members.slice(0, 3)));
  const more = allShards.map((shard) => rendezvous(shard, [...members, "n3-w1"]));
  for (const shard of allShards) {
    if (before[shard] !== "n2-w2") expect(without[shard]).toBe(before[shard] as string);
    if (more[shard] !== "n3-w1") expect(more[shard]).toBe(before[shard] as string);
  }
});

test("shards are distributed about evenly, whatever the order of the nodes", () => {
  for (const size of [2, 3, 4, 8]) {
    const members = Array.from({ length: size }, (_, i) => `local-w${i + 1}`);
    const shares = new Map<string, number>();
    for (const shard of allShards) {
      const holder = rendezvous(shard, members) ?? "";
      expect(rendezvous(shard, members.toReversed())).toBe(holder);
      shares.set(holder, (shares.get(holder) ?? 0) + 1);
    }
    expect(shares.size).toBe(size);
    for (const share of shares.values()) expect(share).toBeLessThan((2 * addressLimits.shards) / size);
  }
});

test("no shard is assigned if there are no nodes", () => {
  expect(rendezvous(1, [])).toBeUndefined();
});
