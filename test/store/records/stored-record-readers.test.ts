import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { retentionLimits } from "../../../machines/janitor/retention-limits.ts";
import type { JobRecord } from "../../../machines/records/exploration-records.ts";
import { storeLimits } from "../../../store/store-limits.ts";
import {
  deadLetter,
  frontierRow,
  ingestRow,
  linkRow,
  MAP,
  pageLink,
  pageRow,
  screenRow,
  textRow,
  transitionRow,
  unit,
} from "../sample-store-rows.ts";
import { memoryStore } from "../temporary-store.ts";

const temporary = await memoryStore();
afterAll(() => temporary.close());

function job(id: string, fields: Partial<JobRecord> = {}): JobRecord {
  return {
    id,
    knowledge_id: MAP,
    website_id: "site.test",
    status: "completed",
    start_url: "https://site.test/",
    started_at: 1,
    updated_at: 1,
    ...fields,
  };
}

describe("stored pages", () => {
  beforeAll(() =>
    temporary.store.write([
      { op: "put", table: "page", rows: [pageRow("a", { language: "en" }), pageRow("b")] },
      {
        op: "put",
        table: "page",
        rows: [pageRow("a", { knowledge_id: "elsewhere", id: ["elsewhere", "a"] })],
      },
      {
        op: "relate",
        edge: "links_to",
        rows: [
          linkRow("a", "b"),
          linkRow("b", "a"),
          linkRow("a", "a"),
          linkRow("a", "ghost", { kind: "external" }),
        ],
      },
    ]),
  );

  test("are read as they were written, by key (normalised URL) or by URL, separately for each map", async () => {
    expect(await temporary.store.pages.get(MAP, "a")).toEqual(pageRow("a", { language: "en" }));
    expect((await temporary.store.pages.byUrl(MAP, "https://site.test/a"))?.id).toEqual([MAP, "a"]);
    expect((await temporary.store.pages.byUrl("elsewhere", "https://site.test/a"))?.id).toEqual([
      "elsewhere",
      "a",
    ]);
    expect(await temporary.store.pages.byUrl("elsewhere", "https://site.test/b")).toBeUndefined();
    expect(await temporary.store.pages.get(MAP, "ghost")).toBeUndefined();
  });

  test("are read by many keys, and missing keys are left out", async () => {
    expect((await temporary.store.pages.getMany(MAP, ["b", "ghost"])).map(({ id }) => id[1])).toEqual(["b"]);
    expect(await temporary.store.pages.getMany(MAP, [])).toEqual([]);
  });

  test("can be read in part: sizes, fields for the search, or fields for screens", async () => {
    const sizes = await temporary.store.pages.sizes(MAP, ["b", "ghost"]);
    expect(sizes.map((row) => Object.keys(row).sort().join())).toEqual([
      "bytes,external_links,id,internal_links,url",
    ]);
    const [searched, ...more] = await temporary.store.pages.searched(MAP, ["b", "ghost"]);
    const { content, controls, headings, id, knowledge_id, metadata = "", title, url } = pageRow("b");
    expect([searched, more]).toEqual([
      { content, controls, headings, id, knowledge_id, metadata, title, url },
      [],
    ]);
    const [mapped] = await temporary.store.pages.mapped(MAP, ["b", "ghost"]);
    expect([Object.keys(mapped ?? {}).length, mapped && "content" in mapped]).toEqual([14, false]);
  });

  test("have links in both directions, with a link to the page itself once", async () => {
    const pairs = async (key: string, direction: "from" | "to" | "both") =>
      (await temporary.store.pages.links(MAP, key, direction))
        .map((link) => `${link.in[1]}>${link.out[1]}`)
        .sort();
    expect(await pairs("a", "from")).toEqual(["a>a", "a>b", "a>ghost"]);
    expect(await pairs("a", "to")).toEqual(["a>a", "b>a"]);
    expect(await pairs("a", "both")).toEqual(["a>a", "a>b", "a>ghost", "b>a"]);
    const [link] = await temporary.store.pages.links(MAP, "b", "from");
    expect(link).toEqual(linkRow("b", "a"));
  });

  test("have their links even if no edges are stored yet", async () => {
    const links = [pageLink("b"), pageLink("ghost", "external")];
    await temporary.store.write([
      { op: "put", table: "page", rows: [pageRow("fresh", { links: JSON.stringify(links) })] },
    ]);
    expect(await temporary.store.pages.leadsOf(MAP, "fresh")).toEqual({ links, relatives: [] });
    expect(await temporary.store.pages.links(MAP, "fresh", "from")).toEqual([]);
    expect(await temporary.store.pages.leadsOf(MAP, "nowhere")).toEqual({ links: [], relatives: [] });
  });
});

