/**
 * Replies that are too large for one message: kept where they were made, and fetched from there in pieces.
 *
 * A reply over `busLimits.inlineBytes` goes as a reference; whoever it is for asks for the pieces. A kept reply is
 * forgotten once it was fetched, after a while, or when too much is kept. Neighbour: `bus.nats.ts`.
 */
import { headers, type MsgHdrs } from "nats";
import { TimedOut, Unavailable } from "../../../../machines/errors.ts";
import { busLimits } from "../../limits.ts";
import type { Broker } from "./connection.nats.ts";

/** The header of a message that stands for a kept one: where it is, its name there, how many pieces it has. */
const REFERENCE = "Cairn-Kept";

export class KeptReplies {
  readonly #broker: Broker;
  readonly #subject: string;
  readonly #kept = new Map<string, { readonly bytes: Uint8Array; readonly cancel: () => void }>();
  #bytes = 0;

  constructor(broker: Broker, self: string) {
    this.#broker = broker;
    this.#subject = `cairn.kept.${self}`;
    broker.hear(this.#subject, (msg) => {
      const [id = "", piece = "0"] = msg.string().split(" ");
      msg.respond(this.#piece(id, Number(piece)));
    });
  }

  /** Keeps a reply; the answer is what to send in its place. */
  keep(bytes: Uint8Array): MsgHdrs {
    const id = crypto.randomUUID();
    const timer = setTimeout(() => this.#drop(id), busLimits.keptFor);
    this.#kept.set(id, { bytes, cancel: () => clearTimeout(timer) });
    this.#bytes += bytes.length;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= busLimits.keptBytes || oldest === id) break;
      this.#drop(oldest);
    }
    const reference = headers();
    const pieces = Math.ceil(bytes.length / busLimits.pieceBytes);
    reference.set(REFERENCE, `${this.#subject} ${id} ${pieces}`);
    return reference;
  }

  /** The message itself, or the kept one that it stands for: `bus.reply_lost` when that is gone. */
  async resolve(data: Uint8Array, reference: MsgHdrs | undefined, timeout: number): Promise<Uint8Array> {
    const [subject, id, pieces] = reference?.get(REFERENCE).split(" ") ?? [];
    if (!subject || !id) return data;
    const until = performance.now() + timeout;
    const parts: Uint8Array[] = [];
    for (let piece = 0; piece < Number(pieces); piece++) {
      const left = Math.max(until - performance.now(), 1);
      const answer = await this.#broker.connection
        .request(subject, `${id} ${piece}`, { timeout: left })
        .catch((error: unknown) => {
          throw new TimedOut("bus.reply_lost", "A large reply could not be fetched whole. Ask again.", {
            cause: error,
          });
        });
      if (answer.data.length === 0) {
        throw new Unavailable(
          "bus.reply_lost",
          "A large reply was gone before it was fetched whole. Ask again.",
        );
      }
      parts.push(answer.data);
    }
    return Buffer.concat(parts);
  }

  close(): void {
    for (const id of [...this.#kept.keys()]) this.#drop(id);
  }

  /** Empty for what is not kept. */
  #piece(id: string, piece: number): Uint8Array {
    const kept = this.#kept.get(id);
    if (!kept) return new Uint8Array();
    const { pieceBytes } = busLimits;
    const bytes = kept.bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);
    if ((piece + 1) * pieceBytes >= kept.bytes.length) this.#drop(id);
    return bytes;
  }

  #drop(id: string): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    kept.cancel();
    this.#kept.delete(id);
    this.#bytes -= kept.bytes.length;
  }
}
