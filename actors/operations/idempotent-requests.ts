/**
 * What was asked with an `Idempotency-Key`, and what was answered, as the gateway uses it. Both are sealed: arguments and
 * answers of acts may hold what nobody else is to read.
 *
 * Neighbours: `store/repeats.ts` keeps them, `vault.ts` seals, the gateway decides what a repetition is answered.
 */
import { guardLimits } from "../../machines/audit/limits.ts";
import type { Store } from "../../store/index.ts";
import type { Clock } from "../runtime/index.ts";
import type { Vault } from "../secrets/vault.ts";

/** A request by what it asked. `answer`: `undefined` while there is none. */
export interface Repeat {
  readonly fingerprint: string;
  readonly answer?: unknown;
}

export class Repeats {
  readonly #store: Store;
  readonly #vault: () => Promise<Vault>;
  readonly #clock: Clock;

  constructor(store: Store, vault: () => Promise<Vault>, clock: Clock) {
    this.#store = store;
    this.#vault = vault;
    this.#clock = clock;
  }

  /** What is known of an id: what another request began, or this one. */
  async begin(id: string, fingerprint: string): Promise<Repeat> {
    const vault = await this.#vault();
    const sealed = await vault.seal(JSON.stringify({ fingerprint } satisfies Repeat), about(id));
    const row = { sealed, mark: crypto.randomUUID(), at: this.#clock.now() };
    const found = await this.#store.repeats.begin(id, row);
    if (found.mark === row.mark) return { fingerprint };
    return JSON.parse(await vault.open(found.sealed, about(id))) as Repeat; // As it was sealed.
  }

  /** Keeps the answer, unless it is too large to be kept. */
  async end(id: string, repeat: Repeat): Promise<void> {
    const text = JSON.stringify(repeat);
    if (text.length > guardLimits.repeatLength) return;
    await this.#store.repeats.end(id, await (await this.#vault()).seal(text, about(id)));
  }
}

function about(id: string): string {
  return `repeat/${id}`;
}
