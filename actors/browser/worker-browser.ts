/**
 * The browser of one worker: one Chromium process for render jobs (pages that explorations read) and one for
 * sessions. A process starts when a page first needs it, and again after a crash. A process is closed when it
 * has been idle for some time, and when the worker ends.
 */
import { asCairnError, Unavailable } from "../../machines/errors.ts";
import { withoutPaths } from "../../machines/inspection/file-path-masking.ts";
import { browserLimits } from "./browser-limits.ts";
import type { Timers } from "./chromium/empty-page-for-next-session.ts";
import type { FoundChromium } from "./chromium/find-chromium.ts";
import {
  type BrowserProxy,
  type Chromium,
  launchChromium,
  UNTHROTTLED_TIMERS,
} from "./chromium/launch-chromium.ts";
import { provideChromium } from "./chromium/provide-chromium.ts";
import type { RunningChromium, RunningOptions } from "./chromium/running-chromium.ts";
import { ChromiumJobRenderer, type JobRenderer } from "./render/page-renderer-of-job.ts";
import { RenderQueue } from "./render/render-queue.ts";
import type { BrowserSession, SessionOptions } from "./session/browser-session.ts";

export type BrowserLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

export interface BrowserOptions {
  /** Path of the Chromium that `CAIRN_CHROMIUM` names. */
  readonly chromium?: string | undefined;
  /** Folder for temporary browser profiles. `sweepProfiles` empties it when Cairn starts. */
  readonly folder: string;
  /** The `User-Agent` header of every request of a page. */
  readonly userAgent: string;
  /**
   * Returns the proxy for all requests of Chromium, including those to loopback. It is called at each start
   * of Chromium.
   */
  readonly proxy?: (() => Promise<BrowserProxy>) | undefined;
  /** Command-line arguments for Chromium, in addition to those that Cairn always sets. */
  readonly flags?: readonly string[];
  /** Whether the callers of a session may run scripts that they wrote in its pages (`CAIRN_EVALUATE`). */
  readonly evaluate?: boolean;
  /** Whether a page is prepared for the next session (`CAIRN_PREPARED_PAGE`); by default, it is. */
  readonly preparesPage?: boolean;
  /** The timers of the prepared page; those of the system by default. */
  readonly timers?: Timers | undefined;
  /** The folder from which sessions may upload files. */
  readonly uploads?: string | undefined;
  /**
   * The folder for downloads, with one subfolder for each session. Without it, sessions cannot download
   * files.
   */
  readonly downloads?: string | undefined;
  /** Milliseconds without work after which the browser is closed; `browserLimits.idle` by default. */
  readonly idle?: number;
  readonly log: BrowserLog;
}

export interface Browser {
  /**
   * Opens a render job. The caller must close the job when it needs no more pages. Opening a job does not
   * start Chromium; its first render does.
   */
  openJob(): JobRenderer;
  /**
   * Opens a session in a browser context of its own, which shares nothing with other sessions. The caller
   * closes it.
   */
  openSession(options: SessionOptions): Promise<BrowserSession>;
  /** The folder in which the files that sessions download are stored. */
  readonly downloads: string | undefined;
  /**
   * Finds or installs Chromium and starts it for render jobs. When this fails, the error
   * `browser.unavailable` says what to do.
   */
  ready(): Promise<FoundChromium>;
  /** Closes Chromium. Running renders fail, and a later render starts Chromium again. */
  close(): Promise<void>;
}

/** Creates the browser of a worker. Chromium starts when the first page is needed. */
export function createBrowser(options: BrowserOptions): Browser {
  return new WorkerBrowser(options);
}

/**
 * Chromium throttles the timers of hidden pages either in the whole process or not at all. Pages of idle sessions
 * must be throttled. Pages of render jobs are hidden too, so that no animation frames are drawn for them, but must
 * run at full speed. So sessions and render jobs have separate Chromium processes.
 */
class WorkerBrowser implements Browser {
  readonly downloads: string | undefined;
  readonly #rendering: OwnedBrowser;
  readonly #sessions: OwnedBrowser;

  constructor(options: BrowserOptions) {
    const { flags = [] } = options;
    this.downloads = options.downloads;
    this.#rendering = new OwnedBrowser({ ...options, flags: [UNTHROTTLED_TIMERS, ...flags] });
    this.#sessions = new OwnedBrowser(options);
  }

  openJob(): JobRenderer {
    return this.#rendering.openJob();
  }

  openSession(options: SessionOptions): Promise<BrowserSession> {
    return this.#sessions.openSession(options);
  }

  ready(): Promise<FoundChromium> {
    return this.#rendering.ready();
  }

