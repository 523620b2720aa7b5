/**
 * Holds windows that pages open before their first request, where a session must configure them first.
 * Chromium attaches to new windows of the whole browser or of none, so it does so only while a session needs it;
 * other targets it attaches to meanwhile are released at once.
 */
import type { Connection } from "./devtools-connection.ts";

/** Takes over a held window in the protocol session that holds it; `false`: the window is not held. */
export type TakeWindow = (targetId: string, sessionId: string) => Promise<boolean>;

export class OpenedWindows {
  readonly #connection: Connection;
  /** Contexts whose windows are held, with the function that takes them over once there is one. */
  readonly #takers = new Map<string, TakeWindow | undefined>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.root.also("Target.attachedToTarget", ({ sessionId, targetInfo, waitingForDebugger }) => {
      // A target that was attached explicitly, or existed before, is not held.
      if (!waitingForDebugger) return;
      void this.#attached(sessionId, targetInfo.targetId, targetInfo.browserContextId ?? "");
    });
  }

  /** Holds new windows of a context. Until its first page exists they are released. */
  async hold(contextId: string): Promise<void> {
    this.#takers.set(contextId, undefined);
    if (this.#takers.size === 1) await this.#attach(true);
  }

  /** Sets the function that takes over the windows of a context. */
  takenBy(contextId: string, take: TakeWindow): void {
    if (this.#takers.has(contextId)) this.#takers.set(contextId, take);
  }

  /** Whether windows of a context are taken over as they open. */
  takes(contextId: string): boolean {
    return this.#takers.get(contextId) !== undefined;
  }

  /** Stops holding windows of a context that is closed. */
  async leave(contextId: string): Promise<void> {
    if (this.#takers.delete(contextId) && this.#takers.size === 0 && this.#connection.open)
      await this.#attach(false);
  }

  async #attach(autoAttach: boolean): Promise<void> {
    await this.#connection.root.send("Target.setAutoAttach", {
      autoAttach,
      waitForDebuggerOnStart: autoAttach,
      flatten: true,
      // Without auto-attach there is no filter.
      ...(autoAttach ? { filter: [{ type: "page" }] } : {}),
    });
  }

  async #attached(sessionId: string, targetId: string, contextId: string): Promise<void> {
    const taken = await this.#takers
      .get(contextId)?.(targetId, sessionId)
      // The window may have closed itself.
      .catch(() => false);
    if (taken) return;
    await this.#connection.root.send("Target.detachFromTarget", { sessionId }).catch(() => {});
  }
}
