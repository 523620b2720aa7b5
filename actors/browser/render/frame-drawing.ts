/**
 * Draws frames of a page only while its scripts need them: frames of a hidden document cost a third of its rendering.
 * The window is minimised, and restored at the first use of anything that works by frames (see `reportFrames` in
 * `render-scripts.ts`). A page that needed frames keeps its window for its next document, which likely needs them
 * too.
 */
import type { Session } from "../chromium/devtools-connection.ts";
import { deferLayout, reportMeasuring, type Signals } from "./layout-deferral.ts";
import { installFrameListener, reportFrames } from "./render-scripts.ts";

const SIGNALS: Signals = { frames: crypto.randomUUID(), layout: crypto.randomUUID() };

export class FrameDrawing {
  readonly #root: Session;
  readonly #windowId: number | undefined;
  #minimised = false;
  #wanted = false;

  private constructor(root: Session, windowId: number | undefined) {
    this.#root = root;
    this.#windowId = windowId;
  }

  /**
   * For a page with a window of its own that has opened nothing yet.
   *
   * @param world the name of the isolated world that inspects its documents
   */
  static async of(root: Session, session: Session, targetId: string, world: string): Promise<FrameDrawing> {
    // Where windows cannot be minimised, everything is drawn.
    const found = await root.send("Browser.getWindowForTarget", { targetId }).catch(() => undefined);
    const drawing = new FrameDrawing(root, found?.windowId);
    const atStart = (...codes: ((signals: Signals) => void)[]) =>
      codes.map((code) => `(${code.toString()})(${JSON.stringify(SIGNALS)});`).join("\n");
    await Promise.all([
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: atStart(reportFrames, reportMeasuring),
      }),
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: atStart(installFrameListener, deferLayout),
        worldName: world,
      }),
    ]);
    return drawing;
  }

  /** Whether frames are drawn. */
  get on(): boolean {
    return !this.#minimised;
  }

  /** Call when the page uses something that works by frames. */
  want(): void {
    this.#wanted = true;
    if (this.#minimised) this.#become("normal");
  }

  /** Call before another document is opened. */
  begin(): void {
    if (!this.#wanted && !this.#minimised) this.#become("minimized");
    this.#wanted = false;
  }

  #become(windowState: "normal" | "minimized"): void {
    if (this.#windowId === undefined) return;
    this.#minimised = windowState === "minimized";
    // Refused by a window that is gone with its page; the page's own calls report that.
    this.#root
      .send("Browser.setWindowBounds", { windowId: this.#windowId, bounds: { windowState } })
      .catch(() => {});
  }
}
