/**
 * Tests the cache of maps. A map is loaded once and stays current, and the number of maps in memory is
 * limited.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { AtlasCache } from "../../../actors/knowledge/in-memory-map-cache.ts";
import type { MapSource } from "../../../actors/knowledge/map-store-interface.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { outlineOf } from "../../../machines/knowledge/map-outline-for-fast-load.ts";
import { type Batch, batchWrites, emptyBatch } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import { MAP, screenRow, transitionRow } from "../../store/sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../../store/temporary-store.ts";

let temporary: TemporaryStore;
let loads: number;
/** Every read of a complete map waits for this promise, so that a test can commit changes during the read. */
let hold: Promise<void>;

/**
 * Returns a store that counts how often a complete map is read. Each of these reads also waits for the promise
 * `hold`.
 */
function source(): MapSource {
  const { store } = temporary;
  const screens: MapSource["screens"] = Object.create(store.screens, {
    outlines: {
      value: async (knowledgeId: string) => {
        loads += 1;
        const outlines = await store.screens.outlines(knowledgeId);
        await hold;
        return outlines;
      },
    },
    // The methods use private fields of the original store, which the new object does not have. So they are bound
    // to the original.
    adjacency: { value: store.screens.adjacency.bind(store.screens) },
    groups: { value: store.screens.groups.bind(store.screens) },
    memberships: { value: store.screens.memberships.bind(store.screens) },
  });
  return Object.create(store, {
    screens: { value: screens },
    outlines: { value: store.outlines },
  });
}

async function commit(batch: Partial<Batch>): Promise<Batch> {
  const whole = { ...emptyBatch, ...batch };
  await temporary.store.write(batchWrites(MAP, whole, [], 1));
  return whole;
}

beforeEach(async () => {
  temporary = await memoryStore();
  loads = 0;
  hold = Promise.resolve();
  await commit({ screens: [screenRow("a"), screenRow("b")], transitions: [transitionRow("a", "b")] });
});
afterEach(() => temporary.close());

test("simultaneous queries load a map once, and see commits that arrive during the load", async () => {
  const cache = new AtlasCache();
  let go = () => {};
  hold = new Promise((resolve) => {
    go = resolve;
  });
  const asked = [cache.get(source(), MAP, 1), cache.get(source(), MAP, 1)];
  await Bun.sleep(1);
  const second = await commit({ screens: [screenRow("c")], transitions: [] });
  cache.advance(MAP, 2, second);
  const third = await commit({ screens: [screenRow("b")], transitions: [transitionRow("b", "c")] });
  cache.advance(MAP, 3, third);
  asked.push(cache.get(source(), MAP, 3));
  go();
  const [atlas, ...others] = await Promise.all(asked);
  expect(others.map((other) => other === atlas)).toEqual([true, true]);
  expect(atlas?.routes.route("a", "c")).toHaveLength(2);
  expect(loads).toBe(1);
  await cache.get(source(), MAP, 3);
  expect(loads).toBe(1);
});

test("a map in memory is loaded again after a commit that it lacks", async () => {
  const cache = new AtlasCache();
  await cache.get(source(), MAP, 1);
  await commit({ screens: [screenRow("c")], transitions: [transitionRow("c", "a")] });
  const atlas = await cache.get(source(), MAP, 2);
  expect(atlas.routes.route("c", "b")).toHaveLength(2);
  expect(loads).toBe(2);
});

test("a map is loaded from its outline (compact copy) if the outline is current, otherwise from screens and edges", async () => {
  const first = await new AtlasCache().get(source(), MAP, 1);
  await temporary.store.outlines.write(MAP, outlineOf(first, 1));
  const copy = await new AtlasCache().get(source(), MAP, 1);
  expect(copy.routes.route("a", "b")).toHaveLength(1);
  expect(loads).toBe(1);
  await commit({ screens: [], transitions: [transitionRow("b", "a")] });
  const truth = await new AtlasCache().get(source(), MAP, 1);
  expect(truth.routes.route("b", "a")).toHaveLength(1);
  expect(loads).toBe(2);
});

test("the cache of maps holds a limited number of maps, and drops the least recently used first", async () => {
  const cache = new AtlasCache();
  const maps = Array.from({ length: knowledgeLimits.cachedMaps }, (_, n) => `large-${n}`);
  await cache.get(source(), MAP, 0);
  for (const map of maps.slice(1)) await cache.get(source(), map, 0);
  await cache.get(source(), MAP, 0);
  expect(loads).toBe(maps.length);
  await cache.get(source(), "one-more", 0);
  await cache.get(source(), MAP, 0);
  expect(loads).toBe(maps.length + 1);
  await cache.get(source(), "large-1", 0);
  expect(loads).toBe(maps.length + 2);
});
