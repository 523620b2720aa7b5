/**
 * Describes an element: how a user operates it, which elements label it, and the fingerprint by which it is
 * recognised later.
 */

import type { InteractionType } from "../../../../machines/session/page/page-snapshot.ts";
import { registry } from "../page-script-document-state.ts";
import { collapseSpaces, slottedText } from "../shadow-dom.ts";
import * as drawnEditors from "./code-editors-and-terminals.ts";
import * as passiveElements from "./elements-reacting-only-to-hover.ts";
import * as adjacentLabels from "./labels-not-connected-to-fields.ts";
import * as rowsAndCards from "./rows-and-cards.ts";
import * as surroundingText from "./text-around-element.ts";

/** The texts by which an element is recognised. If they change, the DOM node counts as another element. */
export interface Fingerprint {
  /**
   * The outermost element whose content was read for this fingerprint. If something in it changes, the
   * fingerprint must be computed again.
   */
  readonly scope: Element;
  /** Tag, role, text and identifying attributes of the element itself. */
  readonly own: string;
  /**
   * Texts that a page may remove while the pointer is over the element: the placeholder, and the `title` of
   * an element without text. An element that only lacks such a text counts as the same element.
   */
  readonly hints: readonly string[];
  /** Words of the row, card or form that contains the element. */
  readonly context: readonly string[];
}

/**
 * How a user operates an element. With `weak`, only a `tabindex` or a listener suggests that the element is
 * interactive. Such an element may also be a mere container.
 */
export interface Interaction {
  readonly action: InteractionType;
  readonly weak: boolean;
}

export interface Describer {
  interactionOf(element: Element, tag: string): Interaction | undefined;
  /**
   * Returns a function that computes the fingerprint of an element (the texts by which it is recognised). It
   * caches surrounding texts, so it may be used for one snapshot only.
   */
  fingerprints(): (element: Element) => Fingerprint;
  /**
   * Returns the role of a tree entry, menu entry or option. Elements with these roles may contain nested
   * elements of the same role. Returns `undefined` for all other elements.
   */
  nestedRole(element: Element): string | undefined;
  /**
   * Whether two fingerprints (texts for recognition) belong to the same element.
   *
   * @param alone whether the page has no similar element. Texts around the element, such as "5 minutes left"
   * or "40 %", may then differ.
   */
  isSame(then: Fingerprint, now: Fingerprint, alone: boolean): boolean;
  /**
   * Returns the labels of the element. A click on a label operates the element, unless several elements have
   * the id to which the label refers.
   */
  labelsOf(element: Element): readonly Element[];
  /**
   * Returns the labels of an element. If it has none, returns an adjacent `<label>` that belongs to no
   * control.
   */
  captionsOf(element: Element): readonly Element[];
  /** Whether a label names a field, but a click on the label does not operate the field. */
  isCaption(label: HTMLLabelElement): boolean;
  /**
   * Calls `work`, which must not change the DOM, with a cache of all labels. Querying the labels of each
   * field separately is slow.
   */
  withCachedLabels<Result>(work: () => Result): Result;
  /** Must be called when a label was added, removed or changed. All cached labels then become invalid. */
  labelsChanged(): void;
  /**
   * Number of calls of `labelsChanged`. Values that depend on labels are cached until this number changes.
   */
  readonly labelChanges: number;
  /**
   * Returns the text of an element, including slotted content. Parts with `aria-hidden`, form controls and
   * lists of options are left out.
   */
  wordsOf(element: Element): string;
  /**
   * Whether the element reacts only when the pointer moves over it. Such an element is not reported as
   * interactive.
   */
  isPassive(element: Element): boolean;
  /**
   * Whether a class such as `active` marks the element as the current one in a group, like the open tab among
   * tabs.
   */
  isMarkedCurrent(element: Element): boolean;
}

