/**
 * How much each key may ask, and each address may try to sign in; told with every answer to a key.
 *
 * Neighbours: `rates.ts` has the arithmetic, `../app.ts` asks with each request while there are keys.
 */
import { guardLimits } from "../../machines/audit/limits.ts";
import { SIGN_IN_PATH } from "../console/sign-in.ts";
import { Rates, tooMany } from "./rates.ts";
import type { Caller } from "./scope.ts";
import { sourceOf } from "./strangers.ts";

export interface Measured {
  readonly caller: Caller | undefined;
  readonly method: string;
  readonly path: string;
  readonly address: () => string | undefined;
  /** Of the answer. */
  readonly headers: Record<string, string | number>;
}

export class Measure {
  readonly #keys = new Rates(guardLimits.key, guardLimits.addresses);
  readonly #signIns = new Rates(guardLimits.signIn, guardLimits.addresses);

  /** Throws `security.rate_limited` (429). */
  take({ caller, method, path, address, headers }: Measured): void {
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
