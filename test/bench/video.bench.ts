/**
 * Measures the video of a session in a room of a real LiveKit server: frame rate, latency, the wait of a late
 * viewer, pauses, CPU use and memory. It uses one page that changes in every frame, and one that does not
 * change.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { processTree, usageOf } from "../e2e/support/process-tree.ts";
import { serveSite } from "../sites/test-site-with-given-routes.ts";
import { LiveKitServer, noLiveKit } from "../support/test-livekit-server.ts";
import { CLOCK_PAGE, latenciesOf, STILL_PAGE, VideoViewer } from "../support/test-video-viewer.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { ProcessMeter } from "./support/bench-process-meter.ts";

const SIZES = [
  { name: "720p", viewport_width: 1_280, viewport_height: 720 },
  { name: "1080p", viewport_width: 1_920, viewport_height: 1_080 },
] as const;
const FPS = 10;
const MEMORY_EVERY = 1_000;
/**
 * Grace period in milliseconds after the start of a pause of the video. Frames may still arrive in this
 * period. Each frame that arrives after it, but before the end of the pause, is a fault.
 */
const PAUSED = 1_000;
/** Number of viewers who join the room late, one after another. */
const LATE_VIEWERS = 5;

export const bench: Bench = {
  about: "video of a session in a LiveKit room: frames, pause, CPU, memory [--seconds 20] [--minutes 10]",
  run,
};

interface Setting {
  readonly cairn: Cairn;
  readonly livekit: LiveKitServer;
  readonly url: (path: string) => string;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      seconds: { type: "string", default: "20" },
      minutes: { type: "string", default: "10" },
    },
  });
  const reason = noLiveKit();
  if (reason) throw new Error(`The bench of video needs a LiveKit server: ${reason}.`);
  const page = (text: string) => () => new Response(text, { headers: { "content-type": "text/html" } });
  const site = serveSite({ "/clock": page(CLOCK_PAGE), "/still": page(STILL_PAGE) });
  const livekit = await LiveKitServer.start();
  const data = await dataFolder();
  let cairn: Cairn | undefined;
  try {
    cairn = await Cairn.start({ data: data.path, env: livekit.env });
    const setting = { cairn, livekit, url: (path: string) => site.url(path) };
    const rows: Row[] = [];
    for (const size of SIZES) rows.push(...(await measure(setting, size, Number(values.seconds))));
    rows.push(...(await pauseAndLateViewer(setting)));
    rows.push(...(await memory(setting, Number(values.minutes) * 60)));
    return {
      bench: "video",
      conditions: {
        cores: cpus().length,
        rate: `${FPS} frames a second, H.264`,
        "seconds of each measurement": Number(values.seconds),
        "minutes of the memory measurement": Number(values.minutes),
        viewer: "headless Chromium with livekit-client, on the same machine",
      },
      rows,
    };
  } finally {
    await cairn?.stop();
    await livekit.close();
    await data.remove();
    await site.stop();
  }
}

/**
 * Returns the process id of the video publisher, and the process ids of the Chromium browsers. There is one
 * publisher, because this Cairn has one session.
 */
function processesOf(cairn: Cairn): { readonly publisher: number; readonly browsers: readonly number[] } {
  const tree = processTree(cairn.pid).filter((pid) => pid !== cairn.pid);
  const command = (pid: number): string =>
    Bun.spawnSync(["ps", "-o", "args=", "-p", String(pid)]).stdout.toString();
  const publisher = tree.find((pid) => command(pid).includes("publisher-process"));
  if (publisher === undefined) throw new Error("There is no publisher.");
  // Only the main processes of browsers count. Their helper processes have the argument `--type`, and a
  // browser that was started by a script is below the script's process.
  const browsers = tree.filter(
    (pid) => /--user-data-dir/.test(command(pid)) && !/--type=/.test(command(pid)),
  );
  const isWithinAnother = (pid: number): boolean =>
    browsers.some((other) => other !== pid && processTree(other).includes(pid));
  return { publisher, browsers: browsers.filter((pid) => !isWithinAnother(pid)) };
}

