/**
 * Stores requests with an `Idempotency-Key` and their answers. Both are encrypted, because they may contain
 * secrets.
 */
import { guardLimits } from "../../machines/audit/api-caller-limits.ts";
import type { Store } from "../../store/index.ts";
import type { Clock } from "../runtime/index.ts";
import type { Vault } from "../secrets/encryption-vault.ts";

/**
 * A stored request, identified by the fingerprint of its content. `answer` is `undefined` while the request
 * is running.
 */
export interface Repeat {
  readonly fingerprint: string;
  readonly answer?: unknown;
}

export class IdempotentRequests {
  readonly #store: Store;
  readonly #vault: () => Promise<Vault>;
  readonly #clock: Clock;

  constructor(store: Store, vault: () => Promise<Vault>, clock: Clock) {
    this.#store = store;
    this.#vault = vault;
    this.#clock = clock;
  }

  /** Returns the earlier request with this id. If there is none, it records the new request. */
  async begin(id: string, fingerprint: string): Promise<Repeat> {
    const vault = await this.#vault();
    const sealed = await vault.seal(JSON.stringify({ fingerprint } satisfies Repeat), about(id));
    const row = { sealed, mark: crypto.randomUUID(), at: this.#clock.now() };
    const found = await this.#store.repeats.begin(id, row);
    if (found.mark === row.mark) return { fingerprint };
    // The cast is safe: only `begin` and `end` of this class write this text, as JSON of a `Repeat`.
    return JSON.parse(await vault.open(found.sealed, about(id))) as Repeat;
  }

  /** Stores the answer to a request, unless it is too large. */
  async end(id: string, repeat: Repeat): Promise<void> {
    const text = JSON.stringify(repeat);
    if (text.length > guardLimits.repeatLength) return;
    await this.#store.repeats.end(id, await (await this.#vault()).seal(text, about(id)));
  }
}

function about(id: string): string {
  return `repeat/${id}`;
}
