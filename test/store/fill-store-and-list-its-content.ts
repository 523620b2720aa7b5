/**
 * Fills a store with records of every kind, and returns an inventory of its content. Two stores with equal
 * inventories have the same content.
 */
import type { OwnedStore } from "../../store/index.ts";
import {
  actorRow,
  deadLetter,
  frontierRow,
  ingestRow,
  JOB,
  leadingTo,
  linkRow,
  MAP,
  pageRow,
  screenRow,
  textRow,
  transitionRow,
  unit,
} from "./sample-store-rows.ts";

const PAGES = Array.from({ length: 230 }, (_, at) => `page-${at}`);

export async function fillStore(store: OwnedStore): Promise<void> {
  const fence = (await store.actors.raiseFences([3])).get(3) ?? 0;
  const [outcome] = await store.actors.commit([
    unit(3, fence, {
      rows: [actorRow("one", 3, { data: '{"deep":["ü",1.5,null]}', wake_at: 17 }), actorRow("two", 3)],
      deadLetters: [deadLetter("d1")],
      writes: [
        { op: "put", table: "knowledge", rows: [{ id: MAP, name: "Map", created_at: 1, updated_at: 2 }] },
        {
          op: "put",
          table: "website",
          rows: [{ id: [MAP, "w"], knowledge_id: MAP, website_id: "w", base_url: "https://site.test/" }],
        },
        {
          op: "put",
          table: "job",
          rows: [
            {
              id: JOB,
              knowledge_id: MAP,
              website_id: "w",
              status: "running",
              start_url: "https://site.test/",
              started_at: 1,
              updated_at: 1.5,
            },
          ],
        },
        { op: "put", table: "page", rows: PAGES.map((key) => pageRow(key, leadingTo(["page-0"]))) },
        {
          op: "put",
          table: "frontier",
          rows: PAGES.map((key, seq) => frontierRow(key, seq, { state: "done", page_key: key })),
        },
        { op: "put", table: "ingest", rows: [ingestRow("page-1", 1)] },
        { op: "relate", edge: "links_to", rows: PAGES.map((key) => linkRow(key, "page-0")) },
        { op: "put", table: "screen", rows: [screenRow("s1"), screenRow("s2")] },
        {
          op: "put",
          table: "action",
          rows: [
            {
              id: [MAP, "a"],
              knowledge_id: MAP,
              action_id: "a",
              action_type: "click",
              name: "Save",
              target: "{}",
            },
          ],
        },
        { op: "relate", edge: "shows", rows: [{ in: [MAP, "page-1"], out: [MAP, "s1"] }] },
        { op: "relate", edge: "offers", rows: [{ in: [MAP, "s1"], out: [MAP, "a"] }] },
        { op: "relate", edge: "transition", rows: [transitionRow("s1", "s2")] },
        {
          op: "put",
          table: "page_text",
          rows: [textRow("page-7", "Cairns", "A pile of stones that marks a path.")],
        },
      ],
    }),
  ]);
  if (!outcome?.ok) throw outcome?.error ?? new Error("no outcome");
  await store.results.put("r", "body", 5);
}

export async function inventory(store: OwnedStore): Promise<unknown> {
  const heads = await store.actors.list({ limit: 100 });
  return {
    actors: await Promise.all(heads.map((key) => store.actors.load(key))),
    deadLetters: await store.actors.deadLetters({ limit: 100 }),
    maps: await store.maps.list(),
    jobs: await store.jobs.list(),
    pages: await store.frontier.pages(JOB, { limit: 1_000 }),
    page: await store.pages.get(MAP, "page-3"),
    links: await store.pages.linksOfJob(JOB, { limit: 1_000 }),
    into: (await store.pages.links(MAP, "page-0", "to")).length,
    ingest: await store.ingest.next(MAP, "map", 10),
    screens: await store.screens.outlines(MAP),
    transitions: await store.screens.transitionsTo(MAP, "s2"),
    actions: await store.screens.actions(MAP, "s1"),
    forms: await store.screens.forms(MAP),
    found: await store.search(MAP, "stones", 3),
    result: (await store.results.get("r")) ?? null,
    // The inventory contains the fence (owner number) of each shard. If a restore decreased a fence, an
    // earlier owner could write again.
    fence: [...(await store.actors.raiseFences([3]))],
  };
}
