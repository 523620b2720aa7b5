/**
 * XState's pure `transition()`, without the actor that it makes anew for each: that costs more than the transition.
 *
 * A transition needs somebody to be `self` and a system for what it spawns; neither is ever started, and a step that
 * spawns nothing leaves both as they were. Neighbours: `step.ts` steps with it, `trace.ts` tells what a step went through.
 */
import {
  type AnyActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
} from "xstate";

/** An action as a transition answers it. */
type Action = Parameters<Parameters<AnyStateMachine["transition"]>[2]["actionExecutor"]>[0];

/** Who stands for the actors of a machine while they are stepped. */
const stands = new WeakMap<AnyStateMachine, AnyActor>();

const nothing = () => {};

/** What a transition is carried out in: nothing happens but what `actionExecutor` does. */
export function scopeOf(
  self: AnyActor,
  actionExecutor: (action: Action) => void,
): Parameters<AnyStateMachine["transition"]>[2] {
  return {
    self,
    system: self.system,
    id: "",
    sessionId: "",
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor,
  };
}

/** The next snapshot and the actions to be carried out. The given snapshot stays as it is. */
export function transition(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  event: AnyEventObject,
): readonly [snapshot: AnyMachineSnapshot, actions: readonly Action[]] {
  const self = stands.get(machine) ?? createActor(machine);
  // Not kept when the step throws, or spawns: what was spawned is known to its system from then on.
  stands.delete(machine);
  const actions: Action[] = [];
  const snapshot = machine.transition(
    before,
    event,
    scopeOf(self, (action) => {
      actions.push(action);
    }),
  );
  if (!actions.some(({ type }) => type === "xstate.spawnChild")) stands.set(machine, self);
  return [snapshot, actions];
}
