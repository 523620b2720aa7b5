/**
 * Every error that Cairn returns to a caller, named by what happens next.
 * The class states the consequence (refuse, retry later, give up this owner), `code` the case (`group.code`),
 * `details` the data. Any other thrown value is a defect.
 */

/** The wire form of an error, the same on every surface. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface CairnErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The base class: a coded error with an HTTP status. */
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

/** The request is impossible and will be refused again (4xx). */
export class Refused extends CairnError {
  readonly status: number;
  constructor(code: string, message: string, options: CairnErrorOptions & { readonly status?: number } = {}) {
    super(code, message, options);
    this.status = options.status ?? 400;
  }
}

/** Too much at once: the same request may succeed a little later (429). */
export class Overloaded extends CairnError {
  readonly status = 429;
}

/** A needed part is away. Nothing was done; retry with backoff (503). */
export class Unavailable extends CairnError {
  readonly status = 503;
}

/** The deadline passed and the outcome is unknown. Ask again with the same id (504). */
export class TimedOut extends CairnError {
  readonly status = 504;
}

/** This owner lost its shard, so its pending writes must not happen (503 to the caller, who retries). */
export class Fenced extends CairnError {
  readonly status = 503;
}

/** A defect of Cairn: logged with its cause, reported to the caller without internals (500). */
export class Defect extends CairnError {
  readonly status = 500;
}

/** Rebuilds an error from its wire form, so that it stays typed across a worker or the network. */
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

/** Any thrown value as a `CairnError`. Other values become a `Defect` with the original as the cause. */
export function asCairnError(thrown: unknown, code = "internal.defect"): CairnError {
  if (thrown instanceof CairnError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Defect(code, message, { cause: thrown });
}