/** Roles of elements that can be clicked. */
const CLICKABLE_ROLES = new Set(
  (
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem slider " +
    "combobox"
  ).split(" "),
);
/** Roles of elements that can be clicked only when they have a tabindex too. */
const FOCUSABLE_ROLES = new Set("gridcell columnheader rowheader row listbox scrollbar".split(" "));
/** Roles of elements into which text is typed. */
const TEXT_ROLES = new Set(["textbox", "searchbox", "spinbutton"]);
/** Matches attributes that identify an element, such as `id` and `href`. */
const NAMING_ATTRIBUTE = /^(id|name|href|src|action|for|title|alt|aria-label|aria-labelledby|formaction)$/;
/** Matches data attributes that usually identify an element, such as `data-id`. */
const NAMING_DATA_ATTRIBUTE =
  /^data-(.+-)?(id|key|uid|uuid|value|slug|name|sku|ref|index|testid|test|url|href|row|item)$/;
/**
 * Matches classes that mark the current one of several elements, such as `active`. It does not match
 * `not-active`.
 */
const CURRENT_CLASS = /(?:^|[\s_-])(?<!\b(?:not|non|no)[_-])(?:active|selected|current)(?:\s|$)/i;
/**
 * Maximum number of characters of a row, card or form whose text describes an element in it. A longer text is
 * not used.
 */
const MAX_CONTEXT_LENGTH = 600;
/** Maximum number of ancestors of an element that are checked for being its row, card or form. */
const MAX_CONTEXT_LEVELS = 8;
/**
 * Maximum number of characters of an attribute that is stored in a fingerprint (the texts by which an element
 * is recognised).
 */
const MAX_ATTRIBUTE_LENGTH = 300;
/** Maximum number of characters that are read of an element's text. */
const MAX_RAW_LENGTH = 2_000;
/** Maximum number of characters of an element's text that are stored in its fingerprint. */
const MAX_OWN_LENGTH = 200;
/** Matches tags of inline elements, whose text continues the line around them. */
const INLINE_TAG = /^(a|abbr|b|bdi|code|em|font|i|label|mark|q|s|slot|small|span|strong|sub|sup|time|u|var)$/;
/** Tags of inline elements that may start or end inside of a word, such as `b`. */
const WORD_PART_TAG = /^(b|em|font|i|mark|s|slot|strong|sub|sup|u)$/;
/** Matches roles of elements that may contain elements of the same role, such as tree entries. */
const NESTED_ROLE = /^(treeitem|menuitem|menuitemcheckbox|menuitemradio|option)$/;
/** Tags whose text is not part of an element's name. */
const SILENT_TAG = /^(style|script|template|select|textarea|datalist)$/;

/**
 * For each attribute name that was checked so far: whether an attribute of this name identifies an element.
 */
const namingCache = new Map<string, boolean>();
const isNamingAttribute = (name: string): boolean => {
  let known = namingCache.get(name);
  if (known === undefined) {
    known = NAMING_ATTRIBUTE.test(name) || NAMING_DATA_ATTRIBUTE.test(name);
    namingCache.set(name, known);
  }
  return known;
};

interface Labels {
  readonly own: ReadonlyMap<Element, readonly Element[]>;
  readonly adjacent: ReadonlyMap<Element, Element>;
}
/** The labels of each document or shadow tree, cached while `withCachedLabels` runs. */
let labelsByTree = new Map<Node, Labels>();
/** Number of ancestors of a field that are searched for its label. */
const MAX_LABEL_LEVELS = 3;
let cachesLabels = false;
let labelChanges = 0;
/**
 * Returns the checkbox beside a label that belongs to no control. In some components, a script ticks this
 * checkbox when the label is clicked.
 */
const adjacentBoxOf = (label: HTMLLabelElement): HTMLInputElement | undefined => {
  if (label.control || label.htmlFor !== "") return undefined;
  return [label.previousElementSibling, label.nextElementSibling].find(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement &&
      /^(checkbox|radio)$/.test(element.type) &&
      element.labels?.length === 0,
  );
};

