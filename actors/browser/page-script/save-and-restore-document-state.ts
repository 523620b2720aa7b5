/**
 * Saves the state of a document when a session hibernates, and restores it later: fields, scroll positions,
 * web storage. Passwords are never saved. Each function is sent to the browser as its own source, so it must
 * not refer to anything outside of itself.
 */
import type { Items, SavedField } from "../../../machines/session/state/saved-session.ts";
import type { DocumentState } from "./page-script-document-state.ts";

export interface KeepBounds {
  readonly fields: number;
  readonly fieldLength: number;
  readonly scrolled: number;
  readonly storageLength: number;
}

export interface KeptDocument {
  readonly origin: string;
  readonly scroll: readonly [number, number];
  readonly scrolled: readonly (readonly [string, number, number])[];
  readonly fields: readonly SavedField[];
  readonly unsaved: boolean;
  /** The local storage of the document's origin; `undefined` when the document may not use storage. */
  readonly local?: Items | undefined;
  readonly session?: Items | undefined;
  /** Descriptions of data that was not saved because it is too large. */
  readonly lost: readonly string[];
}

/**
 * The object `globalThis` of the isolated world. Its property `cairn` contains the state of the page script.
 */
interface PageGlobal {
  readonly cairn?: DocumentState;
}

/** Returns the state of this document, for the saved session. */
export function keepDocument(bounds: KeepBounds): KeptDocument {
  const page = (globalThis as PageGlobal).cairn;
  const lost: string[] = [];
  const fields: SavedField[] = [];
  const scrolled: [string, number, number][] = [];
  let at = 0;

  const labelOf = (field: Element): string => {
    // `labels` exists only in form fields, and has this type in each of them. So the cast is safe.
    const labels = "labels" in field ? (field.labels as NodeListOf<Element> | null) : null;
    const text =
      labels?.[0]?.textContent ?? field.getAttribute("aria-label") ?? field.getAttribute("placeholder") ?? "";
    return text.replace(/\s+/g, " ").trim().slice(0, 100);
  };
  const pathOf = (element: Element): string => {
    const steps: string[] = [];
    for (let up: Element | null = element; up; up = up.parentElement) {
      const { localName, parentElement } = up;
      const same = [...(parentElement?.children ?? [])].filter((other) => other.localName === localName);
      const name = CSS.escape(localName);
      steps.unshift(same.length > 1 ? `${name}:nth-of-type(${same.indexOf(up) + 1})` : name);
    }
    return steps.join(" > ");
  };
  const isSecret = (field: Element): boolean =>
    (field instanceof HTMLInputElement && field.type === "password") ||
    page?.registry.isSecret(field) === true;
  /**
   * Returns the value that the user has given to a field, or `undefined` for a field in its initial state.
   */
  const heldBy = (field: Element): Partial<SavedField> | undefined => {
    if (field instanceof HTMLInputElement) {
      const { type, value, checked, files } = field;
      if (type === "file") return files && files.length > 0 ? { files: files.length } : undefined;
      // Only the checked radio button of a group is saved.
      if (type === "radio") return checked && !field.defaultChecked ? { checked, option: value } : undefined;
      if (type === "checkbox")
        return checked === field.defaultChecked ? undefined : { checked, option: value };
      if (/^(hidden|submit|button|reset|image)$/.test(type)) return undefined;
      return value === field.defaultValue ? undefined : { value };
    }
    if (field instanceof HTMLTextAreaElement)
      return field.value === field.defaultValue ? undefined : { value: field.value };
    if (field instanceof HTMLSelectElement) {
      const options = [...field.options];
      const first = options.some(({ defaultSelected }) => defaultSelected);
      const own = options.some((option, index) =>
        first || field.multiple ? option.selected !== option.defaultSelected : option.selected && index > 0,
      );
      return own ? { chosen: [...field.selectedOptions].map(({ value }) => value) } : undefined;
    }
    // biome-ignore lint/performance/useDomNodeTextContent: its lines are part of what was written
    const text = field instanceof HTMLElement && field.isContentEditable ? field.innerText : "";
    return text.trim() === "" ? undefined : { text };
  };
  const collect = (field: Element): void => {
    const place = at++;
    const held = isSecret(field) ? undefined : heldBy(field);
    if (!held) return;
    const form = "form" in field && field.form instanceof HTMLFormElement ? field.form : undefined;
    const label = labelOf(field);
    const kept: SavedField = {
      tag: field.localName,
      type: field.getAttribute("type") ?? "",
      name: field.getAttribute("name") ?? "",
      id: field.id,
      label,
      form: form
        ? form.getAttribute("id") || (form.getAttribute("name") ?? form.getAttribute("action") ?? "")
        : "",
      at: place,
      ...held,
    };
    if (fields.length >= bounds.fields || JSON.stringify(held).length > bounds.fieldLength)
      lost.push(`the value of ${label || kept.name || kept.id || kept.tag}, which is too much to keep`);
    else fields.push(kept);
  };
  const FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false])";
  const walk = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.matches(FIELD)) collect(element);
      if (
        root === document &&
        scrolled.length < bounds.scrolled &&
        element !== document.scrollingElement &&
        (element.scrollTop !== 0 || element.scrollLeft !== 0)
      )
        scrolled.push([pathOf(element), element.scrollLeft, element.scrollTop]);
      const inner = page?.registry.rootOf(element) ?? element.shadowRoot;
      if (inner) walk(inner);
    }
  };
  walk(document);

  const itemsOf = (kind: "localStorage" | "sessionStorage"): Items | undefined => {
    try {
      const items: [string, string][] = [];
      const storage = globalThis[kind];
      let length = 0;
      for (let index = 0; index < storage.length; index++) {
        const key = storage.key(index) ?? "";
        const value = storage.getItem(key) ?? "";
        length += key.length + value.length;
        items.push([key, value]);
      }
      if (length <= bounds.storageLength) return items;
      lost.push(`${kind} of ${location.origin}, which is too much to keep`);
      return [];
    } catch {
      // The error is ignored, because a sandboxed document, or one without an origin, has no storage.
      return undefined;
    }
  };
  const local = itemsOf("localStorage");
  const session = itemsOf("sessionStorage");
  return {
    origin: location.origin,
    scroll: [scrollX, scrollY],
    scrolled,
    fields,
    unsaved: page?.unsavedInput.hasUnsaved() ?? false,
    ...(local ? { local } : {}),
    ...(session ? { session } : {}),
    lost,
  };
}

