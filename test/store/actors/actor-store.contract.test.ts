/** Tests that each implementation of `ActorStore` fulfils its contract. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Cluster,
  joinStoreOfOthers,
  StoreServingLease,
  serveStoreToOthers,
} from "../../../actors/node/store-served-to-other-nodes.ts";
import { MemoryByteBus, MemoryLeases, systemClock } from "../../../actors/runtime/index.ts";
import { CairnError } from "../../../machines/errors.ts";
import type { StoreWrite } from "../../../machines/machine-emissions.ts";
import type { FrontierRecord } from "../../../machines/records/exploration-records.ts";
import type { LinkRecord } from "../../../machines/records/page-records.ts";
import {
  type ActorStore,
  joinStore,
  MemoryActorStore,
  openServedStore,
  openStore,
  type Store,
} from "../../../store/index.ts";
import { actorRow, deadLetter, frontierRow, JOB, linkRow, MAP, pageRow, unit } from "../sample-store-rows.ts";
import { diskStore, memoryStore } from "../temporary-store.ts";
import { startSurrealServer } from "../test-surreal-server.ts";

interface Subject {
  readonly store: ActorStore;
  readonly links: () => Promise<readonly LinkRecord[]>;
  readonly frontier: (key: string) => Promise<Pick<FrontierRecord, "state" | "depth"> | undefined>;
  readonly close: () => Promise<void>;
}

function surreal({ store, close }: { store: Store; close: () => Promise<void> }): Subject {
  return {
    store: store.actors,
    links: () => store.pages.links(MAP, "a", "from"),
    frontier: async (key) => (await store.frontier.known(JOB, [key])).get(key),
    close,
  };
}

function twin(): Subject {
  const store = new MemoryActorStore();
  return {
    store,
    links: async () => store.edges("links_to").filter((link) => link.in[1] === "a"),
    frontier: async (key) => store.rows("frontier").find((row) => row.id[1] === key),
    close: async () => {},
  };
}

async function onServer(): Promise<Subject> {
  const server = await startSurrealServer();
  const options = { url: server.url, username: "root", password: "secret" };
  await (await openStore(options)).close();
  const store = await joinStore(options);
  const close = async () => {
    await store.close();
    await server.stop();
  };
  return surreal({ store, close });
}

const subjects: Readonly<Record<string, () => Promise<Subject>>> = {
  "the memory twin": async () => twin(),
  "SurrealDB in memory": async () => surreal(await memoryStore()),
  "SurrealDB on disk": async () => surreal(await diskStore()),
  "SurrealDB in another thread": async () => {
    const { store: owned, close } = await memoryStore();
    const store = await openServedStore({ call: (bytes) => owned.serve(bytes) });
    return surreal({ store, close });
  },
  "SurrealDB in another node, over the bus": async () => {
    const { store: owned, close } = await memoryStore();
    const cluster: Cluster = {
      node: "contract",
      bytes: new MemoryByteBus(),
      leases: new MemoryLeases(systemClock, 1_000),
      leaseTtl: 1_000,
      log: () => {},
    };
    const servingLease = await StoreServingLease.take(cluster);
    const stop = await serveStoreToOthers(owned, servingLease, cluster);
    const others = await joinStoreOfOthers(cluster);
    const closeAll = async () => {
      await others.close();
      stop();
      await servingLease.close();
      await close();
    };
    return surreal({ store: others.store, close: closeAll });
  },
  // On runtimes other than Bun, the SurrealDB server for tests is left out, because it needs Bun's sockets.
  ...("Bun" in globalThis ? { "a SurrealDB server": onServer } : {}),
};

function codes(outcomes: readonly { ok: boolean; error?: Error }[]): readonly string[] {
  return outcomes.map(({ ok, error }) =>
    ok ? "ok" : error instanceof CairnError ? error.code : String(error),
  );
}

for (const [name, open] of Object.entries(subjects)) {
  describe(name, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    test("the fence (owner number) of a shard is increased by one for a new owner, independently of other shards", async () => {
      const first = await subject.store.raiseFences([1, 2]);
      const second = await subject.store.raiseFences([2, 3]);
      expect(second.get(2)).toBe((first.get(2) ?? Number.NaN) + 1);
      expect(first.get(1)).toBe(1);
      expect([...second.keys()].sort()).toEqual([2, 3]);
    });

    test("an actor is loaded as it was committed, and its next commit replaces the stored row", async () => {
      const fence = (await subject.store.raiseFences([4])).get(4) ?? 0;
      const row = actorRow("a/b c", 4, {
        data: '{"n":1,"text":"ü\\n"}',
        wake_at: 1_700_000_000_123,
        state: "on",
      });
      expect(codes(await subject.store.commit([unit(4, fence, { rows: [row] })]))).toEqual(["ok"]);
      expect(await subject.store.load(row)).toEqual(row);
      const next = { ...row, data: '{"n":2}', wake_at: null, version: 2, state: "off", updated_at: 2 };
      await subject.store.commit([unit(4, fence, { rows: [next] })]);
      expect(await subject.store.load(row)).toEqual(next);
      expect(await subject.store.load({ kind: "thing", id: "never" })).toBeUndefined();
      expect(await subject.store.load({ kind: "other", id: "a/b c" })).toBeUndefined();
    });

    test("after a new owner has raised the fence (owner number) of a shard, the earlier owner cannot write", async () => {
      const old = (await subject.store.raiseFences([5])).get(5) ?? 0;
      const current = (await subject.store.raiseFences([5])).get(5) ?? 0;
      const late = unit(5, old, {
        rows: [actorRow("late", 5)],
        writes: [{ op: "put", table: "frontier", rows: [frontierRow("late", 1)] }],
        deadLetters: [deadLetter("late")],
      });
      expect(codes(await subject.store.commit([late]))).toEqual(["store.fenced"]);
      expect(await subject.store.load({ kind: "thing", id: "late" })).toBeUndefined();
      expect(await subject.frontier("late")).toBeUndefined();
      expect((await subject.store.deadLetters({ limit: 100 })).map(({ id }) => id)).not.toContain("late");
      expect(codes(await subject.store.commit([unit(5, current, { rows: [actorRow("late", 5)] })]))).toEqual([
        "ok",
      ]);
    });

    test("a commit that arrives after a later commit of the same owner is refused, even in a group of commits", async () => {
      const fence = (await subject.store.raiseFences([11])).get(11) ?? 0;
      const slow = unit(11, fence, { rows: [actorRow("eleven", 11, { data: '"old"' })] });
      const quick = unit(11, fence, { rows: [actorRow("eleven", 11, { data: '"new"' })] });
      expect(codes(await subject.store.commit([quick]))).toEqual(["ok"]);
      const other = unit(12, (await subject.store.raiseFences([12])).get(12) ?? 0);
      expect(codes(await subject.store.commit([slow, other]))).toEqual(["store.fenced", "ok"]);
      expect((await subject.store.load({ kind: "thing", id: "eleven" }))?.data).toBe('"new"');
      const next = (await subject.store.raiseFences([11])).get(11) ?? 0;
      expect(codes(await subject.store.commit([unit(11, next, { step: 1 })]))).toEqual(["ok"]);
    });

    test("a store reports whether a commit without an answer was stored; if it was not, a later arrival of it is refused", async () => {
      const fence = (await subject.store.raiseFences([13])).get(13) ?? 0;
      const [was, done, open] = ["was", "done", "open"].map((data) => actorRow("thirteen", 13, { data }));
      if (!was || !done || !open) throw new Error("three rows");
      const step = (n: number) => ({ shard: 13, fence, step: n });
      await subject.store.commit([unit(13, fence, { step: 1, rows: [was] })]);
      await subject.store.commit([unit(13, fence, { step: 2, rows: [done] })]);
      expect(await subject.store.landed({ ...step(3), row: done })).toBe(true);
      expect(await subject.store.landed({ ...step(5), row: open })).toBe(false);
      expect(codes(await subject.store.commit([unit(13, fence, { step: 4, rows: [open] })]))).toEqual([
        "store.fenced",
      ]);
      expect(codes(await subject.store.commit([unit(13, fence, { step: 6, rows: [open] })]))).toEqual(["ok"]);
      expect(await subject.store.landed({ ...step(7), row: actorRow("never", 13) })).toBe(false);
      await subject.store.raiseFences([13]);
      const refused = subject.store.landed({ ...step(8), row: open });
      await expect(refused).rejects.toMatchObject({ code: "store.fenced" });
    });

    test("a shard refuses commits until an owner has raised its fence (owner number)", async () => {
      expect(codes(await subject.store.commit([unit(99, 1, { rows: [actorRow("x", 99)] })]))).toEqual([
        "store.fenced",
      ]);
    });

    test("in a group of commits, only the commit of an earlier owner fails, and outcomes keep the order of the commits", async () => {
      const fences = await subject.store.raiseFences([6, 7, 8]);
      const outcomes = await subject.store.commit([
        unit(6, fences.get(6) ?? 0, { rows: [actorRow("six", 6)] }),
        unit(7, (fences.get(7) ?? 0) - 1, { rows: [actorRow("seven", 7)] }),
        unit(8, fences.get(8) ?? 0, { rows: [actorRow("eight", 8)] }),
      ]);
      expect(codes(outcomes)).toEqual(["ok", "store.fenced", "ok"]);
      expect(await subject.store.load({ kind: "thing", id: "seven" })).toBeUndefined();
      expect(await subject.store.load({ kind: "thing", id: "eight" })).toBeDefined();
    });

    test("if a group of commits contains two of one actor, the row of the later commit is stored", async () => {
      const fence = (await subject.store.raiseFences([9])).get(9) ?? 0;
      await subject.store.commit([
        unit(9, fence, { rows: [actorRow("twice", 9, { data: '"first"' })] }),
        unit(9, fence, { rows: [actorRow("twice", 9, { data: '"second"' })] }),
      ]);
      expect((await subject.store.load({ kind: "thing", id: "twice" }))?.data).toBe('"second"');
    });

    test("additional writes are stored with the commit, and repeating a write changes nothing", async () => {
      const fence = (await subject.store.raiseFences([10])).get(10) ?? 0;
      const writes: readonly StoreWrite[] = [
        { op: "put", table: "page", rows: [pageRow("a"), pageRow("b")] },
        { op: "put", table: "frontier", rows: [frontierRow("a", 1), frontierRow("b", 2)] },
        { op: "relate", edge: "links_to", rows: [linkRow("a", "b"), linkRow("a", "c")] },
      ];
      const twice = [unit(10, fence, { writes }), unit(10, fence, { writes })];
      expect(codes(await subject.store.commit(twice))).toEqual(["ok", "ok"]);
      expect(codes(await subject.store.commit([unit(10, fence, { writes })]))).toEqual(["ok"]);
      expect((await subject.links()).map(({ out }) => out[1]).sort()).toEqual(["b", "c"]);
      await subject.store.commit([
        unit(10, fence, {
          writes: [
            { op: "merge", table: "frontier", rows: [{ id: [JOB, "a"], state: "done" }] },
            { op: "merge", table: "frontier", rows: [{ id: [JOB, "not there"], state: "done" }] },
            { op: "remove", table: "frontier", ids: [[JOB, "b"]] },
            { op: "relate", edge: "links_to", rows: [linkRow("a", "b", { text: "changed" })] },
          ],
        }),
      ]);
      expect(await subject.frontier("a")).toMatchObject({ state: "done", depth: 1 });
      expect(await subject.frontier("b")).toBeUndefined();
      expect(await subject.frontier("not there")).toBeUndefined();
      expect((await subject.links()).find(({ out }) => out[1] === "b")?.text).toBe("changed");
      await subject.store.commit([
        unit(10, fence, { writes: [{ op: "unrelate", edge: "links_to", from: [[MAP, "a"]] }] }),
      ]);
      expect(await subject.links()).toEqual([]);
    });

    test("the due actors of given shards are those whose wake time is before the given time, the earliest first", async () => {
      const fences = await subject.store.raiseFences([20, 21, 22]);
      await subject.store.commit([
        unit(20, fences.get(20) ?? 0, {
          rows: [
            actorRow("d1", 20, { wake_at: 30 }),
            actorRow("d2", 20, { wake_at: 10 }),
            actorRow("d3", 20),
          ],
        }),
        unit(21, fences.get(21) ?? 0, {
          rows: [actorRow("d4", 21, { wake_at: 20 }), actorRow("d5", 21, { wake_at: 40 })],
        }),
        unit(22, fences.get(22) ?? 0, { rows: [actorRow("d6", 22, { wake_at: 1 })] }),
      ]);
      const due = await subject.store.due([20, 21], 40, 10);
      expect(due.map(({ id, wake_at }) => `${id}@${wake_at}`)).toEqual(["d2@10", "d4@20", "d1@30"]);
      expect((await subject.store.due([20, 21], 40, 2)).map(({ id }) => id)).toEqual(["d2", "d4"]);
    });

    test("actors are listed in order of kind and id, in pages without repetition or gaps", async () => {
      const fence = (await subject.store.raiseFences([30])).get(30) ?? 0;
      const ids = ["k1", "k10", "k2", "k3", "k4"];
      await subject.store.commit([
        unit(30, fence, {
          rows: [
            ...ids.map((id) => actorRow(id, 30, { kind: "listed", state: id === "k3" ? "busy" : "idle" })),
            actorRow("other", 30, { kind: "listedtoo" }),
          ],
        }),
      ]);
      const seen: string[] = [];
      let after: { kind: string; id: string } | undefined;
      for (;;) {
        const rows = await subject.store.list({ kind: "listed", limit: 2, ...(after ? { after } : {}) });
        seen.push(...rows.map(({ id }) => id));
        after = rows.at(-1);
        if (rows.length < 2) break;
      }
      expect(seen).toEqual(ids);
      const busy = await subject.store.list({ kind: "listed", state: "busy", limit: 1 });
      expect(busy.map(({ id }) => id)).toEqual(["k3"]);
      expect(busy[0]).not.toHaveProperty("data");
      const all = await subject.store.list({ limit: 1_000 });
      expect(all.map(({ kind }) => kind)).toEqual(all.map(({ kind }) => kind).sort());
      const rest = await subject.store.list({ limit: 1_000, after: { kind: "listed", id: "k4" } });
      expect(rest[0]?.id).toBe("other");
    });

    test("a list of actors by state includes nested states, and not states with the same prefix", async () => {
      const fence = (await subject.store.raiseFences([33])).get(33) ?? 0;
      const states = ["on", "on.low", "on.high.er", "once", "off.on"];
      const rows = states.map((state, at) => actorRow(`s${at}`, 33, { kind: "nested", state }));
      await subject.store.commit([unit(33, fence, { rows })]);
      const on = await subject.store.list({ kind: "nested", state: "on", limit: 10 });
      expect(on.map(({ state }) => state)).toEqual(["on", "on.low", "on.high.er"]);
    });

    test("a list of actors of one kind that is sorted by time starts with the actors that changed last", async () => {
      const fence = (await subject.store.raiseFences([35])).get(35) ?? 0;
      const rows = ["a", "b", "c", "d"].map((id, at) =>
        actorRow(id, 35, {
          kind: "timed",
          state: id === "d" ? "busy" : "idle",
          updated_at: [20, 40, 30, 10][at] ?? 0,
        }),
      );
      const newest = actorRow("newest", 35, { kind: "timedtoo", updated_at: 50 });
      await subject.store.commit([unit(35, fence, { rows: [...rows, newest] })]);
      const ids = async (query: { readonly state?: string; readonly limit: number }) =>
        (await subject.store.list({ kind: "timed", order: "updated", ...query })).map(({ id }) => id);
      expect(await ids({ limit: 3 })).toEqual(["b", "c", "a"]);
      expect(await ids({ state: "busy", limit: 3 })).toEqual(["d"]);
      const all = await subject.store.list({ order: "updated", limit: 1_000 });
      const times = all.map(({ updated_at }) => updated_at);
      expect(times).toEqual([...times].sort((one, other) => other - one));
    });

    test("an actor that was removed from the store cannot be loaded", async () => {
      const fence = (await subject.store.raiseFences([31])).get(31) ?? 0;
      await subject.store.commit([unit(31, fence, { rows: [actorRow("removed", 31)] })]);
      await subject.store.remove({ kind: "thing", id: "removed" });
      expect(await subject.store.load({ kind: "thing", id: "removed" })).toBeUndefined();
    });

    test("dead letters are listed in pages and removed one at a time", async () => {
      const fence = (await subject.store.raiseFences([32])).get(32) ?? 0;
      const letters = ["l1", "l2", "l3"].map((id) => deadLetter(id));
      await subject.store.commit([unit(32, fence, { deadLetters: letters })]);
      expect(await subject.store.deadLetters({ limit: 2 })).toEqual(letters.slice(0, 2));
      expect(await subject.store.deadLetters({ limit: 2, after: "l2" })).toEqual(letters.slice(2));
      expect(await subject.store.deadLetter("l2")).toEqual(letters[1]);
      expect(await subject.store.removeDeadLetter("l2")).toBe(true);
      expect(await subject.store.removeDeadLetter("l2")).toBe(false);
      expect(await subject.store.deadLetter("l2")).toBeUndefined();
      expect((await subject.store.deadLetters({ limit: 9 })).map(({ id }) => id)).toEqual(["l1", "l3"]);
    });

    test("a replayed dead letter is deleted by the commit that applies it, and kept if this commit is refused as that of an earlier owner", async () => {
      const fence = (await subject.store.raiseFences([34])).get(34) ?? 0;
      await subject.store.commit([unit(34, fence, { deadLetters: [deadLetter("m1"), deadLetter("m2")] })]);
      const late = unit(34, fence - 1, { rows: [actorRow("late", 34)], replayed: ["m1"] });
      expect(codes(await subject.store.commit([late]))).toEqual(["store.fenced"]);
      expect(await subject.store.deadLetter("m1")).toBeDefined();
      const good = unit(34, fence, { rows: [actorRow("good", 34)], replayed: ["m1", "never"] });
      expect(codes(await subject.store.commit([good]))).toEqual(["ok"]);
      expect(await subject.store.deadLetter("m1")).toBeUndefined();
      expect(await subject.store.deadLetter("m2")).toBeDefined();
    });
  });
}

test("in SurrealDB a commit with one row that violates the schema writes none of its rows, and other commits succeed", async () => {
  const { store, close } = await memoryStore();
  const fences = await store.actors.raiseFences([1, 2]);
  // The field `depth` of this row has a wrong type, as if a defect in other code had caused it.
  const broken = { ...frontierRow("broken", 1), depth: "deep" } as unknown as FrontierRecord;
  const outcomes = await store.actors.commit([
    unit(1, fences.get(1) ?? 0, {
      rows: [actorRow("one", 1)],
      writes: [{ op: "put", table: "frontier", rows: [frontierRow("fine", 2), broken] }],
    }),
    unit(2, fences.get(2) ?? 0, { rows: [actorRow("two", 2)] }),
  ]);
  expect(codes(outcomes)).toEqual(["store.query_failed", "ok"]);
  expect(await store.actors.load({ kind: "thing", id: "one" })).toBeUndefined();
  expect((await store.frontier.known(JOB, ["fine"])).size).toBe(0);
  await close();
});

test("commits that compete for the same record all succeed, because they are retried", async () => {
  const { store, close } = await diskStore();
  const shards = Array.from({ length: 12 }, (_, shard) => shard);
  const fences = await store.actors.raiseFences(shards);
  const writes = [{ op: "put", table: "frontier", rows: [frontierRow("same", 1)] }] as const;
  const outcomes = await Promise.all(
    shards.map((at) =>
      store.actors.commit([unit(at, fences.get(at) ?? 0, { rows: [actorRow(`r${at}`, at)], writes })]),
    ),
  );
  expect(codes(outcomes.flat())).toEqual(Array.from({ length: 12 }, () => "ok"));
  expect(await store.actors.list({ limit: 100 })).toHaveLength(12);
  await close();
});
