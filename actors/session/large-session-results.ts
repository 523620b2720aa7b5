/**
 * Stores large results of sessions for a limited time under an id, because snapshots and events must stay
 * small. The caller of an action still gets the whole result. The result of a query is stored when other
 * clients subscribe to the session's events.
 */

import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import type { QueryScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

/** The source of a result, for the event `result_ready`. */
interface ResultOf {
  /** Name of the action or query that produced the result. */
  readonly of: string;
  readonly command_id?: string;
}

/**
 * The timestamp in the last result id of this worker. It is higher in each new id, so that ids are unique.
 */
let lastTime = 0;

/** Stores a result, emits `result_ready`, and returns the result's id. */
async function storeResult({ store, events }: CairnServices, room: string, body: string, what: ResultOf) {
  const now = Date.now();
  lastTime = Math.max(now, lastTime + 1);
  const result_id = `result:${room}:${lastTime}`;
  await store.results.put(result_id, body, now);
  events.emit("result_ready", room, { result_id, size: body.length, ...what });
  return result_id;
}

/**
 * Returns the outcome that the session's machine commits. The data of a large outcome is stored, and the outcome
 * gets the id of the data instead; `wholeOutcome` puts the data back. A subscriber of the committed outcome then
 * receives only the id, so `result_ready` reports that the data is stored.
 */
export async function lightOutcome(
  services: CairnServices,
  room: string,
  outcome: ActionOutcome,
  what: ResultOf,
): Promise<ActionOutcome> {
  const { code } = outcome.data;
  if (JSON.stringify(outcome.data).length <= sessionLimits.outcomeLength) return outcome;
  try {
    const result_id = await storeResult(services, room, JSON.stringify(outcome), what);
    return { ...outcome, data: { ...(code === undefined ? {} : { code }), truncated: true, result_id } };
  } catch {
    // The store failed, but the action was done. Its outcome is returned with all its data instead of an error,
    // because an error would make the caller repeat the action.
    return outcome;
  }
}

export async function wholeOutcome(services: CairnServices, outcome: ActionOutcome): Promise<ActionOutcome> {
  const { result_id } = outcome.data;
  if (typeof result_id !== "string") return outcome;
  const body = await services.store.results.get(result_id);
  // `lightOutcome` stored this JSON, so the cast is safe.
  return body === undefined ? outcome : (JSON.parse(body) as ActionOutcome);
}

/**
 * Returns the stored outcome of an action. Returns `undefined` when the session has run no action with this
 * id within the last week.
 */
export async function pastOutcome(
  { store }: CairnServices,
  room: string,
  command: string,
): Promise<ActionOutcome | undefined> {
  const body = await store.actionOutcomes.get(room, command);
  // The session machine stored this JSON, so the cast is safe.
  return body === undefined ? undefined : (JSON.parse(body) as ActionOutcome);
}

/**
 * Returns the result of a query. If the session has subscribers, a large result is also stored, and an event
 * announces it.
 */
export function announceLarge<Answer>(
  { services, address: { id: room } }: QueryScope<CairnServices, unknown>,
  of: string,
  answer: Answer,
  shaped: (answer: Answer) => unknown = (plain) => plain,
): Answer {
  if (!services.events.hasSubscribers(room, "result_ready")) return answer;
  const body = JSON.stringify(shaped(answer));
  // The result is stored while the answer is returned. An error of the store is ignored here, because
  // `/ready` reports an unreachable store.
  if (body.length > sessionLimits.largeResult) storeResult(services, room, body, { of }).catch(() => {});
  return answer;
}
