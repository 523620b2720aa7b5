/**
 * Writes the word vectors of the planner (`actors/dialogue/word-vectors/`) from the Python package WordLlama.
 * Usage: `pip download wordllama==0.4.0.post1 --no-deps -d wheel && unzip -d wordllama wheel/*.whl`, then
 * `bun test/bench/support/dialogue-tasks/write-word-vectors.ts wordllama`.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    dimensions: { type: "string", default: "128" },
    output: { type: "string", default: join(import.meta.dir, "../../../../actors/dialogue/word-vectors") },
  },
});
const [folder = "wordllama"] = positionals;
/** Number of dimensions in the package. Its vectors are trained so that the first 64 or 128 suffice. */
const TRAINED = 256;
const DIMENSIONS = Number(values.dimensions);
/** Greatest value of a signed byte. */
const BYTE = 127;
/**
 * Matches a token that occurs in text of a Latin script in lower case. The mark at the start, a low block,
 * stands for the beginning of a word.
 */
const TOKEN = /^▁?(?:[a-zß-öø-ÿœ]+|\d)$/u;
const MARK = "▁";

const tokenizer = z
  .object({ model: z.object({ vocab: z.record(z.string(), z.number().int()) }) })
  .parse(
    JSON.parse(
      await readFile(join(folder, "wordllama/tokenizers/l2_supercat_tokenizer_config.json"), "utf8"),
    ),
  );
// The ids of merged tokens are in the order of their merges, so the order of the tokens in the output replaces
// the list of merges. The single characters have the highest ids; a merge never makes one of them.
const tokens = Object.entries(tokenizer.model.vocab)
  .filter(([token]) => TOKEN.test(token) || token === MARK)
  .toSorted(([, one], [, other]) => one - other);

const tensors = await readFile(join(folder, "wordllama/weights/l2_supercat_256.safetensors"));
// A file of the format "safetensors" starts with the length of its header, in 8 bytes.
const start = 8 + Number(tensors.readBigUInt64LE(0));

const rows = Buffer.alloc(tokens.length * DIMENSIONS);
const scales = Buffer.alloc(tokens.length * 4);
for (const [row, [, id]] of tokens.entries()) {
  const vector = Array.from({ length: DIMENSIONS }, (_, at) =>
    half(tensors.readUInt16LE(start + (id * TRAINED + at) * 2)),
  );
  const scale = Math.max(...vector.map(Math.abs)) / BYTE || 1;
  scales.writeFloatLE(scale, row * 4);
  for (const [at, value] of vector.entries())
    rows.writeInt8(Math.round(value / scale), row * DIMENSIONS + at);
}
const names = Buffer.from(tokens.map(([token]) => `${token} `).join(""));
const header = Buffer.alloc(8);
header.writeUInt32LE(DIMENSIONS, 0);
header.writeUInt32LE(names.length, 4);
await mkdir(values.output, { recursive: true });
await writeFile(join(values.output, "word-vectors.bin"), Buffer.concat([header, names, scales, rows]));
console.log(`${tokens.length} tokens, ${DIMENSIONS} dimensions`);

/** Converts a floating-point number of 16 bits (IEEE 754) to a number. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}
