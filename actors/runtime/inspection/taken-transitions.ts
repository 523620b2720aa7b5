/**
 * Finds the transitions of a step by repeating it with XState's inspection.
 * A step is pure, so it can be repeated when an inspector is connected, and costs nothing otherwise. Only
 * this file reads XState's inspection.
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
  /** The event of the transition: the step's own, or one that the machine raised. */
  readonly event: AnyEventObject;
  readonly transitions: readonly TakenTransition[];
  /** The state value after it. */
  readonly value: unknown;
}

/** The microsteps of a step that took a transition. */
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
    // The microstep of a machine has a machine snapshot.
    const { value } = seen.snapshot as AnyMachineSnapshot;
    microsteps.push({ event: seen.event, transitions, value });
  };
  // This actor is never started; it only provides its system, which carries the inspection.
  const self = createActor(machine, { inspect });
  machine.transition(
    before,
    event,
    scopeOf(self, () => {}),
  );
  return microsteps;
}
