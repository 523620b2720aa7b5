/** Copies short texts that are kept for a long time, so that the long texts around them can be freed. */

/**
 * Number of UTF-16 code units that one call converts. The engine limits the number of arguments of a call; a
 * call with 300,000 of them throws.
 */
const CODES_AT_ONCE = 4_096;

/**
 * Returns the text as a separate string. In JavaScriptCore, a part of a text (from `slice`, `split` or a
 * match) refers to the complete text. So a cache of a few words would keep the texts of thousands of pages in
 * memory. The function is meant for words, but a text may have any length.
 */
export function copiedText(text: string): string {
  let copy = "";
  for (let start = 0; start < text.length; start += CODES_AT_ONCE) {
    const codes: number[] = [];
    const end = Math.min(start + CODES_AT_ONCE, text.length);
    for (let at = start; at < end; at++) codes.push(text.charCodeAt(at));
    copy += String.fromCharCode(...codes);
  }
  return copy;
}
