/**
 * What a connection says to the other nodes: events, which are lost without a broker, and answers, which wait for it.
 *
 * The answers of one turn to one asker go as one message, because most of what a message costs is its being one: over
 * the broker an inbox is told lists of answers, the events of other topics one by one. What acknowledges a command goes
 * behind the answers that were given before it. Neighbours: `bus.nats.ts` says what a node has to say, `direct.nats.ts`
 * what its workers answer; `kept.nats.ts` keeps the answers that are too large for one message.
 */

import { busLimits } from "../../limits.ts";
import { INBOX } from "../bus.ts";
import type { Broker } from "./connection.nats.ts";
import type { KeptReplies } from "./large-replies.nats.ts";

/** What the subjects of topics begin with. */
export const TOPICS = "cairn.topic.";

const ACK = new TextEncoder().encode("+ACK");

interface Answer {
  readonly topic: string;
  /** As JSON. */
  readonly text: string;
}

export class Outgoing {
  readonly #broker: Broker;
  readonly #kept: KeptReplies;
  readonly #encoder = new TextEncoder();
  /** Answers of this turn. */
  #answers: Answer[] = [];
  /** The subjects of the acknowledgements that were given since the first of them. */
  #acknowledged: string[] = [];
  /** Answers of the time without a broker. */
  #unsent: Answer[] = [];

  constructor(broker: Broker, kept: KeptReplies) {
    this.#broker = broker;
    this.#kept = kept;
    broker.onBack(() => {
      for (const answer of this.#unsent.splice(0)) this.#answer(answer);
    });
  }

  publish(topic: string, event: unknown): void {
    const text = JSON.stringify(event ?? null);
    if (topic.startsWith(INBOX)) this.#answer({ topic, text });
    else if (this.#broker.connected) this.#send(topic, text, false);
  }

  /** Tells the broker that a command is done with. Without a broker that is lost. */
  acknowledge(subject: string): void {
    if (this.#answers.length === 0) this.#broker.publish(subject, ACK);
    else this.#acknowledged.push(subject);
  }

  /** Sends what this turn had to say, which it does by itself at its end. */
  flush(): void {
    const answers = this.#answers;
    const acknowledged = this.#acknowledged;
    this.#answers = [];
    this.#acknowledged = [];
    if (this.#broker.connected) for (const [topic, text] of together(answers)) this.#send(topic, text, true);
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
      this.#broker.publish(`${TOPICS}${topic}`, undefined, this.#kept.keep(bytes));
    } else if (bytes.length > this.#broker.largest) {
      log("error", "an event was not sent: it is too large for NATS", { topic, bytes: bytes.length });
    } else {
      this.#broker.publish(`${TOPICS}${topic}`, bytes);
    }
  }
}

/** Lists of the answers to each asker, in their order: as many in one as are not kept for being too large. */
function together(answers: readonly Answer[]): readonly (readonly [topic: string, list: string])[] {
  const lists: (readonly [string, string])[] = [];
  const open = new Map<string, string>();
  for (const { topic, text } of answers) {
    const before = open.get(topic);
    // A character is at most three bytes.
    if (before === undefined || (before.length + text.length + 2) * 3 > busLimits.inlineBytes) {
      if (before !== undefined) lists.push([topic, `${before}]`]);
      open.set(topic, `[${text}`);
    } else open.set(topic, `${before},${text}`);
  }
  for (const [topic, list] of open) lists.push([topic, `${list}]`]);
  return lists;
}
