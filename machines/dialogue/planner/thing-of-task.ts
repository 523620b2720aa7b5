/** The thing that a task is about: its kind and its name. */
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import type { Token } from "../task/split-task-into-tokens.ts";
import { PREPOSITION } from "../values/words-that-assign-form-values.ts";
import { FILLERS } from "../words/normalised-words.ts";
import { EMPTY } from "../words/task-word-lists.ts";

/** The thing of a task: "user" and "Hugo Weber" of "Delete the user Hugo Weber". */
export interface ThingOfTask {
  readonly verb: string;
  /** The words for the kind of the thing, such as "user". */
  readonly kind: readonly string[];
  /**
   * The words that distinguish the thing from others of its kind: names, numbers and quoted texts, such as "Hugo
   * Weber".
   */
  readonly name: readonly string[];
  /** Whether the task names the thing by its position, such as "the second user". */
  readonly isByPosition: boolean;
}

/** Whether a word is a part of a name: a quoted text, a number, or a word with a capital letter or a sign inside. */
export const isNamePart = ({ kind, text }: Token): boolean =>
  kind === "value" || /^[\p{Lu}\d]/u.test(text) || /\p{L}[._@-]\p{L}/u.test(text);

/**
 * Returns the words of a task that name its thing. Words after "to" are a value and are left out.
 * Prepositions divide the other words into parts, and the first part with a name is used: "order 2" in "the
 * state of order 2 to paid". If no part has a name, the first part is used.
 */
export function wordsOfThing(words: readonly Token[]): readonly Token[] {
  const end = words.findIndex(({ plain }, at) => at > 0 && TO_VALUE.test(plain));
  const parts: Token[][] = [[]];
  for (const word of end < 0 ? words : words.slice(0, end))
    if (PREPOSITION.test(word.plain)) parts.push([]);
    else parts.at(-1)?.push(word);
  return parts.find((part) => part.some(isNamePart)) ?? parts[0] ?? [];
}

/** Returns the thing that words of a task name; `undefined` if they name none. */
export function thingInWords(
  verb: string,
  words: readonly Token[],
  isByPosition: boolean,
): ThingOfTask | undefined {
  const kind = words.filter(
    (word) =>
      !isNamePart(word) &&
      !FILLERS.has(word.plain) &&
      !EMPTY.has(word.plain) &&
      ordinalIn(`${word.text} one`) === undefined,
  );
  const name = words.filter(isNamePart);
  if (kind.length + name.length === 0) return undefined;
  return { verb, kind: kind.map(({ text }) => text), name: name.map(({ text }) => text), isByPosition };
}

/** Whether the name of a thing has letters. A number alone is also the name of other things: "2" for "order 2". */
export const hasOwnName = ({ name }: ThingOfTask): boolean => name.some((text) => /\p{L}/u.test(text));

/** Matches a word before the value of a field: "to" in "Set the priority to high". */
export const TO_VALUE = /^(?:to|as|into|auf|zu|als|en|comme|a|como|su)$/u;
