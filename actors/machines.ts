/**
 * The machines of all kinds, to be looked at: read when first asked for, on the node's own thread.
 *
 * Only the statecharts, not what carries them out: that is in the workers (`worker.ts`).
 */
import type { AnyStateMachine } from "xstate";
import { Refused } from "../machines/errors.ts";
import { type Chart, chartOf } from "../machines/inspection/chart.ts";

/** By kind. The types of a machine have done their work in its own file. */
const machines: Readonly<Record<string, () => Promise<AnyStateMachine>>> = {
  exploration: async () =>
    (await import("../machines/exploration/machine.ts")).explorationMachine as unknown as AnyStateMachine,
  host: async () => (await import("../machines/host/machine.ts")).hostMachine as unknown as AnyStateMachine,
  janitor: async () =>
    (await import("../machines/janitor/machine.ts")).janitorMachine as unknown as AnyStateMachine,
  knowledge: async () =>
    (await import("../machines/knowledge/machine.ts")).knowledgeMachine as unknown as AnyStateMachine,
  session: async () =>
    (await import("../machines/session/machine.ts")).sessionMachine as unknown as AnyStateMachine,
};

export class MachineShelf {
  readonly #charts = new Map<string, Promise<Chart>>();

  kinds(): readonly string[] {
    return Object.keys(machines);
  }

  /** The machine of a kind as plain data; `actor.unknown_kind` when there is none. */
  async chart(kind: string): Promise<Chart> {
    const load = Object.hasOwn(machines, kind) ? machines[kind] : undefined;
    if (!load) {
      throw new Refused(
        "actor.unknown_kind",
        `This Cairn has no kind of actor called ${kind}; it has ${this.kinds().join(", ")}.`,
        { status: 404 },
      );
    }
    const known = this.#charts.get(kind) ?? load().then(chartOf);
    this.#charts.set(kind, known);
    return await known;
  }
}
