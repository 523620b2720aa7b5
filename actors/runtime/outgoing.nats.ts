/**
 * What a connection says to the other nodes: events, which are lost without a broker, and answers, which wait for it.
 *
 * Neighbours: `bus.nats.ts` says what a node has to say, `direct.nats.ts` what its workers answer; `kept.nats.ts` keeps
 * the answers that are too large for one message.
 */
import { limits } from "../../machines/limits.ts";
import type { Broker } from "./broker.nats.ts";
import { INBOX } from "./bus.ts";
import type { KeptReplies } from "./kept.nats.ts";

/** What the subjects of topics begin with. */
export const TOPICS = "cairn.topic.";

export class Outgoing {
  readonly #broker: Broker;
  readonly #kept: KeptReplies;
  readonly #encoder = new TextEncoder();
  /** Answers of the time without a broker. */
  #unsent: (() => void)[] = [];

  constructor(broker: Broker, kept: KeptReplies) {
    this.#broker = broker;
    this.#kept = kept;
    broker.onBack(() => {
      for (const send of this.#unsent.splice(0)) send();
    });
  }

  publish(topic: string, event: unknown): void {
    const reply = topic.startsWith(INBOX);
    const bytes = this.#encoder.encode(JSON.stringify(event ?? null));
    const send = () => this.#send(topic, bytes, reply);
    if (this.#broker.connected) send();
    else if (reply && this.#unsent.length < limits.bus.heldReplies) this.#unsent.push(send);
  }

  #send(topic: string, bytes: Uint8Array, reply: boolean): void {
    const { log } = this.#broker;
    if (/\s/.test(topic)) {
      log("error", "an event was not sent: NATS has no subjects with spaces", { topic });
      return;
    }
    if (reply && bytes.length > limits.bus.inlineBytes) {
      this.#broker.publish(`${TOPICS}${topic}`, undefined, this.#kept.keep(bytes));
    } else if (bytes.length > this.#broker.largest) {
      log("error", "an event was not sent: it is too large for NATS", { topic, bytes: bytes.length });
    } else {
      this.#broker.publish(`${TOPICS}${topic}`, bytes);
    }
  }
}
