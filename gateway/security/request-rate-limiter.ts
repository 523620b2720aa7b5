/**
 * Limits the requests per minute of each key, and the sign-ins from each address. Every answer to a caller
 * with a key reports the number of remaining requests.
 */
import { guardLimits } from "../../machines/audit/api-caller-limits.ts";
import { SIGN_IN_PATH } from "../console/console-sign-in-page.ts";
import type { Caller } from "./api-key-scopes.ts";
import { sourceOf } from "./failed-auth-throttle.ts";
import { TokenBuckets, tooMany } from "./token-bucket.ts";

export interface RatedRequest {
  readonly caller: Caller | undefined;
  readonly method: string;
  readonly path: string;
  readonly address: () => string | undefined;
  /** Headers of the response, to which the rate limit headers are added. */
  readonly headers: Record<string, string | number>;
}

export class RequestRates {
  readonly #keys = new TokenBuckets(guardLimits.key, guardLimits.addresses);
  readonly #signIns = new TokenBuckets(guardLimits.signIn, guardLimits.addresses);

  /** Counts a message on an open socket as a request. Throws `security.rate_limited` (429). */
  takeMessage(caller: Caller): void {
    const taken = this.#keys.take(caller.name, performance.now());
    if (!taken.granted) throw tooMany(`The key "${caller.name}"`, taken);
  }

  /** Counts a request. Throws `security.rate_limited` (429). */
  take({ caller, method, path, address, headers }: RatedRequest): void {
    const now = performance.now();
    if (caller) {
      const taken = this.#keys.take(caller.name, now);
      Object.assign(headers, this.#keys.headers("key", taken));
      if (!taken.granted) throw tooMany(`The key "${caller.name}"`, taken);
    } else if (method === "POST" && path === SIGN_IN_PATH) {
      const taken = this.#signIns.take(sourceOf(address() ?? "unknown"), now);
      Object.assign(headers, this.#signIns.headers("sign-in", taken));
      if (!taken.granted) throw tooMany("Whoever signs in from there", taken);
    }
  }
}
