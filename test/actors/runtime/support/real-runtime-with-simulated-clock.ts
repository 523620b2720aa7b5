/**
 * The real runtime on one thread with a simulated clock: hosts, bus, leases, store, and a caller. It serves
 * tests of a single actor or message. Tests with faults between events are in `model/`.
 */
import {
  ActorSystem,
  type AnyActorDefinition,
  allShards,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  type ShardHostOptions,
} from "../../../../actors/runtime/index.ts";
import { type ActorRow, MemoryActorStore } from "../../../../store/index.ts";
import { SimulatedClock } from "../model/simulated-clock.ts";
import { counter } from "./simulated-actor-kinds.ts";

const TTL = 10_000;

/**
 * Converts the specific type of a test's actor kind to the general type, which contains neither its services nor
 * its context.
 */
export function erased(definition: unknown): AnyActorDefinition {
  return definition as AnyActorDefinition;
}

export class Stage {
  readonly clock = new SimulatedClock();
  readonly store = new MemoryActorStore();
  readonly logged: string[] = [];
  readonly bus: MemoryBus;
  readonly system: ActorSystem;
  readonly #leases: MemoryLeases;
  readonly #hosts: ShardHost[] = [];

  constructor(makeBus: (clock: SimulatedClock) => MemoryBus = (clock) => new MemoryBus({ clock })) {
    this.bus = makeBus(this.clock);
    this.system = new ActorSystem(this.bus, this.clock, "client");
    this.#leases = new MemoryLeases(this.clock, TTL);
  }

  /** Starts a host that wants to own every shard. */
  async host(owner: string, more: Partial<ShardHostOptions> = {}): Promise<ShardHost> {
    const host = new ShardHost({
      owner,
      bus: this.bus,
      leases: this.#leases,
      store: this.store,
      clock: this.clock,
      definitions: [erased(counter)],
      services: null,
      leaseTtl: TTL,
      log: (_, message, fields) => this.logged.push(`${message} ${JSON.stringify(fields)}`),
      ...more,
    });
    this.#hosts.push(host);
    await host.start(allShards);
    return host;
  }

  /**
   * Advances the simulated clock by the given milliseconds. Then returns the value of the promise, or its
   * error if it was rejected.
   */
  async outcome(promise: Promise<unknown>, milliseconds = 0): Promise<unknown> {
    const settled = promise.catch((error: unknown) => error);
    await this.clock.advance(milliseconds);
    return await settled;
  }

  /** Stores an actor's row as another release would have stored it. */
  async put(row: Pick<ActorRow, "kind" | "id" | "shard" | "version" | "data">): Promise<ActorRow> {
    const stored = { ...row, wake_at: null, state: "x", updated_at: 0 };
    const fence = (await this.store.raiseFences([row.shard])).get(row.shard) ?? 0;
    const unit = { shard: row.shard, fence, step: 1, rows: [stored], writes: [], deadLetters: [] };
    const [outcome] = await this.store.commit([unit]);
    if (!outcome?.ok) throw outcome?.error ?? new Error("no outcome");
    return stored;
  }

  close(): void {
    for (const host of this.#hosts) host.close();
  }
}
