/**
 * Measures the cost of the interfaces: a tool call over REST, MCP and WebSocket compared with a direct call
 * of the tool, memory of idle WebSockets, and delivery of events to many subscribers. Cairn runs in a
 * separate process, which measures the direct call itself. The interfaces are measured in turns, and figures
 * are medians.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dataFolder } from "../e2e/support/cairn-test-process.ts";
import { html, serveSite } from "../sites/test-site-with-given-routes.ts";
import {
  type Caller,
  follow,
  health,
  mcpSession,
  mcpStateless,
  plainCall,
  rest,
  socketPing,
  type ToolCall,
} from "./support/bench-api-callers.ts";
import { JsonLineProcess } from "./support/bench-json-line-process.ts";
import { type Bench, median, type Report, type Row, type Target } from "./support/bench-module-interface.ts";

const KB = 1_024;
/** Number of consecutive calls over one interface. Then the bench changes to the next interface. */
const TURN = 50;
const JOB = "bench";
/** Number of browser sessions to whose events the idle sockets subscribe. */
const ROOMS = 50;
/** Pause in milliseconds before memory is read. No request is sent meanwhile. */
const SETTLE = 3_000;
/** Time in milliseconds for which the bench waits for late events. */
const ARRIVAL = 3_000;

export const bench: Bench = {
  about:
    "calls over REST, MCP and WebSockets, idle sockets, events to many [--rounds 10] [--sockets 1000] [--subscribers 100] [--events 2000] [--seconds 5]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: "string", default: "10" },
      sockets: { type: "string", default: "1000" },
      subscribers: { type: "string", default: "100" },
      events: { type: "string", default: "2000" },
      seconds: { type: "string", default: "5" },
    },
  });
  const site = serveSite({ "/": html("Shop", "<h1>Shop</h1>") });
  const data = await dataFolder();
  const cairn = new JsonLineProcess(process.execPath, [
    join(import.meta.dir, "support/bench-api-process.ts"),
    data.path,
  ]);
  try {
    const url = String((await cairn.receive()).url);
    await explored(url, site.url("/"));
    const rows: Row[] = [];
    console.log("calls …");
    rows.push(...(await calls(cairn, url, Number(values.rounds))));
    console.log("idle sockets …");
    rows.push(await idle(cairn, url, Number(values.sockets)));
    console.log("events …");
    rows.push(
      ...(await events(cairn, url, {
        subscribers: Number(values.subscribers),
        perSecond: Number(values.events),
        seconds: Number(values.seconds),
      })),
    );
    const date = new Date().toISOString().slice(0, 10);
    return { bench: "interfaces", conditions: { ...values, cores: cpus().length, date }, rows };
  } finally {
    cairn.close();
    await site.stop();
    await data.remove();
  }
}

/**
 * Explores one page, so that a finished job exists. The measured tool call reads the status of this job,
 * which needs only one query to an actor.
 */
async function explored(url: string, start_url: string): Promise<void> {
  const call = async (tool: string, args: object) => {
    const response = await fetch(`${url}/mcp/tools/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tool, arguments: args }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${tool}: ${text}`);
  };
  await call("start_knowledge_exploration", { start_url, max_pages: 1, job_id: JOB });
  await call("wait_for_exploration", { job_id: JOB });
}

