/**
 * What a browser session costs beside a bare context of the same browser: until it is ready, for a click with its
 * post-condition, in memory while it idles, at rest, and until it is back.
 *
 * The bare context is spoken to by the DevTools protocol, without any library between. Both take turns, so that what else
 * the machine does weighs on both.
 */

import { mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Chromium, launchChromium } from "../../actors/browser/chromium/launch-chromium.ts";
import { RunningChromium } from "../../actors/browser/chromium/running-chromium.ts";
import { provideChromium } from "../../actors/browser/index.ts";
import type { BrowserSession } from "../../actors/browser/session/browser-session.ts";
import { type EgressProxy, startEgressProxy } from "../../actors/egress/index.ts";
import { analyzeOptionsSchema } from "../../machines/session/page-snapshot.ts";
import { processTree } from "../e2e/process-tree.ts";
import { destinations } from "../sites/destinations.ts";
import { html, serveSite } from "../sites/site.ts";
import { type Bench, median, type Report, type Row, type Target } from "./support/bench.ts";
import { type RawContext, rawContext } from "./support/raw-context.ts";
import { bytesOfResting } from "./support/resting-sessions.ts";

const WARM_UP = 2;
const MB = 1_024 * 1_024;
const viewport = { width: 1_280, height: 800 };

export const bench: Bench = {
  about:
    "browser sessions beside bare contexts: ready, click, memory, rest [--rounds 15] [--idle 8] [--resting 120]",
  run,
};

interface Stage {
  readonly url: string;
  /** With nothing between it and the site, as the bare contexts have it. */
  readonly bare: RunningChromium;
  /** With the way out of a Cairn. */
  readonly guarded: RunningChromium;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: "string", default: "15" },
      idle: { type: "string", default: "8" },
      resting: { type: "string", default: "120" },
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
  const chromium = async (way?: EgressProxy): Promise<RunningChromium> => {
    const one = await launchChromium({ path: found.path, folder, proxy: way });
    launched.push(one);
    const means = { userAgent: "Cairn/bench", proxy: way, evaluate: false, uploads: undefined };
    // Not prepared: it would close windows that it has not opened, and bare contexts are such.
    return new RunningChromium(one, means);
  };
  try {
    const stage: Stage = { url: site.url("/"), bare: await chromium(), guarded: await chromium(proxy) };
    const rows: Row[] = [];
    console.log("until it is ready …");
    rows.push(...(await ready(stage, rounds)));
    console.log("clicks …");
    rows.push(...(await clicks(stage, rounds * 4)));
    console.log("memory …");
    rows.push(...(await memory(stage, Number(values.idle))));
    console.log("at rest …");
    // Without a site, whose own log would grow in this process.
    rows.push(await resting(Number(values.resting), "data:text/html,<h1>Shop</h1><button>Buy</button>"));
    const conditions = {
      ...values,
      chromium: found.version,
      cores: cpus().length,
      date: new Date().toISOString().slice(0, 10),
    };
    return { bench: "sessions", conditions, rows };
  } finally {
    await Promise.all(launched.map((one) => one.close()));
    await proxy.close();
    site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed(into: number[], work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  await work();
  into.push(performance.now() - from);
}

async function ready({ url, bare, guarded }: Stage, rounds: number): Promise<readonly Row[]> {
  const raw: number[] = [];
  const own: number[] = [];
  const through: number[] = [];
  const woken: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round === 0) for (const runs of [raw, own, through, woken]) runs.length = 0;
    let context: RawContext | undefined;
    await timed(raw, async () => {
      context = await rawContext(bare.chromium.connection);
      await context.goto(url);
    });
    await context?.close();
    let session: BrowserSession | undefined;
    await timed(own, async () => {
      session = await opened(bare, url);
    });
    const saved = await session?.save(true);
    await session?.close();
    if (saved) {
      await timed(woken, async () => {
        const former = { saved: saved.session, from: "hibernation" as const };
        session = await bare.openSession({ viewport, former });
      });
      await session?.close();
    }
    await timed(through, async () => {
      session = await opened(guarded, url);
    });
    await session?.close();
  }
  const floor = median(raw);
  const target = (times: number, value: number, says: string): Target => ({
    sense: "at most",
    value: value * times,
    says: `${times} × ${says}`,
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
    { name: "ready: session, by the way out of a Cairn", figure: median(through), unit: "ms", runs: through },
    {
      name: "back from hibernation",
      figure: median(woken),
      unit: "ms",
      runs: woken,
      target: target(1.3, median(own), "ready"),
    },
  ];
}

async function opened(running: RunningChromium, url: string): Promise<BrowserSession> {
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
  const session = await opened(bare, url);
  const analysis = await session.analyze(analyzeOptionsSchema.parse({}));
  const button = analysis.highlightedElements.find(({ tagName }) => tagName === "button");
  const index = button?.highlight_index ?? -1;
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round === 0) for (const runs of [raw, own]) runs.length = 0;
    await timed(raw, () => context.click(120, 110));
    await timed(own, async () => {
      const outcome = await session.act({ name: "click", params: { index } }, async () => {});
      if (!outcome.success) throw new Error(`The click failed: ${outcome.error}`);
    });
  }
  await context.close();
  await session.close();
  const floor = median(raw);
  return [
    { name: "click: bare, nothing proved", figure: floor, unit: "ms", runs: raw },
    {
      name: "click: session, with what came of it",
      figure: median(own),
      unit: "ms",
      runs: own,
      target: { sense: "at most", value: floor + 15, says: "bare + 15 ms" },
    },
  ];
}

/** What each of them adds to the memory of the browser and of this process, which is proportional where it is shared. */
async function memory({ url, bare }: Stage, count: number): Promise<readonly Row[]> {
  const rawAdds: number[] = [];
  const ownAdds: number[] = [];
  for (let round = 0; round < 3; round++) {
    rawAdds.push(
      await added(bare, count, async () => {
        const context = await rawContext(bare.chromium.connection);
        await context.goto(url);
        return () => context.close();
      }),
    );
    ownAdds.push(
      await added(bare, count, async () => {
        const session = await opened(bare, url);
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
      target: { sense: "at most", value: floor + 1, says: "bare + 1 MB" },
    },
  ];
}

async function added(
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
  const bytes = await bytesOfResting(count, url);
  return {
    name: "memory: session at rest",
    figure: bytes / 1_024,
    unit: "KB",
    target: { sense: "at most", value: 1, says: "1 KB" },
  };
}
