/**
 * Builds the events of a session: the twelve browser events of the protocol specification, hand-overs of
 * control, and `result_ready`. Parameters that may contain a secret are masked.
 */

import { topicToken } from "../encode-id-for-message-topic.ts";
import { maskText } from "../inspection/mask-secrets-for-inspection.ts";
import { isRecord } from "../is-plain-object.ts";
import type { Emitted } from "../machine-emissions.ts";
import type { ActionOutcome } from "./actions/action-outcome.ts";
import { withLocators } from "./actions/locators-into-action-params.ts";
import type { SessionEventMessage, SessionEventType } from "./browser-event-schemas.ts";
import type { Locators } from "./controls/find-element-by-locator.ts";

/** For each type of event, the fields of its payload. */
type Payloads = { [Event in SessionEventMessage as Event["type"]]: Event["data"] };
/** The payload of an event, without the field `room_name` (the name of the event's session). */
export type Payload<Type extends SessionEventType> = Omit<Payloads[Type], "room_name">;

type PageEventType =
  | "page_navigation"
  | "page_load_complete"
  | "dom_change"
  | "browser_error"
  | "screen_content_update";
/** An event of a page as the browser reports it. The name of the session is added later. */
export type PageEvent = { [Type in PageEventType]: { readonly type: Type } & Payload<Type> }[PageEventType];

/** A session's event before it has a number. */
export interface UnnumberedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Returns the topic of a session's events. Without a room name or a type, the topic is a pattern that matches
 * all room names or all types.
 */
export function sessionTopic(roomName?: string, type?: SessionEventType): string {
  return `session.${roomName === undefined ? "*" : topicToken(roomName)}.${type ?? "*"}`;
}

/**
 * Creates an event of a session. Tokens in its addresses are masked.
 *
 * @param at time of the event in milliseconds since the epoch
 */
export function sessionEvent<Type extends SessionEventType>(
  type: Type,
  roomName: string,
  payload: Payload<Type>,
  at: number,
): UnnumberedEvent {
  const whole = { room_name: roomName, ...withoutTokens(payload) };
  return { type, ...whole, data: whole, timestamp: at / 1_000 };
}

/** Masks tokens in addresses, because subscribers of a session may only have the permission to read. */
function withoutTokens<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  // The cast is safe: the masked array has as many elements as the original array, and they have the same
  // types.
  if (Array.isArray(value)) return value.map(withoutTokens) as Value;
  const fields = Object.entries(value).map(([name, field]) => {
    const address = typeof field === "string" && /url$|^error$/.test(name);
    return [name, address ? maskText(field) : withoutTokens(field)];
  });
  // The cast is safe: the result has the same keys and value types.
  return Object.fromEntries(fields) as Value;
}

/** Returns an event of a session in the form in which the session's state machine emits it. */
export function emitSessionEvent<Type extends SessionEventType>(
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

/** An action in the events of a session. */
export interface ReportedAction {
  readonly id: string;
  readonly action: {
    readonly name: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly locators?: Locators | undefined;
  };
  readonly called?: string | undefined;
  readonly job_id?: string | undefined;
}

export function actionPayload({ id, action, called, job_id }: ReportedAction) {
  return {
    action: { action_type: called ?? action.name, params: givenParams(action) },
    command_id: id,
    ...(job_id === undefined ? {} : { job_id }),
  };
}

/** Returns the masked parameters as the caller gave them: with locators, not with the indices that stand for them. */
function givenParams(action: ReportedAction["action"]): Record<string, unknown> {
  const params = maskedParams(action);
  // The cast is safe: masking keeps the keys and the types of the values.
  return action.locators ? withLocators(params, withMaskedTexts(action.locators) as Locators) : params;
}

/** Masks passwords and tokens in all texts, because a selector may contain the address of a link. */
function withMaskedTexts(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map(withMaskedTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withMaskedTexts(field)]));
}

/** Masks typed text in commands, events and rows of sessions, before inspection shows them. */
export function maskTyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskTyped);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, maskTyped(field)]);
  return isAction(value) ? { ...value, params: maskedParams(value) } : Object.fromEntries(fields);
}

function isAction(value: object): value is ReportedAction["action"] {
  if (!("name" in value) || !("params" in value)) return false;
  const { name, params } = value;
  return typeof name === "string" && typeof params === "object" && params !== null;
}

export function outcomeEvent(
  roomName: string,
  reported: ReportedAction,
  result: ActionOutcome,
  at: number,
): Emitted {
  const payload = { ...actionPayload(reported), result: { ...result, data: { ...result.data } } };
  if (result.success) return emitSessionEvent("action_completed", roomName, payload, at);
  const error = result.error ?? String(result.data.code);
  return emitSessionEvent("action_error", roomName, { ...payload, error }, at);
}

/** For each action, its parameters whose whole value may be secret, such as typed text. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  input: ["text"],
  type_slowly: ["text"],
  paste: ["text"],
  fill_form: ["value"],
  handle_dialog: ["text"],
  upload_file: ["content"],
  evaluate: ["code"],
};

/**
 * Replaces typed text by its length, and masks passwords and tokens in addresses. Encrypted parameters are
 * masked already.
 */
export function maskedParams({ name, params }: ReportedAction["action"]): Record<string, unknown> {
  if ("sealed" in params) {
    const { sealed: _, ...shown } = params;
    return shown;
  }
  const typed = TYPED[name] ?? [];
  const mask = (at: string, value: unknown): unknown => {
    if (typed.includes(at) && value !== undefined)
      return typeof value === "string" ? `(${value.length} characters)` : "(hidden)";
    // The name of a key, such as Enter, is never secret. But a sequence of single letters may be a typed
    // password, so its length is shown instead.
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
