/** The current HTML of a tab's page, followed by the HTML of its frames, cross-origin frames included. */
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

/** @param index only this element, without the frames in it */
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
  // Closed shadow roots only become known by a snapshot. Without one, their content would be missing.
  await tab.answer(tab.looking.look());
  const documents: WrittenDocument[] = [];
  for (const frame of frames.all()) {
    try {
      const one = shown(await tab.answer(frames.call(frame, "documentHtml", "ofDocument", left)));
      left -= one.html.length;
      documents.push(one);
    } catch (error) {
      // A frame may be gone or exceed the remaining size. The page itself has to be there.
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
  // With scripts enabled, a browser does not render `<noscript>`.
  return { ...rest, html: html.replace(/<noscript\b[\s\S]*?<\/noscript>/gi, "") };
}