describe("stored screens", () => {
  const map = "screens";
  const screen = (id: string, fields = {}) => screenRow(id, { knowledge_id: map, id: [map, id], ...fields });

  beforeAll(() =>
    temporary.store.write([
      {
        op: "put",
        table: "screen",
        rows: [
          screen("s1"),
          screen("s2", { content_type: "documentation", is_actionable: false }),
          screen("s3", { website_id: "other.test" }),
          screen("s4"),
        ],
      },
      {
        op: "put",
        table: "action",
        rows: [
          {
            id: [map, "a1"],
            knowledge_id: map,
            action_id: "a1",
            action_type: "click",
            name: "Save",
            target: "{}",
          },
          {
            id: [map, "a2"],
            knowledge_id: map,
            action_id: "a2",
            action_type: "type",
            name: "Name",
            target: "{}",
          },
        ],
      },
      { op: "relate", edge: "offers", rows: [{ in: [map, "s1"], out: [map, "a1"] }] },
      { op: "relate", edge: "offers", rows: [{ in: [map, "s1"], out: [map, "a1"] }] },
      {
        op: "relate",
        edge: "transition",
        rows: [
          { ...transitionRow("s1", "s2"), in: [map, "s1"], out: [map, "s2"] },
          { ...transitionRow("s2", "s3"), in: [map, "s2"], out: [map, "s3"] },
        ],
      },
    ]),
  );

  test("are found by the key (normalised URL) of their page and by URL", async () => {
    const found = await temporary.store.screens.byPageKeys(map, [
      "site.test/s1",
      "site.test/none",
      "site.test/s4",
    ]);
    expect(found.map(({ screen_id }) => screen_id)).toEqual(["s1", "s4"]);
    expect(await temporary.store.screens.byUrl(map, "https://site.test/s3")).toEqual(
      screen("s3", { website_id: "other.test" }),
    );
    expect(await temporary.store.screens.byPageKeys("nobody", ["site.test/s2"])).toEqual([]);
  });

  test("are read with their structure, even an empty one, but are left out if it is unknown", async () => {
    const rows = [{ structure: "AAAA" }, { structure: "" }, {}].map((fields, at) =>
      screenRow(`s${at}`, { knowledge_id: "structures", ...fields }),
    );
    await temporary.store.write([{ op: "put", table: "screen", rows }]);
    expect(await temporary.store.screens.structures("structures")).toEqual([
      ["s0", "AAAA"],
      ["s1", ""],
    ]);
  });

  test("have transitions that can be read from either screen, or all at once", async () => {
    expect((await temporary.store.screens.transitionsFrom(map, "s1")).map(({ out }) => out[1])).toEqual([
      "s2",
    ]);
    expect((await temporary.store.screens.transitionsTo(map, "s3")).map((edge) => edge.in[1])).toEqual([
      "s2",
    ]);
    const each = await temporary.store.screens.transitionsFromEach(map, ["s2", "none", "s1"]);
    expect(each.map((transitions) => transitions.map(({ out }) => out[1]))).toEqual([["s3"], [], ["s2"]]);
    expect(await temporary.store.screens.transitionsFromEach(map, [])).toEqual([]);
    const pairs: string[] = [];
    for await (const batch of temporary.store.screens.adjacency(map, ["s1", "s2"]))
      pairs.push(...batch.map(([from, via]) => `${from}>${via}`));
    expect(pairs).toEqual(["s1>s2", "s2>s3"]);
  });

  test("have their old transitions replaced by a write, even if the write contains new and duplicate transitions", async () => {
    const { store } = temporary;
    const map = "replaced";
    const rowTo = (to: string, fields: Parameters<typeof transitionRow>[2]) => ({
      ...transitionRow("r1", to, fields),
      in: [map, "r1"] as const,
      out: [map, to] as const,
    });
    const first = rowTo("r2", { action: "old", roles: ["admin"], reasoning: "guessed" });
    await store.write([{ op: "relate", edge: "transition", rows: [first] }]);
    const rows = [
      rowTo("r2", { action: "new", roles: ["guest"] }),
      rowTo("r3", { action: "first" }),
      rowTo("r3", { action: "last" }),
    ];
    await store.write([{ op: "relate", edge: "transition", rows }]);
    const stored = await store.screens.transitionsFrom(map, "r1");
    expect(stored.map(({ action, roles, reasoning }) => [action, roles, reasoning])).toEqual([
      ["new", ["admin", "guest"], undefined],
      ["last", undefined, undefined],
    ]);
  });

  test("keep actions that one transaction deletes and writes again together with their edges", async () => {
    const map = "actions-again";
    const from = [map, "r1"] as const;
    const action = {
      id: [map, "save"],
      knowledge_id: map,
      action_id: "save",
      action_type: "click",
      name: "Save",
      target: "{}",
    } as const;
    const { store } = temporary;
    const written = [
      { op: "put", table: "action", rows: [action] },
      { op: "relate", edge: "offers", rows: [{ in: from, out: action.id }] },
    ] as const;
    await store.write([...written]);
    await store.write([{ op: "remove", table: "action", ids: [action.id] }, ...written]);
    const actions = await store.screens.actions(map, "r1");
    expect(actions.map(({ name }) => name)).toEqual(["Save"]);
  });

  test("keep transitions and actions that a transaction deletes and writes again", async () => {
    const map = "again";
    const from = [map, "r1"] as const;
    const action = {
      id: [map, "save"],
      knowledge_id: map,
      action_id: "save",
      action_type: "click",
      name: "Save",
      target: "{}",
    } as const;
    const edgesTo = (...screens: readonly string[]) =>
      [
        {
          op: "relate",
          edge: "transition",
          rows: screens.map((id) => ({ ...transitionRow("r1", id), in: from, out: [map, id] as const })),
        },
        { op: "relate", edge: "offers", rows: [{ in: from, out: action.id }] },
      ] as const;
    const { store } = temporary;
    await store.write([{ op: "put", table: "action", rows: [action] }, ...edgesTo("r2", "r3")]);
    await store.write([
      { op: "unrelate", edge: "transition", from: [from] },
      { op: "unrelate", edge: "offers", from: [from] },
      ...edgesTo("r3", "r4"),
    ]);
    const { transitions, actions } = await store.screens.offers(map, "r1");
    expect(transitions.map(({ out }) => out[1])).toEqual(["r3", "r4"]);
    expect(actions.map(({ name }) => name)).toEqual(["Save"]);
  });

  test("have links that are found by a part of their texts, even if the part starts or ends next to an accented letter", async () => {
    const { store } = temporary;
    const names = ["Übersicht", "Paramètres du compte", "Other"];
    const rows = names.map((name, at) => ({
      ...transitionRow("l1", `l${at + 2}`, { action: JSON.stringify({ name }) }),
      in: ["links", "l1"] as const,
      out: ["links", `l${at + 2}`] as const,
    }));
    await store.write([{ op: "relate", edge: "transition", rows }]);
    const found = async (word: string, limit = 10) =>
      (await store.screens.linksWith("links", word, limit)).map(([from, via]) => `${from}>${via}`);
    expect(await found("bersicht")).toEqual(["l1>l2"]);
    expect(await found("param")).toEqual(["l1>l3"]);
    expect(await found("r", 2)).toEqual(["l1>l2", "l1>l3"]);
  });

  test("have complete lists of transitions when these are read in slices, even for screens without transitions", async () => {
    const many = 2 * storeLimits.adjacencySlice + 10;
    const screens = Array.from({ length: many }, (_, n) => `s${String(n).padStart(6, "0")}`);
    const pairs = [
      ...screens.map((id) => [id, "hub"] as const),
      ["a", "hub"],
      ["s000001x", "hub"],
      ["z", "hub"],
    ];
    for (let at = 0; at < pairs.length; at += 1_000) {
      const rows = pairs.slice(at, at + 1_000).map(([from = "", to = ""]) => ({
        ...transitionRow(from, to),
        in: ["large", from] as const,
        out: ["large", to] as const,
      }));
      await temporary.store.write([{ op: "relate", edge: "transition", rows }]);
    }
    const sources: string[] = [];
    for await (const slice of temporary.store.screens.adjacency("large", screens))
      sources.push(...slice.map(([from]) => from));
    expect(sources).toEqual(pairs.map(([from = ""]) => from).sort());
  }, 60_000);

  test("have only those actions that belong to them", async () => {
    expect((await temporary.store.screens.actions(map, "s1")).map(({ name }) => name)).toEqual(["Save"]);
    expect(await temporary.store.screens.actions(map, "s2")).toEqual([]);
  });

  test("have transitions and actions that can be read at once for one screen, with the same result as separate reads", async () => {
    const { screens } = temporary.store;
    for (const id of ["s1", "s2", "none"]) {
      const offers = {
        transitions: await screens.transitionsFrom(map, id),
        actions: await screens.actions(map, id),
      };
      expect(await screens.offers(map, id)).toEqual(offers);
      const ids = ["s3", "none", id];
      const read = await screens.recognisableAndOffers(map, ids, id);
      expect(read.offers).toEqual(offers);
      expect(read.screens).toEqual(await screens.recognisable(map, ids));
    }
  });
});

