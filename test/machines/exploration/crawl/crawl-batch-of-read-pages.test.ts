/** Tests how the results of a crawl change the URL queue and the counts of the job, and how a large batch is split. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  applyBatch,
  type Counts,
  type CrawlBatch,
  EMPTY_BATCH,
  frontierRow,
  partsOf,
} from "../../../../machines/exploration/crawl/crawl-batch-of-read-pages.ts";
import type { FrontierRecord } from "../../../../machines/records/exploration-records.ts";

function job(counts: Partial<Counts>, max_pages = 10) {
  return {
    job_id: "job",
    knowledge_id: "map",
    max_pages,
    seq: 7,
    counts: { completed: 0, queued: 0, failed: 0, skipped: 0, held: 0, ...counts },
  };
}

const row = (key: string, state: FrontierRecord["state"] = "queued") =>
  frontierRow("job", { key, url: key, depth: 1 }, 3, state);
const found = (key: string) => ({ key, url: key, depth: 2 });
const settled = (key: string, state: "done" | "failed" | "skipped" | "retry") => ({
  row: row(key),
  state,
  page_key: state === "done" ? key : null,
  error: state === "done" ? null : "why",
  not_before: state === "retry" ? 5_000 : 0,
});

/** Returns the keys of the written URLs whose new state is `state`. */
function written(batch: ReturnType<typeof applyBatch>, state: string): string[] {
  return batch.writes.flatMap((write) =>
    (write.op === "put" || write.op === "merge") && write.table === "frontier"
      ? write.rows.filter((each) => each.state === state).map((each) => each.id[1])
      : [],
  );
}

