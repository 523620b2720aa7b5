/** Parses a requested action by any of its names and validates it. Unknown parameters are refused. */
import { Refused } from "../errors.ts";
import { actionAliases } from "./action-aliases.ts";
import { type Action, actionNames, actionSchemas } from "./actions.ts";

/** The validated action; throws `request.invalid` (422) with what is wrong. */
export function parseAction(named: string, params: Readonly<Record<string, unknown>>): Action {
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
  const unknown = unknownParams(known, params).filter((key) => !DESCRIPTIONS.has(key));
  if (unknown.length > 0) {
    throw invalidParams(
      `${known} has no parameter ${unknown.map((key) => `"${key}"`).join(", ")}, so nothing was done. It takes ${Object.keys(shape).join(", ") || "none"}.`,
      unknown.map((key) => ({ path: `params.${key}`, message: "unknown parameter" })),
    );
  }
  const asked = Object.entries(params).filter(([key]) => Object.hasOwn(shape, key));
  const parsed = actionSchemas[known].safeParse(Object.fromEntries(asked));
  if (parsed.success) return { name: known, params: parsed.data } as Action; // By the schema of its name.
  const issues = parsed.error.issues.flatMap((issue) => {
    const path = ["params", ...issue.path];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "unknown parameter" }));
    return [{ path: path.join("."), message: issue.message }];
  });
  throw invalidParams(
    `The parameters of ${known} are not valid. ${issues[0]?.path}: ${issues[0]?.message}`,
    issues,
  );
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

function invalidParams(message: string, issues: readonly Issue[]): Refused {
  return new Refused("request.invalid", message, {
    status: 422,
    details: { code: "invalid_params", issues },
  });
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

function actionNamed(named: string): Action["name"] | undefined {
  const name = Object.hasOwn(actionAliases, named) ? actionAliases[named] : named;
  return actionNames.find((one) => one === name);
}
