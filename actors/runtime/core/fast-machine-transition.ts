/**
 * Does the same as XState's pure `transition()` at lower cost. For each call, XState creates an actor, which
 * only serves as `self` and as the system of spawned children, and which costs more than the transition. Here
 * each machine has one such actor, which is used again until a step spawns a child.
 */
import {
  type AnyActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
} from "xstate";

/** An action as XState's transition returns it. */
type Action = Parameters<Parameters<AnyStateMachine["transition"]>[2]["actionExecutor"]>[0];

/** For each machine, an actor that XState's transition needs as `self`. It is never started. */
const stands = new WeakMap<AnyStateMachine, AnyActor>();

const nothing = () => {};

/**
 * Returns the scope that XState's transition needs. Its functions do nothing, except `actionExecutor`, which
 * receives the actions.
 */
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

/** Returns the next snapshot and the actions to execute. The given snapshot is not changed. */
export function transition(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  event: AnyEventObject,
): readonly [snapshot: AnyMachineSnapshot, actions: readonly Action[]] {
  const self = stands.get(machine) ?? createActor(machine);
  // The shared actor is used again only after a step that neither throws nor spawns a child. After a spawn,
  // the child would stay registered in the system of the shared actor.
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
