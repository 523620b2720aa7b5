/**
 * All errors that Cairn returns to a caller. The class of an error states what the caller should do, such as
 * correct the request or retry later. The field `code` (`group.code`) identifies the error.
 */

/** The form of an error in answers, which is the same for REST, MCP and WebSocket. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface CairnErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The base class of all errors. An error has a code and an HTTP status. */
export abstract class CairnError extends Error {
  abstract readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, options: CairnErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details;
  }

  toBody(): ErrorBody {
    return this.details
      ? { code: this.code, message: this.message, details: this.details }
      : { code: this.code, message: this.message };
  }
}

/** The request cannot be executed, and repeating it would not help (4xx). */
export class Refused extends CairnError {
  readonly status: number;
  constructor(code: string, message: string, options: CairnErrorOptions & { readonly status?: number } = {}) {
    super(code, message, options);
    this.status = options.status ?? 400;
  }
}

/** There are too many requests at the moment. The same request may succeed a little later (429). */
export class Overloaded extends CairnError {
  readonly status = 429;
}

/** A required component is unavailable. Nothing was done; retry with backoff (503). */
export class Unavailable extends CairnError {
  readonly status = 503;
}

/** The deadline passed and the outcome is unknown. Repeat the request with the same id (504). */
export class TimedOut extends CairnError {
  readonly status = 504;
}

/**
 * This process is no longer the owner of the actor's shard (a group of actors with one owner), so its pending writes
 * must not be committed. The caller receives 503 and may retry.
 */
export class Fenced extends CairnError {
  readonly status = 503;
}

/** A defect of Cairn. It is logged with its cause; the caller receives no internal details (500). */
export class Defect extends CairnError {
  readonly status = 500;
}

/** Rebuilds a typed error from its serialised form, after a worker thread or another node has sent it. */
export function errorFromBody(body: ErrorBody & { readonly status?: number }): CairnError {
  const options = body.details ? { details: body.details } : {};
  switch (body.status) {
    case 429:
      return new Overloaded(body.code, body.message, options);
    case 503:
      return new Unavailable(body.code, body.message, options);
    case 504:
      return new TimedOut(body.code, body.message, options);
    case 500:
      return new Defect(body.code, body.message, options);
    default:
      return new Refused(body.code, body.message, { ...options, status: body.status ?? 400 });
  }
}

/**
 * Converts any thrown value to a `CairnError`. A value that is not a `CairnError` becomes the cause of a new
 * `Defect`.
 */
export function asCairnError(thrown: unknown, code = "internal.defect"): CairnError {
  if (thrown instanceof CairnError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Defect(code, message, { cause: thrown });
}
