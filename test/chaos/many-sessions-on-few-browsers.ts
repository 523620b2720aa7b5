/**
 * Runs many browser sessions on few browsers. Each session must answer its own commands, even if it was
 * hibernated between two commands. The page of a session counts the clicks, and the site identifies the
 * session by its cookie; so the right answer to each command is known.
 */
import { readFile } from "node:fs/promises";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { processTree } from "../e2e/support/process-tree.ts";
import { html, serveSite } from "../sites/test-site-with-given-routes.ts";

export interface SessionsRound {
  readonly sessions: number;
  readonly live: number;
  readonly commands: number;
  readonly random: () => number;
  /** Called after each command, with the number of finished commands. */
  readonly progress?: (done: number) => void;
}

export interface SessionsOutcome {
  /** Violated expectations; empty when the run has passed. */
  readonly faults: readonly string[];
  readonly seconds: number;
  /** Largest number of live browser contexts at one time. */
  readonly peak: number;
  /** Number of times that a session was restored after it had hibernated. */
  readonly restored: number;
  /** Duration of each command in milliseconds, in ascending order. */
  readonly times: readonly number[];
}

interface Room {
  readonly name: string;
  readonly number: number;
  /** Number of clicks that the session's page should show. */
  count: number;
  /** True after the first request of the session. The browser must then send the session's cookie. */
  isKnown: boolean;
  busy: boolean;
  started: boolean;
}

export async function playSessions(round: SessionsRound): Promise<SessionsOutcome> {
  const { sessions, live, commands, random, progress } = round;
  const began = performance.now();
  const site = serveSite({});
  for (let number = 0; number < sessions; number++) site.routes.set(`/s/${number}`, pageOf(number));
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { CAIRN_LIVE_SESSIONS: String(live) } });
  const faults: string[] = [];
  const times: number[] = [];
  let restored = 0;
  const rooms = Array.from(
    { length: sessions },
    (_, number): Room => ({
      name: `room-${number}`,
      number,
      count: 0,
      isKnown: false,
      busy: false,
      started: false,
    }),
  );
  const call = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { status, body } = await cairn.post("/mcp/tools/call", { tool, arguments: args });
    if (body?.restored || body?.data?.restored) restored++;
    return { status, body };
  };
  try {
    let done = 0;
    let begun = 0;
    const next = (): Room | undefined => {
      // Each session is started once, in order. After that, sessions are chosen at random.
      const unstarted = begun < sessions ? rooms[begun] : undefined;
      if (unstarted) {
        begun++;
        return unstarted;
      }
      if (done >= commands) return undefined;
      done++;
      progress?.(done);
      for (;;) {
        const room = rooms[Math.floor(random() * rooms.length)];
        if (room && !room.busy) return room;
      }
    };
    const caller = async (): Promise<void> => {
      for (let room = next(); room; room = next()) {
        room.busy = true;
        const from = performance.now();
        const fault = room.started
          ? await command(room, random(), call)
          : await start(room, site.url(`/s/${room.number}`), call);
        if (room.started) times.push(performance.now() - from);
        if (fault) faults.push(`${room.name}: ${fault}`);
        room.started = true;
        room.busy = false;
      }
    };
    await Promise.all(Array.from({ length: Math.min(live + 2, sessions) }, caller));
    const metrics = await (await fetch(`${cairn.url}/metrics`)).text();
    const peak = Number(/cairn_live_sessions\{what="most"\} (\d+)/.exec(metrics)?.[1]);
    if (!(peak <= live)) faults.push(`${peak} sessions had a browser at a time, at most ${live} should`);
    const closing = rooms.values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const { name } of closing) {
          const { body } = await call("close_browser_session", { room_name: name });
          if (body.status !== "closed") faults.push(`${name} was not closed: ${JSON.stringify(body)}`);
        }
      }),
    );
    const tree = processTree(cairn.pid);
    await cairn.stop();
    for (const pid of tree) {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (/chrom|headless_shell/.test(command)) faults.push(`a Chromium was left: ${pid}`);
    }
    times.sort((first, second) => first - second);
    return { faults, seconds: (performance.now() - began) / 1_000, peak, restored, times };
  } finally {
    await cairn.kill();
    await data.remove();
    site.stop();
  }
}

/** Returns a page that counts clicks in its local storage. The site identifies its session by a cookie. */
function pageOf(number: number) {
  return (request: Request): Response => {
    const cookie = /who=(\d+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "nobody";
    const page = html(
      `Session ${number}`,
      `<h1></h1><p>Known as ${cookie}</p><button id="add">Add</button>
       <script>
         document.cookie = "who=${number}; path=/";
         const show = () => {
           document.querySelector("h1").textContent = "Session ${number} counted " + (localStorage.getItem("count") ?? 0);
         };
         const add = () => { localStorage.setItem("count", Number(localStorage.getItem("count") ?? 0) + 1); show(); };
         if (location.search === "?add") { add(); history.replaceState(null, "", location.pathname); }
         document.querySelector("#add").onclick = add;
         show();
       </script>`,
    );
    return new Response(page, { headers: { "content-type": "text/html" } });
  };
}

type Call = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
  // biome-ignore lint/suspicious/noExplicitAny: as in `cairn-test-process.ts`: whatever is answered
) => Promise<{ readonly status: number; readonly body: any }>;

async function start({ name }: Room, initial_url: string, call: Call): Promise<string | undefined> {
  const { body } = await call("start_browser_session", { room_name: name, initial_url });
  return body.status === "started" && !body.error ? undefined : `not started: ${JSON.stringify(body)}`;
}

/**
 * Runs one random command, and checks what the session shows afterwards. Returns a description of the fault,
 * if there is one.
 */
async function command(room: Room, chance: number, call: Call): Promise<string | undefined> {
  const { name: room_name, number } = room;
  if (chance < 1 / 3) {
    const { body } = await call("execute_action", {
      room_name,
      action_type: "navigate",
      params: { url: "?add" },
    });
    if (!body.success) return `navigate: ${JSON.stringify(body)}`;
    room.count++;
    room.isKnown = true;
    return body.data.url.endsWith(`/s/${number}`) ? undefined : `navigated to ${body.data.url}`;
  }
  if (chance < 2 / 3) {
    const { body } = await call("get_screen_content", { room_name });
    const text = String(body.dom_summary);
    const shown = text.includes(`Session ${number} counted ${room.count}`);
    const known = !room.isKnown || text.includes(`Known as ${number}`);
    return shown && known ? undefined : `should have counted ${room.count}: ${JSON.stringify(body)}`;
  }
  const { body: page } = await call("analyze_page", { room_name });
  if (page.data?.title !== `Session ${number}`) return `analyze: ${JSON.stringify(page)}`;
  let index = page.data.highlightedElements[0]?.highlight_index;
  for (let tries = 0; tries < 5; tries++) {
    const { body } = await call("click_element_by_index", { room_name, highlightIndex: index });
    if (body.success) {
      room.count++;
      return undefined;
    }
    // The element's index is stale, because the session was hibernated and restored after the analysis. The
    // error lists the element as a candidate, and the next attempt uses the candidate's index.
    if (body.data?.code !== "element_stale") return `click: ${JSON.stringify(body)}`;
    index = body.data.candidates[0]?.highlight_index;
  }
  return "was hibernated before each of five clicks";
}