describe("applying a batch of crawl results", () => {
  test("admits new URLs up to max_pages, and holds further ones back", () => {
    const applied = applyBatch(job({ completed: 3, queued: 5 }), {
      ...EMPTY_BATCH,
      discovered: ["a", "b", "c", "d"].map(found),
    });
    expect(written(applied, "queued")).toEqual(["a", "b"]);
    expect(written(applied, "held")).toEqual(["c", "d"]);
    expect(applied.counts).toEqual({ completed: 3, queued: 7, failed: 0, skipped: 0, held: 2 });
  });

  test("replaces one of many similar queued URLs by a rare URL when max_pages is reached, and holds other URLs back", () => {
    const applied = applyBatch(job({ completed: 4, queued: 6 }), {
      ...EMPTY_BATCH,
      discovered: [found("many"), { ...found("rare"), rare: true }, { ...found("rare-2"), rare: true }],
      yielding: [row("waits")],
    });
    expect(written(applied, "queued")).toEqual(["rare"]);
    expect(written(applied, "held")).toEqual(["waits", "many", "rare-2"]);
    expect(applied.counts).toEqual({ completed: 4, queued: 6, failed: 0, skipped: 0, held: 3 });
  });

  test("keeps a queued URL when a URL of a rare form is added, if the queue has room for both", () => {
    const applied = applyBatch(job({ queued: 8 }), {
      ...EMPTY_BATCH,
      discovered: [{ ...found("rare"), rare: true }],
      yielding: [row("stays")],
    });
    expect(written(applied, "queued")).toEqual(["rare"]);
    expect(written(applied, "held")).toEqual([]);
    expect(applied.counts).toMatchObject({ queued: 9, held: 0 });
  });

  test("queues the first held-back URL when another URL is skipped", () => {
    const applied = applyBatch(job({ queued: 10, held: 1 }), {
      ...EMPTY_BATCH,
      settled: [settled("x", "skipped")],
      waiting: [row("held", "held")],
      discovered: [found("new")],
    });
    expect(written(applied, "queued")).toEqual(["held"]);
    expect(written(applied, "held")).toEqual(["new"]);
    expect(applied.counts).toMatchObject({ queued: 10, skipped: 1, held: 1 });
  });

  test("counts a failed page as a known page", () => {
    const applied = applyBatch(job({ queued: 10 }), {
      ...EMPTY_BATCH,
      settled: [settled("x", "failed")],
      discovered: [found("new")],
    });
    expect(applied.counts).toMatchObject({ queued: 9, failed: 1, held: 1 });
  });

  test("keeps a URL in the queue for a retry, with its number of attempts and the time of the next attempt", () => {
    const applied = applyBatch(job({ queued: 1 }), { ...EMPTY_BATCH, settled: [settled("x", "retry")] });
    expect(applied.counts).toMatchObject({ queued: 1, failed: 0 });
    expect(applied.writes).toEqual([
      {
        op: "merge",
        table: "frontier",
        rows: [{ id: ["job", "x"], attempts: 1, not_before: 5_000, error: "why" }],
      },
    ]);
  });

  test("counts the target of a redirect as a separate page", () => {
    const applied = applyBatch(job({ queued: 1 }), {
      ...EMPTY_BATCH,
      settled: [settled("from", "skipped")],
      arrived: [{ ...found("to"), held: false }],
    });
    expect(applied.counts).toMatchObject({ completed: 1, queued: 0, skipped: 1 });
    expect(written(applied, "done")).toEqual(["to"]);
  });

  test("numbers new URLs in the order of discovery", () => {
    const applied = applyBatch(job({}), { ...EMPTY_BATCH, discovered: ["a", "b"].map(found) });
    expect(applied.seq).toBe(9);
    const rows = applied.writes.flatMap((write) =>
      write.op === "put" && write.table === "frontier" ? write.rows : [],
    );
    expect(rows.map(({ seq }) => seq)).toEqual([7, 8]);
  });

  test("counts every known page within the limits as completed, queued or failed, for random batches", () => {
    const state = fc.constantFrom("done", "failed", "skipped", "retry");
    fc.assert(
      fc.property(
        fc.array(state, { maxLength: 20 }),
        fc.nat({ max: 20 }),
        fc.nat({ max: 30 }),
        fc.nat({ max: 30 }),
        (states, alsoQueued, heldBefore, discoveries) => {
          const queued = states.length + alsoQueued;
          const max_pages = Math.max(queued, 1) + 5;
          const before = job({ queued, held: heldBefore }, max_pages);
          const freed = states.filter((each) => each === "skipped").length;
          const applied = applyBatch(before, {
            ...EMPTY_BATCH,
            settled: states.map((each, i) => settled(`s${i}`, each)),
            waiting: Array.from({ length: Math.min(freed, heldBefore) }, (_, i) => row(`h${i}`, "held")),
            discovered: Array.from({ length: discoveries }, (_, i) => found(`d${i}`)),
          });
          const { completed, failed, held } = applied.counts;
          expect(completed + applied.counts.queued + failed).toBeLessThanOrEqual(max_pages);
          const admitted = written(applied, "queued").length;
          expect(applied.counts.queued).toBe(
            queued - states.filter((each) => each !== "retry").length + admitted,
          );
          expect(held).toBeGreaterThanOrEqual(0);
          expect(applied.counts.queued).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe("splitting a large batch of crawl results", () => {
  const discovered = Array.from({ length: 25 }, (_, n) => found(`new${n}`));
  const large: CrawlBatch = {
    ...EMPTY_BATCH,
    discovered,
    settled: [settled("page", "done")],
    arrived: [{ ...found("target"), held: false }],
    external: [{ from_url: "page", to_url: "elsewhere" }],
    nofollow: 3,
    current_url: "page",
  };

  test("has the same result in parts as in one commit", () => {
    const [whole, ...parts] = [[large], partsOf(large, 10)].map((batches) => {
      let facts = job({ queued: 1 }, 20);
      const writes = batches.flatMap((batch) => {
        const applied = applyBatch(facts, batch);
        facts = { ...facts, ...applied };
        return applied.writes;
      });
      const states = ["done", "queued", "held"].map((state) => written({ ...facts, writes }, state));
      return { counts: facts.counts, states };
    });
    expect<unknown>(parts).toEqual([whole]);
    expect(whole?.counts).toMatchObject({ completed: 2, queued: 18, held: 7 });
  });

  test("marks pages as done only in the last part, and writes each row once", () => {
    const parts = partsOf(large, 10);
    expect(parts.map((part) => part.discovered.length)).toEqual([10, 10, 5]);
    expect(parts.map((part) => part.settled.length)).toEqual([0, 0, 1]);
    expect(parts.map((part) => part.nofollow)).toEqual([0, 0, 3]);
    expect(parts.flatMap((part) => part.external)).toEqual([...large.external]);
  });

  test("does not split a small batch", () => {
    expect(partsOf(large, 25)).toEqual([large]);
    expect(partsOf(EMPTY_BATCH, 25)).toEqual([EMPTY_BATCH]);
  });
});
