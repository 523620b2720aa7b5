/**
 * Renders the pages of one job, such as an exploration. Each render waits for its turn (the permission to render)
 * and then uses a page of the job's browser context. At its end, it gives back the turn and the page.
 */
import { asCairnError } from "../../../machines/errors.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import { browserLimits } from "../browser-limits.ts";
import type { Context } from "../chromium/browser-context-of-job.ts";
import type { RunningChromium } from "../chromium/running-chromium.ts";
import { PollingDetector } from "./network-requests-of-rendered-page.ts";
import { failedRender, type RenderOutcome, skippedRender } from "./rendered-page-result.ts";

export interface RenderOptions {
  readonly signal: AbortSignal;
  /**
   * Time limit for a render in milliseconds, without the time in the queue; `browserLimits.renderWithin` by
   * default.
   */
  readonly within?: number;
  /** Maximum number of characters of the document; `readingLimits.pageBytes` by default. */
  readonly maxLength?: number;
}

/**
 * Renders the pages of one job. The pages share cookies, storage and cache, like those of one visitor; pages
 * of other jobs do not. If the browser crashes, the cookies are lost.
 */
export interface JobRenderer {
  /**
   * Opens an http(s) URL in Chromium, runs its scripts until the document has settled, and returns the
   * document. The fields `url`, `status`, `mediaType`, `language` and `text` have the same meaning as in
   * `FetchedDocument`.
   *
   * The caller must check robots.txt, rate limits and scope: before the call for `url`, and afterwards for
   * the final URL in the result. When `browserLimits.pages` renders run already, further renders wait in
   * order.
   *
   * Rejects only with the signal's reason. Every other failure is a result, see `rendered-page-result.ts`. Without
   * a Chromium, the first call waits until one is installed. If the installation fails, the result is
   * `failed` with `browser.unavailable`.
   */
  render(url: string, options: RenderOptions): Promise<RenderOutcome>;
  /** Removes everything that sites have stored. Later renders start with an empty browser context. */
  close(): Promise<void>;
}

/** The functions by which a job uses the browser of its worker. */
export interface JobHost {
  /**
   * Waits for the permission to render, and returns a function that gives it back. Returns `undefined` when
   * too many callers wait.
   */
  readonly turn: (signal: AbortSignal) => Promise<(() => void) | undefined>;
  /** Returns the browser, which is started if necessary. */
  readonly running: () => Promise<RunningChromium>;
  /**
   * Must be called when a render has ended. The browser is closed when no further work follows for some time.
   */
  readonly resting: () => void;
}

export class ChromiumJobRenderer implements JobRenderer {
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
    // The context may not have been created. Then there is nothing to close, and the error is ignored.
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

  /**
   * Returns the browser context of the job. If the browser was started again since the last render, the
   * context is new and empty.
   */
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

/**
 * Waits for `work` until the signal aborts. Then it rejects at once with the signal's reason, while the slow
 * work continues. If the work succeeds later, its result is passed to `late`.
 */
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
    // If `work` still succeeds after the abort, `late` handles its result. If it fails, the error is ignored.
    if (signal.aborted) work.then(late, () => {});
    throw thrown;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
