/**
 * Returns the statecharts of all actor kinds for the console. They are loaded on the main thread with the
 * first request.
 */
import type { AnyStateMachine } from "xstate";
import { kinds } from "../machines/actor-kinds.ts";
import { Refused } from "../machines/errors.ts";
import { type Chart, chartOf } from "../machines/inspection/statechart-of-state-machine.ts";

export class ChartRegistry {
  readonly #charts = new Map<string, Promise<Chart>>();

  kinds(): readonly string[] {
    return Object.keys(kinds);
  }

  /** Returns the statechart of a kind. Throws `actor.unknown_kind` when there is no such kind. */
  async chart(kind: string): Promise<Chart> {
    const load = Object.entries(kinds).find(([name]) => name === kind)?.[1].machine;
    if (!load) {
      throw new Refused(
        "actor.unknown_kind",
        `This Cairn has no kind of actor called ${kind}; it has ${this.kinds().join(", ")}.`,
        { status: 404 },
      );
    }
    // The cast only adds a type. The loader of an actor kind returns a machine without a precise type,
    // because each machine is type-checked in the file that defines it.
    const known = this.#charts.get(kind) ?? load().then((machine) => chartOf(machine as AnyStateMachine));
    this.#charts.set(kind, known);
    return await known;
  }
}
