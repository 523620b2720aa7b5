/**
 * The worker threads of a node: started one after the other, supervised, and drained together. Rendezvous
 * hashing assigns shards to names of workers, so a restarted worker gets the same shards. A dead worker loses
 * its leases at once, and its commands wait in the queues; a busy worker keeps its leases.
 */
import { Defect } from "../../../machines/errors.ts";
import { type InspectionEvent, inspectTopic } from "../../../machines/inspection/actor-inspection-topics.ts";
import { leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { allShards, rendezvous } from "../actor-address.ts";
import { workerLimits } from "../actor-runtime-limits.ts";
import { supervise } from "../core/crash-restart-policy.ts";
import type { Bus } from "../drivers/message-bus.ts";
import { type StoreCall, servePort } from "../drivers/message-bus-over-thread-port.ts";
import type { DirectOptions } from "../drivers/nats/nats-connection-of-worker.ts";
import type { NodeLeases } from "../drivers/shard-leases.ts";
import type { Log } from "../log-function-of-runtime.ts";
import { spawnThread, type Thread } from "../platform.ts";
import type { Clock } from "../runtime-clock.ts";
import type { ControlFrame, WorkerStart } from "./runtime-in-worker-thread.ts";
import type { HostReport } from "./shard-host.ts";
import { workerNames } from "./shard-placement.ts";

export interface WorkerPoolOptions {
  /** The module that a worker runs. It calls `runWorker`. */
  readonly module: URL;
  readonly size: number;
  readonly node: string;
  readonly bus: Bus;
  readonly leases: NodeLeases;
  /** How workers connect directly to the broker; absent without a broker. */
  readonly direct?: DirectOptions | undefined;
  readonly store: StoreCall;
  readonly clock: Clock;
  readonly leaseTtl: number;
  readonly settings: unknown;
  readonly log: Log;
  /**
   * Returns the shards that a worker should host. By default, all shards are distributed over the workers of
   * this node.
   */
  readonly wanted?: (worker: string) => readonly number[];
  /** Called when a worker has crashed too often, so that the node can no longer work. */
  readonly exhausted: (worker: string) => void;
}

export interface WorkerReport {
  readonly name: string;
  readonly ready: boolean;
  /** Number of times that the worker was started. */
  readonly starts: number;
  /** The last report about the shards and actors of the worker; `undefined` while the worker starts or does not answer. */
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

  /**
   * Resolves when every worker is ready. Rejects with the error of a worker that fails at its first start.
   */
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
          // If the worker has never been ready, this rejects the promise of its start. A promise that is
          // already settled ignores the call.
          reject(new Defect("worker.exhausted", `Worker ${name} crashed too often while starting.`));
        });
      });
    }
  }

  /**
   * Assigns the current shards to each worker. A worker finishes its running work before it gives up a shard.
   */
  reconsider(): void {
    for (const [name, { thread }] of this.#running) thread.post(["desire", this.#wanted(name)]);
  }

  #wanted(name: string): readonly number[] {
    const { wanted } = this.#options;
    if (wanted) return wanted(name);
    return allShards.filter((shard) => rendezvous(shard, this.#names) === name);
  }

  /** Whether each worker is ready, for `/ready`. */
  status(): readonly { readonly name: string; readonly ready: boolean }[] {
    return this.#names.map((name) => ({ name, ready: this.#running.get(name)?.ready ?? false }));
  }

  /**
   * Returns the reports of all workers. A worker that is too busy to answer is reported without details of
   * its host.
   */
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

  /** Lets all workers finish their running work, and then ends them. */
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
      this.#receive(name, running, frame);
      if (frame[0] === "ready") {
        late();
        ready();
      } else if (frame[0] === "refused") refused(new Defect(frame[1], frame[2]));
    });
    const cancelChecks = this.#checkLeases(owner, running, () => {
      log("error", "worker is stuck and is replaced", { worker: name, attempt });
      thread.terminate();
    });
    // Without a broker, the lease table is in this process.
    const localTable = direct === undefined;
    const shards = this.#wanted(name);
    thread.post(["start", { owner, shards, leaseTtl, localTable, settings, direct } satisfies WorkerStart]);
    const error = await thread.ended;
    late();
    cancelChecks();
    running.ready = false;
    this.#running.delete(name);
    for (const settle of running.reports.values()) settle(null);
    forget();
    await leases.releaseAll(owner).catch((failed) => {
      // The leases could not be released. They expire after a while without a release.
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

  /** Handles a message of a worker's thread. */
  #receive(name: string, running: Running, frame: ControlFrame): void {
    switch (frame[0]) {
      case "ready":
        running.ready = true;
        this.#publish(name, "ready", running.attempt);
        break;
      case "refused":
        running.thread.terminate();
        break;
      case "reported":
        running.reports.get(frame[1])?.(frame[2]);
        break;
      case "drained":
        running.drained();
        break;
      case "log":
        this.#options.log(frame[1], frame[2], {
          worker: name,
          ...(JSON.parse(frame[3]) as Record<string, unknown>),
        });
        break;
    }
  }

  /**
   * Extends the leases of a worker that is too busy to renew them, for example while it parses a huge page.
   * Calls `stuck` when too many checks in a row have found the worker silent. Checks are counted instead of
   * time, because this thread may be busy too. Returns a function that ends the checks.
   */
  #checkLeases(owner: string, running: Running, stuck: () => void): () => void {
    const { leases, leaseTtl, clock, log } = this.#options;
    let silentChecks = 0;
    let checkedAt = clock.monotonic();
    const check = (): void => {
      const isSilent = running.ready && !this.#stopping && leases.isSilentSince(owner, checkedAt);
      checkedAt = clock.monotonic();
      silentChecks = isSilent ? silentChecks + 1 : 0;
      if (silentChecks >= leaseLimits.silentIntervals) {
        stuck();
        return;
      }
      if (isSilent) {
        leases.extend(owner).catch((error) => {
          log("warn", "leases of a busy worker could not be extended", { owner, error: String(error) });
        });
      }
      cancel = clock.after(leaseTtl * leaseLimits.renewEvery, check);
    };
    let cancel = clock.after(leaseTtl * leaseLimits.renewEvery, check);
    return () => cancel();
  }

  /** Publishes an inspection event. It is sent without checking for subscribers, because it is rare. */
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
