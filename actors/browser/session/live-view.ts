/**
 * The live view of a session: frames of the shown tab for viewers, and the input of the person who controls
 * the session. A viewer requests one frame after another, so a slow viewer skips frames. While the page does
 * not change, there are no new frames.
 */

import type {
  FrameRequest,
  InputEvent,
  ViewFrame,
} from "../../../machines/session/outputs/live-view-schemas.ts";
import { liveViewLimits } from "../../../machines/session/session-limits.ts";
import { SECOND } from "../../../machines/time-and-size-units.ts";
import type { Tab } from "./tabs/browser-tab.ts";

/** The size, quality and rate of the frames that a viewer requests. */
type CastFormat = Omit<FrameRequest, "after">;

/**
 * A tab whose frames Chromium sends as a screencast. All viewers share the screencast, in the format of the
 * largest request.
 */
interface Cast {
  readonly tab: Tab;
  readonly format: CastFormat;
  /**
   * Whether Chromium is sending frames. A slow viewer requests one frame at a time; Chromium sends nothing
   * between these requests.
   */
  isRunning: boolean;
  /** True from the start of the screencast until its first frame. */
  isStarting: boolean;
  /**
   * The number that Chromium assigned to the screencast of the last frame. Each start of a screencast gets a
   * higher number. The first frame with a higher number shows the page's current state.
   */
  number: number;
  /**
   * Whether Cairn has not acknowledged the last frame yet. Chromium sends no further frames after a few
   * unacknowledged ones.
   */
  isUnacknowledged: boolean;
  /**
   * True if the viewer will certainly see the current state of the page: the newest frame shows it, or a
   * newer frame will come. Chromium may drop later frames of a screencast, but not the first.
   */
  isSettled: boolean;
}

export interface LiveViewParts {
  /** Returns the tab that is shown. Throws when the session has no tab. */
  readonly tab: () => Tab;
  /**
   * Keeps the tabs in the foreground, and prevents the session from hibernating, until the returned function
   * is called.
   */
  readonly hold: (why: string) => () => void;
  /** Called after the viewer has sent input, which may have changed the page. */
  readonly touched: () => void;
  readonly resize: (size: { readonly width: number; readonly height: number }) => Promise<void>;
}

export class LiveView {
  readonly #parts: LiveViewParts;
  #cast: Cast | undefined;
  #frame: ViewFrame | undefined;
  #seq = 0;
  #isClosed = false;
  #release: (() => void) | undefined;
  #unwatched: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last request for a frame by a viewer, as a `performance.now()` value. */
  #requested = 0;
  readonly #waiting = new Set<() => void>();
  #inputs: Promise<unknown> = Promise.resolve();

  constructor(parts: LiveViewParts) {
    this.#parts = parts;
  }

  /**
   * Returns the newest frame if its number is above `request.after`. Otherwise waits for a newer frame.
   * Returns `null` when no newer frame arrives within `liveViewLimits.frameWithin`.
   */
  async frame(request: FrameRequest): Promise<ViewFrame | null> {
    this.#requested = performance.now();
    const until = this.#requested + liveViewLimits.frameWithin;
    let wasRefreshed = false;
    for (let isFirst = true; ; isFirst = false) {
      this.#watched();
      const cast = await this.#show(this.#parts.tab(), request);
      // A request of a viewer acknowledges the last frame, and Chromium makes further frames only after an
      // acknowledgement. So without a viewer, Chromium makes no frames.
      if (isFirst) await this.#acknowledge(cast);
      if (this.#frame && this.#frame.seq > request.after) return this.#frame;
      if (performance.now() >= until || this.#isClosed) return null;
      // The wait for a frame is divided into short waits. After each, the loop checks whether another tab is
      // shown now.
      const within = cast.isSettled ? liveViewLimits.checkTabEvery : liveViewLimits.settledAfter;
      const came = await this.#nextFrame(within);
      if (came || cast !== this.#cast || wasRefreshed || (cast.isSettled && !cast.isStarting)) continue;
      wasRefreshed = true;
      await this.#refresh(cast);
    }
  }

  /**
   * Waits for the next frame of the screencast, for at most `within` milliseconds. Returns whether a frame
   * has arrived.
   */
  async #nextFrame(within: number): Promise<boolean> {
    const seq = this.#seq;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, within);
      this.#waiting.add(done);
    });
    return this.#seq > seq;
  }

