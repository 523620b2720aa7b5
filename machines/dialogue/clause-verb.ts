/**
 * Finds the imperative verb with which a clause starts, also one that the planner does not know: "Print the mail"
 * has an unknown verb, because a determiner follows it.
 */
import type { Token } from "./clause-tokens.ts";
import { CREATING, EDITING, EMPTY, RENAMING, SENDING, TYPING, VERBS } from "./clause-words.ts";
import { contentWords } from "./target-words.ts";
import { FIRST_VERB } from "./task-parts.ts";

/** Words after an imperative. A noun is rarely followed by one of them. */
const AFTER_VERB =
  /^(?:the|my|our|this|these|those|that|all|every|everything|everyone|an?|it|them|him|her|me|us|der|die|das|den|dem|mein\w*|alle\w*|le|la|les|mon|ma|mes|el|los|las|mi|mis)$/u;
/** Words that start a clause and are no verbs, although a determiner may follow them. */
const NO_VERB =
  /^(?:in|on|at|to|of|by|as|for|from|with|without|under|below|above|about|after|before|until|and|or|but|if|when|while|who|what|which|where|why|how|is|are|was|were|only|not|no|also|just|all|both|half|next|last|first|instead|that|because|since|than|more|less|most|im|in|auf|zu|bei|mit|von|für|dans|sur|avec|pour|de|du|en|con|para|por|mehr|plus|más)$/u;
/** Subjects of statements: "I speak English". */
const SUBJECT = /^(?:i|we|he|she|they|you|it|ich|wir|er|sie|je|j|nous|il|elle|yo|nosotros)$/u;

/** The index of the imperative verb of a clause; -1 without one. */
function leadIndex(tokens: readonly Token[]): number {
  const at = tokens.findIndex(({ plain, kind }) => kind !== "word" || !EMPTY.has(plain) || plain === "do");
  const [verb, next] = [tokens[at], tokens[at + 1]];
  if (verb?.kind !== "word" || NO_VERB.test(verb.plain) || SUBJECT.test(verb.plain)) return -1;
  return FIRST_VERB.test(verb.text) || (next !== undefined && AFTER_VERB.test(next.plain)) ? at : -1;
}

/** The stem of the imperative verb with which a clause starts. */
export function leadVerb(tokens: readonly Token[]): string | undefined {
  const verb = tokens[leadIndex(tokens)];
  return verb && contentWords(verb.plain)[0];
}

/** The stem of the verb of a statement such as "I speak English". */
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

/** Whether the verb may put a text into a field. */
export const enters = (verb: string): boolean => ENTERING.some((set) => set.has(verb)) && !TAKING.has(verb);

/** Verbs of attention or transport that occur in the lists of other verbs. */
const TAKING: ReadonlySet<string> = new Set(["take", "want", "need"]);

/** Whether the verb changes something that has a value: "Change the name to Ada" names the new value after "to". */
export const changes = (verb: string): boolean => EDITING.has(verb) || CHANGING.has(verb);

const CHANGING: ReadonlySet<string> = new Set(contentWords("adjust turn switch make correct"));

/** Whether the verb is one of those that the planner knows, and which need no element with this name. */
export const isCommonVerb = (verb: string): boolean =>
  Object.values(VERBS).some((set) => set.has(verb)) || TYPING.has(verb);
