/**
 * Does the same as XState's pure `transition()` at lower cost. XState creates an actor for each call, which
 * costs more than the transition itself. Here, one actor per machine serves for all calls, until a step
 * spawns a child.
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

/** For each machine, an actor that is passed to XState's transition as `self`. It is never started. */
const stands = new WeakMap<AnyStateMachine, AnyActor>();

const nothing = () => {};

/**
 * Returns the actor scope that XState's `transition` needs. XState calls only the scope's function
 * `actionExecutor`, which collects the actions. The other functions do nothing.
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

/** Returns the machine's next snapshot and the actions to execute. The snapshot `before` is not changed. */
export function transition(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  event: AnyEventObject,
): readonly [snapshot: AnyMachineSnapshot, actions: readonly Action[]] {
  const self = stands.get(machine) ?? createActor(machine);
  // One actor serves all transitions of a machine. After a step that throws or spawns a child, this actor is
  // dropped, because the child would stay registered in the actor's system.
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
