/**
 * The REST routes of recordings; each is a call of the tool of the same meaning in `tools/recordings.ts`.
 */
import { Elysia } from "elysia";
import { deleteRecording, getRecording, listRecordings, replayRecording } from "../tools/recordings.ts";
import { readJson } from "./body.ts";
import { answer, documented, repeatable, type Surface, toolOperation } from "./operation.ts";

const tag = "Sessions";
const recording = documented({
  recording_id: { type: "string", description: "As start_recording answered it" },
});

export function recordingRoutes(surface: Surface) {
  return new Elysia({ name: "recordings" })
    .get("/api/recordings", ({ request }) => answer(surface, request, listRecordings, {}), {
      ...toolOperation(listRecordings, "listRecordings", tag, []),
    })
    .post(
      "/api/recordings/replay",
      async ({ request }) => answer(surface, request, replayRecording, await readJson(request)),
      {
        parse: "none",
        ...repeatable,
        ...toolOperation(replayRecording, "replayRecording", tag, [400, 404, 409, 413, 422, 429], {
          body: true,
        }),
      },
    )
    .get(
      "/api/recordings/:recording_id",
      ({ request, params }) => answer(surface, request, getRecording, { recording_id: params.recording_id }),
      { params: recording, ...toolOperation(getRecording, "getRecording", tag, [404, 422]) },
    )
    .delete(
      "/api/recordings/:recording_id",
      ({ request, params }) =>
        answer(surface, request, deleteRecording, { recording_id: params.recording_id }),
      { params: recording, ...toolOperation(deleteRecording, "deleteRecording", tag, [404, 422]) },
    );
}
