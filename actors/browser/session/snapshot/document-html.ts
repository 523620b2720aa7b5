/**
 * A tab's page as HTML, as it stands: its document first, then those of its frames, of whatever origin.
 *
 * Neighbours: `injected/markup.ts` writes each document; the session kind reads them.
 */
import { extractLimits } from "../../../../machines/session/limits.ts";
import { ActionFailure } from "../action-failure.ts";
import { inDocument, targetOf } from "../actions/action-target.ts";
import { DocumentGone } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";

export interface WrittenDocument {
  readonly url: string;
  readonly contentType: string;
  readonly html: string;
}

/** @param index only this element of an analysis, without the frames in it */
export async function writtenDocuments(
  tab: Tab,
  index: number | undefined,
): Promise<readonly WrittenDocument[]> {
  const { frames } = tab;
  let left: number = extractLimits.source;
  if (index !== undefined) {
    const { frame, id } = await targetOf(tab, index);
    const part = await inDocument(tab, index, frames.call(frame, "documentHtml", "ofElement", id, left));
    if (!part)
      throw new ActionFailure("element_stale", `Element [${index}] is no longer on the page.`, { index });
    return [shown(part)];
  }
  // Closed roots are known by looking; what nobody has looked at holds them back.
  await tab.answer(tab.looking.look());
  const documents: WrittenDocument[] = [];
  for (const frame of frames.all()) {
    try {
      const one = shown(await tab.answer(frames.call(frame, "documentHtml", "ofDocument", left)));
      left -= one.html.length;
      documents.push(one);
    } catch (error) {
      // A frame may go, or hold more than is left; the page itself has to be there.
      const bearable = error instanceof DocumentGone || error instanceof ActionFailure;
      if (frame.parent === undefined || !bearable) throw error;
    }
  }
  return documents;
}

function shown({
  html,
  ...rest
}: {
  readonly url: string;
  readonly contentType: string;
  readonly html?: string | undefined;
}): WrittenDocument {
  if (html === undefined) {
    throw new ActionFailure(
      "failed",
      `The page has more than ${extractLimits.source / 1_048_576} MB of HTML. Name an element with index.`,
    );
  }
  // Nobody with scripts sees it.
  return { ...rest, html: html.replace(/<noscript\b[\s\S]*?<\/noscript>/gi, "") };
}