async function calls(cairn: JsonLineProcess, url: string, rounds: number): Promise<readonly Row[]> {
  const tool = "get_exploration_status";
  const call: ToolCall = {
    url,
    tool,
    args: { job_id: JOB },
    route: `/api/knowledge/explore/status/${JOB}`,
    expectedText: "completed",
  };
  const callers: readonly (readonly [string, Caller])[] = [
    ["the smallest HTTP request (/health)", health(call)],
    ["REST: GET …/status/{job_id}", rest(call)],
    ["REST: POST /mcp/tools/call", plainCall(call)],
    ["MCP of 2026-07-28: tools/call", mcpStateless(call)],
    ["MCP of 2025-11-25: tools/call", await mcpSession(call)],
    ["WebSocket: ping and its answer", await socketPing(call)],
  ];
  const floor: number[] = [];
  const taken = callers.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    if (round === 0) for (const each of [floor, ...taken]) each.length = 0;
    cairn.send(JSON.stringify({ do: "ask", tool, args: call.args, count: TURN }));
    // The cast is safe: the process answers `ask` with a list of durations.
    floor.push(...((await cairn.receive()).taken as number[]));
    for (const [at, [, caller]] of callers.entries()) {
      for (let n = 0; n < TURN; n++) {
        const from = performance.now();
        await caller();
        taken[at]?.push(performance.now() - from);
      }
    }
  }
  const base = median(floor);
  /**
   * Target: a call over this interface takes at most one millisecond more than a direct call of the tool.
   * Neither an agent nor a person notices one millisecond.
   */
  const target: Target = { bound: "at most", value: base + 1, label: "the ask + 1 ms" };
  const rows = callers.map(([name], at): Row => {
    const figure = median(taken[at] ?? []);
    const over = `${name} (${(figure / base).toFixed(1)} × the ask)`;
    return { name: over, figure, unit: "ms", ...(at === 0 ? {} : { target }) };
  });
  return [{ name: "the ask without a surface", figure: base, unit: "ms" }, ...rows];
}

async function memory(cairn: JsonLineProcess): Promise<number> {
  await Bun.sleep(SETTLE);
  cairn.send(JSON.stringify({ do: "memory" }));
  return Number((await cairn.receive()).rss);
}

async function idle(cairn: JsonLineProcess, url: string, count: number): Promise<Row> {
  const opened = (many: number) =>
    Promise.all(Array.from({ length: many }, (_, n) => follow(url, `idle-${n % ROOMS}`)));
  // The first socket of each room creates data that later sockets of the room share. So the memory is
  // measured after the first sockets are open.
  const first = await opened(ROOMS);
  const before = await memory(cairn);
  const sockets: WebSocket[] = [];
  while (sockets.length < count) sockets.push(...(await opened(Math.min(100, count - sockets.length))));
  const after = await memory(cairn);
  for (const socket of [...first, ...sockets]) socket.close();
  return {
    name: `memory of an idle WebSocket, of ${count}`,
    figure: (after - before) / count / KB,
    unit: "KB",
    target: { bound: "at most", value: 20, label: "20 KB" },
  };
}

interface Load {
  readonly subscribers: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Measures the delivery of events to subscribers. The cursor of each event must be one higher than that of
 * the subscriber's previous event. A gap or a closed socket counts as a loss.
 */
async function events(cairn: JsonLineProcess, url: string, load: Load): Promise<readonly Row[]> {
  const { subscribers, perSecond, seconds } = load;
  const room = "busy";
  let arrived = 0;
  let gaps = 0;
  let closed = 0;
  let last = performance.now();
  for (let n = 0; n < subscribers; n++) {
    const socket = await follow(url, room);
    let cursor = 0;
    socket.addEventListener("message", ({ data }) => {
      // The cursor is read from the end of each event by a regular expression. If this process parsed the
      // events of all subscribers as JSON, it would be slower than the measured server.
      const seen = /"cursor":(\d+)/.exec(String(data).slice(-30))?.[1];
      if (seen === undefined) return;
      if (Number(seen) !== cursor + 1) gaps += 1;
      cursor = Number(seen);
      arrived += 1;
      last = performance.now();
    });
    socket.addEventListener("close", () => {
      closed += 1;
    });
  }
  const began = performance.now();
  cairn.send(JSON.stringify({ do: "publish", room, perSecond, seconds }));
  const published = Number((await cairn.receive()).seconds);
  const expected = subscribers * perSecond * seconds;
  while (arrived < expected && closed === 0 && performance.now() - last < ARRIVAL) await Bun.sleep(20);
  return [
    {
      name: `events lost of ${expected}, to ${subscribers} subscribers`,
      figure: expected - arrived + gaps,
      unit: "events",
      target: { bound: "at most", value: 0, label: "none" },
    },
    {
      name: "events that each subscriber received",
      figure: arrived / subscribers / ((last - began) / 1_000),
      unit: "/s",
      target: { bound: "at least", value: perSecond * 0.95, label: `95 % of ${perSecond}/s` },
    },
    { name: "seconds to publish them", figure: published, unit: "s" },
  ];
}
