/**
 * Acts that are asked for again with the same `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): done once,
 * answered the same.
 *
 * The key belongs to whose API key it came with. From both comes the id of the command, so that a repetition whose first
 * answer was never kept, since the process or the store went away, is not done twice either where actors remember
 * commands. What may pass by itself (429, 5xx) is not kept: it is tried again. Neighbour: `calls.ts`.
 */
import { createHash } from "node:crypto";
import {
  asCairnError,
  type CairnError,
  type ErrorBody,
  errorFromBody,
  Refused,
} from "../../machines/errors.ts";
import type { Caller } from "../security/scope.ts";
import type { Cairn } from "../system.ts";

export const IDEMPOTENCY_KEY = "idempotency-key";

export interface IdempotentCall {
  readonly caller: Caller;
  readonly key: string;
  readonly tool: string;
  readonly args: unknown;
}

export interface IdempotentResult {
  readonly answer: unknown;
  /** It is that of a request before. */
  readonly repeated: boolean;
}

/** What is kept of an answer: what the tool answered, or how it failed. */
type StoredOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorBody & { readonly status: number } };

interface Pending {
  readonly fingerprint: string;
  readonly kept: Promise<StoredOutcome>;
}

function hash(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** The same for two values that differ in the order of their fields alone. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([name, field]) => [name, canonical(field)]);
}

function failed(error: CairnError): StoredOutcome {
  return { ok: false, error: { ...error.toBody(), status: error.status } };
}

function resultOf(kept: StoredOutcome): unknown {
  if (kept.ok) return kept.value;
  throw errorFromBody(kept.error);
}

const isFinal = (kept: StoredOutcome): boolean =>
  kept.ok || (kept.error.status < 500 && kept.error.status !== 429);

/** The key of a request; `undefined`: it has none. Throws `request.bad_idempotency_key`. */
export function idempotencyKey(request: Request): string | undefined {
  const given = request.headers.get(IDEMPOTENCY_KEY);
  if (given === null) return undefined;
  // The draft's own form is a text in quotes; most clients send it bare.
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new Refused(
    "request.bad_idempotency_key",
    "Idempotency-Key is 1 to 200 printable ASCII characters without spaces, such as a UUID.",
  );
}

export class IdempotentCalls {
  readonly #underWay = new Map<string, Pending>();

  /** Throws `request.key_reused` (422) when the key was used for something else. */
  async run(
    cairn: Cairn,
    asked: IdempotentCall,
    act: (commandId: string) => Promise<unknown>,
  ): Promise<IdempotentResult> {
    const id = hash(asked.caller.name, asked.key);
    const fingerprint = hash(asked.tool, JSON.stringify(canonical(asked.args)));
    const before = this.#underWay.get(id);
    if (before) {
      assertSame(before.fingerprint, fingerprint);
      return { answer: resultOf(await before.kept), repeated: true };
    }
    let repeated = false;
    const kept = (async (): Promise<StoredOutcome> => {
      const known = await cairn.repeats.begin(id, fingerprint);
      assertSame(known.fingerprint, fingerprint);
      if (known.answer !== undefined) {
        repeated = true;
        return known.answer as StoredOutcome; // As it was kept below.
      }
      const came = await act(`idem-${id}`).then(
        (value): StoredOutcome => ({ ok: true, value }),
        (thrown) => failed(asCairnError(thrown)),
      );
      if (isFinal(came)) await cairn.repeats.end(id, { fingerprint, answer: came });
      return came;
    })();
    this.#underWay.set(id, { fingerprint, kept });
    try {
      return { answer: resultOf(await kept), repeated };
    } finally {
      this.#underWay.delete(id);
    }
  }
}

function assertSame(known: string, fingerprint: string): void {
  if (known === fingerprint) return;
  throw new Refused(
    "request.key_reused",
    "This Idempotency-Key was used for another request. Send the same request with it, or another key.",
    { status: 422 },
  );
}
