/**
 * Draws random comments, test names and file names for a reader who has never seen the code. Each comment is
 * printed with its line of code, or with its file's name, as an editor shows it. Usage: `bun
 * test/house/draw-comments-and-names-for-reader.ts [--seed 1] [--comments 100] [--tests 60] [--files 30] [--paths]`, where the same seed
 * draws the same samples and `--paths` prints the origin of each.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../support/seeded-random.ts";
import { type SourceFile, sourceTextOf } from "./read-comments-and-names-in-source.ts";
import { readSources } from "./read-project-source-files.ts";

const MAX_SUBJECT_CHARACTERS = 110;

export interface Sample {
  /** Where the sample was found, as `path:line`. */
  readonly place: string;
  readonly text: string;
  /**
   * The line of code that a comment describes, or the name of the file that it starts. Other samples have
   * none.
   */
  readonly subject?: string;
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
      found.map(({ line, ...prose }) => ({ place: `${path}:${line}`, ...prose })),
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

/** Returns a sample as text for the reader. The line of code is below the comment, after `>`. */
export function printedSample({ text, subject }: Sample): string {
  if (subject === undefined) return text;
  const shown =
    subject.length > MAX_SUBJECT_CHARACTERS ? `${subject.slice(0, MAX_SUBJECT_CHARACTERS)}…` : subject;
  return `${text}\n> ${shown}`;
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
    for (const [index, sample] of drawn.entries()) {
      const printed = printedSample(sample).replaceAll("\n", "\n   ");
      console.log(`${index + 1}. ${values.paths ? `(${sample.place}) ` : ""}${printed}`);
    }
  }
}
