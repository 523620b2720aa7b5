/**
 * Masks known secrets in everything a session returns, in every spelling.
 * Fields named like secrets are masked by `../inspection/masking.ts`; this finds the values anywhere: in
 * pages, addresses and messages.
 */
import { MASK } from "../inspection/masking.ts";

/** Shorter secrets would mask parts of ordinary words, so they are masked only as whole words. */
const SHORTEST = 4;

export class Redactor {
  readonly #written = new Set<string>();
  readonly #whole = new Set<string>();
  #pattern: RegExp | undefined;

  add(...secrets: readonly string[]): void {
    const known = this.#written.size;
    for (const secret of secrets) {
      if (secret.length >= SHORTEST) for (const one of spellings(secret)) this.#written.add(one);
      else if (secret !== "") this.#whole.add(secret);
    }
    if (this.#written.size === known) return;
    // Longest first, because one may start with another.
    const all = [...this.#written].sort((one, other) => other.length - one.length);
    this.#pattern = new RegExp(all.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  }

  text(text: string): string {
    if (this.#whole.has(text)) return MASK;
    return this.#pattern ? text.replace(this.#pattern, MASK) : text;
  }

  /** Returns the same value when it holds no secret, else a masked copy. Plain data only. */
  mask<Value>(value: Value): Value {
    if (!this.#pattern && this.#whole.size === 0) return value;
    return this.#masked(value) as Value; // The type of the value is kept.
  }

  #masked(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#masked(item));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (typeof value !== "object" || value === null) return value;
    let changed = false;
    const fields = Object.entries(value).map(([name, field]) => {
      const kept: readonly [string, unknown] = [this.text(name), this.#masked(field)];
      changed ||= kept[0] !== name || kept[1] !== field;
      return kept;
    });
    return changed ? Object.fromEntries(fields) : value;
  }
}

/** How a text is written in URLs, forms, JSON and markup. */
function spellings(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inMarkup = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inAttribute = inMarkup.replaceAll('"', "&quot;");
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, inAddress, inForm, inJson, inMarkup, inAttribute, encodeURI(secret)];
}
