/**
 * A made-up map of any size: screens in sections, each with as many links, some of them through redirects.
 *
 * `network` is plain data, from which both the map and a reference answer are made. Run as a script,
 * `bun generated-map.ts <data folder> <screens> <transitions>` keeps the map in that folder's store, so that a
 * Cairn started on it finds it as an exploration would have left it.
 */
import { databaseUrl } from "../../../actors/data-folder.ts";
import { knowledge } from "../../../actors/knowledge.ts";
import { createReader } from "../../../actors/reading/index.ts";
import {
  ActorSystem,
  address,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  systemClock,
} from "../../../actors/runtime/index.ts";
import type { CairnServices } from "../../../actors/services.ts";
import { batchWrites, emptyBatch } from "../../../machines/knowledge/batch.ts";
import { actionsOf, redirectOf, screenOf, transitionsOf } from "../../../machines/knowledge/screen.ts";
import { limits } from "../../../machines/limits.ts";
import type { Control, LinkRecord, PageRecord } from "../../../machines/records.ts";
import { openStore } from "../../../store/index.ts";

export const MAP = "generated";
const ORIGIN = "https://generated.example";
const WEBSITE = "generated.example";
/** Screens of one section: a chain with a few shortcuts, so that ways get long. */
const SECTION = 100;
/** Of so many links one goes to an address that redirects to the screen. */
const REDIRECTED = 100;
/** Of so many screens one leads nowhere. */
const DEAD_ENDS = 97;
/** Screens of one commit. */
const BATCH = 100;
const WORDS = "amber birch cedar delta ember flint grove heron indigo juniper kelp linden maple nettle".split(
  " ",
);

export interface Network {
  /** URLs, by number. */
  readonly urls: readonly string[];
  readonly titles: readonly string[];
  /** Which screens each one's links lead to. */
  readonly links: readonly (readonly number[])[];
  /** Links whose address is not the screen's own but one that redirects to it: `from * screens + to`. */
  readonly redirected: ReadonlySet<number>;
}