  /**
   * Restarts the screencast. Chromium drops frames while earlier frames are not acknowledged, so the latest
   * change of the page may be missing. A new screencast begins with a frame of the current page.
   */
  async #refresh(cast: Cast): Promise<void> {
    this.#stopScreencast(cast);
    await this.#startScreencast(cast);
  }

  async #startScreencast(cast: Cast): Promise<void> {
    if (cast.isRunning) return;
    cast.isRunning = true;
    cast.isStarting = true;
    cast.isUnacknowledged = false;
    cast.isSettled = true;
    const { max_width: maxWidth, max_height: maxHeight, quality } = cast.format;
    try {
      await cast.tab.session.send("Page.startScreencast", { format: "jpeg", quality, maxWidth, maxHeight });
    } catch (error) {
      // The screencast is stopped, so that the next request for a frame starts it again.
      this.#stopScreencast(cast);
      throw error;
    }
  }

  /**
   * Sends the command that stops the screencast, and does not wait for the response. Chromium refuses to start
   * a screencast while one is active. So the command must be sent before any other request can send a start.
   */
  #stopScreencast(cast: Cast): void {
    if (!cast.isRunning) return;
    cast.isRunning = false;
    // The error is ignored: the tab may have been closed, which ends its screencast too.
    void cast.tab.session.send("Page.stopScreencast").catch(() => {});
  }

  /** Sends input events to the page in order, after the input of earlier calls. */
  async input(events: readonly InputEvent[]): Promise<{ readonly applied: number }> {
    const before = this.#inputs;
    const work = before.then(async () => {
      let applied = 0;
      for (const event of events) {
        await this.#apply(this.#parts.tab(), event);
        applied++;
      }
      this.#parts.touched();
      return { applied };
    });
    // The error goes only to the caller of this input. Later inputs are still applied.
    this.#inputs = work.catch(() => {});
    return await work;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#unwatched);
    this.#stop();
    for (const wake of [...this.#waiting]) wake();
  }

  #watched(): void {
    this.#release ??= this.#parts.hold("a viewer");
    clearTimeout(this.#unwatched);
    this.#unwatched = setTimeout(() => {
      this.#release?.();
      this.#release = undefined;
      this.#stop();
    }, liveViewLimits.unwatchedAfter);
  }

  /** Starts the screencast of a tab in the format of a request, if it does not run yet. */
  async #show(tab: Tab, { after: _, ...format }: FrameRequest): Promise<Cast> {
    const present = this.#cast?.tab === tab ? this.#cast : undefined;
    if (present && isWithin(format, present.format)) {
      await this.#startScreencast(present);
      return present;
    }
    this.#stop();
    const cast: Cast = {
      tab,
      format: largest(format, present?.format),
      isRunning: false,
      isStarting: false,
      number: 0,
      isUnacknowledged: false,
      isSettled: false,
    };
    this.#cast = cast;
    tab.session.on("Page.screencastFrame", ({ data, sessionId }) => {
      if (this.#cast === cast) this.#take(cast, data, sessionId);
    });
    await this.#startScreencast(cast);
    return cast;
  }

  #take(cast: Cast, data: string, number: number): void {
    const { tab } = cast;
    const { width, height } = tab.viewport;
    const isCurrentState = number > cast.number;
    if (isCurrentState) cast.isStarting = false;
    cast.number = Math.max(number, cast.number);
    cast.isUnacknowledged = true;
    cast.isSettled = isCurrentState;
    // The screencast was restarted, and its first frame equals the newest frame. So viewers already have the
    // page's current state.
    if (isCurrentState && this.#frame?.data === data) return;
    this.#frame = { seq: ++this.#seq, data, width, height, url: tab.url };
    for (const wake of [...this.#waiting]) wake();
    const nextRequest = this.#requested + SECOND / cast.format.fps;
    if (nextRequest - performance.now() >= liveViewLimits.stopCastFor) this.#stopScreencast(cast);
  }

  async #acknowledge(cast: Cast): Promise<void> {
    if (!cast.isRunning || !cast.isUnacknowledged) return;
    cast.isUnacknowledged = false;
    await cast.tab.session.send("Page.screencastFrameAck", { sessionId: cast.number });
  }

  #stop(): void {
    const cast = this.#cast;
    this.#cast = undefined;
    this.#frame = undefined;
    if (cast) this.#stopScreencast(cast);
  }

  async #apply(tab: Tab, event: InputEvent): Promise<void> {
    const { width, height } = tab.viewport;
    const at = (point: { readonly x: number; readonly y: number }) => ({
      x: point.x * width,
      y: point.y * height,
    });
    const { session } = tab;
    switch (event.type) {
      case "mouse_move": {
        tab.pointer = at(event);
        const { button, modifiers } = event;
        await session.send("Input.dispatchMouseEvent", {
          type: "mouseMoved",
          ...at(event),
          button,
          modifiers,
        });
        return;
      }
      case "mouse_down":
      case "mouse_up": {
        tab.pointer = at(event);
        const { button, modifiers, click_count: clickCount } = event;
        const type = event.type === "mouse_down" ? "mousePressed" : "mouseReleased";
        await tab.answer(
          session.send("Input.dispatchMouseEvent", { type, ...at(event), button, clickCount, modifiers }),
        );
        return;
      }
      case "wheel": {
        const { delta_x: deltaX, delta_y: deltaY, modifiers } = event;
        const wheel = { type: "mouseWheel", ...at(event), deltaX, deltaY, modifiers } as const;
        await tab.answer(session.send("Input.dispatchMouseEvent", wheel));
        return;
      }
      case "touch_start":
      case "touch_move":
      case "touch_end": {
        const types = { touch_start: "touchStart", touch_move: "touchMove", touch_end: "touchEnd" } as const;
        const touchPoints = event.type === "touch_end" ? [] : event.points.map(at);
        const touch = { type: types[event.type], touchPoints, modifiers: event.modifiers };
        await tab.answer(session.send("Input.dispatchTouchEvent", touch));
        return;
      }
      case "key_down": {
        const { key, code, text, modifiers, repeat } = event;
        const type = text === undefined ? "rawKeyDown" : "keyDown";
        const pressed = {
          type,
          key,
          code,
          modifiers,
          autoRepeat: repeat,
          windowsVirtualKeyCode: virtualKeyOf(key),
          ...(text === undefined ? {} : { text, unmodifiedText: text }),
        } as const;
        await tab.answer(session.send("Input.dispatchKeyEvent", pressed));
        return;
      }
      case "key_up": {
        const { key, code, modifiers } = event;
        const released = {
          type: "keyUp",
          key,
          code,
          modifiers,
          windowsVirtualKeyCode: virtualKeyOf(key),
        } as const;
        await tab.answer(session.send("Input.dispatchKeyEvent", released));
        return;
      }
      case "paste":
        await tab.answer(session.send("Input.insertText", { text: event.text }));
        return;
      case "resize":
        await this.#parts.resize({ width: event.width, height: event.height });
        return;
      case "dialog":
        await tab.handleDialog(event.accept, event.text);
        return;
    }
  }
}

function isWithin(asked: CastFormat, format: CastFormat): boolean {
  const { max_width, max_height, quality, fps } = format;
  return (
    asked.max_width <= max_width &&
    asked.max_height <= max_height &&
    asked.quality <= quality &&
    asked.fps <= fps
  );
}

function largest(asked: CastFormat, other: CastFormat = asked): CastFormat {
  return {
    max_width: Math.max(asked.max_width, other.max_width),
    max_height: Math.max(asked.max_height, other.max_height),
    quality: Math.max(asked.quality, other.quality),
    fps: Math.max(asked.fps, other.fps),
  };
}

/** Windows' virtual key codes, which Chromium needs for keys that edit text or move the cursor. */
const VIRTUAL_KEYS: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  " ": 32,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};

function virtualKeyOf(key: string): number {
  return VIRTUAL_KEYS[key] ?? (/^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
}
