/** The tools of recordings: record the actions of a session, export them, replay them. */

import { z } from "zod";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import { roomOf, roomRefSchema } from "../../machines/session/session-protocol.ts";
import {
  recordingListSchema,
  recordingRefSchema,
  recordingSchema,
  recordingStateSchema,
  replayedSchema,
  replaySchema,
  startRecordingSchema,
} from "../../machines/session/session-recording-schemas.ts";
import { defineTool } from "./define-tool.ts";
import { changesPage, readsData } from "./tool-annotations.ts";

const changesRecordings = { ...readsData, readOnlyHint: false };

const startRecording = defineTool({
  name: "start_recording",
  scope: "act",
  description:
    "Record the actions of a session from now on, each with its element by role, name, text and position; secrets are " +
    `left out. At most ${sessionLimits.recordedSteps} actions`,
  sets: ["sessions"],
  input: startRecordingSchema,
  output: recordingStateSchema,
  annotations: changesRecordings,
  async handle(cairn, input, { commandId }) {
    const room_name = roomOf(input);
    const recording_id = await cairn.recordings.start(room_name, input.name ?? room_name, commandId);
    return { status: "recording" as const, recording_id, room_name };
  },
});

const stopRecording = defineTool({
  name: "stop_recording",
  scope: "act",
  description: "End the recording of a session",
  sets: ["sessions"],
  input: roomRefSchema,
  output: recordingStateSchema,
  annotations: changesRecordings,
  async handle(cairn, input, { commandId }) {
    const room_name = roomOf(input);
    const recording_id = await cairn.recordings.stop(room_name, commandId);
    return { status: "stopped" as const, recording_id, room_name };
  },
});

const listRecordings = defineTool({
  name: "list_recordings",
  scope: "read",
  description: "List the recordings, newest first",
  sets: ["sessions"],
  http: {
    method: "GET",
    path: "/api/recordings",
    operationId: "listRecordings",
    tag: "Sessions",
  },
  input: z.object({}).strict(),
  output: recordingListSchema,
  annotations: readsData,
  handle: (cairn) => cairn.recordings.list(),
});

const getRecording = defineTool({
  name: "get_recording",
  scope: "read",
  description: "Export a recording as JSON",
  sets: ["sessions"],
  http: {
    method: "GET",
    path: "/api/recordings/:recording_id",
    operationId: "getRecording",
    tag: "Sessions",
    errors: [404, 422],
  },
  input: recordingRefSchema,
  output: recordingSchema,
  annotations: readsData,
  handle: (cairn, { recording_id }) => cairn.recordings.get(recording_id),
});

const deleteRecording = defineTool({
  name: "delete_recording",
  scope: "act",
  description: "Delete a recording with all of its steps",
  sets: ["sessions"],
  http: {
    method: "DELETE",
    path: "/api/recordings/:recording_id",
    operationId: "deleteRecording",
    tag: "Sessions",
    errors: [404, 422],
  },
  input: recordingRefSchema,
  output: z.object({ recording_id: z.string(), deleted: z.literal(true) }),
  annotations: { ...changesRecordings, destructiveHint: true },
  async handle(cairn, { recording_id }) {
    await cairn.recordings.delete(recording_id);
    return { recording_id, deleted: true as const };
  },
});

const replayRecording = defineTool({
  name: "replay_recording",
  scope: "act",
  description:
    "Replay a recording in a session. Each step acts on the element that is certainly the same on the current page; " +
    "without such an element the replay stops, with candidates and the step to continue from",
  sets: ["sessions"],
  http: {
    method: "POST",
    path: "/api/recordings/replay",
    operationId: "replayRecording",
    tag: "Sessions",
    errors: [404, 409],
  },
  input: replaySchema,
  output: replayedSchema,
  annotations: changesPage,
  handle: (cairn, input, { commandId: id }) => {
    const { recording_id, steps, from, values } = input;
    return cairn.recordings.replay({ room: roomOf(input), recording_id, steps, from, values, id });
  },
});

export const recordingTools = [
  startRecording,
  stopRecording,
  listRecordings,
  getRecording,
  deleteRecording,
  replayRecording,
];
