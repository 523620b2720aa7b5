/**
 * XState's pure `transition()` without the actor it creates for each call, which costs more than the
 * transition.
 * A transition needs a `self` and a system for spawned children. Neither is ever started, and a step that
 * spawns nothing leaves both unchanged.
 */
import {
  type AnyActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
} from "xstate";

/** An action as a transition returns it. */
type Action = Parameters<Parameters<AnyStateMachine["transition"]>[2]["actionExecutor"]>[0];

/** The actor that serves as `self` for each machine. */
const stands = new WeakMap<AnyStateMachine, AnyActor>();

const nothing = () => {};

/** The scope of a transition; only `actionExecutor` has effects. */
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

/** The next snapshot and the actions to execute. The input snapshot is not changed. */
export function transition(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  event: AnyEventObject,
): readonly [snapshot: AnyMachineSnapshot, actions: readonly Action[]] {
  const self = stands.get(machine) ?? createActor(machine);
  // Discarded when the step throws or spawns, because its system then knows the child.
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
