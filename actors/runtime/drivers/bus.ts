/**
 * The bus: what the runtime needs of a message transport.
 * Commands wait in one queue per shard, taken by one owner at a time. Everything else is core messaging:
 * requests to one responder, and lossy publishes to subscribers.
 */
import type { Message, Outcome } from "../message.ts";

export interface Delivery {
  readonly message: Message;
  /** Removes the message from the queue. Must be called only after the message's effects are durable. */
  ack(): void;
}

export interface Consumer {
  take(delivery: Delivery): void;
  replaced(): void;
}

/** Prefix of the topics on which callers receive their outcomes. */
export const INBOX = "_inbox.";

export interface Bus {
  /**
   * Puts a command into its shard's queue. Rejects with `actor.mailbox_full` when its actor's mailbox is
   * full. A message id that still waits is taken once.
   */
  enqueue(message: Message): Promise<void>;
  /**
   * Becomes the owner of a shard's queue. The consumer of an older fence receives nothing more and its
   * acknowledgements have no effect; its unacknowledged messages are delivered again, in order. The returned
   * function stops the deliveries; delivered messages can still be acknowledged. `replaced` is called when
   * another owner took the queue before the stop.
   */
  consume(shard: number, fence: number, consumer: Consumer): Promise<() => void>;
  /** Sends a request to the responder of a subject; rejects with `bus.no_responder` without one. */
  request(subject: string, payload: unknown, timeout: number): Promise<Outcome>;
  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void;
  /** To all current subscribers; lossy. */
  publish(topic: string, event: unknown): void;
  /** Topics are tokens joined by dots; in a pattern `*` is one token and a final `>` any number of tokens. */
  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void;
  /**
   * Reports the patterns of all subscribers, now and whenever they change, so that senders can skip events
   * without subscribers. The returned function ends it.
   */
  onPatterns(listen: (patterns: readonly string[]) => void): () => void;
  /**
   * Calls `listen` when the bus has its broker back: answers may have been lost meanwhile, so callers ask
   * again with the same id. The returned function ends it.
   */
  onRecovered(listen: () => void): () => void;
}

/** Whether a topic matches a pattern, token by token as in NATS. */
export function topicMatches(pattern: string, topic: string): boolean {
  const wanted = pattern.split(".");
  const given = topic.split(".");
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === ">") return given.length > i;
    if (i >= given.length || (wanted[i] !== "*" && wanted[i] !== given[i])) return false;
  }
  return wanted.length === given.length;
}
