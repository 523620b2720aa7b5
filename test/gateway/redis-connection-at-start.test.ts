/**
 * Tests, with a real Redis, how Redis is checked before a node starts, and when a starting node begins to consume the
 * queues.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Redis } from "ioredis";
import { probeRedis, RedisEdge } from "../../gateway/edge/index.ts";
import { createLog } from "../../gateway/log.ts";
import { StartingSystem } from "../../gateway/running-system-for-waiting-requests.ts";
import { tools } from "../../gateway/tools/index.ts";
import { ToolCalls } from "../../gateway/tools/run-and-audit-tool-calls.ts";
import { RedisServer, redisBinary } from "../support/test-redis-server.ts";
import { MemoryCairn } from "./fake-cairn-for-tests.ts";

setDefaultTimeout(60_000);
/** Milliseconds for which a request waits for Cairn to start. In this test, Cairn needs more time to start. */
const PATIENCE = 50;
const LEASE = "cairn:edge:leader";
const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the test of a starting node is skipped.");

let server: RedisServer;
let client: Redis;

beforeAll(async () => {
  if (binary === undefined) return;
  server = await RedisServer.start(binary);
  client = new Redis(server.url);
});
afterAll(async () => {
  client?.disconnect();
  await server?.remove();
});

test.skipIf(binary === undefined)(
  "a node that starts slowly takes the Redis queues only when its start has ended, even if waiting requests time out",
  async () => {
    const logged: string[] = [];
    const log = createLog({ logLevel: "info", logFormat: "json" }, { write: (line) => logged.push(line) });
    const system = new StartingSystem(PATIENCE);
    const surface = { system, registry: tools, calls: new ToolCalls(system, log) };
    const edge = new RedisEdge({ url: server.url, cluster: false, prefix: "" }, "node", surface, log);
    edge.start();
    await Bun.sleep(4 * PATIENCE);
    expect(await client.get(LEASE)).toBeNull();

    system.fill(new MemoryCairn());
    while (!logged.some((line) => line.includes("edge taken"))) await Bun.sleep(10);
    expect(await client.get(LEASE)).toBe("node");
    await edge.close();
  },
);

test.skipIf(binary === undefined)(
  "a check of Redis before the start reports whether the server answers",
  async () => {
    expect(await probeRedis({ url: server.url, cluster: false })).toBeUndefined();
    const locked = await RedisServer.start(String(binary), "the-password");
    const url = `redis://127.0.0.1:${locked.port}`;
    expect(await probeRedis({ url, cluster: false })).toContain("NOAUTH");
    expect(await probeRedis({ url: locked.url, cluster: false })).toBeUndefined();
    await locked.remove();
    expect(await probeRedis({ url, cluster: false })).toContain("ECONNREFUSED");
  },
);
