/**
 * A bus for bytes, such as requests to the store; messages between actors use another bus. Bytes may be lost,
 * but they arrive in order from one sender to one listener. `MemoryByteBus` is the bus of a single process.
 */

export interface ByteListener {
  receive(bytes: Uint8Array): void;
  /** Called when a message has no receiver, if the message names this listener's subject for the answer. */
  noReceiver?(): void;
}

export interface ByteBus {
  /**
   * Sends bytes to all current listeners of the subject. Throws `bus.unavailable` without a connection.
   *
   * @param answerTo the subject on which the sender listens for the answer; a message without a receiver is
   * reported there too
   */
  publish(subject: string, bytes: Uint8Array, answerTo?: string): void;
  listen(subject: string, listener: ByteListener): () => void;
  /**
   * Calls `listen` each time the connection is lost, because running requests may then never be answered. The
   * returned function unregisters `listen`.
   */
  onLost(listen: () => void): () => void;
}

export class MemoryByteBus implements ByteBus {
  readonly #listeners = new Map<string, Set<ByteListener>>();

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    // The message is copied and delivered later, as over a network.
    const copy = bytes.slice();
    queueMicrotask(() => {
      const listeners = this.#listeners.get(subject);
      if (listeners) for (const listener of [...listeners]) listener.receive(copy);
      else if (answerTo) for (const asker of this.#listeners.get(answerTo) ?? []) asker.noReceiver?.();
    });
  }

  listen(subject: string, listener: ByteListener): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set();
    this.#listeners.set(subject, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(subject) === listeners) this.#listeners.delete(subject);
    };
  }

  onLost(): () => void {
    return () => {};
  }
}
