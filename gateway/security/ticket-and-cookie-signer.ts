/**
 * Signs tickets and console sessions with an API key (HMAC, RFC 2104). Every node with the same keys can
 * verify a signature, so no node stores signatures. When a key is replaced, all signatures that were made
 * with it become invalid.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Caller, LOCAL } from "./api-key-scopes.ts";
import type { NamedKey } from "./api-keys.ts";

export class Signer {
  readonly #keys: ReadonlyMap<string, NamedKey>;

  /** If no API keys are configured, signatures use a random key of this process. */
  constructor(keys: readonly NamedKey[]) {
    const signing = keys.length > 0 ? keys : [{ ...LOCAL, key: randomBytes(32).toString("base64url") }];
    this.#keys = new Map(signing.map((key) => [key.name, key]));
  }

  /**
   * Returns the signature of the text `statement`: 43 characters that can be used in a URL or a cookie. Returns
   * `undefined` for an unknown key name.
   */
  sign(name: string, statement: string): string | undefined {
    const key = this.#keys.get(name)?.key;
    return key === undefined ? undefined : createHmac("sha256", key).update(statement).digest("base64url");
  }

  /**
   * Checks that the caller `name` has signed the text `statement` with its API key. Returns this caller if the
   * signature `given` is right, or else `undefined`.
   */
  verify(name: string, statement: string, given: string): Caller | undefined {
    const key = this.#keys.get(name);
    const [right, proof] = [this.sign(name, statement), Buffer.from(given)];
    if (!key || right === undefined || proof.length !== right.length) return undefined;
    return timingSafeEqual(proof, Buffer.from(right)) ? { name, scope: key.scope } : undefined;
  }
}
