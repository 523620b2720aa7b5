/**
 * Results of sessions that are too long to travel with a snapshot or an event: kept for a while, and named by an id.
 *
 * An act's own answer is put together from it again, so its caller gets the whole of it. What was only looked at is kept
 * for those who follow the room, since nobody else hears its id. Neighbours: `../session.ts` acts and looks,
 * `room-events.ts` tells.
 */

import type { ActionOutcome } from "../../machines/session/action-outcome.ts";
import { sessionLimits } from "../../machines/session/limits.ts";
import type { QueryScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";

/** What a result is of, for those who are told that it is there. */
interface ResultOf {
  readonly of: string;
  readonly command_id?: string;
}

/** Of one worker: no two results of a room have the same time. */
let last = 0;

/** Keeps a result, and tells of it when it is heavy. */
async function keep({ store, events }: CairnServices, room: string, body: string, what: ResultOf) {
  const now = Date.now();
  last = Math.max(now, last + 1);
  const result_id = `result:${room}:${last}`;
  await store.results.put(result_id, body, now);
  if (body.length > sessionLimits.largeResult)
    events.tell("result_ready", room, { result_id, size: body.length, ...what });
  return result_id;
}

/** An outcome as it is committed: one that is too long for that without its data, which `wholeOutcome` finds again. */
export async function lightOutcome(
  services: CairnServices,
  room: string,
  outcome: ActionOutcome,
  what: ResultOf,
): Promise<ActionOutcome> {
  const { code } = outcome.data;
  if (JSON.stringify(outcome.data).length <= sessionLimits.outcomeLength) return outcome;
  try {
    const result_id = await keep(services, room, JSON.stringify(outcome), what);
    return { ...outcome, data: { ...(code === undefined ? {} : { code }), truncated: true, result_id } };
  } catch {
    // Without a store the act was done all the same: it must not be begun again for what it answers.
    return outcome;
  }
}

export async function wholeOutcome(services: CairnServices, outcome: ActionOutcome): Promise<ActionOutcome> {
  const { result_id } = outcome.data;
  if (typeof result_id !== "string") return outcome;
  const body = await services.store.results.get(result_id);
  return body === undefined ? outcome : (JSON.parse(body) as ActionOutcome); // As it was kept above.
}

/** What was looked at: the very answer, which is kept beside when it is heavy and somebody hears of that. */
export function announced<Answer>(
  { services, address: { id: room } }: QueryScope<CairnServices, unknown>,
  of: string,
  answer: Answer,
  shaped: (answer: Answer) => unknown = (plain) => plain,
): Answer {
  if (!services.events.hears(room, "result_ready")) return answer;
  const body = JSON.stringify(shaped(answer));
  // Nobody's answer waits for it; a store that is away tells that by itself.
  if (body.length > sessionLimits.largeResult) keep(services, room, body, { of }).catch(() => {});
  return answer;
}
