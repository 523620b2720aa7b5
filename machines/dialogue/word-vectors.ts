/**
 * Compares texts by their meaning, with static word vectors. The vector of a text is the mean of the vectors
 * of its tokens, so "herd list on paper" is near "Print herd list".
 */
import { Defect } from "../errors.ts";

/** Vectors of tokens, which are words or parts of words. */
export interface WordVectors {
  readonly dimensions: number;
  /**
   * Row of each token. Tokens with a lower row are merged first, as in the byte-pair encoding that made the
   * vectors.
   */
  readonly rows: ReadonlyMap<string, number>;
  /** The factor for the numbers of each row. */
  readonly scales: Float32Array;
  readonly numbers: Int8Array;
}

/** Length of the two numbers at the start of the file, in bytes. */
const HEADER = 8;
/** Length of the scale of a token, in bytes. */
const SCALE = 4;

/**
 * Reads word vectors from the bytes of their file: the number of dimensions, the length of the tokens in bytes,
 * the tokens with a space after each, the scales as 32-bit floats, and the numbers as signed bytes.
 */
export function wordVectorsFrom(bytes: Uint8Array): WordVectors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isComplete = bytes.length > HEADER && bytes.length >= HEADER + view.getUint32(4, true);
  const dimensions = isComplete ? view.getUint32(0, true) : 0;
  const end = isComplete ? HEADER + view.getUint32(4, true) : HEADER;
  const tokens = new TextDecoder().decode(bytes.subarray(HEADER, end)).split(" ").slice(0, -1);
  if (tokens.length === 0 || bytes.length !== end + tokens.length * (SCALE + dimensions))
    throw new Defect("dialogue.bad_word_vectors", "The file with the word vectors is damaged.");
  const rows = new Map<string, number>();
  const scales = new Float32Array(tokens.length);
  for (const [row, token] of tokens.entries()) {
    rows.set(token, row);
    scales[row] = view.getFloat32(end + row * SCALE, true);
  }
  const from = bytes.byteOffset + end + tokens.length * SCALE;
  const numbers = new Int8Array(bytes.buffer, from, tokens.length * dimensions);
  return { dimensions, rows, scales, numbers };
}

/** Marks the beginning of a word in a token. */
const MARK = "▁";
/** Maximum length of a word, in letters. A longer one is a code, and splitting it takes long. */
const MAX_LETTERS = 40;

/** Splits a word in lower case into the tokens that the vectors have, and returns the rows of the tokens. */
export function tokenRows(word: string, { rows }: WordVectors): readonly number[] {
  const parts = [...`${MARK}${word.slice(0, MAX_LETTERS)}`];
  for (;;) {
    let first = -1;
    let lowest = Number.POSITIVE_INFINITY;
    for (let at = 0; at + 1 < parts.length; at++) {
      const row = rows.get(`${parts[at]}${parts[at + 1]}`) ?? Number.POSITIVE_INFINITY;
      if (row < lowest) [first, lowest] = [at, row];
    }
    if (first < 0) break;
    parts.splice(first, 2, `${parts[first]}${parts[first + 1]}`);
  }
  return parts.flatMap((part) => (part === MARK ? [] : (rows.get(part) ?? [])));
}

/** Returns the vector of a text, with length 1; all zeros if the vectors have no token of the text. */
export function textVector(words: readonly string[], vectors: WordVectors): Float32Array {
  const { dimensions, scales, numbers } = vectors;
  const sum = new Float32Array(dimensions);
  for (const word of words)
    for (const row of tokenRows(word, vectors))
      for (let at = 0; at < dimensions; at++)
        sum[at] = (sum[at] ?? 0) + (scales[row] ?? 0) * (numbers[row * dimensions + at] ?? 0);
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((number) => number / length);
}

/** Returns the similarity (-1 to 1) of two texts by their vectors of length 1. */
export function similarity(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
