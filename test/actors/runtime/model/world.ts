/**
 * A small world in which the real runtime lives: hosts in "workers", a bus on the "main thread", one store.
 *
 * Everything that would take time is an event on a lane: each frame over a worker's port, each arrival and
 * answer of a store call, each act of an effect. One event happens at a time, in an order that the test case
 * chooses, and between any two of them a fault may strike. Time moves only when the case lets it.
 * Neighbours: `scenario.ts` says what may strike, `judge.ts` watches, `model.test.ts` plays the cases.
 */

import { pause } from "../../../../actors/runtime/clock.ts";
import { type Port, PortBus, servePort } from "../../../../actors/runtime/drivers/bus.port.ts";
import {
  type ActorDefinition,
  ActorSystem,
  type AnyActorDefinition,
  type Clock,
  MemoryLeases,
  ShardHost,
} from "../../../../actors/runtime/index.ts";
import { Unavailable } from "../../../../machines/errors.ts";
import { MemoryActorStore } from "../../../../store/index.ts";
import { alarm, counter, job, relay, type SimulatedServices } from "../support/test-kinds.ts";
import { WatchedBus } from "../support/watched-bus.ts";
import type { Judge } from "./judge.ts";
import { type SimulatedClock, settled } from "./simulated-clock.ts";
import { type Away, storeOf } from "./simulated-store.ts";

export const LEASE_TTL = 10_000;
/** The pause before a dead worker is started again, as a supervisor makes it. */
const RESPAWN = 100;
/** Milliseconds that may pass while things are under way. */
const SLOW = 20;
/** A call that was given up arrives this much later: its sender has tried again meanwhile. */
const STORE_LATE = 200;
/** Calls on their way to the store, which is a process of its own. */
const STORE_LANE = "store-";

const kinds: readonly ActorDefinition<SimulatedServices, never>[] = [counter, relay, job, alarm];
// The registry erases the services' type: `Life.services` is what these kinds ask for.
const definitions = kinds as readonly AnyActorDefinition[];

/** One life of one worker. */
interface Life {
  readonly name: string;
  readonly owner: string;
  host: ShardHost | undefined;
  forget: () => void;
  dead: boolean;
  frozen: boolean;
  /** What the clock rang while it was frozen. */
  readonly missed: (() => void)[];
}

interface Lane {
  readonly events: (() => void | Promise<void>)[];
  readonly life: Life | undefined;
}

export interface WorldOptions {
  readonly clock: SimulatedClock;
  readonly judge: Judge;
  /** Which lane comes next; 0 when the case has no more to say. */
  readonly choose: () => number;
  readonly shards: readonly number[];
  readonly mailbox: number;
}

export class World {
  readonly clock: SimulatedClock;
  readonly inner = new MemoryActorStore();
  readonly log: string[] = [];
  readonly #judge: Judge;
  readonly #choose: () => number;
  readonly #shards: readonly number[];
  readonly #mailbox: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #hosts = new Map<string, Life>();
  #bus!: WatchedBus;
  #leases!: MemoryLeases;
  #system!: ActorSystem;
  #lives = 0;
  #calls = 0;
  #storeAway: Away = "no";
  readonly #stalled = new Set<string | undefined>();
  #calmSince = 0;
  #disturbances = 0;

  constructor({ clock, judge, choose, shards, mailbox }: WorldOptions) {
    this.clock = clock;
    this.#judge = judge;
    this.#choose = choose;
    this.#shards = shards;
    this.#mailbox = mailbox;
    this.#boot();
  }

  /** What a client talks to; another one after the process was started again. */
  get system(): ActorSystem {
    return this.#system;
  }

  /** When something last struck, or was over. */
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

  /** One event, or time passing when there is none (or when the case wants it). */
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
    // Seldom, time goes on though something is under way, and very seldom for as long as it takes.
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

  /** Nothing is under way, and no actor has anything left to do by itself. */
  async atRest(): Promise<boolean> {
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
    const life: Life = {
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

  /** The worker is gone between two events. What it had posted may still arrive; the bus and the rest live on. */
  kill(name: string, { posthumous }: { readonly posthumous: boolean }): void {
    const life = this.#hosts.get(name);
    if (!life) return;
    this.#note(`kill ${life.owner} ${posthumous ? "posthumous" : ""}`);
    this.#bury(life, posthumous);
    this.clock.after(RESPAWN, () => this.start(name));
  }

  /** The whole process is gone, its bus with it; the store stays, and what is on the way there may still arrive. */
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

  /** The worker stands still for a while and does not know it; its lease may run out meanwhile. */
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

  /** What the worker sends to the store takes long to arrive, longer perhaps than its lease or its life. */
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

  /** The lease table forgets an owner that still believes in its leases. */
  steal(name: string): void {
    const life = this.#hosts.get(name);
    if (!life) return;
    this.#note(`steal the leases of ${life.owner}`);
    this.#leases.releaseAll(life.owner);
  }

  /** The worker is told to stop, finishes what is under way, and is started again. */
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

  /** The store is away: calls fail before they were done, after they were, or are done when nobody waits any more. */
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

  #bury(life: Life, posthumous: boolean): void {
    life.dead = true;
    this.#hosts.delete(life.name);
    this.#lanes.delete(`>${life.owner}`);
    if (posthumous) this.#event(`${life.owner}>`, undefined, life.forget);
    else {
      this.#lanes.delete(`${life.owner}>`);
      life.forget();
    }
  }

  #event(lane: string, life: Life | undefined, event: () => void | Promise<void>): void {
    const existing = this.#lanes.get(lane);
    if (existing) existing.events.push(event);
    else this.#lanes.set(lane, { events: [event], life });
  }

  /** A worker's port: frames keep their order, each way, and take their time. */
  #ports(life: Life): [near: Port, far: Port] {
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

  #clockOf(life: Life): Clock {
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

  #store(life: Life) {
    return storeOf(this.inner, {
      arrive: () => {
        this.#calls += 1;
        return this.#moment(`${STORE_LANE}${life.owner}#${this.#calls}`, undefined);
      },
      away: () => this.#storeAway,
      tooLate: async () => {
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

  #services(life: Life): SimulatedServices {
    return {
      began: (actor, n) => this.#judge.began(actor, n),
      act: () => {
        this.#calls += 1;
        return life.dead ? new Promise(() => {}) : this.#moment(`act-${this.#calls}`, life);
      },
      look: async () => {
        if (this.#storeAway !== "no")
          throw new Unavailable("store.unavailable", "The simulated store is away.");
      },
      told: (actor, n, k) => this.#judge.told(actor, n, k),
    };
  }

  /** Resolves when its turn comes, unless its host dies before. */
  #moment(lane: string, life: Life | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#event(lane, life, () => {
        if (!life?.dead) resolve();
      });
    });
  }
}
