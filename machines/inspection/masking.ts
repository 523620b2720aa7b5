/**
 * Shortens and masks values for inspection. Everything that is shown of an actor passes through `masked`. A
 * value is secret when the name of its field indicates it, and in texts, credentials in URLs, bearer tokens
 * and secret-looking parameters are masked.
 */
import { inspectionLimits } from "./limits.ts";

/** The text that replaces a secret. */
export const MASK = "********";

/**
 * Words that make the name of a field secret. Names are split into words, so `loginPassword`,
 * `login_password` and `login-password` contain the same words.
 */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "auth",
  "authorization",
  "cookie",
  "cookies",
  "credential",
  "credentials",
  "jwt",
  "otp",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "passwords",
  "pin",
  "pwd",
  "secret",
  "secrets",
  "sig",
  "token",
  "tokens",
  "totp",
]);
/** Words that make a name secret when they stand before `key` or `keys`: `api_key`, `privateKey`. */
const SECRET_KEYS: ReadonlySet<string> = new Set(["access", "api", "private", "secret", "signing"]);

/** Whether a field with this name contains a secret. */
export function namesSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some(
    (word, i) =>
      SECRET_WORDS.has(word) ||
      /^(api|access|private)keys?$/.test(word) ||
      (/^keys?$/.test(word) && SECRET_KEYS.has(words[i - 1] ?? "")),
  );
}

/** Masks the secrets that are recognisable in a text. */
export function maskText(text: string): string {
  return text
    .replace(/(:\/\/)[^\s/?#"']+@/g, `$1${MASK}@`)
    .replace(/\b(bearer\s+)[A-Za-z0-9._~+/=-]+/gi, `$1${MASK}`)
    .replace(/([?&;#])([\w.-]{1,64})=([^&;#\s"']+)/g, (whole, before: string, name: string) =>
      namesSecret(name) ? `${before}${name}=${MASK}` : whole,
    );
}

/** Limits of how much of a value is shown. */
export interface Bounds {
  /** Maximum levels of nesting that are shown. */
  readonly depth: number;
  /** Maximum entries that are shown of one list or record. */
  readonly entries: number;
  /** Maximum characters that are shown of one text. */
  readonly text: number;
  /** Maximum number of values that are shown in total. */
  readonly values: number;
}

/**
 * A copy of a value that can be shown: only JSON, with secrets replaced by `MASK`. A note marks where
 * something was cut (`"… 17 more"`, `{ "…": "17 more" }`).
 */
export function masked(value: unknown, bounds: Bounds = inspectionLimits.context): unknown {
  let left = bounds.values;
  const show = (given: unknown, depth: number): unknown => {
    left -= 1;
    switch (typeof given) {
      case "string": {
        // The text is cut before masking, for speed. Twice the shown length is kept, because a cut may remove
        // the mark by which a secret is recognised.
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
      // The name is one of the object's own fields, so the cast is safe.
      const item = (given as Readonly<Record<string, unknown>>)[name];
      if (item === undefined) continue;
      shown.push([name, namesSecret(name) && item !== null && item !== "" ? MASK : show(item, depth - 1)]);
    }
    return Object.fromEntries(shown);
  };
  return show(value, bounds.depth);
}
