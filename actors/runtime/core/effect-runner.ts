/**
 * Runs the effects of one actor from its rows: starts what is new, aborts what is gone.
 *
 * An effect's row is durable before it starts and is deleted by the step that takes its result, so after a
 * crash it runs again; and it does when it found no store, which no machine has to know of.
 * Neighbour: `activation.ts` reconciles after each commit and takes the results.
 */
import { asCairnError, type CairnError, Defect, Fenced } from "../../../machines/errors.ts";
import type { Address } from "../address.ts";
import { type Clock, pause } from "../clock.ts";
import type { AnyActorDefinition, EffectScope } from "../definition.ts";
import type { CommandBody } from "../message.ts";
import type { EffectRow } from "./actor-record.ts";
import type { EffectResult } from "./step.ts";
import { isStoreAway, storePause } from "./store-backoff.ts";

export interface EffectHooks {
  readonly clock: Clock;
  /** An effect found no store, and runs again in a while: told the first time. */
  readonly again: (effect: EffectRow, error: CairnError) => void;
  readonly finished: (effect: EffectRow, result: EffectResult) => void;
  /** Resolves when the step that took the event is durable. */
  readonly notify: (effect: EffectRow, event: CommandBody) => Promise<void>;
  readonly publish: (topic: string, event: CommandBody) => void;
  readonly sureFor: () => number;
}

interface Running {
  readonly run: number;
  readonly abort: AbortController;
  /** What is to be done before its owner gives it up. */
  readonly before: (() => Promise<void>)[];
}

export class Effects {
  readonly #definition: AnyActorDefinition;
  readonly #address: Address;
  readonly #services: unknown;
  readonly #hooks: EffectHooks;
  /** The highest run that was begun, by whomever: rows are numbered in the order in which they come. */
  #begun = 0;
  readonly #running = new Map<string, Running>();
  /** This owner gives the actor up: nothing is begun any more. */
  #leaving = false;
  readonly #parting = new Set<Promise<void>>();

  constructor(definition: AnyActorDefinition, address: Address, services: unknown, hooks: EffectHooks) {
    this.#definition = definition;
    this.#address = address;
    this.#services = services;
    this.#hooks = hooks;
  }

  /** What was stored before this owner had the actor may have been begun. */
  loaded(run: number): void {
    this.#begun = run;
  }

  /** Makes what runs equal to the committed rows. */
  reconcile(rows: readonly EffectRow[]): void {
    for (const [id, running] of this.#running) {
      if (!rows.some((row) => row.id === id && row.run === running.run)) {
        this.#running.delete(id);
        running.abort.abort();
      }
    }
    const begun = this.#begun;
    for (const row of rows) {
      this.#begun = Math.max(this.#begun, row.run);
      if (!this.#running.has(row.id) && !this.#leaving) this.#start(row, row.run <= begun);
    }
  }

  /** Resolves when all that wanted something done before their owner leaves have it done, or have failed to. */
  async leave(): Promise<void> {
    this.#leaving = true;
    for (const { before } of this.#running.values()) for (const work of before) this.#part(work);
    while (this.#parting.size > 0) await Promise.all(this.#parting);
  }

  #part(work: () => Promise<void>): void {
    // What failed is the effect's own to tell; the next owner finds it as after a crash.
    const parting = work()
      .catch(() => {})
      .finally(() => this.#parting.delete(parting));
    this.#parting.add(parting);
  }

  abortAll(): void {
    for (const running of this.#running.values()) running.abort.abort();
    this.#running.clear();
  }

  #start(row: EffectRow, resumed: boolean): void {
    const running = { run: row.run, abort: new AbortController(), before: [] };
    this.#running.set(row.id, running);
    void this.#run(row, running, resumed);
  }

  /** Runs it to its end, and again from the beginning for as long as it finds no store. */
  async #run(row: EffectRow, running: Running, resumed: boolean): Promise<void> {
    const { abort, before } = running;
    for (let tries = 0; !abort.signal.aborted; tries += 1) {
      const attempt = new AbortController();
      const end = () => attempt.abort();
      abort.signal.addEventListener("abort", end, { once: true });
      const told = new Set<Promise<void>>();
      const notify = async (event: CommandBody): Promise<void> => {
        if (attempt.signal.aborted)
          throw new Fenced("effect.superseded", "This attempt at the effect has ended.");
        const durable = this.#hooks.notify(row, event);
        told.add(durable);
        try {
          await durable;
        } finally {
          told.delete(durable);
        }
      };
      try {
        this.#finish(row, abort, {
          ok: true,
          output:
            (await this.#attempt(row, {
              signal: attempt.signal,
              notify,
              resumed: resumed || tries > 0,
              beforeLeaving: (work) => {
                if (this.#leaving) this.#part(work);
                else before.push(work);
              },
            })) ?? null,
        });
        return;
      } catch (thrown) {
        const error = asCairnError(thrown, "effect.failed");
        if (!isStoreAway(error)) {
          this.#finish(row, abort, { ok: false, error: error.toBody() });
          return;
        }
        if (tries === 0) this.#hooks.again(row, error);
      } finally {
        abort.signal.removeEventListener("abort", end);
      }
      // What is left of this attempt ends here, and what it has told is durable before the next one looks.
      end();
      await Promise.allSettled([...told]);
      await pause(this.#hooks.clock, storePause(tries));
    }
  }

  async #attempt(
    row: EffectRow,
    own: Pick<EffectScope<never>, "signal" | "notify" | "resumed" | "beforeLeaving">,
  ): Promise<unknown> {
    const handler = this.#definition.effects[row.src];
    if (!handler) throw new Defect("effect.unknown", `No effect is called ${row.src}.`);
    // The registry erases the services' type; the node that made them gave every kind the same ones.
    const services = this.#services as never;
    return await handler(row.input, {
      address: this.#address,
      services,
      ...own,
      sureFor: this.#hooks.sureFor,
      publish: this.#hooks.publish,
    });
  }

  #finish(row: EffectRow, abort: AbortController, result: EffectResult): void {
    // An aborted effect has nobody to tell: its row is gone, or its shard is. A finished one stays listed until
    // its row is gone, so that a commit in between does not start it again.
    if (abort.signal.aborted) return;
    this.#hooks.finished(row, result);
  }
}
