/**
 * Reads tasks that add something to a named thing ('Add the comment "calls back" to order A7') or change a field of
 * it. The form for this is on the page of the thing, and its fields do not repeat the thing's name.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import { asImperative } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, plainWords } from "../words/normalised-words.ts";
import { CREATING, EDITING, NEW_VALUE_WORDS, OWNER_WORDS, VERBS } from "../words/task-word-lists.ts";
import { hasOwnName, isNamePart, type ThingOfTask, thingInWords } from "./thing-of-task.ts";

export interface TaskOfThing {
  /** The thing that is changed, or to which something is added. */
  readonly thing: ThingOfTask;
  /** The task without the thing, for the page of the thing: 'Add the comment "calls back"'. */
  readonly task: string;
}

/** Verbs that add a text to a thing, besides verbs that create a thing. */
const WRITING: ReadonlySet<string> = new Set(contentWords("write leave attach"));

/** Matches a task with the added text in quotation marks or after "named", and the thing after it. */
const ADDITION =
  /^(.*?(?:"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|(?<=\s)'[^']+'|\s(?:named|called)\s[^\s"“„«']+))\s+(?:to|on|for|under)\s+(?:the\s+)?(\S.*?)\s*[.!]?$/u;

/** Returns the thing to which a task adds something, and the task without the thing; `undefined` for other tasks. */
export function additionOf(written: string): TaskOfThing | undefined {
  const [, task, words] = ADDITION.exec(asImperative(written)) ?? [];
  if (task === undefined || words === undefined) return undefined;
  const [first] = tokensOf(task);
  const [verb = ""] = contentWords(first?.text ?? "");
  if (!CREATING.has(verb) && !WRITING.has(verb)) return undefined;
  const tokens = tokensOf(words);
  if (tokens.some(({ kind }) => kind === "separator") || !tokens.some(isNamePart)) return undefined;
  const [edit = "edit"] = contentWords("edit");
  const thing = thingInWords(edit, tokens, false);
  return thing && (hasOwnName(thing) || thing.kind.length > 0) ? { thing, task } : undefined;
}

/** Matches the thing to which a changed field belongs, and the words for the new value: 'of the quota "Pier" to'. */
const OWNER_OF_FIELD = new RegExp(
  `^(.+?\\s\\S+)\\s(?:${OWNER_WORDS})\\s+(\\S.*?)\\s+((?:${NEW_VALUE_WORDS})\\s+\\S.*)$`,
  "u",
);

/**
 * Returns a task that changes a field of a named thing, without the thing: 'Change the name to "West pier"' for 'Change the
 * name of the quota "Pier" to "West pier"'. `undefined` for other tasks.
 */
export function changeOf(written: string): TaskOfThing | undefined {
  const [, start, owner, value] = OWNER_OF_FIELD.exec(asImperative(written)) ?? [];
  if (start === undefined || owner === undefined || value === undefined) return undefined;
  const [verb = ""] = contentWords(tokensOf(start)[0]?.text ?? "");
  if (!EDITING.has(verb) && !VERBS.SET.has(verb)) return undefined;
  const tokens = tokensOf(owner);
  if (tokens.some(({ kind }) => kind === "separator") || !tokens.some(isNamePart)) return undefined;
  const thing = thingInWords(verb, tokens, false);
  return thing && { thing, task: `${start} ${value}` };
}

/** Whether the address of a page ends with the name of the thing, such as `/orders/A7KXQ/` for the order A7KXQ. */
export function isPageOfThing({ name }: ThingOfTask, pageUrl: string): boolean {
  const path = percentDecoded(pageUrl.replace(/^[^#?]*\/\/[^/]*/, "").replace(/\?.*$/, ""));
  const last = plainWords(path.split("/").findLast((segment) => segment !== "") ?? "");
  const words = name.flatMap((text) => plainWords(text));
  return words.length > 0 && words.every((word) => last.includes(word));
}
