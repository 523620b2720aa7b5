/**
 * Splits a request or an answer into pieces that a bus can carry, and joins them. Pieces arrive in order or
 * not at all, so a missing piece is detected when the next one arrives.
 */
import { bytesLimits } from "../actor-runtime-limits.ts";

/**
 * The type of a frame: part of a request, part of an answer, or a `refusal`, which is a text that says why
 * there is no answer.
 */
export type FrameKind = "request" | "answer" | "refusal";
const KINDS: readonly FrameKind[] = ["request", "answer", "refusal"];

export interface Frame {
  readonly kind: FrameKind;
  /** Version of the protocol that the frames carry. Both ends must have the same version. */
  readonly version: number;
  /** Identifies one of several servers. In a request, 0 means any server. */
  readonly realm: bigint;
  readonly client: bigint;
  readonly call: number;
  readonly piece: number;
  readonly pieces: number;
  readonly bytes: Uint8Array;
}

const HEADER = 27;

/** Splits a payload into frames. An empty payload also gets one frame. */
export function framesOf(about: Omit<Frame, "piece" | "pieces" | "bytes">, whole: Uint8Array): Uint8Array[] {
  const { pieceBytes } = bytesLimits;
  const pieces = Math.max(1, Math.ceil(whole.length / pieceBytes));
  return Array.from({ length: pieces }, (_, piece) => {
    const bytes = whole.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);
    const frame = new Uint8Array(HEADER + bytes.length);
    const view = new DataView(frame.buffer);
    view.setUint8(0, KINDS.indexOf(about.kind));
    view.setUint16(1, about.version);
    view.setBigUint64(3, about.realm);
    view.setBigUint64(11, about.client);
    view.setUint32(19, about.call);
    view.setUint16(23, piece);
    view.setUint16(25, pieces);
    frame.set(bytes, HEADER);
    return frame;
  });
}

/** Parses a frame. Returns `undefined` for bytes that are not a frame. */
export function readFrame(frame: Uint8Array): Frame | undefined {
  if (frame.length < HEADER) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const kind = KINDS[view.getUint8(0)];
  if (!kind) return undefined;
  return {
    kind,
    version: view.getUint16(1),
    realm: view.getBigUint64(3),
    client: view.getBigUint64(11),
    call: view.getUint32(19),
    piece: view.getUint16(23),
    pieces: view.getUint16(25),
    bytes: frame.subarray(HEADER),
  };
}

/**
 * Joins the pieces of a message. `add` returns the complete message for the last piece, and `undefined`
 * before. It throws when a piece is missing.
 */
export class Assembly {
  readonly #pieces: Uint8Array[] = [];
  size = 0;

  add({ piece, pieces, bytes }: Frame): Uint8Array | undefined {
    if (piece !== this.#pieces.length) throw new Error(`piece ${piece} came after ${this.#pieces.length}`);
    this.#pieces.push(bytes);
    this.size += bytes.length;
    if (this.#pieces.length < pieces) return undefined;
    const [only] = this.#pieces;
    if (only && pieces === 1) return only;
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.#pieces) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}
