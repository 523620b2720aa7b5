/**
 * In the page: an interactive element as it is told, field by field. What passwords are is told to nobody.
 *
 * Sent as its own source. Neighbour: `walker.ts` finds the elements.
 */
import type { InteractionType } from "../../../../machines/session/analysis.ts";
import type { Describer } from "./describer.ts";
import type { Geometry } from "./geometry.ts";
import type { RawBox, RawElement } from "./raw.ts";
import type { Registry } from "./registry.ts";

/** An element that was found, and what the walk knows of it. */
export interface Found {
  readonly element: Element;
  readonly act: InteractionType;
  /** Operable though it is not seen itself. */
  readonly hidden: boolean;
  readonly segment: number;
  readonly rect: DOMRect;
  /** What is written in it. */
  readonly text: string;
}

export interface Recorder {
  record(found: Found, paths: ReturnType<Describer["paths"]>): RawElement;
  nameOf(element: Element): string;
  attributesOf(element: Element): Readonly<Record<string, string>>;
}

export function makeRecorder(registry: Registry, describer: Describer, geometry: Geometry): Recorder {
  const TEXT_MOST = 120;
  const VALUE_MOST = 200;
  const ATTRIBUTES_MOST = 30;
  const OPTIONS_MOST = 30;

  const nameOf = (element: Element): string => {
    const plain = (text: string | null | undefined): string => describer.collapsed(text ?? "", TEXT_MOST);
    const named = (): string => {
      const ids = element.getAttribute("aria-labelledby");
      if (!ids) return "";
      const root = element.getRootNode();
      if (!(root instanceof Document || root instanceof ShadowRoot)) return "";
      return ids
        .split(/\s+/)
        .map((id) => plain(root.getElementById(id)?.textContent))
        .join(" ")
        .trim();
    };
    const labels = describer.labelsOf(element).map((label) => plain(label.textContent));
    const typed = /^(input|select|textarea)$/.test(element.localName);
    return (
      plain(element.getAttribute("aria-label")) ||
      named() ||
      labels.join(" ").trim() ||
      (typed ? "" : plain(element.textContent)) ||
      plain(element.getAttribute("placeholder")) ||
      plain(element.getAttribute("title")) ||
      plain(
        element.getAttribute("alt") ?? element.querySelector("img[alt], [aria-label]")?.getAttribute("alt"),
      )
    );
  };

  const stateOf = (element: Element): Partial<RawElement> => {
    const secret = registry.isSecret(element);
    if (element instanceof HTMLInputElement) {
      if (element.type === "checkbox" || element.type === "radio") return { checked: element.checked };
      if (secret) return {};
      return { value: element.value.slice(0, VALUE_MOST) };
    }
    if (element instanceof HTMLTextAreaElement) return { value: element.value.slice(0, VALUE_MOST) };
    if (element instanceof HTMLSelectElement) {
      const chosen = [...element.selectedOptions].map(({ label }) => label.trim()).join(", ");
      const options = [...element.options]
        .slice(0, OPTIONS_MOST)
        .map(({ label }) => label.trim().slice(0, 60));
      return { value: chosen.slice(0, VALUE_MOST), options };
    }
    const checked = element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
    const selected = element.getAttribute("aria-selected");
    return {
      ...(checked === null ? {} : { checked: checked === "true" }),
      ...(selected === null ? {} : { selected: selected === "true" }),
    };
  };

  const attributesOf = (element: Element): Record<string, string> => {
    const found: Record<string, string> = {};
    const secret = registry.isSecret(element);
    let left = ATTRIBUTES_MOST;
    for (const { name, value } of element.attributes) {
      if (name === "style" || (name === "value" && secret)) continue;
      if (left-- === 0) break;
      found[name] = value.length > VALUE_MOST ? value.slice(0, VALUE_MOST) : value;
    }
    return found;
  };

  const rounded = ({ left, top: upper, width, height }: DOMRect): RawBox => [
    Math.round(left),
    Math.round(upper),
    Math.round(width),
    Math.round(height),
  ];

  const scrollsOf = (element: Element): readonly [number, number] | undefined => {
    const { scrollHeight, clientHeight, scrollTop } = element;
    if (clientHeight < 40 || scrollHeight <= clientHeight + 4) return undefined;
    if (!/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) return undefined;
    return [Math.round(scrollTop), Math.round(scrollHeight - clientHeight - scrollTop)];
  };

  const typeOf = (element: Element): string => {
    if (
      element instanceof HTMLInputElement ||
      element instanceof HTMLButtonElement ||
      element instanceof HTMLSelectElement
    )
      return element.type;
    return element.getAttribute("role") ?? element.localName;
  };

  const record = (found: Found, paths: ReturnType<Describer["paths"]>): RawElement => {
    const { element, rect, hidden } = found;
    const seen = rect.right > 0 && rect.bottom > 0 && rect.left < innerWidth && rect.top < innerHeight;
    const covered = seen && !hidden ? geometry.coveredBy(element) : undefined;
    const aria = element.getAttribute("aria-label");
    const placeholder = element.getAttribute("placeholder");
    const role = element.getAttribute("role");
    const form = element instanceof HTMLElement && "form" in element ? element.form : null;
    const labels = describer
      .labelsOf(element)
      .map((label) => describer.collapsed(label.textContent ?? "", TEXT_MOST))
      .filter((label) => label !== "");
    const text = describer.collapsed(found.text, TEXT_MOST);
    const title = text === "" && labels.length === 0 && !aria && !placeholder ? nameOf(element) : "";
    const scrolls = scrollsOf(element);
    return {
      id: registry.idOf(element),
      tag: element.localName,
      type: typeOf(element),
      act: found.act,
      selector: paths.selector(element),
      xpath: paths.xpath(element),
      ...(text || title ? { text: text || title } : {}),
      ...stateOf(element),
      ...(placeholder ? { placeholder } : {}),
      ...(aria ? { ariaLabel: aria } : {}),
      ...(role ? { role } : {}),
      ...(element.matches(":disabled") || element.getAttribute("aria-disabled") === "true"
        ? { disabled: true }
        : {}),
      ...(hidden ? { hidden: true } : {}),
      ...(element.hasAttribute("required") || element.getAttribute("aria-required") === "true"
        ? { required: true }
        : {}),
      ...(form instanceof HTMLFormElement && form.id !== "" ? { formId: form.id } : {}),
      ...(form instanceof HTMLFormElement && form.getAttribute("name")
        ? { formName: form.getAttribute("name") ?? "" }
        : {}),
      ...(labels.length > 0 ? { labels } : {}),
      attributes: attributesOf(element),
      box: rounded(rect),
      seen,
      ...(covered === undefined ? {} : { covered }),
      segment: found.segment,
      ...(scrolls ? { scrolls } : {}),
    };
  };

  return { record, nameOf, attributesOf };
}
