/**
 * All sockets of a gateway: who is connected, what they read, their heartbeat, and their end.
 *
 * Readers of the same thing share one feed, so a thousand windows on one actor cost the actors one watcher. What a
 * socket is for is said by its route (`inspect.ts`); this file knows no event. Neighbours: `feed.ts`, `connection.ts`.
 */
import { asCairnError, Overloaded } from "../../machines/errors.ts";
import { withoutPaths } from "../../machines/inspection/paths.ts";
import { CloseCode, Connection, type Position, type Wire } from "./connection.ts";
import { Feed, type FeedOptions } from "./feed.ts";
import { socketLimits } from "./limits.ts";

export interface Following extends Omit<FeedOptions, "ended"> {
  /** Readers with the same key read the same feed. */
  readonly key: string;
  readonly from: Position | undefined;
}

export class Sockets {
  /** What may be said of an error. */
  readonly #say: (message: string) => string;
  readonly #connections = new Map<string, Connection>();
  readonly #feeds = new Map<string, Feed>();
  readonly #others: (() => Promise<void>)[] = [];
  #beat: ReturnType<typeof setInterval> | undefined;

  constructor(say: (message: string) => string = withoutPaths) {
    this.#say = say;
  }

  /** Streams of another kind that end when the sockets do. */
  beforeEnd(close: () => Promise<void>): void {
    this.#others.push(close);
  }

  /** Throws `socket.too_many` when no more are taken. */
  assertRoom(): void {
    if (this.#connections.size < socketLimits.connections) return;
    throw new Overloaded(
      "socket.too_many",
      `${this.#connections.size} sockets are open, as many as there may be. Close one, or try again later.`,
    );
  }

  /** A socket was opened; `prepare` says what it follows, and what it throws is told before the close. */
  async open(id: string, wire: Wire, prepare: () => Promise<Following>): Promise<void> {
    const connection = new Connection(wire);
    this.#connections.set(id, connection);
    this.#beat ??= this.#startBeating();
    try {
      const following = await prepare();
      connection.follow(this.#feed(following), following.from);
    } catch (thrown) {
      const { code, message, status } = asCairnError(thrown);
      const close = status >= 429 ? CloseCode.tryAgainLater : CloseCode.refused;
      connection.close(close, code, status === 500 ? "the log says more" : this.#say(message));
    }
  }

  /** How many read a feed. */
  readers(key: string): number {
    return this.#feeds.get(key)?.readers ?? 0;
  }

  receive(id: string, message: unknown): void {
    this.#connections.get(id)?.receive(message);
  }

  closed(id: string): void {
    this.#connections.get(id)?.left();
    this.#connections.delete(id);
    if (this.#connections.size > 0) return;
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  /** Before a gateway ends: everybody is told, and nothing is watched any more. */
  async closeAll(): Promise<void> {
    for (const connection of this.#connections.values()) {
      connection.close(
        CloseCode.goingAway,
        "gateway.stopping",
        "this Cairn is stopping; connect again later",
      );
    }
    for (const feed of [...this.#feeds.values()]) feed.close();
    await Promise.all(this.#others.map((close) => close()));
  }

  #feed({ key, source, frame }: Following): Feed {
    const known = this.#feeds.get(key);
    if (known) return known;
    if (this.#feeds.size >= socketLimits.feeds) {
      throw new Overloaded(
        "socket.too_many_feeds",
        "Too many different things are watched. Try again in a minute.",
      );
    }
    const feed = new Feed({ source, frame, ended: () => this.#feeds.delete(key) });
    this.#feeds.set(key, feed);
    return feed;
  }

  #startBeating(): ReturnType<typeof setInterval> {
    const beat = setInterval(() => {
      for (const connection of this.#connections.values()) connection.heartbeat();
    }, socketLimits.heartbeat);
    beat.unref();
    return beat;
  }
}
