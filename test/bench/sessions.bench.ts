/**
 * Measures the cost of a browser session, compared with a bare context that the bench drives over the
 * DevTools protocol. Measured are the start, a click with its outcome, memory while idle and while
 * hibernated, and restoring. Sessions and contexts are measured in turns.
 */

import { mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { browserLimits } from "../../actors/browser/browser-limits.ts";
import { type Chromium, launchChromium } from "../../actors/browser/chromium/launch-chromium.ts";
import { RunningChromium } from "../../actors/browser/chromium/running-chromium.ts";
import { provideChromium } from "../../actors/browser/index.ts";
import type { BrowserSession } from "../../actors/browser/session/browser-session.ts";
import { type EgressProxy, startEgressProxy } from "../../actors/egress/index.ts";
import { analyzeOptionsSchema } from "../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import { processTree, usageOf } from "../e2e/support/process-tree.ts";
import { destinations } from "../sites/egress-policy-for-tests.ts";
import { html, serveSite } from "../sites/test-site-with-given-routes.ts";
import { type RawContext, rawContext } from "./support/bare-browser-context.ts";
import { type Bench, median, type Report, type Row, type Target } from "./support/bench-module-interface.ts";
import { bytesOfHibernated } from "./support/measure-hibernated-sessions.ts";

const WARM_UP = 2;
const MB = 1_024 * 1_024;
const viewport = { width: 1_280, height: 800 };

export const bench: Bench = {
  about:
    "browser sessions compared with bare contexts: ready, click, memory, hibernation [--rounds 15] [--idle 8] [--hibernated 120]",
  run,
};

interface Stage {
  readonly url: string;
  /**
   * A browser without Cairn's egress proxy. It runs bare browser contexts, and the sessions whose cost is
   * compared with that of a bare context.
   */
  readonly bare: RunningChromium;
  /** A browser without Cairn's egress proxy that keeps a page ready for the next session. */
  readonly preparing: RunningChromium;
  /** A browser whose requests go through Cairn's egress proxy. */
  readonly guarded: RunningChromium;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: "string", default: "15" },
      idle: { type: "string", default: "8" },
      hibernated: { type: "string", default: "120" },
    },
  });
  const rounds = Number(values.rounds);
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const found = await provideChromium({
    folder,
    signal: new AbortController().signal,
    log: (_level, message) => console.log(message),
  });
  const site = serveSite({
    "/": html(
      "Shop",
      `<h1>Shop</h1><p id="n">0</p><button id="b" style="position: absolute; left: 100px; top: 100px; width: 80px; height: 30px">Buy</button>
       ${Array.from({ length: 40 }, (_, at) => `<a href="/p/${at}">Product ${at}</a>`).join(" ")}
       <script>
         localStorage.setItem("basket", JSON.stringify([1, 2, 3]));
         document.cookie = "sid=1";
         b.onclick = () => { n.textContent = Number(n.textContent) + 1; };
       </script>`,
    ),
  });
  const proxy = await startEgressProxy({ destinations });
  const launched: Chromium[] = [];
  const chromium = async (way?: EgressProxy, preparesPage = false): Promise<RunningChromium> => {
    const one = await launchChromium({ path: found.path, folder, proxy: way });
    launched.push(one);
    const means = { userAgent: "Cairn/bench", proxy: way, evaluate: false, uploads: undefined, preparesPage };
    // `prepare` of this class is not called. It would make Chromium close every window that no session has opened,
    // and this bench opens such windows.
    return new RunningChromium(one, means);
  };
  try {
    const stage: Stage = {
      url: site.url("/"),
      bare: await chromium(),
      preparing: await chromium(undefined, true),
      guarded: await chromium(proxy),
    };
    const rows: Row[] = [];
    console.log("until it is ready …");
    rows.push(...(await ready(stage, rounds)));
    console.log("clicks …");
    rows.push(...(await clicks(stage, rounds * 4)));
    console.log("memory …");
    rows.push(...(await memory(stage, Number(values.idle))));
    console.log("idle …");
    rows.push(...(await idleCpu(stage.guarded)));
    console.log("hibernated …");
    // The sessions open a `data:` URL. If they opened the site, this process would log its requests, which
    // would change the measured memory.
    rows.push(await resting(Number(values.hibernated), "data:text/html,<h1>Shop</h1><button>Buy</button>"));
    const conditions = {
      ...values,
      chromium: found.version,
      cores: cpus().length,
      date: new Date().toISOString().slice(0, 10),
    };
    return { bench: "sessions", conditions, rows };
  } finally {
    await Promise.all(launched.map((chromium) => chromium.close()));
    await proxy.close();
    site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A page that never stops: a moving background, a turning element, a canvas, and timers that change the
 * document and compute.
 */
const ANIMATED = `<style>@keyframes move { to { background-position: 800px 600px } } @keyframes turn { to { transform: rotate(1turn) } }
  body { background: repeating-linear-gradient(45deg, red, blue 40px); animation: move 4s linear infinite } b { display: block; width: 99px; animation: turn 1s linear infinite }</style>
  <b>Shop</b><canvas id="c" width="800" height="400"></canvas><p id="p"></p><button>Buy</button><script>
  setInterval(() => { p.textContent = String(performance.now()); }, 16);
  setInterval(() => { JSON.parse(JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ n })))); }, 50);
  let at = 0; const pen = c.getContext("2d");
  (function draw() { pen.fillRect(at++ % 700, 10, 90, 90); requestAnimationFrame(draw); })();</script>`;
const IDLE_SESSIONS = 10;
/** Target: maximum CPU use of an idle session, in per cent of a core. */
const IDLE_MOST = 2;

/**
 * Measures the CPU use of Chromium twice while several sessions show an animated page. At first, all pages
 * are in front. Later, the pages of idle sessions are background tabs.
 */
async function idleCpu(browser: RunningChromium): Promise<readonly Row[]> {
  const site = serveSite({ "/": html("Animated", ANIMATED) });
  const sessions: BrowserSession[] = [];
  const percent = async (): Promise<number> => {
    const from = usageOf(browser.chromium.pid).cpuSeconds;
    const start = performance.now();
    await pause(5_000);
    return ((usageOf(browser.chromium.pid).cpuSeconds - from) / (performance.now() - start)) * 100_000;
  };
  try {
    for (let at = 0; at < IDLE_SESSIONS; at++) {
      const session = await browser.openSession({ viewport });
      sessions.push(session);
      await session.open(site.url("/"));
    }
    const releases = sessions.map((session) => session.keepInFront());
    const inFront = await percent();
    for (const release of releases) release();
    await pause(sessionLimits.backgroundAfter + 3_000);
    const idle = await percent();
    const target: Target = { bound: "at most", value: IDLE_MOST, label: "2 % of a core" };
    return [
      { name: `${IDLE_SESSIONS} sessions on an animated page: in front`, figure: inFront, unit: "% CPU" },
      { name: `${IDLE_SESSIONS} sessions on an animated page: idle`, figure: idle, unit: "% CPU", target },
    ];
  } finally {
    for (const session of sessions) await session.close();
    site.stop();
  }
}

async function timed(into: number[], work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  await work();
  into.push(performance.now() - from);
}

async function ready({ url, bare, preparing, guarded }: Stage, rounds: number): Promise<readonly Row[]> {
  const raw: number[] = [];
  const own: number[] = [];
  const prepared: number[] = [];
  const through: number[] = [];
  const restored: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round === 0) for (const runs of [raw, own, prepared, through, restored]) runs.length = 0;
    let context: RawContext | undefined;
    await timed(raw, async () => {
      context = await rawContext(bare.chromium.connection);
      await context.goto(url);
    });
    await context?.close();
    let session: BrowserSession | undefined;
    await timed(own, async () => {
      session = await openSession(bare, url);
    });
    const saved = await session?.save(true);
    await session?.close();
    if (saved) {
      await timed(restored, async () => {
        const former = { saved: saved.session, from: "hibernation" as const };
        session = await bare.openSession({ viewport, restoreFrom: former });
      });
      await session?.close();
    }
    await timed(prepared, async () => {
      session = await openSession(preparing, url);
    });
    await pause(2 * browserLimits.preparePageAfter);
    await session?.close();
    await timed(through, async () => {
      session = await openSession(guarded, url);
    });
    await session?.close();
  }
  const floor = median(raw);
  const target = (times: number, value: number, says: string): Target => ({
    bound: "at most",
    value: value * times,
    label: `${times} × ${says}`,
  });
  return [
    { name: "ready: bare context, page and goto", figure: floor, unit: "ms", runs: raw },
    {
      name: "ready: session",
      figure: median(own),
      unit: "ms",
      runs: own,
      target: target(1.2, floor, "bare"),
    },
    {
      name: "ready: session, with a prepared page",
      figure: median(prepared),
      unit: "ms",
      runs: prepared,
      target: target(1, floor, "bare"),
    },
    {
      name: "ready: session, through Cairn's egress proxy",
      figure: median(through),
      unit: "ms",
      runs: through,
    },
    {
      name: "back from hibernation",
      figure: median(restored),
      unit: "ms",
      runs: restored,
      target: target(1.3, median(own), "ready"),
    },
  ];
}

