/**
 * Finds out whether a document already shows content, without a snapshot. It stops at the first visible
 * control and the first visible text.
 */
import { loadingMarks } from "../../loading-indicators.ts";
import { isSeen, OPAQUE, shadowRootsBelow } from "../shadow-dom.ts";
import { pageMessages, type TitleAndMessages } from "./page-status-messages.ts";

export interface Shown {
  /**
   * Whether the document shows at least one control, found by tag, role or attribute. An element that is a
   * control only because of a listener does not count.
   */
  readonly controls: boolean;
  /** Whether the document shows text other than "Loading…". */
  readonly text: boolean;
  /** Whether the document shows an element that indicates loading, such as a progress bar. */
  readonly loading: boolean;
  /** Whether the document has scripts, so that its content may still change. */
  readonly scripted: boolean;
  /** Number of elements in the document. While this number increases, the document is still being built. */
  readonly size: number;
  /** Title of the document and the messages that it shows, such as "Saved"; absent if the caller did not request them. */
  readonly arrived?: TitleAndMessages;
}

export interface ShownContent {
  /** Resolves when the browser has drawn two animation frames, or after `within` milliseconds. */
  drawn(within: number): Promise<true>;
  /**
   * Returns what the document shows.
   * @param withMessages whether to return its title and messages too
   */
  survey(withMessages: boolean): Shown;
}

const CONTROLS =
  "a[href], button, input:not([type=hidden]), select, textarea, summary, video[controls], audio[controls], " +
  "[role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=switch], [role=treeitem], " +
  "[role=textbox], [role=combobox], [onclick], [contenteditable=''], [contenteditable=true]";
/** Tags whose text is not shown, so that it is not checked. */
const SILENT = /^(script|style|noscript|template|title|option)$/;
/**
 * Maximum number of texts that are checked for visibility. If none of these texts is visible, the document
 * counts as a document without text.
 */
const MAX_TEXTS = 2_000;

const says = new RegExp(loadingMarks.text, "i");

const isLoadingText = (text: string): boolean =>
  text.length <= loadingMarks.textLength && says.test(text.trim());

/** Whether an element shows only by its label or alternative text that the page is loading. */
const isLabelledAsLoading = (element: Element): boolean =>
  isLoadingText(element.getAttribute("aria-label") ?? element.getAttribute("alt") ?? "");

const isControl = (element: Element): boolean => !element.matches(":disabled") && isSeen(element);

/**
 * If a document shows an enabled control, it shows content, even next to a loading indicator. Disabled
 * controls do not count, because pages disable their forms while they load.
 */
const hasControl = (root: Document | ShadowRoot): boolean => {
  // The first matching element is usually a visible control, and finding one element is fast. Finding all
  // takes milliseconds on a large page, so it is done only if the first element is not a visible control.
  const first = root.querySelector(CONTROLS);
  if (!first || isControl(first)) return first !== null;
  for (const element of root.querySelectorAll(CONTROLS)) if (isControl(element)) return true;
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
      // Scripts may change the page in the first animation frame, and only the second one shows this change.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
      setTimeout(() => resolve(true), within);
    }),
  survey(withMessages) {
    const roots = [document, ...shadowRootsBelow(document)];
    const texts = roots.map(textIn);
    return {
      controls: roots.some(hasControl),
      text: texts.some(({ text }) => text) || document.querySelector("img, svg, canvas, video") !== null,
      loading:
        texts.some(({ loading }) => loading) ||
        roots.some((root) => [...root.querySelectorAll(loadingMarks.busy)].some(isSeen)) ||
        roots.some((root) =>
          [...root.querySelectorAll(loadingMarks.labelled)].some(
            (element) => isLabelledAsLoading(element) && isSeen(element),
          ),
        ),
      scripted: document.scripts.length > 0,
      size: roots.reduce((sum, root) => sum + root.querySelectorAll("*").length, 0),
      ...(withMessages ? { arrived: pageMessages.readWithTitle() } : {}),
    };
  },
};
