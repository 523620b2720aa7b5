/** The byte bus between nodes, over NATS messages that are not stored. */

import type { ByteBus, ByteListener } from "../byte-bus.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";
import { brokerAway } from "./nats-errors.ts";

/** The status that the broker sends to the reply subject when a subject has no subscribers. */
const NO_RECEIVER = 503;

export class NatsBytes implements ByteBus {
  readonly #broker: BrokerConnection;
  readonly #lostListeners = new Set<() => void>();

  constructor(broker: BrokerConnection) {
    this.#broker = broker;
    broker.onLost(() => {
      for (const listen of [...this.#lostListeners]) listen();
    });
  }

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    const { connected, connection, serverNames } = this.#broker;
    // Without a connection, a message is refused at once. The NATS client would buffer it and send it later,
    // when its sender no longer waits.
    if (!connected) throw brokerAway(serverNames);
    connection.publish(subject, bytes, answerTo === undefined ? {} : { reply: answerTo });
  }

  listen(subject: string, listener: ByteListener): () => void {
    const subscription = this.#broker.subscribe(subject, ({ headers, data }) => {
      if (headers?.code === NO_RECEIVER && data.length === 0) listener.noReceiver?.();
      else listener.receive(data);
    });
    return () => subscription.unsubscribe();
  }

  onLost(listen: () => void): () => void {
    this.#lostListeners.add(listen);
    return () => {
      this.#lostListeners.delete(listen);
    };
  }
}
