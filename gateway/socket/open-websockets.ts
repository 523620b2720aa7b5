/**
 * The registry of a gateway's open WebSockets: connections, feeds, heartbeats, shutdown. Sockets with the same
 * events share one feed, so a thousand console windows for one actor need one subscription. The routes decide which
 * events a socket receives.
 */
import { asCairnError, Overloaded } from "../../machines/errors.ts";
import { withoutPaths } from "../../machines/inspection/file-path-masking.ts";
import { Feed, type FeedOptions } from "./resumable-websocket-event-feed.ts";
import {
  CloseCode,
  Connection,
  type Position,
  type StoredEvents,
  type TakeMessage,
  type Wire,
} from "./websocket-feed-connection.ts";
import { socketLimits } from "./websocket-limits.ts";

export interface Following extends Omit<FeedOptions, "ended"> {
  /** Identifies the feed of events. Sockets with the same key share one feed. */
  readonly key: string;
  readonly from: Position | undefined;
  /**
   * Events from the store, which are sent before live events. If this field is set, the feed's buffer of
   * earlier events is not sent.
   */
  readonly stored?: StoredEvents | undefined;
  /** Handles the messages that the connected client sends. The function never rejects. */
  readonly take?: TakeMessage | undefined;
}

export class OpenSockets {
  /** Removes internal details from an error message. */
  readonly #say: (message: string) => string;
  readonly #connections = new Map<string, Connection>();
  readonly #feeds = new Map<string, Feed>();
  readonly #others: (() => Promise<void>)[] = [];
  #beat: ReturnType<typeof setInterval> | undefined;

  constructor(say: (message: string) => string = withoutPaths) {
    this.#say = say;
  }

  /**
   * Registers a function that `closeAll` calls at shutdown, for example to close streams that are not
   * sockets.
   */
  beforeEnd(close: () => Promise<void>): void {
    this.#others.push(close);
  }

  /** Throws `socket.too_many` when the gateway has the maximum number of sockets. */
  assertRoom(): void {
    if (this.#connections.size < socketLimits.connections) return;
    throw new Overloaded(
      "socket.too_many",
      `${this.#connections.size} sockets are open, as many as there may be. Close one, or try again later.`,
    );
  }

  /**
   * Starts to send events to a client that has opened a socket. `prepare` returns which events. If `prepare` fails,
   * its error is sent to the client, and the socket is closed.
   */
  async open(id: string, wire: Wire, prepare: () => Promise<Following>): Promise<void> {
    const connection = new Connection(wire);
    this.#connections.set(id, connection);
    this.#beat ??= this.#startBeating();
    try {
      const following = await prepare();
      connection.takeMessages(following.take);
      const feed = this.#feed(following);
      if (following.stored) await connection.followStored(feed, following.stored);
      else connection.follow(feed, following.from);
    } catch (thrown) {
      const { code, message, status } = asCairnError(thrown);
      const close = status >= 429 ? CloseCode.tryAgainLater : CloseCode.refused;
      connection.close(close, code, status === 500 ? "the log says more" : this.#say(message));
    }
  }

  /** Handles a new socket over which the client sends messages. It gets answers, but no events. */
  serve(id: string, wire: Wire, take: TakeMessage): void {
    const connection = new Connection(wire);
    this.#connections.set(id, connection);
    connection.greet();
    connection.takeMessages(take);
  }

  /** Returns the number of readers of a feed. */
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

  /** Notifies every reader that the gateway shuts down, and ends all subscriptions. */
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
