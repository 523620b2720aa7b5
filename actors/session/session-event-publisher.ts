/**
 * Numbers and publishes the events of the sessions in this worker. It also reports which events have
 * subscribers, because observing a page has a cost. When a session moves to this worker, its event numbers
 * start again, and the events show this by a new epoch.
 */
import type { SessionEventType } from "../../machines/session/browser-event-schemas.ts";
import {
  type Payload,
  sessionEvent,
  sessionTopic,
  type UnnumberedEvent,
} from "../../machines/session/build-session-events.ts";
import { type Bus, SubscriptionIndex } from "../runtime/index.ts";

interface Count {
  readonly epoch: string;
  seq: number;
}

/**
 * Whether the events about changes of the session's page have subscribers, and whether the events with the
 * page's content have subscribers.
 */
export interface RoomSubscriptions {
  readonly changes: boolean;
  readonly content: boolean;
}

export class RoomEvents {
  readonly #bus: Pick<Bus, "publish" | "onPatterns">;
  readonly #counts = new Map<string, Count>();
  readonly #following = new Set<() => void>();
  readonly #listening = new Map<string, (event: UnnumberedEvent) => void>();
  #interest = new SubscriptionIndex([]);

  constructor(bus: Pick<Bus, "publish" | "onPatterns">) {
    this.#bus = bus;
    bus.onPatterns((patterns) => {
      this.#interest = new SubscriptionIndex(patterns);
      for (const notify of [...this.#following]) notify();
    });
  }

  /** Returns the event with an event id and the session's next event number. */
  numbered(room: string, event: UnnumberedEvent): UnnumberedEvent {
    const count = this.#counts.get(room) ?? { epoch: crypto.randomUUID().slice(0, 8), seq: 0 };
    this.#counts.set(room, count);
    count.seq += 1;
    const numbered = { ...event, event_id: `${count.epoch}-${count.seq}`, seq: count.seq };
    this.#listening.get(room)?.(numbered);
    return numbered;
  }

  /**
   * Sets the listener of a session, which gets every event that this worker publishes for the session. A
   * session has one listener, and it does not count as a subscriber. The returned function removes it.
   */
  listen(room: string, listener: (event: UnnumberedEvent) => void): () => void {
    this.#listening.set(room, listener);
    return () => {
      if (this.#listening.get(room) === listener) this.#listening.delete(room);
    };
  }

  emit<Type extends SessionEventType>(type: Type, room: string, payload: Payload<Type>): void {
    const event = sessionEvent(type, room, payload, Date.now());
    this.#bus.publish(sessionTopic(room, type), this.numbered(room, event));
  }

  hasSubscribers(room: string, type: SessionEventType): boolean {
    return this.#interest.matches(sessionTopic(room, type));
  }

  /**
   * Calls `listen` with the subscriptions of a session now and after every change, until the returned
   * function is called.
   */
  follow(room: string, listen: (subscriptions: RoomSubscriptions) => void): () => void {
    let last = "";
    const notify = (): void => {
      const subscriptions = {
        changes: this.hasSubscribers(room, "dom_change"),
        content: this.hasSubscribers(room, "screen_content_update"),
      };
      const now = JSON.stringify(subscriptions);
      if (now === last) return;
      last = now;
      listen(subscriptions);
    };
    this.#following.add(notify);
    notify();
    return () => {
      this.#following.delete(notify);
    };
  }

  /** Drops the event numbers of a session whose browser has ended. */
  forget(room: string): void {
    this.#counts.delete(room);
  }
}
