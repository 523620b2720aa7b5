/**
 * Packets on a byte stream. A packet consists of four bytes with the length, one byte with the kind, and the
 * content.
 */

const HEADER = 5;

/** Returns the header of a packet. The content is written after the header without a copy. */
export function packetHeader(kind: number, length: number): Uint8Array {
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  view.setUint32(0, length);
  view.setUint8(4, kind);
  return header;
}

/** Collects packets from the chunks of a stream. The content of each packet is copied only once. */
export class PacketReader {
  readonly #take: (kind: number, content: Uint8Array) => void;
  readonly #header = new Uint8Array(HEADER);
  #headerRead = 0;
  #content: Uint8Array | undefined;
  #contentRead = 0;

  constructor(take: (kind: number, content: Uint8Array) => void) {
    this.#take = take;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length || this.#isWhole()) {
      if (!this.#content) {
        const read = chunk.subarray(at, at + HEADER - this.#headerRead);
        this.#header.set(read, this.#headerRead);
        this.#headerRead += read.length;
        at += read.length;
        if (this.#headerRead < HEADER) return;
        this.#content = new Uint8Array(new DataView(this.#header.buffer).getUint32(0));
        this.#contentRead = 0;
      }
      const read = chunk.subarray(at, at + this.#content.length - this.#contentRead);
      this.#content.set(read, this.#contentRead);
      this.#contentRead += read.length;
      at += read.length;
      if (this.#contentRead < this.#content.length) return;
      const content = this.#content;
      this.#content = undefined;
      this.#headerRead = 0;
      this.#take(this.#header[4] ?? 0, content);
    }
  }

  /**
   * Whether the packet has arrived completely. A packet without content is complete as soon as its header has
   * arrived.
   */
  #isWhole(): boolean {
    return this.#content !== undefined && this.#contentRead === this.#content.length;
  }
}
