/**
 * Connects to the Redis of `REDIS_URL`, a single server or a Redis Cluster. A lost connection is opened again
 * with backoff, without a limit of attempts. This file also contains the Pub/Sub commands, which differ between
 * a cluster and a single server.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { edgeLimits } from "./redis-queue-limits.ts";

export interface RedisAddress {
  /** URL of the server. For a cluster also the URLs of several of its nodes, separated by commas. */
  readonly url: string;
  readonly cluster: boolean;
}

export type RedisClient = Redis | Cluster;

/** Options for a connection to one Redis server. */
const CONNECTION = {
  // BullMQ requires `null` (no limit of retries), because its blocking commands wait for the connection.
  maxRetriesPerRequest: null,
  keepAlive: edgeLimits.pingEvery,
} as const;

export function connectRedis({ url, cluster }: RedisAddress, failed: (error: Error) => void): RedisClient {
  const { backoff, longestBackoff } = edgeLimits;
  const retryStrategy = (times: number): number => Math.min(backoff * times, longestBackoff);
  const redis = cluster
    ? connectCluster(url, retryStrategy)
    : new Redis(url, { ...CONNECTION, enableReadyCheck: true, retryStrategy });
  // A connection without a listener for errors would end the process at its first error.
  redis.on("error", failed);
  return redis;
}

function connectCluster(urls: string, clusterRetryStrategy: (times: number) => number): Cluster {
  const nodes = urls.split(",").map((url) => new URL(url.trim()));
  const [first] = nodes;
  const { protocol, username, password } = first ?? new URL("redis://127.0.0.1");
  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port) || 6379 })),
    {
      clusterRetryStrategy,
      slotsRefreshInterval: edgeLimits.nodesEvery,
      maxRedirections: edgeLimits.clusterTries,
      retryDelayOnFailover: edgeLimits.backoff,
      retryDelayOnClusterDown: edgeLimits.backoff,
      redisOptions: {
        ...CONNECTION,
        ...(username === "" ? {} : { username: decodeURIComponent(username) }),
        ...(password === "" ? {} : { password: decodeURIComponent(password) }),
        ...(protocol === "rediss:" ? { tls: {} } : {}),
      },
      // Host names of nodes are not resolved to addresses here, because TLS compares the certificate with the
      // name.
      ...(protocol === "rediss:" ? { dnsLookup: (name, done) => done(null, name) } : {}),
    },
  );
}

/**
 * Connects to Redis once, for a check. Returns the reason why the server cannot be used; `undefined` if it
 * works.
 */
export async function probeRedis(address: RedisAddress): Promise<string | undefined> {
  let failure: string | undefined;
  const redis = connectRedis(address, (error) => {
    failure = error.message;
  });
  try {
    const answered = redis.ping().then(() => problemOf(redis));
    const late = pause(edgeLimits.checkWithin, "no answer in time", { ref: false });
    const problem = await Promise.race([answered, late]);
    return problem === undefined ? undefined : (failure ?? problem);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    redis.disconnect();
  }
}

/** Calls `work` once when the connection to the server, or to a node of the cluster, is lost. */
export function onceLost(redis: RedisClient, work: () => void): void {
  let isLost = false;
  const lost = (): void => {
    if (!isLost) work();
    isLost = true;
  };
  redis.once("close", lost);
  if (redis instanceof Cluster) redis.once("-node", lost);
}

/** Returns the reason why the Redis server cannot be used; `undefined` if it works. */
export async function problemOf(redis: RedisClient): Promise<string | undefined> {
  if (redis.status !== "ready") return redis.status;
  if (!(redis instanceof Cluster)) return undefined;
  const state = /cluster_state:(\w+)/.exec(String(await redis.cluster("INFO")))?.[1];
  return state === "ok" ? undefined : `the state of the cluster is ${state}`;
}

/**
 * A Redis script that publishes a message. Its key is the channel, so a cluster runs it always on the same
 * node. Without a key, each message would be published by a random node, and a message could arrive before an
 * earlier one.
 */
const PUBLISH = 'return redis.call("PUBLISH", KEYS[1], ARGV[1])';

export async function publish(redis: RedisClient, channel: string, message: string): Promise<void> {
  if (redis instanceof Cluster) await redis.eval(PUBLISH, 1, channel, message);
  else await redis.publish(channel, message);
}

/** The subscriptions of all clients of one Redis server. */
export interface Subscriptions {
  /** Names of the channels that have subscribers and match the given pattern of names. */
  readonly channels: readonly string[];
  /** Number of subscriptions that clients have made to patterns instead of channels. */
  readonly patterns: number;
}

/**
 * Returns the current subscriptions. In a Redis Cluster, every node is asked, because it knows only its own
 * subscribers.
 */
export async function subscriptions(redis: RedisClient, pattern: string): Promise<Subscriptions> {
  const servers = redis instanceof Cluster ? redis.nodes("all") : [redis];
  const found = await Promise.all(
    servers.map((server) => Promise.all([server.pubsub("CHANNELS", pattern), server.pubsub("NUMPAT")])),
  );
  return {
    // The cast is safe: Redis answers `PUBSUB CHANNELS` with a list of names.
    channels: found.flatMap(([channels]) => channels as string[]),
    patterns: found.reduce((sum, [, patterns]) => sum + Number(patterns), 0),
  };
}
