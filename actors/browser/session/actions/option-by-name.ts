/** Finds the option of a list that the caller's text names. */
import type { ListOption } from "../../page-script/widgets/custom-listbox.ts";

export const normalizeOption = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

/**
 * Returns the option that the text names. This is the option whose complete label or value equals the text.
 * Without such an option, it is the only option whose first line equals the text, or whose label begins with it.
 */
export function matchingOption(options: readonly ListOption[], text: string): ListOption | undefined {
  const wanted = normalizeOption(text);
  const exact = options.find(
    ({ label, value }) => normalizeOption(label) === wanted || normalizeOption(value) === wanted,
  );
  if (exact) return exact;
  const [titled, another] = options.filter(({ title }) => normalizeOption(title ?? "") === wanted);
  if (titled && !another) return titled;
  const startingWith = options.filter(({ label }) => {
    const shown = normalizeOption(label);
    return shown.startsWith(wanted) && !/[\p{L}\p{N}]/u.test(shown.charAt(wanted.length));
  });
  return startingWith.length === 1 ? startingWith[0] : undefined;
}
