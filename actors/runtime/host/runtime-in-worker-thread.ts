/**
 * The runtime inside of a worker thread: a shard host that communicates with the node's main thread over a
 * port. The entry module `actors/worker-entry.ts` calls `runWorker` with the actor kinds, so this file
 * imports no actor kind.
 */
import { asCairnError } from "../../../machines/errors.ts";
import type { MetricFamily } from "../../../machines/runtime/metric-counters.ts";
import type { ActorStore } from "../../../store/index.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import { type Port, PortBus } from "../drivers/message-bus-over-thread-port.ts";
import type { DirectBus, DirectOptions } from "../drivers/nats/nats-connection-of-worker.ts";
import type { Log } from "../log-function-of-runtime.ts";
import { parentPort } from "../platform.ts";
import { type Clock, systemClock } from "../runtime-clock.ts";
import { type HostReport, ShardHost } from "./shard-host.ts";

/** The first message that the node sends to a worker. */
export interface WorkerStart {
  readonly owner: string;
  readonly shards: readonly number[];
  readonly leaseTtl: number;
  /** Whether the lease table is in this process, and not at a broker. */
  readonly localTable: boolean;
  /**
   * Settings from which the worker creates the services of the actor kinds. The runtime does not read them.
   */
  readonly settings: unknown;
  /**
   * How the worker connects to the broker directly. When it is absent, all messages go through the port to
   * the main thread.
   */
  readonly direct?: DirectOptions | undefined;
}

/**
 * Messages between the worker pool and its worker that control the worker, such as its start. They do not go
 * over the bus.
 */
export type ControlFrame =
  | readonly ["start", WorkerStart]
  | readonly ["ready"]
  | readonly ["refused", string, string]
  | readonly ["desire", readonly number[]]
  | readonly ["drain", number]
  | readonly ["drained"]
  | readonly ["report", number]
  | readonly ["reported", number, HostReport | null]
  | readonly ["log", Parameters<Log>[0], string, string];

export interface WorkerKinds {
  readonly definitions: readonly AnyActorDefinition[];
  readonly services: unknown;
  readonly actorStore: ActorStore;
  /** Returns metrics of the services, in addition to those of the runtime. */
  measure?(): readonly MetricFamily[];
  /** Releases the resources of the services. */
  stop(): Promise<void>;
}

export interface WorkerContext {
  readonly start: WorkerStart;
  readonly bus: PortBus;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Hosts actors in this worker until it is drained. `makeKinds` creates the services and the definitions of
 * the kinds.
 */
export function runWorker(makeKinds: (context: WorkerContext) => Promise<WorkerKinds>): void {
  const port: Port = parentPort();
  const bus = new PortBus(port);
  let host: ShardHost | undefined;
  let kinds: WorkerKinds | undefined;
  let direct: DirectBus | undefined;
  /** The shards that the node assigned to this worker; `undefined` before the first assignment. */
  let desired: readonly number[] | undefined;
  const log: Log = (level, message, fields) => port.post(["log", level, message, JSON.stringify(fields)]);

  /**
   * Connects to the broker directly. When this fails, the worker sends everything through the port to the
   * main thread.
   */
  const openDirect = async (options: DirectOptions, name: string) => {
    // The NATS client is loaded only when there is a broker.
    const { DirectBus } = await import("../drivers/nats/nats-connection-of-worker.ts");
    return await DirectBus.open(bus, { ...options, name, log }).catch((error) => {
      log("warn", "a worker has no connection to NATS of its own and uses its node's", {
        error: String(error),
      });
      return undefined;
    });
  };

  const begin = async (start: WorkerStart) => {
    direct = start.direct && (await openDirect(start.direct, start.owner));
    kinds = await makeKinds({ start, bus, clock: systemClock, log });
    host = new ShardHost({
      owner: start.owner,
      bus: direct ?? bus,
      leases: direct ?? bus,
      store: kinds.actorStore,
      clock: systemClock,
      definitions: kinds.definitions,
      services: kinds.services,
      leaseTtl: start.leaseTtl,
      localTable: start.localTable,
      log,
    });
    await host.start(desired ?? start.shards);
  };

  port.listen((raw) => {
    const frame = raw as ControlFrame;
    if (frame[0] === "start") {
      begin(frame[1]).then(
        () => port.post(["ready"]),
        (thrown) => {
          const error = asCairnError(thrown);
          port.post(["refused", error.code, error.message]);
        },
      );
    } else if (frame[0] === "desire") {
      desired = frame[1];
      host?.desire(desired);
    } else if (frame[0] === "report") {
      const report = host?.report();
      const more = kinds?.measure?.() ?? [];
      port.post(["reported", frame[1], report ? { ...report, metrics: [...report.metrics, ...more] } : null]);
    } else if (frame[0] === "drain") {
      (async () => {
        await host?.drain(frame[1]);
        await kinds?.stop();
        await direct?.close();
      })()
        .catch((error) => log("error", "drain failed", { error: String(error) }))
        .finally(() => port.post(["drained"]));
    }
  });
}
