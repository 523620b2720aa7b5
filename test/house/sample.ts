/**
 * Draws random comments, test names and file names for a reader who has never seen the code. The same seed
 * draws the same samples. Usage: `bun test/house/sample.ts [--seed 1] [--comments 100] [--tests 60] [--files
 * 30] [--paths]`, where `--paths` prints the origin of each.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../chaos/seeded-random.ts";
import { type SourceFile, sourceTextOf } from "./source-file-prose.ts";
import { readSources } from "./source-tree.ts";

export interface Sample {
  /** Where the sample was found, as `path:line`. */
  readonly place: string;
  readonly text: string;
}

export interface SampleSizes {
  readonly comments: number;
  readonly tests: number;
  readonly files: number;
}

export type Samples = { readonly [part in keyof SampleSizes]: readonly Sample[] };

/** Returns `count` different random items, or all if there are fewer. */
function draw<Item>(items: readonly Item[], count: number, random: () => number): readonly Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}

export function drawSamples(files: readonly SourceFile[], sizes: SampleSizes, seed: number): Samples {
  const random = randomFrom(seed);
  const texts = files.map(({ path, text }) => ({ path, ...sourceTextOf({ path, text }) }));
  const all = (part: "comments" | "fullTestNames"): readonly Sample[] =>
    texts.flatMap(({ path, [part]: found }) =>
      found.map(({ line, text }) => ({ place: `${path}:${line}`, text })),
    );
  return {
    comments: draw(all("comments"), sizes.comments, random),
    tests: draw(all("fullTestNames"), sizes.tests, random),
    files: draw(
      files.map(({ path }) => ({ place: path, text: basename(path) })),
      sizes.files,
      random,
    ),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      comments: { type: "string", default: "100" },
      tests: { type: "string", default: "60" },
      files: { type: "string", default: "30" },
      paths: { type: "boolean", default: false },
    },
  });
  const sizes = {
    comments: Number(values.comments),
    tests: Number(values.tests),
    files: Number(values.files),
  };
  const samples = drawSamples(await readSources(), sizes, Number(values.seed));
  for (const [part, drawn] of Object.entries(samples)) {
    console.log(`\n## ${part}`);
    for (const [index, { place, text }] of drawn.entries()) {
      console.log(`${index + 1}. ${values.paths ? `(${place}) ` : ""}${text.replaceAll("\n", "\n   ")}`);
    }
  }
}
