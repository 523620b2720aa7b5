/** The byte bus between nodes, over core NATS. */

import type { ByteBus, ByteListener } from "../byte-bus.ts";
import type { BrokerConnection } from "./connection.nats.ts";
import { brokerAway } from "./nats-errors.ts";

/** The broker's status for a subject without subscribers, sent to the reply subject. */
const NOBODY = 503;

export class NatsBytes implements ByteBus {
  readonly #broker: BrokerConnection;
  readonly #told = new Set<() => void>();

  constructor(broker: BrokerConnection) {
    this.#broker = broker;
    broker.onLost(() => {
      for (const tell of [...this.#told]) tell();
    });
  }

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    const { connected, connection, place } = this.#broker;
    // The client would buffer the message and send it long after its sender gave up.
    if (!connected) throw brokerAway(place);
    connection.publish(subject, bytes, answerTo === undefined ? {} : { reply: answerTo });
  }

  listen(subject: string, listener: ByteListener): () => void {
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
