/** Converts errors of NATS to Cairn's errors. */
import { ErrorCode, NatsError } from "nats";
import { CairnError, Refused, Unavailable } from "../../../../machines/errors.ts";

/** Error numbers of the JetStream API, from its `errors.json`. */
export const apiCodes = {
  notStored: 10_077,
  wrongRevision: 10_071,
  consumerNotFound: 10_014,
  filterTaken: 10_100,
  streamNotFound: 10_059,
  messageNotFound: 10_037,
  temporarilyUnavailable: 10_008,
  subjectsTaken: 10_065,
  streamNameTaken: 10_058,
  noPeers: 10_005,
} as const;

export interface ApiFailure {
  /** The JetStream error number; `undefined` when the request did not reach JetStream. */
  readonly code: number | undefined;
  readonly status: number | undefined;
  /** Whether the broker or JetStream did not answer. The request may have been executed. */
  readonly away: boolean;
  readonly message: string;
}

/** Error codes of NATS for a request without an answer. 503 means that the subject has no subscriber. */
const AWAY: readonly string[] = [
  ErrorCode.Timeout,
  ErrorCode.NoResponders,
  ErrorCode.Disconnect,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
];

export function apiError(error: unknown): ApiFailure {
  if (!(error instanceof NatsError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: undefined, status: undefined, away: false, message };
  }
  const { api_error: api, code, message } = error;
  if (api) return { code: api.err_code, status: api.code, away: api.code === 503, message: api.description };
  const status = code === ErrorCode.NoResponders ? 503 : undefined;
  return { code: undefined, status, away: AWAY.includes(code), message };
}

/**
 * Returns the error for a broker that cannot work at present. When JetStream has given a reason, such as no
 * space or no leader, the error contains it.
 */
export function brokerAway(serverNames: string, cause?: unknown): Unavailable {
  const said = apiError(cause);
  const how =
    said.code === undefined ? "does not answer right now" : `cannot do it right now: ${said.message}`;
  return new Unavailable(
    "bus.unavailable",
    `NATS at ${serverNames} ${how}. Try again in a moment, with the same id.`,
    { cause },
  );
}

/** Converts any error of NATS to a `CairnError`. */
export function asBusError(error: unknown, serverNames: string): CairnError {
  if (error instanceof CairnError) return error;
  if (apiError(error).away) return brokerAway(serverNames, error);
  return new Unavailable("bus.refused", `NATS at ${serverNames} refused: ${apiError(error).message}.`, {
    cause: error,
  });
}

export function tooLarge(what: string, bytes: number, largest: number): Refused {
  return new Refused(
    "bus.message_too_large",
    `${what} of ${bytes} bytes does not fit the bus, which takes ${largest}. Send less at once.`,
    { status: 413, details: { bytes, largest } },
  );
}

export function notCapable(serverNames: string, missing: readonly string[]): Unavailable {
  return new Unavailable(
    "bus.not_capable",
    `NATS at ${serverNames} lacks what Cairn needs: ${missing.join("; ")}. Provide it, or unset NATS_URL to run alone.`,
    { details: { missing } },
  );
}
