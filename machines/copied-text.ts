/** Copies short texts that are kept for a long time, so that the long texts around them can be freed. */

/**
 * Returns the text as a separate string. In JavaScriptCore, a part of a text (as from `slice`, `split` or a
 * match) refers to the complete text, so a cache of a few words would keep the texts of thousands of pages in
 * memory. The function is for short texts, such as words.
 */
export function copiedText(text: string): string {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at++) codes.push(text.charCodeAt(at));
  return String.fromCharCode(...codes);
}
