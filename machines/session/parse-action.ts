/** Parses a requested action by any of its names and validates it. Unknown parameters are refused. */
import { Refused } from "../errors.ts";
import { type ActionName, actionNamed, actionNames } from "./action-table.ts";
import { type Action, actionSchemas } from "./actions.ts";
import { locatorKeys, splitLocators } from "./locator-params.ts";

/** The validated action; throws `request.invalid` (422) with what is wrong. */
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
  const parsed = actionSchemas[known].safeParse(Object.fromEntries(asked));
  if (parsed.success) {
    const located = Object.keys(locators).length > 0 ? { locators } : {};
    return { name: known, params: parsed.data, ...located } as Action; // By the schema of its name.
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

/** The names of an action's parameters, and of those that stand for an index. */
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

/** The error shows an example of the parameters that were expected. */
function invalidParams(name: ActionName, message: string, issues: readonly Issue[]): Refused {
  const [example] = exampleParams(name);
  return new Refused("request.invalid", `${message} Example: ${JSON.stringify(example)}`, {
    status: 422,
    details: { code: "invalid_params", issues, example },
  });
}

/** Valid parameters of an action, from its schema. */
export function exampleParams(name: ActionName): readonly Readonly<Record<string, unknown>>[] {
  const examples = actionSchemas[name].meta()?.examples;
  // Every schema of an action has examples that are objects; a test parses them all.
  return (examples ?? [{}]) as readonly Readonly<Record<string, unknown>>[];
}

/** Parameters in which models explain what they do. They cannot change an action, so they are ignored. */
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  "description",
  "reason",
  "reasoning",
  "thought",
  "comment",
]);

/** Descriptions that the action ignores; they are reported with the outcome. */
export function ignoredParams(named: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  const known = actionNamed(named);
  return known ? unknownParams(known, params).filter((key) => DESCRIPTIONS.has(key)) : [];
}

/** Parameters that the action does not know. Empty values do not count: many clients send every field they know. */
function unknownParams(known: Action["name"], params: Readonly<Record<string, unknown>>): readonly string[] {
  const { shape } = actionSchemas[known];
  return Object.entries(params)
    .filter(([key, value]) => !Object.hasOwn(shape, key) && !isEmpty(value))
    .map(([key]) => key);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === "";
}
