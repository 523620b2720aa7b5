/**
 * Who guesses keys: from an address that named wrong ones again and again nobody is heard for a while, right key or not,
 * so that a guess that is right is not told from the others.
 *
 * Who was heard from there shortly before is heard on, since clients may share an address with whoever guesses. In this
 * process only, like all rates. Neighbours: `guard.ts` knows the keys, `rates.ts` the arithmetic, `../app.ts` asks.
 */

import { guardLimits } from "../../machines/audit/limits.ts";
import { CairnError } from "../../machines/errors.ts";
import { Rates, tooMany } from "./rates.ts";
import type { Caller } from "./scope.ts";

/** Whom an address stands for: of IPv6 the network (RFC 6177), in which one host has as many addresses as it likes. */
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

/** Does it name a key, or a ticket, that may be a guess? */
function guesses(request: Request): boolean {
  return request.headers.has("authorization") || new URL(request.url).searchParams.has("ticket");
}

export class Strangers {
  readonly #wrong = new Rates(guardLimits.wrongKey, guardLimits.addresses);
  /** When the holder of a key was heard from an address, in milliseconds of the monotonic clock. */
  readonly #heard = new Map<string, number>();

  /** `asked`: who it is. Throws what that throws, and `security.rate_limited` (429). */
  async heard(
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
      if (!(thrown instanceof CairnError) || thrown.status !== 401 || !guesses(request)) throw thrown;
      const taken = this.#wrong.take(source, now);
      throw taken.granted ? thrown : tooMany("Whoever names wrong keys from there", taken);
    }
    if (caller) this.#assertKnown(caller, source, now);
    return caller;
  }

  #assertKnown({ name }: Caller, source: string, now: number): void {
    const who = `${name} ${source}`;
    const before = this.#heard.get(who);
    const known = before !== undefined && now - before < guardLimits.heardFor;
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
