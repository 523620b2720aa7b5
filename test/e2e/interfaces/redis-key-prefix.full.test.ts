/**
 * Tests the settings of the connection to Redis: two installations share one Redis with a password, and their
 * prefixes separate their commands and events.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Redis } from "ioredis";
import { EdgeProducers } from "../../../gateway/edge/index.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisServer, redisBinary } from "../../support/test-redis-server.ts";
import { Cairn, dataFolder, freePort } from "../support/cairn-test-process.ts";

setDefaultTimeout(120_000);
const PREFIXES = ["north:", "south:"] as const;
const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the test of prefixes in Redis is skipped.");

let redis: RedisServer;
let site: ScriptedSite;
const folders: Awaited<ReturnType<typeof dataFolder>>[] = [];
const installations: Cairn[] = [];

beforeAll(async () => {
  if (binary === undefined) return;
  redis = await RedisServer.start(binary, "granite");
  site = serveSite({ "*": html("Page", "<h1>Page</h1>") });
  for (const prefix of PREFIXES) {
    const data = await dataFolder();
    folders.push(data);
    const env = { REDIS_URL: redis.url, CAIRN_REDIS_PREFIX: prefix, CAIRN_WORKERS: "1" };
    installations.push(await Cairn.start({ data: data.path, port: await freePort(), env }));
  }
});

afterAll(async () => {
  for (const cairn of installations) await cairn.stop();
  for (const data of folders) await data.remove();
  site?.stop();
  await redis?.remove();
});

test.skipIf(binary === undefined)(
  "two installations with different key prefixes share a Redis with a password, each with its own commands and events",
  async () => {
    const client = new Redis(redis.url);
    const messages: { readonly channel: string; readonly job_id?: string; readonly type: string }[] = [];
    client.on("message", (channel, message) => messages.push({ channel, ...JSON.parse(message) }));
    await client.subscribe(
      ...PREFIXES.map((prefix) => `${prefix}browser:events:room`),
      "browser:events:room",
    );
    for (const [at, prefix] of PREFIXES.entries()) {
      await installations[at]?.call("start_browser_session", { room_name: "room" });
      const producers = new EdgeProducers(redis.url, { prefix });
      const params = { url: site.url(`/${at}`) };
      await producers.send_command({ action_type: "navigate", params, room_name: "room" }, `to-${at}`);
      const isDone = () =>
        messages.some(({ type, job_id }) => type === "action_completed" && job_id === `to-${at}`);
      while (!isDone()) await Bun.sleep(20);
      await producers.close();
    }
    for (const [at, cairn] of installations.entries()) {
      const { body } = await cairn.call("get_browser_context", { room_name: "room" });
      expect(body.url).toBe(site.url(`/${at}`));
    }
    const done = messages.filter(({ type }) => type === "action_completed");
    expect(done.map(({ channel, job_id }) => [channel, job_id])).toEqual(
      PREFIXES.map((prefix, at) => [`${prefix}browser:events:room`, `to-${at}`]),
    );
    client.disconnect();
    const keys = new Redis(redis.url);
    const foreign = (await keys.keys("*")).filter(
      (key) => !PREFIXES.some((prefix) => key.startsWith(prefix)),
    );
    expect(foreign).toEqual([]);
    keys.disconnect();
  },
);
