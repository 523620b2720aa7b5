/**
 * The interface of the message transport. Commands wait in one queue per shard, which one owner at a time
 * consumes. Requests go to one responder; published events go to all current subscribers and may be lost.
 */
import type { Message, Outcome } from "../actor-messages.ts";

export interface Delivery {
  readonly message: Message;
  /** Removes the message from the queue. Call it only after the effects of the message are durable. */
  ack(): void;
}

export interface Consumer {
  take(delivery: Delivery): void;
  replaced(): void;
}

/** Prefix of the topics on which callers get the outcomes of their commands. */
export const INBOX = "_inbox.";

export interface Bus {
  /**
   * Puts a command into the queue of its shard. Rejects with `actor.mailbox_full` when the actor's mailbox is
   * full. A message whose id is still in the queue is not added again.
   */
  enqueue(message: Message): Promise<void>;
  /**
   * Becomes the owner of a shard's queue. Consumers with a lower fence (owner number) get no more messages.
   * The messages that they have not acknowledged are delivered to the new owner in order. The returned
   * function stops the deliveries, but not the acknowledgements. `replaced` is called when another owner
   * takes the queue.
   */
  consume(shard: number, fence: number, consumer: Consumer): Promise<() => void>;
  /**
   * Sends a request to the actor or node that answers on a subject. Rejects with `bus.no_responder` if there
   * is none.
   */
  request(subject: string, payload: unknown, timeout: number): Promise<Outcome>;
  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void;
  /** Sends an event to all current subscribers. The event may be lost. */
  publish(topic: string, event: unknown): void;
  /**
   * Subscribes to topics. A topic consists of tokens joined by dots. In a pattern, `*` matches one token and
   * a final `>` any number of tokens.
   */
  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void;
  /**
   * Calls `listen` with the patterns of all subscribers, now and whenever the patterns change. A sender can
   * then skip events without subscribers. The returned function unregisters `listen`.
   */
  onPatterns(listen: (patterns: readonly string[]) => void): () => void;
  /**
   * Calls `listen` when the connection to the broker is restored. Answers may have been lost, so callers must
   * send their requests again with the same ids. The returned function unregisters `listen`.
   */
  onRecovered(listen: () => void): () => void;
}

/** Whether a topic matches a pattern, compared token by token as in NATS. */
export function topicMatches(pattern: string, topic: string): boolean {
  const wanted = pattern.split(".");
  const given = topic.split(".");
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === ">") return given.length > i;
    if (i >= given.length || (wanted[i] !== "*" && wanted[i] !== given[i])) return false;
  }
  return wanted.length === given.length;
}
