/**
 * The actions of a session: their parameters, and the other names they go by.
 *
 * Names are those of the seeds' action lists. Neighbours: `outcome.ts` is what one answers, `actors/browser/session/acts.ts` does them, the tool
 * `execute_action` checks them by `parseAction`.
 */
import { z } from "zod";
import { Refused } from "../errors.ts";
import { limits } from "../limits.ts";

const index = z.number().int().min(0).describe("highlight_index of an analysis");
const { longestWait, scrollAmount } = limits.session;

export const actionSchemas = {
  navigate: z.object({ url: z.string().min(1).describe("http(s) address, or one relative to the page's") }),
  click: z.object({ index }),
  double_click: z.object({ index }),
  right_click: z.object({ index }),
  hover: z.object({ index }),
  input: z.object({
    index,
    text: z.string(),
    clear: z.boolean().default(true).describe("Replace what the field holds; false: add to its end"),
  }),
  clear: z.object({ index }),
  select_dropdown: z
    .object({
      index,
      text: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      value: z.string().optional(),
    })
    .refine(({ text, value }) => text !== undefined || value !== undefined, {
      path: ["text"],
      message: "the text of an option, or its value, is needed",
    }),
  dropdown_options: z.object({ index }),
  scroll: z.object({
    direction: z.enum(["up", "down", "left", "right"]).default("down"),
    amount: z
      .number()
      .min(0)
      .max(scrollAmount)
      .optional()
      .describe("Pixels; most of what is seen without it"),
    index: index.optional().describe("Scroll what this element is in, not the page"),
  }),
  wait: z.object({
    seconds: z.number().min(0).max(longestWait).default(3).describe("At the most, with a selector or a text"),
    selector: z.string().min(1).optional().describe("Until an element of it is seen"),
    text: z.string().min(1).optional().describe("Until this text is on the page"),
  }),
  go_back: z.object({}),
  go_forward: z.object({}),
  refresh: z.object({}),
  send_keys: z.object({
    keys: z.string().min(1).max(1_000).describe("Enter, Control+a, Shift+Tab; several divided by blanks"),
  }),
  handle_dialog: z.object({
    accept: z.boolean().default(true),
    text: z.string().optional().describe("For a prompt"),
  }),
  switch: z.object({ tab: z.number().int().min(0) }),
  close: z.object({ tab: z.number().int().min(0).optional().describe("The one that is shown without it") }),
} as const;

export type ActionName = keyof typeof actionSchemas;
export type Action = {
  [Name in ActionName]: { name: Name; params: z.output<(typeof actionSchemas)[Name]> };
}[ActionName];

/** Other names of actions: those of the seeds and of browser-use. */
export const actionAliases: Readonly<Record<string, ActionName>> = {
  type: "input",
  input_text: "input",
  fill: "input",
  goto: "navigate",
  go_to_url: "navigate",
  open: "navigate",
  click_element: "click",
  click_element_by_index: "click",
  press: "send_keys",
  press_key: "send_keys",
  select: "select_dropdown",
  select_dropdown_option: "select_dropdown",
  get_dropdown_options: "dropdown_options",
  back: "go_back",
  forward: "go_forward",
  reload: "refresh",
  switch_tab: "switch",
  close_tab: "close",
};

export const actionNames = Object.keys(actionSchemas) as readonly ActionName[]; // Its own keys.

/** The action that is meant, checked. `request.invalid` (422) names what is wrong with it. */
export function parseAction(named: string, params: Readonly<Record<string, unknown>>): Action {
  const name = Object.hasOwn(actionAliases, named) ? actionAliases[named] : named;
  const known = actionNames.find((one) => one === name);
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
  const parsed = actionSchemas[known].safeParse(params);
  if (parsed.success) return { name: known, params: parsed.data } as Action; // By the schema of its name.
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: ["params", ...path].join("."),
    message,
  }));
  throw new Refused(
    "request.invalid",
    `The parameters of ${known} are not valid. ${issues[0]?.path}: ${issues[0]?.message}`,
    {
      status: 422,
      details: { code: "invalid_params", issues },
    },
  );
}
