/**
 * The keys of a Cairn: each has a name, by which it is told of, and a scope.
 *
 * `CAIRN_API_KEY` is one of scope admin; `CAIRN_API_KEYS` holds further ones. What is compared are digests, of one
 * length and all of them every time, so the time tells nothing. Neighbours: `guard.ts` asks, `session.ts` signs by them.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Config } from "../config.ts";
import { type Caller, covers, type Scope } from "./scope.ts";

export type KeyConfig = Pick<Config, "apiKey" | "apiKeys">;

export interface NamedKey extends Caller {
  readonly key: string;
}

/** The name of `CAIRN_API_KEY`. */
export const MAIN = "main";

export function keysOf({ apiKey, apiKeys }: KeyConfig): readonly NamedKey[] {
  const main: readonly NamedKey[] = apiKey === undefined ? [] : [{ name: MAIN, scope: "admin", key: apiKey }];
  return [...main, ...apiKeys];
}

/** The key with which this Cairn's own commands ask its gateway: the one that may do most. */
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

  /** Whether a key is asked for at all. */
  get any(): boolean {
    return this.#keys.length > 0;
  }

  /** Whose key it is; `undefined`: nobody's. */
  callerOf(given: string): Caller | undefined {
    const of = digest(given);
    let found: Caller | undefined;
    for (const { caller, digest: known } of this.#keys) if (timingSafeEqual(of, known)) found = caller;
    return found;
  }
}

/** `name:scope:key` as a key; a text that says what is wrong otherwise, which never holds the key. */
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