test("pages that wait to be ingested are read in order for one step of the ingest (map or index), and counted for each map and step", async () => {
  const rows = [
    ingestRow("c", 3),
    ingestRow("a", 1),
    ingestRow("b", 2, { job_id: "job-2", id: [MAP, "job-2", "b"] }),
    ingestRow("d", 0, { phase: "index" }),
    ingestRow("e", 0, { knowledge_id: "other-queue" }),
  ];
  await temporary.store.write([{ op: "put", table: "ingest", rows }]);
  expect((await temporary.store.ingest.next(MAP, "map", 2)).map(({ page_key }) => page_key)).toEqual([
    "a",
    "b",
  ]);
  expect(await temporary.store.ingest.next(MAP, "index", 9)).toEqual([ingestRow("d", 0, { phase: "index" })]);
  expect(await temporary.store.ingest.counts(MAP)).toEqual({ map: 3, index: 1 });
  expect(await temporary.store.ingest.counts("other-queue")).toEqual({ map: 1, index: 0 });
});

describe("stored maps and explorations", () => {
  const summary = {
    knowledge_id: "counted",
    name: "Counted",
    pages: 2,
    screens: 1,
    transitions: 1,
    searchable: 1,
    documents: 0,
    websites: [{ website_id: "site.test", base_url: "https://site.test/" }],
    created_at: "1970-01-01T00:00:00.005Z",
    updated_at: "1970-01-01T00:00:00.007Z",
  };
  const id = "counted";

  beforeAll(() =>
    temporary.store.write([
      { op: "put", table: "knowledge", rows: [{ id, name: "Counted", created_at: 5, updated_at: 7 }] },
      {
        op: "put",
        table: "website",
        rows: [
          {
            id: [id, "site.test"],
            knowledge_id: id,
            website_id: "site.test",
            base_url: "https://site.test/",
          },
        ],
      },
      {
        op: "put",
        table: "page",
        rows: ["x", "y"].map((key) => pageRow(key, { knowledge_id: id, id: [id, key] })),
      },
      { op: "put", table: "screen", rows: [screenRow("s", { knowledge_id: id, id: [id, "s"] })] },
      {
        op: "relate",
        edge: "transition",
        rows: [{ ...transitionRow("s", "t"), in: [id, "s"], out: [id, "t"] }],
      },
      { op: "put", table: "page_text", rows: [textRow("x", "Unmistakable", "words", id)] },
    ]),
  );

  test("include a summary of each map with its counts and sites", async () => {
    expect(await temporary.store.maps.get(id)).toEqual(summary);
    expect(await temporary.store.maps.list()).toEqual([summary]);
    expect(await temporary.store.maps.get("none")).toBeUndefined();
  });

  test("are deleted without leaving rows behind, and without deleting those of another map", async () => {
    const many = storeLimits.batch + 20;
    await temporary.store.write([
      {
        op: "put",
        table: "ingest",
        rows: Array.from({ length: many }, (_, at) =>
          ingestRow(`k${at}`, at, { knowledge_id: id, id: [id, "job-1", `k${at}`] }),
        ),
      },
    ]);
    expect(await temporary.store.maps.delete(id)).toBe(true);
    expect(await temporary.store.maps.get(id)).toBeUndefined();
    expect(await temporary.store.pages.get(id, "x")).toBeUndefined();
    expect(await temporary.store.ingest.counts(id)).toEqual({ map: 0, index: 0 });
    expect(await temporary.store.search(id, "unmistakable", 5)).toEqual([]);
    expect(await temporary.store.screens.transitionsFrom(id, "s")).toEqual([]);
    expect(await temporary.store.pages.get(MAP, "a")).toBeDefined();
    expect(await temporary.store.maps.delete(id)).toBe(false);
  });

  test("include a list of explorations, newest first, each deletable with its URL rows", async () => {
    await temporary.store.write([
      { op: "put", table: "job", rows: [job("old"), job("new", { started_at: 9, knowledge_id: "m2" })] },
      { op: "put", table: "frontier", rows: [frontierRow("k", 1, { job_id: "old", id: ["old", "k"] })] },
      {
        op: "put",
        table: "crawl_note",
        rows: [{ id: ["old", "site"], job_id: "old", note: "https://site.test/" }],
      },
      {
        op: "put",
        table: "left_url",
        rows: [{ id: ["old", "t", "a"], job_id: "old", url: "https://site.test/a", depth: 1 }],
      },
    ]);
    expect((await temporary.store.jobs.list()).map((row) => row.id)).toEqual(["new", "old"]);
    expect((await temporary.store.jobs.list({ knowledgeId: "m2" })).map((row) => row.id)).toEqual(["new"]);
    expect(await temporary.store.jobs.get("old")).toEqual(job("old"));
    expect(await temporary.store.jobs.delete("old")).toBe(true);
    expect((await temporary.store.frontier.counts("old")).queued).toBe(0);
    expect(await temporary.store.memory.notes("old")).toEqual([]);
    expect(await temporary.store.memory.nextLeft("old", "t", 9)).toEqual([]);
    expect(await temporary.store.jobs.delete("old")).toBe(false);
  });
});

