/**
 * Runs the effects of one actor from its rows: starts new ones, aborts removed ones.
 * A row is durable before its effect starts and is deleted by the step that takes the result. So the effect
 * runs again after a crash, and also when the store was away, without the machine noticing.
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
  /** Called the first time an effect finds no store and will run again. */
  readonly again: (effect: EffectRow, error: CairnError) => void;
  readonly finished: (effect: EffectRow, result: EffectResult) => void;
  /** Resolves when the step of the event is durable. */
  readonly notify: (effect: EffectRow, event: CommandBody) => Promise<void>;
  readonly publish: (topic: string, event: CommandBody) => void;
  readonly sureFor: () => number;
}

interface Running {
  readonly run: number;
  readonly abort: AbortController;
  /** Work to do before the owner hands the actor over. */
  readonly before: (() => Promise<void>)[];
}

export class EffectRunner {
  readonly #definition: AnyActorDefinition;
  readonly #address: Address;
  readonly #services: unknown;
  readonly #hooks: EffectHooks;
  /** The highest run that was started, by any owner: rows are numbered in order. */
  #begun = 0;
  readonly #running = new Map<string, Running>();
  /** This owner hands the actor over: nothing is started any more. */
  #leaving = false;
  readonly #parting = new Set<Promise<void>>();

  constructor(definition: AnyActorDefinition, address: Address, services: unknown, hooks: EffectHooks) {
    this.#definition = definition;
    this.#address = address;
    this.#services = services;
    this.#hooks = hooks;
  }

  /** Runs stored before this owner had the actor may have been started. */
  loaded(run: number): void {
    this.#begun = run;
  }

  /** Makes the running effects equal to the committed rows. */
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

  /** Resolves when all work registered for a handover has finished or failed. */
  async leave(): Promise<void> {
    this.#leaving = true;
    for (const { before } of this.#running.values()) for (const work of before) this.#part(work);
    while (this.#parting.size > 0) await Promise.all(this.#parting);
  }

  #part(work: () => Promise<void>): void {
    // The effect reports its own failure; the next owner continues as after a crash.
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

  /** Runs an effect to its end, again from the beginning while the store is away. */
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
      // This attempt ends here, and its events are durable before the next attempt reads.
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
    // The registry erases the type of the services; the node gave every kind the same ones.
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
    // An aborted effect reports nothing: its row or its shard is gone. A finished one stays listed until its
    // row is gone, so that a commit in between does not start it again.
    if (abort.signal.aborted) return;
    this.#hooks.finished(row, result);
  }
}
