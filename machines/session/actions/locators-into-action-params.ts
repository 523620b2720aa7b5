/**
 * Puts locators (descriptions of elements) back into the parameters of an action, for events. This file does not
 * import zod, because the threads that run the actors do not load it.
 */
import { isRecord } from "../../is-plain-object.ts";
import type { Locators } from "../controls/find-element-by-locator.ts";

type Params = Readonly<Record<string, unknown>>;

/**
 * Returns the parameters of an action as its caller gave them: with locators in place of the indices that
 * `splitLocators` has set.
 */
export function withLocators(params: Params, locators: Locators): Params {
  const replaced = (values: Params, path: string): Params => {
    const { index, ...others } = values;
    const locator = locators[path];
    return locator === undefined ? values : { ...others, ...locator };
  };
  const { to_index, ...top } = replaced(params, "index");
  const goal = locators.to_index ?? to_index;
  const key = locators.to_index === undefined ? "to_index" : "to";
  const whole: Params = goal === undefined ? top : { ...top, [key]: goal };
  if (!Array.isArray(whole.fields)) return whole;
  const fields = whole.fields.map((field: unknown, at) =>
    isRecord(field) ? replaced(field, `fields.${at}.index`) : field,
  );
  return { ...whole, fields };
}
