/**
 * The last events of an actor in memory, for `GET /api/actors/{kind}/{id}`. They are lost when the actor
 * leaves memory.
 */

import { activationLimits } from "../actor-runtime-limits.ts";
import { sourceOf } from "../inspection/runtime-inspector.ts";
import type { Item, StepResult } from "./actor-step.ts";
import { stateName } from "./machine-actions-to-rows.ts";

interface Noted {
  readonly at: number;
  readonly type: string;
  readonly source: string;
  readonly id: string | null;
  readonly outcome: string;
  readonly value: unknown;
}

export interface RecentEvent {
  /** Time of the event in milliseconds since the epoch. */
  readonly at: number;
  /** The type of the event, as in the actor's state machine. */
  readonly type: string;
  /** The sender of the event: `caller`, the address of an actor, `effect <id>` or `timer <id>`. */
  readonly source: string;
  /** The id of the command; null for other events. */
  readonly command_id: string | null;
  /**
   * The result of the event: `ok`, the code of a refusal or failure, or `stale`. `stale`: the event was the
   * result of an effect or a timer that had already ended.
   */
  readonly outcome: string;
  /** The state of the machine after the event. */
  readonly state: string;
}

export class RecentEvents {
  readonly #noted: Noted[] = [];

  note(at: number, item: Item, { outcome, applied, event, state }: StepResult): void {
    const said = outcome && !outcome.ok ? outcome.error.code : applied || outcome ? "ok" : "stale";
    this.#add(at, item, event?.type, said, state.snapshot.value);
  }

  /** Adds an event to the actor's list of recent events, if the step of the event threw an error. */
  failed(at: number, item: Item, code: string, value: unknown): void {
    this.#add(at, item, undefined, code, value);
  }

  shown(): readonly RecentEvent[] {
    return this.#noted.map(({ at, type, source, id, outcome, value }) => {
      return { at, type, source, command_id: id, outcome, state: stateName({ value }) };
    });
  }

  #add(at: number, item: Item, given: string | undefined, outcome: string, value: unknown): void {
    const command = item.kind === "command" ? item.message : undefined;
    const type = given ?? command?.body.type ?? item.kind;
    const source = sourceOf(item);
    this.#noted.push({ at, type, source, id: command?.id ?? null, outcome, value });
    if (this.#noted.length > activationLimits.recentEvents) this.#noted.shift();
  }
}
