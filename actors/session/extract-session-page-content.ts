/**
 * Extracts the content of a session's page, including its frames, as Markdown, links and tables. It uses the
 * same page readers as explorations.
 */
import { CairnError } from "../../machines/errors.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type {
  Extracted,
  ExtractedLink,
  ExtractedTable,
  ExtractOptions,
} from "../../machines/session/outputs/extracted-content-schemas.ts";
import { extractLimits } from "../../machines/session/session-limits.ts";
import type { BrowserSession } from "../browser/index.ts";
import type { Models } from "../models/index.ts";
import { type ReadPage, readPage, readTables } from "../reading/index.ts";
import { wantedFrom } from "./extract-answer-from-page.ts";

const extract = extractLimits;

/**
 * Extracts the content that the caller requested. Throws `session.model_needed` (422) when the page's
 * structure does not answer the question and no model is configured.
 */
export async function extractFrom(
  browser: BrowserSession,
  options: ExtractOptions,
  models: Models,
): Promise<Extracted> {
  const { include, index, max_characters, offset, schema, query } = options;
  const documents = await browser.documentHtml(index);
  const pages = documents.map(({ url, html, contentType }) =>
    readPage({ url: addressed(url), html, mediaType: contentType, routes: true }),
  );
  const [page] = pages;
  const own = documents[0]?.url ?? browser.url;
  const content = contentOf(pages);
  const part = content.slice(offset, offset + max_characters);
  const end = offset + part.length;
  const extracted: Extracted = {
    url: own,
    title: page?.title ?? "",
    language: page?.language ?? null,
    ...(include.includes("content") ? { content: part, next_offset: end < content.length ? end : null } : {}),
    ...(include.includes("links") ? { links: linksOf(pages, own) } : {}),
    ...(include.includes("tables") ? { tables: tablesOf(documents.map(({ html }) => html)) } : {}),
    frames: Math.max(0, documents.length - 1),
    ...(schema === undefined && query === undefined
      ? {}
      : await wantedFrom(
          { documents, pages, url: own, title: page?.title ?? "" },
          { schema, query },
          models,
        )),
  };
  return browser.resources.redactor.mask(extracted);
}

/** Runs an extraction from the page as an action of the session: an error becomes a failed outcome. */
export async function extractAction(
  browser: BrowserSession,
  options: ExtractOptions,
  models: Models,
): Promise<ActionOutcome> {
  try {
    return { success: true, error: null, data: await extractFrom(browser, options, models) };
  } catch (thrown) {
    if (!(thrown instanceof CairnError)) throw thrown;
    const code = thrown.code.slice(thrown.code.indexOf(".") + 1);
    return { success: false, error: thrown.message, data: { ...thrown.details, code } };
  }
}

/** Joins the contents of all frames. Empty contents are omitted. */
function contentOf(pages: readonly ReadPage[]): string {
  return pages
    .map(({ content }) => content.trim())
    .filter((content) => content !== "")
    .join("\n\n---\n\n");
}

function linksOf(pages: readonly ReadPage[], own: string): ExtractedLink[] {
  const found = new Map<string, ExtractedLink>();
  const host = URL.parse(own)?.host;
  for (const { url, text, framed } of pages.flatMap(({ links }) => links)) {
    if (framed || found.has(url) || found.size >= extract.links) continue;
    found.set(url, { url, text, external: URL.parse(url)?.host !== host });
  }
  return [...found.values()];
}

function tablesOf(documents: readonly string[]): ExtractedTable[] {
  return documents
    .flatMap((html) => readTables(html))
    .slice(0, extract.tables)
    .map(({ caption, columns, rows, left_out }) => ({
      caption,
      columns: [...columns],
      rows: rows.map((row) => [...row]),
      left_out,
    }));
}

/**
 * Returns the base address for the links of a document: its URL, or a placeholder if a base address cannot have
 * this scheme (`about:srcdoc`, `data:`).
 */
function addressed(url: string): string {
  return /^https?:/.test(url) ? url : "http://document.invalid/";
}
