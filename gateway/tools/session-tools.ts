/**
 * The tools of browser sessions: start, snapshot, act, close. The protocol specification defines their names
 * and shapes. Some tools have a second name, such as `WebToolkit_analyzePage` for `analyze_page`.
 */
import { z } from "zod";
import type { ErrorBody } from "../../machines/errors.ts";
import { addressLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import type { ActionOutcome } from "../../machines/session/action-outcome.ts";
import { actionText, failureText } from "../../machines/session/action-outcome-text.ts";
import { actionAliases, actionNames } from "../../machines/session/browser-action-table.ts";
import { pageText } from "../../machines/session/page-analysis-text.ts";
import { analysisAnswerSchema, analyzeOptionsSchema } from "../../machines/session/page-snapshot.ts";
import { ignoredParams, parseAction } from "../../machines/session/parse-action.ts";
import {
  browserContextSchema,
  type ClickAnswer,
  clickAnswerSchema,
  clickByIndexSchema,
  executeActionSchema,
  recoveredSchema,
  roomOf,
  roomRefSchema,
  screenContentSchema,
  screenshotRequestSchema,
  screenshotSchema,
  sessionOutcomeSchema,
  sessionStateSchema,
  startSessionSchema,
} from "../../machines/session/protocol.ts";
import { requestedAction } from "../../machines/session/requested-action.ts";
import { contextText, screenContentText } from "../../machines/session/screen-text.ts";
import { environmentNames } from "../../machines/session/session-environment.ts";
import {
  listSessionsSchema,
  sessionListSchema,
  sessionListText,
} from "../../machines/session/session-list.ts";
import { defineTool, type Tool } from "./define-tool.ts";

const readsPage = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const changesPage = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const changesSession = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/**
 * Some tools are registered under two names. These properties may differ between the names: the sets, the
 * advice and the short schema.
 */
type Listing = Pick<Tool, "sets"> & Partial<Pick<Tool, "advice" | "brief">>;

const indexErrors =
  "element_stale: take one of data.candidates, or analyze_page again. element_covered: first handle the element that covers it.";

/**
 * Codes of errors that occur before a session tool acts. These errors are returned unchanged. Other failures
 * are converted to the tool's own shape.
 */
const neverRan = ["session.not_found", "egress.refused"];

/**
 * Removes the first part of a code (`session.not_found` becomes `not_found`), as in the results of the
 * protocol specification.
 */
const withoutGroup = (code: string): string => code.slice(code.indexOf(".") + 1);

const startSession = defineTool({
  name: "start_browser_session",
  scope: "act",
  description:
    "Start a browser session for a room; answers once the browser is up and initial_url has loaded. A room that " +
    "runs is left unchanged",
  advice: {
    instead:
      "Start a browser for a room_name of your choice, which names it from then on; answers once initial_url has loaded.",
    use:
      "First for any work in a browser. Safe to call again: a room that runs is left unchanged. " +
      "login: {url, fields: [{label, value | secret}], submit, success: {text | url}}, where secret is the name of one that " +
      "Cairn was given; login_failed says why.",
  },
  sets: "always",
  brief: {
    hidden: [
      "fps",
      "video",
      "livekit_url",
      "livekit_api_key",
      "livekit_api_secret",
      "livekit_token",
      "headers_host",
      "device_scale_factor",
      "is_mobile",
      "has_touch",
      "color_scheme",
      "reduced_motion",
      "geolocation",
      "user_agent",
      "http_auth",
      "headers",
      "proxy",
      "locale",
      "timezone",
    ],
  },
  input: startSessionSchema,
  output: sessionStateSchema,
  annotations: changesSession,
  async handle(cairn, input) {
    const { initial_url, viewport_width, viewport_height, ready_within } = input;
    const room_name = roomOf(input);
    const options = {
      initial_url: initial_url ?? null,
      viewport_width,
      viewport_height,
      ...(ready_within === undefined ? {} : { ready_within }),
    };
    const given = Object.fromEntries(environmentNames.map((name) => [name, input[name]]));
    const {
      livekit_url: url,
      livekit_api_key: key,
      livekit_api_secret: secret,
      livekit_token: token,
    } = input;
    const video = input.video ? { url, key, secret, token, fps: input.fps } : undefined;
    const { success, error, data } = await cairn.sessions.start(room_name, options, given, video);
    if (success) {
      const pending = Array.isArray(data.pending) ? data.pending.map(String) : [];
      const loading = data.loading === true ? { loading: true as const, pending } : {};
      const refused = typeof data.http_status === "number" ? { http_status: data.http_status } : {};
      return { status: "started" as const, room_name, ...loading, ...refused };
    }
    const code = typeof data.code === "string" ? data.code : "navigation_failed";
    // The browser was started, but its first page could not be loaded. So the status is `error`: a caller
    // that reads only the status must not take the start for a success.
    const remedy = "The room's browser runs: navigate to another address, or log in again.";
    return { status: "error" as const, room_name, error: `${error ?? code} ${remedy}`, code };
  },
});

const listSessions = defineTool({
  name: "list_sessions",
  scope: "read",
  description:
    "List the browser sessions that are not closed: room, state, address and last use; hibernated ones stay so",
  advice: { instead: "The rooms that have a browser, with state and address." },
  sets: ["sessions"],
  http: {
    method: "GET",
    path: "/api/sessions",
    operationId: "listSessions",
    tag: "Sessions",
    errors: [422, 504],
    query: ["limit", "cursor"],
  },
  input: listSessionsSchema,
  output: sessionListSchema,
  annotations: { ...readsPage, openWorldHint: false },
  handle: (cairn, request) => cairn.sessions.list(request),
  forModel: sessionListText,
});

const closeSession = defineTool({
  name: "close_browser_session",
  scope: "act",
  description: "Close a browser session and delete its cookies and storage",
  advice: { use: "When the work is done." },
  sets: "always",
  http: {
    method: "DELETE",
    path: "/api/sessions/:room_name",
    operationId: "deleteSession",
    tag: "Sessions",
    errors: [400, 404, 422, 504],
  },
  input: roomRefSchema,
  output: sessionStateSchema,
  annotations: { ...changesSession, destructiveHint: true },
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.close(room_name);
    return { status: "closed" as const, room_name };
  },
});

