/**
 * Reports clicks in sessions to the maps of the clicked sites, so that maps count how often each transition
 * is used. Reports are sent in batches. A worker that ends loses its waiting reports, which is acceptable
 * because they only help to choose routes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { SeenClick } from "../../machines/knowledge/transitions/transition-used-by-click.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import type { CairnServices } from "../worker-services.ts";

const reports = new WeakMap<CairnServices, ClickReports>();

/** Returns the worker's collector of click reports. Each worker has exactly one. */
export function clickReports(services: CairnServices): ClickReports {
  const known = reports.get(services);
  if (known) return known;
  const made = new ClickReports(services);
  reports.set(services, made);
  return made;
}

class ClickReports {
  readonly #services: Pick<CairnServices, "actors" | "store">;
  #waiting: SeenClick[] = [];
  /** For each host, the maps that contain pages of the host. */
  #maps: ReadonlyMap<string, readonly string[]> = new Map();
  #mapsUntil = 0;

  constructor(services: Pick<CairnServices, "actors" | "store">) {
    this.#services = services;
  }

  /** Counts a click. A click without navigation, whose two addresses are equal, is ignored. */
  add(click: SeenClick): void {
    if (click.from === click.to || click.name === "" || !/^https?:/.test(click.from)) return;
    this.#waiting.push(click);
    if (this.#waiting.length === 1) void this.#send();
  }

  async #send(): Promise<void> {
    await sleep(sessionLimits.clickReportsEvery, undefined, { ref: false });
    const clicks = this.#waiting;
    this.#waiting = [];
    try {
      const byHost = Map.groupBy(clicks, ({ from }) => URL.parse(from)?.host ?? "");
      const maps = await this.#mapsOf([...byHost.keys()]);
      for (const [host, own] of byHost) {
        for (const map of maps.get(host) ?? []) await this.#report(map, own);
      }
    } catch {
      // If the map is being deleted or the node drains, the clicks are not counted. This is harmless, because
      // their outcomes only improve the choice of routes.
    }
  }

  async #report(map: string, clicks: readonly SeenClick[]): Promise<void> {
    const { actors } = this.#services;
    const outcomes = await actors.query("knowledge", map, "outcomes", { clicks });
    if (outcomes.length > 0) await actors.ask("knowledge", map, { type: "TRAVELLED", outcomes });
  }

  /**
   * Returns the maps by host, at least those of the given hosts. The stored list is read again if it is too old, or if a
   * host has no map in it: a map of this host may be new.
   */
  async #mapsOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const isCurrent = performance.now() < this.#mapsUntil && hosts.every((host) => this.#maps.has(host));
    if (isCurrent) return this.#maps;
    const sites = await this.#services.store.maps.sites();
    const maps = new Map<string, Set<string>>();
    for (const { knowledge_id, base_url } of sites) {
      const host = URL.parse(base_url)?.host ?? "";
      maps.set(host, (maps.get(host) ?? new Set()).add(knowledge_id));
    }
    this.#maps = new Map([...maps].map(([host, ids]) => [host, [...ids]]));
    this.#mapsUntil = performance.now() + sessionLimits.clickMapsKept;
    return this.#maps;
  }
}
