/**
 * A set of small numbers that is read much more often than it is changed. It is read as an array of integers,
 * because iterating over a Set of 10,000 numbers takes ten times as long.
 */
export class SlotSet {
  readonly #slots = new Set<number>();
  /**
   * The numbers of the set as an array. After a change of the set, `undefined` until the array is read again.
   */
  #list: Int32Array | undefined;

  get size(): number {
    return this.#slots.size;
  }

  add(slot: number): void {
    this.#slots.add(slot);
    this.#list = undefined;
  }

  delete(slot: number): void {
    this.#slots.delete(slot);
    this.#list = undefined;
  }

  list(): Int32Array {
    this.#list ??= Int32Array.from(this.#slots);
    return this.#list;
  }
}
