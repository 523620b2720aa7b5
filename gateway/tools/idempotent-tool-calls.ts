/**
 * Runs calls with the same `Idempotency-Key` once, and returns the same result
 * (draft-ietf-httpapi-idempotency-key-header-07). The command id is derived from this key and the API key, so
 * actors that remember command ids do not run a repeated call twice. Temporary failures (429, 5xx) are not
 * stored.
 */
import { createHash } from "node:crypto";
import {
  asCairnError,
  type CairnError,
  type ErrorBody,
  errorFromBody,
  Refused,
} from "../../machines/errors.ts";
import type { Cairn } from "../actor-system-interface.ts";
import type { Caller } from "../security/api-key-scopes.ts";

const IDEMPOTENCY_KEY = "idempotency-key";

interface IdempotentCall {
  readonly caller: Caller;
  readonly key: string;
  readonly tool: string;
  readonly args: unknown;
}

interface IdempotentResult {
  readonly answer: unknown;
  /** Whether this result was stored by an earlier request with the same key. */
  readonly repeated: boolean;
}

/** The stored outcome of a call: its result or its error. */
type StoredOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorBody & { readonly status: number } };

interface Pending {
  readonly fingerprint: string;
  readonly outcome: Promise<StoredOutcome>;
}

function hash(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/**
 * Sorts the fields of objects at every depth. Two values that differ only in the order of their fields become
 * equal.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, canonical(field)]);
}

function failed(error: CairnError): StoredOutcome {
  return { ok: false, error: { ...error.toBody(), status: error.status } };
}

function resultOf(outcome: StoredOutcome): unknown {
  if (outcome.ok) return outcome.value;
  throw errorFromBody(outcome.error);
}

const isFinal = (outcome: StoredOutcome): boolean =>
  outcome.ok || (outcome.error.status < 500 && outcome.error.status !== 429);

/** Matches a valid idempotency key: 1 to 200 printable ASCII characters without spaces. */
export const IDEMPOTENCY_KEY_FORM = /^[\x21-\x7e]{1,200}$/;

/** Returns the idempotency key of a request; `undefined` without one. Throws `request.bad_idempotency_key`. */
export function idempotencyKey(request: Request): string | undefined {
  const given = request.headers.get(IDEMPOTENCY_KEY);
  if (given === null) return undefined;
  // The draft of this header requires a quoted string. Most clients send the key without quotes, so both
  // forms are accepted.
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  if (IDEMPOTENCY_KEY_FORM.test(key)) return key;
  throw new Refused(
    "request.bad_idempotency_key",
    "Idempotency-Key is 1 to 200 printable ASCII characters without spaces, such as a UUID.",
  );
}

export class IdempotentCalls {
  readonly #pending = new Map<string, Pending>();

  /**
   * Runs a call if its key is new, and otherwise returns the stored result. Throws `request.key_reused` (422)
   * when the key was used for a different call.
   */
  async run(
    cairn: Cairn,
    call: IdempotentCall,
    callTool: (commandId: string) => Promise<unknown>,
  ): Promise<IdempotentResult> {
    const id = hash(call.caller.name, call.key);
    const fingerprint = hash(call.tool, JSON.stringify(canonical(call.args)));
    const pending = this.#pending.get(id);
    if (pending) {
      assertSameCall(pending.fingerprint, fingerprint);
      return { answer: resultOf(await pending.outcome), repeated: true };
    }
    let repeated = false;
    const outcome = (async (): Promise<StoredOutcome> => {
      const record = await cairn.repeats.begin(id, fingerprint);
      assertSameCall(record.fingerprint, fingerprint);
      if (record.answer !== undefined) {
        repeated = true;
        // The cast is safe: every stored answer is a `StoredOutcome`, because only `end` below stores
        // answers.
        return record.answer as StoredOutcome;
      }
      const finished = await callTool(`idem-${id}`).then(
        (value): StoredOutcome => ({ ok: true, value }),
        (thrown) => failed(asCairnError(thrown)),
      );
      if (isFinal(finished)) await cairn.repeats.end(id, { fingerprint, answer: finished });
      return finished;
    })();
    this.#pending.set(id, { fingerprint, outcome });
    try {
      return { answer: resultOf(await outcome), repeated };
    } finally {
      this.#pending.delete(id);
    }
  }
}

function assertSameCall(stored: string, fingerprint: string): void {
  if (stored === fingerprint) return;
  throw new Refused(
    "request.key_reused",
    "This Idempotency-Key was used for another request. Send the same request with it, or another key.",
    { status: 422 },
  );
}
