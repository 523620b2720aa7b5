/**
 * Runs explorations on a store in memory without a map, and returns the stored pages and final counts. An
 * exploration ends only when a map has reported its pages as searchable. So these tests send that report in
 * place of a map.
 */
import { expect } from "bun:test";
import { exploration } from "../../../../actors/exploration/exploration-actor-kind.ts";
import { address } from "../../../../actors/runtime/index.ts";
import type { ExplorationStatus } from "../../../../machines/exploration/exploration-protocol.ts";
import type { ExplorationRequest } from "../../../../machines/exploration/exploration-request.ts";
import type { OwnedStore } from "../../../../store/index.ts";
import { links, prose } from "../../../sites/crawler-trap-sites.ts";
import type { ServedSite } from "../../../sites/serve-test-folder.ts";
import {
  html,
  type Route,
  type ScriptedSite,
  serveSite,
} from "../../../sites/test-site-with-given-routes.ts";
import { MemoryActors } from "../../actors-with-memory-store.ts";

export interface Explored {
  readonly id: string;
  readonly status: ExplorationStatus;
  /** Path and query of every stored page, in sorted order. */
  readonly pages: readonly string[];
}

export class Explorer {
  readonly #actors: MemoryActors;
  #jobs = 0;

  static async start(): Promise<Explorer> {
    return new Explorer(await MemoryActors.start([exploration]));
  }

  private constructor(actors: MemoryActors) {
    this.#actors = actors;
  }

  get store(): OwnedStore {
    return this.#actors.store;
  }

  async restart(): Promise<void> {
    await this.#actors.restart();
  }

  async stop(): Promise<void> {
    await this.#actors.stop();
  }

  /** Starts an exploration of `path` and returns its id. */
  async begin(site: ServedSite, path: string, request: Partial<ExplorationRequest> = {}): Promise<string> {
    this.#jobs += 1;
    const id = `job-${this.#jobs}`;
    const to = address("exploration", id);
    await this.#actors.system.ask(to, {
      type: "START",
      request: {
        start_url: site.origin + path,
        max_pages: 10_000,
        max_depth: 50,
        strategy: "BFS",
        knowledge_id: `map-${this.#jobs}`,
        website_id: "site",
        respect_robots: true,
        render: "http",
        scope: "host",
        include: [],
        exclude: [],
        sitemaps: true,
        ...request,
      } satisfies ExplorationRequest,
    });
    await this.#actors.system.ask(to, { type: "PAGES_SEARCHABLE", count: 1_000_000 });
    return id;
  }

  async status(id: string): Promise<ExplorationStatus> {
    // The cast is safe: the protocol of explorations declares this type for `status`. It would be `null` only
    // for an unknown id.
    return (await this.#actors.system.query(address("exploration", id), "status")) as ExplorationStatus;
  }

  async ended(id: string): Promise<Explored> {
    for (;;) {
      const status = await this.status(id);
      if (status.status === "completed" || status.status === "failed") {
        const { items } = await this.store.frontier.pages(id, { limit: 100_000 });
        const pages = items.map(({ url }) => new URL(url).pathname + new URL(url).search).sort();
        return { id, status, pages };
      }
      await Bun.sleep(10);
    }
  }

  async explore(site: ServedSite, path = "/", request: Partial<ExplorationRequest> = {}): Promise<Explored> {
    return await this.ended(await this.begin(site, path, request));
  }

  /** Explores a new site that has these routes. */
  async exploreRoutes(
    routes: Readonly<Record<string, Route>>,
    request: Partial<ExplorationRequest> = {},
    path = "/",
  ): Promise<Explored & { readonly site: ScriptedSite }> {
    const site = serveSite(routes);
    const explored = await this.explore(site, path, request);
    await site.stop();
    expect(explored.status.progress.queued).toBe(0);
    return { ...explored, site };
  }
}

let texts = 0;
/** Returns a page whose text differs from that of every other page. */
export function page(title: string, to: readonly string[] = [], head = ""): string {
  texts += 1;
  return html(title, `<h1>${title}</h1>${prose(texts)}${links(...to)}`, head);
}
