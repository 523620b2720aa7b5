/**
 * Selects text, and sends copy, cut and paste events to a page. The system clipboard is not used, because all
 * sessions of a browser share it.
 */
import type { Obstacle } from "../actionability/same-element-check.ts";
import { registry } from "../page-script-document-state.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";

export interface FocusedField {
  readonly id: number;
  /** Whether the user can type text into the focused element. */
  readonly writable: boolean;
  /** Name of the child frame that has the focus; absent if this frame itself has the focus. */
  readonly frame?: string;
}

export interface CopiedText {
  readonly text: string;
  readonly html: string;
  /** Whether a listener of the page has handled the copy or cut event. */
  readonly handled: boolean;
  readonly writable: boolean;
}

export interface ClipboardEvents {
  focused(): FocusedField | undefined;
  /**
   * Selects the whole content of a field, an element or the page. Returns the number of selected characters.
   */
  selectAll(id: number | null): Obstacle | { readonly chosen: number };
  /**
   * Copies the selected text of an element. If nothing is selected there, copies the element's whole text. Returns
   * `secret` for a password field, which is never copied.
   */
  copy(id: number | null, by: "copy" | "cut"): Obstacle | "secret" | CopiedText;
  /** Dispatches a paste event at an element. Returns whether the page has handled it. */
  paste(id: number, text: string, html: string): boolean;
}

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: Element | undefined): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

const selectionOf = (element: Element | undefined): Selection | null => {
  const root = element?.getRootNode();
  // Only the shadow root itself can return the selection in it. The cast is safe: Chromium's shadow roots
  // have the method `getSelection`, which TypeScript's types do not contain.
  const own = root instanceof ShadowRoot && "getSelection" in root ? root.getSelection : undefined;
  return typeof own === "function" ? (own.call(root) as Selection | null) : getSelection();
};

const chosenIn = (element: Element | undefined): { readonly text: string; readonly html: string } => {
  if (isField(element)) {
    const { selectionStart, selectionEnd, value } = element;
    // Number and email fields report no selection, so it is read from the document.
    if (selectionStart === null) return { text: getSelection()?.toString() ?? "", html: "" };
    return { text: value.slice(selectionStart, selectionEnd ?? selectionStart), html: "" };
  }
  const selection = selectionOf(element);
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return { text: "", html: "" };
  const range = selection.getRangeAt(0);
  if (element && !range.intersectsNode(element)) return { text: "", html: "" };
  const holder = document.createElement("div");
  holder.append(range.cloneContents());
  return { text: selection.toString(), html: holder.innerHTML };
};

const chooseAll = (element: Element): void => {
  if (isField(element)) {
    element.focus({ preventScroll: true });
    element.select();
    return;
  }
  if (element instanceof HTMLElement && element.isContentEditable) element.focus({ preventScroll: true });
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = selectionOf(element);
  selection?.removeAllRanges();
  selection?.addRange(range);
};

const isWritable = (element: Element | undefined): boolean =>
  element?.matches(":read-write") === true && !identity.isDisabled(element);

const dispatch = (element: Element, type: string, text: string, html: string): DataTransfer | undefined => {
  const clipboardData = new DataTransfer();
  if (text !== "") clipboardData.setData("text/plain", text);
  if (html !== "") clipboardData.setData("text/html", html);
  const event = new ClipboardEvent(type, {
    bubbles: true,
    cancelable: true,
    composed: true,
    clipboardData,
  });
  return element.dispatchEvent(event) ? undefined : clipboardData;
};

const found = (id: number | null): Element | Obstacle | undefined => {
  if (id === null) return undefined;
  const element = identity.find(id);
  if (!element) return { problem: "gone" };
  return identity.obstacle(element, id) ?? element;
};

export const clipboardEvents: ClipboardEvents = {
  focused() {
    const element = registry.focused();
    if (!element) return undefined;
    const frame = registry.frames.get(element);
    return {
      id: registry.idOf(element),
      writable: isWritable(element),
      ...(frame === undefined ? {} : { frame }),
    };
  },

  selectAll(id) {
    const element =
      found(id) ??
      (isField(registry.focused()) || isWritable(registry.focused()) ? registry.focused() : document.body);
    if (!element) return { problem: "gone" };
    if (!(element instanceof Element)) return element;
    chooseAll(element);
    return { chosen: isField(element) ? element.value.length : chosenIn(element).text.length };
  },

  copy(id, by) {
    const named = found(id);
    if (named && !(named instanceof Element)) return named;
    const element = named ?? registry.focused() ?? document.body;
    if (registry.isSecret(element)) return "secret";
    const writable = isWritable(element);
    if (by === "cut" && !writable) return { problem: "disabled" };
    if (named && chosenIn(element).text === "") chooseAll(element);
    const { text, html } = chosenIn(named ?? registry.focused());
    if (text === "") return { text, html, handled: false, writable };
    const own = dispatch(element, by, "", "");
    if (!own) return { text, html, handled: false, writable };
    // If the page's own listener has put data onto the clipboard, this data is used instead of the selected
    // text.
    const put = own.getData("text/plain");
    return { text: put === "" ? text : put, html: own.getData("text/html"), handled: true, writable };
  },

  paste(id, text, html) {
    const element = identity.find(id);
    return element !== undefined && dispatch(element, "paste", text, html) !== undefined;
  },
};
