/** Tools with which a person takes control of a session's browser, and returns it to the agents. */

import {
  controlSchema,
  releaseControlSchema,
  takeControlSchema,
} from "../../machines/session/outputs/live-view-schemas.ts";
import { liveViewLimits } from "../../machines/session/session-limits.ts";
import { roomOf } from "../../machines/session/session-protocol.ts";
import { defineTool } from "./define-tool.ts";
import { changesData } from "./tool-annotations.ts";

export const takeControl = defineTool({
  name: "take_session_control",
  scope: "act",
  description: "Take control of a session's browser for a person; actions of agents are refused meanwhile",
  sets: "operator",
  http: {
    method: "POST",
    path: "/api/sessions/:room_name/control",
    operationId: "takeSessionControl",
    tag: "Sessions",
    errors: [400, 404, 409],
  },
  input: takeControlSchema,
  output: controlSchema,
  annotations: changesData,
  async handle(cairn, input) {
    const room_name = roomOf(input);
    const holder = input.holder ?? crypto.randomUUID();
    await cairn.sessions.takeControl(room_name, { holder, name: input.by });
    return { room_name, holder, expires_in_ms: liveViewLimits.controlSilence };
  },
});

export const releaseControl = defineTool({
  name: "release_session_control",
  scope: "act",
  description: "Give the control of a session's browser back to agents",
  sets: "operator",
  http: {
    method: "DELETE",
    path: "/api/sessions/:room_name/control",
    operationId: "releaseSessionControl",
    tag: "Sessions",
    errors: [400, 404, 422],
    query: ["holder"],
  },
  input: releaseControlSchema,
  output: controlSchema,
  annotations: changesData,
  async handle(cairn, input) {
    const room_name = roomOf(input);
    await cairn.sessions.releaseControl(room_name, input.holder);
    return { room_name, holder: null, expires_in_ms: 0 };
  },
});

export const controlTools = [takeControl, releaseControl];
