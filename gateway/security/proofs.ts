/**
 * Proofs that somebody with a key had something made: an HMAC (RFC 2104) by that key of what it says.
 *
 * Every node with the same keys knows them and none keeps them; another key in its place ends all. Neighbours:
 * `session.ts` and `tickets.ts` hand them out.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { NamedKey } from "./keys.ts";
import { type Caller, LOCAL } from "./scope.ts";

export class Proofs {
  readonly #keys: ReadonlyMap<string, NamedKey>;

  /** Where there is no key, whoever asks is this process's own. */
  constructor(keys: readonly NamedKey[]) {
    const signing = keys.length > 0 ? keys : [{ ...LOCAL, key: randomBytes(32).toString("base64url") }];
    this.#keys = new Map(signing.map((key) => [key.name, key]));
  }

  /** In 43 characters that may stand in a URL or a cookie; `undefined` where nobody has that name. */
  of(name: string, statement: string): string | undefined {
    const key = this.#keys.get(name)?.key;
    return key === undefined ? undefined : createHmac("sha256", key).update(statement).digest("base64url");
  }

  /** Whose key proves the statement; `undefined`: none does. */
  holder(name: string, statement: string, given: string): Caller | undefined {
    const key = this.#keys.get(name);
    const [right, proof] = [this.of(name, statement), Buffer.from(given)];
    if (!key || right === undefined || proof.length !== right.length) return undefined;
    return timingSafeEqual(proof, Buffer.from(right)) ? { name, scope: key.scope } : undefined;
  }
}
