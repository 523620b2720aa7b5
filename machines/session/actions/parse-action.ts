/** Parses a requested action by any of its names and validates it. Unknown parameters are refused. */
import { Refused } from "../../errors.ts";
import { parseWithoutNulls } from "../../parse-without-nulls.ts";
import { type ActionName, actionNamed, actionNames } from "./browser-action-names-and-risks.ts";
import { type Action, actionSchemas } from "./browser-action-parameters.ts";
import { locatorKeys, splitLocators } from "./locators-from-action-params.ts";

/** Returns the validated action, or throws `request.invalid` (422) with the problem. */
export function parseAction(named: string, given: Readonly<Record<string, unknown>>): Action {
  const known = actionNamed(named);
  if (!known) {
    throw new Refused(
      "request.invalid",
      `There is no action "${named.slice(0, 100)}". There are ${actionNames.join(", ")}.`,
      {
        status: 422,
        details: { issues: [{ path: "action_type", message: "unknown action" }] },
      },
    );
  }
  const { shape } = actionSchemas[known];
  const { params, locators, issues: wrong } = splitLocators(given, shape);
  const [first] = wrong;
  if (first) {
    const paths = wrong.map(({ path, message }) => ({ path: `params.${path}`, message }));
    throw invalidParams(
      known,
      `The locator of ${known} is not valid. params.${first.path}: ${first.message}`,
      paths,
    );
  }
  const unknown = unknownParams(known, params).filter((key) => !DESCRIPTIONS.has(key));
  if (unknown.length > 0) {
    throw invalidParams(
      known,
      `${known} has no parameter ${unknown.map((key) => `"${key}"`).join(", ")}, so nothing was done. It takes ${parameterList(shape)}.`,
      unknown.map((key) => ({ path: `params.${key}`, message: "unknown parameter" })),
    );
  }
  const asked = Object.entries(params).filter(([key]) => Object.hasOwn(shape, key));
  const parsed = parseWithoutNulls(actionSchemas[known], Object.fromEntries(asked));
  if (parsed.success) {
    const located = Object.keys(locators).length > 0 ? { locators } : {};
    // The cast is safe: the parameters were validated by the schema of this name.
    return { name: known, params: parsed.data, ...located } as Action;
  }
  const issues = parsed.error.issues.flatMap((issue) => {
    const path = ["params", ...issue.path];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "unknown parameter" }));
    return [{ path: path.join("."), message: issue.message }];
  });
  throw invalidParams(
    known,
    `The parameters of ${known} are not valid. ${issues[0]?.path}: ${issues[0]?.message}`,
    issues,
  );
}

/**
 * Returns the names of an action's parameters for an error text, including those that can replace an index.
 */
function parameterList(shape: object): string {
  const own = Object.keys(shape);
  if (own.length === 0) return "none";
  const located = locatorKeys.filter((key) => !Object.hasOwn(shape, key) && key !== "xpath");
  return own.includes("index")
    ? `${own.join(", ")}; in place of index ${located.join(", ")}`
    : own.join(", ");
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Returns an error that shows an example of the expected parameters. */
function invalidParams(name: ActionName, message: string, issues: readonly Issue[]): Refused {
  const [example] = exampleParams(name);
  return new Refused("request.invalid", `${message} Example: ${JSON.stringify(example)}`, {
    status: 422,
    details: { code: "invalid_params", issues, example },
  });
}

/** Returns examples of valid parameters of an action, made from the action's schema. */
export function exampleParams(name: ActionName): readonly Readonly<Record<string, unknown>>[] {
  const examples = actionSchemas[name].meta()?.examples;
  // The cast is safe: a test checks that every action schema has examples and that each is an object.
  return (examples ?? [{}]) as readonly Readonly<Record<string, unknown>>[];
}

/** Parameters in which models explain an action. They do not change the action and are ignored. */
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  "description",
  "reason",
  "reasoning",
  "thought",
  "comment",
]);

/**
 * Returns the names of parameters in which a model explained the action. They are ignored, and the outcome of
 * the action lists them.
 */
export function ignoredParams(named: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  const known = actionNamed(named);
  return known ? unknownParams(known, params).filter((key) => DESCRIPTIONS.has(key)) : [];
}

/**
 * Returns the names of those parameters that the action does not have. Parameters with empty values are
 * ignored, because many clients send every field they know.
 */
function unknownParams(known: Action["name"], params: Readonly<Record<string, unknown>>): readonly string[] {
  const { shape } = actionSchemas[known];
  return Object.entries(params)
    .filter(([key, value]) => !Object.hasOwn(shape, key) && !isEmpty(value))
    .map(([key]) => key);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === "";
}
