/**
 * Runs the real kinds of actors on the real runtime, in one thread, with a store in memory. `restart` drops
 * all uncommitted state, as a crash does.
 */

import { createModels, noModels } from "../../actors/models/index.ts";
import { createReader } from "../../actors/reading/index.ts";
import {
  ActorSystem,
  type AnyActorDefinition,
  allShards,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  systemClock,
} from "../../actors/runtime/index.ts";
import { RoomEvents } from "../../actors/session/session-event-publisher.ts";
import type { CairnServices } from "../../actors/worker-services.ts";
import { leaseLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import { type OwnedStore, openStore } from "../../store/index.ts";
import { destinations } from "../sites/egress-policy-for-tests.ts";
import { browser, noSessions } from "../sites/lazy-test-browser.ts";

export class MemoryActors {
  readonly store: OwnedStore;
  readonly #definitions: readonly AnyActorDefinition[];
  #running: { readonly host: ShardHost; readonly system: ActorSystem };
  #starts = 0;

  static async start(definitions: readonly AnyActorDefinition[]): Promise<MemoryActors> {
    const actors = new MemoryActors(await openStore({ url: "mem://" }), definitions);
    await actors.#running.host.start(allShards);
    return actors;
  }

  private constructor(store: OwnedStore, definitions: readonly AnyActorDefinition[]) {
    this.store = store;
    this.#definitions = definitions;
    this.#running = this.#made();
  }

  get system(): ActorSystem {
    return this.#running.system;
  }

  #made(): { readonly host: ShardHost; readonly system: ActorSystem } {
    const bus = new MemoryBus();
    const services: CairnServices = {
      models: createModels(noModels),
      actors: new ActorSystem(bus, systemClock, "services"),
      store: this.store,
      reader: createReader({ userAgent: "Cairn/test", destinations }),
      browser,
      events: new RoomEvents(bus),
      sessions: noSessions(this.store),
    };
    this.#starts += 1;
    const host = new ShardHost({
      owner: `test-${this.#starts}`,
      bus,
      leases: new MemoryLeases(systemClock, leaseLimits.ttl),
      store: this.store.actors,
      clock: systemClock,
      definitions: this.#definitions,
      services,
      leaseTtl: leaseLimits.ttl,
      log: () => {},
    });
    return { host, system: new ActorSystem(bus, systemClock, "caller") };
  }

  #left(): void {
    this.#running.host.close();
    this.#running.system.close();
  }

  async restart(): Promise<void> {
    this.#left();
    this.#running = this.#made();
    await this.#running.host.start(allShards);
  }

  async stop(): Promise<void> {
    this.#left();
    await this.store.close();
  }
}
