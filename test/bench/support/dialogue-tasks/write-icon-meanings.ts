/**
 * Writes `machines/dialogue/words/icon-meanings.ts` from the search words of four icon sets. Usage:
 * `npm install --prefix icons lucide-static@1.62.0 @mdi/svg@7.4.47 @tabler/icons@3.51.0 @phosphor-icons/core@2.1.1`,
 * then `bun test/bench/support/dialogue-tasks/write-icon-meanings.ts icons`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";

const [folder = "icons"] = process.argv.slice(2);
const OUTPUT = join(import.meta.dir, "../../../../machines/dialogue/words/icon-meanings.ts");
/** The line of `icon-meanings.ts` after which the table of icons starts. */
const TABLE = "const TABLE = `\n";
/**
 * Minimum number of icon sets that have an icon with this name. Icons that fewer sets have are rare in
 * interfaces.
 */
const MIN_ICON_SETS = 3;
/** Minimum number of icon sets that must give an icon the same search word, so that the word is used. */
const MIN_WORD_SETS = 2;
/** Minimum length of a search word, in letters. */
const MIN_LENGTH = 3;
/**
 * Search words that are not used, because they mean something else on most pages. The icon sets have "save" for
 * "bookmark" and "download". But a person who says "save" after the values of a form means neither.
 */
const OTHER_MEANING: ReadonlySet<string> = new Set(["save"]);
/** Words for the style of an icon, which are no part of its meaning. */
const STYLE =
  /-(?:outlined?|filled?|solid|regular|line|circle|square|can|alt|rounded?|sharp|o|off|\d+|simple|box|variant|badge)(?=-|$)/gu;
/** Endings by which an icon set changes the meaning of an icon, such as `heart-off` and `bell-plus`. */
const CHANGED = /.-(?:off|slash|minus|x|cancel|remove|plus|check|lock|alert)(?:-|$)/u;

interface Icon {
  readonly name: string;
  readonly words: readonly string[];
}

const named = z.object({ name: z.string() });

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, "node_modules", path), "utf8"));
}

async function iconSets(): Promise<readonly (readonly Icon[])[]> {
  const lucide = z.record(z.string(), z.array(z.string())).parse(await json("lucide-static/tags.json"));
  const mdi = z
    .array(named.extend({ aliases: z.array(z.string()), deprecated: z.boolean() }))
    .parse(await json("@mdi/svg/meta.json"));
  const tabler = z
    .record(z.string(), named.extend({ tags: z.array(z.coerce.string()) }))
    .parse(await json("@tabler/icons/icons.json"));
  const phosphor = z
    .object({
      icons: z.array(named.extend({ tags: z.array(z.string()), alias: named.optional() })),
    })
    .parse(await import(resolve(folder, "node_modules/@phosphor-icons/core/dist/index.mjs")));
  return [
    Object.entries(lucide).map(([name, words]) => ({ name, words })),
    mdi.flatMap(({ name, aliases, deprecated }) => (deprecated ? [] : [{ name, words: aliases }])),
    Object.values(tabler).map(({ name, tags }) => ({ name, words: tags })),
    phosphor.icons.map(({ name, tags, alias }) => ({
      name,
      words: [...tags, ...(alias ? [alias.name] : [])],
    })),
  ];
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(STYLE, "")
    .replace(/[^a-z]+/gu, " ")
    .trim();

/**
 * Counts in how many icon sets an icon has a given search word. For example, the pair of the icon "trash" and the
 * word "delete" counts in a set whose icon "trash" has the search word "delete", or whose icon "delete" has the
 * search word "trash".
 */
function countPairs(sets: readonly (readonly Icon[])[]) {
  const pairs = new Map<string, Map<string, number>>();
  const icons = new Map<string, number>();
  for (const set of sets) {
    const own = new Set<string>();
    for (const { name, words } of set) {
      const icon = plain(name);
      if (CHANGED.test(name) || icon === "") continue;
      own.add(icon);
      for (const word of words.map(plain))
        if (word.length >= MIN_LENGTH && word !== icon) own.add(`${icon}|${word}`).add(`${word}|${icon}`);
    }
    for (const key of own) {
      const [icon = "", word] = key.split("|");
      if (word === undefined) icons.set(icon, (icons.get(icon) ?? 0) + 1);
      else {
        const counts = pairs.get(icon) ?? new Map<string, number>();
        pairs.set(icon, counts.set(word, (counts.get(word) ?? 0) + 1));
      }
    }
  }
  return { pairs, icons };
}

const { pairs, icons } = countPairs(await iconSets());
const most = new Map<string, number>();
for (const counts of pairs.values())
  for (const [word, count] of counts) most.set(word, Math.max(count, most.get(word) ?? 0));
const lines = [...pairs]
  .filter(([icon]) => (icons.get(icon) ?? 0) >= MIN_ICON_SETS && !icon.includes(" "))
  .flatMap(([icon, counts]) => {
    // A word is listed only for the icon that most icon sets describe with it. So "delete" belongs to
    // "trash", and not to "x".
    const words = [...counts].flatMap(([word, count]) =>
      count >= MIN_WORD_SETS && count === most.get(word) && !word.includes(" ") && !OTHER_MEANING.has(word)
        ? [word]
        : [],
    );
    return words.length > 0 ? [`${icon}: ${words.toSorted().join(" ")}`] : [];
  })
  .toSorted();
const source = await readFile(OUTPUT, "utf8");
const [start, end] = [source.indexOf(TABLE) + TABLE.length, source.lastIndexOf("\n`;")];
await writeFile(OUTPUT, `${source.slice(0, start)}${lines.join("\n")}${source.slice(end)}`);
console.log(`${lines.length} icons`);
