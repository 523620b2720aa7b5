/**
 * Measures two things on third-party single-page applications: whether the first analysis after the start of
 * a session contains elements, and how long the session waits for them. The time to the analysis is compared
 * with the time until a control is visible in a bare browser context. The session's wait alone is measured on
 * static pages.
 */
import { cpus, tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { launchChromium } from "../../actors/browser/chromium/launch-chromium.ts";
import { RunningChromium } from "../../actors/browser/chromium/running-chromium.ts";
import { provideChromium } from "../../actors/browser/index.ts";
import type { ContextSession } from "../../actors/browser/session/browser-session.ts";
import {
  expectContent,
  waitUntilReady,
} from "../../actors/browser/session/snapshot/wait-until-page-ready.ts";
import { analyzeOptionsSchema } from "../../machines/session/page/page-snapshot.ts";
import { readyLimits } from "../../machines/session/session-limits.ts";
import { html, serveSite } from "../sites/test-site-with-given-routes.ts";
import { rawContext } from "./support/bare-browser-context.ts";
import { generatedPage } from "./support/bench-generated-page.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import {
  applicationNames,
  installApplications,
  startApplication,
} from "./support/bench-single-page-applications.ts";

const viewport = { width: 1_280, height: 800 };
/** Target: the analysis of a static page waits for at most this time, in milliseconds. */
const STATIC_MOST = 20;

export const bench: Bench = {
  about:
    "the first analysis of single-page applications: never empty, and its time [--rounds 3] [--only <name>]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: "string", default: "3" }, only: { type: "string", default: "" } },
  });
  const rounds = Number(values.rounds);
  const found = await provideChromium({
    folder: tmpdir(),
    signal: new AbortController().signal,
    log: (_level, message) => console.log(message),
  });
  const modules = await installApplications();
  const chromium = await launchChromium({ path: found.path, folder: tmpdir() });
  const browser = new RunningChromium(chromium, {
    userAgent: "Cairn/bench",
    proxy: undefined,
    evaluate: false,
    uploads: undefined,
    preparesPage: false,
  });
  const rows: Row[] = [];
  try {
    for (const name of applicationNames()) {
      if (!name.includes(values.only)) continue;
      console.log(`${name} …`);
      const application = await startApplication(name, modules);
      try {
        rows.push(...(await measure(browser, application.name, application.url, rounds)));
      } finally {
        await application.stop();
      }
    }
    console.log("static pages …");
    rows.push(...(await staticPages(browser, rounds * 5)));
  } finally {
    await chromium.close();
  }
  return {
    bench: "first-analysis",
    conditions: {
      rounds,
      chromium: found.version,
      cores: cpus().length,
      date: new Date().toISOString().slice(0, 10),
    },
    rows,
  };
}

/** JavaScript expression that is evaluated in the page. It is true as soon as a control is visible. */
const FIRST_CONTENT = `[...document.querySelectorAll("a[href], button, input, textarea, [role=button], [tabindex]")]
  .some((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getBoundingClientRect().width > 1)`;

async function measure(
  browser: RunningChromium,
  name: string,
  url: string,
  rounds: number,
): Promise<readonly Row[]> {
  const bare: number[] = [];
  const first: number[] = [];
  const counts: number[] = [];
  const grown: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await bareTime(browser, url));
    const from = performance.now();
    const session = await browser.openSession({ viewport });
    try {
      const outcome = await session.open(url);
      const { totalElements } = await session.analyze(analyzeOptionsSchema.parse({}));
      first.push(performance.now() - from);
      counts.push(totalElements);
      if (!outcome.success) console.log(`  ${outcome.error}`);
      if (outcome.data.loading) console.log(`  still loading: ${JSON.stringify(outcome.data.pending)}`);
      await pause(readyLimits.within * 1_000);
      const later = await session.analyze(analyzeOptionsSchema.parse({}));
      grown.push((totalElements / Math.max(1, later.totalElements)) * 100);
    } finally {
      await session.close();
    }
  }
  const least = Math.min(...counts);
  return [
    {
      name: `${name}: elements of the first analysis, least`,
      figure: least,
      unit: "",
      runs: counts,
      target: { bound: "at least", value: 1, label: "not empty" },
    },
    {
      name: `${name}: of those ${readyLimits.within} s later`,
      figure: median(grown),
      unit: "%",
      runs: grown,
    },
    { name: `${name}: bare time to the first control`, figure: median(bare), unit: "ms", runs: bare },
    { name: `${name}: start and first analysis`, figure: median(first), unit: "ms", runs: first },
  ];
}

/**
 * Returns the time in milliseconds from the creation of a bare browser context (without a session of Cairn)
 * until a control is visible in its page.
 */
async function bareTime({ chromium }: RunningChromium, url: string): Promise<number> {
  const from = performance.now();
  const context = await rawContext(chromium.connection);
  try {
    await context.goto(url);
    for (;;) {
      const { result } = await context.session.send("Runtime.evaluate", {
        expression: FIRST_CONTENT,
        returnByValue: true,
      });
      const passed = performance.now() - from;
      if (result.value === true || passed > readyLimits.within * 1_000) return passed;
      await pause(10);
    }
  } finally {
    await context.close();
  }
}

/** Measures how long the session waits after a document without scripts has loaded. */
async function staticPages(browser: RunningChromium, rounds: number): Promise<readonly Row[]> {
  const links = (count: number): string =>
    Array.from({ length: count }, (_, at) => `<p>Text <a href="/p/${at}">Page ${at}</a></p>`).join("");
  const site = serveSite({
    "/small": html("Small", `<h1>Small</h1><a href="/a">A</a><button>B</button>`),
    "/text": html("Text", "<h1>Text</h1><p>Only text.</p>".repeat(50)),
    "/generated": generatedPage(570),
    "/large": html("Large", links(5_000)),
  });
  // The cast is safe: `openSession` returns a `ContextSession`.
  const session = (await browser.openSession({ viewport })) as ContextSession;
  const rows: Row[] = [];
  try {
    for (const name of ["small", "text", "generated", "large"]) {
      const runs: number[] = [];
      const floor: number[] = [];
      const { frames } = session.tab;
      for (let round = 0; round < rounds; round++) {
        await session.open(site.url(`/${name}`));
        const before = performance.now();
        await frames.evaluate(frames.main, "0");
        floor.push(performance.now() - before);
        expectContent(session.tab);
        const from = performance.now();
        await waitUntilReady(session.tab, readyLimits.within * 1_000);
        runs.push(performance.now() - from);
      }
      rows.push({
        name: `static page "${name}": the wait`,
        figure: median(runs),
        unit: "ms",
        runs,
        target: { bound: "at most", value: STATIC_MOST, label: "20 ms" },
      });
      rows.push({
        name: `static page "${name}": one round trip`,
        figure: median(floor),
        unit: "ms",
        runs: floor,
      });
    }
  } finally {
    await session.close();
    site.stop();
  }
  return rows;
}
