/** Finds a text in any frame of a tab and scrolls to it. */
import type { Action } from "../../../../machines/session/actions.ts";
import { ActionFailure } from "../action-failure.ts";
import { toTabCoordinates } from "../actions/action-target.ts";
import type { Data, PageInput } from "../actions/page-input.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/frames.ts";

type Params = Extract<Action, { name: "find_text" }>["params"];

/** `box` in the result is relative to the tab's viewport after scrolling. */
export async function findText({ tab }: PageInput, { text, nth }: Params): Promise<Data> {
  let before = 0;
  let found: { readonly frame: Frame; readonly nth: number } | undefined;
  for (const frame of tab.frames.all()) {
    const count = await counted(tab.answer(tab.frames.call(frame, "textSearch", "count", text)));
    if (!found && nth <= before + count) found = { frame, nth: nth - before - 1 };
    before += count;
  }
  if (!found) {
    const why = before === 0 ? "is not on the page" : `is there ${before} times only`;
    throw new ActionFailure("text_not_found", `"${text}" ${why}.`, { text, occurrences: before });
  }
  const { frame } = found;
  const before_scroll = await tab.answer(tab.frames.call(tab.frames.main, "snapshots", "head"));
  const document = Frames.document(frame);
  const shown = await tab.answer(tab.frames.call(frame, "textSearch", "scrollTo", text, found.nth));
  if (!shown)
    throw new ActionFailure("text_not_found", `"${text}" went away.`, { text, occurrences: before });
  const index = tab.looking.point(frame, document, shown.id);
  const { scroll } = await tab.answer(tab.frames.call(tab.frames.main, "snapshots", "head"));
  const [x, y, width, height] = shown.box;
  const place = frame === tab.frames.main ? { x: x - scroll.x, y: y - scroll.y } : undefined;
  const inner = place ?? (await framed(tab.frames.call(frame, "snapshots", "head"), { x, y }));
  const seen = place ?? (await toTabCoordinates(tab, -1, frame, inner)) ?? inner;
  const moved = Math.abs(scroll.y - before_scroll.scroll.y) + Math.abs(scroll.x - before_scroll.scroll.x);
  return {
    found: true,
    text,
    occurrence: nth,
    occurrences: before,
    context: shown.context,
    tagName: shown.tag,
    ...(index === undefined ? {} : { index }),
    ...(shown.heading === "" ? {} : { heading: shown.heading }),
    ...(frame === tab.frames.main ? {} : { frame_url: frame.url }),
    box: { x: Math.round(seen.x), y: Math.round(seen.y), width, height },
    scroll_y: scroll.y,
    effect: moved > 1 ? "scrolled" : "nothing_changed",
  };
}

async function framed(
  glance: Promise<{ readonly scroll: { readonly x: number; readonly y: number } }>,
  { x, y }: { readonly x: number; readonly y: number },
) {
  const { scroll } = await glance;
  return { x: x - scroll.x, y: y - scroll.y };
}

/** A frame that is navigating shows nothing now. */
async function counted(count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof DocumentGone) return 0;
    throw error;
  }
}
