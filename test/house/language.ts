/**
 * The language check: banned words in comments, names and test names, long file headers, duplicate basenames,
 * long commit subjects. `bun test/house/language.ts --report` counts the findings by folder, and `--list
 * [path part]` lists them.
 */
import { parseArgs } from "node:util";
import { duplicateBasenames } from "./file-length-and-names.ts";
import { type SourceFile, sourceTextOf } from "./read-comments-and-names-in-source.ts";
import { commitsSince, readSources } from "./read-project-source-files.ts";

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly problem: string;
}

const MAX_HEADER_SENTENCES = 3;
const MAX_SUBJECT = 72;
/** The check of commit subjects starts with the commit that added this file. */
const FIRST_CHECKED = "test/house/language.ts";

interface Term {
  /** Pattern of the banned words, which must not match in comments and test names. */
  readonly text?: RegExp;
  /**
   * Banned words in declared names, in lower case. A name is split into its words: `deskOf` consists of
   * "desk" and "of".
   */
  readonly words?: readonly string[];
  readonly use: string;
}

/** Banned words of LANGUAGE.md with their replacements. */
const TERMS: readonly Term[] = [
  { text: /\btold\b/i, words: ["told"], use: "return, report, emit" },
  { text: /\bnobody('s)?\b/i, words: ["nobody"], use: "no caller, no worker: name the thing" },
  { text: /\b(whoever|whomever)\b/i, words: ["whoever"], use: "the caller, every caller" },
  { text: /\bsomebody('s)?\b/i, words: ["somebody"], use: "a caller, another process" },
  { text: /\banew\b/i, words: ["anew"], use: "again" },
  { text: /\blest\b/i, use: "so that … not" },
  { text: /\bnone of (its|their|his) own\b/i, use: "without a …" },
  { text: /\bwhat (came|comes|has come|had come) of\b/i, use: "outcome, result" },
  {
    text: /\bthe seeds? (says?|asks?|wants?|demands?|names?|requires?|allows?)\b/i,
    use: "protocol specification",
  },
  { text: /\bat rest\b/i, use: "hibernated" },
  { text: /\basleep\b/i, words: ["asleep"], use: "hibernated" },
  { text: /\bput to rest\b/i, use: "hibernate" },
  {
    text: /\b((an?|the|this|each|every|one|no|its|first|last|next|earlier|later|full|whole|between) looks?|that look)\b/i,
    words: ["look", "looks"],
    use: "snapshot",
  },
  {
    text: /\b((an|the|this|each|every|one|no|its|first|last|next|same|other) acts?|that act|of acts)\b/i,
    words: ["act", "acts"],
    use: "action",
  },
  { text: /\bburials?\b/i, words: ["burial", "burials"], use: "dead-letter" },
  { text: /\btenures?\b/i, words: ["tenure", "tenures"], use: "lease" },
  { text: /\bseats?\b/i, words: ["seat", "seats"], use: "lease" },
  { text: /\bmanners\b/i, words: ["manners"], use: "host concurrency, adaptive limit" },
  { text: /\bconduct\b/i, words: ["conduct"], use: "host concurrency, adaptive limit" },
  { text: /\bbarren\b/i, words: ["barren"], use: "no new content" },
  { text: /\bfresh (pages?|links?|content|templates?)\b/i, use: "novelty, new content" },
  { text: /\bstrangers?\b/i, words: ["stranger", "strangers"], use: "unauthenticated caller" },
  { text: /\bdesks?\b/i, words: ["desk", "desks"], use: "service" },
  { text: /\bshel(f|ves)\b/i, words: ["shelf", "shelves"], use: "registry" },
  { text: /\bnamesakes?\b/i, words: ["namesake", "namesakes"], use: "duplicate name" },
  { text: /\bstirs?\b/i, words: ["stir", "stirs"], use: "page activity" },
  { text: /\bpulses?\b/i, words: ["pulse", "pulses"], use: "state hash, heartbeat" },
  { words: ["beside"], use: "the noun of what it holds" },
  { text: /\b(the|its|whose|our|their|in|of) hands\b/i, words: ["hands"], use: "actionability" },
  { text: /\b(the|its|of) (ears|faces)\b/i, words: ["ears", "faces"], use: "event guard, proxy control" },
  { text: /\bsights?\b/i, words: ["sight", "sights"], use: "frame snapshot, recognition" },
  { text: /\b(ours|theirs)\b/i, words: ["ours", "theirs"], use: "name the owner" },
  { text: /\b(hears?|heard) of\b/i, use: "receives" },
  { text: /\b(go|goes|going|gone|went) on\b(?! the\b)/i, use: "continue" },
  { text: /\b(for )?so long( as)?\b/i, use: "while, until, for this time" },
  { text: /\bwhat is what\b/i, use: "name the things" },
];

interface Allowed {
  /** The file in which the word is allowed, or a folder with such files. The path of a folder ends in `/`. */
  readonly path: string;
  readonly match: RegExp;
  readonly reason: string;
}

/** Correct uses of a banned word. Stored and public names are allowed too, because they cannot be changed. */
const ALLOWED: readonly Allowed[] = [
  {
    path: "test/house/",
    match: /./,
    reason: "the list of banned words itself, and samples that break the rules",
  },
  { path: "test/sites/", match: /\bdesk|Desk/, reason: "made-up applications have such names" },
  {
    path: "",
    match: /\b(encrypt|seal|secret|vault|key)\w*\b.*\bat rest\b|\bencryption at rest\b/i,
    reason: "encryption at rest is the field's term",
  },
  {
    path: "",
    match: /^(act|acts|told_map_at|told_progress_at|barren|namesake|AuditAct)$/,
    reason: "fields of stored rows, snapshots and the API, and the type of such a field",
  },
];

const isAllowed = (path: string, text: string): boolean =>
  ALLOWED.some((allowed) => path.startsWith(allowed.path) && allowed.match.test(text));

/** Text in backquotes is code and is not checked here. Names in it are checked where they are declared. */
const withoutCode = (text: string): string => text.replace(/`[^`]*`/g, "`…`");

const wordsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());

/**
 * Returns the number of sentences, by counting their ends. Dots in abbreviations, numbers and file names do
 * not count.
 */
function sentencesOf(text: string): number {
  const plain = text.replace(/`[^`]*`/g, "x").replace(/\b(e\.g|i\.e|etc|vs|cf)\./gi, "");
  return (plain.match(/[.!?](?=["')\]]*(\s|$))/g) ?? []).length;
}

function wordProblem(text: string): string | undefined {
  const plain = withoutCode(text);
  for (const { text: pattern, use } of TERMS) {
    const [found] = pattern?.exec(plain) ?? [];
    if (found) return `"${found}"; write: ${use}`;
  }
  return undefined;
}

function nameProblem(name: string): string | undefined {
  const words = wordsOf(name);
  const term = TERMS.find((term) => term.words?.some((word) => words.includes(word)));
  return term && `the name ${name}; write: ${term.use}`;
}

/** Returns the places in one file that violate the rules for plain English. */
export function findingsIn(file: SourceFile): readonly Finding[] {
  const { path } = file;
  const { header, comments, names, testNames } = sourceTextOf(file);
  const findings: Finding[] = [];
  const report = (line: number, problem: string | undefined, text: string): void => {
    if (problem !== undefined && !isAllowed(path, text)) findings.push({ path, line, problem });
  };
  for (const { line, text } of comments) report(line, wordProblem(text), text);
  for (const { line, text } of testNames) report(line, wordProblem(text), text);
  for (const { line, text } of names) report(line, nameProblem(text), text);
  const sentences = header ? sentencesOf(header.text) : 0;
  if (sentences > MAX_HEADER_SENTENCES) {
    findings.push({
      path,
      line: 1,
      problem: `a file header of ${sentences} sentences; at most ${MAX_HEADER_SENTENCES}`,
    });
  }
  return findings;
}

/** Returns the problems in the subjects of commits. */
export function subjectProblems(subjects: readonly string[]): readonly Finding[] {
  return subjects
    .filter((subject) => subject.length > MAX_SUBJECT)
    .map((subject) => ({
      path: "commits",
      line: 0,
      problem: `a subject of ${subject.length} characters, at most ${MAX_SUBJECT}: ${subject}`,
    }));
}

/**
 * Returns the places in the complete project and its commits that violate the rules for plain English. A
 * violation makes `npm test` and `npm run check` fail.
 */
export async function findingsOfTree(root?: string): Promise<readonly Finding[]> {
  const sources = await readSources(root);
  return [...sources.flatMap(findingsIn), ...(await findingsBetween(sources, root))];
}

/** Returns the findings that concern no single file: duplicate basenames, and subjects of commits. */
export async function findingsBetween(
  sources: readonly SourceFile[],
  root?: string,
): Promise<readonly Finding[]> {
  const duplicates = duplicateBasenames(sources.map(({ path }) => path)).flatMap((paths) =>
    paths.map((path) => ({
      path,
      line: 1,
      problem: `a basename used ${paths.length} times: ${paths.join(", ")}`,
    })),
  );
  const subjects = await commitsSince(FIRST_CHECKED, root);
  return [...duplicates, ...subjectProblems(subjects)];
}

/** Returns the first two levels of a file's path, such as `actors/reading`. */
const folderOf = (path: string): string => path.split("/").slice(0, -1).slice(0, 2).join("/") || path;

function countsByFolder(findings: readonly Finding[]): string {
  const byFolder = Map.groupBy(findings, ({ path }) => folderOf(path));
  const rows = [...byFolder].map(([folder, found]) => `${String(found.length).padStart(5)}  ${folder}`);
  return [...rows.sort().reverse(), `${String(findings.length).padStart(5)}  all`].join("\n");
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { report: { type: "boolean" }, list: { type: "boolean" } },
  });
  const all = await findingsOfTree();
  const findings = all.filter(
    ({ path }) => positionals.length === 0 || positionals.some((part) => path.includes(part)),
  );
  if (values.list) for (const { path, line, problem } of findings) console.log(`${path}:${line}: ${problem}`);
  else console.log(countsByFolder(findings));
  process.exit(all.length > 0 ? 1 : 0);
}