/** Restores the values of form fields. Returns the fields that were not found or refused their value. */
export function putBackFields(fields: readonly SavedField[]): readonly SavedField[] {
  const page = (globalThis as PageGlobal).cairn;
  const FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false])";
  const all: Element[] = [];
  const walk = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.matches(FIELD)) all.push(element);
      const inner = page?.registry.rootOf(element) ?? element.shadowRoot;
      if (inner) walk(inner);
    }
  };
  walk(document);
  const labelOf = (field: Element): string => {
    // `labels` exists only in form fields, and has this type in each of them. So the cast is safe.
    const labels = "labels" in field ? (field.labels as NodeListOf<Element> | null) : null;
    const text =
      labels?.[0]?.textContent ?? field.getAttribute("aria-label") ?? field.getAttribute("placeholder") ?? "";
    return text.replace(/\s+/g, " ").trim().slice(0, 100);
  };
  const formOf = (field: Element): string => {
    const form = "form" in field && field.form instanceof HTMLFormElement ? field.form : undefined;
    return form
      ? form.getAttribute("id") || (form.getAttribute("name") ?? form.getAttribute("action") ?? "")
      : "";
  };
  const scoreOf = (wanted: SavedField, field: Element, place: number): number => {
    if (field.localName !== wanted.tag || (field.getAttribute("type") ?? "") !== wanted.type) return 0;
    if (wanted.option !== undefined && field instanceof HTMLInputElement && field.value !== wanted.option)
      return 0;
    const scoreFor = (left: string, right: string, weight: number): number =>
      left === "" && right === "" ? 0 : left === right ? weight : -weight;
    return (
      scoreFor(wanted.id, field.id, 3) +
      scoreFor(wanted.name, field.getAttribute("name") ?? "", 3) +
      scoreFor(wanted.label, labelOf(field), 3) +
      scoreFor(wanted.form, formOf(field), 1) +
      (wanted.at === place ? 2 : 0)
    );
  };
  const taken = new Set<Element>();
  const find = (wanted: SavedField): Element | undefined => {
    const scored = all
      .map((field, place) => ({ field, score: taken.has(field) ? 0 : scoreOf(wanted, field, place) }))
      .filter(({ score }) => score >= 2)
      .sort((left, right) => right.score - left.score);
    const [best, second] = scored;
    // If two fields of the document match a saved value equally well, neither gets the value.
    return best && best.score !== second?.score ? best.field : undefined;
  };
  const dispatch = (field: Element): void => {
    field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const put = (field: Element, { value, checked, chosen, text }: SavedField): boolean => {
    if (registrySecret(field)) return false;
    if (field instanceof HTMLInputElement && checked !== undefined) {
      // The checkbox is clicked instead of being set, because some pages keep its state in a click listener.
      if (field.checked !== checked) field.click();
      return field.checked === checked;
    }
    if ((field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && value !== undefined) {
      if (field.value !== value) {
        field.value = value;
        dispatch(field);
      }
      return field.value === value;
    }
    if (field instanceof HTMLSelectElement && chosen) {
      const options = [...field.options];
      if (!chosen.every((wanted) => options.some((option) => option.value === wanted))) return false;
      for (const option of options) {
        if (field.multiple) option.selected = chosen.includes(option.value);
      }
      if (!field.multiple) field.value = chosen[0] ?? "";
      dispatch(field);
      return true;
    }
    if (field instanceof HTMLElement && text !== undefined) {
      // biome-ignore lint/performance/useDomNodeTextContent: as it was kept
      if (field.innerText === text) return true;
      field.focus({ preventScroll: true });
      document.execCommand("selectAll");
      document.execCommand("insertText", false, text);
      field.blur();
      // biome-ignore lint/performance/useDomNodeTextContent: as it was kept
      return field.innerText.trim() === text.trim();
    }
    return false;
  };
  const registrySecret = (field: Element): boolean => page?.registry.isSecret(field) === true;
  return fields.filter((wanted) => {
    const field = wanted.files === undefined ? find(wanted) : undefined;
    if (!field) return true;
    taken.add(field);
    const done = put(field, wanted);
    if (done) page?.unsavedInput.add(field);
    return !done;
  });
}

/**
 * Restores the scroll positions of the page and of elements. Returns the page's resulting scroll position.
 */
export function putBackScroll(
  scroll: readonly [number, number],
  scrolled: readonly (readonly [string, number, number])[],
): readonly [number, number] {
  for (const [selector, x, y] of scrolled) {
    document.querySelector(selector)?.scrollTo({ left: x, top: y, behavior: "instant" });
  }
  scrollTo({ left: scroll[0], top: scroll[1], behavior: "instant" });
  return [scrollX, scrollY];
}

/**
 * Fills the web storage of the document's origin with the saved values of this origin. In a restored session,
 * it runs in each document before any script of the page.
 * @param all map from an origin to its saved values
 */
export function fillStorage(
  all: Readonly<Record<string, { readonly local?: Items; readonly session?: Items }>>,
): void {
  const own = all[location.origin];
  const fill = (storage: Storage, items: Items = []): void => {
    // If the storage has items already, they are newer than the saved items, so nothing is written.
    if (storage.length === 0) for (const [key, value] of items) storage.setItem(key, value);
  };
  if (!own) return;
  try {
    fill(localStorage, own.local);
    fill(sessionStorage, own.session);
  } catch {
    // The error is ignored: a sandboxed document, or one whose third-party storage is blocked, had no storage
    // that could have been saved.
  }
}
