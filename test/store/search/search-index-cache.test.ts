/**
 * Tests the indexes in memory of searched maps: each search sees every change that was committed before it, and
 * the memory is bounded.
 */
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Database, record } from "../../../store/connection/execute-database-statements.ts";
import { IndexCache } from "../../../store/search/search-index-cache.ts";
import { TextIndex } from "../../../store/search/search-word-index.ts";
import { storeLimits } from "../../../store/store-limits.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { textRow } from "../sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../temporary-store.ts";

const PAGES = 240;
let temporary: TemporaryStore;
let database: Database;

beforeAll(async () => {
  temporary = await memoryStore();
  // The test also reads and writes the database directly, over the connection of the store. This connection
  // is private, so a cast is needed.
  database = new Database((temporary.store as unknown as { connection: never }).connection);
});
afterAll(() => temporary.close());

async function fill(map: string, pages = PAGES): Promise<void> {
  const rows = Array.from({ length: pages }, (_, at) =>
    textRow(`place-${at}`, `Place ${at}`, `The harbour ${at} is open.`, map),
  );
  for (let at = 0; at < rows.length; at += 60)
    await temporary.store.write([{ op: "put", table: "page_text", rows: rows.slice(at, at + 60) }]);
}

const put = (map: string, key: string, body: string) =>
  temporary.store.write([{ op: "put", table: "page_text", rows: [textRow(key, key, body, map)] }]);
const remove = (map: string, key: string) =>
  temporary.store.write([{ op: "remove", table: "page_text", ids: [[map, key]] }]);

/** If the cache has no index of a map after this number of searches in the map, the test fails. */
const SEARCHES = 5_000;

/** Waits until the map has an index. */
async function indexed(cache: IndexCache, map: string): Promise<TextIndex> {
  for (let search = 0; search < SEARCHES; search += 1) {
    const index = await cache.current(map);
    if (index) return index;
    await sleep(5);
  }
  throw new Error(`The map ${map} has no index after ${SEARCHES} searches.`);
}

const isReadOfTexts = (sql: string) => sql.startsWith("SELECT id, title, head");

const found = (index: TextIndex, word: string, limit = PAGES) =>
  [...index.best([{ list: "body", word, weight: 1 }], limit)].sort();

