/** Saves the page of the active tab as a PDF file in the session's folder. */

import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import type { DownloadRecord } from "../../../../machines/session/outputs/download-names.ts";
import { MAX_PDF_BYTES, sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Data } from "../actions/pointer-and-key-input.ts";
import type { Downloads } from "../state/session-downloads.ts";
import type { Tab } from "../tabs/browser-tab.ts";

type Params = Extract<Action, { name: "save_as_pdf" }>["params"];

/** Width and height of the paper formats in inches. */
const PAPER = {
  A3: [11.69, 16.54],
  A4: [8.27, 11.69],
  A5: [5.83, 8.27],
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
} as const satisfies Record<Params["paper_format"], readonly [number, number]>;

export async function saveAsPdf(tab: Tab, params: Params, downloads: Downloads | undefined): Promise<Data> {
  if (!downloads) throw new ActionFailure("not_enabled", "This session has no folder for files.");
  const { session } = tab;
  const [paperWidth, paperHeight] = PAPER[params.paper_format];
  const printing = session.send("Page.printToPDF", {
    landscape: params.landscape,
    printBackground: params.print_background,
    scale: params.scale,
    paperWidth,
    paperHeight,
    displayHeaderFooter: params.display_header_footer,
    ...(params.header_template === undefined ? {} : { headerTemplate: params.header_template }),
    ...(params.footer_template === undefined ? {} : { footerTemplate: params.footer_template }),
    ...(params.page_ranges === undefined ? {} : { pageRanges: params.page_ranges }),
    transferMode: "ReturnAsStream",
  });
  const { stream } = await tab.answer(printing, sessionLimits.actionWithin).catch(pageRangeFailure);
  if (stream === undefined) throw new ActionFailure("failed", "The browser made no PDF of the page.");
  const data = await readStream(tab, stream);
  const refusal = downloads.refusalReason(data.length);
  if (refusal !== undefined) throw new ActionFailure("download_limit", refusal);
  const name = params.file_name ?? ((await titleOf(tab)) || new URL(tab.url).hostname || "page");
  const file = await downloads.add(/\.pdf$/i.test(name) ? name : `${name}.pdf`, tab.url, data);
  return { saved: true, file: fileResultOf(file), effect: "file_saved" };
}

/**
 * Throws an error about the caller's parameters if the page range does not exist. Any other error is thrown
 * unchanged.
 */
function pageRangeFailure(thrown: unknown): never {
  const [detail] = /page range[^.\n]*/i.exec(thrown instanceof Error ? thrown.message : "") ?? [];
  if (detail === undefined) throw thrown;
  throw new ActionFailure(
    "invalid_params",
    `${detail}: page_ranges are pages that the page has, each from first to last.`,
  );
}

async function titleOf(tab: Tab): Promise<string> {
  return (await tab.answer(tab.frames.call(tab.frames.main, "snapshots", "head"))).title;
}

async function readStream(tab: Tab, handle: string): Promise<Uint8Array> {
  const { session } = tab;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await tab.answer(session.send("IO.read", { handle }));
      const chunk = Buffer.from(data, base64Encoded ? "base64" : "utf8");
      bytes += chunk.length;
      if (bytes > MAX_PDF_BYTES) {
        throw new ActionFailure(
          "download_limit",
          `The PDF is larger than ${MAX_PDF_BYTES / 1_048_576} MB. Choose fewer pages with page_ranges.`,
        );
      }
      chunks.push(chunk);
      if (eof) return Buffer.concat(chunks);
    }
  } finally {
    await session.send("IO.close", { handle }).catch(() => {});
  }
}

/** Returns the fields that describe a downloaded file in the answer of an action. */
export function fileResultOf({ id, name, state, bytes, mime_type, error }: DownloadRecord): Data {
  return { id, name, state, bytes, mime_type, ...(error ? { error } : {}) };
}
