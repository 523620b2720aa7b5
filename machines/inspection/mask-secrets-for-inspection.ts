/**
 * Shortens values and masks secrets for inspection. All data that inspection shows passes through `masked`.
 * It masks fields whose name indicates a secret, and in texts it masks credentials in URLs, bearer tokens and
 * parameters with secret-like names.
 */
import { inspectionLimits } from "./actor-inspection-limits.ts";
import { MASK, namesSecret } from "./names-of-secret-fields.ts";

/** Masks the secrets in a text that are recognisable by their form, such as bearer tokens. */
export function maskText(text: string): string {
  return text
    .replace(/(:\/\/)[^\s/?#"']+@/g, `$1${MASK}@`)
    .replace(/\b(bearer\s+)[A-Za-z0-9._~+/=-]+/gi, `$1${MASK}`)
    .replace(/([?&;#])([\w.-]{1,64})=([^&;#\s"']+)/g, (whole, before: string, name: string) =>
      namesSecret(name) ? `${before}${name}=${MASK}` : whole,
    );
}

/** Limits for a masked value in an inspection. Parts beyond the limits are not shown. */
export interface Bounds {
  /** Maximum depth of nested values that are shown. */
  readonly depth: number;
  /** Maximum number of entries that are shown of one list or record. */
  readonly entries: number;
  /** Maximum number of characters that are shown of one text. */
  readonly text: number;
  /** Maximum number of values in the masked copy. Nested values count too. */
  readonly values: number;
}

/**
 * Returns a copy of a value that is safe to show. It contains only JSON, with secrets replaced by `MASK`. A
 * note marks each place where something was cut off (`"… 17 more"`, `{ "…": "17 more" }`).
 */
export function masked(value: unknown, bounds: Bounds = inspectionLimits.context): unknown {
  let left = bounds.values;
  const show = (given: unknown, depth: number): unknown => {
    left -= 1;
    switch (typeof given) {
      case "string": {
        // Masking a long text is slow, so the text is cut first, to twice the shown length. A secret near the
        // end of the shown text is then still recognised.
        const text = maskText(given.slice(0, bounds.text * 2));
        const more = given.length - bounds.text;
        return more > 0 ? `${text.slice(0, bounds.text)}… ${more} more characters` : text;
      }
      case "number":
      case "boolean":
        return given;
      case "object":
        break;
      default:
        return null;
    }
    if (given === null) return null;
    if (depth === 0 || left <= 0) return Array.isArray(given) ? `[… ${given.length}]` : "{…}";
    if (Array.isArray(given)) {
      const shown: unknown[] = [];
      for (const item of given) {
        if (shown.length >= bounds.entries || left <= 0) {
          shown.push(`… ${given.length - shown.length} more`);
          break;
        }
        shown.push(show(item, depth - 1));
      }
      return shown;
    }
    const shown: [string, unknown][] = [];
    const names = Object.keys(given);
    for (const name of names) {
      if (shown.length >= bounds.entries || left <= 0) {
        shown.push(["…", `${names.length - shown.length} more`]);
        break;
      }
      // The cast is safe: the name is one of the object's own fields.
      const item = (given as Readonly<Record<string, unknown>>)[name];
      if (item === undefined) continue;
      shown.push([name, namesSecret(name) && item !== null && item !== "" ? MASK : show(item, depth - 1)]);
    }
    return Object.fromEntries(shown);
  };
  return show(value, bounds.depth);
}
