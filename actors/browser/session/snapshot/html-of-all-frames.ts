/**
 * Returns the current HTML of a tab's page, followed by the HTML of its frames, including cross-origin
 * frames.
 */
import { extractLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import { inDocument, targetOf } from "../actions/clickable-point.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";

export interface HtmlDocument {
  readonly url: string;
  readonly contentType: string;
  readonly html: string;
}

/**
 * Returns the HTML of the page and its frames, or of one element.
 * @param index the only element to return; frames in it are not included
 */
export async function htmlDocuments(tab: Tab, index: number | undefined): Promise<readonly HtmlDocument[]> {
  const { frames } = tab;
  let remaining: number = extractLimits.source;
  if (index !== undefined) {
    const { frame, id } = await targetOf(tab, index);
    const part = await inDocument(tab, index, frames.call(frame, "documentHtml", "ofElement", id, remaining));
    if (!part)
      throw new ActionFailure("element_stale", `Element [${index}] is no longer on the page.`, { index });
    return [toHtmlDocument(part)];
  }
  // The snapshot comes first, because it finds the closed shadow roots whose content the HTML must contain.
  await tab.answer(tab.snapshots.take());
  const documents: HtmlDocument[] = [];
  for (const frame of frames.all()) {
    try {
      const document = toHtmlDocument(
        await tab.answer(frames.call(frame, "documentHtml", "ofDocument", remaining)),
      );
      remaining -= document.html.length;
      documents.push(document);
    } catch (error) {
      // The result does not contain a child frame that was removed or whose HTML exceeds the limit. If the
      // main frame was removed or is too large, this is an error.
      const isIgnorable = error instanceof DocumentGone || error instanceof ActionFailure;
      if (frame.parent === undefined || !isIgnorable) throw error;
    }
  }
  return documents;
}

function toHtmlDocument({
  html,
  ...rest
}: {
  readonly url: string;
  readonly contentType: string;
  readonly html?: string | undefined;
}): HtmlDocument {
  if (html === undefined) {
    throw new ActionFailure(
      "failed",
      `The page has more than ${extractLimits.source / 1_048_576} MB of HTML. Name an element with index.`,
    );
  }
  // A browser that runs scripts does not show `<noscript>` elements. So they are removed from the HTML.
  return { ...rest, html: html.replace(/<noscript\b[\s\S]*?<\/noscript>/gi, "") };
}
