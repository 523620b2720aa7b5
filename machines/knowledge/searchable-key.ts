/** Keys of searchable copies: a page's is its URL key, others begin with what they are. */
import type { FoundKind } from "./protocol.ts";

const PREFIXES: readonly Exclude<FoundKind, "page">[] = ["passage", "task", "screen"];

export function searchableKey(kind: Exclude<FoundKind, "page">, id: string): string {
  return `${kind}:${id}`;
}

/** What a searchable copy is of. URL keys begin with `http`. */
export function originalOf(key: string): { readonly kind: FoundKind; readonly id: string } {
  for (const kind of PREFIXES)
    if (key.startsWith(`${kind}:`)) return { kind, id: key.slice(kind.length + 1) };
  return { kind: "page", id: key };
}
