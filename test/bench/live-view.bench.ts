/**
 * Measures the live view of a session: the time from an input to its frame, the refusal of input without
 * control, and the CPU use. A screenshot over REST is measured in the same rounds for comparison, and
 * Chromium alone is measured in the same run.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { liveViewLimits } from "../../machines/session/session-limits.ts";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { html, type ScriptedSite, serveSite } from "../sites/test-site-with-given-routes.ts";
import { screencastFloor } from "./support/bare-chromium-screencast.ts";
import { type Bench, median, type Report } from "./support/bench-module-interface.ts";
import { ProcessMeter } from "./support/bench-process-meter.ts";

const ROOM = "viewed";
/** Duration of each CPU measurement in milliseconds. */
const WATCHED = 8_000;
const EVENTS_PER_MESSAGE = 100;

export const bench: Bench = {
  about: "live view of a session: input echo, CPU [--clicks 100] [--foreign-inputs 10000]",
  run,
};

interface Frame {
  readonly seq: number;
  readonly at: number;
}

class Viewer {
  readonly frames: Frame[] = [];
  readonly messages: { readonly type: string; readonly error?: { readonly code: string } }[] = [];
  readonly #socket: WebSocket;
  #wake: () => void = () => {};

  constructor(cairn: Cairn, query: string) {
    this.#socket = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/sessions/${ROOM}/view?${query}`);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.messages.push(JSON.parse(data));
      else {
        const length = new DataView(data).getUint32(0);
        const { seq } = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
        this.frames.push({ seq, at: performance.now() });
      }
      this.#wake();
    };
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  send(message: unknown): void {
    this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.close();
  }
}

const click = (x: number, y: number) => [
  { type: "mouse_down", x, y },
  { type: "mouse_up", x, y },
];

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      clicks: { type: "string", default: "100" },
      "foreign-inputs": { type: "string", default: "10000" },
    },
  });
  const data = await dataFolder();
  const did: string[] = [];
  const site = serveSite({
    "/still": html(
      "Still",
      `<body style="margin:0"><button style="width:100vw;height:100vh;background:#fff"
        onclick="this.style.background = this.style.background === 'red' ? 'blue' : 'red'; fetch('/did')">x</button>`,
    ),
    "/moving": html(
      "Moving",
      `<canvas id="c" width="1280" height="720"></canvas><script>
        const pen = c.getContext("2d"); let at = 0;
        setInterval(() => { pen.fillStyle = "hsl(" + (at += 7) % 360 + ",80%,50%)"; pen.fillRect(at % 1280, 0, 60, 720) }, 33)
      </script>`,
    ),
    "/did": () => {
      did.push("click");
      return new Response("");
    },
  });
  const cairn = await Cairn.start({ data: data.path });
  try {
    await cairn.call("start_browser_session", {
      room_name: ROOM,
      initial_url: site.url("/still"),
      viewport_width: 1_280,
      viewport_height: 720,
    });
    const echo = await echoes(cairn, Number(values.clicks));
    const before = did.length;
    const refused = await foreignInputs(cairn, Number(values["foreign-inputs"]));
    const applied = did.length - before;
    // After the last viewer has left, Chromium still makes frames for some seconds. The measurement starts
    // after this time.
    await Bun.sleep(liveViewLimits.unwatchedAfter + 1_000);
    const still = await cpuOfPage(cairn);
    await cairn.call("execute_action", {
      room_name: ROOM,
      action_type: "navigate",
      params: { url: site.url("/moving") },
    });
    await Bun.sleep(liveViewLimits.unwatchedAfter + 1_000);
    const moving = await cpuOfPage(cairn);
    await Bun.sleep(liveViewLimits.unwatchedAfter + 1_000);
    const usual = await cpuOfPage(cairn, liveViewLimits.fps);
    const bare = await screencastFloor({
      url: site.url("/moving"),
      width: 1_280,
      height: 720,
      quality: liveViewLimits.quality,
      fps: 30,
      duration: WATCHED,
      folder: data.path,
    });
    const percentile = (runs: readonly number[], share: number): number =>
      [...runs].sort((one, other) => one - other)[Math.floor(runs.length * share)] ?? 0;
    return {
      bench: "live-view",
      conditions: {
        picture: "1280×720, quality 60, at most 30 frames a second",
        clicks: echo.frames.length,
        cores: cpus().length,
        "frames of the animated page": moving.frames,
      },
      rows: [
        { name: "input to the frame that shows it, p50", figure: median(echo.frames), unit: "ms" },
        { name: "input to the frame that shows it, p95", figure: percentile(echo.frames, 0.95), unit: "ms" },
        { name: "screenshot over REST, p50 (floor)", figure: median(echo.screenshots), unit: "ms" },
        {
          name: "applied inputs of a viewer without control",
          figure: applied,
          unit: `of ${refused}`,
          target: { bound: "at most", value: 0, label: "none" },
        },
        {
          name: "CPU of a still page without a viewer (floor)",
          figure: still.unwatched,
          unit: "% of a core",
        },
        {
          name: "CPU of a still page with a viewer",
          figure: still.share,
          unit: "% of a core",
          target: { bound: "at most", value: still.unwatched + 2, label: "floor + about none" },
        },
        {
          name: "CPU of a page of 30 frames a second without a viewer (floor)",
          figure: moving.unwatched,
          unit: "% of a core",
        },
        {
          name: "CPU of a page of 30 frames a second with a viewer of 30",
          figure: moving.share,
          unit: "% of a core",
          target: { bound: "at most", value: 25, label: "a quarter of a core" },
        },
        {
          name: `CPU of that page with a viewer of the default rate, ${liveViewLimits.fps} frames a second`,
          figure: usual.share,
          unit: "% of a core",
          target: { bound: "at most", value: 25, label: "a quarter of a core" },
        },
        {
          name: "frames a second of it at that viewer",
          figure: usual.frames / (WATCHED / 1_000),
          unit: "/s",
        },
        { name: "with the viewer of 30, Cairn without the browser", figure: moving.own, unit: "% of a core" },
        { name: "Chromium alone draws that page (floor)", figure: bare.drawn, unit: "% of a core" },
        {
          name: "Chromium alone with a screencast of it that is thrown away (floor)",
          figure: bare.cast,
          unit: "% of a core",
        },
        { name: "frames of that screencast", figure: bare.framesPerSecond, unit: "/s" },
        {
          name: "frames a second at the viewer of 30",
          figure: moving.frames / (WATCHED / 1_000),
          unit: "/s",
        },
      ],
    };
  } finally {
    await stop(cairn, data, site);
  }
}

