/**
 * Reads an action in the forms that callers write. The forms are `{ action_type, params }`, or as in a map's
 * answer `{ tool_name, parameters }` or `{ tool, params }`. The action may be at the top level or in the
 * field `action`.
 */
import { z } from "zod";
import { actionAliases, actionNames } from "./browser-action-names-and-risks.ts";

const params = z.record(z.string(), z.unknown());

/** The fields of a requested action. Fields that only describe the action are accepted and ignored. */
export const requestedActionFields = {
  action_type: z
    .string()
    .min(1)
    .max(100)
    // The names of actions are listed only in the JSON schema for callers. The zod schema accepts any name,
    // because a later check refuses an unknown name with an error that lists all names.
    .meta({ enum: [...actionNames, ...Object.keys(actionAliases)] })
    .optional(),
  params: params.default({}).describe("Action-specific parameters"),
  tool_name: z.string().min(1).max(100).optional().describe("Alias of action_type"),
  tool: z.string().min(1).max(100).optional().describe("Alias of action_type"),
  parameters: params.optional().describe("Alias of params"),
  description: z.string().optional().describe("Not read"),
  confidence: z.number().optional().describe("Not read"),
  screen_id: z.string().nullable().optional().describe("Not read"),
};

const wholeActionSchema = z.object({ ...requestedActionFields, params: params.optional() });
type WholeAction = z.infer<typeof wholeActionSchema>;

export const wholeAction = wholeActionSchema
  .optional()
  .describe("A whole action as query_knowledge_for_agent answers it, in place of action_type and params");

export interface RequestedAction {
  readonly called: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export function requestedAction(
  given: WholeAction & { readonly action?: WholeAction | undefined },
): RequestedAction {
  const { action_type, tool_name, tool, parameters, params } = given.action ?? given;
  return { called: action_type ?? tool_name ?? tool ?? "", params: parameters ?? params ?? {} };
}

/** Whether the request names a browser action. */
export function namesAction(given: Parameters<typeof requestedAction>[0]): boolean {
  return requestedAction(given).called !== "";
}
