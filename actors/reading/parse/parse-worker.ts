/**
 * Very long documents, read in a thread of their own that may be ended.
 *
 * Reading takes a second for some megabytes of markup, and longer where the markup is built to take long; whoever
 * lives in that thread stands still meanwhile. So the thread that runs actors reads what it has read in a moment, and
 * gives away the rest. The other thread starts with the first such document and ends when it had none for a while,
 * which gives its memory back. Neighbours: `apart-thread.ts` is the inside of it, `reader.ts` decides what goes there.
 */
import { readingLimits } from "../../../machines/reading/limits.ts";
import { collectGarbage } from "../../runtime/platform.ts";
import type { PageSource, ReadPage } from "../content/read-page.ts";
import { type FailedRead, tooComplex } from "../read-outcome.ts";

interface Waiting {
  readonly source: PageSource;
  readonly settle: (outcome: ReadPage | FailedRead) => void;
}

export class ParseWorker {
  readonly #patience: number;
  readonly #waiting: Waiting[] = [];
  #reading: Waiting | undefined;
  /** The last document that came. */
  #last: Promise<unknown> | undefined;
  #thread: Worker | undefined;
  #late: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param patience milliseconds that one document may take */
  constructor(patience: number = readingLimits.parseThread.patience) {
    this.#patience = patience;
  }

  /** One after another, as they come. Fails with `reading.too_complex` what takes longer than it may; never rejects. */
  read(source: PageSource): Promise<ReadPage | FailedRead> {
    const read = new Promise<ReadPage | FailedRead>((settle) => {
      this.#waiting.push({ source, settle });
      this.#next();
    });
    this.#last = read;
    return read;
  }

  /**
   * Until nothing is read here, or `readingLimits.apart.alone` has passed. Long documents take much memory for a
   * moment; whoever can wait for its end does not take more beside it.
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

  /** Ends the thread; what is not read yet fails. */
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
    // The other thread is about to need some 60 MB: what this one has gathered would come on top of that.
    collectGarbage();
    const { html } = waiting.source;
    this.#thread.postMessage(waiting.source, typeof html === "string" ? [] : [html.bytes.buffer]);
  }

  #start(): Worker {
    const options = { type: "module", smol: true } as const; // Bun's word for a heap that is collected sooner.
    const thread = new Worker(new URL("./parse-worker-entry.ts", import.meta.url), options);
    thread.onmessage = ({ data }: MessageEvent) => {
      const reading = this.#reading;
      clearTimeout(this.#late);
      this.#reading = undefined;
      reading?.settle(JSON.parse(String(data)) as ReadPage); // Written by the other end, from a `ReadPage`.
      this.#next();
    };
    thread.onerror = (event: ErrorEvent) => {
      event.preventDefault();
      this.#end(event.message);
    };
    return thread;
  }

  /** The thread ends, and what it was reading fails; the next document gets a new one. */
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
