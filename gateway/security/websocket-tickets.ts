/**
 * One-time tickets, which open a WebSocket from a web page, because pages cannot send an Authorization header there.
 * A ticket has the scope of its key, but unlike a key it may appear in a URL. It is signed, so every node accepts it,
 * and the store records its use.
 */
import { randomBytes } from "node:crypto";
import type { StartingSystem } from "../running-system-for-waiting-requests.ts";
import { socketLimits } from "../socket/websocket-limits.ts";
import type { Caller } from "./api-key-scopes.ts";
import type { Signer } from "./ticket-and-cookie-signer.ts";

export interface Ticket {
  readonly ticket: string;
  /** Time of expiry in milliseconds since the epoch. */
  readonly expires: number;
}

/** The format of a ticket: name.expires.number.signature. */
const FORM = /^([\w-]{1,40})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;

function statement(name: string, expires: number, number: string): string {
  return `ticket ${number} of ${name} until ${expires}`;
}

/** Marks the number of a ticket as used. Resolves to `false` when it was used before. */
export type UseTicket = (number: string) => Promise<boolean>;

/**
 * Stores that a ticket was used, so that all nodes know it. Throws `store.unavailable` when the store is
 * unavailable; the ticket then remains valid.
 */
export function useAcrossNodes(system: StartingSystem): UseTicket {
  return async (number) => {
    const mark = crypto.randomUUID();
    const { repeats } = await system.available();
    return (await repeats.begin(`ticket-${number}`, mark)).fingerprint === mark;
  };
}

export class Tickets {
  readonly #proofs: Signer;
  readonly #use: UseTicket;

  constructor(proofs: Signer, use: UseTicket) {
    this.#proofs = proofs;
    this.#use = use;
  }

  issue({ name }: Caller, now: number): Ticket {
    const expires = now + socketLimits.ticketFor;
    const number = randomBytes(16).toString("base64url");
    const proof = this.#proofs.sign(name, statement(name, expires, number)) ?? "";
    return { ticket: [name, expires, number, proof].join("."), expires };
  }

  /** Returns the caller of a valid ticket. The ticket cannot be used again. */
  async redeem(ticket: string, now: number): Promise<Caller | undefined> {
    const [, name = "", until = "", number = "", proof = ""] = FORM.exec(ticket) ?? [];
    const expires = Number(until);
    if (proof === "" || expires <= now) return undefined;
    const caller = this.#proofs.verify(name, statement(name, expires, number), proof);
    return caller && (await this.#use(number)) ? caller : undefined;
  }
}
