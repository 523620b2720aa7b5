/**
 * What is known of each request under way: its id, since when, and who asks.
 *
 * Neighbours: `app.ts` notes it as a request comes in, `tools/calls.ts` and the sockets ask for it.
 */
import { Defect } from "../machines/errors.ts";
import type { Caller } from "./security/scope.ts";

export interface RequestContext {
  readonly id: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly path: string;
  /** `undefined`: nobody was asked who it is, or has said it. */
  readonly caller: Caller | undefined;
}

export class RequestContexts {
  readonly #known = new WeakMap<Request, RequestContext>();

  set(request: Request, passage: RequestContext): void {
    this.#known.set(request, passage);
  }

  get(request: Request): RequestContext | undefined {
    return this.#known.get(request);
  }

  /** Of a request whose sender is known: every route that does something has asked. */
  authenticated(request: Request): RequestContext & { readonly caller: Caller } {
    const passage = this.#known.get(request);
    if (passage?.caller) return { ...passage, caller: passage.caller };
    throw new Defect("gateway.no_caller", "A route acts for somebody whom it has not asked who it is.");
  }
}
