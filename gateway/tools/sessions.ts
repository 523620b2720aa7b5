/**
 * The tools of browser sessions: start one, look at its page, act on it, close it.
 *
 * Names and shapes are those of the seed's *Protocol and Interface* (tools 1 to 8) and *Page Understanding*; the latter's
 * tools go by both of their names.
 */
import { z } from "zod";
import type { ErrorBody } from "../../machines/errors.ts";
import { actionAliases } from "../../machines/session/action-aliases.ts";
import { actionNames } from "../../machines/session/actions.ts";
import { analysisAnswerSchema, analyzeOptionsSchema } from "../../machines/session/analysis.ts";
import { ignoredParams, parseAction } from "../../machines/session/asked-action.ts";
import { environmentNames } from "../../machines/session/environment.ts";
import type { ActOutcome } from "../../machines/session/outcome.ts";
import {
  actOutcomeSchema,
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
  sessionStateSchema,
  startSessionSchema,
} from "../../machines/session/protocol.ts";
import { defineTool } from "./registry.ts";

const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const acts = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const steers = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** Told as what they are, whatever the tool's own shape of a failure: it was not done, and not tried. */
const neverRan = ["session.not_found", "egress.refused"];

/** The seed's answers carry codes without their group. */
const bare = (code: string): string => code.slice(code.indexOf(".") + 1);

export const startSession = defineTool({
  name: "start_browser_session",
  scope: "act",
  description:
    "Start a browser session for a room; answers once the browser is up and initial_url has loaded. A room that " +
    "runs is left as it is",
  input: startSessionSchema,
  output: sessionStateSchema,
  annotations: steers,
  unsupported: ["livekit_url", "livekit_api_key", "livekit_api_secret", "livekit_token"],
  async handle(cairn, input) {
    const { initial_url, viewport_width, viewport_height } = input;
    const room_name = roomOf(input);
    const options = { initial_url: initial_url ?? null, viewport_width, viewport_height };
    const given = Object.fromEntries(environmentNames.map((name) => [name, input[name]]));
    const { success, error, data } = await cairn.sessions.start(room_name, options, given);
    if (success) return { status: "started" as const, room_name };
    const code = typeof data.code === "string" ? data.code : "navigation_failed";
    // The browser is up all the same: another address can be opened.
    return { status: "started" as const, room_name, error: error ?? code, code };
  },
});

export const closeSession = defineTool({
  name: "close_browser_session",
  scope: "act",
  description: "Close a browser session with everything that sites left in it",
  input: roomRefSchema,
  output: sessionStateSchema,
  annotations: { ...steers, destructiveHint: true },
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.close(room_name);
    return { status: "closed" as const, room_name };
  },
});

export const pauseSession = defineTool({
  name: "pause_browser_session",
  scope: "act",
  description: "Pause the video of a browser session; its browser goes on",
  input: roomRefSchema,
  output: sessionStateSchema,
  annotations: { ...steers, openWorldHint: false },
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.present(room_name, false);
    return { status: "paused" as const, room_name };
  },
});

export const resumeSession = defineTool({
  name: "resume_browser_session",
  scope: "act",
  description: "Resume the video of a browser session",
  input: roomRefSchema,
  output: sessionStateSchema,
  annotations: { ...steers, openWorldHint: false },
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.present(room_name, true);
    return { status: "resumed" as const, room_name };
  },
});

export const recoverSession = defineTool({
  name: "recover_browser_session",
  scope: "act",
  description:
    "Bring back a browser session that has failed, from what was saved of it; answers once it is there. restored.lost " +
    "names what was not put back",
  input: roomRefSchema,
  output: recoveredSchema,
  annotations: steers,
  async handle(cairn, input) {
    const room_name = roomOf(input);
    const restored = await cairn.sessions.recover(room_name);
    return { status: "recovered" as const, room_name, ...(restored ? { restored } : {}) };
  },
});

