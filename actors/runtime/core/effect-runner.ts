/**
 * Runs the effects of one actor. Each effect has a stored row: it starts when its row is durable, and is
 * aborted when its row is removed. The step that receives the result deletes the row, so an effect without a
 * result is started again after a crash or an outage of the store.
 */
import { asCairnError, type CairnError, Defect, Fenced } from "../../../machines/errors.ts";
import type { Address } from "../actor-address.ts";
import type { CommandBody } from "../actor-messages.ts";
import type { ActorSystem } from "../calls-to-actors.ts";
import type { AnyActorDefinition, EffectScope } from "../define-actor.ts";
import { type Clock, pause } from "../runtime-clock.ts";
import type { EffectRow } from "./actor-record.ts";
import type { EffectResult } from "./actor-step.ts";
import { type AttemptEnd, EffectAsks } from "./commands-and-queries-of-effects.ts";
import { isStoreAway, storePause } from "./store-backoff.ts";

export interface EffectHooks {
  readonly clock: Clock;
  /**
   * Called when an effect fails for the first time because the store is unreachable. The effect will run
   * again.
   */
  readonly retried: (effect: EffectRow, error: CairnError) => void;
  readonly finished: (effect: EffectRow, result: EffectResult) => void;
  /** Sends an event of an effect to the machine. Resolves when the step of the event is durable. */
  readonly notify: (effect: EffectRow, event: CommandBody) => Promise<void>;
  readonly publish: (topic: string, event: CommandBody) => void;
  readonly leaseCertainFor: () => number;
  /** Sends the commands and queries of effects to other actors. */
  readonly system: ActorSystem;
}

interface Running {
  readonly run: number;
  readonly abort: AbortController;
  /**
   * Work that the effect has registered. It is done before this owner hands the actor over to the next owner.
   */
  readonly handoverWork: (() => Promise<void>)[];
  /**
   * Why this attempt was aborted. `left`: the machine has left the state of the effect. `moved`: this owner
   * no longer runs the effect, for example because the shard has moved.
   */
  end: AttemptEnd;
}

export class EffectRunner {
  readonly #definition: AnyActorDefinition;
  readonly #address: Address;
  readonly #services: unknown;
  readonly #hooks: EffectHooks;
  /**
   * The highest number of an effect's run that any owner of the actor has started. The next run gets a higher
   * number.
   */
  #lastStarted = 0;
  readonly #running = new Map<string, Running>();
  /** Whether this owner is handing the actor over. It then starts no further effects. */
  #leaving = false;
  readonly #handovers = new Set<Promise<void>>();

  constructor(definition: AnyActorDefinition, address: Address, services: unknown, hooks: EffectHooks) {
    this.#definition = definition;
    this.#address = address;
    this.#services = services;
    this.#hooks = hooks;
  }

  /**
   * Sets the number of the last run that an earlier owner may have started. Effects with a run number up to
   * this one may have been executed already.
   */
  loaded(run: number): void {
    this.#lastStarted = run;
  }

