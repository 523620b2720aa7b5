/**
 * Ligatures of icon fonts: Material Icons and Material Symbols draw the text `delete_outline` as an icon. Such a text is no
 * part of a name.
 */

/** Matches the class of an element whose text an icon font draws as an icon. */
const ICON_FONT = /(?:^|\s)(?:material-(?:icons|symbols)(?:-\w+)?|mat-ligature-font)(?:\s|$)/;
/** Matches the name of an icon: one word in lower case, or several with underscores. */
const LIGATURE = /^[a-z][a-z\d]*(?:_[a-z\d]+)*$/;

/** Whether an element with this class is drawn by an icon font. */
export const isOfIconFont = (classes: string): boolean => ICON_FONT.test(classes);

/** Whether a text may be the name of an icon. */
export const isLigature = (text: string): boolean => LIGATURE.test(text.trim());

/** Returns a text without the names of icons with which it begins or ends. */
export function withoutLigatures(text: string, ligatures: readonly string[]): string {
  let rest = text.trim();
  for (const ligature of ligatures) {
    if (rest === ligature) return "";
    if (rest.startsWith(`${ligature} `)) rest = rest.slice(ligature.length + 1).trim();
    else if (rest.endsWith(` ${ligature}`)) rest = rest.slice(0, -ligature.length - 1).trim();
  }
  return rest;
}
