/**
 * The measured process of the bench of interfaces: a Cairn with its gateway. `bun bench-api-process.ts <data
 * folder>` prints `{ url }` and then answers lines of JSON. `ask` calls a tool directly, without an
 * interface, `publish` publishes events of a session, and `memory` returns the resident memory.
 */

import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { startCairn } from "../../../actors/index.ts";
import { MemoryBus } from "../../../actors/runtime/index.ts";
import type { Cairn } from "../../../gateway/actor-system-interface.ts";
import { loadConfig } from "../../../gateway/config.ts";
import { createApp } from "../../../gateway/http-application.ts";
import { createLog } from "../../../gateway/log.ts";
import { OptionalParts } from "../../../gateway/optional-gateway-parts.ts";
import { StartingSystem } from "../../../gateway/running-system-for-waiting-requests.ts";
import { startOptions } from "../../../gateway/settings-to-start-cairn-options.ts";
import { OpenSockets } from "../../../gateway/socket/open-websockets.ts";
import { tools } from "../../../gateway/tools/index.ts";
import { sessionEvent, sessionTopic } from "../../../machines/session/build-session-events.ts";

/** Interval in milliseconds at which a batch of events is published, as a busy page does. */
const TICK = 10;

const [folder = ""] = parseArgs({ allowPositionals: true }).positionals;
const loaded = loadConfig({ CAIRN_DATA: folder, PORT: "0", CAIRN_LOG_LEVEL: "error" });
const { config } = loaded;
const log = createLog(config, process.stderr);
const node: Cairn = await startCairn(startOptions(loaded, log));
/**
 * The bench publishes its events on this message bus. They reach the sockets in the same way as events of
 * actors.
 */
const bus = new MemoryBus();
const watch: Cairn["watch"] = (topic, listen) =>
  // The cast is safe: only session events are published on this bus, and `listen` accepts them.
  bus.subscribe(topic, (event) => listen(event as Parameters<typeof listen>[0]));
const cairn = new Proxy(node, {
  get(target, name) {
    if (name === "watch") return watch;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === "function" ? value.bind(target) : value;
  },
});
const slot = new StartingSystem();
slot.fill(cairn);
const app = createApp(
  {
    system: slot,
    registry: tools,
    sockets: new OpenSockets(),
    log,
    optional: new OptionalParts(),
    instance: "bench",
  },
  config,
);
app.listen({ hostname: "127.0.0.1", port: 0 });

/** A line of JSON by which the bench requests something from this process. */
type BenchRequest =
  | { readonly do: "ask"; readonly tool: string; readonly args: unknown; readonly count: number }
  | { readonly do: "publish"; readonly room: string; readonly perSecond: number; readonly seconds: number }
  | { readonly do: "memory" };

async function ask(name: string, args: unknown, count: number): Promise<readonly number[]> {
  const tool = tools.get(name);
  const taken: number[] = [];
  for (let n = 0; n < count; n++) {
    const from = performance.now();
    // The measured interfaces serialise the result. So the result of the direct call is serialised too.
    JSON.stringify(await tool.run(cairn, tool.check(args)));
    taken.push(performance.now() - from);
  }
  return taken;
}

/** Publishes the event that a browser session publishes after a page has loaded. */
function publishOne(room: string, n: number): void {
  const payload = { tab: 1, url: `https://shop.example/orders/${n}` };
  const event = sessionEvent("page_load_complete", room, payload, Date.now());
  bus.publish(sessionTopic(room, "page_load_complete"), event);
}

async function publish(room: string, perSecond: number, seconds: number): Promise<number> {
  const began = performance.now();
  let published = 0;
  while (published < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - began) / 1_000) * perSecond);
    for (; published < due; published++) publishOne(room, published);
    await Bun.sleep(TICK);
  }
  return (performance.now() - began) / 1_000;
}

async function granted(wish: BenchRequest): Promise<unknown> {
  if (wish.do === "ask") return { taken: await ask(wish.tool, wish.args, wish.count) };
  if (wish.do === "publish") return { seconds: await publish(wish.room, wish.perSecond, wish.seconds) };
  Bun.gc(true);
  return { rss: process.memoryUsage().rss };
}

console.log(JSON.stringify({ url: `http://127.0.0.1:${app.server?.port}`, pid: process.pid }));
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await granted(JSON.parse(line))));
process.exit(0);
