/**
 * Finds the date fields that consist of several parts, such as month, day and year (React Aria, Material UI). The map lists
 * such parts as one field.
 */
import { areDateParts } from "../../../machines/session/page/date-fields-of-several-parts.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import type { Labels } from "./describe-element-as-control.ts";

/** The date fields of a page. The first part of each stands for all its parts. */
export class SplitDates {
  readonly #names = new Map<HtmlElement, string>();
  readonly #omitted = new Set<HtmlElement>();

  constructor({ controls }: HtmlDocument, labels: Labels) {
    const parts = controls.filter(
      ({ tag, attributes }) => attributes.role === "spinbutton" && tag !== "input",
    );
    for (const [box, own] of Map.groupBy(parts, groupAround)) {
      const [first, ...others] = own;
      const name = first && labels.groupOf(first);
      if (!box || !name || !areDateParts(own.map(({ attributes }) => Number(attributes["aria-valuemax"]))))
        continue;
      this.#names.set(first, name);
      for (const one of others) this.#omitted.add(one);
    }
  }

  /** Returns the name of the date field for which a part stands; `undefined` for other elements. */
  nameOf(part: HtmlElement): string | undefined {
    return this.#names.get(part);
  }

  isOmitted(part: HtmlElement): boolean {
    return this.#omitted.has(part);
  }
}

/** Returns the nearest named group around a part. */
function groupAround(part: HtmlElement): HtmlElement | undefined {
  for (let at = part.parent; at; at = at.parent)
    if (at.attributes.role === "group" && (at.attributes["aria-labelledby"] || at.attributes["aria-label"]))
      return at;
  return undefined;
}