async function stop(cairn: Cairn, data: { remove(): Promise<void> }, site: ScriptedSite): Promise<void> {
  await cairn.stop();
  await data.remove();
  await site.stop();
}

async function echoes(cairn: Cairn, clicks: number) {
  const viewer = new Viewer(cairn, "fps=30");
  await viewer.until(() => viewer.frames.length > 0);
  viewer.send({ type: "take_control" });
  await viewer.until(() => viewer.messages.some(({ type }) => type === "control"));
  const frames: number[] = [];
  const screenshots: number[] = [];
  for (let index = 0; index < clicks; index++) {
    const seen = viewer.frames.length;
    const started = performance.now();
    viewer.send({ type: "input", events: click(0.5, 0.5) });
    await viewer.until(() => viewer.frames.length > seen);
    frames.push((viewer.frames[seen]?.at ?? 0) - started);
    // A click may cause several video frames. The bench waits for all of them. Otherwise it would count a
    // late frame as the effect of the next click.
    await Bun.sleep(150);
    const shot = performance.now();
    await cairn.call("screenshot", { room_name: ROOM, format: "jpeg", quality: 60 });
    screenshots.push(performance.now() - shot);
  }
  viewer.send({ type: "release_control" });
  await viewer.until(() => viewer.messages.filter(({ type }) => type === "control").length > 1);
  viewer.close();
  return { frames, screenshots };
}

/**
 * One viewer takes control, and another viewer sends input. Returns how many of the other viewer's events
 * Cairn accepted.
 */
async function foreignInputs(cairn: Cairn, inputs: number): Promise<number> {
  const [holder, other] = [new Viewer(cairn, ""), new Viewer(cairn, "")];
  await Promise.all([holder, other].map((viewer) => viewer.until(() => viewer.frames.length > 0)));
  holder.send({ type: "take_control" });
  await holder.until(() => holder.messages.some(({ type }) => type === "control"));
  const messages = Math.ceil(inputs / EVENTS_PER_MESSAGE);
  const events = Array.from({ length: EVENTS_PER_MESSAGE / 2 }, () => click(0.5, 0.5)).flat();
  for (let index = 0; index < messages; index++) other.send({ type: "input", events });
  await other.until(() => other.messages.filter(({ type }) => type === "refused").length === messages);
  holder.send({ type: "release_control" });
  for (const viewer of [holder, other]) viewer.close();
  return messages * EVENTS_PER_MESSAGE;
}

/** CPU use in per cent of a core: of Cairn with its browser, and of Cairn's own process. */
interface CpuShare {
  readonly all: number;
  readonly own: number;
}

async function cpuShare(cairn: Cairn): Promise<CpuShare> {
  const meter = new ProcessMeter(cairn.pid);
  const before = meter.cpuSecondsOf(cairn.pid);
  await Bun.sleep(WATCHED);
  const { cpuSeconds, seconds } = meter.stop(0);
  const own = meter.cpuSecondsOf(cairn.pid) - before;
  return { all: (cpuSeconds / seconds) * 100, own: (own / seconds) * 100 };
}

/** Measures the CPU use of the shown page without a viewer and then with one viewer. */
async function cpuOfPage(cairn: Cairn, fps = 30) {
  const unwatched = await cpuShare(cairn);
  const viewer = new Viewer(cairn, `fps=${fps}`);
  await viewer.until(() => viewer.frames.length > 0);
  await Bun.sleep(1_000);
  const before = viewer.frames.length;
  const { all, own } = await cpuShare(cairn);
  const frames = viewer.frames.length - before;
  viewer.close();
  return { unwatched: unwatched.all, share: all, own, frames };
}