describe("the search index of a map", () => {
  test.if(isFull)("contains each page that was added, changed or removed before a search", async () => {
    const map = "changing";
    await fill(map);
    const cache = new IndexCache(database);
    const index = await indexed(cache, map);
    expect(index.total).toBe(PAGES);
    expect(index.pagesWith("body", "harbour")).toBe(PAGES);
    await put(map, "quay", "A walrus.");
    expect(found((await cache.current(map)) ?? index, "walru")).toEqual(["quay"]);
    await put(map, "quay", "An otter.");
    await put(map, "pier", "An otter.");
    expect(await cache.current(map)).toBe(index);
    expect([found(index, "walru"), found(index, "otter")]).toEqual([[], ["pier", "quay"]]);
    await remove(map, "quay");
    expect(await cache.current(map)).toBe(index);
    expect(found(index, "otter")).toEqual(["pier"]);
    expect([index.total, index.pagesWith("body", "otter")]).toEqual([PAGES + 1, 1]);
  });

  test.if(isFull)(
    "is equal to a new index after many changes, while several searches use it at the same time",
    async () => {
      const map = "many";
      await fill(map);
      const cache = new IndexCache(database);
      await indexed(cache, map);
      for (let round = 0; round < 40; round += 1) {
        const key = `place-${(round * 7) % 30}`;
        if (round % 3 === 2) await remove(map, key);
        else await put(map, key, `Lantern ${round} and tide${round % 5}.`);
        const indexes = await Promise.all([cache.current(map), cache.current(map), cache.current(map)]);
        const other = round % 3 === 2 ? [] : [key];
        for (const index of indexes)
          expect(index && found(index, "lantern").filter((each) => each === key)).toEqual(other);
      }
      const index = await indexed(cache, map);
      const fresh = await indexed(new IndexCache(database), map);
      for (const word of ["harbour", "lantern", "tide0", "tide4"])
        expect([word, found(index, word)]).toEqual([word, found(fresh, word)]);
      expect(index.total).toBe(fresh.total);
    },
  );

  test.if(isFull)("is built again when its map was deleted and created again", async () => {
    const map = "again";
    await fill(map);
    const cache = new IndexCache(database);
    await indexed(cache, map);
    await temporary.store.maps.delete(map);
    await fill(map);
    await put(map, "quay", "A walrus.");
    expect(found(await indexed(cache, map), "walru")).toEqual(["quay"]);
    await temporary.store.maps.delete(map);
    const rows = await database.rows("SELECT * FROM text_change, text_version WHERE id[0] = $map", { map });
    expect(rows).toEqual([]);
  });

  test.if(isFull)(
    "is built again if more changes were made than the database stores",
    async () => {
      const map = "long";
      await fill(map);
      const cache = new IndexCache(database);
      const index = await indexed(cache, map);
      await put(map, "quay", "A walrus.");
      for (let change = 0; change < storeLimits.textChanges; change += 1) await remove(map, "nothing");
      const kept = await database.row<{ count: number }>(
        "SELECT count() FROM text_change:[$map, NONE]..=[$map, ..] GROUP ALL",
        { map },
      );
      expect(kept?.count).toBe(storeLimits.textChanges);
      const next = await indexed(cache, map);
      expect(next).not.toBe(index);
      expect(found(next, "walru")).toEqual(["quay"]);
    },
    60_000,
  );

  test.if(isFull)(
    "is current although a deleted map with the same id has left records of changes",
    async () => {
      const map = "left";
      await fill(map);
      for (const version of [1, 2, 5, 9])
        await database.run('UPSERT type::record("text_change", [$map, $version]) SET keys = ["old"]', {
          map,
          version,
        });
      await database.run('DELETE type::record("text_version", [$map, 0])', { map });
      const cache = new IndexCache(database);
      await indexed(cache, map);
      await put(map, "quay", "A walrus.");
      const index = await indexed(cache, map);
      for (const word of ["Otter", "Lantern", "Tide"]) await put(map, word, `A ${word}.`);
      expect(await cache.current(map)).toBe(index);
      expect(["walru", "otter", "lantern", "tide"].flatMap((word) => found(index, word))).toEqual([
        "quay",
        "Otter",
        "Lantern",
        "Tide",
      ]);
      const kept = await database.rows("SELECT VALUE id[1] FROM text_change:[$map, NONE]..=[$map, ..]", {
        map,
      });
      expect(kept).toEqual([1, 2, 3, 4]);
    },
  );

  test("contains what was written while it was built", async () => {
    const map = "built";
    await fill(map);
    const original = database.rows.bind(database);
    let reads = 0;
    const rows = spyOn(database, "rows").mockImplementation(async (sql, bindings) => {
      const texts = await original(sql, bindings);
      // After the index build has read the texts, and before they are in the index, three texts change.
      if (isReadOfTexts(sql) && ++reads === 1) {
        await put(map, "place-0", "A walrus.");
        await remove(map, "place-1");
        await put(map, "quay", "A walrus.");
      }
      return texts as never;
    });
    try {
      const index = await indexed(new IndexCache(database), map);
      expect(reads).toBeGreaterThan(1);
      expect([index.total, found(index, "walru")]).toEqual([PAGES, ["place-0", "quay"]]);
      expect(found(index, "harbour")).not.toContain("place-1");
    } finally {
      rows.mockRestore();
    }
  });

  test.if(isFull)(
    "contains all changes, even those whose first read from the database has failed",
    async () => {
      const map = "failed";
      await fill(map);
      const cache = new IndexCache(database);
      const index = await indexed(cache, map);
      await put(map, "quay", "A walrus.");
      const changes = spyOn(database, "each").mockRejectedValueOnce(new Error("The database is away."));
      await expect(cache.current(map)).rejects.toThrow("away");
      expect(await cache.current(map)).toBe(index);
      expect(found(index, "walru")).toEqual(["quay"]);
      changes.mockRestore();
      await remove(map, "quay");
      for (let page = 0; page < 30; page += 1) await put(map, `otter-${page}`, "An otter.");
      // The second read of texts fails during the update, so the index then contains only a part of the
      // changes.
      const original = database.rows.bind(database);
      let reads = 0;
      const rows = spyOn(database, "rows").mockImplementation(async (sql, bindings) => {
        if (isReadOfTexts(sql) && ++reads === 2) throw new Error("The database is away.");
        return (await original(sql, bindings)) as never;
      });
      await expect(cache.current(map)).rejects.toThrow("away");
      expect(await cache.current(map)).toBe(index);
      rows.mockRestore();
      expect(reads).toBe(4);
      expect([found(index, "walru"), found(index, "otter").length]).toEqual([[], 30]);
    },
  );

  test.if(isFull)("is built again a minute after the database has failed while it was built", async () => {
    const map = "stopped";
    await fill(map);
    const start = performance.now();
    const now = spyOn(performance, "now").mockReturnValue(start);
    const changes = spyOn(database, "each").mockRejectedValueOnce(new Error("The database is away."));
    try {
      const cache = new IndexCache(database);
      for (let search = 0; search < 20; search += 1) {
        expect(await cache.current(map)).toBeUndefined();
        await sleep(5);
      }
      expect([changes.mock.calls.length, cache.bytes]).toEqual([1, 0]);
      now.mockReturnValue(start + 61_000);
      expect((await indexed(cache, map)).total).toBe(PAGES);
    } finally {
      now.mockRestore();
      changes.mockRestore();
    }
  });

  test.if(isFull)("contains the changes of several writers, in the caches of several nodes", async () => {
    const map = "shared";
    await fill(map);
    const caches = [new IndexCache(database), new IndexCache(database)];
    for (const cache of caches) await indexed(cache, map);
    const written: string[] = [];
    const writer = async (name: string) => {
      for (let page = 0; page < 8; page += 1) {
        await put(map, `${name}-${page}`, "A walrus.");
        written.push(`${name}-${page}`);
        const known = [...written];
        const index = await caches[page % 2]?.current(map);
        expect(index && found(index, "walru")).toEqual(expect.arrayContaining(known));
      }
    };
    await Promise.all([writer("a"), writer("b")]);
    for (const cache of caches) expect(found(await indexed(cache, map), "walru")).toEqual(written.sort());
  });

  test.if(isFull)(
    "is built again after each change by a node of an older release, which does not record changes",
    async () => {
      const map = "migrated";
      await fill(map);
      const forget = "DELETE text_change, text_version WHERE id[0] = $map";
      const touch = "UPSERT $id SET name = 'map', created_at = 1, updated_at = $at";
      const id = record("knowledge", map);
      await database.run(`${forget}; ${touch}`, { map, id, at: 1 });
      const cache = new IndexCache(database);
      const index = await indexed(cache, map);
      expect(await cache.current(map)).toBe(index);
      await put(map, "place-0", "A walrus.");
      await database.run(`${forget}; ${touch}`, { map, id, at: 2 });
      expect(await cache.current(map)).toBeUndefined();
      expect(found(await indexed(cache, map), "walru")).toEqual(["place-0"]);
      await put(map, "place-1", "A walrus.");
      expect(await cache.current(map)).toBeUndefined();
      const recorded = await indexed(cache, map);
      await put(map, "place-2", "A walrus.");
      expect(await cache.current(map)).toBe(recorded);
      expect(found(recorded, "walru")).toEqual(["place-0", "place-1", "place-2"]);
    },
  );

  test.if(isFull)("gives its pages new numbers in the background after many pages have changed", async () => {
    const map = "sparse";
    await fill(map);
    const cache = new IndexCache(database);
    const index = await indexed(cache, map);
    const keys = Array.from({ length: 120 }, (_, at) => `place-${at}`);
    for (let from = 0; from < keys.length; from += 60) {
      const rows = keys.slice(from, from + 60).map((key) => textRow(key, key, "A walrus.", map));
      await temporary.store.write([{ op: "put", table: "page_text", rows }]);
      expect(await cache.current(map)).toBe(index);
      expect([index.total, found(index, "walru").length]).toEqual([PAGES, from + 60]);
    }
    expect(index.isSparse).toBe(true);
    expect(await cache.current(map)).toBeUndefined();
    expect(await indexed(cache, map)).toBe(index);
    expect([index.isSparse, index.total, found(index, "walru")]).toEqual([false, PAGES, keys.sort()]);
  });

  test.if(isFull)(
    "is updated in the background after many changes, and searches continue without it",
    async () => {
      const map = "crawled";
      await fill(map);
      const cache = new IndexCache(database);
      const index = await indexed(cache, map);
      await fill(map, 2 * PAGES);
      await put(map, "quay", "A walrus.");
      expect(await cache.current(map)).toBeUndefined();
      const later = await indexed(cache, map);
      expect(later).toBe(index);
      expect([later.total, found(later, "walru")]).toEqual([2 * PAGES + 1, ["quay"]]);
    },
  );
});

