/**
 * The sessions with a live browser in this worker, by room name, and the queries that wait for changes of
 * these sessions. This index exists only in memory.
 */
import { sessionLimits } from "../../machines/session/session-limits.ts";
import type { Browser, BrowserSession } from "../browser/index.ts";
import type { Autosave } from "./session-autosave-and-hibernation.ts";
import type { RoomVideo } from "./session-video.ts";

export class Rooms {
  readonly #browsers = new Map<string, BrowserSession>();
  readonly #autosaves = new Map<string, Autosave>();
  /** The videos of sessions in LiveKit rooms, by room name. A session's video is added before its browser. */
  readonly videos = new Map<string, RoomVideo>();
  readonly #waiting = new Map<string, Set<() => void>>();

  get(room: string): BrowserSession | undefined {
    return this.#browsers.get(room);
  }

  autosave(room: string): Autosave | undefined {
    return this.#autosaves.get(room);
  }

  enter(room: string, session: BrowserSession, autosave: Autosave): void {
    this.#browsers.set(room, session);
    this.#autosaves.set(room, autosave);
  }

  /** Removes this session from the live sessions. A newer session with the same room name stays. */
  leave(room: string, session: BrowserSession): void {
    if (this.#browsers.get(room) === session) {
      this.#browsers.delete(room);
      this.#autosaves.delete(room);
    }
    this.notifyChange(room);
  }

  /** Wakes the queries that wait for a change of the session. */
  notifyChange(room: string): void {
    const waiting = this.#waiting.get(room);
    this.#waiting.delete(room);
    for (const wake of waiting ?? []) wake();
  }

  /** Resolves at the next change of a session, or after a short time if it does not change. */
  async nextChange(room: string): Promise<void> {
    const waiting = this.#waiting.get(room) ?? new Set();
    this.#waiting.set(room, waiting);
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      waiting.add(resolve);
      timer = setTimeout(() => {
        waiting.delete(resolve);
        if (waiting.size === 0 && this.#waiting.get(room) === waiting) this.#waiting.delete(room);
        resolve();
      }, sessionLimits.pollStateEvery);
    });
    clearTimeout(timer);
  }
}

/**
 * The sessions of each browser in this worker. Effects and queries receive the browser as a service, and look
 * up the browser's sessions here.
 */
const rooms = new WeakMap<Browser, Rooms>();

export function roomsOf(browser: Browser): Rooms {
  const known = rooms.get(browser);
  if (known) return known;
  const made = new Rooms();
  rooms.set(browser, made);
  return made;
}
