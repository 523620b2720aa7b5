/**
 * The simulated system of the model test: real shard hosts as "workers", a bus on the "main thread", and one
 * store. Everything that takes time is an event: a frame over a worker's port, a call to the store, an action
 * of an effect. Events run one at a time, in an order that the test case determines, and faults happen
 * between two events.
 */

import {
  type Port,
  PortBus,
  servePort,
} from "../../../../actors/runtime/drivers/message-bus-over-thread-port.ts";
import {
  type ActorDefinition,
  ActorSystem,
  type AnyActorDefinition,
  type Clock,
  MemoryLeases,
  ShardHost,
} from "../../../../actors/runtime/index.ts";
import { pause } from "../../../../actors/runtime/runtime-clock.ts";
import { Unavailable } from "../../../../machines/errors.ts";
import { MemoryActorStore } from "../../../../store/index.ts";
import { alarm, counter, job, relay, type SimulatedServices } from "../support/simulated-actor-kinds.ts";
import { WatchedBus } from "../support/watched-test-message-bus.ts";
import type { Judge } from "./runtime-simulation-judge.ts";
import { type SimulatedClock, settled } from "./simulated-clock.ts";
import { type Away, storeOf } from "./simulated-store.ts";

export const LEASE_TTL = 10_000;
/** Pause in milliseconds before a dead worker is started again, as a supervisor would do. */
const RESPAWN = 100;
/** Maximum number of milliseconds by which the simulated clock may jump while events are still pending. */
const SLOW = 20;
/**
 * Delay in milliseconds of a store call whose caller has given up. When the call arrives, the caller has
 * already retried.
 */
const STORE_LATE = 200;
/**
 * Prefix of the names of the event queues for calls to the store. A call in such a queue may still arrive
 * after the death of the process that sent it.
 */
const STORE_LANE = "store-";

const kinds: readonly ActorDefinition<SimulatedServices, never>[] = [counter, relay, job, alarm];
// The cast is needed, because the registry of actor kinds does not keep the types of their services. The
// variable `services` provides all that the kinds need.
const definitions = kinds as readonly AnyActorDefinition[];

/** The state of one simulated worker, which the test may freeze or end. */
interface WorkerLife {
  readonly name: string;
  readonly owner: string;
  host: ShardHost | undefined;
  forget: () => void;
  dead: boolean;
  frozen: boolean;
  /**
   * Callbacks of the clock that became due while the worker was frozen. They run when the worker continues.
   */
  readonly missed: (() => void)[];
}

interface Lane {
  readonly events: (() => void | Promise<void>)[];
  readonly life: WorkerLife | undefined;
}

export interface SimulationOptions {
  readonly clock: SimulatedClock;
  readonly judge: Judge;
  /**
   * Returns the position of the event queue from which the next event is taken; 0 if the test case does not
   * determine it.
   */
  readonly choose: () => number;
  readonly shards: readonly number[];
  readonly mailbox: number;
}

export class Simulation {
  readonly clock: SimulatedClock;
  readonly inner = new MemoryActorStore();
  readonly log: string[] = [];
  readonly #judge: Judge;
  readonly #choose: () => number;
  readonly #shards: readonly number[];
  readonly #mailbox: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #hosts = new Map<string, WorkerLife>();
  #bus!: WatchedBus;
  #leases!: MemoryLeases;
  #system!: ActorSystem;
  #lives = 0;
  #calls = 0;
  #storeAway: Away = "no";
  readonly #stalled = new Set<string | undefined>();
  #calmSince = 0;
  #disturbances = 0;

  constructor({ clock, judge, choose, shards, mailbox }: SimulationOptions) {
    this.clock = clock;
    this.#judge = judge;
    this.#choose = choose;
    this.#shards = shards;
    this.#mailbox = mailbox;
    this.#boot();
  }

  /**
   * The actor system to which clients send commands. After a restart of the simulated process, this is a new
   * system.
   */
  get system(): ActorSystem {
    return this.#system;
  }

  /** Simulated time at which the last fault began or ended. */
  get calmSince(): number {
    return this.#calmSince;
  }

  get disturbances(): number {
    return this.#disturbances;
  }

