/**
 * The tools that start, list, pause, recover and close browser sessions. The protocol specification defines their
 * names and shapes.
 */

import {
  listSessionsSchema,
  sessionListSchema,
  sessionListText,
} from "../../machines/session/list-sessions-schemas.ts";
import {
  recoveredSchema,
  roomOf,
  roomRefSchema,
  sessionStateSchema,
  startSessionSchema,
} from "../../machines/session/session-protocol.ts";
import { environmentNames } from "../../machines/session/state/session-start-options.ts";
import { defineTool } from "./define-tool.ts";
import { readsPage } from "./tool-annotations.ts";

const changesSession = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

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

export const sessionTools = [
  startSession,
  pauseSession,
  resumeSession,
  closeSession,
  listSessions,
  recoverSession,
];
