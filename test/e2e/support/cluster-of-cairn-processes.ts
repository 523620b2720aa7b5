/** Starts Cairn processes that form a cluster over one NATS server, and finds the process that runs an actor. */
import { address, shardOf } from "../../../actors/runtime/index.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { Cairn, dataFolder, freePort } from "./cairn-test-process.ts";

/** Lifetime of a lease in milliseconds. It is short, so that other nodes soon continue after a kill. */
const LEASE_TTL = 4_000;

type Settings = Readonly<Record<string, string>>;

export class ProcessCluster {
  readonly #nats: NatsServer;
  readonly #running = new Set<Cairn>();
  readonly #folders: { remove(): Promise<void> }[] = [];

  private constructor(nats: NatsServer) {
    this.#nats = nats;
  }

  static async start(): Promise<ProcessCluster> {
    return new ProcessCluster(await NatsServer.start());
  }

  /** Starts a node, and waits until it is ready. */
  async start(env: Settings): Promise<Cairn> {
    return this.#added(await Cairn.start(await this.#options(env)));
  }

  /** Starts a node without waiting until it is ready. */
  async launch(env: Settings): Promise<Cairn> {
    return this.#added(await Cairn.launch(await this.#options(env)));
  }

  async kill(node: Cairn): Promise<void> {
    await node.kill();
    this.#running.delete(node);
  }

  async stop(node: Cairn): Promise<void> {
    await node.stop();
    this.#running.delete(node);
  }

  /**
   * Returns the running node that owns the actor's shard, as the node `home` (which has the gateway) reports
   * it.
   */
  async hostOf(kind: string, id: string, home: Cairn): Promise<Cairn | undefined> {
    const shard = shardOf(address(kind, id));
    const { body } = await home.get("/api/nodes");
    const nodes: { name: string; workers: { shards: number[] }[] }[] = body.nodes ?? [];
    const host = nodes.find(({ workers }) => workers.some(({ shards }) => shards.includes(shard)));
    return [...this.#running].find((node) => host !== undefined && nameOf(node) === host.name);
  }

  async close(): Promise<void> {
    for (const node of this.#running) await node.kill();
    await this.#nats.close();
    for (const folder of this.#folders) await folder.remove();
  }

  #added(node: Cairn): Cairn {
    this.#running.add(node);
    return node;
  }

  async #options(env: Settings) {
    const folder = await dataFolder();
    this.#folders.push(folder);
    return {
      data: folder.path,
      port: await freePort(),
      env: {
        NATS_URL: this.#nats.url,
        CAIRN_WORKERS: "1",
        CAIRN_LEASE_TTL_MS: String(LEASE_TTL),
        CAIRN_LOG_FORMAT: "json",
        ...env,
      },
    };
  }
}

/** Returns the name of a node in the cluster, which the node has written to its log. */
function nameOf({ output }: Cairn): string | undefined {
  return /node-[0-9a-f]{8}/.exec(output.stdout + output.stderr)?.[0];
}
