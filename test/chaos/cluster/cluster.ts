/**
 * The cluster under chaos as its driver holds it: nats-server, the store, three nodes, and everything that may
 * strike them. Neighbours: `schedule.ts` says what strikes when, `node.ts` is what runs in each process.
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineEnvironment } from "../../../gateway/engine-env.ts";
import { NatsServer } from "../../support/nats.ts";
import type { NodeSettings } from "./node.ts";
import { World } from "./world.ts";

export interface ClusterOptions {
  readonly nodes: number;
  readonly leaseTtl: number;
}

interface Started {
  readonly process: Bun.Subprocess<"ignore", "pipe", number>;
  readonly url: string;
}

/** Starts a script of this folder; resolves with the address that it prints once it is ready. */
async function start(script: string, argument: string, log: string): Promise<Started> {
  const errors = openSync(log, "a");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), argument], {
    // With the memory that a served Cairn gives its engines: by themselves they take what the machine has.
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

export class Node {
  readonly name: string;
  readonly #settings: Omit<NodeSettings, "owner">;
  readonly #log: string;
  #lives = 0;
  #started: Started | undefined;
  #starting: Promise<void> | undefined;
  #paused = false;
  /** Ended without having been told to, in words. */
  readonly deaths: string[] = [];
  /** When it was last struck, or went on; milliseconds of the machine's clock. */
  disturbed = 0;

  constructor(settings: Omit<NodeSettings, "owner">, log: string) {
    this.name = settings.name;
    this.#settings = settings;
    this.#log = log;
  }

  /** Where clients reach it; `undefined` while it is down. */
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
    this.#lives += 1;
    const settings: NodeSettings = { ...this.#settings, owner: `${this.name}.${this.#lives}` };
    const started = await start("node.ts", JSON.stringify(settings), this.#log);
    this.#started = started;
    this.disturbed = Date.now();
    void started.process.exited.then((code) => {
      if (this.#started !== started) return;
      this.#started = undefined;
      this.deaths.push(`${settings.owner} ended by itself with ${code}; see ${this.#log}`);
    });
  }

  async kill(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    this.#paused = false;
    this.disturbed = Date.now();
    started?.process.kill("SIGKILL");
    await started?.process.exited;
  }

  /** As an operator ends it: it finishes what it has and gives its leases back. */
  async drain(): Promise<void> {
    const started = this.#started;
    if (!started) return;
    this.#started = undefined;
    this.disturbed = Date.now();
    started.process.kill("SIGTERM");
    const code = await started.process.exited;
    if (code !== 0) this.deaths.push(`${this.name} drained and ended with ${code}; see ${this.#log}`);
  }

  pause(): void {
    if (!this.#started) return;
    this.#paused = true;
    this.disturbed = Date.now();
    this.#started.process.kill("SIGSTOP");
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.disturbed = Date.now();
    this.#started?.process.kill("SIGCONT");
  }

  /** What it hosts and how much memory it takes; `undefined` when it does not answer in time. */
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

export class Cluster {
  readonly nats: NatsServer;
  readonly nodes: readonly Node[];
  readonly world: World;
  readonly folder: string;
  readonly storeUrl: string;
  readonly leaseTtl: number;
  readonly #store: Started;
  #natsAway = false;

  private constructor(
    nats: NatsServer,
    store: Started,
    world: World,
    folder: string,
    { nodes, leaseTtl }: ClusterOptions,
  ) {
    this.nats = nats;
    this.#store = store;
    this.storeUrl = store.url;
    this.world = world;
    this.folder = folder;
    this.leaseTtl = leaseTtl;
    const shared = { nats: nats.url, store: store.url, world: world.url, leaseTtl, folder };
    this.nodes = Array.from({ length: nodes }, (_, i) => {
      const name = `node${i + 1}`;
      return new Node({ name, ...shared }, join(folder, `${name}.log`));
    });
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-cluster-"));
    mkdirSync(folder, { recursive: true });
    const nats = await NatsServer.start();
    const store = await start(
      "store-process.ts",
      `rocksdb://${join(folder, "db")}`,
      join(folder, "store.log"),
    );
    const cluster = new Cluster(nats, store, new World(), folder, options);
    await Promise.all(cluster.nodes.map((node) => node.start()));
    return cluster;
  }

  node(index: number): Node {
    const node = this.nodes[index % this.nodes.length];
    if (!node) throw new Error("a cluster has nodes");
    return node;
  }

  /** Stops nats-server and starts it again after a while, with what its files hold. */
  async restartNats(signal: "SIGTERM" | "SIGKILL", downFor: number): Promise<void> {
    if (this.#natsAway) return;
    this.#natsAway = true;
    await this.nats.stop(signal);
    await Bun.sleep(downFor);
    await this.nats.start();
    this.#natsAway = false;
    // Whatever was asked of a node meanwhile was disturbed as if the node had been.
    for (const node of this.nodes) node.disturbed = Date.now();
  }

  /** Ends everything. What was witnessed and logged is kept when it is evidence. */
  async stop({ keep }: { readonly keep: boolean }): Promise<void> {
    for (const node of this.nodes) await node.kill();
    this.#store.process.kill("SIGKILL");
    await this.#store.process.exited;
    await this.nats.close();
    this.world.stop();
    if (!keep) await rm(this.folder, { recursive: true, force: true });
  }
}
