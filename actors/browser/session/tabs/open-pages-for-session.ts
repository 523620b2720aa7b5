/**
 * Opens pages for a session: its tabs, and hidden pages that only Cairn uses. The browser announces every new
 * page, so this class remembers which pages are hidden.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Connection } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { ProxyCredentials } from "../../chromium/proxy-credentials-on-first-request.ts";
import { OriginPage } from "../state/hidden-page-for-origin-storage.ts";

/** Opens an empty page in a browser context and returns the id of its DevTools target. */
export async function openEmptyPage({ root }: Connection, browserContextId: string): Promise<string> {
  const { targetId } = await root.send("Target.createTarget", {
    url: "about:blank",
    browserContextId,
    // Chromium with a user interface does not render a tab behind another tab, so each page gets its own
    // window.
    newWindow: true,
  });
  return targetId;
}

export class PageOpener {
  readonly #connection: Connection;
  readonly #contextId: string;
  readonly #pendingPages = new Set<Promise<string>>();
  readonly #hiddenPages = new Set<string>();

  readonly #credentials: ProxyCredentials;

  /** Number of windows that were closed because the session already had its maximum number of tabs. */
  refused = 0;

  constructor(connection: Connection, contextId: string, proxy: BrowserProxy | undefined) {
    this.#connection = connection;
    this.#contextId = contextId;
    this.#credentials = new ProxyCredentials(connection, proxy);
  }

  /**
   * Prepares a new tab for a proxy that requests credentials. Must be called before the first request of the
   * tab.
   */
  async prepare(targetId: string): Promise<void> {
    await this.#credentials.offer(targetId);
  }

  /** Opens an empty page and returns the id of its DevTools target. */
  async openPage(): Promise<string> {
    return await openEmptyPage(this.#connection, this.#contextId);
  }

  async openOriginPage(): Promise<OriginPage> {
    const opening = this.openPage();
    this.#pendingPages.add(opening);
    try {
      const targetId = await opening;
      this.#hiddenPages.add(targetId);
      return await OriginPage.open(this.#connection, targetId);
    } finally {
      this.#pendingPages.delete(opening);
    }
  }

  /** Closes a new window, because the session has its maximum number of tabs. */
  async refuse(targetId: string): Promise<void> {
    this.refused++;
    await this.#connection.root.send("Target.closeTarget", { targetId });
  }

  /**
   * Waits until `hasArrived` returns true, which means that the windows of a page have become tabs. The wait
   * is limited, because a blocked window never becomes a tab.
   */
  async waitUntil(hasArrived: () => boolean): Promise<void> {
    const until = performance.now() + sessionLimits.windowsWithin;
    while (!hasArrived() && performance.now() < until) await pause(sessionLimits.actionableEvery / 2);
  }

  /** Whether a page is hidden: only Cairn uses it, and it is no tab of the session. */
  async isHidden(targetId: string): Promise<boolean> {
    // Chromium announces a page before it answers the command that creates the page. Only the answer shows
    // whether the page is hidden. So all running commands are awaited.
    await Promise.allSettled(this.#pendingPages);
    return this.#hiddenPages.has(targetId);
  }
}
