/** Tests how a batch of pages that a map ingests is split into parts, one for each commit. */
import { describe, expect, test } from "bun:test";
import {
  type Batch,
  batchWrites,
  emptyBatch,
  partsOf,
} from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import type { TransitionRecord } from "../../../machines/records/map-records.ts";
import type { LinkRecord } from "../../../machines/records/page-records.ts";

const transition = (to: number): TransitionRecord => ({
  in: ["map", "from"],
  out: ["map", `to${to}`],
  knowledge_id: "map",
  action: "{}",
  successes: 0,
  failures: 0,
  inferred: false,
  confidence: 1,
});
const link = (to: number): LinkRecord => ({
  in: ["map", "a"],
  out: ["map", `b${to}`],
  from_url: "a",
  to_url: `b${to}`,
  kind: "internal",
  text: "",
});
const numbers = (length: number) => Array.from({ length }, (_, n) => n);

describe("splitting a batch of pages that a map ingests", () => {
  const large: Batch = {
    ...emptyBatch,
    transitions: numbers(25).map(transition),
    links: numbers(12).map(link),
    replaced: [["map", "from"]],
    relinked: [["map", "a"]],
    gone: [["map", "action"]],
    mapped: [["map", "job", "a"]],
    taken: [["map", "job", "redirect"]],
    searchable: { job: 1 },
    websites: { site: "https://site.test" },
  };

  test("divides edges that do not fit into one commit between several parts, each edge once and in order", () => {
    const parts = partsOf(large, 10);
    expect(parts.map((part) => [part.transitions.length, part.links.length])).toEqual([
      [10, 10],
      [10, 2],
      [5, 0],
    ]);
    expect(parts.flatMap((part) => part.transitions)).toEqual([...large.transitions]);
    expect(parts.flatMap((part) => part.links)).toEqual([...large.links]);
  });

  test("removes replaced rows in the first part, and marks pages as ingested in the last", () => {
    const steps = partsOf(large, 10).map((part) =>
      batchWrites("map", part, [], 0).map((write) => ("table" in write ? write.table : write.edge)),
    );
    expect(steps).toEqual([
      ["links_to", "transition", "offers", "action", "transition", "links_to", "knowledge"],
      ["transition", "links_to", "knowledge"],
      ["transition", "ingest", "ingest", "knowledge"],
    ]);
    expect(partsOf(large, 10).map((part) => part.searchable)).toEqual([{}, {}, { job: 1 }]);
  });

  test("does not split a small batch", () => {
    expect(partsOf(large, 25)).toEqual([large]);
  });
});