  get hosts(): readonly string[] {
    return [...this.#hosts.keys()];
  }

  get resident(): number {
    return [...this.#hosts.values()].reduce((sum, { host }) => sum + (host?.resident ?? 0), 0);
  }

  /**
   * Runs one pending event, which the test case chooses. If no event is pending, or if the case chooses so,
   * time passes instead.
   */
  async turn(): Promise<void> {
    await settled();
    const lanes = [...this.#lanes].filter(
      ([name, { life }]) => !life?.frozen && !this.#stalled.has(name.split("#")[0]),
    );
    const choice = this.#choose();
    const [name, lane] = lanes[choice % lanes.length] ?? [];
    if (!lane || name === undefined) {
      this.clock.next();
      return;
    }
    // In one of 32 choices, time advances although events are still pending: by at most `SLOW` milliseconds. In one
    // of 512 choices, it advances to the next alarm, no matter how far away that is.
    if (choice % 32 === 31) {
      if (choice % 512 !== 511) this.clock.next(SLOW);
      else {
        this.#note("everything is slow");
        this.clock.next();
      }
      return;
    }
    const event = lane.events.shift();
    if (lane.events.length === 0) this.#lanes.delete(name);
    await event?.();
  }

  /** Whether no event is pending and no actor has a timer. */
  async isIdle(): Promise<boolean> {
    if (this.#lanes.size > 0) return false;
    return (await this.inner.list({ limit: 1_000 })).every(({ wake_at }) => wake_at === null);
  }

  async idleFor(milliseconds: number): Promise<void> {
    const end = this.clock.monotonic() + milliseconds;
    while (this.clock.monotonic() < end || this.#lanes.size > 0) await this.turn();
  }

  start(name: string): void {
    if (this.#hosts.has(name)) return;
    this.#lives += 1;
    const owner = `${name}.${this.#lives}`;
    this.#note(`start ${owner}`);
    const life: WorkerLife = {
      name,
      owner,
      host: undefined,
      forget: () => {},
      dead: false,
      frozen: false,
      missed: [],
    };
    const [near, far] = this.#ports(life);
    const bus = new PortBus(near);
    const stopServing = servePort(far, {
      bus: this.#bus,
      leases: this.#leases,
      store: async (bytes) => bytes,
    });
    const leases = this.#leases;
    life.forget = () => {
      stopServing();
      void leases.releaseAll(owner);
    };
    this.#hosts.set(name, life);
    life.host = new ShardHost({
      owner,
      bus,
      leases: bus,
      store: this.#store(life),
      clock: this.#clockOf(life),
      definitions,
      services: this.#services(life),
      leaseTtl: LEASE_TTL,
      log: (level, message, fields) =>
        this.log.push(`  ${owner} ${level} ${message} ${JSON.stringify(fields)}`),
    });
    life.host.start(this.#shards).catch((error) => {
      this.log.push(`  ${owner} refused to start: ${error}`);
      this.kill(name, { posthumous: false });
    });
  }

  /**
   * Kills a worker between two events, while the bus and the other workers continue. If `posthumous` is true,
   * frames that the worker sent before the kill still arrive.
   */
  kill(name: string, { posthumous }: { readonly posthumous: boolean }): void {
    const life = this.#hosts.get(name);
    if (!life) return;
    this.#note(`kill ${life.owner} ${posthumous ? "posthumous" : ""}`);
    this.#bury(life, posthumous);
    this.clock.after(RESPAWN, () => this.start(name));
  }

  /**
   * Kills the complete process with its bus. The store continues. With `posthumous`, calls to the store that
   * were already sent still arrive.
   */
  restart({ posthumous }: { readonly posthumous: boolean }): void {
    const names = this.hosts;
    this.#note(`restart ${posthumous ? "posthumous" : ""}`);
    for (const life of this.#hosts.values()) this.#bury(life, false);
    for (const lane of this.#lanes.keys()) {
      if (!posthumous || !lane.startsWith(STORE_LANE)) this.#lanes.delete(lane);
    }
    this.#boot();
    for (const name of names) this.clock.after(RESPAWN, () => this.start(name));
  }

  /** Freezes a worker for a time that the worker does not notice. Its lease may expire during this time. */
  freeze(name: string, milliseconds: number): void {
    const life = this.#hosts.get(name);
    if (!life || life.frozen) return;
    this.#note(`freeze ${life.owner} for ${milliseconds}`);
    life.frozen = true;
    this.clock.after(milliseconds, () => {
      this.#note(`thaw ${life.owner}`);
      life.frozen = false;
      for (const ring of life.missed.splice(0)) if (!life.dead) ring();
    });
  }

  /**
   * Delays the worker's calls to the store. A delayed call may arrive after the worker's lease has expired,
   * or after the worker has ended.
   */
  stall(name: string, milliseconds: number): void {
    const life = this.#hosts.get(name);
    if (!life) return;
    this.#note(`stall the store calls of ${life.owner} for ${milliseconds}`);
    const calls = `${STORE_LANE}${life.owner}`;
    this.#stalled.add(calls);
    this.clock.after(milliseconds, () => {
      this.#note(`the store calls of ${life.owner} arrive`);
      this.#stalled.delete(calls);
    });
  }

  /** Removes the leases of an owner from the lease table. The owner still believes that it holds them. */
  steal(name: string): void {
    const life = this.#hosts.get(name);
    if (!life) return;
    this.#note(`steal the leases of ${life.owner}`);
    this.#leases.releaseAll(life.owner);
  }

  /** Stops a worker in the orderly way, so that it ends its work, and starts it again. */
  drain(name: string, grace: number): void {
    const life = this.#hosts.get(name);
    if (!life) return;
    this.#note(`drain ${life.owner}`);
    life.host?.drain(grace).then(() => {
      if (life.dead) return;
      this.#note(`drained ${life.owner}`);
      this.kill(name, { posthumous: true });
    });
  }

  /**
   * Makes the store unavailable. Calls to it fail before they are executed, fail afterwards, or are executed after
   * their callers have given up.
   */
  breakStore(away: Away, milliseconds: number): void {
    this.#note(`store away (${away}) for ${milliseconds}`);
    this.#storeAway = away;
    this.clock.after(milliseconds, () => {
      this.#note("store back");
      this.#storeAway = "no";
    });
  }

  #note(disturbance: string): void {
    this.log.push(disturbance);
    this.#calmSince = this.clock.monotonic();
    this.#disturbances += 1;
  }

  #boot(): void {
    const bus = new WatchedBus(this.clock, this.#judge, this.#mailbox);
    this.#bus = bus;
    this.#leases = new MemoryLeases(this.clock, LEASE_TTL);
    this.#system = new ActorSystem(bus, this.clock, `clients-${this.#lives}`);
    bus.subscribe("counter.>", (event) => this.#judge.published(event as { actor: string; n: number }));
  }

  #bury(life: WorkerLife, posthumous: boolean): void {
    life.dead = true;
    this.#hosts.delete(life.name);
    this.#lanes.delete(`>${life.owner}`);
    if (posthumous) this.#event(`${life.owner}>`, undefined, life.forget);
    else {
      this.#lanes.delete(`${life.owner}>`);
      life.forget();
    }
  }

  #event(lane: string, life: WorkerLife | undefined, event: () => void | Promise<void>): void {
    const existing = this.#lanes.get(lane);
    if (existing) existing.events.push(event);
    else this.#lanes.set(lane, { events: [event], life });
  }

  /**
   * Returns both ends of a worker's message port. Frames in one direction stay in order, and each delivery is
   * an event of the simulation.
   */
  #ports(life: WorkerLife): [near: Port, far: Port] {
    const toWorker: ((frame: unknown) => void)[] = [];
    const toMain: ((frame: unknown) => void)[] = [];
    const near: Port = {
      post: (frame) => {
        if (life.dead) return;
        this.#event(`${life.owner}>`, undefined, () => {
          for (const take of toMain) take(frame);
        });
      },
      listen: (take) => toWorker.push(take),
    };
    const far: Port = {
      post: (frame) => {
        if (life.dead) return;
        this.#event(`>${life.owner}`, life, () => {
          for (const take of toWorker) take(frame);
        });
      },
      listen: (take) => toMain.push(take),
    };
    return [near, far];
  }

  #clockOf(life: WorkerLife): Clock {
    return {
      now: () => this.clock.now(),
      monotonic: () => this.clock.monotonic(),
      after: (delay, callback) => {
        let cancelled = false;
        const cancel = this.clock.after(delay, () => {
          if (life.dead) return;
          if (life.frozen) life.missed.push(() => cancelled || callback());
          else callback();
        });
        return () => {
          cancelled = true;
          cancel();
        };
      },
    };
  }

  #store(life: WorkerLife) {
    return storeOf(this.inner, {
      arrive: () => {
        this.#calls += 1;
        return this.#moment(`${STORE_LANE}${life.owner}#${this.#calls}`, undefined);
      },
      away: () => this.#storeAway,
      arriveLate: async () => {
        this.#calls += 1;
        const call = `${STORE_LANE}late#${this.#calls}`;
        await pause(this.clock, STORE_LATE);
        await this.#moment(call, undefined);
      },
      answer: () => {
        this.#calls += 1;
        return life.dead ? new Promise(() => {}) : this.#moment(`answer-${this.#calls}`, life);
      },
      committed: (rows) => this.#judge.committed(rows),
    });
  }

  #services(life: WorkerLife): SimulatedServices {
    return {
      began: (actor, n) => this.#judge.began(actor, n),
      takeAction: () => {
        this.#calls += 1;
        return life.dead ? new Promise(() => {}) : this.#moment(`act-${this.#calls}`, life);
      },
      readStore: async () => {
        if (this.#storeAway !== "no")
          throw new Unavailable("store.unavailable", "The simulated store is away.");
      },
      notified: (actor, n, k) => this.#judge.notified(actor, n, k),
    };
  }

  /**
   * Creates an event in an event queue, and resolves when the event runs. It never resolves if the host has
   * died before the event runs.
   */
  #moment(lane: string, life: WorkerLife | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#event(lane, life, () => {
        if (!life?.dead) resolve();
      });
    });
  }
}