async function openSession(running: RunningChromium, url: string): Promise<BrowserSession> {
  const session = await running.openSession({ viewport });
  const { success, error } = await session.open(url);
  if (!success) throw new Error(`${url} was not opened: ${error}`);
  return session;
}

async function clicks({ url, bare }: Stage, rounds: number): Promise<readonly Row[]> {
  const raw: number[] = [];
  const own: number[] = [];
  const context = await rawContext(bare.chromium.connection);
  await context.goto(url);
  const session = await openSession(bare, url);
  const analysis = await session.analyze(analyzeOptionsSchema.parse({}));
  const button = analysis.highlightedElements.find(({ tagName }) => tagName === "button");
  const index = button?.highlight_index ?? -1;
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round === 0) for (const runs of [raw, own]) runs.length = 0;
    await timed(raw, () => context.click(120, 110));
    await timed(own, async () => {
      const outcome = await session.perform({ name: "click", params: { index } }, async () => {});
      if (!outcome.success) throw new Error(`The click failed: ${outcome.error}`);
    });
  }
  await context.close();
  await session.close();
  const floor = median(raw);
  return [
    { name: "click: bare, without a check of its effect", figure: floor, unit: "ms", runs: raw },
    {
      name: "click: session, with its outcome",
      figure: median(own),
      unit: "ms",
      runs: own,
      target: { bound: "at most", value: floor + 15, label: "bare + 15 ms" },
    },
  ];
}

