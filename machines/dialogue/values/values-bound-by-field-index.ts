/** Binds a value of a task to a field by the field's index before the value: `#field-7 "Berlin"`. */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";

/** Writes a value with the index of its field, such as `#field-7 "Berlin"`. `boundField` reads the index. */
export const bound = ({ highlight_index }: HighlightedElement, value: string): string =>
  `#field-${highlight_index} "${value}"`;

/**
 * Returns the index of the field to which a word such as `#field-7` refers; `undefined` for any other word.
 */
export function boundField(word: string): number | undefined {
  const [, index] = /^#field-(\d+)$/u.exec(word) ?? [];
  return index === undefined ? undefined : Number(index);
}
