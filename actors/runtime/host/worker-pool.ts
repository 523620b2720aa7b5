/**
 * The workers of a node: started in sequence, supervised, drained together.
 * Rendezvous hashing assigns shards to worker names, so a restarted worker takes the same ones. A dead worker
 * loses its leases at once; commands wait in the queue.
 */
import { Defect } from "../../../machines/errors.ts";
import { type InspectionEvent, inspectTopic } from "../../../machines/inspection/inspection-topic.ts";
import { addressLimits } from "../../../machines/runtime/limits.ts";
import { rendezvous } from "../address.ts";
import type { Clock } from "../clock.ts";
import { supervise } from "../core/supervise.ts";
import { type StoreCall, servePort } from "../drivers/bus.port.ts";
import type { Bus } from "../drivers/bus.ts";
import type { NodeLeases } from "../drivers/lease.ts";
import type { DirectOptions } from "../drivers/nats/worker-connection.nats.ts";
import { workerLimits } from "../limits.ts";
import { spawnThread, type Thread } from "../platform.ts";
import { workerNames } from "./placement.ts";
import type { HostReport, Log } from "./shard-host.ts";
import type { ControlFrame, WorkerStart } from "./worker-host.ts";

export interface WorkerPoolOptions {
  /** The module that calls `runWorker`. */
  readonly module: URL;
  readonly size: number;
  readonly node: string;
  readonly bus: Bus;
  readonly leases: NodeLeases;
  /** How the workers reach the broker themselves. */
  readonly direct?: DirectOptions | undefined;
  readonly store: StoreCall;
  readonly clock: Clock;
  readonly leaseTtl: number;
  readonly settings: unknown;
  readonly log: Log;
  /** The shards of a worker by name; by default those of rendezvous hashing for a single node. */
  readonly wanted?: (worker: string) => readonly number[];
  /** Called when a worker crashed too often: the node can no longer work. */
  readonly exhausted: (worker: string) => void;
}

export interface WorkerReport {
  readonly name: string;
  readonly ready: boolean;
  /** Number of its starts. */
  readonly starts: number;
  /** The report of its host; `undefined` while it starts or does not answer. */
  readonly host: HostReport | undefined;
}