/** The same for the same numbers, always. */
export function network(screens: number, transitions: number): Network {
  const random = seeded(7);
  const each = Math.round(transitions / (screens - Math.floor(screens / DEAD_ENDS)));
  const urls: string[] = [];
  const titles: string[] = [];
  const links: number[][] = [];
  const redirected = new Set<number>();
  for (let here = 0; here < screens; here++) {
    const section = Math.floor(here / SECTION);
    const word = (salt: number) => WORDS[(here * 7 + section * 3 + salt) % WORDS.length] ?? "";
    urls.push(here === 0 ? `${ORIGIN}/` : `${ORIGIN}/section-${section}/${word(0)}-${word(5)}-${here}`);
    titles.push(`${word(0)} ${word(5)} ${here}`);
    const first = section * SECTION;
    const targets = new Set<number>();
    const wanted = here % DEAD_ENDS === DEAD_ENDS - 1 ? 0 : each;
    // Onwards in the section, from its last screen to the next section, and back to its first one.
    if (wanted > 0 && here + 1 < screens) targets.add(here + 1);
    if (wanted > 0 && here !== first) targets.add(first);
    while (targets.size < wanted) {
      const near = here + Math.floor((random() - 0.5) * 2 * SECTION);
      if (near !== here && near >= 0 && near < screens) targets.add(near);
    }
    links.push([...targets]);
    for (const to of targets)
      if (Math.floor(random() * REDIRECTED) === 0) redirected.add(here * screens + to);
  }
  return { urls, titles, links, redirected };
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The address under which a redirected link finds its screen. */
const detour = (url: string) => `${url}?moved`;

function control(role: string, name: string, place: number, attributes: Record<string, string>): Control {
  const tag = role === "link" ? "a" : role;
  return {
    role,
    name,
    selector: `main > section:nth-of-type(2) > ${tag}:nth-of-type(${place + 1})`,
    xpath: `/html/body/main/section[2]/${tag}[${place + 1}]`,
    attributes: { tag, ...attributes },
  };
}

function page({ urls, titles }: Network, at: number): PageRecord {
  const url = urls[at] ?? "";
  const title = titles[at] ?? "";
  return {
    id: [MAP, url],
    knowledge_id: MAP,
    website_id: WEBSITE,
    job_id: "generated",
    url,
    title,
    language: "en",
    headings: [title, `About ${title}`, `More of ${title}`],
    content: `# ${title}`,
    content_hash: String(at),
    chunk_type: "webpage",
    media_type: "text/html",
    http_status: 200,
    depth: 0,
    bytes: 1_000,
    fetched_at: 1_700_000_000_000,
    controls: JSON.stringify({
      headings: [title, `About ${title}`, `More of ${title}`],
      buttons: [control("button", `Save ${title}`, 0, { type: "submit" })],
      inputs: [control("input", "Search", 0, { type: "text", name: "q" })],
      forms: [{ action: "/search", method: "get", fields: ["q"] }],
    }),
  };
}

function linksOf(of: Network, at: number): LinkRecord[] {
  const from = of.urls[at] ?? "";
  return (of.links[at] ?? []).map((to, place) => {
    const shown = of.urls[to] ?? "";
    const target = of.redirected.has(at * of.urls.length + to) ? detour(shown) : shown;
    const text = of.titles[to] ?? "";
    return {
      in: [MAP, from],
      out: [MAP, target],
      knowledge_id: MAP,
      kind: "internal",
      from_url: from,
      to_url: target,
      text,
      anchor: JSON.stringify(control("link", text, place, { href: target })),
    };
  });
}

/** Writes the map as the knowledge kind's own batches would, and makes the actor that owns it. */
async function keep(dataDir: string, of: Network): Promise<void> {
  const store = await openStore({ url: databaseUrl(dataDir) });
  const bus = new MemoryBus();
  const services: CairnServices = { store, reader: createReader({ userAgent: "Cairn/bench" }) };
  const host = new ShardHost({
    owner: "bench",
    bus,
    leases: new MemoryLeases(systemClock, limits.lease.ttl),
    store: store.actors,
    clock: systemClock,
    definitions: [knowledge],
    services,
    leaseTtl: limits.lease.ttl,
    log: () => {},
  });
  await host.start(Array.from({ length: limits.address.shards }, (_, shard) => shard));
  const system = new ActorSystem(bus, systemClock, "bench");
  const map = address("knowledge", MAP);
  await system.ask(map, { type: "INGEST", job_id: "generated", crawling: true });
  for (let from = 0; from < of.urls.length; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, of.urls.length - from) }, (_, n) => from + n);
    const made = numbers.map((at) => ({ page: page(of, at), links: linksOf(of, at), at }));
    const offered = made.map((one) => ({ ...one, actions: actionsOf(one.page) }));
    const detours = made.flatMap(({ links }) => links.filter((link) => link.out[1].endsWith("?moved")));
    const batch = {
      ...emptyBatch,
      screens: made.map(({ page, links, at }) => screenOf(page, of.titles[at] ?? "", links, page.fetched_at)),
      actions: offered.flatMap(({ actions }) => actions),
      offers: offered.flatMap(({ page, links, at, actions }) => {
        const screen = screenOf(page, of.titles[at] ?? "", links, page.fetched_at);
        return actions.map((action) => ({ in: screen.id, out: action.id }));
      }),
      transitions: [
        ...made.flatMap(({ links }) => transitionsOf(MAP, links, new Map())),
        ...detours.map((link) => redirectOf(MAP, link.out[1], link.out[1].replace("?moved", ""))),
      ],
    };
    await store.write(batchWrites(MAP, batch, [], systemClock.now()));
  }
  await system.ask(map, { type: "INGEST", job_id: "generated", crawling: false });
  const idle = async () => (await system.query(map, "status")) as { readonly state: unknown }; // The kind's own query made it.
  while ((await idle()).state !== "idle") await Bun.sleep(limits.ask.lookAgain);
  host.close();
  system.close();
  await store.close();
}

if (import.meta.main) {
  const [dataDir, screens, transitions] = process.argv.slice(2);
  if (!dataDir) throw new Error("usage: bun generated-map.ts <data folder> <screens> <transitions>");
  await keep(dataDir, network(Number(screens), Number(transitions)));
  process.exit(0);
}
