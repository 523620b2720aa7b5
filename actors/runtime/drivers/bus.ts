/**
 * The bus: what the runtime asks of whatever carries its messages.
 *
 * `bus.memory.ts` is the driver of one process; `bus.port.ts` reaches it from a worker. A broker comes by
 * adding a driver. Commands wait in a queue a shard, taken by one owner at a time; everything else is
 * core messaging: requests to one responder, and lossy publishes to whoever subscribed.
 */
import type { Message, Outcome } from "../message.ts";

export interface Delivery {
  readonly message: Message;
  /** Takes the message out of the queue. Only after what it caused is durable. */
  ack(): void;
}

export interface Consumer {
  take(delivery: Delivery): void;
  deposed(): void;
}

/** What the topics begin with on which askers hear their answers. */
export const INBOX = "_inbox.";

export interface Bus {
  /**
   * Puts a command into its shard's queue. Rejects with `actor.mailbox_full` when its actor has as many
   * unacknowledged ones as its mailbox holds. The same message id while the first waits is taken once.
   */
  enqueue(message: Message): Promise<void>;
  /**
   * Becomes the owner of a shard's queue. An older fence's consumer gets nothing more and its acknowledgements
   * change nothing; what it left unacknowledged is delivered again, in order. The answer stops the deliveries:
   * what was delivered before can still be acknowledged, until the queue has another owner. `deposed` is called
   * when that happens before the stop: whoever believes to own the shard must take it anew or leave it.
   */
  consume(shard: number, fence: number, consumer: Consumer): Promise<() => void>;
  /** Asks the one responder of a subject; `bus.no_responder` when there is none. */
  request(subject: string, payload: unknown, timeout: number): Promise<Outcome>;
  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void;
  /** To all subscribers at once; lossy. */
  publish(topic: string, event: unknown): void;
  /** Topics are tokens joined by dots; in a pattern `*` is one token and a last `>` any number of them. */
  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void;
  /**
   * Tells the patterns that anybody has subscribed to, at once and whenever they change: whoever has far to send
   * need not send what nobody hears. The answer ends it.
   */
  interest(tell: (patterns: readonly string[]) => void): () => void;
  /**
   * Calls `listen` when the bus had lost its broker and has it again: answers of that time may be lost, so whoever
   * waits for one asks again with the same id. The answer ends it.
   */
  recovered(listen: () => void): () => void;
}

/** Does a topic match a pattern? Token by token, as NATS does it. */
export function topicMatches(pattern: string, topic: string): boolean {
  const wanted = pattern.split(".");
  const given = topic.split(".");
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === ">") return given.length > i;
    if (i >= given.length || (wanted[i] !== "*" && wanted[i] !== given[i])) return false;
  }
  return wanted.length === given.length;
}
