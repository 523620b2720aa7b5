/**
 * Imports PDF files page by page with `unpdf`, a build of Mozilla's PDF.js that needs neither a browser nor
 * native code.
 */
import type { Passage } from "../../../machines/knowledge/documents/split-passages.ts";
import { passagesOf } from "../../../machines/knowledge/documents/split-passages.ts";
import { documentTasks } from "../../../machines/knowledge/documents/steps-written-in-documents.ts";
import type { Importer } from "./document-importer-interface.ts";
import { titleOfName, unreadable } from "./document-text-and-title.ts";

export const pdfImporter: Importer = {
  kind: "pdf",
  accepts: (type) => type === "application/pdf",
  async read(document) {
    // The library is loaded with the first PDF, because it is large.
    const { getDocumentProxy } = await import("unpdf");
    // PDF.js takes ownership of the bytes that it receives, so it gets a copy. It refuses a `Buffer`, in which the
    // content of a request arrives.
    const pdf = await getDocumentProxy(new Uint8Array(document.bytes), { verbosity: 0 }).catch(
      (error: unknown) => {
        throw unreadable(document, error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
      },
    );
    try {
      const outline = await titlesByPage(pdf);
      const passages: Passage[] = [];
      let headings: readonly string[] = [];
      for (let number = 1; number <= pdf.numPages; number++) {
        headings = outline.get(number) ?? headings;
        const page = await pdf.getPage(number);
        const { items } = await page.getTextContent();
        page.cleanup();
        const text = linesOf(items as readonly TextItem[]);
        for (const { content } of passagesOf(text))
          passages.push({ headings, content, location: `page ${number}`, fragment: `page=${number}` });
      }
      if (passages.length === 0) throw unreadable(document, "its pages are pictures without text");
      const title = (await titleOf(pdf)) || titleOfName(document.name);
      return { title, passages, tasks: documentTasks(passages, { source_id: document.source_id, title }) };
    } finally {
      await pdf.loadingTask.destroy();
    }
  },
};

type Pdf = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

/** A piece of text as PDF.js returns it. */
interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
  /** The transformation matrix of the text. Its last number is the distance from the bottom of the page. */
  readonly transform?: readonly number[];
  readonly height?: number;
}

/**
 * Distance between two lines of a PDF page, as a multiple of the line height. Lines that are further apart
 * belong to different paragraphs.
 */
const PARAGRAPH = 1.8;

function linesOf(items: readonly TextItem[]): string {
  let text = "";
  let bottom: number | undefined;
  for (const { str = "", hasEOL = false, transform, height = 0 } of items) {
    const at = transform?.[5];
    if (bottom !== undefined && at !== undefined && str.trim() !== "" && height > 0) {
      const gap = (bottom - at) / height;
      if (gap > PARAGRAPH && text.endsWith("\n") && !text.endsWith("\n\n")) text += "\n";
    }
    if (str.trim() !== "" && at !== undefined) bottom = at;
    text += str + (hasEOL ? "\n" : "");
  }
  return text;
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata();
  // The cast is needed: PDF.js does not declare the fields of `info`. The title is checked below.
  const { Title } = info as { readonly Title?: unknown };
  return typeof Title === "string" ? Title.trim() : "";
}

/** Returns the headings of the PDF's outline, by the number of the page on which each begins. */
async function titlesByPage(pdf: Pdf): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, readonly string[]>();
  type Entry = Awaited<ReturnType<Pdf["getOutline"]>>[number];
  const visit = async (entries: readonly Entry[], above: readonly string[]): Promise<void> => {
    for (const { title, dest, items } of entries) {
      const path = [...above, title.trim()];
      const target = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
      const [ref] = target ?? [];
      if (typeof ref === "object" && ref !== null) {
        // A destination in a PDF is an array. Its first element refers to the page.
        const index = await pdf
          .getPageIndex(ref as Parameters<Pdf["getPageIndex"]>[0])
          .catch(() => undefined);
        if (index !== undefined && !found.has(index + 1)) found.set(index + 1, path);
      }
      await visit(items, path);
    }
  };
  await visit((await pdf.getOutline()) ?? [], []);
  return found;
}
