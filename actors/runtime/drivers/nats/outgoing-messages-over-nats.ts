/**
 * Sends messages to other nodes: events are lost while the broker is unreachable, and answers wait for it.
 * Each message has a high fixed cost, so all answers to one caller in one turn of the event loop are sent as
 * one list. An acknowledgement is sent after the answers that were given before it.
 */

import { busLimits } from "../../actor-runtime-limits.ts";
import { INBOX } from "../message-bus.ts";
import type { LargeReplies } from "./large-replies-over-nats.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";

/** Prefix of the NATS subjects that carry topics. */
export const TOPICS = "cairn.topic.";

const ACK = new TextEncoder().encode("+ACK");

interface Answer {
  readonly topic: string;
  /** The answer to a command or query, as JSON. */
  readonly text: string;
}

export class OutgoingMessages {
  readonly #broker: BrokerConnection;
  readonly #largeReplies: LargeReplies;
  readonly #encoder = new TextEncoder();
  /** Answers to other nodes that were given in this turn of the event loop. `flush` sends them. */
  #answers: Answer[] = [];
  /**
   * Subjects of acknowledgements that were requested when `#answers` already contained answers. They are sent
   * after those answers.
   */
  #acknowledged: string[] = [];
  /** Answers to callers that could not be sent, because the broker was unreachable. */
  #unsent: Answer[] = [];

  constructor(broker: BrokerConnection, largeReplies: LargeReplies) {
    this.#broker = broker;
    this.#largeReplies = largeReplies;
    broker.onBack(() => {
      for (const answer of this.#unsent.splice(0)) this.#answer(answer);
    });
  }

  publish(topic: string, event: unknown): void {
    const text = JSON.stringify(event ?? null);
    if (topic.startsWith(INBOX)) this.#answer({ topic, text });
    else if (this.#broker.connected) this.#send(topic, text, false);
  }

  /** Acknowledges a command. While the broker is unreachable, the acknowledgement is lost. */
  acknowledge(subject: string): void {
    if (this.#answers.length === 0) this.#broker.publish(subject, ACK);
    else this.#acknowledged.push(subject);
  }

  /**
   * Sends the answers and acknowledgements that were collected in this turn of the event loop. It is called
   * automatically at the end of the turn.
   */
  flush(): void {
    const answers = this.#answers;
    const acknowledged = this.#acknowledged;
    this.#answers = [];
    this.#acknowledged = [];
    if (this.#broker.connected)
      for (const [topic, text] of answerLists(answers)) this.#send(topic, text, true);
    else this.#unsent.push(...answers.slice(0, busLimits.heldReplies - this.#unsent.length));
    for (const subject of acknowledged) this.#broker.publish(subject, ACK);
  }

  #answer(answer: Answer): void {
    this.#answers.push(answer);
    if (this.#answers.length === 1) queueMicrotask(() => this.flush());
  }

  #send(topic: string, text: string, answers: boolean): void {
    const { log } = this.#broker;
    if (/\s/.test(topic)) {
      log("error", "an event was not sent: NATS has no subjects with spaces", { topic });
      return;
    }
    const bytes = this.#encoder.encode(text);
    if (answers && bytes.length > busLimits.inlineBytes) {
      this.#broker.publish(`${TOPICS}${topic}`, undefined, this.#largeReplies.store(bytes));
    } else if (bytes.length > this.#broker.largest) {
      log("error", "an event was not sent: it is too large for NATS", { topic, bytes: bytes.length });
    } else {
      this.#broker.publish(`${TOPICS}${topic}`, bytes);
    }
  }
}

/**
 * Groups the answers by caller, in order. An answer list that would be too large for one message is split.
 */
function answerLists(answers: readonly Answer[]): readonly (readonly [topic: string, list: string])[] {
  const lists: (readonly [string, string])[] = [];
  const open = new Map<string, string>();
  for (const { topic, text } of answers) {
    const before = open.get(topic);
    // A character has at most three bytes, so the size is estimated by the number of characters.
    if (before === undefined || (before.length + text.length + 2) * 3 > busLimits.inlineBytes) {
      if (before !== undefined) lists.push([topic, `${before}]`]);
      open.set(topic, `[${text}`);
    } else open.set(topic, `${before},${text}`);
  }
  for (const [topic, list] of open) lists.push([topic, `${list}]`]);
  return lists;
}
