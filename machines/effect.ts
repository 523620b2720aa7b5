/**
 * The placeholder for an effect inside a statechart.
 *
 * Machines name their effects and say what goes in and what comes out; the code that really fetches,
 * stores or clicks is bound to the name in `actors/<kind>.ts`. A machine is only ever stepped purely
 * (`transition()`), so the placeholder is never run. If it is, somebody started a machine: that is a defect.
 */
import { fromPromise } from "xstate";

/** Declares an effect by its input and output types, for `setup({ actors: { name: effect<In, Out>() } })`. */
export function effect<Input, Output>() {
  return fromPromise<Output, Input>(() => {
    throw new Error("An effect placeholder was started: machines are stepped, never started.");
  });
}
