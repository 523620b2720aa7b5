/** Parses a requested action by any of its names, validates it, and reports unknown parameters. */
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
  const asked = Object.entries(params).filter(([key]) => Object.hasOwn(shape, key));
  const parsed = actionSchemas[known].safeParse(Object.fromEntries(asked));
  if (parsed.success) return { name: known, params: parsed.data } as Action; // By the schema of its name.
  const issues = parsed.error.issues.flatMap((issue) => {
    const path = ["params", ...issue.path];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "unknown parameter" }));
    return [{ path: path.join("."), message: issue.message }];
  });
  throw new Refused(
    "request.invalid",
    `The parameters of ${known} are not valid. ${issues[0]?.path}: ${issues[0]?.message}`,
    {
      status: 422,
      details: { code: "invalid_params", issues },
    },
  );
}

/**
 * Parameters that the action does not know. They are reported with the outcome, since silence would mean they
 * had an effect. Empty values are not reported: many clients send every field they know.
 */
export function ignoredParams(named: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  const known = actionNamed(named);
  if (!known) return [];
  const { shape } = actionSchemas[known];
  return Object.entries(params)
    .filter(
      ([key, value]) =>
        !Object.hasOwn(shape, key) && value !== null && value !== false && value !== undefined,
    )
    .map(([key]) => key);
}

function actionNamed(named: string): Action["name"] | undefined {
  const name = Object.hasOwn(actionAliases, named) ? actionAliases[named] : named;
  return actionNames.find((one) => one === name);
}
