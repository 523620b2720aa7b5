/**
 * The placeholder for an effect in a state machine. A machine only declares its effects by name and type, and
 * `actors/<kind>/kind.ts` supplies the code. Machines run by the pure `transition()`, which never starts
 * effects, so a placeholder that runs throws an error.
 */
import { fromPromise } from "xstate";

/** Declares an effect by its input and output types, for `setup({ actors: { name: effect<In, Out>() } })`. */
export function effect<Input, Output>() {
  return fromPromise<Output, Input>(() => {
    throw new Error("An effect placeholder was started: machines are stepped, never started.");
  });
}
