/**
 * A bus for bytes, for requests that are no messages between actors, such as the store's.
 * It is lossy, and ordered from one sender to one listener. `MemoryBytes` is its twin for one process.
 */

export interface ByteListener {
  receive(bytes: Uint8Array): void;
  /** Called when a message with this reply subject had no receiver. */
  noReceiver?(): void;
}

export interface ByteBus {
  /**
   * Sends to all current listeners of the subject. Throws `bus.unavailable` without a connection.
   *
   * @param answerTo the subject on which the sender receives an answer, or the report of no receiver
   */
  publish(subject: string, bytes: Uint8Array, answerTo?: string): void;
  listen(subject: string, listener: ByteListener): () => void;
  /** Called each time the connection is lost; open requests may never be answered. The returned function ends it. */
  onLost(listen: () => void): () => void;
}

export class MemoryByteBus implements ByteBus {
  readonly #listeners = new Map<string, Set<ByteListener>>();

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    // Asynchronously and as a copy, as over a network.
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
