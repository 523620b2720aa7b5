/**
 * Masks known secrets in everything that a session returns, in every encoding. `../../inspection/names-of-secret-fields.ts`
 * masks fields by their names, while this file finds the values anywhere: in pages, addresses and messages.
 */
import { MASK } from "../../inspection/names-of-secret-fields.ts";

/**
 * Minimum number of characters of a secret that is masked inside of longer words. A shorter secret is masked
 * only as a complete word, because ordinary words may contain it.
 */
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
    // Longer secrets are replaced first, because a long secret may start with a shorter one.
    const all = [...this.#written].sort((one, other) => other.length - one.length);
    this.#pattern = new RegExp(all.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  }

  text(text: string): string {
    if (this.#whole.has(text)) return MASK;
    return this.#pattern ? text.replace(this.#pattern, MASK) : text;
  }

  /**
   * Returns the same value if it contains no secret, otherwise a masked copy. The value must be plain data.
   */
  mask<Value>(value: Value): Value {
    if (!this.#pattern && this.#whole.size === 0) return value;
    return this.#masked(value) as Value; // The cast is safe: masking keeps the type of the value.
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

/** The encodings of a secret in URLs, forms, JSON and HTML. */
function spellings(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inMarkup = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inAttribute = inMarkup.replaceAll('"', "&quot;");
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, inAddress, inForm, inJson, inMarkup, inAttribute, encodeURI(secret)];
}
