/**
 * A feed: events of one kind of watching, numbered, of which the last few are kept so that a reader who was away
 * can go on where it was.
 *
 * A feed watches only while somebody reads it, and a little longer, for those who come back. Numbers count within
 * its epoch, a random name that each start of a feed has of its own: another node, or a later start, is another
 * epoch, and its numbers say nothing about this one's. Neighbours: `connection.ts` reads it, `feeds.ts` keeps it.
 */
import { socketLimits } from "./limits.ts";

/** An event as it goes out, made once for all readers. */
export interface Frame {
  readonly seq: number;
  readonly text: string;
}

/** Begins to watch: hands every event to `take`; the answer ends it. */
export type Source = (take: (event: unknown) => void) => () => void;

export interface FeedOptions {
  readonly source: Source;
  /** What goes out for an event. */
  readonly frame: (seq: number, event: unknown) => unknown;
  /** Nobody has read it for `socketLimits.lingers`: it is over. */
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

  /** The number of the newest event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Everything after an event; `undefined` when that is not kept any more, or was of another epoch. */
  after(epoch: string, seq: number): readonly Frame[] | undefined {
    if (epoch !== this.epoch || seq > this.#last) return undefined;
    const missing = this.#last - seq;
    return missing > this.#kept.length ? undefined : this.#kept.slice(this.#kept.length - missing);
  }

  /** Reads every event from now on; the answer ends it. */
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
