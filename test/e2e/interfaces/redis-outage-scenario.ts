/**
 * The scenario of an unavailable Redis: what a client of Cairn notices meanwhile, and whether everything that
 * was queued is delivered afterwards.
 */
import { expect } from "bun:test";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { EdgeProducers } from "../../../gateway/edge/index.ts";
import {
  type Caller,
  mcpStateless,
  plainCall,
  type ToolCall,
} from "../../bench/support/bench-api-callers.ts";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisServer } from "../../support/test-redis-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

const ROOM = "away";
/** How many commands are queued before Redis stops, and again while it is unavailable. */
const COMMANDS = 20;
/**
 * Number of requests that one round sends over each interface. After each round, the test checks whether its
 * time is over.
 */
const ROUND = 20;
/** Pause between two rounds of requests in milliseconds. */
const PAUSE = 100;

interface Latencies {
  readonly rest: number;
  readonly mcp: number;
}

/** Runs the scenario: Redis is stopped for `away` milliseconds. Prints the latencies. */
export async function redisOutage(binary: string, away: number): Promise<void> {
  const redis = await RedisServer.start(binary);
  const visited: number[] = [];
  const site = serveSite({
    "*": ({ url }) => {
      const page = /page\/(\d+)/.exec(url)?.[1];
      if (page !== undefined) visited.push(Number(page));
      return html("Page", "<h1>Page</h1>");
    },
  });
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { REDIS_URL: redis.url } });
  const producers = new EdgeProducers(redis.url);
  const commands = new Queue("browser_commands", { connection: { url: redis.url } });
  commands.on("error", () => {});
  const subscriber = new Redis(redis.url, { maxRetriesPerRequest: null });
  subscriber.on("error", () => {});
  const completed: string[] = [];
  subscriber.on("message", (_, message) => {
    const { type, job_id } = JSON.parse(message);
    if (type === "action_completed") completed.push(job_id);
  });
  const send = (page: number) => {
    const params = { url: site.url(`/page/${page}`) };
    return producers.send_command({ action_type: "navigate", params, room_name: ROOM }, `page-${page}`);
  };
  try {
    await cairn.call("start_browser_session", { room_name: ROOM, initial_url: site.url("/") });
    await subscriber.subscribe(`browser:events:${ROOM}`);
    const call: ToolCall = {
      url: cairn.url,
      tool: "get_browser_context",
      args: { room_name: ROOM },
      route: "",
      expectedText: "complete",
    };
    const callers = { rest: plainCall(call), mcp: mcpStateless(call) };
    await latencies(callers, PAUSE);
    const before = await latencies(callers, away);

    for (let page = 0; page < COMMANDS; page++) await send(page);
    await redis.stop("SIGKILL");
    const queued = Array.from({ length: COMMANDS }, (_, n) => send(COMMANDS + n));
    while (!(await cairn.get("/ready")).body.checks.redis.degraded) await Bun.sleep(20);
    const during = await latencies(callers, away);
    expect(await cairn.get("/ready")).toMatchObject({
      status: 200,
      body: { status: "ready", checks: { redis: { degraded: true } } },
    });

    await redis.start();
    await Promise.all(queued);
    while (!(await cairn.get("/ready")).body.checks.redis.ok) await Bun.sleep(20);
    await send(2 * COMMANDS);
    while (!visited.includes(2 * COMMANDS)) await Bun.sleep(50);
    // If the answer to a navigation is lost, Cairn may repeat the navigation, because it changes no data. A
    // page may thus be visited twice, and only its first visit is compared.
    const firsts = visited.filter((page, at) => visited.indexOf(page) === at);
    expect(firsts).toEqual(Array.from({ length: 2 * COMMANDS + 1 }, (_, page) => page));
    while (!completed.includes(`page-${2 * COMMANDS}`)) await Bun.sleep(50);
    // Each page event must be published once and in order.
    const pages = completed.map((id) => Number(id.replace("page-", "")));
    expect(pages).toEqual([...new Set(pages)].toSorted((one, other) => one - other));
    while ((await commands.getJobCountByTypes("waiting", "active", "delayed")) > 0) await Bun.sleep(50);
    expect(await commands.getFailedCount()).toBe(0);
    print(away, before, during);
  } finally {
    await cairn.stop();
    await producers.close();
    await commands.close();
    subscriber.disconnect();
    site.stop();
    await redis.remove();
    await data.remove();
  }
}

/**
 * Measures the median latency of each interface. The interfaces are measured in turns for the given time in
 * milliseconds.
 */
async function latencies(
  callers: Readonly<Record<keyof Latencies, Caller>>,
  time: number,
): Promise<Latencies> {
  const rest: number[] = [];
  const mcp: number[] = [];
  const until = performance.now() + time;
  while (performance.now() < until) {
    for (let n = 0; n < ROUND; n++) {
      for (const [taken, caller] of [
        [rest, callers.rest],
        [mcp, callers.mcp],
      ] as const) {
        const from = performance.now();
        await caller();
        taken.push(performance.now() - from);
      }
    }
    await Bun.sleep(PAUSE);
  }
  return { rest: middle(rest), mcp: middle(mcp) };
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

function print(away: number, before: Latencies, during: Latencies): void {
  const ratio = (name: keyof Latencies) =>
    `${name} ${during[name].toFixed(2)} ms, ${(during[name] / before[name]).toFixed(2)} of before`;
  console.log(`Redis unavailable for ${away / 1_000} s: ${ratio("rest")}; ${ratio("mcp")}`);
}
