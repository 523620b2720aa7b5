/**
 * A picture of a tab: what is seen, the whole page, or one element.
 */
import { limits } from "../../../machines/limits.ts";
import type { Screenshot, ScreenshotOptions } from "../../../machines/session/protocol.ts";
import { inDocument, targetOf } from "./aim.ts";
import { ActFailure } from "./failure.ts";
import type { Tab } from "./tab.ts";

/** A document is captured in this time, or does not draw. */
export async function screenshotOf(tab: Tab, options: ScreenshotOptions): Promise<Screenshot> {
  const { format, quality, full_page, index } = options;
  const clip = index === undefined ? await clipOf(tab, full_page) : await elementClip(tab, index);
  const { data } = await tab.answer(
    tab.session.send("Page.captureScreenshot", {
      format,
      ...(quality === undefined || format === "png" ? {} : { quality }),
      ...(clip ? { clip: { ...clip, scale: 1 }, captureBeyondViewport: true } : {}),
    }),
  );
  return {
    format,
    mime_type: `image/${format}`,
    data,
    url: tab.url,
    ...(clip ? { width: clip.width, height: clip.height } : {}),
  };
}

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function clipOf(tab: Tab, full: boolean): Promise<Clip | undefined> {
  if (!full) return undefined;
  const { cssContentSize } = await tab.answer(tab.session.send("Page.getLayoutMetrics"));
  const { screenshotSide } = limits.session;
  return {
    x: 0,
    y: 0,
    width: Math.min(Math.ceil(cssContentSize.width), screenshotSide),
    height: Math.min(Math.ceil(cssContentSize.height), screenshotSide),
  };
}

async function elementClip(tab: Tab, index: number): Promise<Clip> {
  const target = await targetOf(tab, index);
  if (target.frame !== tab.frames.main) {
    throw new ActFailure(
      "invalid_params",
      `Element [${index}] is in a frame; only elements of the page itself are pictured.`,
      {
        index,
      },
    );
  }
  const box = await inDocument(tab, index, tab.frames.call(target.frame, "hands", "box", target.id));
  if (!box || box[2] < 1 || box[3] < 1)
    throw new ActFailure("element_not_visible", `Element [${index}] is not visible.`, { index });
  const [x, y, width, height] = box;
  return { x, y, width, height };
}
