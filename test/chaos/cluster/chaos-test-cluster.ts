/**
 * Starts and controls the test cluster (nats-server, the store and the nodes), and injects faults into its
 * parts.
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineEnvironment } from "../../../gateway/environment-that-limits-engine-memory.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { ActionServer } from "./action-counting-server.ts";
import type { NodeSettings } from "./chaos-cluster-node-process.ts";

export interface ClusterOptions {
  readonly nodes: number;
  readonly leaseTtl: number;
}

interface ServerProcess {
  readonly process: Bun.Subprocess<"ignore", "pipe", number>;
  readonly url: string;
}

/** Starts a script of this folder, and resolves with the address that the script prints when it is ready. */
async function start(script: string, argument: string, log: string): Promise<ServerProcess> {
  const errors = openSync(log, "a");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), argument], {
    // The process has the same memory limits as `cairn serve`. Without limits, JavaScriptCore and RocksDB use
    // more memory on a machine with more memory.
    env: engineEnvironment(process.env) ?? process.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: errors,
  });
  closeSync(errors);
  for await (const line of child.stdout) {
    return { process: child, url: new TextDecoder().decode(line).trim() };
  }
  throw new Error(`${script} ended with ${await child.exited} before it was ready; see ${log}`);
}

export class ClusterNode {
  readonly name: string;
  readonly #settings: Omit<NodeSettings, "owner">;
  readonly #log: string;
  #starts = 0;
  #started: ServerProcess | undefined;
  #starting: Promise<void> | undefined;
  #paused = false;
  /** Descriptions of processes that have ended although the test did not stop them. */
  readonly unexpectedExits: string[] = [];
  /** Time of the last fault or start of the node, in milliseconds since the epoch. */
  lastFaultAt = 0;

  constructor(settings: Omit<NodeSettings, "owner">, log: string) {
    this.name = settings.name;
    this.#settings = settings;
    this.#log = log;
  }

  /** Address of the node for clients; `undefined` while the node is down. */
  get url(): string | undefined {
    return this.#started?.url;
  }

  get up(): boolean {
    return this.#started !== undefined && !this.#paused;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get pid(): number | undefined {
    return this.#started?.process.pid;
  }

  async start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  async #start(): Promise<void> {
    if (this.#started) return;
    this.#starts += 1;
    const settings: NodeSettings = { ...this.#settings, owner: `${this.name}.${this.#starts}` };
    const started = await start("chaos-cluster-node-process.ts", JSON.stringify(settings), this.#log);
    this.#started = started;
    this.lastFaultAt = Date.now();
    void started.process.exited.then((code) => {
      if (this.#started !== started) return;
      this.#started = undefined;
      this.unexpectedExits.push(`${settings.owner} ended by itself with ${code}; see ${this.#log}`);
    });
  }

  async kill(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    this.#paused = false;
    this.lastFaultAt = Date.now();
    started?.process.kill("SIGKILL");
    await started?.process.exited;
  }

  /** Stops the node as an operator does. It finishes its work and releases its leases. */
  async drain(): Promise<void> {
    const started = this.#started;
    if (!started) return;
    this.#started = undefined;
    this.lastFaultAt = Date.now();
    started.process.kill("SIGTERM");
    const code = await started.process.exited;
    if (code !== 0)
      this.unexpectedExits.push(`${this.name} drained and ended with ${code}; see ${this.#log}`);
  }

  pause(): void {
    if (!this.#started) return;
    this.#paused = true;
    this.lastFaultAt = Date.now();
    this.#started.process.kill("SIGSTOP");
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.lastFaultAt = Date.now();
    this.#started?.process.kill("SIGCONT");
  }

  /** Returns the node's shards and resident memory; `undefined` when it does not answer in time. */
  async status(): Promise<{ readonly shards: readonly number[]; readonly rss: number } | undefined> {
    if (!this.#started || this.#paused) return undefined;
    try {
      const answer = await fetch(this.#started.url, { signal: AbortSignal.timeout(1_000) });
      return await answer.json();
    } catch {
      return undefined;
    }
  }
}

export class TestCluster {
  readonly nats: NatsServer;
  readonly nodes: readonly ClusterNode[];
  readonly actionServer: ActionServer;
  readonly folder: string;
  readonly storeUrl: string;
  readonly leaseTtl: number;
  readonly #store: ServerProcess;
  #natsAway = false;

  private constructor(
    nats: NatsServer,
    store: ServerProcess,
    actionServer: ActionServer,
    folder: string,
    { nodes, leaseTtl }: ClusterOptions,
  ) {
    this.nats = nats;
    this.#store = store;
    this.storeUrl = store.url;
    this.actionServer = actionServer;
    this.folder = folder;
    this.leaseTtl = leaseTtl;
    const shared = { nats: nats.url, store: store.url, actionUrl: actionServer.url, leaseTtl, folder };
    this.nodes = Array.from({ length: nodes }, (_, i) => {
      const name = `node${i + 1}`;
      return new ClusterNode({ name, ...shared }, join(folder, `${name}.log`));
    });
  }

  static async start(options: ClusterOptions): Promise<TestCluster> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-cluster-"));
    mkdirSync(folder, { recursive: true });
    const nats = await NatsServer.start();
    const store = await start(
      "chaos-store-server.ts",
      `rocksdb://${join(folder, "db")}`,
      join(folder, "store.log"),
    );
    const cluster = new TestCluster(nats, store, new ActionServer(), folder, options);
    await Promise.all(cluster.nodes.map((node) => node.start()));
    return cluster;
  }

  node(index: number): ClusterNode {
    const node = this.nodes[index % this.nodes.length];
    if (!node) throw new Error("a cluster has nodes");
    return node;
  }

  /** Stops nats-server, and after some time starts it again with the same files. */
  async restartNats(signal: "SIGTERM" | "SIGKILL", downFor: number): Promise<void> {
    if (this.#natsAway) return;
    this.#natsAway = true;
    await this.nats.stop(signal);
    await Bun.sleep(downFor);
    await this.nats.start();
    this.#natsAway = false;
    // While NATS is stopped, no node can answer. So the fault is recorded for every node.
    for (const node of this.nodes) node.lastFaultAt = Date.now();
  }

  /**
   * Stops all processes. With `keep`, the journals and logs are not deleted, so that a failure can be
   * examined.
   */
  async stop({ keep }: { readonly keep: boolean }): Promise<void> {
    for (const node of this.nodes) await node.kill();
    this.#store.process.kill("SIGKILL");
    await this.#store.process.exited;
    await this.nats.close();
    this.actionServer.stop();
    if (!keep) await rm(this.folder, { recursive: true, force: true });
  }
}
