/**
 * Explorations on a store in memory without a map: what a crawl stores of a site, and how its counts end.
 *
 * Nobody makes pages searchable here, so the job is told beforehand that all of them are. `restart` drops
 * everything that is not committed, as a crash does.
 */
import { exploration } from "../../../actors/exploration.ts";
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
import { RoomEvents } from "../../../actors/session/room-events.ts";
import type { ExplorationRequest } from "../../../machines/exploration/job.ts";
import type { ExplorationStatus } from "../../../machines/exploration/protocol.ts";
import { limits } from "../../../machines/limits.ts";
import { type OwnedStore, openStore } from "../../../store/index.ts";
import { browser, noSessions } from "../../sites/browser.ts";
import { destinations } from "../../sites/destinations.ts";
import type { ServedSite } from "../../sites/folder.ts";

export interface Explored {
  readonly id: string;
  readonly status: ExplorationStatus;
  /** Path and query of every stored page, sorted. */
  readonly pages: readonly string[];
}

export class Explorer {
  readonly store: OwnedStore;
  #host: ShardHost;
  #system: ActorSystem;
  #jobs = 0;
  #starts = 0;

  static async start(): Promise<Explorer> {
    const explorer = new Explorer(await openStore({ url: "mem://" }));
    await explorer.#open();
    return explorer;
  }

  private constructor(store: OwnedStore) {
    this.store = store;
    const bus = new MemoryBus();
    this.#host = this.#makeHost(bus);
    this.#system = new ActorSystem(bus, systemClock, "caller");
  }

  #makeHost(bus: MemoryBus): ShardHost {
    const services: CairnServices = {
      store: this.store,
      reader: createReader({ userAgent: "Cairn/test", destinations }),
      browser,
      events: new RoomEvents(bus),
      sessions: noSessions(this.store),
    };
    return new ShardHost({
      owner: `test-${this.#starts++}`,
      bus,
      leases: new MemoryLeases(systemClock, limits.lease.ttl),
      store: this.store.actors,
      clock: systemClock,
      definitions: [exploration],
      services,
      leaseTtl: limits.lease.ttl,
      log: () => {},
    });
  }

  async #open(): Promise<void> {
    await this.#host.start(Array.from({ length: limits.address.shards }, (_, shard) => shard));
  }

  async restart(): Promise<void> {
    this.#host.close();
    this.#system.close();
    const bus = new MemoryBus();
    this.#host = this.#makeHost(bus);
    this.#system = new ActorSystem(bus, systemClock, "caller");
    await this.#open();
  }

  async stop(): Promise<void> {
    this.#host.close();
    this.#system.close();
    await this.store.close();
  }

  /** Starts an exploration of `path`; answers its job's id. */
  async begin(site: ServedSite, path: string, request: Partial<ExplorationRequest> = {}): Promise<string> {
    this.#jobs += 1;
    const id = `job-${this.#jobs}`;
    const to = address("exploration", id);
    await this.#system.ask(to, {
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
    await this.#system.tell(to, { type: "PAGES_SEARCHABLE", count: 1_000_000 });
    return id;
  }

  async status(id: string): Promise<ExplorationStatus> {
    // The kind's own query made it.
    return (await this.#system.query(address("exploration", id), "status")) as ExplorationStatus;
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
}
