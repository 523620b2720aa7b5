/**
 * The browsers of the sessions that live in this worker, by room, and who waits for news of them.
 *
 * What is here is not stored: it goes with the effect that put it here. Neighbour: `../session.ts`.
 */
import { sessionLimits } from "../../machines/session/limits.ts";
import type { Browser, BrowserSession } from "../browser/index.ts";
import type { Keeper } from "./autosave.ts";

export class Rooms {
  readonly #sessions = new Map<string, BrowserSession>();
  readonly #keepers = new Map<string, Keeper>();
  readonly #waiting = new Map<string, Set<() => void>>();

  get(room: string): BrowserSession | undefined {
    return this.#sessions.get(room);
  }

  keeper(room: string): Keeper | undefined {
    return this.#keepers.get(room);
  }

  enter(room: string, session: BrowserSession, keeper: Keeper): void {
    this.#sessions.set(room, session);
    this.#keepers.set(room, keeper);
  }

  /** Another may have entered meanwhile: it stays. */
  leave(room: string, session: BrowserSession): void {
    if (this.#sessions.get(room) === session) {
      this.#sessions.delete(room);
      this.#keepers.delete(room);
    }
    this.tell(room);
  }

  /** Something of the room is committed, or about to be. */
  tell(room: string): void {
    const waiting = this.#waiting.get(room);
    this.#waiting.delete(room);
    for (const wake of waiting ?? []) wake();
  }

  /** Resolves with the next news of a room, or soon without. */
  async news(room: string): Promise<void> {
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

/** Effects and queries of a worker share its browser, and with it these. */
const rooms = new WeakMap<Browser, Rooms>();

export function roomsOf(browser: Browser): Rooms {
  const known = rooms.get(browser);
  if (known) return known;
  const made = new Rooms();
  rooms.set(browser, made);
  return made;
}