describe("the memory of all search indexes", () => {
  test.if(isFull)(
    "is limited: the map that was not searched for the longest time loses its index",
    async () => {
      for (const map of ["one", "two"]) await fill(map);
      const { bytes } = await indexed(new IndexCache(database), "one");
      const cache = new IndexCache(database, { pages: PAGES, bytes: 1.5 * bytes });
      await indexed(cache, "one");
      await indexed(cache, "two");
      expect(cache.bytes).toBeLessThanOrEqual(1.5 * bytes);
      expect(await cache.current("one")).toBeUndefined();
      expect(await cache.current("two")).toBeDefined();
    },
  );

  test.if(isFull)(
    "is limited while several maps are searched: only one index is built at a time, and its memory counts too",
    async () => {
      const maps = ["m1", "m2", "m3", "m4", "m5"];
      for (const map of maps) await fill(map);
      const { bytes } = await indexed(new IndexCache(database), "m1");
      const limit = 2.5 * bytes;
      const cache = new IndexCache(database, { pages: PAGES, bytes: limit });
      const built: TextIndex[] = [];
      let most = 0;
      const original = TextIndex.prototype.put;
      const puts = spyOn(TextIndex.prototype, "put").mockImplementation(function (
        this: TextIndex,
        key,
        text,
      ) {
        original.call(this, key, text);
        if (built.at(-1) !== this) built.push(this);
        most = Math.max(most, cache.bytes);
      });
      try {
        await Promise.all(maps.map((map) => cache.current(map)));
        for (const map of maps.slice(-2)) await indexed(cache, map);
      } finally {
        puts.mockRestore();
      }
      // Each index is built once. If the same index was built twice at the same time, the list would contain
      // its map twice.
      expect([built.length, new Set(built).size]).toEqual([maps.length, maps.length]);
      // While an index is built, its size is checked only after each tenth of the map's pages. So the total may be
      // over the limit by a tenth of one index.
      expect(most).toBeGreaterThan(2 * bytes);
      expect(most).toBeLessThanOrEqual(limit + bytes / 4);
      expect(cache.bytes).toBeLessThanOrEqual(limit);
    },
  );

  test.if(isFull)(
    "holds no index of a map that is too small, has too many pages, or needs too many bytes",
    async () => {
      await put("small", "quay", "A walrus.");
      await fill("full");
      for (const [map, limits] of [
        ["small", { pages: PAGES, bytes: 1e6 }],
        ["full", { pages: PAGES - 1, bytes: 1e6 }],
        ["full", { pages: PAGES, bytes: 1_000 }],
      ] as const) {
        const cache = new IndexCache(database, limits);
        expect(await cache.current(map)).toBeUndefined();
        for (let before = -1; before !== database.statements.ok; await sleep(50))
          before = database.statements.ok;
        expect([await cache.current(map), cache.bytes]).toEqual([undefined, 0]);
      }
    },
  );

  test.if(isFull)(
    "checks a map that was too small again after a minute, and one that was too large after half an hour",
    async () => {
      const start = performance.now();
      const now = spyOn(performance, "now").mockReturnValue(start);
      const run = spyOn(database, "run");
      const requestsAfter = async (cache: IndexCache, map: string, minutes: number) => {
        // After each request, the cache works in the background. Its pauses (a minute, half an hour) start at the end
        // of this work. So the test first waits until the cache sends no more statements.
        for (let before = -1; before !== database.statements.ok; await sleep(50))
          before = database.statements.ok;
        now.mockReturnValue(start + minutes * 60_000);
        run.mockClear();
        await cache.current(map);
        return run.mock.calls.length;
      };
      try {
        await fill("tiny", 10);
        const cache = new IndexCache(database);
        expect(await requestsAfter(cache, "tiny", 0)).toBe(1);
        expect(await requestsAfter(cache, "tiny", 0.5)).toBe(0);
        await fill("tiny");
        expect(await requestsAfter(cache, "tiny", 1.5)).toBe(1);
        expect((await indexed(cache, "tiny")).total).toBe(PAGES);
        now.mockReturnValue(start);
        await fill("heavy");
        const full = new IndexCache(database, { pages: PAGES, bytes: 1_000 });
        expect(await requestsAfter(full, "heavy", 0)).toBe(1);
        expect(await requestsAfter(full, "heavy", 29)).toBe(0);
        expect(await requestsAfter(full, "heavy", 31)).toBe(1);
      } finally {
        now.mockRestore();
        run.mockRestore();
      }
    },
  );

  test.if(isFull)(
    "is freed by a map that grows beyond the limit, and the map's pages are still found",
    async () => {
      const map = "grown";
      await fill(map);
      const { bytes } = await indexed(new IndexCache(database), map);
      const cache = new IndexCache(database, { pages: 2 * PAGES, bytes: 1.02 * bytes });
      await indexed(cache, map);
      const long = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(" ");
      await put(map, "quay", `A walrus. ${long}`);
      expect(await cache.current(map)).toBeUndefined();
      const hits = await temporary.store.search(map, "walrus", 5);
      expect(hits.map(({ url }) => url)).toEqual(["https://site.test/quay"]);
    },
  );
});
