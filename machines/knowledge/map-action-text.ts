/** Writes an action of a map as `tool_name parameters`, which is the form that `execute_action` accepts. */
import { isRecord } from "../is-plain-object.ts";
import { isGiven } from "../text-lines-for-language-model.ts";
import type { BrowserUseAction } from "./knowledge-protocol.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the parameters of an action, with only one description of its element. If they contain a
 * fingerprint, XPath and text are left out, because `execute_action` needs only the fingerprint.
 */
function briefParameters(parameters: Fields): Fields {
  const { fingerprint } = parameters;
  if (!isRecord(fingerprint)) return parameters;
  const { xpath: _path, text, ...rest } = parameters;
  const { tag: _tag, ...brief } = fingerprint;
  const kept = Object.fromEntries(Object.entries(brief).filter(([, value]) => isGiven(value)));
  return {
    ...rest,
    ...(text === undefined || text === fingerprint.name ? {} : { text }),
    fingerprint: kept,
  };
}

export function actionLine({ tool_name, parameters, description }: BrowserUseAction): string {
  return `${tool_name} ${JSON.stringify(briefParameters(parameters))} (${description})`;
}
