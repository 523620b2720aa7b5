/**
 * Parses very long documents in a separate thread, which can be terminated.
 *
 * Some megabytes of markup take a second to parse, and hostile markup longer, which would block all actors of
 * the main thread. The parse thread starts with the first long document and ends after an idle time, which
 * frees its memory.
 */
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import { collectGarbage } from "../../runtime/platform.ts";
import type { PageSource, ReadPage } from "../content/extract-page-from-html.ts";
import { type FailedRead, tooComplex } from "../url-read-failures.ts";

interface Waiting {
  readonly source: PageSource;
  readonly settle: (outcome: ReadPage | FailedRead) => void;
}

export class ParseWorker {
  readonly #patience: number;
  readonly #waiting: Waiting[] = [];
  #reading: Waiting | undefined;
  /**
   * The promise of the last document in the queue. Documents are parsed in order, so the thread is idle when
   * it settles.
   */
  #last: Promise<unknown> | undefined;
  #thread: Worker | undefined;
  #late: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /**
   * Creates the parser. Its thread starts with the first document.
   * @param patience milliseconds in which one document must be parsed
   */
  constructor(patience: number = readingLimits.parseThread.patience) {
    this.#patience = patience;
  }

  /**
   * Parses documents in the order of the calls, one at a time. When the deadline passes, the result is the
   * failure `reading.too_complex`; the promise never rejects.
   */
  read(source: PageSource): Promise<ReadPage | FailedRead> {
    const read = new Promise<ReadPage | FailedRead>((settle) => {
      this.#waiting.push({ source, settle });
      this.#next();
    });
    this.#last = read;
    return read;
  }

  /**
   * Waits until the parse thread is idle, but at most `readingLimits.parseThread.alone` milliseconds. A long
   * document needs much memory, so other threads should not parse at the same time.
   */
  async whenIdle(): Promise<void> {
    if (!this.#reading) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, readingLimits.parseThread.alone);
    });
    await Promise.race([this.#last, waited]);
    clearTimeout(timer);
  }

  /** Terminates the thread. Its current document and all waiting documents then fail. */
  close(): void {
    const why = "its reader was closed";
    for (const { source, settle } of this.#waiting.splice(0)) settle(tooComplex(source.url, why));
    this.#end(why);
  }

  #next(): void {
    if (this.#reading) return;
    clearTimeout(this.#idle);
    const waiting = this.#waiting.shift();
    if (!waiting) {
      if (this.#thread) this.#idle = setTimeout(() => this.#end("idle"), readingLimits.parseThread.idle);
      return;
    }
    this.#reading = waiting;
    this.#thread ??= this.#start();
    this.#late = setTimeout(() => this.#end(`it took longer than ${this.#patience} ms`), this.#patience);
    const { html } = waiting.source;
    const size = typeof html === "string" ? html.length : html.bytes.length;
    // The parse thread will allocate about 60 MB for a very long document. So garbage in this thread is
    // collected first, to lower the peak of the process's memory.
    if (size >= readingLimits.parseThread.collectFrom) collectGarbage();
    this.#thread.postMessage(waiting.source, typeof html === "string" ? [] : [html.bytes.buffer]);
  }

  #start(): Worker {
    // `smol` makes Bun collect garbage earlier, which saves memory.
    const options = { type: "module", smol: true } as const;
    const thread = new Worker(new URL("./page-parse-worker-entry.ts", import.meta.url), options);
    thread.onmessage = ({ data }: MessageEvent) => {
      const reading = this.#reading;
      clearTimeout(this.#late);
      this.#reading = undefined;
      // The worker sends a `ReadPage` as JSON, so the cast is safe.
      reading?.settle(JSON.parse(String(data)) as ReadPage);
      this.#next();
    };
    thread.onerror = (event: ErrorEvent) => {
      event.preventDefault();
      this.#end(event.message);
    };
    return thread;
  }

  /** Terminates the thread and fails its current document. The next document starts a new thread. */
  #end(why: string): void {
    clearTimeout(this.#late);
    clearTimeout(this.#idle);
    this.#thread?.terminate();
    this.#thread = undefined;
    const reading = this.#reading;
    this.#reading = undefined;
    if (!reading) return;
    reading.settle(tooComplex(reading.source.url, why));
    this.#next();
  }
}
