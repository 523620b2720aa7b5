/**
 * Throttles client addresses that send wrong keys. A throttled address is refused even with a right key, so
 * an attacker does not learn whether a guess was correct. Callers who recently authenticated from the address
 * are not refused, because clients may share an address with an attacker.
 */

import { guardLimits } from "../../machines/audit/api-caller-limits.ts";
import { CairnError } from "../../machines/errors.ts";
import type { Caller } from "./api-key-scopes.ts";
import { TokenBuckets, tooMany } from "./token-bucket.ts";

/**
 * Returns the network to which an address belongs. An IPv6 host can use all addresses of its /64 network (RFC
 * 6177), so all of them count as one.
 */
export function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const [first, last] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const groups = first ?? [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - (last?.length ?? 0));
  const all = [...groups, ...Array<string>(missing).fill("0"), ...(last ?? [])];
  return `${all.slice(0, 4).join(":")}::/64`;
}

/** Whether a request contains an API key or a ticket. Both could be guesses of an attacker. */
function mayBeGuess(request: Request): boolean {
  return request.headers.has("authorization") || new URL(request.url).searchParams.has("ticket");
}

export class FailedAuthThrottle {
  readonly #wrong = new TokenBuckets(guardLimits.wrongKey, guardLimits.addresses);
  /**
   * Time of the last use of a key from a client address, in milliseconds of the monotonic clock. Each
   * combination of key and address has its own entry.
   */
  readonly #heard = new Map<string, number>();

  /**
   * Waits for the result of the authentication. Throws its error, or `security.rate_limited` (429) if the
   * client's address is throttled.
   */
  async authenticate(
    request: Request,
    address: string | undefined,
    asked: Promise<Caller | undefined>,
  ): Promise<Caller | undefined> {
    const source = sourceOf(address ?? "unknown");
    const now = performance.now();
    let caller: Caller | undefined;
    try {
      caller = await asked;
    } catch (thrown) {
      if (!(thrown instanceof CairnError) || thrown.status !== 401 || !mayBeGuess(request)) throw thrown;
      const taken = this.#wrong.take(source, now);
      throw taken.granted ? thrown : tooMany("Whoever names wrong keys from there", taken);
    }
    if (caller) this.#assertKnown(caller, source, now);
    return caller;
  }

  #assertKnown({ name }: Caller, source: string, now: number): void {
    const who = `${name} ${source}`;
    const before = this.#heard.get(who);
    const known = before !== undefined && now - before < guardLimits.authenticatedFor;
    const refused = known ? undefined : this.#wrong.exhausted(source, now);
    if (refused) throw tooMany("Whoever names wrong keys from there", refused);
    if (before === undefined) this.#makeRoom();
    this.#heard.set(who, now);
  }

  #makeRoom(): void {
    for (const oldest of this.#heard.keys()) {
      if (this.#heard.size < guardLimits.addresses) break;
      this.#heard.delete(oldest);
    }
  }
}
