/**
 * What the rooms of this worker tell: every event of a room numbered as it goes out, whoever it is from, and who of
 * them is heard at all, since watching a page costs the page something.
 *
 * Numbers are kept for as long as a room's browser is here; each time of that has an id of its own, with which events
 * are told apart. Neighbours: `machines/session/events.ts` has the events, `../session.ts` tells them.
 */
import type { SessionEventType } from "../../machines/session/event-schemas.ts";
import {
  type Payload,
  sessionEvent,
  sessionTopic,
  type UnnumberedEvent,
} from "../../machines/session/session-events.ts";
import { type Bus, SubscriptionIndex } from "../runtime/index.ts";

interface Count {
  readonly epoch: string;
  seq: number;
}

/** What of a room is heard. */
export interface Heard {
  readonly changes: boolean;
  readonly content: boolean;
}

export class RoomEvents {
  readonly #bus: Pick<Bus, "publish" | "interest">;
  readonly #counts = new Map<string, Count>();
  readonly #following = new Set<() => void>();
  #interest = new SubscriptionIndex([]);

  constructor(bus: Pick<Bus, "publish" | "interest">) {
    this.#bus = bus;
    bus.interest((patterns) => {
      this.#interest = new SubscriptionIndex(patterns);
      for (const look of [...this.#following]) look();
    });
  }

  /** An event with its number. */
  numbered(room: string, event: UnnumberedEvent): UnnumberedEvent {
    const count = this.#counts.get(room) ?? { epoch: crypto.randomUUID().slice(0, 8), seq: 0 };
    this.#counts.set(room, count);
    count.seq += 1;
    return { ...event, event_id: `${count.epoch}-${count.seq}`, seq: count.seq };
  }

  tell<Type extends SessionEventType>(type: Type, room: string, payload: Payload<Type>): void {
    const event = sessionEvent(type, room, payload, Date.now());
    this.#bus.publish(sessionTopic(room, type), this.numbered(room, event));
  }

  hears(room: string, type: SessionEventType): boolean {
    return this.#interest.hears(sessionTopic(room, type));
  }

  /** Tells what of a room is heard, now and whenever that changes; the answer ends it. */
  follow(room: string, tell: (heard: Heard) => void): () => void {
    let last = "";
    const look = (): void => {
      const heard = {
        changes: this.hears(room, "dom_change"),
        content: this.hears(room, "screen_content_update"),
      };
      const now = JSON.stringify(heard);
      if (now === last) return;
      last = now;
      tell(heard);
    };
    this.#following.add(look);
    look();
    return () => {
      this.#following.delete(look);
    };
  }

  /** Its browser is no longer here. */
  forget(room: string): void {
    this.#counts.delete(room);
  }
}
