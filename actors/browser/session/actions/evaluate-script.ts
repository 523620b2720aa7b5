/** Runs a script of the caller in the world of the page's own scripts, if the operator of Cairn allows it. */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Data, PageInput } from "./pointer-and-key-input.ts";

/**
 * Runs the caller's code in the main frame and returns its result.
 * @param allowed whether callers may run scripts (`CAIRN_EVALUATE`)
 */
export async function evaluate({ tab, permit }: PageInput, code: string, allowed: boolean): Promise<Data> {
  if (!allowed) {
    throw new ActionFailure(
      "not_enabled",
      "evaluate is off, since it runs any script in the page. CAIRN_EVALUATE=yes turns it on.",
      { setting: "CAIRN_EVALUATE" },
    );
  }
  const { session } = tab;
  const compile = (expression: string) =>
    tab.answer(session.send("Runtime.compileScript", { expression, sourceURL: "", persistScript: false }));
  // The code is an expression or the body of a function. When an expression returns a function, the function
  // is called.
  const body = `(async () => {\n${code}\n})()`;
  const expression = (await compile(code)).exceptionDetails ? body : code;
  const { exceptionDetails: syntaxError } = await compile(expression);
  if (syntaxError) throw scriptFailure(syntaxError, "invalid_params");
  await tab.answer(tab.frames.trackListeners());
  await permit(sessionLimits.dispatchWithin);
  const answer = await tab.answer(session.send("Runtime.evaluate", { expression, awaitPromise: true }));
  if (answer.exceptionDetails) throw scriptFailure(answer.exceptionDetails, "failed");
  let { result } = answer;
  if (result.objectId !== undefined) {
    const called = await tab.answer(
      session.send("Runtime.callFunctionOn", {
        objectId: result.objectId,
        functionDeclaration: "function () { return typeof this === 'function' ? this() : this; }",
        awaitPromise: true,
        returnByValue: true,
      }),
    );
    if (called.exceptionDetails) throw scriptFailure(called.exceptionDetails, "failed");
    result = called.result;
  }
  const text = JSON.stringify(result.value) ?? result.unserializableValue ?? "undefined";
  const { evaluateLength } = sessionLimits;
  if (text.length > evaluateLength) {
    return { result: text.slice(0, evaluateLength), truncated: true, characters: text.length };
  }
  return { result: result.value ?? result.unserializableValue ?? null };
}

interface Thrown {
  readonly text: string;
  readonly exception?: { readonly description?: string; readonly value?: unknown };
}

function scriptFailure({ text, exception }: Thrown, code: "failed" | "invalid_params"): ActionFailure {
  const description =
    exception?.description ?? (exception?.value === undefined ? text : String(exception.value));
  return new ActionFailure(code, `The script failed: ${description}`, { thrown: description });
}
