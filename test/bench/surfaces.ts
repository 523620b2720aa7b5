/**
 * What the surfaces cost: a tool's call over REST, MCP and a WebSocket beside the same ask without any, the memory of
 * idle WebSockets, and whether events reach many readers at once.
 *
 * Cairn is a process of its own and asks itself for the floor; callers take turns, so that what else the machine does
 * weighs on all. Figures are medians.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dataFolder } from "../e2e/cairn-process.ts";
import { html, serveSite } from "../sites/site.ts";
import { type Bench, median, type Report, type Row, type Target } from "./support/bench.ts";
import { LineProcess } from "./support/line-process.ts";
import {
  type Asked,
  type Caller,
  follow,
  health,
  mcpSession,
  mcpStateless,
  plainCall,
  rest,
  socketPing,
} from "./support/surface-callers.ts";

const KB = 1_024;
/** Calls of one caller before the next takes its turn. */
const TURN = 50;
const JOB = "bench";
/** Idle sockets follow so many rooms. */
const ROOMS = 50;
/** How long a process is left alone before its memory is read. */
const SETTLE = 3_000;
/** After the last event, for what is still on its way. */
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
  const cairn = new LineProcess(process.execPath, [
    join(import.meta.dir, "support/surfaces-process.ts"),
    data.path,
  ]);
  try {
    const url = String((await cairn.hear()).url);
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
    return { bench: "surfaces", conditions: { ...values, cores: cpus().length, date }, rows };
  } finally {
    cairn.close();
    await site.stop();
    await data.remove();
  }
}

/** A job that has ended: asking for its status is an ask of an actor, and does nothing else. */
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

async function calls(cairn: LineProcess, url: string, rounds: number): Promise<readonly Row[]> {
  const tool = "get_exploration_status";
  const asked: Asked = {
    url,
    tool,
    args: { job_id: JOB },
    route: `/api/knowledge/explore/status/${JOB}`,
    expected: "completed",
  };
  const callers: readonly (readonly [string, Caller])[] = [
    ["the smallest HTTP request (/health)", health(asked)],
    ["REST: GET …/status/{job_id}", rest(asked)],
    ["REST: POST /mcp/tools/call", plainCall(asked)],
    ["MCP of 2026-07-28: tools/call", mcpStateless(asked)],
    ["MCP of 2025-11-25: tools/call", await mcpSession(asked)],
    ["WebSocket: ping and its answer", await socketPing(asked)],
  ];
  const floor: number[] = [];
  const taken = callers.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    if (round === 0) for (const each of [floor, ...taken]) each.length = 0;
    cairn.tell(JSON.stringify({ do: "ask", tool, args: asked.args, count: TURN }));
    // The process answers with what was asked for.
    floor.push(...((await cairn.hear()).taken as number[]));
    for (const [at, [, caller]] of callers.entries()) {
      for (let n = 0; n < TURN; n++) {
        const from = performance.now();
        await caller();
        taken[at]?.push(performance.now() - from);
      }
    }
  }
  const base = median(floor);
  /** What no agent and no person would notice. */
  const target: Target = { sense: "at most", value: base + 1, says: "the ask + 1 ms" };
  const rows = callers.map(([name], at): Row => {
    const figure = median(taken[at] ?? []);
    const over = `${name} (${(figure / base).toFixed(1)} × the ask)`;
    return { name: over, figure, unit: "ms", ...(at === 0 ? {} : { target }) };
  });
  return [{ name: "the ask without a surface", figure: base, unit: "ms" }, ...rows];
}

async function memory(cairn: LineProcess): Promise<number> {
  await Bun.sleep(SETTLE);
  cairn.tell(JSON.stringify({ do: "memory" }));
  return Number((await cairn.hear()).rss);
}

async function idle(cairn: LineProcess, url: string, count: number): Promise<Row> {
  const opened = (many: number) =>
    Promise.all(Array.from({ length: many }, (_, n) => follow(url, `idle-${n % ROOMS}`)));
  // The first ones make what all share.
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
    target: { sense: "at most", value: 20, says: "20 KB" },
  };
}

interface Load {
  readonly subscribers: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Every reader counts its events by their numbers: a gap or a closed socket is a loss. */
async function events(cairn: LineProcess, url: string, load: Load): Promise<readonly Row[]> {
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
      // Not parsed: a hundred readers in one process would be slower than what is measured.
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
  cairn.tell(JSON.stringify({ do: "publish", room, perSecond, seconds }));
  const published = Number((await cairn.hear()).seconds);
  const expected = subscribers * perSecond * seconds;
  while (arrived < expected && closed === 0 && performance.now() - last < ARRIVAL) await Bun.sleep(20);
  return [
    {
      name: `events lost of ${expected}, to ${subscribers} subscribers`,
      figure: expected - arrived + gaps,
      unit: "events",
      target: { sense: "at most", value: 0, says: "none" },
    },
    {
      name: "events each subscriber was told",
      figure: arrived / subscribers / ((last - began) / 1_000),
      unit: "/s",
      target: { sense: "at least", value: perSecond * 0.95, says: `95 % of ${perSecond}/s` },
    },
    { name: "seconds to publish them", figure: published, unit: "s" },
  ];
}
