/**
 * A Chromium that runs, as those see it who render in it: contexts, their pages, and windows nobody asked for.
 *
 * Neighbours: `browser.ts` owns it, `job.ts` has one context in it, `page.ts` is a page.
 */

import { browserLimits } from "../limits.ts";
import { Page } from "../render/render-page.ts";
import { ContextSession, type SessionOptions } from "../session/browser-session.ts";
import { hasSettings } from "../session/tabs/environment.ts";
import type { BrowserProxy, Chromium } from "./launch-chromium.ts";
import { OpenedWindows } from "./opened-windows.ts";
import { logInToProxy } from "./proxy-login.ts";

/** The pages of one job: they share cookies, storage and cache with each other and with nobody else. */
export class Context {
  readonly id: string;
  /** Pages without work; the one used last is at the end. */
  readonly idle: Page[] = [];
  closed = false;

  constructor(id: string) {
    this.id = id;
  }
}

export interface RunningOptions {
  readonly userAgent: string;
  readonly proxy: BrowserProxy | undefined;
  readonly evaluate: boolean;
  readonly uploads: string | undefined;
}

export class RunningChromium {
  readonly chromium: Chromium;
  readonly #options: RunningOptions;
  readonly #contexts = new Set<Context>();
  readonly #pages = new Set<string>();
  readonly #opening = new Set<Promise<unknown>>();
  /** Sessions, by their contexts: windows that open there are theirs. */
  readonly #sessions = new Map<string, ContextSession>();
  /** Contexts of the windows that were opened last. */
  readonly #contextOf = new Map<string, string>();
  readonly #windows: OpenedWindows;

  constructor(chromium: Chromium, options: RunningOptions) {
    this.chromium = chromium;
    this.#windows = new OpenedWindows(chromium.connection);
    this.#options = options;
  }

  /** What has to be said to a new browser before its first page. */
  async prepare(): Promise<void> {
    const { root } = this.chromium.connection;
    root.on("Target.targetCreated", ({ targetInfo }) => {
      const { type, targetId, browserContextId = "" } = targetInfo;
      this.#note(targetId, browserContextId);
      if (type === "page") void this.#closeIfStrange(targetId, browserContextId);
    });
    // Both are told of sessions only; others are given no files.
    root.on("Browser.downloadWillBegin", (begun) =>
      this.#downloaderOf(begun.frameId)?.resources.downloads?.begin(begun),
    );
    root.on("Browser.downloadProgress", (progress) => {
      for (const { resources } of this.#sessions.values()) {
        // A folder that cannot be written to is told by who lists the files.
        if (resources.downloads?.knows(progress.guid)) resources.downloads.progress(progress).catch(() => {});
      }
    });
    await root.send("Target.setDiscoverTargets", { discover: true, filter: [{ type: "page" }] });
  }

  /** A window that is there only to give a file is gone before it is looked at. */
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

  /** Of a job: nobody asks its pages for the credentials of the proxy. */
  async newContext(): Promise<Context> {
    const context = await this.#emptyContext();
    const { root } = this.chromium.connection;
    await root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId: context.id });
    await this.#asOurs(logInToProxy(this.chromium.connection, context.id, this.#options.proxy));
    return context;
  }

  /** @param way its own way out, in place of the browser's */
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

  /** A session in a context of its own. */
  async openSession(options: SessionOptions): Promise<ContextSession> {
    const context = await this.#emptyContext(options.proxy);
    const place = {
      connection: this.chromium.connection,
      contextId: context.id,
      proxy: options.proxy ?? this.#options.proxy,
      evaluate: this.#options.evaluate,
      uploads: this.#options.uploads,
      dispose: async (): Promise<void> => {
        this.#sessions.delete(context.id);
        await this.closeContext(context);
        await this.#windows.leave(context.id);
      },
    };
    try {
      if (hasSettings(options.environment)) await this.#windows.hold(context.id);
      const opening = ContextSession.open(place, options).then((session) => {
        this.#sessions.set(context.id, session);
        this.#windows.takenBy(context.id, (targetId, held) => session.adopt(targetId, held));
        return session;
      });
      return await this.#asOurs(opening);
    } catch (error) {
      await place.dispose();
      throw error;
    }
  }

  /** Ends a context with its pages and all that sites left in it. */
  async closeContext(context: Context): Promise<void> {
    context.closed = true;
    this.#contexts.delete(context);
    for (const page of context.idle.splice(0)) this.#pages.delete(page.targetId);
    if (!this.open) return;
    await this.chromium.connection.root.send("Target.disposeBrowserContext", {
      browserContextId: context.id,
    });
  }

  /** A page of the context: one that is idle, else a new one, for which another context may have to give one up. */
  async page(context: Context): Promise<Page> {
    for (let idle = context.idle.pop(); idle; idle = context.idle.pop()) {
      // What it showed may have gone into a loop since: the next page must not pay for that.
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
    return await this.#asOurs(
      opening.then((page) => {
        this.#pages.add(page.targetId);
        return page;
      }),
    );
  }

  /** Takes a page back; it is kept for the next render when it is fit for one. */
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

  /** Work that opens windows of our own: until it is done none that appears is taken for a stranger. */
  async #asOurs<Result>(work: Promise<Result>): Promise<Result> {
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
   * A window that a page opened. In a session it is a tab of it; elsewhere its address was noted, and it is closed
   * before it costs anything.
   */
  async #closeIfStrange(targetId: string, contextId: string): Promise<void> {
    // It waits, and is taken as it is attached.
    if (this.#windows.takes(contextId)) return;
    // Our own pages are announced before they are answered.
    await Promise.allSettled(this.#opening);
    if (this.#pages.has(targetId)) return;
    const session = this.#sessions.get(contextId);
    // Either way it may have closed itself.
    if (session) {
      await session.adopt(targetId).catch(() => {});
      return;
    }
    await this.chromium.connection.root.send("Target.closeTarget", { targetId }).catch(() => {});
  }
}
