/**
 * Keys of searchable texts. That of a page is its URL key. Others start with a prefix for the kind of the
 * original.
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
