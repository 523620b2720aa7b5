/**
 * What is known of each request under way: its id, since when, and who asks.
 *
 * Neighbours: `app.ts` notes it as a request comes in, `tools/calls.ts` and the sockets ask for it.
 */
import { Defect } from "../machines/errors.ts";
import type { Caller } from "./security/scope.ts";

export interface Passage {
  readonly id: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly path: string;
  /** `undefined`: nobody was asked who it is, or has said it. */
  readonly caller: Caller | undefined;
}

export class Passages {
  readonly #known = new WeakMap<Request, Passage>();

  note(request: Request, passage: Passage): void {
    this.#known.set(request, passage);
  }

  of(request: Request): Passage | undefined {
    return this.#known.get(request);
  }

  /** Of a request whose sender is known: every route that does something has asked. */
  known(request: Request): Passage & { readonly caller: Caller } {
    const passage = this.#known.get(request);
    if (passage?.caller) return { ...passage, caller: passage.caller };
    throw new Defect("gateway.no_caller", "A route acts for somebody whom it has not asked who it is.");
  }
}