const pauseSession = defineTool({
  name: "pause_browser_session",
  scope: "act",
  description: "Pause the video of a browser session; its browser continues",
  advice: { use: "Actions still work." },
  sets: "always",
  input: roomRefSchema,
  output: sessionStateSchema,
  annotations: { ...changesSession, openWorldHint: false },
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.setStreaming(room_name, false);
    return { status: "paused" as const, room_name };
  },
});

const resumeSession = defineTool({
  name: "resume_browser_session",
  scope: "act",
  description: "Resume the video of a browser session",
  sets: "always",
  input: roomRefSchema,
  output: sessionStateSchema,
  annotations: { ...changesSession, openWorldHint: false },
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.setStreaming(room_name, true);
    return { status: "resumed" as const, room_name };
  },
});

const recoverSession = defineTool({
  name: "recover_browser_session",
  scope: "act",
  description:
    "Restore a browser session that has failed from its saved state; answers once it runs. restored.lost names what " +
    "could not be restored",
  advice: {
    instead: "Restore a session that failed; restored.lost names what could not be restored.",
    use: "Then analyze_page: indices are new.",
  },
  sets: "always",
  input: roomRefSchema,
  output: recoveredSchema,
  annotations: changesSession,
  async handle(cairn, input) {
    const room_name = roomOf(input);
    const restored = await cairn.sessions.recover(room_name);
    return { status: "recovered" as const, room_name, ...(restored ? { restored } : {}) };
  },
});

const executeAction = defineTool({
  name: "execute_action",
  scope: "act",
  description: `Execute a browser action command: ${actionNames.join(", ")}; also ${Object.keys(actionAliases).join(", ")}`,
  advice: {
    // The text for agents does not list `evaluate`, because this action is disabled unless the operator
    // allows it.
    instead: `Act in the browser: ${actionNames.filter((name) => name !== "evaluate").join(", ")}.`,
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
    needed: ["action_type", "params"],
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
const needsRoom = { path: ["room_name"], message: "room_name is needed" };

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
  input: analyzeOptionsSchema.extend(roomFields).strict().refine(hasRoom, needsRoom),
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
    use: "Before acting, and when the page changed: since_revision, the revision you have, returns only the change. Large page: max_tokens, query or segment.",
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
    .refine(hasRoom, needsRoom),
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
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handle: (cairn, { result_id }) => cairn.result(result_id),
});

export const sessionTools = [
  startSession,
  pauseSession,
  resumeSession,
  closeSession,
  listSessions,
  recoverSession,
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
