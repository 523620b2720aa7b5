/**
 * Sends the events of a feed to one reader over a WebSocket: greeting, missed events, live events, heartbeat.
 * A reader that is too slow is disconnected with a reason, because dropping events would leave gaps that the
 * reader cannot notice. The reader can reconnect with its last cursor.
 */

import type { Feed, Frame } from "./resumable-websocket-event-feed.ts";
import { socketLimits } from "./websocket-limits.ts";

/** The methods of Bun's `ServerWebSocket` that are used here. */
export interface Wire {
  /**
   * Sends a text. Returns the number of sent bytes, -1 when they are buffered, or 0 when they were dropped.
   */
  send(text: string): number;
  close(code: number, reason: string): void;
  getBufferedAmount(): number;
}

/** Position of the last event that a reader has received. The reader continues with the event after it. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

/** Close codes from RFC 6455 and the IANA registry. */
export const CloseCode = { goingAway: 1001, refused: 1008, tryAgainLater: 1013 } as const;

/**
 * Builds the reason in a close frame, which may have at most 123 bytes. The text is cut at 120 bytes, because
 * a cut in the middle of a character may add three bytes.
 */
function reason(code: string, message: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(`${code}: ${message}`).slice(0, 120));
}

/** Handles a message of a reader, and returns an answer for this reader only. */
export type TakeMessage = (message: unknown) => Promise<unknown>;

/** Stored events, which a reader receives before live events. */
export interface StoredEvents {
  readonly read: () => Promise<readonly StoredEvent[]>;
  /**
   * Returns the sequence number of a live event. A live event is skipped if the stored events already
   * contained its number.
   */
  readonly seqOf: (event: unknown) => number;
}

export type StoredEvent = { readonly seq: number } & Readonly<Record<string, unknown>>;

export class Connection {
  readonly #wire: Wire;
  #feed: Feed | undefined;
  #stop = () => {};
  #open = true;
  #take: TakeMessage | undefined;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Sends the first message of a connection, without starting a stream of events. */
  greet(): void {
    this.#send({ type: "hello", heartbeat_ms: socketLimits.heartbeat });
  }

  /** Sends the greeting, the stored events after the position `from`, and then every new event. */
  follow(feed: Feed, from: Position | undefined): void {
    if (!this.#open) return;
    this.#feed = feed;
    const missed = from ? feed.after(from.epoch, from.seq) : undefined;
    this.#send({
      type: "hello",
      epoch: feed.epoch,
      seq: feed.last - (missed?.length ?? 0),
      /**
       * `resumed: false` means that the missed events are not sent again. The reader must then read the state
       * again.
       */
      resumed: missed !== undefined,
      heartbeat_ms: socketLimits.heartbeat,
    });
    for (const frame of missed ?? []) this.#pass(frame);
    if (this.#open) this.#stop = feed.read((frame) => this.#pass(frame));
  }

  /** Sends the greeting, then the stored events, and then every live event that is newer than these. */
  async followStored(feed: Feed, { read, seqOf }: StoredEvents): Promise<void> {
    if (!this.#open) return;
    this.#feed = feed;
    let waiting: Frame[] | undefined = [];
    let sent = 0;
    const pass = (frame: Frame): void => {
      if (seqOf(JSON.parse(frame.text)) > sent) this.#pass(frame);
    };
    this.#stop = feed.read((frame) => {
      if (waiting) waiting.push(frame);
      else pass(frame);
    });
    const stored = await read();
    this.#send({
      type: "hello",
      epoch: feed.epoch,
      seq: feed.last - waiting.length,
      resumed: true,
      heartbeat_ms: socketLimits.heartbeat,
    });
    for (const event of stored) {
      sent = event.seq;
      this.#pass({ seq: event.seq, text: JSON.stringify(event) });
    }
    const missed = waiting;
    waiting = undefined;
    for (const frame of missed) pass(frame);
  }

  /** Sets the function that handles messages which the client sends from now on. */
  takeMessages(take: TakeMessage | undefined): void {
    this.#take = take;
  }

  /**
   * Handles a message of the reader: `{ "type": "ping" }`, or a message that the route of the socket accepts.
   */
  receive(message: unknown): void {
    const type =
      typeof message === "object" && message !== null && "type" in message ? message.type : undefined;
    if (type === "ping") this.heartbeat();
    else if (this.#take) void this.#take(message).then((answer) => this.#send(answer));
    else
      this.close(
        CloseCode.refused,
        "socket.unexpected",
        'this socket takes { "type": "ping" } and nothing else',
      );
  }

  heartbeat(): void {
    this.#send({ type: "heartbeat", ...(this.#feed ? { seq: this.#feed.last } : {}) });
  }

  close(status: number, code: string, message: string): void {
    if (!this.#open) return;
    this.left();
    this.#wire.close(status, reason(code, message));
  }

  /** Called when the client has closed the socket. */
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
