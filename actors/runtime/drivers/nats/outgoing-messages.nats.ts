/**
 * Messages to other nodes: events, which are lost without a broker, and answers, which wait for it.
 * Most of a message's cost is per message, so the answers of one turn to one caller are sent as a list.
 * Acknowledgements follow the answers that were given before them.
 */

import { busLimits } from "../../limits.ts";
import { INBOX } from "../bus.ts";
import type { BrokerConnection } from "./connection.nats.ts";
import type { LargeReplies } from "./large-replies.nats.ts";

/** Prefix of the subjects of topics. */
export const TOPICS = "cairn.topic.";

const ACK = new TextEncoder().encode("+ACK");

interface Answer {
  readonly topic: string;
  /** As JSON. */
  readonly text: string;
}

export class OutgoingMessages {
  readonly #broker: BrokerConnection;
  readonly #largeReplies: LargeReplies;
  readonly #encoder = new TextEncoder();
  /** Answers of this turn. */
  #answers: Answer[] = [];
  /** Subjects of the acknowledgements since the first of these answers. */
  #acknowledged: string[] = [];
  /** Answers from the time without a broker. */
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

  /** Acknowledges a command. Without a broker the acknowledgement is lost. */
  acknowledge(subject: string): void {
    if (this.#answers.length === 0) this.#broker.publish(subject, ACK);
    else this.#acknowledged.push(subject);
  }

  /** Sends what this turn collected; called automatically at its end. */
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

/** Lists of answers per caller, in order, each small enough to be sent inline. */
function answerLists(answers: readonly Answer[]): readonly (readonly [topic: string, list: string])[] {
  const lists: (readonly [string, string])[] = [];
  const open = new Map<string, string>();
  for (const { topic, text } of answers) {
    const before = open.get(topic);
    // A character has at most three bytes.
    if (before === undefined || (before.length + text.length + 2) * 3 > busLimits.inlineBytes) {
      if (before !== undefined) lists.push([topic, `${before}]`]);
      open.set(topic, `[${text}`);
    } else open.set(topic, `${before},${text}`);
  }
  for (const [topic, list] of open) lists.push([topic, `${list}]`]);
  return lists;
}
