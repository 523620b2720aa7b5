/**
 * Measures the events of a cluster of two nodes on Redis channels: losses, order, and the time from an event
 * to its subscriber. The floor (the least possible time) is that of a publication to Redis without Cairn,
 * measured in turns with the events. The bench also counts observations of a changing page that has no
 * subscriber.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Redis } from "ioredis";
import { mailboxLimits } from "../../actors/runtime/actor-runtime-limits.ts";
import { NatsBus } from "../../actors/runtime/drivers/nats/message-bus-over-nats.ts";
import { BrokerConnection } from "../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { sessionEvent, sessionTopic } from "../../machines/session/build-session-events.ts";
import { Cairn, dataFolder, freePort } from "../e2e/support/cairn-test-process.ts";
import { html, serveSite } from "../sites/test-site-with-given-routes.ts";
import { NatsServer } from "../support/test-nats-server.ts";
import { RedisServer, redisBinary } from "../support/test-redis-server.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";

const TYPE = "page_load_complete";
/** Number of sessions to which the published events belong. */
const ROOMS = 20;
/**
 * The bench sends events alternately through Cairn and directly to Redis. One turn has this number of events.
 */
const TURN = 500;
/** Interval in milliseconds at which events are published. */
const TICK = 10;
/** Time in milliseconds for which the bench waits, at the end, for events that arrive late or twice. */
const ARRIVAL = 2_000;
/**
 * Duration in milliseconds of each observation of a page: one without a subscriber, and one with a
 * subscriber.
 */
const WATCHED = 4_000;

export const bench: Bench = {
  about: "events of two nodes to Redis subscribers [--events 10000] [--subscribers 5] [--per-second 500]",
  run,
};

const channelOf = (room: string): string => `browser:events:${room}`;
const rooms = Array.from({ length: ROOMS }, (_, n) => `room-${n}`);

/** A subscriber of the Redis channels of all sessions, and of the channel for publications without Cairn. */
class Subscriber {
  readonly taken: { readonly cairn: number[]; readonly floor: number[] } = { cairn: [], floor: [] };
  /** Number of events that arrived twice, or before an earlier event of their session. */
  disorder = 0;
  /** Number of warm-up events that have arrived. */
  warm = 0;
  readonly #redis: Redis;
  readonly #last = new Map<string, number>();

  constructor(url: string) {
    this.#redis = new Redis(url);
    this.#redis.on("message", (channel, message) => {
      const now = performance.now();
      const { n, sent } = JSON.parse(message).data as { readonly n: number; readonly sent: number };
      if (n < 0) {
        this.warm += 1;
        return;
      }
      if (n <= (this.#last.get(channel) ?? -1)) this.disorder += 1;
      this.#last.set(channel, n);
      (channel === "floor" ? this.taken.floor : this.taken.cairn).push(now - sent);
    });
  }

  async subscribe(): Promise<void> {
    await this.#redis.subscribe("floor", ...rooms.map(channelOf));
  }

  close(): void {
    this.#redis.disconnect();
  }
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      events: { type: "string", default: "10000" },
      subscribers: { type: "string", default: "5" },
      "per-second": { type: "string", default: "500" },
    },
  });
  const binary = await redisBinary();
  if (binary === undefined) throw new Error("This bench needs redis-server.");
  const [redis, nats] = await Promise.all([RedisServer.start(binary), NatsServer.start()]);
  const folders = [await dataFolder(), await dataFolder()];
  const nodes: Cairn[] = [];
  try {
    const common = { NATS_URL: nats.url, REDIS_URL: redis.url, CAIRN_WORKERS: "1" };
    for (const [at, { path }] of folders.entries()) {
      const env = at === 0 ? common : { ...common, CAIRN_STORE: "bus" };
      nodes.push(await Cairn.start({ data: path, port: await freePort(), env }));
    }
    const rows = [
      ...(await delivered(redis.url, nats.url, {
        events: Number(values.events),
        subscribers: Number(values.subscribers),
        perSecond: Number(values["per-second"]),
      })),
      ...(await observations(nodes[0] as Cairn, redis.url)),
    ];
    return {
      bench: "redis-events",
      conditions: { ...values, nodes: 2, rooms: ROOMS, cores: cpus().length },
      rows,
    };
  } finally {
    for (const node of nodes) await node.stop();
    await redis.remove();
    await nats.close();
    for (const folder of folders) await folder.remove();
  }
}

interface Load {
  readonly events: number;
  readonly subscribers: number;
  readonly perSecond: number;
}

/**
 * Measures the delivery of events that one process publishes over NATS. The node that holds the lease for
 * Redis receives the events and publishes them on Redis.
 */
