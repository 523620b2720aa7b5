/** Finds a text in any frame of a tab, and scrolls to the text. */
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { ActionFailure } from "../action-error.ts";
import { toTabCoordinates } from "../actions/clickable-point.ts";
import type { Data, PageInput } from "../actions/pointer-and-key-input.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";

type Params = Extract<Action, { name: "find_text" }>["params"];

/** Scrolls to a text on the page. In the result, `box` is relative to the tab's viewport after scrolling. */
export async function findText({ tab }: PageInput, { text, nth }: Params): Promise<Data> {
  let occurrences = 0;
  let found: { readonly frame: Frame; readonly nth: number } | undefined;
  for (const frame of tab.frames.all()) {
    const count = await countOrZero(tab.answer(tab.frames.call(frame, "textSearch", "count", text)));
    if (!found && nth <= occurrences + count) found = { frame, nth: nth - occurrences - 1 };
    occurrences += count;
  }
  if (!found) {
    const why = occurrences === 0 ? "is not on the page" : `is there ${occurrences} times only`;
    throw new ActionFailure("text_not_found", `"${text}" ${why}.`, { text, occurrences });
  }
  const { frame } = found;
  const headBefore = await tab.answer(tab.frames.call(tab.frames.main, "snapshots", "head"));
  const document = Frames.documentKey(frame);
  const match = await tab.answer(tab.frames.call(frame, "textSearch", "scrollTo", text, found.nth));
  if (!match) throw new ActionFailure("text_not_found", `"${text}" went away.`, { text, occurrences });
  const index = tab.snapshots.indexFor(frame, document, match.id);
  const { scroll } = await tab.answer(tab.frames.call(tab.frames.main, "snapshots", "head"));
  const [x, y, width, height] = match.box;
  const mainPosition = frame === tab.frames.main ? { x: x - scroll.x, y: y - scroll.y } : undefined;
  const framePosition =
    mainPosition ?? (await toViewport(tab.frames.call(frame, "snapshots", "head"), { x, y }));
  const position = mainPosition ?? (await toTabCoordinates(tab, -1, frame, framePosition)) ?? framePosition;
  const moved = Math.abs(scroll.y - headBefore.scroll.y) + Math.abs(scroll.x - headBefore.scroll.x);
  return {
    found: true,
    text,
    occurrence: nth,
    occurrences,
    context: match.context,
    tagName: match.tag,
    ...(index === undefined ? {} : { index }),
    ...(match.heading === "" ? {} : { heading: match.heading }),
    ...(frame === tab.frames.main ? {} : { frame_url: frame.url }),
    box: { x: Math.round(position.x), y: Math.round(position.y), width, height },
    scroll_y: scroll.y,
    effect: moved > 1 ? "scrolled" : "nothing_changed",
  };
}

async function toViewport(
  head: Promise<{ readonly scroll: { readonly x: number; readonly y: number } }>,
  { x, y }: { readonly x: number; readonly y: number },
) {
  const { scroll } = await head;
  return { x: x - scroll.x, y: y - scroll.y };
}

/** Resolves with 0 when the frame is navigating, because such a frame shows no text. */
async function countOrZero(count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof DocumentGone) return 0;
    throw error;
  }
}