export const executeAction = defineTool({
  name: "execute_action",
  scope: "act",
  description: `Execute a browser action command: ${actionNames.join(", ")}; also ${Object.keys(actionAliases).join(", ")}`,
  input: executeActionSchema,
  output: actOutcomeSchema,
  annotations: acts,
  neverRan,
  async handle(cairn, input, { commandId }) {
    const { action_type: called, params } = input;
    const outcome = await cairn.sessions.act(roomOf(input), parseAction(called, params), {
      id: input.id ?? commandId,
      called,
      retry: input.retry,
    });
    const ignored = ignoredParams(called, params);
    return ignored.length === 0 ? outcome : { ...outcome, data: { ...outcome.data, ignored } };
  },
  failure: ({ code, message }) => ({ success: false, error: message, data: { code: bare(code) } }),
});

export const getBrowserContext = defineTool({
  name: "get_browser_context",
  scope: "read",
  description:
    "Get current browser context (URL, title, ready state, scroll position, viewport, cursor position)",
  input: roomRefSchema,
  output: browserContextSchema,
  annotations: looks,
  handle: (cairn, input) => cairn.sessions.context(roomOf(input)),
});

export const getScreenContent = defineTool({
  name: "get_screen_content",
  scope: "read",
  description:
    "Get screen content with DOM summary, scroll position, viewport, and cursor position for agent communication",
  input: roomRefSchema,
  output: screenContentSchema,
  annotations: looks,
  handle: (cairn, input) => cairn.sessions.content(roomOf(input)),
});

export const screenshot = defineTool({
  name: "screenshot",
  scope: "read",
  description:
    "Take a picture of what is seen, of the whole page (full_page) or of one element (index), in base64",
  input: screenshotRequestSchema,
  output: screenshotSchema,
  annotations: looks,
  handle: (cairn, { room_name, session_id, ...options }) =>
    cairn.sessions.screenshot(roomOf({ room_name, session_id }), options),
});

const analyzeRequestSchema = analyzeOptionsSchema
  .extend({ room_name: z.string().optional(), session_id: z.string().optional() })
  .strict()
  .refine((input) => roomRefSchema.safeParse({ room_name: roomOf(input) }).success, {
    path: ["room_name"],
    message: "room_name is needed",
  });

const analysis = (name: string) =>
  defineTool({
    name,
    scope: "read",
    description:
      "Analyze the current page: its segments and everything interactive with an index for click_element_by_index " +
      "and execute_action, also as text ([index]<tag>text</tag>). Indices live as long as their element",
    input: analyzeRequestSchema,
    output: analysisAnswerSchema,
    annotations: looks,
    neverRan,
    async handle(cairn, { room_name, session_id, ...options }) {
      return {
        success: true,
        data: await cairn.sessions.analyze(roomOf({ room_name, session_id }), options),
      };
    },
    failure: ({ code, message }: ErrorBody) => ({ success: false, error: message, code: bare(code) }),
  });

/** The answer to a click in the seed's own words. */
function clickAnswer({ success, error, data }: ActOutcome): ClickAnswer {
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
      // Acts tell an element in this very shape.
      ...(element === undefined
        ? {}
        : { elementInfo: element as NonNullable<ClickAnswer["data"]>["elementInfo"] }),
    },
    ...(error === null ? {} : { error }),
  };
}

const click = (name: string) =>
  defineTool({
    name,
    scope: "act",
    description:
      "Click an element by its highlight index of an analysis. Never clicks anything else: an element that is not " +
      "what it was is element_stale, with candidates",
    input: clickByIndexSchema,
    output: clickAnswerSchema,
    annotations: acts,
    neverRan,
    async handle(cairn, input, { commandId: id }) {
      const index = input.highlightIndex ?? input.index ?? 0; // The schema asks for one of them.
      return clickAnswer(
        await cairn.sessions.act(roomOf(input), { name: "click", params: { index } }, { id: input.id ?? id }),
      );
    },
    failure: ({ message }: ErrorBody): ClickAnswer => ({ success: false, error: message }),
  });

export const sessionTools = [
  startSession,
  pauseSession,
  resumeSession,
  closeSession,
  recoverSession,
  analysis("analyze_page"),
  analysis("WebToolkit_analyzePage"),
  click("click_element_by_index"),
  click("WebToolkit_clickElementByIndex"),
  executeAction,
  getBrowserContext,
  getScreenContent,
  screenshot,
];
