/**
 * The renders of one job: each takes a turn, a page of the job's own context, and gives both back.
 *
 * Neighbours: `browser.ts` makes jobs and lends them the browser, `running.ts` has the contexts and pages.
 */
import { asCairnError } from "../../../machines/errors.ts";
import { readingLimits } from "../../../machines/reading/limits.ts";
import type { Context, RunningChromium } from "../chromium/running-chromium.ts";
import { browserLimits } from "../limits.ts";
import { PollingDetector } from "./page-requests.ts";
import { failedRender, type RenderOutcome, skippedRender } from "./render-outcome.ts";

export interface RenderOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for the page, from its turn on; `browserLimits.renderWithin` when absent. */
  readonly within?: number;
  /** Longest document, in characters; `readingLimits.pageBytes` when absent. */
  readonly maxLength?: number;
}

/**
 * The pages of one job. They share cookies, storage and cache, as the pages of one visitor do; nothing of it reaches
 * another job. A browser that dies in between takes the cookies with it.
 */
export interface RenderJob {
  /**
   * Opens an http(s) URL in Chromium, lets its scripts run until the document has settled, and answers what an HTTP
   * read of the page would, had its server sent it so: `RenderedDocument` has `url`, `status`, `mediaType`,
   * `language` and `text` of the same meaning as `FetchedDocument`.
   *
   * It asks nobody for permission: robots.txt, politeness and scope are the caller's, before the call for the URL and
   * after it for where it led (`url` of the document). Renders over `browserLimits.pages` wait in order.
   *
   * Rejects with the signal's reason when aborted, and never otherwise: every other end is a value, see
   * `outcome.ts`. Without a Chromium it is `failed` with `browser.unavailable`; the first caller waits while one is
   * installed.
   */
  render(url: string, options: RenderOptions): Promise<RenderOutcome>;
  /** Forgets everything that sites left. Later renders begin anew. */
  close(): Promise<void>;
}

/** What a job needs of its owner. */
export interface JobHost {
  /** Waits for a turn and answers how to give it back; `undefined` when too many wait. */
  readonly turn: (signal: AbortSignal) => Promise<(() => void) | undefined>;
  /** The browser, started if need be. */
  readonly running: () => Promise<RunningChromium>;
  /** A turn was given back. */
  readonly resting: () => void;
}

export class Job implements RenderJob {
  readonly #host: JobHost;
  readonly #endless = new PollingDetector();
  #running: RunningChromium | undefined;
  #context: Promise<Context> | undefined;

  constructor(host: JobHost) {
    this.#host = host;
  }

  async render(url: string, options: RenderOptions): Promise<RenderOutcome> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      return skippedRender("not_http", `${url.slice(0, 200)} is no http(s) URL and is not opened.`);
    }
    const leave = await this.#host.turn(options.signal);
    if (!leave) {
      return failedRender("browser.busy", true, "Too many pages wait for the browser. Try again later.");
    }
    try {
      return await this.#render(url, options);
    } finally {
      leave();
      this.#host.resting();
    }
  }

  async close(): Promise<void> {
    const running = this.#running;
    const opened = this.#context;
    this.#running = undefined;
    this.#context = undefined;
    // A context that could not be made holds nothing.
    const context = await opened?.catch(() => undefined);
    if (running && context) await running.closeContext(context);
  }

  async #render(url: string, { signal, within, maxLength }: RenderOptions): Promise<RenderOutcome> {
    try {
      const running = await orAborted(this.#host.running(), signal);
      const context = await orAborted(this.#contextIn(running), signal);
      const opening = running.page(context);
      const page = await orAborted(opening, signal, (late) => running.giveBack(context, late));
      try {
        return await page.visit(url, {
          signal,
          endless: this.#endless,
          within: within ?? browserLimits.renderWithin,
          most: maxLength ?? readingLimits.pageBytes,
        });
      } finally {
        running.giveBack(context, page);
      }
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      const error = asCairnError(thrown, "browser.failed");
      const code = error.code === "browser.gone" ? "browser.crashed" : error.code;
      return failedRender(code, true, error.message);
    }
  }

  /** The job's context in this browser; in another than before it begins anew. */
  #contextIn(running: RunningChromium): Promise<Context> {
    if (!this.#context || this.#running !== running) {
      const opening = running.newContext();
      this.#running = running;
      this.#context = opening;
      opening.catch(() => {
        if (this.#context === opening) this.#context = undefined;
      });
    }
    return this.#context;
  }
}

/** Lets go of something that takes its time when the signal aborts; what comes of it then goes to `late`. */
async function orAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  late: (value: Value) => void = () => {},
): Promise<Value> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted, work]);
  } catch (thrown) {
    // When the work failed itself there is nothing to give back.
    if (signal.aborted) work.then(late, () => {});
    throw thrown;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
