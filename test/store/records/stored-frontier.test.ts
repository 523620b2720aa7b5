import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FrontierRecord } from "../../../machines/records/exploration-records.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { frontierRow, JOB, leadingTo, MAP, pageRow } from "../sample-store-rows.ts";
import { diskStore } from "../temporary-store.ts";

const keys = (rows: readonly FrontierRecord[]) => rows.map(({ id }) => id[1]);

const temporary = await diskStore();
afterAll(() => temporary.close());

function put(...rows: FrontierRecord[]): Promise<void> {
  return temporary.store.write([{ op: "put", table: "frontier", rows }]);
}

describe("the URL queue of an exploration", () => {
  const job_id = "order";
  const row = (key: string, seq: number, depth: number, fields: Partial<FrontierRecord> = {}) =>
    frontierRow(key, seq, { job_id, depth, ...fields });

  beforeAll(() =>
    put(
      row("deep-early", 1, 3),
      row("shallow-late", 9, 1),
      row("shallow-early", 2, 1),
      row("middle", 5, 2),
      row("retry-later", 0, 0, { not_before: 5_000 }),
      row("taken", 3, 1, { state: "done", page_key: "taken" }),
      row("held-b", 8, 2, { state: "held" }),
      row("held-a", 7, 1, { state: "held" }),
      row("other-job", 0, 0, { job_id: "other", id: ["other", "other-job"] }),
    ),
  );

  test("returns URLs breadth-first: the lowest depth first, and at equal depth the URL that was found first", async () => {
    const rows = await temporary.store.frontier.next(job_id, { strategy: "BFS", limit: 10, now: 100 });
    expect(keys(rows)).toEqual(["shallow-early", "shallow-late", "middle", "deep-early"]);
  });

  test("returns URLs depth-first: the URL that was found last comes first", async () => {
    const rows = await temporary.store.frontier.next(job_id, { strategy: "DFS", limit: 2, now: 100 });
    expect(keys(rows)).toEqual(["shallow-late", "middle"]);
  });

  test("returns rows as they were written, without internal fields", async () => {
    const [first] = await temporary.store.frontier.next(job_id, { strategy: "BFS", limit: 1, now: 100 });
    expect(first).toEqual(row("shallow-early", 2, 1));
  });

  test("returns as many rows as requested although rows that wait for a retry or are excluded come first", async () => {
    const early = await temporary.store.frontier.next(job_id, { strategy: "BFS", limit: 2, now: 100 });
    expect(keys(early)).toEqual(["shallow-early", "shallow-late"]);
    const without = await temporary.store.frontier.next(job_id, {
      strategy: "BFS",
      limit: 2,
      now: 100,
      exclude: ["shallow-early", "shallow-late"],
    });
    expect(keys(without)).toEqual(["middle", "deep-early"]);
    const later = await temporary.store.frontier.next(job_id, { strategy: "BFS", limit: 1, now: 5_000 });
    expect(keys(later)).toEqual(["retry-later"]);
  });

  test("finds the next URLs even after many rows that wait for a retry", async () => {
    const waiting = Array.from({ length: 300 }, (_, seq) =>
      frontierRow(`w${seq}`, seq, { job_id: "stuck", not_before: 9_000, id: ["stuck", `w${seq}`] }),
    );
    await put(...waiting, frontierRow("ready", 300, { job_id: "stuck", id: ["stuck", "ready"] }));
    const rows = await temporary.store.frontier.next("stuck", { strategy: "BFS", limit: 3, now: 1 });
    expect(keys(rows)).toEqual(["ready"]);
    expect(await temporary.store.frontier.earliestRetry("stuck")).toBe(0);
  });

  test("returns a URL earlier when its depth is lowered", async () => {
    await put(row("moved", 20, 9, { job_id: "moves", id: ["moves", "moved"] }));
    await put(row("stays", 1, 3, { job_id: "moves", id: ["moves", "stays"] }));
    await temporary.store.write([
      { op: "merge", table: "frontier", rows: [{ id: ["moves", "moved"], depth: 1 }] },
    ]);
    const rows = await temporary.store.frontier.next("moves", { strategy: "BFS", limit: 2, now: 1 });
    expect(keys(rows)).toEqual(["moved", "stays"]);
  });

  test("returns held-back rows in breadth-first or depth-first order", async () => {
    expect(keys(await temporary.store.frontier.heldInOrder(job_id, "BFS", 5))).toEqual(["held-a", "held-b"]);
    expect(keys(await temporary.store.frontier.heldInOrder(job_id, "DFS", 1))).toEqual(["held-b"]);
    expect(await temporary.store.frontier.heldInOrder(job_id, "DFS", 0)).toEqual([]);
  });

  test.if(isFull)(
    "returns all URLs of one exploration in every state, even if one query does not return all of them",
    async () => {
      const rows = Array.from({ length: 5_001 }, (_, seq) =>
        row(`many-${seq}`, seq, 1, {
          job_id: "many",
          id: ["many", `many-${seq}`],
          state: seq % 2 ? "held" : "done",
        }),
      );
      await put(...rows);
      const found: string[] = [];
      for await (const part of temporary.store.frontier.all("many"))
        found.push(...part.map(({ url }) => url));
      expect(found.sort()).toEqual(rows.map(({ url }) => url).sort());
    },
  );

  test("counts URLs by state, and has no earliest retry for an unknown exploration", async () => {
    expect(await temporary.store.frontier.counts(job_id)).toEqual({
      queued: 5,
      held: 2,
      done: 1,
      failed: 0,
      skipped: 0,
    });
    expect(await temporary.store.frontier.earliestRetry("nobody")).toBeNull();
  });

  test("finds known URLs by key only in the given exploration", async () => {
    const known = await temporary.store.frontier.known(job_id, ["taken", "held-a", "other-job", "never"]);
    expect([...known.keys()].sort()).toEqual(["held-a", "taken"]);
    expect(known.get("taken")).toEqual({ state: "done", depth: 1, url: "https://site.test/taken" });
    expect((await temporary.store.frontier.known(job_id, [])).size).toBe(0);
  });
});