  /** Starts and aborts effects, so that exactly the effects in the committed rows are running. */
  reconcile(rows: readonly EffectRow[]): void {
    for (const [id, running] of this.#running) {
      if (!rows.some((row) => row.id === id && row.run === running.run)) {
        this.#running.delete(id);
        running.end = "left";
        running.abort.abort();
      }
    }
    const lastStarted = this.#lastStarted;
    for (const row of rows) {
      this.#lastStarted = Math.max(this.#lastStarted, row.run);
      if (!this.#running.has(row.id) && !this.#leaving) this.#start(row, row.run <= lastStarted);
    }
  }

  /** Runs the work that effects registered for a handover. Resolves when all of it has finished or failed. */
  async leave(): Promise<void> {
    this.#leaving = true;
    for (const { handoverWork } of this.#running.values())
      for (const work of handoverWork) this.#runHandover(work);
    while (this.#handovers.size > 0) await Promise.all(this.#handovers);
  }

  #runHandover(work: () => Promise<void>): void {
    // `work` reports its failures itself, so its error is ignored here. The next owner of the actor starts
    // the effect again, as after a crash.
    const handover = work()
      .catch(() => {})
      .finally(() => this.#handovers.delete(handover));
    this.#handovers.add(handover);
  }

  abortAll(): void {
    for (const running of this.#running.values()) running.abort.abort();
    this.#running.clear();
  }

  #start(row: EffectRow, resumed: boolean): void {
    const running: Running = { run: row.run, abort: new AbortController(), handoverWork: [], end: "moved" };
    this.#running.set(row.id, running);
    void this.#run(row, running, resumed);
  }

  /**
   * Runs an effect to its end. While the store is unreachable, the effect is started again from its
   * beginning.
   */
  async #run(row: EffectRow, running: Running, resumed: boolean): Promise<void> {
    const { abort, handoverWork } = running;
    for (let tries = 0; !abort.signal.aborted; tries += 1) {
      const attempt = new AbortController();
      const end = () => attempt.abort();
      abort.signal.addEventListener("abort", end, { once: true });
      const notifications = new Set<Promise<void>>();
      const notify = async (event: CommandBody): Promise<void> => {
        if (attempt.signal.aborted)
          throw new Fenced("effect.superseded", "This attempt at the effect has ended.");
        const durable = this.#hooks.notify(row, event);
        notifications.add(durable);
        try {
          await durable;
        } finally {
          notifications.delete(durable);
        }
      };
      try {
        this.#finish(row, abort, {
          ok: true,
          output:
            (await this.#attempt(row, {
              ...this.#questions(row, running, attempt.signal),
              signal: attempt.signal,
              notify,
              resumed: resumed || tries > 0,
              beforeLeaving: (work) => {
                if (this.#leaving) this.#runHandover(work);
                else handoverWork.push(work);
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
        if (tries === 0) this.#hooks.retried(row, error);
      } finally {
        abort.signal.removeEventListener("abort", end);
      }
      // This run of the effect has failed. The next run reads the committed state, so the events of this run
      // must be durable first.
      end();
      await Promise.allSettled([...notifications]);
      await pause(this.#hooks.clock, storePause(tries));
    }
  }

  #questions(
    row: EffectRow,
    running: Running,
    signal: AbortSignal,
  ): Pick<EffectScope<never>, "ask" | "query"> {
    const asks = new EffectAsks(this.#hooks.system, this.#address, row, {
      signal,
      endedBy: () => running.end,
    });
    return {
      // The casts are safe: the asked actor created the value, and the protocol of its kind gives the value's
      // type.
      ask: async (...question) => (await asks.ask(...question)) as never,
      query: async (...question) => (await asks.query(...question)) as never,
    };
  }

  async #attempt(
    row: EffectRow,
    own: Pick<EffectScope<never>, "signal" | "notify" | "resumed" | "beforeLeaving" | "ask" | "query">,
  ): Promise<unknown> {
    const handler = this.#definition.effects[row.src];
    if (!handler) throw new Defect("effect.unknown", `No effect is called ${row.src}.`);
    // The cast is safe: the node gives the same services to the effects of all actor kinds. The registry of
    // kinds does not keep the type of the services.
    const services = this.#services as never;
    return await handler(row.input, {
      address: this.#address,
      services,
      ...own,
      leaseCertainFor: this.#hooks.leaseCertainFor,
      publish: this.#hooks.publish,
    });
  }

  #finish(row: EffectRow, abort: AbortController, result: EffectResult): void {
    // The result of an aborted effect is dropped: its row was deleted, or its shard now has another owner.
    // A finished effect stays in the list of running effects until its row is deleted. Otherwise the next
    // commit would start it again.
    if (abort.signal.aborted) return;
    this.#hooks.finished(row, result);
  }
}
