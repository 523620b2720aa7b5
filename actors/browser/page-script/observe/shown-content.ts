/** What a document shows, found without a snapshot: the first visible control and text decide. */
import { loadingMarks } from "../../loading-marks.ts";
import { registry } from "../document-state.ts";
import { isSeen, OPAQUE, shadowRootsBelow } from "../dom.ts";

export interface Shown {
  /** A control by its markup. Controls that only scripts make are not looked for. */
  readonly controls: boolean;
  /** Text other than a loading mark. */
  readonly text: boolean;
  /** A visible mark that something is on its way. */
  readonly loading: boolean;
  /** The document has scripts, so it may still change. */
  readonly scripted: boolean;
  /** Number of elements, to notice that the document is being built. */
  readonly size: number;
}

export interface ShownContent {
  /** Resolves when a frame was drawn, or after `within` milliseconds. */
  drawn(within: number): Promise<true>;
  survey(): Shown;
}

const CONTROLS =
  "a[href], button, input:not([type=hidden]), select, textarea, summary, video[controls], audio[controls], " +
  "[role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=switch], [role=treeitem], " +
  "[role=textbox], [role=combobox], [onclick], [contenteditable=''], [contenteditable=true]";
/** Text in these is not shown. */
const SILENT = /^(script|style|noscript|template|title|option)$/;
/** Texts that are read: a document without a shown text among them is searched no further. */
const MAX_TEXTS = 2_000;

const says = new RegExp(loadingMarks.text, "i");

const isLoadingText = (text: string): boolean =>
  text.length <= loadingMarks.textLength && says.test(text.trim());

/** A control beside a loading mark counts; a disabled one does not, because forms are disabled while they load. */
const hasControl = (root: Document | ShadowRoot): boolean => {
  for (const element of root.querySelectorAll(CONTROLS))
    if (!element.matches(":disabled") && isSeen(element)) return true;
  return false;
};

function textIn(root: Document | ShadowRoot): { readonly text: boolean; readonly loading: boolean } {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = { text: false, loading: false };
  for (let read = 0; read < MAX_TEXTS; read++) {
    const node = texts.nextNode();
    if (!node) break;
    const text = node.nodeValue ?? "";
    const parent = node.parentElement;
    if (!/\S/.test(text) || (parent && (SILENT.test(parent.localName) || !parent.checkVisibility(OPAQUE))))
      continue;
    if (isLoadingText(text)) found.loading = true;
    else found.text = true;
    if (found.text && (found.loading || read > MAX_TEXTS / 10)) break;
  }
  return found;
}

export const shownContent: ShownContent = {
  drawn: (within) =>
    new Promise((resolve) => {
      // What scripts do in the first frame is on the page in the second.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
      setTimeout(() => resolve(true), within);
    }),
  survey() {
    registry.collect();
    const roots = [document, ...shadowRootsBelow(document)];
    const texts = roots.map(textIn);
    return {
      controls: roots.some(hasControl),
      text: texts.some(({ text }) => text) || document.querySelector("img, svg, canvas, video") !== null,
      loading:
        texts.some(({ loading }) => loading) ||
        roots.some((root) => [...root.querySelectorAll(loadingMarks.busy)].some(isSeen)),
      scripted: document.scripts.length > 0,
      size: roots.reduce((sum, root) => sum + root.querySelectorAll("*").length, 0),
    };
  },
};
