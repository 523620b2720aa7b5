/**
 * Tests large results with a real S3-compatible storage. The event on the Redis channel has a signed URL,
 * from which the result is fetched without an API key. While the storage does not answer, the result is kept
 * in Redis.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Redis } from "ioredis";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisServer, redisBinary } from "../../support/test-redis-server.ts";
import { S3Server, s3Binary } from "../../support/test-s3-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(120_000);
/** A room name with characters that must be encoded in a URL. */
const ROOM = "big room (1)";
const [redisPath, s3Path] = [await redisBinary(), await s3Binary()];
const isPossible = redisPath !== undefined && s3Path !== undefined;
if (!isPossible) console.warn("No redis-server or no versitygw: the test of the object storage is skipped.");

interface ResultReady {
  readonly type: string;
  readonly result_id: string;
  readonly url?: string;
  readonly data: { readonly url?: string };
}

let redis: RedisServer;
let s3: S3Server;
let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let subscriber: Redis;
let client: Redis;
const ready: ResultReady[] = [];

beforeAll(async () => {
  if (redisPath === undefined || s3Path === undefined) return;
  [redis, s3] = await Promise.all([RedisServer.start(redisPath), S3Server.start(s3Path)]);
  // The page shows random noise, which cannot be compressed. So its screenshot is large.
  site = serveSite({
    "/": html(
      "Noise",
      `<canvas id="c" width="800" height="600"></canvas><script>
        const pen = c.getContext("2d"); const image = pen.createImageData(800, 600);
        for (let at = 0; at < image.data.length; at++) image.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
        pen.putImageData(image, 0, 0);
      </script>`,
    ),
  });
  data = await dataFolder();
  const { endpoint, bucket, accessKey, secretKey } = s3.settings;
  const env = {
    REDIS_URL: redis.url,
    CAIRN_S3_ENDPOINT: endpoint,
    CAIRN_S3_BUCKET: bucket,
    CAIRN_S3_ACCESS_KEY: accessKey,
    CAIRN_S3_SECRET_KEY: secretKey,
  };
  cairn = await Cairn.start({ data: data.path, env });
  client = new Redis(redis.url);
  subscriber = new Redis(redis.url);
  subscriber.on("message", (_, message) => {
    const event = JSON.parse(message);
    if (event.type === "result_ready") ready.push(event);
  });
  await subscriber.subscribe(`browser:events:${ROOM}`);
  await cairn.call("start_browser_session", { room_name: ROOM, initial_url: site.url("/") });
});

afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  client?.disconnect();
  subscriber?.disconnect();
  site?.stop();
  await redis?.remove();
  await s3?.remove();
});

/**
 * Takes a large screenshot. Returns the answer of the action, and the event that names where its result is
 * stored.
 */
async function largeResult(): Promise<{ readonly body: unknown; readonly event: ResultReady }> {
  const seen = ready.length;
  const { body } = await cairn.call("screenshot", { room_name: ROOM, format: "png" });
  for (;;) {
    const event = ready[seen];
    if (event) return { body, event };
    await Bun.sleep(20);
  }
}

test.skipIf(!isPossible)(
  "a large result is stored in the object storage, and its URL returns it without a key, and gives access to no other object",
  async () => {
    const { body, event } = await largeResult();
    expect(event.url).toStartWith(s3.settings.endpoint);
    expect(event.data.url).toBe(event.url as string);
    const stored = await fetch(event.url as string);
    expect(stored.status).toBe(200);
    const result = await stored.json();
    expect((await cairn.get(`/api/results/${encodeURIComponent(event.result_id)}`)).body).toEqual(result);
    expect(body).toMatchObject(result);
    expect(await client.exists(event.result_id)).toBe(0);
    expect((await s3.objects()).size).toBe(1);
    const [address = "", query = ""] = (event.url as string).split("?");
    expect((await fetch(address)).status).toBe(403);
    expect((await fetch(`${address}x?${query}`)).status).toBe(403);
  },
);

test.skipIf(!isPossible)("Redis keeps a large result while the object storage does not answer", async () => {
  await s3.stop();
  const { event } = await largeResult();
  expect(event.url).toBeUndefined();
  const kept = await client.get(event.result_id);
  expect((await cairn.get(`/api/results/${encodeURIComponent(event.result_id)}`)).body).toEqual(
    JSON.parse(kept ?? "null"),
  );
  expect(await client.pttl(event.result_id)).toBeGreaterThan(0);
});
