/**
 * A real Redis Cluster for tests: three primaries with a replica each, on loopback. Their passwords are the same.
 */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { freePort, RedisServer } from "./test-redis-server.ts";

const PRIMARIES = 3;
/** Time in milliseconds after which the other nodes regard a silent node as failed. */
const NODE_TIMEOUT = 5_000;

export class RedisCluster {
  readonly servers: readonly RedisServer[];

  private constructor(servers: readonly RedisServer[]) {
    this.servers = servers;
  }

  /** @param binary the path of redis-server; redis-cli is in the same folder */
  static async start(binary: string, password: string): Promise<RedisCluster> {
    const servers: RedisServer[] = [];
    for (let node = 0; node < 2 * PRIMARIES; node++) {
      const options = {
        "cluster-enabled": "yes",
        "cluster-node-timeout": String(NODE_TIMEOUT),
        "cluster-port": String(await freePort()),
        masterauth: password,
      };
      servers.push(await RedisServer.start(binary, password, options));
    }
    const cluster = new RedisCluster(servers);
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    const create = ["--cluster", "create", ...addresses, "--cluster-replicas", "1", "--cluster-yes"];
    await promisify(execFile)(join(dirname(binary), "redis-cli"), ["-a", password, ...create]);
    for (const { url } of servers) {
      const redis = new Redis(url);
      while (!/cluster_state:ok/.test(String(await redis.cluster("INFO")))) await Bun.sleep(100);
      redis.disconnect();
    }
    return cluster;
  }

  /** Two nodes of the cluster. A client learns the other nodes from them. */
  get url(): string {
    return this.servers
      .slice(0, 2)
      .map(({ url }) => url)
      .join(",");
  }

  /** Returns the primary server of the cluster that stores a key. */
  async primaryOf(key: string): Promise<RedisServer> {
    for (const server of this.servers) {
      const redis = new Redis(server.url);
      try {
        // Of the nodes of a Redis Cluster, only the primary with the key answers normally. All others answer
        // with the error `MOVED`.
        await redis.exists(key);
        return server;
      } catch (error) {
        if (!String(error).includes("MOVED")) throw error;
      } finally {
        redis.disconnect();
      }
    }
    throw new Error(`No node stores ${key}.`);
  }

  async remove(): Promise<void> {
    for (const server of this.servers) await server.remove();
  }
}
