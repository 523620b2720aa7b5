/**
 * Tests the connection to a real Redis: commands and explorations from BullMQ queues, events over Pub/Sub,
 * and a Redis that becomes unavailable.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Queue, QueueEvents } from "bullmq";
import { Redis } from "ioredis";
import { EdgeProducers } from "../../../gateway/edge/index.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisServer, redisBinary } from "../../support/test-redis-server.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

const TIMEOUT = 90_000;
setDefaultTimeout(TIMEOUT);
const binary = await redisBinary();
if (binary === undefined)
  console.warn("No redis-server: the tests of the edge are skipped. Install redis-server.");

describe.skipIf(binary === undefined)("the connection to Redis", () => {
  let redis: RedisServer;
  let site: ScriptedSite;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;
  let client: Redis;
  let producers: EdgeProducers;
  let commands: Queue;
  const posts: string[] = [];
  const quiet = () => {};

  beforeAll(async () => {
    redis = await RedisServer.start(binary ?? "");
    site = serveSite({
      "/": html(
        "Shop",
        `<h1>Shop</h1><a href="/two">Two</a><form action="/post" method="post"><input name="n" aria-label="Number"><button>Send</button></form>`,
      ),
      "/two": html("Two", "<h1>Two</h1>"),
      "/long": html("Long", `<h1>Long</h1>${"<p>One paragraph of a text that is long.</p>".repeat(300)}`),
      "/post": async (request) => {
        posts.push(new URLSearchParams(await request.text()).get("n") ?? "");
        return html("Thanks", `<a href="/">Back</a>`);
      },
    });
    data = await dataFolder();
    cairn = await Cairn.start({ data: data.path, env: { REDIS_URL: redis.url, CAIRN_WORKERS: "1" } });
    client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on("error", quiet);
    producers = new EdgeProducers(redis.url);
    commands = new Queue("browser_commands", { connection: { url: redis.url } });
    commands.on("error", quiet);
    await cairn.call("start_browser_session", { room_name: "room_1", initial_url: site.url("/") });
  });

  afterAll(async () => {
    await cairn?.stop();
    await producers?.close();
    await commands?.close();
    client?.disconnect();
    site?.stop();
    await redis?.remove();
    await data?.remove();
  });

  /** Subscribes to a channel, and collects its messages until the returned function is called. */
  async function subscribed(channel: string) {
    const subscriber = client.duplicate();
    subscriber.on("error", quiet);
    const events: Record<string, unknown>[] = [];
    subscriber.on("message", (_, message) => events.push(JSON.parse(message)));
    await subscriber.subscribe(channel);
    return { events, end: () => subscriber.disconnect() };
  }

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + TIMEOUT / 2;
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error("It did not come about in time.");
      await Bun.sleep(20);
    }
  }

  const ended = async (jobId: string) => (await commands.getJob(jobId)) === undefined;

  test("runs each command once, in the nested or flat form, and those of a session in order", async () => {
    const { events, end } = await subscribed("browser:events:room_1");
    for (let n = 1; n <= 5; n++) {
      const input = { role: "textbox", name: "Number", text: String(n) };
      await producers.send_command({ action_type: "input", params: input, room_name: "room_1" });
      const submit = { action_type: "submit_form", params: {}, session_id: "room_1" };
      await producers.send_command(submit, `submit-${n}`);
      // A job in the flat form: its name is the action. `room_name` has priority over `session_id`.
      await commands.add(
        "navigate",
        { url: site.url("/"), session_id: "other", room_name: "room_1" },
        { jobId: `back-${n}` },
      );
    }
    // The job is added again with the same id. Its command must not run again.
    await producers.send_command({ action_type: "submit_form", params: {}, room_name: "room_1" }, "submit-1");
    await until(() => ended("back-5"));
    expect(posts).toEqual(["1", "2", "3", "4", "5"]);
    await until(() => events.some(({ job_id, type }) => job_id === "back-5" && type === "action_completed"));
    const done = events.filter(({ type }) => type === "action_completed").map(({ job_id }) => job_id);
    expect(done.filter((id) => String(id).startsWith("submit-"))).toEqual(
      [1, 2, 3, 4, 5].map((n) => `submit-${n}`),
    );
    expect(events[0]).toMatchObject({
      room_name: "room_1",
      timestamp: expect.any(Number),
      data: expect.any(Object),
    });
    expect(await commands.getCompletedCount()).toBe(0);
    end();
  });

  test.if(isFull)(
    "stores the result of a command in Redis when its event has only the id of the result",
    async () => {
      const { events, end } = await subscribed("browser:events:room_1");
      const open = { action_type: "navigate", params: { url: site.url("/long") }, room_name: "room_1" };
      await producers.send_command(open, "open-long");
      await producers.send_command({ action_type: "extract", params: {}, room_name: "room_1" }, "read-long");
      const of = (type: string) =>
        events.find((event) => event.type === type && event.command_id === "read-long");
      await until(() => of("action_completed") !== undefined && of("result_ready") !== undefined);
      const { result_id } = of("result_ready") as { readonly result_id: string };
      expect(of("action_completed")?.result).toMatchObject({ data: { truncated: true, result_id } });
      const stored = JSON.parse((await client.get(result_id)) ?? "null");
      expect(stored).toMatchObject({ success: true, data: { title: "Long" } });
      expect(stored.data.content).toContain("One paragraph of a text that is long.");
      expect(await client.ttl(result_id)).toBeGreaterThan(3_500);
      end();
    },
  );

  test.if(isFull)(
    "reports a permanent failure of a command with its code, without a retry, and keeps the job",
    async () => {
      const channel = await subscribed("browser:events:room_1");
      await producers.send_command(
        { action_type: "click", params: { role: "button", name: "None" }, room_name: "room_1" },
        "gone",
      );
      await producers.send_command({ action_type: "levitate", params: {}, room_name: "room_1" }, "unknown");
      await producers.send_command({ action_type: "refresh", params: {}, room_name: "no_room" }, "nowhere");
      const reason = async (id: string) => (await commands.getJob(id))?.failedReason;
      await commands.add("navigate", { room_name: "room_1", params: "oops" }, { jobId: "wrong" });
      await commands.add("navigate", { url: site.url("/") }, { jobId: "roomless" });
      await until(async () => (await commands.getFailedCount()) === 5);
      expect(await reason("gone")).toContain("element_not_found");
      expect(await reason("unknown")).toContain("request.invalid");
      expect(await reason("nowhere")).toContain("session.not_found");
      expect((await cairn.get("/api/actors/session/no_room")).status).toBe(404);
      expect(await reason("wrong")).toMatch(/^request\.invalid: The arguments are not valid\. params: .+$/);
      expect(await reason("roomless")).toMatch(/^request\.invalid: .*room_name or session_id is needed$/);
      // A command may fail before it reaches the session. The channel of the room reports these failures too,
      // each one once.
      const errors = () => channel.events.filter(({ type }) => type === "action_error");
      await until(() => errors().length === 3);
      expect(
        errors()
          .map(({ job_id }) => job_id)
          .sort(),
      ).toEqual(["gone", "unknown", "wrong"]);
      expect(errors().find(({ job_id }) => job_id === "wrong")).toMatchObject({
        room_name: "room_1",
        action: { action_type: "navigate" },
        error: expect.stringContaining("params"),
        result: { success: false, data: { code: "request.invalid" } },
        timestamp: expect.any(Number),
      });
      channel.end();
    },
  );

  test("reports the progress of an exploration, and completes its job when the map is searchable", async () => {
    const events = new QueueEvents("knowledge-retrieval", { connection: { url: redis.url } });
    const progress: unknown[] = [];
    events.on("progress", ({ data: given }) => progress.push(given));
    await events.waitUntilReady();
    const channel = await subscribed("exploration:from-queue:progress");
    const id = await producers.add_exploration_job({
      start_url: site.url("/"),
      max_pages: 10,
      job_id: "from-queue",
    });
    const queue = new Queue("knowledge-retrieval", { connection: { url: redis.url } });
    await until(async () => (await queue.getJob(id))?.isCompleted() ?? false);
    const job = await queue.getJob(id);
    expect(job?.returnvalue).toMatchObject({ job_id: "from-queue", status: "completed" });
    expect(progress.at(-1)).toMatchObject({ job_id: "from-queue", status: "completed", queued: 0 });
    expect(channel.events.at(-1)).toMatchObject({ job_id: "from-queue", completed: expect.any(Number) });
    const { body } = await cairn.post("/api/knowledge/query", {
      query_type: "search",
      params: { query: "shop" },
    });
    expect(body.data.results.length).toBeGreaterThan(0);
    channel.end();
    await events.close();
    await queue.close();
  });

  test("observes the changes of a page only while its channel has a subscriber", async () => {
    const types = ({ events }: { events: readonly Record<string, unknown>[] }) =>
      events.map(({ type }) => type);
    const channel = await subscribed("browser:events:room_1");
    await until(async () => {
      const change = { action_type: "navigate", params: { url: site.url("/two") }, room_name: "room_1" };
      await producers.send_command(change);
      await producers.send_command({ ...change, params: { url: site.url("/") } });
      await Bun.sleep(300);
      return ["screen_content_update", "page_load_complete"].every((type) => types(channel).includes(type));
    });
    channel.end();
  });

  test.if(isFull)("counts as degraded while Redis restarts, and queued jobs run afterwards", async () => {
    expect((await cairn.get("/ready")).body.checks.redis).toMatchObject({ ok: true });
    await redis.stop("SIGKILL");
    await until(async () => (await cairn.get("/ready")).body.checks.redis.degraded === true);
    const away = await cairn.get("/ready");
    expect(away).toMatchObject({ status: 200, body: { status: "ready" } });
    expect((await cairn.call("get_browser_context", { room_name: "room_1" })).status).toBe(200);
    await redis.start();
    await until(async () => (await cairn.get("/ready")).body.checks.redis.ok === true);
    await producers.send_command(
      { action_type: "navigate", params: { url: site.url("/two") }, room_name: "room_1" },
      "after",
    );
    await until(() => ended("after"));
    expect((await cairn.call("get_browser_context", { room_name: "room_1" })).body.url).toBe(
      site.url("/two"),
    );
  });
});
