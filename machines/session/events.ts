/**
 * What whoever follows a room is told: the seed's twelve browser events and `result_ready`. Pure.
 *
 * What belongs to an act is published by the step that commits it, what a page does by the effect that holds the
 * browser; the worker that owns the room numbers all of them alike (`actors/session/room-events.ts`). Whoever forwards
 * them (a socket, Redis) subscribes to `sessionTopic`. Parameters that may hold a secret are masked. Neighbour:
 * `event-schemas.ts` has their shapes.
 */
import type { Emitted } from "../emitted.ts";
import { maskText } from "../inspection/masking.ts";
import { topicToken } from "../topic.ts";
import type { SessionEventMessage, SessionEventType } from "./event-schemas.ts";
import type { ActOutcome } from "./outcome.ts";

/** By event: what it carries beside its name, its time and its number. */
type Payloads = { [Event in SessionEventMessage as Event["type"]]: Event["data"] };
/** What is told of one, but for the room. */
export type Payload<Type extends SessionEventType> = Omit<Payloads[Type], "room_name">;

type PageEventType =
  | "page_navigation"
  | "page_load_complete"
  | "dom_change"
  | "browser_error"
  | "screen_content_update";
/** Of a page, as the browser tells it: the room is known to who holds it. */
export type PageEvent = { [Type in PageEventType]: { readonly type: Type } & Payload<Type> }[PageEventType];

/** An event before it has a number. */
export interface Unnumbered {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Where an event of a room is published; without a room or a type a pattern for all of them. */
export function sessionTopic(roomName?: string, type?: SessionEventType): string {
  return `session.${roomName === undefined ? "*" : topicToken(roomName)}.${type ?? "*"}`;
}

/** @param at milliseconds since the epoch */
export function sessionEvent<Type extends SessionEventType>(
  type: Type,
  roomName: string,
  payload: Payload<Type>,
  at: number,
): Unnumbered {
  const whole = { room_name: roomName, ...withoutTokens(payload) };
  return { type, ...whole, data: whole, timestamp: at / 1_000 };
}

/** Whoever follows a room may only look: what an address lets its bearer in by is masked, whatever tells the address. */
function withoutTokens<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutTokens) as Value; // As many, each of its kind.
  const fields = Object.entries(value).map(([name, field]) => {
    const address = typeof field === "string" && /url$|^error$/.test(name);
    return [name, address ? maskText(field) : withoutTokens(field)];
  });
  return Object.fromEntries(fields) as Value; // The same names, each of its kind.
}

/** The same, for a machine to emit. */
export function emitted<Type extends SessionEventType>(
  type: Type,
  roomName: string,
  payload: Payload<Type>,
  at: number,
): Emitted {
  return {
    type: "publish",
    topic: sessionTopic(roomName, type),
    event: sessionEvent(type, roomName, payload, at),
  };
}

/** An act as it is told of. */
export interface ToldAct {
  readonly id: string;
  readonly action: { readonly name: string; readonly params: Readonly<Record<string, unknown>> };
  readonly called?: string | undefined;
  readonly job_id?: string | undefined;
}

export function actPayload({ id, action, called, job_id }: ToldAct) {
  return {
    action: { action_type: called ?? action.name, params: maskedParams(action) },
    command_id: id,
    ...(job_id === undefined ? {} : { job_id }),
  };
}

/** Commands, events and rows of sessions as they may be looked at: what was typed in their acts is its caller's own. */
export function withoutTyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTyped);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutTyped(field)]);
  return isAct(value) ? { ...value, params: maskedParams(value) } : Object.fromEntries(fields);
}

function isAct(value: object): value is ToldAct["action"] {
  if (!("name" in value) || !("params" in value)) return false;
  const { name, params } = value;
  return typeof name === "string" && typeof params === "object" && params !== null;
}

export function outcomeEvent(roomName: string, told: ToldAct, result: ActOutcome, at: number): Emitted {
  const payload = { ...actPayload(told), result: { ...result, data: { ...result.data } } };
  if (result.success) return emitted("action_completed", roomName, payload, at);
  const error = result.error ?? String(result.data.code);
  return emitted("action_error", roomName, { ...payload, error }, at);
}

/** By action: parameters that may hold a secret, which nobody can tell before it is done; wherever they stand in it. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  input: ["text"],
  type_slowly: ["text"],
  paste: ["text"],
  fill_form: ["value"],
  handle_dialog: ["text"],
  upload_file: ["content"],
  evaluate: ["code"],
};

/** What was typed gives way to its length; passwords and tokens in addresses go. Of what is `sealed` the rest is masked already. */
export function maskedParams({ name, params }: ToldAct["action"]): Record<string, unknown> {
  if ("sealed" in params) {
    const { sealed: _, ...shown } = params;
    return shown;
  }
  const typed = TYPED[name] ?? [];
  const mask = (at: string, value: unknown): unknown => {
    if (typed.includes(at) && value !== undefined)
      return typeof value === "string" ? `(${value.length} characters)` : "(hidden)";
    // Names of keys are no secret, a row of letters may be one.
    if (at === "keys" && typeof value === "string" && value.split(" ").some((key) => key.length === 1))
      return `(${value.length} characters)`;
    if (at === "url" && typeof value === "string") return maskText(value);
    if (Array.isArray(value)) return value.map((one) => mask("", one));
    if (typeof value === "object" && value !== null) return maskAll(value);
    return value;
  };
  const maskAll = (values: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([at, value]) => [at, mask(at, value)]));
  return maskAll(params);
}
