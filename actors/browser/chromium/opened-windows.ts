/**
 * Windows that pages open, held before their first request where their session has something to tell them.
 *
 * Chromium attaches such windows of the whole browser or none, so it does only while a session asks for it; what else
 * it attaches meanwhile is let go at once. Neighbours: `running.ts` knows whose a window is, `session/environment.ts`
 * what there is to tell.
 */
import type { Connection } from "./devtools-connection.ts";

/** Takes a window that waits, in the conversation that holds it; false: it is not to wait. */
export type TakeWindow = (targetId: string, sessionId: string) => Promise<boolean>;

export class OpenedWindows {
  readonly #connection: Connection;
  /** Contexts whose windows wait, with who takes them once there is somebody. */
  readonly #takers = new Map<string, TakeWindow | undefined>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.root.also("Target.attachedToTarget", ({ sessionId, targetInfo, waitingForDebugger }) => {
      // Whom somebody attached to himself, or what was there before, waits for nothing.
      if (!waitingForDebugger) return;
      void this.#attached(sessionId, targetInfo.targetId, targetInfo.browserContextId ?? "");
    });
  }

  /** From now on windows of a context wait. Before its first page is there they are let go. */
  async hold(contextId: string): Promise<void> {
    this.#takers.set(contextId, undefined);
    if (this.#takers.size === 1) await this.#attach(true);
  }

  /** Who takes them. */
  takenBy(contextId: string, take: TakeWindow): void {
    if (this.#takers.has(contextId)) this.#takers.set(contextId, take);
  }

  /** Whether somebody takes windows of a context as they open. */
  takes(contextId: string): boolean {
    return this.#takers.get(contextId) !== undefined;
  }

  /** The context is gone. */
  async leave(contextId: string): Promise<void> {
    if (this.#takers.delete(contextId) && this.#takers.size === 0 && this.#connection.open)
      await this.#attach(false);
  }

  async #attach(autoAttach: boolean): Promise<void> {
    await this.#connection.root.send("Target.setAutoAttach", {
      autoAttach,
      waitForDebuggerOnStart: autoAttach,
      flatten: true,
      // There may be none where it is switched off.
      ...(autoAttach ? { filter: [{ type: "page" }] } : {}),
    });
  }

  async #attached(sessionId: string, targetId: string, contextId: string): Promise<void> {
    const taken = await this.#takers
      .get(contextId)?.(targetId, sessionId)
      // It may have closed itself.
      .catch(() => false);
    if (taken) return;
    await this.#connection.root.send("Target.detachFromTarget", { sessionId }).catch(() => {});
  }
}
