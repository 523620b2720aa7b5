/**
 * Whether a page is drawn: only while its scripts want what comes with frames.
 *
 * Frames of a document that nobody looks at cost a third of what rendering it does. So its window is minimised, and
 * restored at the first use of anything that works by frames (`tellsOfFrames` in `injected.ts` says which). A page that
 * wanted frames keeps its window for the next, which likely wants them as well. Its layout is put off likewise.
 * Neighbours: `page.ts` waits for what is drawn, `running.ts` makes the windows, `layout.ts` puts off the layout.
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
   * For a page that has a window of its own, in which nothing was opened yet.
   *
   * @param world the name of the isolated world that looks at its documents
   */
  static async of(root: Session, session: Session, targetId: string, world: string): Promise<FrameDrawing> {
    // Where there are no windows to minimise everything is drawn.
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

  /** Frames are drawn. */
  get on(): boolean {
    return !this.#minimised;
  }

  /** Something in the page works by frames. */
  want(): void {
    this.#wanted = true;
    if (this.#minimised) this.#become("normal");
  }

  /** Another document is about to be opened. */
  begin(): void {
    if (!this.#wanted && !this.#minimised) this.#become("minimized");
    this.#wanted = false;
  }

  #become(windowState: "normal" | "minimized"): void {
    if (this.#windowId === undefined) return;
    this.#minimised = windowState === "minimized";
    // Refused by a window that is gone, with its page; whoever uses the page hears of that.
    this.#root
      .send("Browser.setWindowBounds", { windowId: this.#windowId, bounds: { windowState } })
      .catch(() => {});
  }
}