interface Running {
  readonly thread: Thread;
  readonly attempt: number;
  readonly reports: Map<number, (report: HostReport | null) => void>;
  ready: boolean;
  drained: () => void;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #names: readonly string[];
  readonly #running = new Map<string, Running>();
  #stopping = false;
  #requests = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#names = workerNames(options.node, options.size);
  }

  /** Resolves when every worker is ready; rejects with the error of a first start. */
  async start(): Promise<void> {
    for (const name of this.#names) {
      await new Promise<void>((resolve, reject) => {
        void supervise(
          (attempt) => this.#run(name, attempt, resolve, attempt === 1 ? reject : () => {}),
          workerLimits,
          this.#options.clock,
        ).then((end) => {
          if (end !== "exhausted") return;
          this.#options.exhausted(name);
          // No caller waits for a worker that was ready before.
          reject(new Defect("worker.exhausted", `Worker ${name} crashed too often while starting.`));
        });
      });
    }
  }

  /** Assigns the current shards to each worker; others are given up gently. */
  reconsider(): void {
    for (const [name, { thread }] of this.#running) thread.post(["desire", this.#wanted(name)]);
  }

  #wanted(name: string): readonly number[] {
    const { wanted } = this.#options;
    if (wanted) return wanted(name);
    return Array.from({ length: addressLimits.shards }, (_, shard) => shard).filter(
      (shard) => rendezvous(shard, this.#names) === name,
    );
  }

  /** Readiness of the workers, for `/ready`. */
  status(): readonly { readonly name: string; readonly ready: boolean }[] {
    return this.#names.map((name) => ({ name, ready: this.#running.get(name)?.ready ?? false }));
  }

  /** The reports of all workers; a worker too busy to answer is reported without its host. */
  async reports(): Promise<readonly WorkerReport[]> {
    return await Promise.all(
      this.#names.map(async (name) => {
        const running = this.#running.get(name);
        const { ready = false, attempt = 0 } = running ?? {};
        const host = running && ready ? await this.#report(running) : null;
        return { name, ready, starts: attempt, host: host ?? undefined };
      }),
    );
  }

  #report({ thread, reports }: Running): Promise<HostReport | null> {
    return new Promise((resolve) => {
      this.#requests += 1;
      const request = this.#requests;
      const settle = (report: HostReport | null) => {
        late();
        reports.delete(request);
        resolve(report);
      };
      const late = this.#options.clock.after(workerLimits.reportWithin, () => settle(null));
      reports.set(request, settle);
      thread.post(["report", request]);
    });
  }

  /** Drains and ends all workers. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(
      [...this.#running.values()].map(async (running) => {
        const drained = new Promise<void>((resolve) => {
          running.drained = resolve;
          this.#options.clock.after(workerLimits.grace + 1_000, resolve);
        });
        running.thread.post(["drain", workerLimits.grace]);
        await Promise.race([drained, running.thread.ended]);
        running.thread.terminate();
        await running.thread.ended;
      }),
    );
  }

  async #run(
    name: string,
    attempt: number,
    ready: () => void,
    refused: (error: Error) => void,
  ): Promise<"stopped" | "crashed"> {
    const { module, bus, leases, store, clock, leaseTtl, settings, log, direct } = this.#options;
    if (this.#stopping) return "stopped";
    const owner = `${name}.${attempt}.${crypto.randomUUID().slice(0, 8)}`;
    const thread = spawnThread(module, name);
    const running: Running = { thread, attempt, ready: false, drained: () => {}, reports: new Map() };
    this.#running.set(name, running);
    const forget = servePort(thread, { bus, leases, store });
    const late = clock.after(workerLimits.readyWithin, () => {
      log("error", "worker did not become ready", { worker: name });
      thread.terminate();
    });
    thread.listen((raw) => {
      const frame = raw as ControlFrame;
      switch (frame[0]) {
        case "ready":
          late();
          running.ready = true;
          this.#publish(name, "ready", attempt);
          ready();
          break;
        case "refused":
          refused(new Defect(frame[1], frame[2]));
          thread.terminate();
          break;
        case "reported":
          running.reports.get(frame[1])?.(frame[2]);
          break;
        case "drained":
          running.drained();
          break;
        case "log":
          log(frame[1], frame[2], { worker: name, ...(JSON.parse(frame[3]) as Record<string, unknown>) });
          break;
      }
    });
    // The leases of a stuck thread expire and it hosts nothing, so it is replaced.
    let cancelCheck = () => {};
    const checkLeases = () => {
      if (running.ready && !this.#stopping && leases.isSilent(owner)) {
        log("error", "worker let its leases expire and is replaced", { worker: name, attempt });
        thread.terminate();
      } else {
        cancelCheck = clock.after(leaseTtl, checkLeases);
      }
    };
    checkLeases();
    const start: WorkerStart = { owner, shards: this.#wanted(name), leaseTtl, settings, direct };
    thread.post(["start", start]);
    const error = await thread.ended;
    late();
    cancelCheck();
    running.ready = false;
    this.#running.delete(name);
    for (const settle of running.reports.values()) settle(null);
    forget();
    await leases.releaseAll(owner).catch((failed) => {
      // The leases expire by themselves.
      log("warn", "leases of an ended worker could not be released", {
        worker: name,
        error: String(failed),
      });
    });
    this.#publish(name, "ended", attempt, error?.message);
    if (this.#stopping) return "stopped";
    log("error", "worker ended", { worker: name, attempt, error: error?.message ?? "no error was reported" });
    refused(
      new Defect(
        "worker.died",
        `Worker ${name} ended while starting: ${error?.message ?? "no reason was reported"}.`,
      ),
    );
    return "crashed";
  }

  /** Publishes an inspection event; rare enough to be sent without checking for subscribers. */
  #publish(worker: string, phase: "ready" | "ended", attempt: number, error?: string): void {
    const { bus, clock } = this.#options;
    const at = clock.now();
    const event: InspectionEvent = {
      type: "@cairn.worker",
      what: "worker",
      kind: "worker",
      id: worker,
      sessionId: `worker/${worker}`,
      rootId: `worker/${worker}`,
      at,
      createdAt: String(at),
      owner: this.#options.node,
      phase,
      attempt,
      ...(error === undefined ? {} : { error }),
    };
    bus.publish(inspectTopic("worker", "worker", worker), event);
  }
}
