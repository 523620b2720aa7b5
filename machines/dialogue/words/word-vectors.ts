/**
 * Compares texts by their meaning, with static word vectors of several languages. The vector of a text is the
 * mean of the vectors of its words, so "herd list on paper" is near "Print herd list".
 */
import { Defect } from "../../errors.ts";

/** The vectors of words. The words are in lower case and without accents. */
export interface WordVectors {
  readonly dimensions: number;
  /** For each word: the row of `numbers` that contains its vector. */
  readonly rows: ReadonlyMap<string, number>;
  /** For each row: the factor by which its numbers are multiplied to get the vector. */
  readonly scales: Float32Array;
  readonly numbers: Int8Array;
}

/**
 * Size in bytes of the first two numbers in the file: the number of dimensions, and the length of the list of words.
 */
const HEADER = 8;
/** Size in bytes of the factor (a 32-bit float) that the file has for each word. */
const SCALE = 4;

/**
 * Reads word vectors from the bytes of their file. The file contains the number of dimensions, the length in bytes of
 * the list of words, the words with a space after each, the scales as 32-bit floats, and the numbers as signed bytes.
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

/** Maximum length of a word, in letters. A longer word is usually a code, so its rest is ignored. */
const MAX_LETTERS = 40;

/**
 * If the vectors lack a word, they may have its beginning. This is the minimum length of such a beginning, in
 * letters.
 */
const MIN_BEGINNING = 3;
/**
 * Minimum length, in letters, of a word that is found inside another word, such as "nummer" in
 * "Kundennummer".
 */
const MIN_INNER = 4;

/**
 * Splits a word in lower case into words that have a vector, and returns the rows of these vectors. The split
 * goes from left to right and takes the longest word that fits. Letters between the found words are left out.
 */
export function tokenRows(word: string, { rows }: WordVectors): readonly number[] {
  const letters = word.slice(0, MAX_LETTERS);
  const complete = rows.get(letters);
  if (complete !== undefined) return [complete];
  const found: number[] = [];
  for (let at = 0; at < letters.length; ) {
    const least = at === 0 ? MIN_BEGINNING : MIN_INNER;
    let end = letters.length;
    while (end - at >= least && !rows.has(letters.slice(at, end))) end--;
    const row = end - at < least ? undefined : rows.get(letters.slice(at, end));
    if (row !== undefined) found.push(row);
    at = row === undefined ? at + 1 : end;
  }
  return found;
}

/** Returns the vector of a text, with length 1; all zeros if the vectors have no word of the text. */
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

/** Returns the similarity (-1 to 1) of two texts from their vectors, which have length 1. */
export function similarity(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
