/** The newest events of an actor in memory, for `GET /api/actors/{kind}/{id}`. They are lost with the activation. */

import { sourceOf } from "../inspection/inspector.ts";
import { activationLimits } from "../limits.ts";
import { stateName } from "./interpret.ts";
import type { Item, StepResult } from "./step.ts";

interface Noted {
  readonly at: number;
  readonly type: string;
  readonly source: string;
  readonly id: string | null;
  readonly outcome: string;
  readonly value: unknown;
}

export interface RecentEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The event's type, as the machine names it. */
  readonly type: string;
  /** Its sender: `caller`, an actor, `effect <id>`, `timer <id>`. */
  readonly source: string;
  /** The command's id, for commands. */
  readonly command_id: string | null;
  /** `ok`, the code of the refusal or failure, or `stale` for a result of an ended run. */
  readonly outcome: string;
  /** The state after the event. */
  readonly state: string;
}

export class RecentEvents {
  readonly #noted: Noted[] = [];

  note(at: number, item: Item, { outcome, applied, event, state }: StepResult): void {
    const said = outcome && !outcome.ok ? outcome.error.code : applied || outcome ? "ok" : "stale";
    this.#add(at, item, event?.type, said, state.snapshot.value);
  }

  /** Records an event whose step failed. */
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