/**
 * Measures how much memory each session needs, compared with a bare browser context. It adds the proportional
 * memory (PSS) of the browser and the heap of this process.
 */
async function memory({ url, bare }: Stage, count: number): Promise<readonly Row[]> {
  const rawAdds: number[] = [];
  const ownAdds: number[] = [];
  for (let round = 0; round < 3; round++) {
    rawAdds.push(
      await addedMemory(bare, count, async () => {
        const context = await rawContext(bare.chromium.connection);
        await context.goto(url);
        return () => context.close();
      }),
    );
    ownAdds.push(
      await addedMemory(bare, count, async () => {
        const session = await openSession(bare, url);
        return () => session.close();
      }),
    );
  }
  const floor = median(rawAdds);
  return [
    { name: "memory: bare context, idle", figure: floor, unit: "MB", runs: rawAdds },
    {
      name: "memory: live session, idle",
      figure: median(ownAdds),
      unit: "MB",
      runs: ownAdds,
      target: { bound: "at most", value: floor + 1, label: "bare + 1 MB" },
    },
  ];
}

async function addedMemory(
  { chromium }: RunningChromium,
  count: number,
  open: () => Promise<() => Promise<void>>,
): Promise<number> {
  const before = await proportionalBytes(chromium.pid);
  const closings: (() => Promise<void>)[] = [];
  for (let at = 0; at < count; at++) closings.push(await open());
  await Bun.sleep(1_000);
  const after = await proportionalBytes(chromium.pid);
  await Promise.all(closings.map((close) => close()));
  await Bun.sleep(500);
  return (after - before) / count / MB;
}

async function proportionalBytes(pid: number): Promise<number> {
  Bun.gc(true);
  const own = process.memoryUsage().heapUsed;
  const parts = await Promise.all(
    processTree(pid).map(async (one) => {
      const text = await readFile(`/proc/${one}/smaps_rollup`, "utf8").catch(() => "");
      return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024;
    }),
  );
  return own + parts.reduce((sum, part) => sum + part, 0);
}

async function resting(count: number, url: string): Promise<Row> {
  const bytes = await bytesOfHibernated(count, url);
  return {
    name: "memory: hibernated session",
    figure: bytes / 1_024,
    unit: "KB",
    target: { bound: "at most", value: 1, label: "1 KB" },
  };
}