const labelsIn = (root: Node): Labels => {
  const known = labelsByTree.get(root);
  if (known) return known;
  const own = new Map<Element, Element[]>();
  const adjacent = new Map<Element, Element>();
  labelsByTree.set(root, { own, adjacent });
  if (!(root instanceof Document || root instanceof ShadowRoot)) return { own, adjacent };
  for (const label of root.querySelectorAll("label")) {
    const control = adjacentLabels.nearestWithId(label) ?? label.control ?? adjacentBoxOf(label);
    const others = control && own.get(control);
    if (others) others.push(label);
    else if (control) own.set(control, [label]);
    const field = control ? undefined : adjacentLabels.fieldOf(label);
    if (field && !adjacent.has(field)) adjacent.set(field, label);
  }
  return { own, adjacent };
};

/** Finds the labels next to one field in the document. No cache is used. */
const adjacentLabelsOf = (field: Element): readonly Element[] => {
  let up = field.parentElement;
  for (let level = 0; up && level < MAX_LABEL_LEVELS; level++, up = up.parentElement) {
    const label = [...up.getElementsByTagName("label")].find(
      (label) => label instanceof HTMLLabelElement && adjacentLabels.fieldOf(label) === field,
    );
    if (label) return [label];
  }
  return [];
};

const labelsOf = (element: Element): readonly Element[] => {
  if (!("labels" in element)) return [];
  if (cachesLabels) return labelsIn(element.getRootNode()).own.get(element) ?? [];
  // `labels` exists only in form fields, where it is a list of labels or `null`. So the cast is safe.
  const { labels } = element as { readonly labels?: NodeListOf<HTMLLabelElement> | null };
  if (!labels) return [];
  const own = [...labels].filter((label) => (adjacentLabels.nearestWithId(label) ?? element) === element);
  if (own.length > 0) return own;
  const near = adjacentLabels.nearLabelOf(element);
  if (near) return [near];
  const siblings = [element.nextElementSibling, element.previousElementSibling];
  return siblings.filter(
    (node): node is HTMLLabelElement => node instanceof HTMLLabelElement && adjacentBoxOf(node) === element,
  );
};

const buttonAction = (element: HTMLButtonElement): InteractionType =>
  element.type === "submit" && element.form ? "submit" : "click";

const inputAction = (element: HTMLInputElement): InteractionType | undefined => {
  switch (element.type) {
    case "hidden":
      return undefined;
    case "submit":
    case "image":
      return "submit";
    case "button":
    case "reset":
    case "checkbox":
    case "radio":
      return "click";
    default:
      return "input";
  }
};

const nativeAction = (element: Element, tag: string): InteractionType | undefined => {
  switch (tag) {
    case "a":
    case "area":
      return element.hasAttribute("href") || element.hasAttribute("xlink:href") ? "navigate" : undefined;
    case "button":
      return element instanceof HTMLButtonElement ? buttonAction(element) : undefined;
    case "input":
      return element instanceof HTMLInputElement ? inputAction(element) : undefined;
    case "select":
      return "select";
    case "textarea":
      return "input";
    case "summary":
      return element.parentElement?.localName === "details" ? "click" : undefined;
    case "video":
    case "audio":
      return element.hasAttribute("controls") ? "click" : undefined;
    case "canvas":
      return "click";
    default:
      return undefined;
  }
};

/** Selector of controls and cells in a layer that a field opens, such as a calendar. */
const LAYER_CONTROLS = "button,[role=button],td,[role=gridcell]";

/** Whether an element is a layer with controls, such as a calendar that a script has put into a field's label. */
const isLayerWithControls = (element: Element): boolean =>
  element.querySelector(LAYER_CONTROLS) !== null &&
  /^(absolute|fixed)$/.test(getComputedStyle(element).position);

