/** The context of each request in progress: its id, its start time, its caller. */
import { Defect } from "../machines/errors.ts";
import type { Caller } from "./security/api-key-scopes.ts";

export interface RequestContext {
  readonly id: string;
  /** Start time of the request, on the monotonic clock. */
  readonly startedAt: number;
  readonly path: string;
  /** The caller; `undefined` before authentication, and on routes that need no key. */
  readonly caller: Caller | undefined;
}

type AuthenticatedContext = RequestContext & { readonly caller: Caller };

function isAuthenticated(context: RequestContext): context is AuthenticatedContext {
  return context.caller !== undefined;
}

export class RequestContexts {
  readonly #known = new WeakMap<Request, RequestContext>();

  set(request: Request, passage: RequestContext): void {
    this.#known.set(request, passage);
  }

  get(request: Request): RequestContext | undefined {
    return this.#known.get(request);
  }

  /**
   * Returns the context of a request together with its caller. Throws a `Defect` if the caller is unknown:
   * routes that change something accept only known callers.
   */
  authenticated(request: Request): AuthenticatedContext {
    const passage = this.#known.get(request);
    if (passage && isAuthenticated(passage)) return passage;
    throw new Defect("gateway.no_caller", "A route that needs a caller was reached without one.");
  }
}
