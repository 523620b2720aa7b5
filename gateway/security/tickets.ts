/**
 * One-time tickets: how a web page opens a WebSocket where a key is asked for, since browsers send no headers with one.
 *
 * A ticket is got with a key and may what that may, is good once and for a moment, and stands in a URL, where a key must
 * never stand. It is good at every node with the same keys: it carries its own proof, and that it was used is a fact of
 * the store, of which the first wins. Neighbours: `proofs.ts` proves, `guard.ts` redeems.
 */
import { randomBytes } from "node:crypto";
import { socketLimits } from "../socket/limits.ts";
import type { SystemSlot } from "../system-slot.ts";
import type { Proofs } from "./proofs.ts";
import type { Caller } from "./scope.ts";

export interface Ticket {
  readonly ticket: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** name.expires.number.proof */
const FORM = /^([\w-]{1,40})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;

function statement(name: string, expires: number, number: string): string {
  return `ticket ${number} of ${name} until ${expires}`;
}

/** Answers whether nobody has used the ticket of this number before. */
export type Use = (number: string) => Promise<boolean>;

/** Where all nodes see it. Throws `store.unavailable` when that cannot be asked: the ticket is not spent then. */
export function useAcrossNodes(system: SystemSlot): Use {
  return async (number) => {
    const mark = crypto.randomUUID();
    const { repeats } = await system.available();
    return (await repeats.begin(`ticket-${number}`, mark)).fingerprint === mark;
  };
}

export class Tickets {
  readonly #proofs: Proofs;
  readonly #use: Use;

  constructor(proofs: Proofs, use: Use) {
    this.#proofs = proofs;
    this.#use = use;
  }

  issue({ name }: Caller, now: number): Ticket {
    const expires = now + socketLimits.ticketFor;
    const number = randomBytes(16).toString("base64url");
    const proof = this.#proofs.of(name, statement(name, expires, number)) ?? "";
    return { ticket: [name, expires, number, proof].join("."), expires };
  }

  /** Whose it is, if it is good; it is no more then. */
  async redeem(ticket: string, now: number): Promise<Caller | undefined> {
    const [, name = "", until = "", number = "", proof = ""] = FORM.exec(ticket) ?? [];
    const expires = Number(until);
    if (proof === "" || expires <= now) return undefined;
    const caller = this.#proofs.holder(name, statement(name, expires, number), proof);
    return caller && (await this.#use(number)) ? caller : undefined;
  }
}
