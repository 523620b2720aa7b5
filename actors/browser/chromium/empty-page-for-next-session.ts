/**
 * Keeps one empty page ready for the next session of a browser, because starting the process of a page takes
 * most of the time of a session's start. No session and no website has used this page. It depends on no
 * option of a session: the session that takes it applies its own settings, as it does to a new page.
 */
import { browserLimits } from "../browser-limits.ts";
import { openEmptyPage } from "../session/tabs/open-pages-for-session.ts";
import type { Context } from "./browser-context-of-job.ts";
import type { Connection, Session } from "./devtools-connection.ts";
import { compilePageScript } from "./precompile-page-script-in-chromium.ts";

export interface Timers {
  /** Calls `callback` once after `delay` milliseconds. The returned function cancels the call. */
  after(delay: number, callback: () => void): () => void;
}

/** The timers of the system. They do not keep the process running. */
export const systemTimers: Timers = {
  after(delay, callback) {
    const timer = setTimeout(callback, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** An empty page in a browser context of its own, with a DevTools session that is attached to it. */
export class PreparedPage {
  readonly context: Context;
  readonly targetId: string;
  /** Resolves when the page has crashed or was closed. */
  readonly gone: Promise<void>;
  /**
   * Resolves with true when the process of the page has compiled the page script, and with false when this
   * has failed.
   */
  readonly ready: Promise<boolean>;
  readonly #session: Session;

  private constructor(context: Context, targetId: string, session: Session) {
    this.context = context;
    this.targetId = targetId;
    this.#session = session;
    this.gone = new Promise((resolve) => {
      session.on("Inspector.targetCrashed", () => resolve());
      session.on("Inspector.detached", () => resolve());
    });
    const compiled = session.send("Inspector.enable").then(() => compilePageScript(session));
    // The error is ignored: the next session opens a page itself, and reports the error if it happens again.
    this.ready = this.#completes(compiled).catch(() => false);
  }

  /**
   * Opens the page and starts to prepare it. Returns before the process of the page answers.
   * @param onCreated called with the DevTools target id of the page
   */
  static async open(
    connection: Connection,
    context: Context,
    onCreated: (targetId: string) => void,
  ): Promise<PreparedPage> {
    const targetId = await openEmptyPage(connection, context.id);
    onCreated(targetId);
    const { sessionId } = await connection.root.send("Target.attachToTarget", { targetId, flatten: true });
    return new PreparedPage(context, targetId, connection.session(sessionId));
  }

  /** Id of the DevTools session that is attached to the page. */
  get sessionId(): string {
    return this.#session.id;
  }

  /** Resolves with true when the page is ready and its process answers, and with false when it is not usable. */
  async isUsable(): Promise<boolean> {
    if (!(await this.ready)) return false;
    const answer = this.#session.send("Runtime.evaluate", { expression: "0" });
    return await this.#completes(answer).catch(() => false);
  }

  /** Resolves with true when the work has ended, and with false when the page crashes or closes earlier. */
  #completes(work: Promise<unknown>): Promise<boolean> {
    return Promise.race([work.then(() => true), this.gone.then(() => false)]);
  }
}

interface KeeperOptions {
  readonly connection: Connection;
  readonly timers: Timers;
  /** Opens a page in a new browser context. */
  readonly open: () => Promise<PreparedPage>;
  /** Closes the page with its browser context. */
  readonly close: (page: PreparedPage) => Promise<void>;
  /**
   * True if no session is running a request of a caller. The preparation of a page would delay such a request.
   */
  readonly isIdle: () => boolean;
}

export class PreparedPageKeeper {
  readonly #options: KeeperOptions;
  /**
   * The prepared page, which may still be opening or being prepared; `undefined` if it could not be opened.
   */
  #page: Promise<PreparedPage | undefined> | undefined;
  #cancelTimer: () => void = () => {};

  constructor(options: KeeperOptions) {
    this.#options = options;
    options.connection.whenClosed(() => void this.#remove());
  }

  /**
   * Must be called when a session has started or ended. Prepares the page for the next session when the
   * browser is idle, or keeps the prepared page for longer.
   */
  prepareSoon(): void {
    this.#cancelTimer();
    if (!this.#options.connection.open) return;
    if (this.#page) this.#closeLater();
    else this.#prepareLater();
  }

  /** Returns the prepared page, which then belongs to the caller; `undefined` if there is no usable page. */
  async take(): Promise<PreparedPage | undefined> {
    const page = await this.#remove();
    if (!page) return undefined;
    if (await this.#isUsableSoon(page)) return page;
    await this.#options.close(page).catch(() => {});
    return undefined;
  }

  /**
   * Checks that the page can be used: its process must answer in time. A process that has just crashed does
   * not answer, although Chromium has not reported the crash yet. If the result is false, the session opens a
   * page itself.
   */
  async #isUsableSoon(page: PreparedPage): Promise<boolean> {
    let cancel = (): void => {};
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#options.timers.after(browserLimits.respondsWithin, () => resolve(false));
    });
    try {
      return await Promise.race([page.isUsable(), late]);
    } finally {
      cancel();
    }
  }

  #remove(): Promise<PreparedPage | undefined> | undefined {
    this.#cancelTimer();
    const page = this.#page;
    this.#page = undefined;
    return page;
  }

  #prepareLater(): void {
    this.#cancelTimer = this.#options.timers.after(browserLimits.preparePageAfter, () => {
      if (this.#options.isIdle()) this.#prepare();
      else this.#prepareLater();
    });
  }

  #prepare(): void {
    // The error is ignored: the next session opens a page itself, and reports the error if it happens again.
    const preparing = this.#options.open().catch(() => undefined);
    this.#page = preparing;
    this.#closeLater();
    void preparing
      .then(async (page) => ((await page?.ready) ? page?.gone : undefined))
      .then(() => {
        if (this.#page === preparing) void this.#close();
      });
  }

  #closeLater(): void {
    this.#cancelTimer = this.#options.timers.after(browserLimits.preparedPageFor, () => void this.#close());
  }

  async #close(): Promise<void> {
    const page = await this.#remove();
    // The error is ignored: the browser may have ended, and its pages with it.
    if (page) await this.#options.close(page).catch(() => {});
  }
}
