/** Builds the typed writes of a session's recording. */
import type { Emitted } from "../machine-emissions.ts";
import type { RecordedStep } from "./actions/actions-to-recorded-steps.ts";
import type { OpenRecording } from "./session-context.ts";

export function recordingOpened(id: string, room_name: string, name: string, started_at: number): Emitted {
  return {
    type: "write",
    writes: [{ op: "put", table: "recording", rows: [{ id, room_name, name, started_at }] }],
  };
}

/**
 * The end time is written by `merge`, which changes only existing rows. So a recording that was deleted
 * meanwhile is not created again.
 */
export function recordingEnded(id: string, ended_at: number): Emitted {
  return { type: "write", writes: [{ op: "merge", table: "recording", rows: [{ id, ended_at }] }] };
}

export function stepWritten({ id, steps }: OpenRecording, step: RecordedStep, at: number): Emitted {
  const row = { id: [id, steps] as const, body: JSON.stringify(step), at };
  return { type: "write", writes: [{ op: "put", table: "recording_step", rows: [row] }] };
}
