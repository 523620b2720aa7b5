/**
 * Pages that a session opens by itself: its tabs, and pages of its own that nobody is to see.
 *
 * The browser announces every page; which of them are none of the session's tabs is known here. Neighbours:
 * `browser-session.ts` has the tabs, `stand-in.ts` is a page of its own.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { Connection } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { ProxyCredentials } from "../../chromium/proxy-credentials.ts";
import { OriginPage } from "../state/origin-page.ts";

export class PageOpener {
  readonly #connection: Connection;
  readonly #contextId: string;
  readonly #opening = new Set<Promise<string>>();
  readonly #standIns = new Set<string>();

  readonly #credentials: ProxyCredentials;

  /** Windows that there was no room for. */
  refused = 0;

  constructor(connection: Connection, contextId: string, proxy: BrowserProxy | undefined) {
    this.#connection = connection;
    this.#contextId = contextId;
    this.#credentials = new ProxyCredentials(connection, proxy);
  }

  /** Before a page that is to be a tab asks for anything. */
  async prepare(targetId: string): Promise<void> {
    await this.#credentials.offer(targetId);
  }

  /** An empty page; its target. */
  async page(): Promise<string> {
    const { targetId } = await this.#connection.root.send("Target.createTarget", {
      url: "about:blank",
      browserContextId: this.#contextId,
      // A tab behind another is not drawn by the full browser.
      newWindow: true,
    });
    return targetId;
  }

  async standIn(): Promise<OriginPage> {
    const opening = this.page();
    this.#opening.add(opening);
    try {
      const targetId = await opening;
      this.#standIns.add(targetId);
      return await OriginPage.open(this.#connection, targetId);
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Closes a window that there is no room for. */
  async refuse(targetId: string): Promise<void> {
    this.refused++;
    await this.#connection.root.send("Target.closeTarget", { targetId });
  }

  /** Waits for windows that a page has said it opens; one that closes itself at once, or is not let, never comes. */
  async until(came: () => boolean): Promise<void> {
    const until = performance.now() + sessionLimits.windowsWithin;
    while (!came() && performance.now() < until) await pause(sessionLimits.actionableEvery / 2);
  }

  /** Whether a page that was announced is none of the session's tabs. */
  async isOwn(targetId: string): Promise<boolean> {
    // It is announced before it is answered.
    await Promise.allSettled(this.#opening);
    return this.#standIns.has(targetId);
  }
}
