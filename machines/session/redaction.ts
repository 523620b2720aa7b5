/**
 * Keeps known secrets out of everything that is told of a session, however they are written there.
 *
 * What is named like a secret is masked elsewhere (`../inspection/masking.ts`); this finds values wherever they appear:
 * in a page that shows them, an address, a message of a script. Pure. Neighbours: whoever types or sends a secret adds
 * it, whoever answers masks.
 */
import { MASK } from "../inspection/masking.ts";

/** A shorter one would blot out half of every text; it is masked where it stands by itself. */
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
    // The longest first: one may begin as another does.
    const all = [...this.#written].sort((one, other) => other.length - one.length);
    this.#pattern = new RegExp(all.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  }

  text(text: string): string {
    if (this.#whole.has(text)) return MASK;
    return this.#pattern ? text.replace(this.#pattern, MASK) : text;
  }

  /** The same value where it holds no secret, else a copy without. Plain data only. */
  mask<Value>(value: Value): Value {
    if (!this.#pattern && this.#whole.size === 0) return value;
    return this.#masked(value) as Value; // Texts stay texts, lists lists, records records.
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

/** How a text is written in addresses, forms, JSON and markup. */
function spellings(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inMarkup = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inAttribute = inMarkup.replaceAll('"', "&quot;");
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, inAddress, inForm, inJson, inMarkup, inAttribute, encodeURI(secret)];
}
