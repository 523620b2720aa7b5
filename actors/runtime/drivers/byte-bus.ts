/**
 * The bus for bytes: what requests that are no messages between actors are carried by, such as the store's.
 *
 * Lossy, and in order from one sender to one listener. `MemoryBytes` is the twin of one process, `bytes.nats.ts` the
 * way between nodes. Neighbour: `byte-requests.ts` makes requests and answers of any size out of it.
 */

export interface BytesListener {
  heard(bytes: Uint8Array): void;
  /** What was published with this subject to answer to, nobody heard. */
  nobody?(): void;
}

export interface Bytes {
  /**
   * To all who listen to the subject now. Throws `bus.unavailable` when there is no way out just now.
   *
   * @param answerTo the subject on which the sender hears an answer, or that there was nobody
   */
  publish(subject: string, bytes: Uint8Array, answerTo?: string): void;
  listen(subject: string, listener: BytesListener): () => void;
  /** Told each time the way was lost: whatever was under way may never arrive. The answer ends it. */
  onLost(tell: () => void): () => void;
}

export class MemoryBytes implements Bytes {
  readonly #listeners = new Map<string, Set<BytesListener>>();

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    // Never in the same turn, and never the sender's own bytes, as over a network.
    const copy = bytes.slice();
    queueMicrotask(() => {
      const listeners = this.#listeners.get(subject);
      if (listeners) for (const listener of [...listeners]) listener.heard(copy);
      else if (answerTo) for (const asker of this.#listeners.get(answerTo) ?? []) asker.nobody?.();
    });
  }

  listen(subject: string, listener: BytesListener): () => void {
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