async function delivered(redisUrl: string, natsUrl: string, load: Load): Promise<readonly Row[]> {
  const { events, subscribers: count, perSecond } = load;
  const subscribers = Array.from({ length: count }, () => new Subscriber(redisUrl));
  await Promise.all(subscribers.map((each) => each.subscribe()));
  const broker = await BrokerConnection.open({ url: natsUrl, name: "bench", log: () => {} });
  const bus = await NatsBus.open(broker, { capacity: mailboxLimits.capacity, replicas: 1 });
  const raw = new Redis(redisUrl);
  const eventOf = (n: number) => {
    const room = rooms[Math.max(0, n) % ROOMS] as string;
    const payload = { tab: 1, url: `https://shop.example/orders/${n}`, n, sent: performance.now() };
    return { room, event: sessionEvent(TYPE, room, payload, Date.now()) };
  };
  const overCairn = (n: number): void => {
    const { room, event } = eventOf(n);
    bus.publish(sessionTopic(room, TYPE), event);
  };
  const overRedis = (n: number): void => void raw.publish("floor", JSON.stringify(eventOf(n).event));
  try {
    // Events that are sent before the node has subscribed are lost. So warm-up events are sent until each
    // subscriber has received one.
    while (subscribers.some(({ warm }) => warm === 0)) {
      overCairn(-1);
      await Bun.sleep(TICK);
    }
    for (let from = 0; from < events; from += TURN) {
      for (const publish of [overRedis, overCairn]) {
        const began = performance.now();
        for (let n = from; n < Math.min(from + TURN, events); await Bun.sleep(TICK)) {
          const due = from + ((performance.now() - began) / 1_000) * perSecond;
          for (; n < Math.min(due, from + TURN, events); n++) publish(n);
        }
      }
    }
    const arrived = () => subscribers.reduce((sum, { taken }) => sum + taken.cairn.length, 0);
    const deadline = performance.now() + ARRIVAL;
    while (arrived() < events * count && performance.now() < deadline) await Bun.sleep(TICK);
    // Waits for events that are delivered a second time. They may arrive after all other events.
    await Bun.sleep(ARRIVAL);
    const lost = Math.abs(events * count - arrived());
    const disorder = subscribers.reduce((sum, each) => sum + each.disorder, 0);
    const [cairn, floor] = (["cairn", "floor"] as const).map((path) =>
      subscribers.flatMap(({ taken }) => taken[path]).sort((one, other) => one - other),
    ) as [number[], number[]];
    const p99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    return [
      {
        name: `events lost or delivered twice of ${events} to ${count} subscribers`,
        figure: lost,
        unit: "events",
        target: { bound: "at most", value: 0, label: "none" },
      },
      {
        name: "events out of order",
        figure: disorder,
        unit: "events",
        target: { bound: "at most", value: 0, label: "none" },
      },
      { name: "Redis publish to subscriber, p50 (floor)", figure: median(floor), unit: "ms" },
      { name: "event to subscriber, p50", figure: median(cairn), unit: "ms" },
      { name: "Redis publish to subscriber, p99 (floor)", figure: p99(floor), unit: "ms" },
      {
        name: "event to subscriber, p99",
        figure: p99(cairn),
        unit: "ms",
        target: { bound: "at most", value: p99(floor) + 5, label: "floor + 5 ms" },
      },
    ];
  } finally {
    for (const each of subscribers) each.close();
    raw.disconnect();
    bus.close();
    await broker.close();
  }
}

/**
 * Counts how often Cairn observes a page that changes all the time, without and with a subscriber. Each
 * observation gets the next event number. So the number of the first event that a subscriber receives shows
 * how many observations were made before.
 */
async function observations(cairn: Cairn, redisUrl: string): Promise<readonly Row[]> {
  const site = serveSite({
    "/still": html("Still", "<h1>Still</h1>"),
    "/moving": html(
      "Moving",
      "<h1>0</h1><script>setInterval(() => document.querySelector('h1').textContent++, 50)</script>",
    ),
  });
  const numberOf = async (room_name: string): Promise<{ first: number; observed: number }> => {
    await cairn.call("start_browser_session", { room_name, initial_url: site.url(`/${room_name}`) });
    await Bun.sleep(WATCHED);
    const redis = new Redis(redisUrl);
    const events: { readonly type: string; readonly seq: number }[] = [];
    redis.on("message", (_, message) => events.push(JSON.parse(message)));
    await redis.subscribe(channelOf(room_name));
    await cairn.call("execute_action", { room_name, action_type: "wait", params: { seconds: 0 } });
    await Bun.sleep(WATCHED);
    redis.disconnect();
    const observed = events.filter(({ type }) => ["dom_change", "screen_content_update"].includes(type));
    return { first: events[0]?.seq ?? Number.NaN, observed: observed.length };
  };
  try {
    const still = await numberOf("still");
    const moving = await numberOf("moving");
    return [
      {
        name: "observations of a changing page without a subscriber",
        figure: moving.first - still.first,
        unit: "observations",
        target: { bound: "at most", value: 0, label: "none" },
      },
      {
        name: "observations of it with a subscriber in the same time",
        figure: moving.observed,
        unit: "observations",
        target: { bound: "at least", value: 1, label: "some" },
      },
    ];
  } finally {
    await site.stop();
  }
}
