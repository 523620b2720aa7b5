/**
 * Measures the console with a large Cairn: time from a transition of an actor to its state chart, the list of
 * a thousand actors, moving and zooming a map of a thousand screens, and the cost of the first view. The
 * chart is compared with a plain WebSocket that receives the same event.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright";
import { findChromium } from "../../actors/browser/index.ts";
import { layOutMap } from "../../gateway/console/app/map/map-drawing-layout.ts";
import { labelsOf } from "../../gateway/console/app/map/map-painter.ts";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { drawnMap } from "../gateway/console/map-for-drawing-tests.ts";
import { html, serveSite } from "../sites/test-site-with-given-routes.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";

const FRAME = { width: 1_000, height: 700 };
const JOB = "watched";
/** Number of screens in one part of the imported map file. */
const PART = 250;

export const bench: Bench = {
  about: "the console with many actors and a large map [--actors 1000] [--screens 1000] [--rounds 30]",
  run,
};

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      actors: { type: "string", default: "1000" },
      screens: { type: "string", default: "1000" },
      rounds: { type: "string", default: "30" },
    },
  });
  const [actors, screens, rounds] = [values.actors, values.screens, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  const site = serveSite({
    "*": async (request) => {
      await Bun.sleep(50);
      const n = Number(new URL(request.url).pathname.slice(2));
      return html(`Page ${n}`, `<a href="/p${2 * n + 1}">a</a> <a href="/p${2 * n + 2}">b</a>`);
    },
  });
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path });
  const found = await findChromium({});
  const browser = await chromium.launch({ executablePath: found?.path ?? "", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    const first = await firstView(cairn, page);
    await importMap(cairn, screens);
    for (let at = 0; at < actors; at++) {
      await cairn.post(`/api/knowledge/map-${at}/import`, { map: { format: "cairn-map", version: 1 } });
    }
    const start = {
      start_url: site.url("/p0"),
      job_id: JOB,
      max_pages: 100_000,
      max_depth: 20,
      sitemaps: false,
    };
    await cairn.post("/api/knowledge/explore/start", start);
    const list = await listTime(cairn, page);
    const transitions = await transitionTimes(cairn, page, rounds);
    const frames = await mapFrames(cairn, page);
    const overlap = await labelOverlap(page, screens);
    const floor = quantile(transitions.socket, 0.95);
    const rows: Row[] = [
      { name: "command → event at a plain WebSocket, p95 (floor)", figure: floor, unit: "ms" },
      {
        name: "command → chart, p95",
        figure: quantile(transitions.chart, 0.95),
        unit: "ms",
        runs: transitions.chart,
        target: { bound: "at most", value: floor + 50, label: "floor + three frames" },
      },
      { name: "list of actors shown", figure: list, unit: "ms" },
      {
        name: "map: pan, median frame rate",
        figure: 1_000 / median(frames.pan),
        unit: "/s",
        target: { bound: "at least", value: 30, label: "smooth" },
      },
      {
        name: "map: zoom, median frame rate",
        figure: 1_000 / median(frames.zoom),
        unit: "/s",
        target: { bound: "at least", value: 30, label: "smooth" },
      },
      {
        name: "map: labels over another",
        figure: overlap.share,
        unit: "%",
        target: { bound: "at most", value: 1, label: "readable" },
      },
      { name: "first view", figure: first.bytes / 1_000, unit: "KB" },
      { name: "first view, until it is shown", figure: first.time, unit: "ms" },
    ];
    return {
      bench: "console",
      conditions: { actors, screens, rounds, "labels measured": overlap.labels, cores: cpus().length },
      rows,
    };
  } finally {
    await browser.close();
    await cairn.stop();
    await data.remove();
    await site.stop();
  }
}

/**
 * Returns two figures of the console's start page: its size in bytes, with script and styles, and the
 * milliseconds until its heading is visible.
 */
async function firstView(
  cairn: Cairn,
  page: Page,
): Promise<{ readonly bytes: number; readonly time: number }> {
  // The console's script is requested once before the measurement, because the process bundles the script at
  // the first request.
  await fetch(`${cairn.url}/console/console.js`);
  let bytes = 0;
  page.on("response", async (response) => {
    if (/\/(console\.(js|css))?$/.test(new URL(response.url()).pathname))
      bytes += (await response.body()).length;
  });
  const begun = performance.now();
  await page.goto(cairn.url);
  await page.waitForSelector("h1");
  const time = performance.now() - begun;
  await page.waitForLoadState("networkidle");
  page.removeAllListeners("response");
  return { bytes, time };
}

async function importMap(cairn: Cairn, screens: number): Promise<void> {
  const graph = drawnMap(screens);
  const rows = graph.screens.map(({ screen_id, name, url }) => ({ screen_id, name, url }));
  const transitions = graph.transitions.map(({ from, to, inferred }) => ({
    from,
    to,
    action: { action_type: "click", name: to },
    inferred,
  }));
  for (let at = 0; at < Math.max(rows.length, transitions.length); at += PART) {
    const map = {
      format: "cairn-map",
      version: 1,
      screens: rows.slice(at, at + PART),
      transitions: transitions.slice(at, at + PART),
    };
    const { status } = await cairn.post("/api/knowledge/drawn/import", { map });
    if (status !== 200) throw new Error(`The map was not imported: ${status}.`);
  }
}

