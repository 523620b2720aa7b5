/**
 * Measures Chromium without Cairn on one page: the CPU use of drawing it, and of a screencast whose frames
 * are thrown away. These are the minimum costs of a live view. Chromium is started with the same flags as
 * Cairn's.
 */
import { findChromium } from "../../../actors/browser/chromium/find-chromium.ts";
import { launchChromium } from "../../../actors/browser/chromium/launch-chromium.ts";
import { ProcessMeter } from "./bench-process-meter.ts";

/** Time in milliseconds that a page or a screencast needs to start before it is measured. */
const STARTED = 1_000;

export interface ScreencastFloor {
  /** CPU use of Chromium, in per cent of a core, while it draws the page without a screencast. */
  readonly drawn: number;
  /**
   * CPU use, in per cent of a core, during a screencast. The frames of the screencast are acknowledged at the
   * requested rate.
   */
  readonly cast: number;
  readonly framesPerSecond: number;
}

export interface CastRequest {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly quality: number;
  readonly fps: number;
  /** Duration of each measurement in milliseconds. */
  readonly duration: number;
  /** Path of a folder for the temporary files of Chromium. */
  readonly folder: string;
}

export async function screencastFloor(request: CastRequest): Promise<ScreencastFloor> {
  const { url, width, height, quality, fps, duration, folder } = request;
  const found = await findChromium({ chromium: process.env.CAIRN_CHROMIUM });
  if (!found) throw new Error("There is no Chromium.");
  const chromium = await launchChromium({ path: found.path, folder });
  try {
    const { root } = chromium.connection;
    const { targetId } = await root.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
    const page = chromium.connection.session(sessionId);
    await page.send("Emulation.setFocusEmulationEnabled", { enabled: true });
    const size = { width, height, deviceScaleFactor: 1, mobile: false };
    await page.send("Emulation.setDeviceMetricsOverride", size);
    await page.send("Page.navigate", { url });
    await Bun.sleep(STARTED);
    const cpu = async (): Promise<number> => {
      const meter = new ProcessMeter(chromium.pid);
      await Bun.sleep(duration);
      const { cpuSeconds, seconds } = meter.stop(0);
      return (cpuSeconds / seconds) * 100;
    };
    const drawn = await cpu();
    let frames = 0;
    let unacknowledged: number | undefined;
    page.on("Page.screencastFrame", ({ sessionId: frame }) => {
      frames++;
      unacknowledged = frame;
    });
    const timer = setInterval(() => {
      if (unacknowledged === undefined) return;
      void page.send("Page.screencastFrameAck", { sessionId: unacknowledged });
      unacknowledged = undefined;
    }, 1_000 / fps);
    const format = { format: "jpeg", quality, maxWidth: width, maxHeight: height } as const;
    await page.send("Page.startScreencast", format);
    await Bun.sleep(STARTED);
    frames = 0;
    const cast = await cpu();
    const framesPerSecond = frames / (duration / 1_000);
    clearInterval(timer);
    await page.send("Page.stopScreencast");
    return { drawn, cast, framesPerSecond };
  } finally {
    await chromium.close();
  }
}