async function measure(
  { cairn, livekit, url }: Setting,
  { name, viewport_width, viewport_height }: (typeof SIZES)[number],
  seconds: number,
): Promise<readonly Row[]> {
  const room = `bench-${name}`;
  const size = { viewport_width, viewport_height };
  await cairn.call("start_browser_session", { room_name: room, initial_url: url("/clock"), ...size });
  const viewer = await VideoViewer.join(livekit, room);
  await viewer.frameThat(({ width }) => width === viewport_width);
  // Waits until the encoder and the estimated bandwidth are stable.
  await Bun.sleep(3_000);
  const { publisher, browsers } = processesOf(cairn);
  const seen = (await viewer.frames()).length;
  const began = performance.now();
  const meters = [publisher, ...browsers].map((pid) => new ProcessMeter(pid));
  await Bun.sleep(seconds * 1_000);
  const [ofPublisher = 0, ...ofBrowsers] = meters.map((meter) => {
    const { cpuSeconds, seconds: measured } = meter.stop(0);
    return (cpuSeconds / measured) * 100;
  });
  const ofChromium = ofBrowsers.reduce((sum, share) => sum + share, 0);
  const elapsed = (performance.now() - began) / 1_000;
  // Each frame shows a number. A frame with the same number as the previous frame shows nothing new and is
  // not counted.
  const frames = (await viewer.frames())
    .slice(seen)
    .filter(({ value }, at, all) => value !== all[at - 1]?.value);
  const latencies = [...latenciesOf(frames)].sort((one, other) => one - other);
  await cairn.call("execute_action", {
    room_name: room,
    action_type: "navigate",
    params: { url: url("/still") },
  });
  await Bun.sleep(2_000);
  const still = new ProcessMeter(publisher);
  await Bun.sleep((seconds * 1_000) / 2);
  const { cpuSeconds, seconds: measured } = still.stop(0);
  await viewer.close();
  await cairn.call("close_browser_session", { room_name: room });
  const rate = frames.length / elapsed;
  const isSmall = name === "720p";
  return [
    {
      name: `${name}: frames a second at the viewer`,
      figure: rate,
      unit: "/s",
      ...(isSmall ? { target: { bound: "at least", value: 9, label: "10 requested" } as const } : {}),
    },
    { name: `${name}: latency from page to decoded frame, p50`, figure: median(latencies), unit: "ms" },
    {
      name: `${name}: latency, p95`,
      figure: latencies[Math.floor(latencies.length * 0.95)] ?? 0,
      unit: "ms",
    },
    {
      name: `${name}: CPU of the publisher`,
      figure: ofPublisher,
      unit: "% of a core",
      ...(isSmall ? { target: { bound: "at most", value: 25, label: "a quarter of a core" } as const } : {}),
    },
    { name: `${name}: CPU of Chromium`, figure: ofChromium, unit: "% of a core" },
    {
      name: `${name}: CPU of the publisher on a still page`,
      figure: (cpuSeconds / measured) * 100,
      unit: "% of a core",
    },
  ];
}

/** Measures a pause of the video, and the time until a viewer who joins late has a picture. */
async function pauseAndLateViewer({ cairn, livekit, url }: Setting): Promise<readonly Row[]> {
  const room = "bench-pause";
  const size = { viewport_width: 1_280, viewport_height: 720 };
  await cairn.call("start_browser_session", { room_name: room, initial_url: url("/clock"), ...size });
  const viewer = await VideoViewer.join(livekit, room);
  await viewer.frameAfter(FPS);
  await cairn.call("pause_browser_session", { room_name: room });
  const paused = Date.now();
  await Bun.sleep(3 * PAUSED);
  const after = (await viewer.frames()).map(({ at }) => at - paused);
  await cairn.call("resume_browser_session", { room_name: room });
  const resumed = Date.now();
  const again = await viewer.frameThat(({ at }) => at > resumed);
  await cairn.call("execute_action", {
    room_name: room,
    action_type: "navigate",
    params: { url: url("/still") },
  });
  await Bun.sleep(3_000);
  const times: number[] = [];
  for (let run = 0; run < LATE_VIEWERS; run++) {
    const late = await VideoViewer.open();
    await late.join(livekit, room, `late-${run}`);
    times.push(await late.timeToPicture());
    await late.close();
  }
  await viewer.close();
  await cairn.call("close_browser_session", { room_name: room });
  return [
    {
      name: "frames that arrived later than a second after a pause",
      figure: after.filter((time) => time > PAUSED).length,
      unit: "frames",
      target: { bound: "at most", value: 0, label: "none" },
    },
    { name: "from the resume to the next frame", figure: again.at - resumed, unit: "ms" },
    {
      name: "from joining to the picture of a still page, slowest of the late viewers",
      figure: Math.max(...times),
      runs: times,
      unit: "ms",
      target: { bound: "at most", value: 2_000, label: "two seconds" },
    },
  ];
}

/**
 * Measures by how much the publisher's memory grows while the page changes. The first tenth of the time is
 * not counted.
 */
async function memory({ cairn, livekit, url }: Setting, seconds: number): Promise<readonly Row[]> {
  const room = "bench-memory";
  const size = { viewport_width: 1_280, viewport_height: 720 };
  await cairn.call("start_browser_session", { room_name: room, initial_url: url("/clock"), ...size });
  const viewer = await VideoViewer.join(livekit, room);
  await viewer.frameThat(() => true);
  const { publisher } = processesOf(cairn);
  const samples: number[] = [];
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed += MEMORY_EVERY) {
    await Bun.sleep(MEMORY_EVERY);
    samples.push(usageOf(publisher).rss / 2 ** 20);
  }
  await viewer.close();
  await cairn.call("close_browser_session", { room_name: room });
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const begun = median(samples.slice(tenth, 2 * tenth));
  const ended = median(samples.slice(-tenth));
  return [
    { name: "memory of the publisher", figure: ended, unit: "MB" },
    {
      name: `its growth over ${seconds / 60} min`,
      figure: Math.max(0, ended - begun),
      unit: "MB more",
      target: { bound: "at most", value: 20, label: "flat" },
    },
  ];
}
