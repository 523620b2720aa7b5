/**
 * Finds the verb at the start of a clause, even a verb that the planner does not know. "Print" in "Print the
 * mail" is a verb, because "the" follows it.
 */

import { contentWords, FILLERS } from "../words/normalised-words.ts";
import {
  CREATING,
  EDITING,
  EMPTY,
  RENAMING,
  SENDING,
  SUBMITTING,
  TYPING,
  VERBS,
} from "../words/task-word-lists.ts";
import { FIRST_VERB } from "./split-task-at-imperatives.ts";
import type { Token } from "./split-task-into-tokens.ts";

/** Words that often follow a verb at the start of a task clause, and rarely follow a noun. */
const AFTER_VERB =
  /^(?:the|my|our|this|these|those|that|all|every|everything|everyone|an?|it|them|him|her|me|us|der|die|das|den|dem|mein\w*|alle\w*|le|la|les|mon|ma|mes|el|los|las|mi|mis|il|lo|gli|mio|mia|miei|mie|quest[oaie])$/u;
/** Words at the start of a clause that are never verbs, although "the" or a similar word may follow them. */
const NO_VERB =
  /^(?:in|on|at|to|of|by|as|for|from|with|without|under|below|above|about|after|before|until|and|or|but|if|when|while|who|what|which|where|why|how|is|are|was|were|only|not|no|also|just|all|both|half|next|last|first|instead|that|because|since|than|more|less|most|im|in|auf|zu|bei|mit|von|für|dans|sur|avec|pour|de|du|en|con|para|por|mehr|plus|más|di|del|della|dei|delle|nel|nella|sul|sulla|dal|dalla|per|piu)$/u;
/** Subjects with which a statement starts, such as "I" in "I speak English". */
const SUBJECT = /^(?:i|we|he|she|they|you|it|ich|wir|er|sie|je|j|nous|il|elle|yo|nosotros)$/u;

/** Returns the index of the verb with which a task clause starts; -1 if it starts with no verb. */
function leadIndex(tokens: readonly Token[]): number {
  const at = tokens.findIndex(({ plain, kind }) => kind !== "word" || !EMPTY.has(plain) || plain === "do");
  const [verb, next] = [tokens[at], tokens[at + 1]];
  if (verb?.kind !== "word" || NO_VERB.test(verb.plain) || SUBJECT.test(verb.plain)) return -1;
  const isFollowed = next !== undefined && (AFTER_VERB.test(next.plain) || /['’]s$/u.test(next.text));
  const isSubmitting = next !== undefined && SUBMITTING.has(contentWords(verb.plain)[0] ?? "");
  return FIRST_VERB.test(verb.text) || isFollowed || isSubmitting ? at : -1;
}

/** Returns the stem of the verb at the start of a task clause; `undefined` if the clause starts with no verb. */
export function leadVerb(tokens: readonly Token[]): string | undefined {
  const verb = tokens[leadIndex(tokens)];
  return verb && contentWords(verb.plain)[0];
}

/**
 * Returns the stem of the first word of a clause if it may be a verb, even one that the planner does not know:
 * "swap" in "Swap maths and French". A noun at the start of a clause is returned too.
 */
export function firstVerb(tokens: readonly Token[]): string | undefined {
  const [first] = tokens;
  if (first?.kind !== "word" || EMPTY.has(first.plain) || FILLERS.has(first.plain)) return undefined;
  if (
    /^\p{L}['’]/u.test(first.plain) ||
    NO_VERB.test(first.plain) ||
    SUBJECT.test(first.plain) ||
    AFTER_VERB.test(first.plain)
  )
    return undefined;
  return contentWords(first.plain)[0];
}

/** Matches the words and marks between the name of a field and its value: "The order number is 30". */
const STATES = /^(?:is|are|was|=|ist|sind|lautet|est|sont|es|son|e|sono)$/u;

/**
 * Whether the clause states the value of a field, and its first word belongs to the name of this field. In
 * "Order number is 30", "Order" is part of a name and not a verb.
 */
export function statesField(tokens: readonly Token[], verb: string, name: string): boolean {
  const wordOf = ({ plain }: Token): string => contentWords(plain)[0] ?? "";
  const at = tokens.findIndex((token) => token.kind === "word" && wordOf(token) === verb);
  const after = tokens.slice(at + 1);
  const end = after.findIndex(
    ({ plain, kind, text }) =>
      kind === "value" ||
      text === ":" ||
      STATES.test(plain) ||
      AFTER_VERB.test(plain) ||
      /['’]s$/u.test(text),
  );
  const stop = after[end];
  const [next] = after;
  if (at < 0 || next === undefined || PERSON.test(next.plain)) return false;
  if (stop !== undefined && STATES.test(stop.plain)) return true;
  if (CREATING.has(verb)) return false;
  const owned = new Set(contentWords(name));
  const isOwn = owned.has(verb);
  if (!SENDING.has(verb)) return isOwn || stop?.text === ":";
  // A word such as "message" or "post" may be a verb or a noun. Before a name or a value, it is the verb of an order:
  // "Message Ada 'Hello'". Before a further word of the field's name, or before a colon, it is a noun: "Post title:
  // Hello".
  const isNoun = next.kind === "word" && !/^\p{Lu}/u.test(next.text) && owned.has(wordOf(next));
  return isOwn && (isNoun || stop?.text === ":");
}

/** Matches a pronoun for a person, which follows a verb: "Refund her 35.50". */
const PERSON = /^(?:her|him|them|me|us|ihm|ihr|ihnen|mir|uns)$/u;

/**
 * Returns the stem of a statement's verb: "speak" for "I speak English". `undefined` if the clause is no statement.
 */
export function statementVerb(tokens: readonly Token[]): string | undefined {
  const [subject, ...rest] = tokens;
  if (subject === undefined || !SUBJECT.test(subject.plain)) return undefined;
  const verb = rest.find(({ kind, plain }) => kind === "word" && !EMPTY.has(plain));
  return verb && contentWords(verb.plain)[0];
}

const ENTERING = [
  VERBS.SET,
  VERBS.SEARCH,
  VERBS.MESSAGE,
  VERBS.CHOOSE,
  CREATING,
  RENAMING,
  SENDING,
  TYPING,
] as const;

/** Whether the verb may mean to enter a text into a field, as "type" and "set" do. */
export const enters = (verb: string): boolean => ENTERING.some((set) => set.has(verb)) && !TAKING.has(verb);

/** Verbs that are in the lists of verbs for entering a text, although they do not mean to enter one. */
const TAKING: ReadonlySet<string> = new Set(["take", "want", "need"]);

/** Whether a verb changes a value, so that "to" is before the new value: "Change the name to Ada". */
export const changes = (verb: string): boolean => EDITING.has(verb) || CHANGING.has(verb);

const CHANGING: ReadonlySet<string> = new Set(contentWords("adjust turn switch make correct"));

/**
 * Whether the verb is in one of the planner's lists of common verbs. The name of the right element need not contain
 * such a verb.
 */
export const isCommonVerb = (verb: string): boolean =>
  Object.values(VERBS).some((set) => set.has(verb)) || TYPING.has(verb);
