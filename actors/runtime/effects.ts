/**
 * Runs the effects of one actor from its rows: starts what is new, aborts what is gone.
 *
 * An effect's row is durable before it starts and is deleted by the step that takes its result, so after a
 * crash it runs again; and it does when it found no store, which no machine has to know of. Neighbours: `activation.ts` reconciles after each commit and takes the results.
 */
import { asCairnError, type CairnError, Defect } from "../../machines/errors.ts";
import type { Address } from "./address.ts";
import type { Clock } from "./clock.ts";
import type { AnyActorDefinition, EffectScope } from "./definition.ts";
import type { CommandBody } from "./message.ts";
import type { EffectRow } from "./record.ts";
import type { EffectResult } from "./step.ts";
import { isStoreAway, storePause } from "./store-away.ts";

export interface EffectHooks {
  readonly clock: Clock;
  /** An effect found no store, and runs again in a while: told the first time. */
  readonly again: (effect: EffectRow, error: CairnError) => void;
  readonly finished: (effect: EffectRow, result: EffectResult) => void;
  /** Resolves when the step that took the event is durable. */
  readonly notify: (effect: EffectRow, event: CommandBody) => Promise<void>;
  readonly publish: (topic: string, event: CommandBody) => void;
}

export class Effects {
  readonly #definition: AnyActorDefinition;
  readonly #address: Address;
  readonly #services: unknown;
  readonly #hooks: EffectHooks;
  readonly #running = new Map<string, { readonly run: number; readonly abort: AbortController }>();

  constructor(definition: AnyActorDefinition, address: Address, services: unknown, hooks: EffectHooks) {
    this.#definition = definition;
    this.#address = address;
    this.#services = services;
    this.#hooks = hooks;
  }

  /** Makes what runs equal to the committed rows. */
  reconcile(rows: readonly EffectRow[]): void {
    for (const [id, running] of this.#running) {
      if (!rows.some((row) => row.id === id && row.run === running.run)) {
        this.#running.delete(id);
        running.abort.abort();
      }
    }
    for (const row of rows) if (!this.#running.has(row.id)) this.#start(row);
  }

  abortAll(): void {
    for (const running of this.#running.values()) running.abort.abort();
    this.#running.clear();
  }

  #start(row: EffectRow): void {
    const abort = new AbortController();
    this.#running.set(row.id, { run: row.run, abort });
    // The registry erases the services' type; the node that made them gave every kind the same ones.
    const scope = {
      address: this.#address,
      services: this.#services as never,
      signal: abort.signal,
      notify: (event: CommandBody) => this.#hooks.notify(row, event),
      publish: this.#hooks.publish,
    } satisfies EffectScope<never>;
    const handler = this.#definition.effects[row.src];
    const run = async () => {
      if (!handler) throw new Defect("effect.unknown", `No effect is called ${row.src}.`);
      return await handler(row.input, scope);
    };
    const attempt = (tries: number) => {
      run().then(
        (output) => this.#finish(row, abort, { ok: true, output: output ?? null }),
        (thrown) => {
          const error = asCairnError(thrown, "effect.failed");
          if (!isStoreAway(error)) this.#finish(row, abort, { ok: false, error: error.toBody() });
          else if (!abort.signal.aborted) {
            if (tries === 0) this.#hooks.again(row, error);
            this.#hooks.clock.after(storePause(tries), () => {
              if (!abort.signal.aborted) attempt(tries + 1);
            });
          }
        },
      );
    };
    attempt(0);
  }

  #finish(row: EffectRow, abort: AbortController, result: EffectResult): void {
    // An aborted effect has nobody to tell: its row is gone, or its shard is. A finished one stays listed until
    // its row is gone, so that a commit in between does not start it again.
    if (abort.signal.aborted) return;
    this.#hooks.finished(row, result);
  }
}
