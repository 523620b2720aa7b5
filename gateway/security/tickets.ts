/**
 * One-time tickets: how a web page opens a WebSocket where a key is asked for, since browsers send no headers with one.
 *
 * A ticket is got with a key and may what that may, is good once and for a moment, and stands in a URL, where a key must
 * never stand.
 */
import { randomBytes } from "node:crypto";
import { limits } from "../../machines/limits.ts";
import type { Caller } from "./scope.ts";

export interface Ticket {
  readonly ticket: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

export class Tickets {
  readonly #issued = new Map<string, { readonly caller: Caller; readonly expires: number }>();

  issue(caller: Caller, now: number): Ticket {
    for (const [ticket, { expires }] of this.#issued) if (expires <= now) this.#issued.delete(ticket);
    // The longest known go first: whoever asks for many without using them loses only their own.
    for (const ticket of this.#issued.keys()) {
      if (this.#issued.size < limits.socket.tickets) break;
      this.#issued.delete(ticket);
    }
    const ticket = randomBytes(32).toString("base64url");
    const expires = now + limits.socket.ticketFor;
    this.#issued.set(ticket, { caller, expires });
    return { ticket, expires };
  }

  /** Whose it is, if it is good; it is no more then. */
  redeem(ticket: string, now: number): Caller | undefined {
    const issued = this.#issued.get(ticket);
    this.#issued.delete(ticket);
    return issued && issued.expires > now ? issued.caller : undefined;
  }
}
