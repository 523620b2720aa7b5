/**
 * Draws animation frames of a page only while its scripts need them: drawing the frames of an invisible page
 * is a third of the page's rendering cost. The window is minimised, and it is restored when a script first
 * uses something that needs frames (see `reportFrames` in `functions-run-in-rendered-page.ts`). A page that needed frames
 * keeps its window for its next document, which is likely to need them too.
 */
import type { Session } from "../chromium/devtools-connection.ts";
import { installFrameListener, reportFrames } from "./functions-run-in-rendered-page.ts";
import { deferLayout, reportMeasuring, type Signals } from "./layout-deferral.ts";

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
   * Creates the `FrameDrawing` of a page. The page has a window of its own and has not opened a document yet.
   * @param world the name of the isolated world in which Cairn inspects the documents
   */
  static async of(root: Session, session: Session, targetId: string, world: string): Promise<FrameDrawing> {
    // The error is ignored: this browser has no windows that can be minimised, so all animation frames are
    // drawn.
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

  /** Whether Chromium draws the animation frames of the page now. */
  get on(): boolean {
    return !this.#minimised;
  }

  /**
   * Must be called when the page starts something that needs animation frames, such as an animation by
   * script. If the window is minimised, it is restored, because Chromium draws no frames in a minimised
   * window.
   */
  want(): void {
    this.#wanted = true;
    if (this.#minimised) this.#become("normal");
  }

  /**
   * Must be called before the page opens another document. If the last document needed no animation frames,
   * the window is minimised, so that none are drawn.
   */
  begin(): void {
    if (!this.#wanted && !this.#minimised) this.#become("minimized");
    this.#wanted = false;
  }

  #become(windowState: "normal" | "minimized"): void {
    if (this.#windowId === undefined) return;
    this.#minimised = windowState === "minimized";
    // The error is ignored: the window was closed with its page, and other calls to the page report this.
    this.#root
      .send("Browser.setWindowBounds", { windowId: this.#windowId, bounds: { windowState } })
      .catch(() => {});
  }
}