export const describer: Describer = {
  interactionOf(element, tag) {
    const own = nativeAction(element, tag);
    if (own) return { action: own, weak: false };
    if (element instanceof HTMLElement) {
      const edited = element.getAttribute("contenteditable");
      if (edited !== null && edited !== "false") return { action: "input", weak: false };
    }
    const role = element.getAttribute("role") ?? "";
    if (TEXT_ROLES.has(role)) return { action: "input", weak: false };
    if (CLICKABLE_ROLES.has(role)) return { action: "click", weak: false };
    if (element.hasAttribute("onclick")) return { action: "click", weak: false };
    if (element.getAttribute("draggable") === "true") return { action: "click", weak: false };
    // A day of a calendar is reported as clickable even if it has no click listener, because often only the
    // calendar has one.
    if (role === "gridcell" && element.hasAttribute("data-date")) return { action: "click", weak: false };
    const tabindex = element.getAttribute("tabindex");
    if (tabindex !== null && (Number(tabindex) >= 0 || FOCUSABLE_ROLES.has(role)))
      return { action: "click", weak: true };
    return registry.hasClickListener(element) ? { action: "click", weak: true } : undefined;
  },

  nestedRole(element) {
    const role = element.getAttribute("role");
    return role !== null && NESTED_ROLE.test(role) ? role : undefined;
  },

  fingerprints() {
    const surroundingTextOf = surroundingText.reader();
    const isGroup = rowsAndCards.checker();
    const texts = new Map<Element, string>();
    const textOf = (element: Element): string => {
      const known = texts.get(element);
      if (known !== undefined) return known;
      // A container with much text does not identify the elements inside of it, so its text is not used.
      const much = (element.textContent ?? "").length > MAX_CONTEXT_LENGTH * 10;
      const kept = much ? "" : surroundingTextOf(element, MAX_CONTEXT_LENGTH);
      texts.set(element, kept);
      return kept;
    };
    /**
     * Returns the naming attributes of an element as a text.
     *
     * @param own true for the identified element itself, and false for a container around it. The `title` of
     * the element itself is left out, because pages remove it while the pointer is over the element
     */
    const namingTextOf = (element: Element, own: boolean): string => {
      if (!element.hasAttributes()) return "";
      let text = "";
      for (const name of element.getAttributeNames()) {
        if (isNamingAttribute(name) && !(own && name === "title"))
          text += `\n${name}=${element.getAttribute(name)?.slice(0, MAX_ATTRIBUTE_LENGTH)}`;
      }
      return text;
    };
    /**
     * Caches the identifying attributes of container elements as text, because many elements share a
     * container.
     */
    const namingCache = new Map<Element, string>();
    const containerNaming = (element: Element): string => {
      let text = namingCache.get(element);
      if (text === undefined) {
        text = namingTextOf(element, false);
        namingCache.set(element, text);
      }
      return text;
    };
    return (element) => {
      // An editor that draws its text also contains hidden elements by which it measures text. `innerText`
      // leaves them out.
      const isDrawn = element instanceof HTMLElement && drawnEditors.isKnown(element);
      // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
      const rawText = isDrawn ? element.innerText : element.textContent;
      const ownText = collapseSpaces((rawText ?? "").slice(0, MAX_RAW_LENGTH)).slice(0, MAX_OWN_LENGTH);
      let own = `${element.localName}\n${element.getAttribute("role") ?? ""}\n${ownText}${namingTextOf(element, true)}`;
      if (element instanceof HTMLInputElement) {
        own += `\n${element.type}`;
        if (/^(button|submit|reset|radio|checkbox|image)$/.test(element.type)) own += `\n${element.value}`;
      }
      // A button in a component's shadow root displays the content of the component's tag, such as "Save" in
      // `<x-button>Save</x-button>`.
      const isSlotted = ownText === "" && element.getRootNode() instanceof ShadowRoot;
      const shownText = (isSlotted ? slottedText(element) : ownText).replaceAll(" ", "");
      let around = "";
      let levels = 0;
      let reach = element;
      for (
        let up = registry.parentOf(element);
        up && levels < MAX_CONTEXT_LEVELS;
        up = registry.parentOf(up), levels++
      ) {
        if (up.localName === "body" || up.localName === "html" || up.localName === "main") break;
        reach = up;
        if (!isGroup(up)) continue;
        const text = textOf(up);
        own += containerNaming(up);
        // An ancestor with the same words as the element, such as a table cell, does not distinguish the
        // element. The search continues with the next ancestor.
        if (text === "" || text.replaceAll(" ", "") === shownText) continue;
        around = text;
        break;
      }
      const title = ownText === "" ? element.getAttribute("title") : null;
      const hints = [element.getAttribute("placeholder") ?? "", title ?? ""];
      return { own, hints, context: around === "" ? [] : around.split(" "), scope: reach };
    };
  },

  /**
   * Two fingerprints belong to the same element if the element's own words are equal, and no word around the
   * element has disappeared. New words around it do not matter.
   */
  isSame(then, now, alone) {
    if (then.own !== now.own) return false;
    const others = then.hints.some(
      (hint, at) => hint !== "" && now.hints[at] !== "" && hint !== now.hints[at],
    );
    if (others) return false;
    const [were, are] = alone
      ? [then, now].map(({ context: around }) => surroundingText.withoutTicking(around))
      : [then.context, now.context];
    let at = 0;
    for (const word of are ?? []) if (word === were?.[at]) at++;
    return at === were?.length;
  },

  labelsOf,

  isCaption: (label) => !label.control && adjacentLabels.fieldOf(label) !== undefined,

  captionsOf(element) {
    const own = labelsOf(element);
    const rawText = element.getAttribute("aria-label")?.trim();
    const isField = "labels" in element || adjacentLabels.isScriptedField(element);
    if (own.length > 0 || rawText || !isField) return own;
    if (!cachesLabels) return adjacentLabelsOf(element);
    const label = labelsIn(element.getRootNode()).adjacent.get(element);
    return label ? [label] : [];
  },

  wordsOf(element) {
    let rawText = "";
    /**
     * `ended`: whether an element that separates words has ended since the last text. `apart`: whether a space
     * must be added before the next text.
     */
    let [ended, apart] = [false, false];
    const read = (node: Node): void => {
      if (node instanceof Text) {
        if (apart && rawText !== "" && !/\s$/.test(rawText)) rawText += " ";
        rawText += node.data;
        [ended, apart] = [false, false];
      }
      if (!(node instanceof Element)) return;
      const flows = INLINE_TAG.test(node.localName);
      apart ||= ended || !flows;
      if (SILENT_TAG.test(node.localName)) return;
      if (node !== element && node.getAttribute("aria-hidden") === "true") return;
      // A label may contain the list of its field. The list is left out, so that the field's name is the same
      // whether the list is open or closed.
      if (node !== element && node.matches(surroundingText.POPUP_LIST)) return;
      if (node !== element && !flows && isLayerWithControls(node)) return;
      const root = registry.rootOf(node);
      const assigned = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
      for (const child of assigned.length > 0 ? assigned : (root ?? node).childNodes) read(child);
      apart ||= !flows;
      ended = !WORD_PART_TAG.test(node.localName);
    };
    read(element);
    return rawText;
  },

  withCachedLabels(work) {
    cachesLabels = true;
    try {
      return work();
    } finally {
      cachesLabels = false;
    }
  },

  labelsChanged() {
    labelChanges++;
    if (labelsByTree.size > 0) labelsByTree = new Map();
  },

  get labelChanges() {
    return labelChanges;
  },

  isPassive: (element) => passiveElements.isPassive(element, false),

  isMarkedCurrent: (element) => CURRENT_CLASS.test(element.getAttribute("class") ?? ""),
};
