/**
 * Creates the placeholder for an effect in a state machine. A machine declares only the name and the types of
 * an effect; `actors/<kind>/<kind>-actor-kind.ts` supplies its code. A placeholder that is started throws an error.
 */
import { fromPromise } from "xstate";

/** Declares an effect by its input and output types, for `setup({ actors: { name: effect<In, Out>() } })`. */
export function effect<Input, Output>() {
  return fromPromise<Output, Input>(() => {
    throw new Error("An effect placeholder was started: machines are stepped, never started.");
  });
}
