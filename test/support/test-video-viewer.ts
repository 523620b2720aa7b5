/**
 * A viewer of a LiveKit room: a headless Chromium with LiveKit's own client. It reads a number from the
 * pixels of each decoded frame, which the page under test has drawn with `NUMBER_SCRIPT`.
 */
import { join } from "node:path";
import { AccessToken } from "livekit-server-sdk";
import { type Browser, chromium, type Page } from "playwright";
import { findChromium } from "../../actors/browser/chromium/find-chromium.ts";
import { EVENTS_TOPIC } from "../../machines/streaming/live-video-limits.ts";
import { LiveKitServer } from "./test-livekit-server.ts";

/**
 * Number of bits of the drawn number, which is a time in milliseconds. Each bit is one cell of the row. The
 * number starts again from 0 after 17 minutes.
 */
const BITS = 20;

/**
 * Script that draws a number as a row of black and white cells, at the top of the page and over its complete
 * width.
 */
const NUMBER_SCRIPT = `
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "position:fixed;left:0;top:0;width:100vw;height:64px;z-index:9";
  canvas.width = ${BITS} * 8; canvas.height = 8;
  document.documentElement.append(canvas);
  const context = canvas.getContext("2d");
  const draw = (value) => {
    for (let bit = 0; bit < ${BITS}; bit += 1) {
      context.fillStyle = (value >> bit) & 1 ? "#fff" : "#000";
      context.fillRect(bit * 8, 0, 8, 8);
    }
  };`;

/** A page that draws the current time in every frame. */
export const CLOCK_PAGE = `<!doctype html><title>Clock</title><h1 style="margin-top:80px">Clock</h1><script>${NUMBER_SCRIPT}
  const step = () => { draw(Date.now() % ${2 ** BITS}); requestAnimationFrame(step); };
  step();
</script>`;

/** A page that does not change. It shows the time at which it was loaded. */
export const STILL_PAGE = `<!doctype html><title>Still</title><script>${NUMBER_SCRIPT}
  draw(Date.now() % ${2 ** BITS});
</script>`;

/** The number that `SETTLING_PAGE` shows when it no longer changes. */
export const SETTLED = 777_777;

/**
 * A page that draws a number in each animation frame for 700 ms, then draws a last number and no longer
 * changes.
 */
export const SETTLING_PAGE = `<!doctype html><title>Settling</title><script>${NUMBER_SCRIPT}
  const end = performance.now() + 700;
  let count = 0;
  const step = () => {
    if (performance.now() > end) return draw(${SETTLED});
    draw(count++);
    requestAnimationFrame(step);
  };
  step();
</script>`;

/** Returns for each frame of the clock page the time in milliseconds from drawing to decoding it. */
export function latenciesOf(frames: readonly SeenFrame[]): readonly number[] {
  const most = 2 ** BITS;
  return frames.map(({ at, value }) => ((at % most) - value + most) % most);
}