describe("the retention of stored data", () => {
  test("deletes only data older than the given time, in as many batches as needed", async () => {
    const { store } = temporary;
    const fence = (await store.actors.raiseFences([1])).get(1) ?? 0;
    const many = retentionLimits.sweepBatch + 5;
    const letters = Array.from({ length: many }, (_, at) => deadLetter(`old-${at}`, 10));
    await store.actors.commit([unit(1, fence, { deadLetters: [...letters, deadLetter("young", 100)] })]);
    expect(await store.retention.sweep("deadLetters", 100)).toBe(many);
    expect((await store.actors.deadLetters({ limit: 10 })).map(({ id }) => id)).toEqual(["young"]);
  });

  test("keeps stored replies until they expire", async () => {
    const { store } = temporary;
    await store.results.put("r1", "one", 10);
    await store.results.put("r2", "two", 20);
    await store.results.put("r2", "two again", 20);
    expect(await store.results.get("r2", 20)).toBe("two again");
    expect(await store.retention.sweep("results", 20)).toBe(1);
    expect(await store.results.get("r1", 20)).toBeUndefined();
    expect(await store.results.get("r2", 20)).toBe("two again");
  });

  test("deletes the URL rows of an exploration that ended long ago, and keeps those of a running one", async () => {
    const { store } = temporary;
    await store.write([
      { op: "put", table: "job", rows: [job("ended"), job("running", { status: "running" })] },
      {
        op: "put",
        table: "frontier",
        rows: ["ended", "running"].map((job_id) => frontierRow("k", 1, { job_id, id: [job_id, "k"] })),
      },
    ]);
    expect(await store.retention.sweep("endedJobs", 50)).toBe(1);
    expect((await store.frontier.counts("ended")).queued).toBe(0);
    expect((await store.frontier.counts("running")).queued).toBe(1);
    expect(await store.jobs.get("ended")).toBeDefined();
  });
});
