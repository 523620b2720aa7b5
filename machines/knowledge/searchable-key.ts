/**
 * Keys of searchable texts. The key of a page's text is the page's URL key. The key of any other text starts
 * with a prefix for its kind: passage, task or screen.
 */
import type { FoundKind } from "./protocol.ts";

const PREFIXES: readonly Exclude<FoundKind, "page">[] = ["passage", "task", "screen"];

export function searchableKey(kind: Exclude<FoundKind, "page">, id: string): string {
  return `${kind}:${id}`;
}

/** The kind and id of the original of a searchable text. URL keys start with `http`. */
export function originalOf(key: string): { readonly kind: FoundKind; readonly id: string } {
  for (const kind of PREFIXES)
    if (key.startsWith(`${kind}:`)) return { kind, id: key.slice(kind.length + 1) };
  return { kind: "page", id: key };
}
