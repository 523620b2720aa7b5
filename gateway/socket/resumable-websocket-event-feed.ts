/**
 * A feed: the numbered events of one subscription, with a buffer of the newest events for readers that
 * reconnect. It is subscribed while it has a reader, and for a short time afterwards. Event numbers are valid
 * only together with the feed's epoch, a random name that changes at every start.
 */
import { socketLimits } from "./websocket-limits.ts";

/** An event as text. It is encoded once, and the text is sent to all readers. */
export interface Frame {
  readonly seq: number;
  readonly text: string;
}

/** Subscribes and passes every event to `take`. The returned function unsubscribes. */
export type Source = (take: (event: unknown) => void) => () => void;

export interface FeedOptions {
  readonly source: Source;
  /** Builds the message that is sent to readers for an event. */
  readonly frame: (seq: number, event: unknown) => unknown;
  /** Called when the feed ends, because it has had no reader for the time `socketLimits.lingers`. */
  readonly ended: () => void;
}

export class Feed {
  readonly epoch = crypto.randomUUID();
  readonly #options: FeedOptions;
  readonly #stop: () => void;
  readonly #readers = new Set<(frame: Frame) => void>();
  #kept: Frame[] = [];
  #bytes = 0;
  #last = 0;
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#stop = options.source((event) => this.#take(event));
    this.#linger();
  }

  /** Number of the newest event; 0 if there was none yet. */
  get last(): number {
    return this.#last;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /**
   * Returns the events after the event with the number `seq`. Returns `undefined` if some of them are no
   * longer in the buffer, or if the number belongs to another epoch.
   */
  after(epoch: string, seq: number): readonly Frame[] | undefined {
    if (epoch !== this.epoch || seq > this.#last) return undefined;
    const missing = this.#last - seq;
    return missing > this.#kept.length ? undefined : this.#kept.slice(this.#kept.length - missing);
  }

  /** Calls `reader` for each new event, until the returned function is called. */
  read(reader: (frame: Frame) => void): () => void {
    clearTimeout(this.#ending);
    this.#readers.add(reader);
    return () => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#linger();
    };
  }

  close(): void {
    clearTimeout(this.#ending);
    this.#stop();
    this.#readers.clear();
    this.#kept = [];
    this.#options.ended();
  }

  #linger(): void {
    this.#ending = setTimeout(() => this.close(), socketLimits.lingers);
    this.#ending.unref();
  }

  #take(event: unknown): void {
    this.#last += 1;
    const frame = { seq: this.#last, text: JSON.stringify(this.#options.frame(this.#last, event)) };
    this.#kept.push(frame);
    this.#bytes += frame.text.length;
    while (this.#kept.length > socketLimits.keptEvents || this.#bytes > socketLimits.keptBytes) {
      this.#bytes -= this.#kept.shift()?.text.length ?? 0;
    }
    for (const reader of [...this.#readers]) reader(frame);
  }
}
