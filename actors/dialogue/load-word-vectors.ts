/** Reads the word vectors of the planner from their file, once in each process. */
import { readFile } from "node:fs/promises";
import { type WordVectors, wordVectorsFrom } from "../../machines/dialogue/words/word-vectors.ts";

const FILE = new URL("./word-vectors/word-vectors.bin", import.meta.url);

let loading: Promise<WordVectors | undefined> | undefined;

/** Returns the word vectors. They are absent if the file was removed; plans then use no vectors. */
export function wordVectors(): Promise<WordVectors | undefined> {
  loading ??= loadWordVectors(FILE);
  return loading;
}

/** Reads word vectors from a file. Returns `undefined` if there is no such file. */
export async function loadWordVectors(file: URL): Promise<WordVectors | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return bytes && wordVectorsFrom(bytes);
}