describe("the stored results of an exploration", () => {
  const all = Array.from({ length: 7 }, (_, at) => `p${at}`);
  const leads: Readonly<Record<string, ReturnType<typeof leadingTo>>> = {
    p0: leadingTo(["p2", "p1"], ["outside"]),
    p1: leadingTo(["p0"]),
    p6: leadingTo(["p0"]),
  };

  beforeAll(async () => {
    await temporary.store.write([
      {
        op: "put",
        table: "job",
        rows: [
          {
            id: JOB,
            knowledge_id: MAP,
            website_id: "site.test",
            status: "running",
            start_url: "https://site.test/",
            started_at: 1,
            updated_at: 1,
          },
        ],
      },
      { op: "put", table: "page", rows: all.map((key) => pageRow(key, leads[key])) },
      { op: "put", table: "page", rows: [pageRow("not-of-this-job", leadingTo(["p0"]))] },
      {
        op: "put",
        table: "frontier",
        rows: [
          ...all.map((key, at) =>
            frontierRow(key, 10 - at, { state: "done", page_key: key, depth: at < 3 ? 1 : 2 }),
          ),
          frontierRow("f1", 30, { state: "failed", error: "HTTP 500" }),
          frontierRow("f0", 20, { state: "failed", error: "no answer" }),
        ],
      },
    ]);
  });

  test("have pages in order of depth and discovery, in slices without repetition or gaps", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const slice = await temporary.store.frontier.pages(JOB, { limit: 2, cursor });
      expect(slice.items.length).toBeLessThanOrEqual(2);
      seen.push(...slice.items.map(({ key }) => key));
      cursor = slice.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(["p2", "p1", "p0", "p6", "p5", "p4", "p3"]);
    const { items } = await temporary.store.frontier.pages(JOB, { limit: 1 });
    expect(items[0]).toMatchObject({
      seq: 8,
      key: "p2",
      url: "https://site.test/p2",
      title: "Page p2",
      content: "Content of p2",
      metadata: '{"description":"About p2"}',
    });
  });

  test("have links in slices (parts of a long result): each slice has the links of the pages in the same slice of pages", async () => {
    const pages = await temporary.store.frontier.pages(JOB, { limit: 3 });
    const links = await temporary.store.pages.linksOfJob(JOB, { limit: 3 });
    expect(links.cursor).toBe(pages.cursor);
    expect(links.items.map(({ from_url, to_url }) => `${from_url.slice(18)}>${to_url.slice(18)}`)).toEqual([
      "p1>p0",
      "p0>p2",
      "p0>p1",
      "p0>outside",
    ]);
    const rest = await temporary.store.pages.linksOfJob(JOB, { limit: 30, cursor: links.cursor ?? "" });
    expect(rest.items.map(({ from_url }) => from_url.slice(18))).toEqual(["p6"]);
    expect(rest.cursor).toBeNull();
  });

  test("have counts of links by kind, only for pages of this exploration", async () => {
    expect(await temporary.store.pages.countLinksOfJob(JOB)).toEqual({ internal: 4, external: 1 });
  });

  test("have failures in order of discovery with their reasons", async () => {
    expect(await temporary.store.frontier.failures(JOB)).toEqual([
      { url: "https://site.test/f0", error: "no answer", attempts: 0 },
      { url: "https://site.test/f1", error: "HTTP 500", attempts: 0 },
    ]);
  });

  test("refuse an invalid cursor and state what to do", async () => {
    await expect(temporary.store.frontier.pages(JOB, { limit: 2, cursor: "nonsense" })).rejects.toMatchObject(
      {
        code: "store.bad_cursor",
        status: 422,
      },
    );
  });

  test("are empty for an unknown exploration", async () => {
    expect(await temporary.store.frontier.pages("nobody", { limit: 5 })).toEqual({ items: [], cursor: null });
    expect(await temporary.store.pages.countLinksOfJob("nobody")).toEqual({ internal: 0, external: 0 });
  });
});
