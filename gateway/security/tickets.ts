/**
 * One-time tickets: how a web page opens a WebSocket where a key is asked for, since browsers send no headers with one.
 *
 * A ticket is got with the key, is good once and for a moment, and stands in a URL, where a key must never stand.
 */
import { randomBytes } from "node:crypto";
import { limits } from "../../machines/limits.ts";

export interface Ticket {
  readonly ticket: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

export class Tickets {
  readonly #expiry = new Map<string, number>();

  issue(now: number): Ticket {
    for (const [ticket, expires] of this.#expiry) if (expires <= now) this.#expiry.delete(ticket);
    // The longest known go first: whoever asks for many without using them loses only their own.
    for (const ticket of this.#expiry.keys()) {
      if (this.#expiry.size < limits.socket.tickets) break;
      this.#expiry.delete(ticket);
    }
    const ticket = randomBytes(32).toString("base64url");
    const expires = now + limits.socket.ticketFor;
    this.#expiry.set(ticket, expires);
    return { ticket, expires };
  }

  /** Is it good? Then it was, for it is no more. */
  redeem(ticket: string, now: number): boolean {
    const expires = this.#expiry.get(ticket);
    this.#expiry.delete(ticket);
    return expires !== undefined && expires > now;
  }
}
