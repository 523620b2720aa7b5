/** A running Chromium: its browser contexts, their pages, and the windows that pages have opened. */

import { Unavailable } from "../../../machines/errors.ts";
import { browserLimits } from "../browser-limits.ts";
import { Page } from "../render/render-page.ts";
import { ContextSession, type SessionOptions } from "../session/browser-session.ts";
import { hasSettings } from "../session/tabs/apply-session-environment.ts";
import { Context } from "./browser-context-of-job.ts";
import {
  PreparedPage,
  PreparedPageKeeper,
  systemTimers,
  type Timers,
} from "./empty-page-for-next-session.ts";
import { logInToProxy } from "./give-proxy-credentials-by-extra-request.ts";
import type { BrowserProxy, Chromium } from "./launch-chromium.ts";
import { OpenedWindows } from "./pause-opened-windows.ts";

export interface RunningOptions {
  readonly userAgent: string;
  readonly proxy: BrowserProxy | undefined;
  readonly evaluate: boolean;
  readonly uploads: string | undefined;
  /** Whether a page is prepared for the next session (`CAIRN_PREPARED_PAGE`). */
  readonly preparesPage: boolean;
  /**
   * Timers that determine when the page for the next session is opened and closed; by default, those of the
   * system.
   */
  readonly timers?: Timers | undefined;
}

export class RunningChromium {
  readonly chromium: Chromium;
  readonly #options: RunningOptions;
  readonly #contexts = new Set<Context>();
  readonly #pages = new Set<string>();
  readonly #opening = new Set<Promise<unknown>>();
  /**
   * For each id of a browser context: the session that owns it. Windows that open in the context belong to
   * this session.
   */
  readonly #sessions = new Map<string, ContextSession>();
  /** For the id of each recently opened window: the id of its browser context. */
  readonly #contextOf = new Map<string, string>();
  readonly #windows: OpenedWindows;
  readonly #nextPage: PreparedPageKeeper | undefined;
  /** DevTools target ids of the prepared page and of the prepared pages that sessions have taken. */
  readonly #preparedTargets = new Set<string>();

