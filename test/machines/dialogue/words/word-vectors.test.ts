/**
 * Tests word vectors: which vectors a word has, also if it consists of other words, and the vector of a text. Some
 * tests use a small table, and others use Cairn's own word vectors.
 */
import { describe, expect, test } from "bun:test";
import { meaningWords } from "../../../../machines/dialogue/clauses/control-similarity-to-clause.ts";
import {
  similarity,
  textVector,
  tokenRows,
  type WordVectors,
  wordVectorsFrom,
} from "../../../../machines/dialogue/words/word-vectors.ts";
import { cairnVectors } from "../support/word-vectors-for-tests.ts";

const vectors = await cairnVectors();

/** Vectors of two dimensions. */
const small: WordVectors = {
  dimensions: 2,
  rows: new Map(["kunde", "kunden", "nummer", "her"].map((word, row) => [word, row])),
  scales: new Float32Array([1, 0.5, 1, 1]),
  numbers: new Int8Array([4, 0, 8, 0, 0, 3, 9, 9]),
};

describe("the rows of a word in the table of word vectors", () => {
  test("consist of one row if the table contains the word", () => {
    expect(tokenRows("kunden", small)).toEqual([1]);
  });

  test("are those of the longest known words inside the word, from left to right, if the table lacks the word", () => {
    expect(tokenRows("kundennummer", small)).toEqual([1, 2]);
    expect(tokenRows("kundeskarte", small)).toEqual([0]);
  });

  test("leave out short words that it contains by chance", () => {
    expect(tokenRows("hers", small)).toEqual([3]);
    expect(tokenRows("kundeher", small)).toEqual([0]);
  });

  test("do not exist if the table contains neither the word nor a part of it", () => {
    expect(tokenRows("ж", small)).toEqual([]);
  });

  test("are only those of the beginning of a very long word, to limit the time", () => {
    expect(tokenRows("nummer".repeat(10_000), small).length).toBeLessThan(10);
  });
});

describe("the vector of a text", () => {
  test("is the mean of the vectors of its words, with length 1", () => {
    expect([...textVector(["kunden"], small)]).toEqual([1, 0]);
    // "kundennummer" consists of "kunden" with the vector (8, 0) and scale 0.5, and "nummer" with (0, 3) and scale
    // 1. Their mean has the direction (4, 3), and (0.8, 0.6) is the vector of length 1 in this direction.
    expect([...textVector(["kundennummer"], small)].map((one) => Math.round(one * 10))).toEqual([8, 6]);
  });

  test("is similar to no other text if the text has no known word", () => {
    const nothing = textVector(["ж"], small);
    expect(similarity(nothing, textVector(["kunden"], small))).toBe(0);
  });

  test("is nearer to a text of the same meaning than to others, even without a shared word", () => {
    const near = (one: string, other: string): number =>
      similarity(textVector(meaningWords(one), vectors), textVector(meaningWords(other), vectors));
    const holidays = near("When are the bank holidays?", "Public holidays");
    expect(holidays).toBeGreaterThan(near("When are the bank holidays?", "Submit request"));
    const printed = near("I need the herd list on paper", "Print herd list");
    expect(printed).toBeGreaterThan(near("I need the herd list on paper", "Register a calf"));
  });

  test.each([
    ["Die Lieferung verschieben", "Move the delivery", "Cancel the order"],
    ["Déposer un justificatif", "Upload a document", "Change the password"],
    ["Apagar la calefacción", "Turn off the heating", "Show the temperature"],
    ["Svuota il carrello", "Empty the cart", "Apply a voucher"],
  ])("is nearer to that of the translation: '%s' is nearer to '%s' than to '%s'", (text, same, other) => {
    const vector = textVector(meaningWords(text), vectors);
    const near = similarity(vector, textVector(meaningWords(same), vectors));
    expect(near).toBeGreaterThan(similarity(vector, textVector(meaningWords(other), vectors)));
  });
});

describe("the file of word vectors", () => {
  const tokens = new TextEncoder().encode("a bc ");
  const start = 8 + tokens.length;
  /**
   * The content of the file. It starts at the fourth byte of its buffer, because a reader must not assume
   * that it starts at the first byte.
   */
  const file = new Uint8Array(3 + start + 8 + 4).subarray(3);
  const view = new DataView(file.buffer, file.byteOffset);
  view.setUint32(0, 2, true);
  view.setUint32(4, tokens.length, true);
  file.set(tokens, 8);
  view.setFloat32(start, 0.5, true);
  view.setFloat32(start + 4, 0.25, true);
  file.set([1, 2, 3, 255], start + 8);

  test("contains the tokens, and a scale and numbers for each token, and can be read from a part of a buffer", () => {
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
