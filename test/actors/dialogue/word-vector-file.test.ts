/** Tests the loading of the word vectors from their file. */
import { expect, test } from "bun:test";
import { loadWordVectors, wordVectors } from "../../../actors/dialogue/load-word-vectors.ts";

test("the file of word vectors is read only once, and contains numbers for each token", async () => {
  const vectors = await wordVectors();
  expect(await wordVectors()).toBe(vectors);
  expect(vectors?.dimensions).toBe(128);
  expect(vectors?.scales.length).toBe(vectors?.rows.size);
  expect(vectors?.numbers.length).toBe(128 * (vectors?.rows.size ?? 0));
});

test("without the file of word vectors there are no vectors", async () => {
  expect(await loadWordVectors(new URL("./missing.bin", import.meta.url))).toBeUndefined();
});

test("a file of word vectors that cannot be read causes an error", async () => {
  await expect(loadWordVectors(new URL("./", import.meta.url))).rejects.toThrow();
});
