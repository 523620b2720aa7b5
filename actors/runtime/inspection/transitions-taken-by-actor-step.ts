/**
 * Finds the transitions that a step has taken. The step is repeated with XState's inspection, which only this
 * file uses. The repetition changes nothing, because a step is pure, and is left out while no inspector is
 * connected.
 */
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type InspectionEvent as XStateInspection,
} from "xstate";
import type { TakenTransition } from "../../../machines/inspection/actor-inspection-topics.ts";
import {
  guardName,
  targetIds,
  transitionId,
} from "../../../machines/inspection/statechart-of-state-machine.ts";
import { scopeOf } from "../core/fast-machine-transition.ts";

export interface Microstep {
  /**
   * The event that caused the transition. It is the event that the step processes, or an event that the
   * machine itself raised during the step.
   */
  readonly event: AnyEventObject;
  readonly transitions: readonly TakenTransition[];
  /** The state of the machine after the transition. */
  readonly value: unknown;
}

/** Runs a step of a machine again, and returns the microsteps in which the machine took a transition. */
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
    // The cast is safe: the actor whose transitions are read is a state machine, so its snapshots are machine
    // snapshots.
    const { value } = seen.snapshot as AnyMachineSnapshot;
    microsteps.push({ event: seen.event, transitions, value });
  };
  // XState reports transitions only to the inspection of an actor's system, so an actor is created. It is not
  // started.
  const self = createActor(machine, { inspect });
  machine.transition(
    before,
    event,
    scopeOf(self, () => {}),
  );
  return microsteps;
}
