/**
 * The API keys of a Cairn. Each has a name, which appears in the log and the audit log, and a scope. A given
 * key is compared with the digests of all keys, so that response times reveal nothing.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Caller, covers, type Scope } from "./api-key-scopes.ts";

export interface NamedKey extends Caller {
  readonly key: string;
}

/** The configured keys: the one in `CAIRN_API_KEY`, and those in `CAIRN_API_KEYS`. */
export interface KeyConfig {
  readonly apiKey?: string | undefined;
  readonly apiKeys: readonly NamedKey[];
}

/** The name of the key in `CAIRN_API_KEY`. */
export const MAIN_KEY_NAME = "main";

export function keysOf({ apiKey, apiKeys }: KeyConfig): readonly NamedKey[] {
  const main: readonly NamedKey[] =
    apiKey === undefined ? [] : [{ name: MAIN_KEY_NAME, scope: "admin", key: apiKey }];
  return [...main, ...apiKeys];
}

/** Returns the key that this Cairn's own commands use: the one with the widest scope. */
export function ownKey(config: KeyConfig): string | undefined {
  const [first, ...rest] = keysOf(config);
  return rest.reduce((best, next) => (best && covers(best.scope, next.scope) ? best : next), first)?.key;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export class Keys {
  readonly #keys: readonly { readonly caller: Caller; readonly digest: Buffer }[];

  constructor(keys: readonly NamedKey[]) {
    this.#keys = keys.map(({ name, scope, key }) => ({ caller: { name, scope }, digest: digest(key) }));
  }

  /** Whether any API keys are configured. If so, every request needs a key. */
  get any(): boolean {
    return this.#keys.length > 0;
  }

  /** The caller to whom the key belongs; `undefined` for an unknown key. */
  callerOf(given: string): Caller | undefined {
    const of = digest(given);
    let found: Caller | undefined;
    for (const { caller, digest: known } of this.#keys) if (timingSafeEqual(of, known)) found = caller;
    return found;
  }
}

/** Parses `name:scope:key`. For an invalid text it returns the problem, which never contains the key. */
export function readKey(item: string): NamedKey | string {
  const [, name = "", scope = "", key = ""] = /^([^:]*):([^:]*):(.*)$/.exec(item) ?? [];
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name))
    return "each is name:scope:key, the name of letters, digits, _ and -";
  if (!isScope(scope)) return `"${name}" has no scope of read, act and admin`;
  if (!/^[\x21-\x7e]{16,}$/.test(key))
    return `the key of "${name}" needs 16 characters or more, printable ASCII without spaces and commas`;
  return { name, scope, key };
}

function isScope(text: string): text is Scope {
  return text === "read" || text === "act" || text === "admin";
}
