/**
 * Keys of searchable texts. The key of a page's text is the key of the page's URL. All other keys start with
 * a prefix for the kind of text: passage, task or screen.
 */
/** The kinds of searchable texts. */
export const foundKinds = ["page", "passage", "task", "screen"] as const;
export type FoundKind = (typeof foundKinds)[number];

const PREFIXES: readonly Exclude<FoundKind, "page">[] = ["passage", "task", "screen"];

export function searchableKey(kind: Exclude<FoundKind, "page">, id: string): string {
  return `${kind}:${id}`;
}

/**
 * Returns the kind of a searchable text (page, passage, task or screen) and the id of its row. A key that
 * starts with `http` belongs to a page.
 */
export function originalOf(key: string): { readonly kind: FoundKind; readonly id: string } {
  for (const kind of PREFIXES)
    if (key.startsWith(`${kind}:`)) return { kind, id: key.slice(kind.length + 1) };
  return { kind: "page", id: key };
}
