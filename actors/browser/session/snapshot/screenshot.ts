/**
 * Takes screenshots of a tab: of the viewport, the whole page, or one element, on request with numbered
 * boxes. The boxes are drawn onto the image and not onto the page.
 */

import type {
  Screenshot,
  ScreenshotOptions,
} from "../../../../machines/session/outputs/screenshot-schemas.ts";
import type { PageAnalysis } from "../../../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { drawBoxes, type NumberedBox } from "../../page-script/screenshot-boxes.ts";
import { ActionFailure } from "../action-error.ts";
import { targetOf } from "../actions/clickable-point.ts";
import type { Tab } from "../tabs/browser-tab.ts";

/** The part of the page that the image shows, in CSS pixels from the top left corner of the page. */
interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes a screenshot. Fails with `timeout` when the page does not render in time. */
export async function screenshotOf(tab: Tab, options: ScreenshotOptions): Promise<Screenshot> {
  const { format, quality, full_page, index, highlight } = options;
  const clip = index === undefined ? await clipOf(tab, full_page) : await elementClip(tab, index);
  const analysis = highlight ? await tab.answer(tab.snapshots.take()) : undefined;
  const { data } = await tab.answer(
    tab.session.send("Page.captureScreenshot", {
      // For a screenshot with numbered boxes, Chromium captures a PNG without loss. The image gets its final
      // format after the boxes are drawn onto it.
      format: analysis ? "png" : format,
      ...(quality === undefined || format === "png" || analysis ? {} : { quality }),
      ...(clip ? { clip: { ...clip, scale: 1 }, captureBeyondViewport: true } : {}),
    }),
  );
  const result = { format, mime_type: `image/${format}`, url: tab.url };
  const size = clip ? { width: clip.width, height: clip.height } : {};
  if (!analysis) return { ...result, data, ...size };
  const view = clip ?? viewOf(analysis);
  const boxes = numberedBoxes(analysis, view);
  const into = format === "png" ? {} : { into: { mime: `image/${format}`, quality: (quality ?? 80) / 100 } };
  const drawing = { data, mime: "image/png", boxes, width: view.width, ...into };
  const image = await tab.answer(tab.frames.run(tab.frames.main, drawBoxes, drawing));
  return { ...result, data: image, ...size, highlighted: boxes.length };
}

function viewOf({ scroll }: PageAnalysis): Clip {
  return { x: scroll.x, y: scroll.y, width: scroll.viewport_width, height: scroll.viewport_height };
}

/** Returns a box with the element's index for each element that the screenshot shows. */
function numberedBoxes({ elements }: PageAnalysis, view: Clip): readonly NumberedBox[] {
  return elements.flatMap(({ highlight_index: number, box, covered }) => {
    const [x, y] = [box.x - view.x, box.y - view.y];
    const { width, height } = box;
    const seen = x < view.width && y < view.height && x + width > 0 && y + height > 0;
    return seen && covered === undefined ? [{ number, x, y, width, height }] : [];
  });
}

async function clipOf(tab: Tab, isFullPage: boolean): Promise<Clip | undefined> {
  if (!isFullPage) return undefined;
  const { cssContentSize } = await tab.answer(tab.session.send("Page.getLayoutMetrics"));
  const { screenshotSide } = sessionLimits;
  return {
    x: 0,
    y: 0,
    width: Math.min(Math.ceil(cssContentSize.width), screenshotSide),
    height: Math.min(Math.ceil(cssContentSize.height), screenshotSide),
  };
}

/** Returns the position of an element on the page, through the frames that contain it. */
async function elementClip(tab: Tab, index: number): Promise<Clip> {
  await targetOf(tab, index);
  const { elements } = await tab.answer(tab.snapshots.take());
  const found = elements.find(({ highlight_index }) => highlight_index === index);
  const box = found?.box;
  if (!box || box.width < 1 || box.height < 1)
    throw new ActionFailure("element_not_visible", `Element [${index}] is not visible.`, { index });
  const { screenshotSide } = sessionLimits;
  return {
    x: box.x,
    y: box.y,
    width: Math.min(box.width, screenshotSide),
    height: Math.min(box.height, screenshotSide),
  };
}
