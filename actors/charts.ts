/** The statecharts of all kinds for the console, loaded on the main thread when they are first requested. */
import type { AnyStateMachine } from "xstate";
import { Refused } from "../machines/errors.ts";
import { type Chart, chartOf } from "../machines/inspection/statechart.ts";
import { kinds } from "../machines/kinds.ts";

export class ChartRegistry {
  readonly #charts = new Map<string, Promise<Chart>>();

  kinds(): readonly string[] {
    return Object.keys(kinds);
  }

  /** The chart of a kind; throws `actor.unknown_kind` when there is none. */
  async chart(kind: string): Promise<Chart> {
    const load = Object.entries(kinds).find(([name]) => name === kind)?.[1].machine;
    if (!load) {
      throw new Refused(
        "actor.unknown_kind",
        `This Cairn has no kind of actor called ${kind}; it has ${this.kinds().join(", ")}.`,
        { status: 404 },
      );
    }
    // The list erases the types of the machines, which are checked where they are defined.
    const known = this.#charts.get(kind) ?? load().then((machine) => chartOf(machine as AnyStateMachine));
    this.#charts.set(kind, known);
    return await known;
  }
}
