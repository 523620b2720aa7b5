/**
 * Bytes between nodes, over core NATS. Neighbours: `bytes.ts` says what is promised, `broker.nats.ts` is the connection.
 */

import type { Bytes, BytesListener } from "../byte-bus.ts";
import type { Broker } from "./connection.nats.ts";
import { brokerAway } from "./nats-errors.ts";

/** How a broker says that nobody listens, on the subject that was to be answered to. */
const NOBODY = 503;

export class NatsBytes implements Bytes {
  readonly #broker: Broker;
  readonly #told = new Set<() => void>();

  constructor(broker: Broker) {
    this.#broker = broker;
    broker.onLost(() => {
      for (const tell of [...this.#told]) tell();
    });
  }

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    const { connected, connection, place } = this.#broker;
    // The client would keep it and send it when the broker is back, long after its sender has given it up.
    if (!connected) throw brokerAway(place);
    connection.publish(subject, bytes, answerTo === undefined ? {} : { reply: answerTo });
  }

  listen(subject: string, listener: BytesListener): () => void {
    const subscription = this.#broker.hear(subject, ({ headers, data }) => {
      if (headers?.code === NOBODY && data.length === 0) listener.nobody?.();
      else listener.heard(data);
    });
    return () => subscription.unsubscribe();
  }

  onLost(tell: () => void): () => void {
    this.#told.add(tell);
    return () => {
      this.#told.delete(tell);
    };
  }
}
