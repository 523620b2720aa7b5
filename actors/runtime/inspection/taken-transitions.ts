/**
 * Which transitions a step took: the step once more, this time with XState's own inspection listening.
 *
 * A step is pure, so it can be repeated whenever somebody wants to look, and costs nothing when nobody does. The
 * only file that reads XState's inspection. Neighbour: `inspection.ts` publishes what comes out of here.
 */
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type InspectionEvent as XStateInspection,
} from "xstate";
import type { TakenTransition } from "../../../machines/inspection/inspection-topic.ts";
import { guardName, targetIds, transitionId } from "../../../machines/inspection/statechart.ts";
import { scopeOf } from "../core/transition.ts";

export interface Microstep {
  /** The event it was taken for: the step's own, or one that the machine raised. */
  readonly event: AnyEventObject;
  readonly transitions: readonly TakenTransition[];
  /** The state value after it. */
  readonly value: unknown;
}

/** The microsteps of one step that took something. */
export function traceStep(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  event: AnyEventObject,
): readonly Microstep[] {
  const microsteps: Microstep[] = [];
  const inspect = (seen: XStateInspection): void => {
    if (seen.type !== "@xstate.microstep" || seen._transitions.length === 0) return;
    const transitions = seen._transitions.map((taken) => ({
      id: transitionId(taken),
      source: taken.source.id,
      targets: targetIds(taken),
      event: taken.eventType,
      guard: guardName(taken),
    }));
    const { value } = seen.snapshot as AnyMachineSnapshot; // A machine's microstep has a machine's snapshot.
    microsteps.push({ event: seen.event, transitions, value });
  };
  // Never started: it only lends its system, which carries the inspection.
  const self = createActor(machine, { inspect });
  machine.transition(
    before,
    event,
    scopeOf(self, () => {}),
  );
  return microsteps;
}
