/**
 * Treats the tabs of an idle session as background tabs. Nothing is drawn in them and their timers fire at
 * most once a second, but network and sockets continue. The next request brings them to the foreground before
 * it runs.
 */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import type { Tab } from "./browser-tab.ts";

interface VisibilityOptions {
  readonly root: Session;
  readonly tabs: () => readonly Tab[];
  /** Milliseconds without a request or a viewer after which the tabs go to the background. */
  readonly backgroundAfter: number;
  /** Runs work after all earlier requests of the session. The session counts as idle during this work. */
  readonly runAfter: (work: () => Promise<void>) => Promise<void>;
}

export class PageVisibility {
  readonly #options: VisibilityOptions;
  readonly #hidden = new Set<Tab>();
  /** Number of running requests and viewers. While there are any, the tabs stay in the foreground. */
  #holders = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: VisibilityOptions) {
    this.#options = options;
    this.restart();
  }

  /**
   * Keeps those tabs in the foreground that are in the foreground now, until the returned function is called.
   * Tabs in the background stay there until `show` is called.
   */
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

  /** Starts the idle time again, after which the tabs go to the background. */
  restart(): void {
    clearTimeout(this.#timer);
    if (this.#holders > 0 || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      // The error is ignored: a page that does not answer stays in the foreground, and its next request
      // reports the problem.
      this.#options.runAfter(() => this.#hideAll()).catch(() => {});
    }, this.#options.backgroundAfter);
    this.#timer.unref();
  }

  /** Brings all background tabs to the foreground. Resolves when they are there. */
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
      // If a request or a viewer has arrived since the first tab was hidden, the remaining tabs stay in the
      // foreground.
      if (this.#holders > 0 || this.#isClosed) return;
      // Tabs with an open dialog and loading tabs stay in the foreground. A dialog stops the scripts of its
      // tab anyway, and a loading page will probably be read soon.
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
        // Focus emulation makes a minimised window count as visible. So it is turned off while the tab is
        // hidden.
        tab.answer(tab.session.send("Emulation.setFocusEmulationEnabled", { enabled: !hide }), within),
      ]);
      if (hide) return;
      await tab.answer(
        tab.frames.callAsync(tab.frames.main, "shownContent", "drawn", sessionLimits.drawnWithin),
        within,
      );
      await tab.answer(shieldFocus(tab, false), within);
      await tab.answer(restorePointer(tab), within);
    } catch {
      // The error is ignored: the page is closed, navigates or shows a dialog, or this browser has no
      // windows. If the tab was not hidden, it stays in the foreground. If it was not shown, the next request
      // shows it.
      if (!hide && this.#options.tabs().includes(tab)) this.#hidden.add(tab);
    }
  }
}

/**
 * Moves the pointer to where it was. A page in the background has no pointer over it, so buttons of a row that
 * are shown only under the pointer have disappeared.
 */
async function restorePointer({ pointer, session }: Tab): Promise<void> {
  if (pointer.x === 0 && pointer.y === 0) return;
  await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...pointer });
}

async function shieldFocus({ frames }: Tab, active: boolean): Promise<void> {
  await Promise.all(frames.all().map((frame) => frames.call(frame, "focusShield", "setActive", active)));
}
