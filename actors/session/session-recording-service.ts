/**
 * The gateway's interface to recordings: start, stop, list, export, delete and replay. A replay finds the
 * element of each step on the current page and runs the step as an action. It stops at the first step that
 * fails, and reports the position from which it can continue.
 */
import { CairnError, Refused } from "../../machines/errors.ts";
import type { RecordingRecord } from "../../machines/records/session-records.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import {
  type RecordedStep,
  replayedParams,
} from "../../machines/session/actions/actions-to-recorded-steps.ts";
import { parseAction } from "../../machines/session/actions/parse-action.ts";
import type { Bindings } from "../../machines/session/controls/element-of-fingerprint.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import type { Recording, RecordingHead, Replayed } from "../../machines/session/session-recording-schemas.ts";
import type { Store } from "../../store/index.ts";
import type { SessionService } from "./session-service.ts";

export interface Replay {
  readonly room: string;
  readonly recording_id?: string | undefined;
  readonly steps?: readonly RecordedStep[] | undefined;
  readonly from: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Identifies the replay. If a caller repeats a replay with the same id, no action runs twice. */
  readonly id?: string | undefined;
}

type DoneStep = Replayed["data"]["done"][number];

export class RecordingService {
  readonly #store: Store;
  readonly #sessions: SessionService;

  constructor(store: Store, sessions: SessionService) {
    this.#store = store;
    this.#sessions = sessions;
  }

  async start(room: string, name: string, id?: string): Promise<string> {
    return await this.#sessions.record(room, name, id);
  }

  async stop(room: string, command?: string): Promise<string> {
    const id = await this.#sessions.stopRecording(room, command);
    if (id !== null) return id;
    throw new Refused("recording.none", `Nothing is recorded in session ${room}.`, { status: 409 });
  }

  async list(): Promise<{ readonly recordings: RecordingHead[] }> {
    const rows = await this.#store.recordings.list(sessionLimits.recordings);
    return { recordings: rows.map(headOf) };
  }

  async get(id: string): Promise<Recording> {
    const row = await this.#find(id);
    const steps = await this.#store.recordings.steps(id);
    return { ...headOf(row), steps: steps.map(({ body }) => JSON.parse(body)) };
  }

  async delete(id: string): Promise<void> {
    await this.#find(id);
    await this.#store.recordings.delete(id);
  }

  async replay({ room, recording_id, steps: given, from, values, id }: Replay): Promise<Replayed> {
    const steps = given ?? (recording_id === undefined ? [] : (await this.get(recording_id)).steps);
    const done: DoneStep[] = [];
    const replayed = (next: number, error: string | null, more: Record<string, unknown> = {}): Replayed => ({
      success: error === null,
      error,
      data: { ...more, steps: steps.length, next, done },
    });
    for (let at = from; at < steps.length; at++) {
      const step = steps[at];
      if (!step) break;
      const missing = step.needs.filter((path) => values[`${at}.${path}`] === undefined);
      if (missing.length > 0) {
        const needs = missing.map((path) => `${at}.${path}`);
        return replayed(at, `Step ${at} needs what was not recorded: give values for ${needs.join(", ")}.`, {
          code: "value_needed",
          needs,
        });
      }
      const found = await this.#bind(room, step);
      if (!("bound" in found)) {
        const { path, candidates } = found;
        return replayed(at, `The element of step ${at} (${step.action}) cannot be identified on this page.`, {
          code: "element_stale",
          path,
          candidates,
        });
      }
      const outcome = await this.#runStep(room, at, step, { found: found.bound, values, id });
      const { code, effect, ...rest } = outcome.data;
      if (!outcome.success) return replayed(at, outcome.error ?? String(code), { ...rest, code });
      done.push({
        step: at,
        action: step.action,
        bound: found.bound,
        ...(typeof effect === "string" ? { effect } : {}),
      });
    }
    return replayed(steps.length, null);
  }

  async #bind(room: string, { targets }: RecordedStep): Promise<Bindings> {
    if (Object.keys(targets).length === 0) return { bound: {} };
    return await this.#sessions.bind(room, targets);
  }

  async #runStep(
    room: string,
    at: number,
    step: RecordedStep,
    how: {
      readonly found: Extract<Bindings, { bound: unknown }>["bound"];
      readonly values: Readonly<Record<string, unknown>>;
      readonly id: string | undefined;
    },
  ): Promise<ActionOutcome> {
    const indices = Object.fromEntries(Object.entries(how.found).map(([path, { index }]) => [path, index]));
    const values = Object.fromEntries(step.needs.map((path) => [path, how.values[`${at}.${path}`]]));
    try {
      const action = parseAction(step.action, replayedParams(step, indices, values));
      return await this.#sessions.runAction(
        room,
        action,
        how.id === undefined ? {} : { id: `${how.id}-${at}` },
      );
    } catch (error) {
      // A thrown error becomes the outcome of the failed step, so that the answer still contains the outcomes
      // of the earlier steps.
      if (!(error instanceof CairnError)) throw error;
      return { success: false, error: error.message, data: { code: error.code } };
    }
  }

  async #find(id: string): Promise<RecordingRecord> {
    const row = await this.#store.recordings.get(id);
    if (row) return row;
    throw new Refused("recording.not_found", `There is no recording ${id}. list_recordings lists them.`, {
      status: 404,
    });
  }
}

function headOf({ id, room_name, name, started_at, ended_at }: RecordingRecord): RecordingHead {
  return {
    recording_id: id,
    room_name,
    name,
    started_at: new Date(started_at).toISOString(),
    ended_at: ended_at === undefined || ended_at === null ? null : new Date(ended_at).toISOString(),
  };
}
