/**
 * The last few things that happened to an actor in memory, for those who look at it (`GET /api/actors/{kind}/{id}`).
 * They leave with the activation. Neighbours: `activation.ts` notes them, `operations.ts` shows them.
 */

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
  /** What the machine was given, as it names it. */
  readonly type: string;
  /** Who gave it: `caller`, an actor, `effect <id>`, `timer <id>`. */
  readonly source: string;
  /** The command's id, for commands. */
  readonly command_id: string | null;
  /** `ok`, the code it was refused or failed with, or `stale` when its run was over. */
  readonly outcome: string;
  /** The state after it. */
  readonly state: string;
}

export class RecentEvents {
  readonly #noted: Noted[] = [];

  note(at: number, item: Item, { outcome, applied, event, state }: StepResult): void {
    const said = outcome && !outcome.ok ? outcome.error.code : applied || outcome ? "ok" : "stale";
    this.#add(at, item, event?.type, said, state.snapshot.value);
  }

  /** It could not be stepped. */
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
