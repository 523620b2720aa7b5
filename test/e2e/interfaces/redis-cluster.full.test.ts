/**
 * Tests the connection to a Redis Cluster. Commands and events reach clients of each node, even after the
 * failover of the node that stores the queues.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Redis } from "ioredis";
import { EdgeProducers } from "../../../gateway/edge/index.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisCluster } from "../../support/test-redis-cluster.ts";
import { redisBinary } from "../../support/test-redis-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(120_000);
const PASSWORD = "granite";
const PREFIX = "shop:";
const ROOM = "room";
const CHANNEL = `${PREFIX}browser:events:${ROOM}`;
/** Types of events that a session sends only while its channel has a subscriber. */
const CHANGES = new Set(["dom_change", "screen_content_update"]);
const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the tests of a Redis Cluster are skipped.");

interface RoomEvent {
  readonly type: string;
  readonly job_id?: string;
}

describe.skipIf(binary === undefined)("the connection to a Redis Cluster", () => {
  let redis: RedisCluster;
  let site: ScriptedSite;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;
  let producers: EdgeProducers;

  beforeAll(async () => {
    redis = await RedisCluster.start(binary ?? "", PASSWORD);
    site = serveSite({
      "/moving": html(
        "Moving",
        "<h1>0</h1><script>setInterval(() => document.querySelector('h1').textContent++, 50)</script>",
      ),
      "*": html("Page", "<h1>Page</h1>"),
    });
    data = await dataFolder();
    const env = { REDIS_URL: redis.url, CAIRN_REDIS_CLUSTER: "true", CAIRN_REDIS_PREFIX: PREFIX };
    cairn = await Cairn.start({ data: data.path, env });
    producers = new EdgeProducers(redis.url, { prefix: PREFIX, cluster: true });
    await cairn.call("start_browser_session", { room_name: ROOM });
  });

  afterAll(async () => {
    await producers?.close();
    await cairn?.stop();
    await data?.remove();
    site?.stop();
    await redis?.remove();
  });

  /** Connects to one node of the Redis Cluster, and subscribes to the channel of the room. */
  async function subscribed(url: string) {
    const client = new Redis(url);
    client.on("error", () => {});
    const events: RoomEvent[] = [];
    client.on("message", (_, message) => events.push(JSON.parse(message)));
    await client.subscribe(CHANNEL);
    return { events, end: () => client.disconnect() };
  }

  const jobsOf = (events: readonly RoomEvent[]): readonly (string | undefined)[] =>
    events.filter(({ type }) => type === "action_completed").map(({ job_id }) => job_id);

  async function navigate(id: string): Promise<void> {
    const params = { url: site.url(`/${id}`) };
    await producers.send_command({ action_type: "navigate", params, room_name: ROOM }, id);
  }

  test("runs the commands of a queue in order, and reports each event once to the subscribers of each node", async () => {
    const readers = await Promise.all(redis.servers.map(({ url }) => subscribed(url)));
    const ids = Array.from({ length: 10 }, (_, n) => `command-${n}`);
    for (const id of ids) await navigate(id);
    for (const { events } of readers) while (jobsOf(events).length < ids.length) await Bun.sleep(20);
    for (const { events, end } of readers) {
      expect(jobsOf(events)).toEqual(ids);
      end();
    }
    for (const { url } of redis.servers) {
      const client = new Redis(url);
      const keys = await client.keys("*");
      expect(keys.filter((key) => !/^(\{shop:bull\}:|shop:)/.test(key))).toEqual([]);
      client.disconnect();
    }
  });

  test("observes a page while a client of any node subscribes to its session", async () => {
    await navigate("moving");
    for (const { url } of redis.servers) {
      const { events, end } = await subscribed(url);
      while (!events.some(({ type }) => CHANGES.has(type))) await Bun.sleep(20);
      end();
    }
  });

  test("continues with the commands when a replica replaces the node that stores the queues", async () => {
    const failing = await redis.primaryOf(`{${PREFIX}bull}:browser_commands:wait`);
    const other = redis.servers.find((server) => server !== failing);
    const reader = await subscribed(other?.url ?? "");
    await failing.stop("SIGKILL");
    await navigate("after-failover");
    while (!jobsOf(reader.events).includes("after-failover")) await Bun.sleep(20);
    reader.end();
    const { body } = await cairn.call("get_browser_context", { room_name: ROOM });
    expect(body.url).toBe(site.url("/after-failover"));
    for (;;) {
      const { body: ready } = await cairn.get("/ready");
      if (!JSON.stringify(ready).includes('"degraded":true')) break;
      await Bun.sleep(100);
    }
  });
});
