/**
 * Stores replies that are too large for one message, and serves them in pieces. A reply with more than
 * `busLimits.inlineBytes` bytes is sent as a reference. The stored reply is dropped when it was fetched,
 * after some time, or when too much is stored.
 */
import { headers, type MsgHdrs } from "nats";
import { TimedOut, Unavailable } from "../../../../machines/errors.ts";
import { busLimits } from "../../actor-runtime-limits.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";

/**
 * The NATS header of a message that refers to a stored reply. Its value contains the node that stores the
 * reply, the reply's name there, and the number of pieces.
 */
const REFERENCE = "Cairn-Kept";

export class LargeReplies {
  readonly #broker: BrokerConnection;
  readonly #subject: string;
  readonly #stored = new Map<string, { readonly bytes: Uint8Array; readonly cancel: () => void }>();
  #bytes = 0;

  constructor(broker: BrokerConnection, self: string) {
    this.#broker = broker;
    this.#subject = `cairn.kept.${self}`;
    broker.subscribe(this.#subject, (msg) => {
      const [id = "", piece = "0"] = msg.string().split(" ");
      msg.respond(this.#piece(id, Number(piece)));
    });
  }

  /** Stores a reply, and returns the headers that refer to it. */
  store(bytes: Uint8Array): MsgHdrs {
    const id = crypto.randomUUID();
    const timer = setTimeout(() => this.#drop(id), busLimits.largeReplyFor);
    this.#stored.set(id, { bytes, cancel: () => clearTimeout(timer) });
    this.#bytes += bytes.length;
    for (const [oldest] of this.#stored) {
      if (this.#bytes <= busLimits.largeReplyBytes || oldest === id) break;
      this.#drop(oldest);
    }
    const reference = headers();
    const pieces = Math.ceil(bytes.length / busLimits.pieceBytes);
    reference.set(REFERENCE, `${this.#subject} ${id} ${pieces}`);
    return reference;
  }

  /**
   * Returns the content of a reply. If the message only contains a reference, the stored reply is fetched in
   * pieces. Throws `bus.reply_lost` when the stored reply was dropped.
   */
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
    for (const id of [...this.#stored.keys()]) this.#drop(id);
  }

  /** Returns one piece of a stored reply. It is empty when the reply is unknown. */
  #piece(id: string, piece: number): Uint8Array {
    const stored = this.#stored.get(id);
    if (!stored) return new Uint8Array();
    const { pieceBytes } = busLimits;
    const bytes = stored.bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);
    if ((piece + 1) * pieceBytes >= stored.bytes.length) this.#drop(id);
    return bytes;
  }

  #drop(id: string): void {
    const stored = this.#stored.get(id);
    if (!stored) return;
    stored.cancel();
    this.#stored.delete(id);
    this.#bytes -= stored.bytes.length;
  }
}
