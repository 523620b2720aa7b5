/**
 * All errors that Cairn returns to a caller. The class states the consequence, such as refuse or retry later.
 * `code` states the case (`group.code`), and any other thrown value is a defect.
 */

/** The serialised form of an error. REST, MCP and WebSocket use the same form. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface CairnErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The base class of all errors: it has an error code and an HTTP status. */
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

/** The request is impossible. It will be refused again when it is repeated (4xx). */
export class Refused extends CairnError {
  readonly status: number;
  constructor(code: string, message: string, options: CairnErrorOptions & { readonly status?: number } = {}) {
    super(code, message, options);
    this.status = options.status ?? 400;
  }
}

/** There are too many requests at once. The same request may succeed a little later (429). */
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
 * This process lost the ownership of the actor's shard, so its pending writes must not be committed. The
 * caller receives 503 and retries.
 */
export class Fenced extends CairnError {
  readonly status = 503;
}

/** A defect of Cairn. It is logged with its cause; the caller receives no internal details (500). */
export class Defect extends CairnError {
  readonly status = 500;
}

/** Rebuilds a typed error from its serialised form, after a worker or the network has transferred it. */
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
 * Converts any thrown value into a `CairnError`. Other values become a `Defect` with the original as the
 * cause.
 */
export function asCairnError(thrown: unknown, code = "internal.defect"): CairnError {
  if (thrown instanceof CairnError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Defect(code, message, { cause: thrown });
}