  async close(): Promise<void> {
    await Promise.all([this.#rendering.close(), this.#sessions.close()]);
  }
}

/**
 * Loads the code that controls pages, at the same time as Chromium starts. The code takes 3 MB in each
 * worker, and most workers of an idle node have no browser, so it is not loaded earlier.
 */
async function drive(launching: Promise<Chromium>, options: RunningOptions): Promise<RunningChromium> {
  const code = import("./chromium/running-chromium.ts");
  // If the code cannot be loaded, the error is thrown below. Without this handler, the error would end the
  // worker while Chromium starts.
  code.catch(() => {});
  const launched = await launching;
  try {
    const { RunningChromium } = await code;
    return new RunningChromium(launched, options);
  } catch (error) {
    await launched.close();
    throw error;
  }
}

interface Started {
  readonly found: FoundChromium;
  readonly running: RunningChromium;
}

/** One Chromium process of a worker, with its start, its restart after a crash and its end. */
class OwnedBrowser {
  readonly #options: BrowserOptions;
  readonly #turns = new RenderQueue(browserLimits.pages, browserLimits.queued);
  #started: Promise<Started> | undefined;
  /** Aborts the running start of Chromium, when the browser is closed during the start. */
  #stop = new AbortController();
  #sessions = 0;
  /**
   * Number of failed starts and early crashes in a row. It becomes 0 when a Chromium has run for longer than
   * `browserLimits.steadyAfter`.
   */
  #badEnds = 0;
  /**
   * Earliest time, as a `performance.now()` value, at which Chromium may start again after a failed start or
   * an early crash.
   */
  #notBefore = 0;
  #lastProblem: Unavailable | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  openJob(): JobRenderer {
    return new ChromiumJobRenderer({
      turn: (signal) => this.#turns.take(signal),
      running: async () => (await this.#start()).running,
      resting: () => this.#restSoon(),
    });
  }

  async openSession(options: SessionOptions): Promise<BrowserSession> {
    this.#sessions++;
    try {
      const { running } = await this.#start();
      const session = await running.openSession(options);
      void session.ended.then(() => this.#sessionEnded());
      return session;
    } catch (error) {
      this.#sessionEnded();
      throw error;
    }
  }

  async ready(): Promise<FoundChromium> {
    const { found } = await this.#start();
    this.#restSoon();
    return found;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#stop.abort(new Unavailable("browser.unavailable", "The browser is being closed."));
    this.#stop = new AbortController();
    const started = this.#started;
    this.#started = undefined;
    // If Chromium failed to start, there is nothing to close, so the error is ignored.
    const one = await started?.catch(() => undefined);
    await one?.running.chromium.close();
  }

  #start(): Promise<Started> {
    clearTimeout(this.#idleTimer);
    if (this.#started) return this.#started;
    const started = this.#startNow(this.#stop.signal);
    this.#started = started;
    started.catch(() => {
      if (this.#started === started) this.#started = undefined;
    });
    return started;
  }

  async #startNow(signal: AbortSignal): Promise<Started> {
    const wait = this.#notBefore - performance.now();
    if (wait > 0) {
      // When Chromium failed to start a moment ago, this call fails at once. Otherwise each caller would wait
      // for the same failure.
      if (this.#lastProblem) throw this.#lastProblem;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const { chromium, folder, userAgent, flags, log, uploads, timers } = this.#options;
    const { evaluate = false, preparesPage = true } = this.#options;
    try {
      const found = await provideChromium({ chromium, folder, log, signal });
      const proxy = await this.#options.proxy?.();
      const launching = launchChromium({ path: found.path, folder, proxy, flags });
      const running = await drive(launching, {
        userAgent,
        proxy,
        evaluate,
        uploads,
        preparesPage,
        timers,
      });
      const since = performance.now();
      await running.prepare();
      this.#lastProblem = undefined;
      const { pid, connection } = running.chromium;
      log("info", "browser started", { version: found.version, path: found.path, pid });
      const one: Started = { found, running };
      // The browser counts as ended when its pipe closes. Its process exits later, and meanwhile a new render
      // would write into the closed pipe.
      void connection.closed.then(() => this.#hungUp(one, signal, since));
      return one;
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      this.#backOff();
      const error = asCairnError(thrown, "browser.unavailable");
      const unavailable = error instanceof Unavailable;
      const { code } = unavailable ? error : { code: "browser.unavailable" };
      const why = unavailable ? error.message : `Chromium cannot be used: ${error.message}`;
      log("error", "no browser", { code, error: why });
      // The error for the caller contains no file path of this machine, because a caller may be remote. The
      // log has the full message.
      this.#lastProblem = new Unavailable(
        code,
        withoutPaths(chromium === undefined ? why : why.replaceAll(chromium, "<path>")),
        { cause: thrown },
      );
      throw this.#lastProblem;
    }
  }

  #hungUp({ running }: Started, signal: AbortSignal, since: number): void {
    const { log } = this.#options;
    // A closed browser whose signal is aborted was closed on purpose and has not crashed.
    if (signal.aborted) return;
    this.#started = undefined;
    if (performance.now() - since > browserLimits.steadyAfter) this.#badEnds = 0;
    this.#backOff();
    running.chromium.ended
      .then((how) => log("error", "browser ended; the next page starts another", { how }))
      .then(() => running.chromium.close())
      .catch((error) => log("error", "what a browser left could not be cleaned", { error: String(error) }));
  }

  #backOff(): void {
    const { backoff, maxBackoff } = browserLimits;
    this.#badEnds++;
    this.#notBefore = performance.now() + Math.min(backoff * 2 ** (this.#badEnds - 1), maxBackoff);
  }

  #sessionEnded(): void {
    this.#sessions--;
    this.#restSoon();
  }

  get #needed(): boolean {
    return !this.#turns.idle || this.#sessions > 0;
  }

  /** Closes the browser when it has had no work for the idle time (`BrowserOptions.idle`). */
  #restSoon(): void {
    clearTimeout(this.#idleTimer);
    if (this.#needed) return;
    this.#idleTimer = setTimeout(() => {
      if (!this.#needed) void this.close();
    }, this.#options.idle ?? browserLimits.idle);
    this.#idleTimer.unref();
  }
}
