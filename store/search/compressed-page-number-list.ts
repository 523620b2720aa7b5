/**
 * A growing list of page numbers in ascending order, in about one byte for each number. For each page, it
 * stores the difference to the previous number in groups of 7 bits (LEB128).
 */

/** Estimated size in bytes of a list without its numbers, measured on Bun. */
const OVERHEAD = 140;
/** Factor by which the memory of a list grows when it is full. */
const GROWTH = 1.5;

export class PageNumbers {
  #bytes = new Uint8Array(8);
  #used = 0;
  #last = 0;

  /** Memory in bytes that the list takes. */
  get bytes(): number {
    return OVERHEAD + this.#bytes.length;
  }

  /** Adds a page number, which must be greater than the last number in the list. */
  add(number: number): void {
    let distance = number - this.#last;
    this.#last = number;
    if (this.#used + 5 > this.#bytes.length) this.#grow();
    while (distance > 0x7f) {
      this.#bytes[this.#used++] = (distance & 0x7f) | 0x80;
      distance >>>= 7;
    }
    this.#bytes[this.#used++] = distance;
  }

  each(visit: (number: number) => void): void {
    let number = 0;
    let distance = 0;
    let shift = 0;
    for (let at = 0; at < this.#used; at += 1) {
      const byte = this.#bytes[at] ?? 0;
      distance |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte > 0x7f) continue;
      number += distance;
      distance = 0;
      shift = 0;
      visit(number);
    }
  }

  #grow(): void {
    const grown = new Uint8Array(Math.ceil((this.#used + 5) * GROWTH));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }
}
