/**
 * The tools for the page of a browser session: analyse it, act on it, take pictures of it. The protocol specification
 * defines their names and shapes. Some tools have a second name, such as `WebToolkit_analyzePage` for `analyze_page`.
 */

import { z } from "zod";
import type { ErrorBody } from "../../machines/errors.ts";
import { addressLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import { actionText, failureText } from "../../machines/session/actions/action-outcome-text.ts";
import { actionAliases, actionNames } from "../../machines/session/actions/browser-action-names-and-risks.ts";
import { ignoredParams, parseAction } from "../../machines/session/actions/parse-action.ts";
import { requestedAction } from "../../machines/session/actions/read-requested-action.ts";
import { contextText, screenContentText } from "../../machines/session/page/browser-screen-text-for-model.ts";
import { pageText } from "../../machines/session/page/page-analysis-text.ts";
import { analysisAnswerSchema, analyzeOptionsSchema } from "../../machines/session/page/page-snapshot.ts";
import { named } from "../../machines/session/session-name-in-request.ts";
import {
  browserContextSchema,
  type ClickAnswer,
  clickAnswerSchema,
  clickByIndexSchema,
  executeActionSchema,
  roomOf,
  roomRefSchema,
  screenContentSchema,
  screenshotRequestSchema,
  screenshotSchema,
  sessionOutcomeSchema,
} from "../../machines/session/session-protocol.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import { changesPage, readsData, readsPage } from "./tool-annotations.ts";

/**
 * Some tools are registered under two names. These properties may differ between the names: the sets, the
 * advice and the short schema.
 */
type Listing = Pick<Tool, "sets"> & Partial<Pick<Tool, "advice" | "brief">>;

const indexErrors =
  "element_stale: take one of data.candidates, or analyze_page again. element_covered: first handle the element that covers it.";

/**
 * Codes of errors that occur before a session starts the action. Errors with these codes are returned unchanged.
 * All other errors are converted to the failed result that the protocol specification defines for the tool.
 */
const neverRan = ["session.not_found", "egress.refused"];

/**
 * Removes the first part of a code (`session.not_found` becomes `not_found`), as in the results of the
 * protocol specification.
 */
const withoutGroup = (code: string): string => code.slice(code.indexOf(".") + 1);

const executeAction = defineTool({
  name: "execute_action",
  scope: "act",
  description: `Execute a browser action command: ${actionNames.join(", ")}; also ${Object.keys(actionAliases).join(", ")}`,
  advice: {
    instead: "Act in the browser.",
    use:
      "params: navigate {url}, click {index}, input {index, text}, scroll {direction, amount}, wait {seconds}, " +
      "send_keys {keys}, select_dropdown {index, text}, fill_form {fields: [{label | index, value}]}; index is of " +
      `analyze_page; in its place {role, name}, {label}, {selector} or a map's {fingerprint}. cairn://actions has the params of all. data.page has what changed. ${indexErrors} no_progress: try something else.`,
  },
  sets: "always",
  brief: {
    hidden: [
      "id",
      "when_held",
      "tool_name",
      "tool",
      "parameters",
      "description",
      "confidence",
      "screen_id",
      "action",
    ],
    needed: ["action_type"],
    // `evaluate` is not offered to models, because this action is disabled unless the operator allows it.
    choices: { action_type: actionNames.filter((name) => name !== "evaluate") },
  },
  input: executeActionSchema,
  output: sessionOutcomeSchema,
  annotations: changesPage,
  neverRan,
  async handle(cairn, input, { commandId, jobId }) {
    const { called, params } = requestedAction(input);
    const outcome = await cairn.sessions.runAction(roomOf(input), parseAction(called, params), {
      id: input.id ?? commandId,
      called,
      job_id: jobId,
      retry: input.retry,
      when_held: input.when_held,
    });
    const ignored = ignoredParams(called, params);
    return ignored.length === 0 ? outcome : { ...outcome, data: { ...outcome.data, ignored } };
  },
  forModel: actionText,
  failure: ({ code, message }) => ({ success: false, error: message, data: { code: withoutGroup(code) } }),
});

const getBrowserContext = defineTool({
  name: "get_browser_context",
  scope: "read",
  description:
    "Get current browser context (URL, title, ready state, scroll position, viewport, cursor position)",
  advice: {
    instead: "Where the browser is: URL, title, ready state, scroll, tabs.",
  },
  sets: "always",
  input: roomRefSchema,
  output: browserContextSchema,
  annotations: readsPage,
  handle: (cairn, input) => cairn.sessions.context(roomOf(input)),
  forModel: contextText,
});

const getScreenContent = defineTool({
  name: "get_screen_content",
  scope: "read",
  description:
    "Get screen content with DOM summary, scroll position, viewport, and cursor position for agent communication",
  advice: {
    instead: "The screen as a text summary with URL and scroll position.",
    use: "To recognise a screen (dom_summary for query_knowledge_for_agent); to act, use analyze_page.",
  },
  sets: "always",
  input: roomRefSchema,
  output: screenContentSchema,
  annotations: readsPage,
  handle: (cairn, input) => cairn.sessions.content(roomOf(input)),
  forModel: screenContentText,
});

const screenshot = defineTool({
  name: "screenshot",
  scope: "read",
  description:
    "Take a screenshot of the viewport, of the whole page (full_page) or of one element (index), in base64",
  advice: {
    instead: "A screenshot of the viewport, the whole page, or one element.",
    use: "When text does not suffice.",
  },
  sets: ["core", "sessions"],
  input: screenshotRequestSchema,
  output: screenshotSchema,
  annotations: readsPage,
  handle: (cairn, { room_name, session_id, ...options }) =>
    cairn.sessions.screenshot(roomOf({ room_name, session_id }), options),
});

const roomFields = { room_name: z.string().optional(), session_id: z.string().optional() };
const hasRoom = (input: {
  readonly room_name?: string | undefined;
  readonly session_id?: string | undefined;
}) => roomRefSchema.safeParse({ room_name: roomOf(input) }).success;

const analyses = {
  scope: "read",
  description:
    "Analyze the current page: its segments and everything interactive with an index for click_element_by_index " +
    "and execute_action, also as text ([index]<tag>text</tag>). Indices live as long as their element",
  output: analysisAnswerSchema,
  annotations: readsPage,
  neverRan,
  failure: ({ code, message }: ErrorBody) => ({ success: false, error: message, code: withoutGroup(code) }),
} as const;

/**
 * The tool `analyze_page` under its name in the protocol specification. On every interface, it returns the
 * records of that specification instead of text lines.
 */
const analyzeWithRecords = defineTool({
  ...analyses,
  name: "WebToolkit_analyzePage",
  sets: ["sessions"],
  input: analyzeOptionsSchema.extend(roomFields).strict().refine(hasRoom, named),
  async handle(cairn, { room_name, session_id, ...options }) {
    return { success: true, data: await cairn.sessions.analyze(roomOf({ room_name, session_id }), options) };
  },
});

const analyzePage = defineTool({
  ...analyses,
  name: "analyze_page",
  sets: ["core", "sessions"],
  advice: {
    instead:
      "What is on the page: everything to act on as [index]<tag>text. An index stays with its element.",
    use: "Before acting, and when the page changed: since_revision, the rev you have, returns only the change. Large page: max_tokens, query or segment.",
  },
  brief: { hidden: ["include_left_out", "overlay"] },
  input: analyzeOptionsSchema
    .extend({
      ...roomFields,
      detail: z
        .enum(["lines", "records"])
        .optional()
        .describe("records: also selectors, boxes and segments. Default over MCP: lines; elsewhere: records"),
    })
    .strict()
    .refine(hasRoom, named),
  async handle(cairn, { room_name, session_id, detail, ...options }) {
    const lines_only = detail === "lines";
    return {
      success: true,
      data: await cairn.sessions.analyze(roomOf({ room_name, session_id }), { ...options, lines_only }),
    };
  },
  forModel: ({ data, code, error }) => (data ? pageText(data) : failureText(code, error)),
});

/** Returns the result of a click in the shape of the protocol specification. */
function clickResult({ success, error, data }: ActionOutcome): ClickAnswer {
  const gone =
    data.code === "element_not_found" || data.code === "element_stale" || data.code === "no_analysis";
  const { element, ...rest } = data;
  return {
    success,
    data: {
      ...rest,
      clicked: success,
      elementFound: data.code !== "element_not_found" && data.code !== "no_analysis",
      elementStillExists: !gone && data.effect !== "element_gone",
      // The cast is safe: actions report the element in this shape.
      ...(element === undefined
        ? {}
        : { elementInfo: element as NonNullable<ClickAnswer["data"]>["elementInfo"] }),
    },
    ...(error === null ? {} : { error }),
  };
}

const clickTool = (name: string, listing: Listing) =>
  defineTool({
    name,
    ...listing,
    scope: "act",
    description:
      "Click an element by its highlight index of an analysis. Never clicks another element: one that has " +
      "changed is refused as element_stale, with candidates",
    input: clickByIndexSchema,
    output: clickAnswerSchema,
    annotations: changesPage,
    neverRan,
    async handle(cairn, input, { commandId: id }) {
      // The schema requires `highlightIndex` or `index`, so the value 0 is never used. It only satisfies the
      // type checker.
      const index = input.highlightIndex ?? input.index ?? 0;
      return clickResult(
        await cairn.sessions.runAction(
          roomOf(input),
          { name: "click", params: { index } },
          { id: input.id ?? id },
        ),
      );
    },
    forModel: actionText,
    failure: ({ message }: ErrorBody): ClickAnswer => ({ success: false, error: message }),
  });

const getResult = defineTool({
  name: "get_result",
  scope: "read",
  description: "Get a large result by the result_id of its result_ready event; kept for an hour",
  sets: ["sessions"],
  http: {
    method: "GET",
    path: "/api/results/:result_id",
    operationId: "getResult",
    tag: "Sessions",
    errors: [404, 422],
  },
  input: z
    .object({
      result_id: z
        .string()
        .min(1)
        .max(2 * addressLimits.maxIdBytes)
        .describe("Of result_ready"),
    })
    .strict(),
  output: z.record(z.string(), z.unknown()).describe("As the call answered whose result it is"),
  annotations: readsData,
  handle: (cairn, { result_id }) => cairn.result(result_id),
});

export const sessionPageTools = [
  analyzePage,
  analyzeWithRecords,
  clickTool("click_element_by_index", {
    sets: ["core", "sessions"],
    advice: {
      instead: "Click the element with that index of analyze_page, never another.",
      use: indexErrors,
    },
    brief: { hidden: ["index", "id"], needed: ["highlightIndex"] },
  }),
  clickTool("WebToolkit_clickElementByIndex", { sets: ["sessions"] }),
  executeAction,
  getBrowserContext,
  getScreenContent,
  screenshot,
  getResult,
];
