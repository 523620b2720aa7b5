/**
 * A generated map of any size: screens in sections, each with the same number of links, some through
 * redirects. As a script, `bun bench-generated-map.ts <data folder> <screens> <transitions>` stores its pages as a
 * crawl would, and builds the map from them.
 */

import { knowledge } from "../../../actors/knowledge/knowledge-actor-kind.ts";
import { databaseUrl } from "../../../actors/node/paths-in-data-folder.ts";
import {
  ActorSystem,
  address,
  allShards,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  systemClock,
} from "../../../actors/runtime/index.ts";
import type { CairnServices } from "../../../actors/worker-services.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import type { IngestRecord } from "../../../machines/records/exploration-records.ts";
import type { Control } from "../../../machines/records/page-control-records.ts";
import type { PageLink, PageRecord } from "../../../machines/records/page-records.ts";
import { leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { openStore } from "../../../store/index.ts";
import { randomFrom } from "../../support/seeded-random.ts";

export const MAP = "generated";
const ORIGIN = "https://generated.example";
const JOB = "generated";
const WEBSITE = "generated.example";
/** Number of screens in a section. */
const SECTION = 100;
/**
 * A random link connects two screens whose numbers differ by at most this value. With it, routes have about
 * 16 clicks, several times as many as on real sites.
 */
const REACH = 300;
/** One link in this number of links, on average, leads to its target screen through a redirect. */
const REDIRECTED = 100;
/** On average, one of every `DEAD_ENDS` screens has no links. */
const DEAD_ENDS = 97;
/** Number of pages that are written in one transaction. */
const BATCH = 100;
export const WORDS =
  "amber birch cedar delta ember flint grove heron indigo juniper kelp linden maple nettle".split(" ");

export interface Network {
  /** URL of each screen, by the number of the screen. */
  readonly urls: readonly string[];
  readonly titles: readonly string[];
  /** For each screen: the numbers of the screens to which its page links. */
  readonly links: readonly (readonly number[])[];
  /**
   * Links that reach their target screen through a redirect. A link from screen number `from` to screen
   * number `to` is encoded as the number `from * screens + to`.
   */
  readonly redirected: ReadonlySet<number>;
}

/** Generates a network of screens. The same parameters always give the same network. */
export function generateNetwork(screens: number, transitions: number): Network {
  const random = randomFrom(7);
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
    // Each screen links to the next screen and to the first screen of its section. The last screen of a
    // section links to the next section.
    if (wanted > 0 && here + 1 < screens) targets.add(here + 1);
    if (wanted > 0 && here !== first) targets.add(first);
    while (targets.size < wanted) {
      const near = here + Math.floor((random() - 0.5) * 2 * REACH);
      if (near !== here && near >= 0 && near < screens) targets.add(near);
    }
    links.push([...targets]);
    for (const to of targets)
      if (Math.floor(random() * REDIRECTED) === 0) redirected.add(here * screens + to);
  }
  return { urls, titles, links, redirected };
}

/** Returns an address that redirects to the address of a screen. */
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

function pageOf({ urls, titles }: Network, at: number, links: readonly PageLink[]): PageRecord {
  const url = urls[at] ?? "";
  const title = titles[at] ?? "";
  return {
    id: [MAP, url],
    knowledge_id: MAP,
    website_id: WEBSITE,
    job_id: JOB,
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
    links: JSON.stringify(links),
    internal_links: links.length,
    external_links: 0,
  };
}

/** Returns the page as a crawl stores it, including the redirects of its links. */
function toPageRecord(of: Network, at: number): { readonly page: PageRecord; readonly rows: IngestRecord[] } {
  const links = (of.links[at] ?? []).map((to, place): PageLink & { readonly to: string } => {
    const shown = of.urls[to] ?? "";
    const url = of.redirected.has(at * of.urls.length + to) ? detour(shown) : shown;
    const text = of.titles[to] ?? "";
    return { url, kind: "internal", text, control: control("link", text, place, { href: url }), to: shown };
  });
  const page = pageOf(
    of,
    at,
    links.map(({ to: _, ...link }) => link),
  );
  const waiting = (from: string, key: string): IngestRecord => ({
    id: [MAP, JOB, from],
    knowledge_id: MAP,
    job_id: JOB,
    page_key: key,
    phase: "map",
    seq: at,
  });
  const detours = links.filter(({ url, to }) => url !== to).map(({ url, to }) => waiting(url, to));
  return { page, rows: [waiting(page.id[1], page.id[1]), ...detours] };
}

/** Stores the pages and waits until the map is built. */
async function storeMap(dataDir: string, of: Network): Promise<void> {
  const store = await openStore({ url: databaseUrl(dataDir) });
  for (let from = 0; from < of.urls.length; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, of.urls.length - from) }, (_, n) => from + n);
    const made = numbers.map((at) => toPageRecord(of, at));
    await store.write([
      { op: "put", table: "page", rows: made.map(({ page }) => page) },
      { op: "put", table: "ingest", rows: made.flatMap(({ rows }) => rows) },
    ]);
  }
  const bus = new MemoryBus();
  // The cast is safe: the map uses only two facts of the services: the store, and whether a model is
  // configured.
  const services = { store, models: { configured: false } } as unknown as CairnServices;
  const host = new ShardHost({
    owner: "bench",
    bus,
    leases: new MemoryLeases(systemClock, leaseLimits.ttl),
    store: store.actors,
    clock: systemClock,
    definitions: [knowledge],
    services,
    leaseTtl: leaseLimits.ttl,
    log: () => {},
  });
  await host.start(allShards);
  const system = new ActorSystem(bus, systemClock, "bench");
  const map = address("knowledge", MAP);
  await system.ask(map, { type: "INGEST", job_id: JOB, crawling: true });
  await system.ask(map, { type: "INGEST", job_id: JOB, crawling: false });
  // The cast is safe: the query `status` of a map returns an object with this field.
  const state = async () => ((await system.query(map, "status")) as { readonly state: unknown }).state;
  while ((await state()) !== "idle") await Bun.sleep(knowledgeLimits.pollEvery);
  host.close();
  system.close();
  await store.close();
}

if (import.meta.main) {
  const [dataDir, screens, transitions] = process.argv.slice(2);
  if (!dataDir) throw new Error("usage: bun bench-generated-map.ts <data folder> <screens> <transitions>");
  await storeMap(dataDir, generateNetwork(Number(screens), Number(transitions)));
  process.exit(0);
}
