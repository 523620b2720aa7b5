/**
 * One reader of a feed over a WebSocket: a greeting, what it missed, what happens, a sign of life.
 *
 * A reader that is too slow is told so and closed, never given a part of the events: it can come back and go on
 * from the last number it has. Neighbours: `feed.ts` is read, `sockets.ts` holds all connections of a gateway.
 */

import type { Feed, Frame } from "./feed.ts";
import { socketLimits } from "./limits.ts";

/** The part of Bun's `ServerWebSocket` that is needed here. */
export interface Wire {
  /** Bytes sent, -1 when they wait, 0 when they were dropped. */
  send(text: string): number;
  close(code: number, reason: string): void;
  getBufferedAmount(): number;
}

/** Where a reader was. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

/** Close codes of RFC 6455 and the IANA registry that are used. */
export const CloseCode = { goingAway: 1001, refused: 1008, tryAgainLater: 1013 } as const;

/** A reason of a close frame has at most 123 bytes; a character that is cut in two takes three more. */
function reason(code: string, message: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(`${code}: ${message}`).slice(0, 120));
}

export class Connection {
  readonly #wire: Wire;
  #feed: Feed | undefined;
  #stop = () => {};
  #open = true;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Greets, sends what was missed since `from`, and then everything. */
  follow(feed: Feed, from: Position | undefined): void {
    if (!this.#open) return;
    this.#feed = feed;
    const missed = from ? feed.after(from.epoch, from.seq) : undefined;
    this.#send({
      type: "hello",
      epoch: feed.epoch,
      seq: feed.last - (missed?.length ?? 0),
      /** False: what happened before is not told; whoever needs it asks for the state anew. */
      resumed: missed !== undefined,
      heartbeat_ms: socketLimits.heartbeat,
    });
    for (const frame of missed ?? []) this.#pass(frame);
    if (this.#open) this.#stop = feed.read((frame) => this.#pass(frame));
  }

  /** What a reader may say: `{ "type": "ping" }`. */
  receive(message: unknown): void {
    const type =
      typeof message === "object" && message !== null && "type" in message ? message.type : undefined;
    if (type === "ping") this.heartbeat();
    else
      this.close(
        CloseCode.refused,
        "socket.unexpected",
        'this socket takes { "type": "ping" } and nothing else',
      );
  }

  heartbeat(): void {
    if (this.#feed) this.#send({ type: "heartbeat", seq: this.#feed.last });
  }

  close(status: number, code: string, message: string): void {
    if (!this.#open) return;
    this.left();
    this.#wire.close(status, reason(code, message));
  }

  /** The other side is gone. */
  left(): void {
    this.#open = false;
    this.#stop();
  }

  #pass({ text, seq }: Frame): void {
    if (!this.#open) return;
    if (this.#wire.getBufferedAmount() > socketLimits.unreadBytes || this.#wire.send(text) === 0) {
      this.close(
        CloseCode.tryAgainLater,
        "socket.slow_reader",
        `unread data piled up; go on from ${seq - 1}`,
      );
    }
  }

  #send(message: unknown): void {
    if (this.#open) this.#wire.send(JSON.stringify(message));
  }
}