  constructor(chromium: Chromium, options: RunningOptions) {
    this.chromium = chromium;
    this.#windows = new OpenedWindows(chromium.connection);
    this.#options = options;
    if (options.preparesPage)
      this.#nextPage = new PreparedPageKeeper({
        connection: chromium.connection,
        timers: options.timers ?? systemTimers,
        open: () => this.#openOwnWindow(this.#preparePage()),
        close: (page) => this.#closePrepared(page),
        isIdle: () => [...this.#sessions.values()].every(({ idleSince }) => idleSince !== undefined),
      });
  }

  /**
   * Starts to listen to Chromium's events and sets up the browser. It must be called before the first page
   * opens.
   */
  async prepare(): Promise<void> {
    const { root } = this.chromium.connection;
    root.on("Target.targetCreated", ({ targetInfo }) => {
      const { type, targetId, browserContextId = "" } = targetInfo;
      this.#note(targetId, browserContextId);
      if (type === "page") void this.#closeIfStrange(targetId, browserContextId);
    });
    // Chromium reports downloads only for the contexts of sessions. Downloads of other contexts are refused.
    root.on("Browser.downloadWillBegin", (begun) =>
      this.#downloaderOf(begun.frameId)?.resources.downloads?.begin(begun),
    );
    root.on("Browser.downloadProgress", (progress) => {
      for (const { resources } of this.#sessions.values()) {
        // The error of a write to the download folder is ignored here. It is reported when the downloads are
        // listed.
        if (resources.downloads?.knows(progress.guid)) resources.downloads.progress(progress).catch(() => {});
      }
    });
    await root.send("Target.setDiscoverTargets", { discover: true, filter: [{ type: "page" }] });
  }

  /**
   * Records the browser context of a new window, because a download event contains only the id of its window.
   * A window that only starts a download is closed at once, and its context can then no longer be looked up.
   */
  #note(targetId: string, contextId: string): void {
    this.#contextOf.set(targetId, contextId);
    if (this.#contextOf.size <= browserLimits.windows) return;
    const oldest = this.#contextOf.keys().next();
    if (!oldest.done) this.#contextOf.delete(oldest.value);
  }

  #downloaderOf(frameId: string): ContextSession | undefined {
    const contextId = this.#contextOf.get(frameId);
    const own = contextId === undefined ? undefined : this.#sessions.get(contextId);
    return own ?? [...this.#sessions.values()].find((session) => session.ownsFrame(frameId));
  }

  get open(): boolean {
    return this.chromium.connection.open;
  }

  /**
   * Creates the browser context of a render job, and gives it the proxy's credentials for all of its pages.
   */
  async newContext(): Promise<Context> {
    const context = await this.#emptyContext();
    const { root } = this.chromium.connection;
    await root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId: context.id });
    await this.#openOwnWindow(logInToProxy(this.chromium.connection, context.id, this.#options.proxy));
    return context;
  }

  /**
   * Creates a browser context that has no credentials for a proxy yet.
   * @param way the proxy of this context; by default, the proxy of the browser
   */
  async #emptyContext(way?: BrowserProxy): Promise<Context> {
    const { root } = this.chromium.connection;
    const { browserContextId } = await root.send("Target.createBrowserContext", {
      disposeOnDetach: true,
      ...(way ? { proxyServer: way.server, proxyBypassList: "<-loopback>" } : {}),
    });
    const context = new Context(browserContextId);
    this.#contexts.add(context);
    return context;
  }

  /** Opens a session in a browser context that only this session uses. */
  async openSession(options: SessionOptions): Promise<ContextSession> {
    // A session with a guard (a check of each request) belongs to a background job, and no caller waits for
    // its start. Such a session leaves the prepared page to the session of a caller. A session with its own
    // proxy cannot use the prepared page, because that page uses the proxy of the browser.
    const isForCaller = options.guard === undefined;
    const prepared = isForCaller && !options.proxy ? await this.#nextPage?.take() : undefined;
    const session = await this.#openSessionIn(options, prepared).catch((error: unknown) => {
      // The process of the prepared page has ended after the session took the page. The session then opens a
      // page itself.
      const isPageGone = error instanceof Unavailable && error.code === "session.page_gone";
      if (prepared && isPageGone && this.open) return this.#openSessionIn(options, undefined);
      throw error;
    });
    if (isForCaller) {
      this.#nextPage?.prepareSoon();
      void session.ended.then(() => this.#nextPage?.prepareSoon());
    }
    return session;
  }

  async #openSessionIn(options: SessionOptions, prepared: PreparedPage | undefined): Promise<ContextSession> {
    const context = prepared?.context ?? (await this.#emptyContext(options.proxy));
    const place = {
      connection: this.chromium.connection,
      contextId: context.id,
      preparedPage: prepared,
      proxy: options.proxy ?? this.#options.proxy,
      evaluate: this.#options.evaluate,
      uploads: this.#options.uploads,
      dispose: async (): Promise<void> => {
        this.#sessions.delete(context.id);
        if (prepared) this.#preparedTargets.delete(prepared.targetId);
        await this.closeContext(context);
        await this.#windows.leave(context.id);
      },
    };
    try {
      if (hasSettings(options.environment) || options.guard) await this.#windows.hold(context.id);
      const opening = ContextSession.open(place, options).then((session) => {
        this.#sessions.set(context.id, session);
        this.#windows.takenBy(context.id, (targetId, held) => session.adopt(targetId, held));
        return session;
      });
      return await this.#openOwnWindow(opening);
    } catch (error) {
      await place.dispose();
      throw error;
    }
  }

  /** Opens an empty page in a new browser context for the next session. */
  async #preparePage(): Promise<PreparedPage> {
    const context = await this.#emptyContext();
    let targetId = "";
    try {
      return await PreparedPage.open(this.chromium.connection, context, (created) => {
        targetId = created;
        this.#preparedTargets.add(targetId);
      });
    } catch (error) {
      this.#preparedTargets.delete(targetId);
      await this.closeContext(context);
      throw error;
    }
  }

  async #closePrepared({ context, targetId }: PreparedPage): Promise<void> {
    this.#preparedTargets.delete(targetId);
    await this.closeContext(context);
  }

  /** Closes a context with its pages and everything that sites have stored in it. */
  async closeContext(context: Context): Promise<void> {
    context.closed = true;
    this.#contexts.delete(context);
    for (const page of context.idle.splice(0)) this.#pages.delete(page.targetId);
    if (!this.open) return;
    await this.chromium.connection.root.send("Target.disposeBrowserContext", {
      browserContextId: context.id,
    });
  }

  /**
   * Returns an idle page of the context, or else opens a new one. When the browser has its maximum number of
   * pages, an idle page of another context is closed first.
   */
  async page(context: Context): Promise<Page> {
    for (let idle = context.idle.pop(); idle; idle = context.idle.pop()) {
      // The scripts of the page's last document may be in an endless loop, and the page then does not
      // respond. Such a page is closed, so that it does not delay the next render.
      if (await idle.responds()) return idle;
      await this.#close(idle);
    }
    while (this.#pages.size >= browserLimits.pages) {
      const other = [...this.#contexts].find((candidate) => candidate.idle.length > 0);
      const surplus = other?.idle.shift();
      if (!surplus) break;
      await this.#close(surplus);
    }
    const { userAgent, proxy } = this.#options;
    const opening = Page.open(this.chromium.connection, { contextId: context.id, userAgent, proxy });
    return await this.#openOwnWindow(
      opening.then((page) => {
        this.#pages.add(page.targetId);
        return page;
      }),
    );
  }

  /** Takes a page back after a render. It is kept for the next render when it can be used again. */
  giveBack(context: Context, page: Page): void {
    if (!page.usable || context.closed) {
      void this.#close(page);
      return;
    }
    context.idle.push(page);
    const parking = setTimeout(() => {
      if (context.idle.includes(page)) page.park();
    }, browserLimits.parkAfter);
    parking.unref();
  }

  /**
   * Waits for `work`, by which Cairn itself opens a page. Until `work` has ended, Cairn does not treat a new
   * window as one that a website has opened.
   */
  async #openOwnWindow<Result>(work: Promise<Result>): Promise<Result> {
    this.#opening.add(work);
    try {
      return await work;
    } finally {
      this.#opening.delete(work);
    }
  }

  async #close(page: Page): Promise<void> {
    this.#pages.delete(page.targetId);
    await page.close();
  }

  /**
   * Handles a window that a page opened. In a session, the window becomes a tab. In a render job, only its
   * address is recorded, and the window is closed.
   */
  async #closeIfStrange(targetId: string, contextId: string): Promise<void> {
    // The session of this context configures new windows itself (see `OpenedWindows`), so this function
    // ignores them.
    if (this.#windows.takes(contextId)) return;
    // Chromium announces a page before it answers the command that opened the page. Only the answer shows
    // that the page is Cairn's own. So all running commands are awaited first.
    await Promise.allSettled(this.#opening);
    if (this.#pages.has(targetId) || this.#preparedTargets.has(targetId)) return;
    const session = this.#sessions.get(contextId);
    // The window may already be closed. Then the call below fails, and its error is ignored.
    if (session) {
      await session.adopt(targetId).catch(() => {});
      return;
    }
    await this.chromium.connection.root.send("Target.closeTarget", { targetId }).catch(() => {});
  }
}