async function listTime(cairn: Cairn, page: Page): Promise<number> {
  const begun = performance.now();
  await page.goto(`${cairn.url}/actors`);
  await page.waitForSelector("tr[data-actor]");
  return performance.now() - begun;
}

/**
 * Sends commands to an actor and measures two times in milliseconds for each. The first is the time until the
 * console's state chart shows the new state. The second is the time until a plain WebSocket has received the
 * event of the transition.
 */
async function transitionTimes(
  cairn: Cairn,
  page: Page,
  rounds: number,
): Promise<{ readonly chart: readonly number[]; readonly socket: readonly number[] }> {
  await page.goto(`${cairn.url}/actors/exploration/${JOB}`);
  await page.waitForSelector(".chart .state.active", { state: "attached" });
  await page.waitForSelector('#live[data-is="on"]');
  const what = "kind=exploration&what=microstep";
  const plain = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/inspect?${what}&id=${JOB}`);
  await new Promise((resolve) => plain.addEventListener("message", resolve, { once: true }));
  const [chart, socket]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [command, state] of [
      ["pause", "exploration.paused"],
      ["resume", "exploration.active.running"],
    ] as const) {
      const heard = new Promise<number>((resolve) => {
        const listen = ({ data }: MessageEvent): void => {
          if (!String(data).includes(`"${state}"`)) return;
          plain.removeEventListener("message", listen);
          resolve(Date.now());
        };
        plain.addEventListener("message", listen);
      });
      const shown = page.evaluate(
        (id) =>
          new Promise<number>((resolve) => {
            const found = document.querySelector(`.chart .state[data-state="${id}"]`);
            if (!found) throw new Error(`The chart has no ${id}.`);
            const check = (): boolean => found.classList.contains("active");
            if (check()) return resolve(Date.now());
            const observer = new MutationObserver(() => {
              if (!check()) return;
              observer.disconnect();
              resolve(Date.now());
            });
            observer.observe(found, { attributes: true, attributeFilter: ["class"] });
          }),
        state,
      );
      const begun = Date.now();
      await cairn.post(`/api/knowledge/explore/${command}`, { job_id: JOB });
      socket.push((await heard) - begun);
      chart.push((await shown) - begun);
    }
  }
  plain.close();
  return { chart, socket };
}

/** Returns the durations of the frames while the map is moved and zoomed, in milliseconds. */
async function mapFrames(
  cairn: Cairn,
  page: Page,
): Promise<{ readonly pan: readonly number[]; readonly zoom: readonly number[] }> {
  await page.goto(`${cairn.url}/maps/drawn`);
  await page.waitForSelector("canvas");
  const frame = await page.locator(".frame").boundingBox();
  if (!frame) throw new Error("The map has no frame.");
  const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
  const during = async (act: () => Promise<void>): Promise<readonly number[]> => {
    await page.evaluate(() => {
      const times: number[] = [];
      const count = (at: number): void => {
        times.push(at);
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
      Object.assign(window, { frameTimes: times });
    });
    await act();
    const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes);
    return times.slice(1).map((time, at) => time - (times[at] ?? time));
  };
  await page.mouse.move(x, y);
  const zoom = await during(async () => {
    for (let step = 0; step < 40; step++) await page.mouse.wheel(0, step < 20 ? -120 : 100);
  });
  const pan = await during(async () => {
    await page.mouse.down();
    for (let step = 0; step < 60; step++) await page.mouse.move(x + 4 * step, y + 2 * step);
    await page.mouse.up();
  });
  return { pan, zoom };
}

/**
 * Returns the share (0 to 1) of a map's labels that overlap another label. The labels are measured with the
 * browser's real fonts.
 */
async function labelOverlap(
  page: Page,
  screens: number,
): Promise<{ readonly share: number; readonly labels: number }> {
  const layout = layOutMap(drawnMap(screens));
  const fit = FRAME.height / layout.size;
  const pictures = [1, 2, 4, 8, 16].map((zoom) => {
    const scale = fit * zoom;
    const camera = {
      x: layout.size / 2 - FRAME.width / scale / 2,
      y: layout.size / 2 - FRAME.height / scale / 2,
      scale,
    };
    return labelsOf(layout, camera, FRAME, { chosen: undefined, found: undefined }, new Set());
  });
  const counted = await page.evaluate((all) => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) throw new Error("There is no canvas.");
    let [labels, over] = [0, 0];
    for (const picture of all) {
      const boxes = picture.map(({ text, x, y, size }) => {
        context.font = `${size > 12 ? "600 " : ""}${size}px system-ui, sans-serif`;
        const { width } = context.measureText(text);
        return { left: x - width / 2, right: x + width / 2, top: y - size, bottom: y };
      });
      labels += boxes.length;
      over += boxes.filter((one) =>
        boxes.some(
          (other) =>
            other !== one &&
            one.left < other.right &&
            other.left < one.right &&
            one.top < other.bottom &&
            other.top < one.bottom,
        ),
      ).length;
    }
    return { labels, over };
  }, pictures);
  return { share: (100 * counted.over) / Math.max(1, counted.labels), labels: counted.labels };
}
