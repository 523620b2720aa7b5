/** The word vectors of Cairn, for unit tests of the planner. */
import { readFile } from "node:fs/promises";
import { type WordVectors, wordVectorsFrom } from "../../../../machines/dialogue/words/word-vectors.ts";

const FILE = new URL("../../../../actors/dialogue/word-vectors/word-vectors.bin", import.meta.url);

export const cairnVectors = async (): Promise<WordVectors> => wordVectorsFrom(await readFile(FILE));
