/** Tests the tokens and the vectors of texts, with a small table of vectors and with the vectors of Cairn. */
import { describe, expect, test } from "bun:test";
import { meaningWords } from "../../../machines/dialogue/control-similarity-to-clause.ts";
import {
  similarity,
  textVector,
  tokenRows,
  type WordVectors,
  wordVectorsFrom,
} from "../../../machines/dialogue/word-vectors.ts";
import { cairnVectors } from "./support/cairn-word-vectors.ts";

const vectors = await cairnVectors();

/** Vectors of two dimensions. A token with a lower row is merged first. */
const small: WordVectors = {
  dimensions: 2,
  rows: new Map(["he", "▁he", "▁her", "rd", "▁", "h", "e", "r", "d"].map((token, row) => [token, row])),
  scales: new Float32Array([1, 0.5, 1, 1, 1, 1, 1, 1, 1]),
  numbers: new Int8Array([0, 0, 4, 0, 9, 9, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
};

describe("the split of a text into tokens", () => {
  test("first merges the pair whose result has the lowest row in the table", () => {
    // "▁her" would be possible too, but "rd" has the lower row than the pair of "▁he" and "r" only after "▁he".
    expect(tokenRows("he", small)).toEqual([1]);
    expect(tokenRows("her", small)).toEqual([2]);
  });

  test("leaves out letters that the table does not contain", () => {
    expect(tokenRows("heж", small)).toEqual([1]);
    expect(tokenRows("ж", small)).toEqual([]);
  });

  test("cuts a very long word, because it would take long", () => {
    expect(tokenRows("h".repeat(10_000), small).length).toBeLessThan(50);
  });
});

describe("vectors of texts", () => {
  test("the vector is the mean of the vectors of the tokens, with length 1", () => {
    // "he" has the vector 0.5 × (4, 0), and "her" has (9, 9).
    expect([...textVector(["he"], small)]).toEqual([1, 0]);
    const [x = 0, y = 0] = textVector(["he", "her"], small);
    expect(x).toBeCloseTo(11 / Math.hypot(11, 9));
    expect(y).toBeCloseTo(9 / Math.hypot(11, 9));
  });

  test("a text without a known token is similar to nothing", () => {
    const nothing = textVector(["ж"], small);
    expect(similarity(nothing, textVector(["he"], small))).toBe(0);
  });

  test("texts of the same meaning without a shared word are nearer than others", () => {
    const near = (one: string, other: string): number =>
      similarity(textVector(meaningWords(one), vectors), textVector(meaningWords(other), vectors));
    const holidays = near("When are the bank holidays?", "Public holidays");
    expect(holidays).toBeGreaterThan(near("When are the bank holidays?", "Submit request"));
    const printed = near("I need the herd list on paper", "Print herd list");
    expect(printed).toBeGreaterThan(near("I need the herd list on paper", "Register a calf"));
  });
});

describe("the file of the vectors", () => {
  const tokens = new TextEncoder().encode("a bc ");
  const start = 8 + tokens.length;
  /** The file, from the fourth byte of a buffer. */
  const file = new Uint8Array(3 + start + 8 + 4).subarray(3);
  const view = new DataView(file.buffer, file.byteOffset);
  view.setUint32(0, 2, true);
  view.setUint32(4, tokens.length, true);
  file.set(tokens, 8);
  view.setFloat32(start, 0.5, true);
  view.setFloat32(start + 4, 0.25, true);
  file.set([1, 2, 3, 255], start + 8);

  test("has tokens, scales and numbers, and may be a part of a buffer", () => {
    const read = wordVectorsFrom(file);
    expect([...read.rows]).toEqual([
      ["a", 0],
      ["bc", 1],
    ]);
    expect([...read.scales]).toEqual([0.5, 0.25]);
    expect([...read.numbers]).toEqual([1, 2, 3, -1]);
  });

  test("is refused if a part of it is missing", () => {
    for (const length of [0, 6, 10, start + 9])
      expect(() => wordVectorsFrom(file.subarray(0, length))).toThrow("damaged");
  });
});
