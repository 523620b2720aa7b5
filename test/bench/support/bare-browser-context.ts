/**
 * A browser context with one page that is driven directly over the DevTools protocol. The bench compares the
 * cost of sessions with it.
 */
import type { Connection, Session } from "../../../actors/browser/chromium/devtools-connection.ts";

export interface RawContext {
  readonly session: Session;
  goto(url: string): Promise<void>;
  click(x: number, y: number): Promise<void>;
  close(): Promise<void>;
}

/** Creates a browser context with one page, without anything that a session of Cairn adds. */
export async function rawContext(connection: Connection): Promise<RawContext> {
  const { root } = connection;
  const { browserContextId } = await root.send("Target.createBrowserContext", { disposeOnDetach: true });
  const { targetId } = await root.send("Target.createTarget", {
    url: "about:blank",
    browserContextId,
    newWindow: true,
  });
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const session = connection.session(sessionId);
  let loaded = (): void => {};
  session.on("Page.loadEventFired", () => loaded());
  const screen = { width: 1_280, height: 800, deviceScaleFactor: 1, mobile: false };
  await Promise.all([
    session.send("Page.enable"),
    session.send("Runtime.enable"),
    session.send("Emulation.setDeviceMetricsOverride", screen),
  ]);
  return {
    session,
    async goto(url) {
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await session.send("Page.navigate", { url });
      await done;
    },
    async click(x, y) {
      const at = { x, y, button: "left", clickCount: 1 } as const;
      await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
      await session.send("Input.dispatchMouseEvent", { type: "mousePressed", ...at, buttons: 1 });
      await session.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, buttons: 0 });
    },
    async close() {
      connection.drop(session);
      await root.send("Target.disposeBrowserContext", { browserContextId });
    },
  };
}
