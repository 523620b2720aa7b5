/**
 * Reads which object a task removes: "delete the voucher SUMMER" removes the one object SUMMER of the kind
 * "voucher". A task for several objects, or without a name, is never done.
 */

import {
  type Operation,
  operationOfName,
  stemsOf,
  taskWords,
} from "../screens/operation-and-thing-of-task.ts";
import { wordsOf } from "../screens/screen-name-index.ts";

/** The object that a task removes. */
export interface RemovalTarget {
  /** The name of the object, as the task writes it. */
  readonly name: string;
  /**
   * Words for the kind of object, as the task writes them, such as "check-in list"; empty if the task has only a
   * name.
   */
  readonly kind: string;
  /** Stems of the words for the kind of object, such as "voucher". */
  readonly kinds: readonly string[];
  /** Stems of the words after "of", "from" or "in", which name the page with the object. */
  readonly place: readonly string[];
}

export type ReadRemoval =
  | { readonly target: RemovalTarget }
  /** Why the task is not done: it removes several objects, or it does not name the object. */
  | { readonly problem: "bulk" | "unnamed" };

/** Matches words by which a task means several objects. */
const SEVERAL =
  /(?<!\p{L})(?:all|every|each|everything|both|any|alle[ns]?|jede[nrs]?|sämtliche[ns]?|tou(?:s|tes?)|chaque|tod[oa]s?|cada|tutt[ei]|ogni|selected|multiple)(?!\p{L})/iu;
const QUOTED = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu;
const CALLED =
  /(?<!\p{L})(?:called|named|titled|genannt|namens|appelée?|nommée?|llamad[oa]|chiamat[oa])\s+(.+)$/iu;
/** Matches a word before the place of an object: "from" in "remove greta from the team Ushers". */
const PLACE = /\s(?:from|in|of|on|at|aus|von|vom|im|der|des|de|du|dans|del|della|dal|dalla)\s/iu;
const ARTICLES: ReadonlySet<string> = new Set(
  "a an the my our your please die das den dem ein eine einen le la les l un une el los las una il lo gli i het een de mon mi meine meinen bitte".split(
    " ",
  ),
);
/** Matches a conjunction between names: two names are two objects. */
const JOINED = /(?:\s(?:and|und|et|y|e|en)\s|,)/iu;
const CAPITAL = /^[\p{Lu}\d#]/u;

/** Reads which object a task removes. Returns `undefined` if the task removes nothing. */
export function readRemoval(written: string): ReadRemoval | undefined {
  return taskWords(written).operation === "remove" ? readObject(written, "remove") : undefined;
}

/**
 * Returns the object that a task edits: the user Greta for "edit the user Greta". Returns `undefined` if the
 * task edits nothing, several objects, or an object without a name.
 */
export function editedObject(written: string): RemovalTarget | undefined {
  const read = taskWords(written).operation === "edit" ? readObject(written, "edit") : undefined;
  return read && "target" in read ? read.target : undefined;
}

function readObject(written: string, operation: Operation): ReadRemoval {
  const quoted: string[] = [];
  const keep = (_: string, ...groups: unknown[]): string => {
    quoted.push(String(groups.find((group) => typeof group === "string") ?? "").trim());
    return ` ${MARK} `;
  };
  const text = written.trim().replace(QUOTED, keep).replace(CALLED, keep);
  if (SEVERAL.test(text)) return { problem: "bulk" };
  const [before = "", ...after] = text.split(PLACE);
  const main = before.trim();
  const rest = after.join(" ");
  if (JOINED.test(text)) return { problem: "bulk" };
  if (rest.includes(MARK) && !main.includes(MARK)) return { problem: "unnamed" };
  const tokens = main.split(/\s+/u).flatMap((token) => {
    const bare = token.replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}]+$/gu, "");
    const isLeftOut = bare === "" || (operationOfName(bare) === operation && wordsOf(bare).length === 1);
    return token === MARK ? [] : isLeftOut || ARTICLES.has(bare.toLowerCase()) ? [] : [bare];
  });
  const [name] = quoted;
  const split = name === undefined ? splitAtName(tokens) : { kind: tokens, name };
  if (!split) return { problem: "unnamed" };
  const kind = split.kind.join(" ");
  const names = quoted.slice(1).join(" ");
  return { target: { name: split.name, kind, kinds: stemsOf(kind), place: placeOf(rest, names) } };
}

/**
 * A character that replaces a name in quotation marks, so that its words do not count as words of the task.
 */
const MARK = "\u0001";

function placeOf(rest: string, names: string): readonly string[] {
  const words = rest.split(/\s+/u).filter((word) => word !== MARK && !ARTICLES.has(word.toLowerCase()));
  return stemsOf(`${words.join(" ")} ${names}`);
}

/**
 * Splits words such as "check-in list Main entrance" into the kind and the name. The name begins with the
 * first word after the kind that starts with a capital letter or a number. If there is no such word, the name
 * is the last word.
 */
function splitAtName(
  tokens: readonly string[],
): { readonly kind: readonly string[]; readonly name: string } | undefined {
  if (tokens.length === 0) return undefined;
  const capital = tokens.findIndex((token) => CAPITAL.test(token));
  // In "delete the Voucher SUMMER", the first word has a capital letter, but it is the kind and not the name.
  // German nouns always have one.
  const at = capital === 0 && tokens.length > 1 ? 1 : capital;
  if (at < 0) return tokens.length < 2 ? undefined : { kind: tokens.slice(0, -1), name: tokens.at(-1) ?? "" };
  return { kind: tokens.slice(0, at), name: tokens.slice(at).join(" ") };
}