/** A video frame that the viewer has decoded. */
export interface SeenFrame {
  /** Time at which the viewer decoded the frame, in milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
  readonly width: number;
  readonly height: number;
}

export interface DataMessage {
  readonly topic: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

const VIEWER_PAGE = `<!doctype html><title>Viewer</title><video id="video" style="width:320px" autoplay muted playsinline></video><script>
  window.frames_seen = []; window.data_seen = []; window.states = []; window.errors = [];
  // Reads the number from two lines of the frame's luminance. Drawing the frame on a canvas would convert all of its
  // pixels, which costs more than decoding it.
  async function numberIn(frame) {
    const width = frame.codedWidth;
    // The row of cells is 64 pixels high.
    const rect = { x: 0, y: 32, width, height: 2 };
    const pixels = new Uint8Array(frame.allocationSize({ rect }));
    const [luminance] = await frame.copyTo(pixels, { rect });
    let value = 0;
    for (let bit = 0; bit < ${BITS}; bit += 1) {
      const x = Math.round((bit + 0.5) * width / ${BITS});
      if (pixels[luminance.offset + x] > 127) value |= 1 << bit;
    }
    return value;
  }
  // Returns what explains a missing picture: the states of the connection, the video element and the received track.
  async function stateOfVideo() {
    const { room, states, errors } = window;
    const video = document.getElementById("video");
    const tracks = [];
    for (const participant of room.remoteParticipants.values())
      for (const publication of participant.trackPublications.values()) {
        const { trackName, isSubscribed, isMuted, track } = publication;
        const stats = track ? [...(await track.receiver.getStats()).values()] : [];
        const received = stats.find(({ type }) => type === "inbound-rtp");
        const pair = stats.find(({ type, nominated }) => type === "candidate-pair" && nominated);
        const fields = ["packetsReceived", "packetsLost", "framesReceived", "framesDecoded", "keyFramesDecoded", "framesDropped", "pliCount", "firCount", "nackCount", "decoderImplementation", "frameWidth"];
        tracks.push({
          participant: participant.identity, trackName, isSubscribed, isMuted, pair: pair?.state,
          ...Object.fromEntries(fields.map((field) => [field, received?.[field]])),
        });
      }
    const { paused, readyState, videoWidth, currentTime } = video;
    return { states, errors: errors.slice(-3), connection: room.state, participants: [...room.remoteParticipants.values()].map(({ identity }) => identity), tracks, video: { paused, readyState, videoWidth, currentTime } };
  }
  async function readFrame(video, at, width, height) {
    const frame = new VideoFrame(video);
    try {
      window.frames_seen.push({ at, value: await numberIn(frame), width, height });
    } finally {
      frame.close();
    }
  }
  async function join(url, token) {
    window.joined = Date.now();
    const room = new LivekitClient.Room({ adaptiveStream: false, dynacast: false });
    window.room = room;
    room.on("trackSubscribed", (track) => {
      if (track.kind !== "video") return;
      const video = document.getElementById("video");
      track.attach(video);
      const read = (_, { width, height }) => {
        const at = Date.now();
        video.requestVideoFrameCallback(read);
        // An error is kept for stateOfVideo() and skips only this frame: the video may already have no picture.
        readFrame(video, at, width, height).catch((error) => window.errors.push(String(error)));
      };
      video.requestVideoFrameCallback(read);
    });
    room.on("dataReceived", (payload, participant, kind, topic) => {
      window.data_seen.push({ topic, event: JSON.parse(new TextDecoder().decode(payload)) });
    });
    room.on("connectionStateChanged", (state) => window.states.push(state));
    await room.connect(url, token);
  }
</script>`;

export class VideoViewer {
  readonly #browser: Browser;
  readonly #page: Page;
  #origin: ReturnType<typeof Bun.serve>;

  private constructor(browser: Browser, page: Page, origin: ReturnType<typeof Bun.serve>) {
    this.#browser = browser;
    this.#page = page;
    this.#origin = origin;
  }

  static async join(server: LiveKitServer, room: string, identity = "viewer"): Promise<VideoViewer> {
    const viewer = await VideoViewer.open();
    await viewer.join(server, room, identity);
    return viewer;
  }

  /** Starts a browser, which has not yet joined a room. */
  static async open(): Promise<VideoViewer> {
    const client = Bun.file(
      join(import.meta.dirname, "../../node_modules/livekit-client/dist/livekit-client.umd.js"),
    );
    const origin = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) =>
        new URL(request.url).pathname === "/client.js"
          ? new Response(client)
          : new Response(`<script src="/client.js"></script>${VIEWER_PAGE}`, {
              headers: { "content-type": "text/html" },
            }),
    });
    const found = await findChromium({ chromium: process.env.CAIRN_CHROMIUM });
    const browser = await chromium.launch({
      ...(found ? { executablePath: found.path } : {}),
      args: [
        "--no-sandbox",
        "--allow-loopback-in-peer-connection",
        "--disable-features=WebRtcHideLocalIpsWithMdns",
        "--autoplay-policy=no-user-gesture-required",
      ],
    });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${origin.port}/`);
    return new VideoViewer(browser, page, origin);
  }

  async join(server: LiveKitServer, room: string, identity: string): Promise<void> {
    const token = new AccessToken(LiveKitServer.key, LiveKitServer.secret, { identity });
    token.addGrant({ roomJoin: true, room, canPublish: false, canSubscribe: true });
    await this.#page.evaluate(`join(${JSON.stringify(server.url)}, ${JSON.stringify(await token.toJwt())})`);
  }

  /** Returns all frames that were decoded so far. */
  async frames(): Promise<readonly SeenFrame[]> {
    return await this.#page.evaluate<readonly SeenFrame[]>("window.frames_seen");
  }

  /** Resolves with the first frame for which `matches` returns true. */
  async frameThat(matches: (frame: SeenFrame) => boolean, within = 60_000): Promise<SeenFrame> {
    const until = Date.now() + within;
    for (;;) {
      const frames = await this.frames();
      const found = frames.find(matches);
      if (found) return found;
      if (Date.now() > until) {
        const state = JSON.stringify(await this.#page.evaluate("stateOfVideo()"));
        throw new Error(
          `No such frame in ${within} ms; the last of ${frames.length} is ${JSON.stringify(frames.at(-1))}; the viewer: ${state}`,
        );
      }
      await Bun.sleep(50);
    }
  }

  /** Returns the time in milliseconds from the start of joining the room until the first frame is decoded. */
  async timeToPicture(): Promise<number> {
    const { at } = await this.frameThat(() => true);
    return at - (await this.#page.evaluate<number>("window.joined"));
  }

  async data(): Promise<readonly DataMessage[]> {
    return await this.#page.evaluate<readonly DataMessage[]>("window.data_seen");
  }

  /** Resolves with the first data message that contains an event of this type. */
  async event(type: string, within = 20_000): Promise<DataMessage["event"]> {
    const until = Date.now() + within;
    for (;;) {
      const found = (await this.data()).find(
        ({ topic, event }) => topic === EVENTS_TOPIC && event.type === type,
      );
      if (found) return found.event;
      if (Date.now() > until) throw new Error(`No ${type} in ${within} ms.`);
      await Bun.sleep(50);
    }
  }

  /** Resolves when more than `count` frames have been decoded. */
  async frameAfter(count: number): Promise<void> {
    while ((await this.frames()).length <= count) await Bun.sleep(50);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#origin.stop(true);
  }
}
