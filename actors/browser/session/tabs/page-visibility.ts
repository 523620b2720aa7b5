/**
 * Treats the tabs of an idle session as background tabs: nothing is drawn, while network, sockets and timers
 * continue. The next request brings them to the front before it runs.
 */
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import type { Tab } from "./tab.ts";

interface VisibilityOptions {
  readonly root: Session;
  readonly tabs: () => readonly Tab[];
  /** Milliseconds without a request or a viewer. */
  readonly backgroundAfter: number;
  /** Runs work after all earlier requests, as one that does not count as use. */
  readonly runAfter: (work: () => Promise<void>) => Promise<void>;
}

export class PageVisibility {
  readonly #options: VisibilityOptions;
  readonly #hidden = new Set<Tab>();
  /** Number of running requests and of viewers. */
  #holders = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: VisibilityOptions) {
    this.#options = options;
    this.restart();
  }

  /** Keeps the tabs in front until the returned function is called. They may still be hidden: see `show`. */
  hold(): () => void {
    this.#holders++;
    clearTimeout(this.#timer);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      this.restart();
    };
  }

  /** Starts the time of idleness again, as for a new tab. */
  restart(): void {
    clearTimeout(this.#timer);
    if (this.#holders > 0 || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      // A page that does not answer stays in front; its next request reports the problem.
      this.#options.runAfter(() => this.#hideAll()).catch(() => {});
    }, this.#options.backgroundAfter);
    this.#timer.unref();
  }

  /** Brings all tabs to the front, and resolves when what changed meanwhile is drawn. */
  async show(): Promise<void> {
    if (this.#hidden.size === 0) return;
    const hidden = [...this.#hidden];
    this.#hidden.clear();
    await Promise.all(hidden.map((tab) => this.#change(tab, false)));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #hideAll(): Promise<void> {
    for (const tab of this.#options.tabs()) {
      // A request or a viewer may have come meanwhile.
      if (this.#holders > 0 || this.#isClosed) return;
      // A dialog stops the page, and a loading page is about to be asked for.
      if (this.#hidden.has(tab) || tab.dialog || tab.loading) continue;
      this.#hidden.add(tab);
      await this.#change(tab, true);
    }
  }

  async #change(tab: Tab, hide: boolean): Promise<void> {
    const { root } = this.#options;
    const within = sessionLimits.visibilityWithin;
    try {
      if (hide) await tab.answer(shieldFocus(tab, true), within);
      const { windowId } = await root.send("Browser.getWindowForTarget", { targetId: tab.targetId });
      const windowState = hide ? "minimized" : "normal";
      await Promise.all([
        root.send("Browser.setWindowBounds", { windowId, bounds: { windowState } }),
        // With it, a hidden window counts as visible.
        tab.answer(tab.session.send("Emulation.setFocusEmulationEnabled", { enabled: !hide }), within),
      ]);
      if (hide) return;
      await tab.answer(
        tab.frames.callAsync(tab.frames.main, "shownContent", "drawn", sessionLimits.drawnWithin),
        within,
      );
      await tab.answer(shieldFocus(tab, false), within);
    } catch {
      // The page is gone, is navigating, shows a dialog, or the browser has no windows. It stays as it is: the
      // request reports what matters to its caller, and the next one brings the page to the front.
      if (!hide && this.#options.tabs().includes(tab)) this.#hidden.add(tab);
    }
  }
}

async function shieldFocus({ frames }: Tab, active: boolean): Promise<void> {
  await Promise.all(frames.all().map((frame) => frames.call(frame, "focusShield", "setActive", active)));
}
