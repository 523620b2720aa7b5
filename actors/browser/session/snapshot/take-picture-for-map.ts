/**
 * Takes the small picture of a page that a map shows for a screen. All filled fields are covered, because
 * they may contain personal data.
 */
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import type { Redactor } from "../../../../machines/session/state/secret-redaction.ts";
import {
  coveredPicture,
  filledFieldBoxes,
  type ViewBox,
} from "../../page-script/picture-with-covered-fields.ts";
import type { Tab } from "../tabs/browser-tab.ts";

export interface ScreenPicture {
  /** The picture as a JPEG in base64. */
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Width of the small picture in pixels. At this width, headings are readable and a JPEG takes 10 to 25 KB.
 */
const WIDTH = 480;
/** JPEG quality (0 to 1) of the small picture. */
const QUALITY = 0.6;
/** JPEG quality (1 to 100) of the picture from which the small one is made. */
const WHOLE_QUALITY = 90;
/** Maximum size of a picture in characters of base64. A larger one is not stored. */
const LONGEST = 80_000;

/**
 * Takes a small picture of a tab's page. Returns `undefined` when the page shows a secret of the session, or
 * when the picture is too large.
 */
export async function screenPicture(tab: Tab, redactor: Redactor): Promise<ScreenPicture | undefined> {
  const { elements, scroll, texts, title, url } = await tab.answer(tab.snapshots.take());
  const content = { elements, texts, title, url };
  if (redactor.mask(content) !== content) return undefined;
  const { main } = tab.frames;
  const before = await tab.answer(tab.frames.run(main, filledFieldBoxes));
  const capture = { format: "jpeg", quality: WHOLE_QUALITY } as const;
  const { data } = await tab.answer(tab.session.send("Page.captureScreenshot", capture));
  // The fields are located once more after the screenshot, because the page may have moved them while it was
  // taken.
  const after = await tab.answer(tab.frames.run(main, filledFieldBoxes));
  const picture = await tab.answer(
    tab.frames.run(main, coveredPicture, {
      data,
      viewport: scroll.viewport_width,
      fields: [...before, ...after, ...elements.filter(isFilledField).map((one) => boxInView(one, scroll))],
      width: WIDTH,
      quality: QUALITY,
    }),
  );
  return picture.data.length <= LONGEST ? picture : undefined;
}

/**
 * Whether an element of the snapshot is a filled field. The document is checked too, but only the snapshot
 * contains closed shadow trees.
 */
function isFilledField({ interactionType, type, value }: HighlightedElement): boolean {
  return interactionType === "input" && type !== "checkbox" && type !== "radio" && value !== "";
}

function boxInView({ box }: HighlightedElement, scroll: { readonly x: number; readonly y: number }): ViewBox {
  return { x: box.x - scroll.x, y: box.y - scroll.y, width: box.width, height: box.height };
}
