/**
 * Pauses each window that a page opens before the window sends its first request, so that the window's
 * session can configure it. Chromium pauses the new windows of all browser contexts, or of no context. So new
 * windows are paused as long as at least one session needs this, and windows of other sessions continue at
 * once.
 */
import type { Connection } from "./devtools-connection.ts";

/**
 * Gives a new window, which is paused, to its session. Returns false if the window already is a tab of the
 * session.
 */
export type TakeWindow = (targetId: string, sessionId: string) => Promise<boolean>;

export class OpenedWindows {
  readonly #connection: Connection;
  /**
   * The browser contexts for which `hold` was called, by their ids. The value is the function that passes a
   * paused window to the session of the context; `undefined` until `takenBy` sets it.
   */
  readonly #takers = new Map<string, TakeWindow | undefined>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.root.also("Target.attachedToTarget", ({ sessionId, targetInfo, waitingForDebugger }) => {
      // Chromium reports other targets here too, such as workers and existing pages. Only new windows are
      // paused (`waitingForDebugger`), so all other targets are ignored.
      if (!waitingForDebugger) return;
      void this.#attached(sessionId, targetInfo.targetId, targetInfo.browserContextId ?? "");
    });
  }

  /**
   * Starts to pause the new windows of a browser context, so that its session can configure them. Until
   * `takenBy` is called for the context, new windows continue at once, without configuration.
   */
  async hold(contextId: string): Promise<void> {
    this.#takers.set(contextId, undefined);
    if (this.#takers.size === 1) await this.#attach(true);
  }

  /** Sets the function that receives and configures the paused new windows of a browser context. */
  takenBy(contextId: string, take: TakeWindow): void {
    if (this.#takers.has(contextId)) this.#takers.set(contextId, take);
  }

  /** Whether new windows of a browser context are paused until they are configured. */
  takes(contextId: string): boolean {
    return this.#takers.get(contextId) !== undefined;
  }

  /** Stops pausing new windows of a browser context that is being closed. */
  async leave(contextId: string): Promise<void> {
    if (this.#takers.delete(contextId) && this.#takers.size === 0 && this.#connection.open)
      await this.#attach(false);
  }

  async #attach(autoAttach: boolean): Promise<void> {
    await this.#connection.root.send("Target.setAutoAttach", {
      autoAttach,
      waitForDebuggerOnStart: autoAttach,
      flatten: true,
      // When auto-attach is turned off, the DevTools protocol rejects the parameter `filter`, so it is left
      // out.
      ...(autoAttach ? { filter: [{ type: "page" }] } : {}),
    });
  }

  async #attached(sessionId: string, targetId: string, contextId: string): Promise<void> {
    const taken = await this.#takers
      .get(contextId)?.(targetId, sessionId)
      // The window may have closed itself in the meantime, so the error is ignored.
      .catch(() => false);
    if (taken) return;
    await this.#connection.root.send("Target.detachFromTarget", { sessionId }).catch(() => {});
  }
}
