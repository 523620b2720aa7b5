/**
 * Rewrites a task whose last clause refers to a thing that an earlier clause names: "The comment by Ottilie is fine,
 * approve it" becomes "approve the comment by Ottilie".
 */
import { FIRST_VERB, splitUnquoted } from "./split-task-at-imperatives.ts";

/** Matches the marks between two task clauses, such as a comma or a full stop. */
const BETWEEN = /\s*[,;:]\s+(?:(?:and|so|please|und|et|y|e)\s+)?|(?<=[\p{L}\p{N}⟧)])[.!?…]+\s+/u;
/** Matches an imperative whose object is only a pronoun, such as "approve it" or "mark them as done". */
const ON_PRONOUN =
  /^(?:please\s+)?(\p{L}+(?:\s+(?:up|off|out|down|on))?)[\s-](?:it|them|him|her|that|this|these|those|that one|this one|sie|es|ihn|diese[nrs]?|le|la|les|lo|los|las|li)(?=\s|$)(.*)$/iu;
/**
 * Matches an order about a part of a thing, in which a pronoun stands for the thing: "its" in "open its
 * details", "seinen" in "Öffne seinen Chat".
 */
const ON_PART =
  /^(?:please\s+)?(\p{L}+(?:\s+me)?)\s+(?:its|their|his|her|sein(?:e[nmrs]?)?|ihre?[nmrs]?|son|sa|ses|leurs?|sus?|(?:il\s+suo|la\s+sua|i\s+suoi|le\s+sue))\s+(.+)$/iu;
/**
 * Matches an imperative about a part of a thing, such as "Show the details". The thing is named in a question
 * before it, such as "What is Sencha?".
 */
const ON_NOUN =
  /^(?:please\s+)?(\p{L}+(?:\s+me)?)\s+(?:the|die|das|den|le|la|les|el|los|las|il|lo|gli)\s+(\p{L}+)$/iu;
const QUESTION =
  /^(?:what|which|who|where|how|was|wer|wo|wie|qu['’]|que|quoi|qui|où|comment|qué|quién|dónde|cómo|chi|dove|quale)/iu;
/** Matches the start of a wish to know something: "Tell me more about the Sencha". */
const TELLS_ME =
  /^(?:please\s+)?(?:(?:tell|show|give)\s+me|i(?:['’]d|\s+would)\s+like\s+to\s+(?:see|know|read|hear)|i\s+(?:want|need)\s+to\s+(?:see|know|read|hear))\s+(?:more|something|everything|all)\s+about\s/iu;
/** Matches the need for another state of a thing: "Camille needs another role". */
const NEEDS =
  /^(.+?)\s+(?:needs|wants|should\s+(?:have|get)|braucht|bekommt|necesita)\s+(?:another|an?\s+(?:new|different|other)|eine?n?\s+(?:andere|neue)[nrs]?|otr[oa])\s+(.+)$/iu;
/** Matches what a statement says about its thing, such as "is fine" in "The comment is fine". */
const STATES =
  /\s+(?:is|are|was|were|looks?|seems?|has|have|had|can|could|should|must|will|needs?|ist|sind|war|soll|kann|est|sont|était|peut|doit|es|son|está|están|puede|debe|è|sono|può|deve)(?:\s.*|n['’]t\s.*)?$/iu;
/**
 * Matches the words for a thing at the end of a text: "the comment by Noah", "my order", "Noah". They start
 * with an article or a possessive pronoun, or with a capital letter or digit after another word.
 */
const THING =
  /(?:^|[\s'’])((?:(?:the|my|our|your|this|that|these|those|der|die|das|den|dem|mein\p{L}*|unser\p{L}*|le|la|les|el|los|las|il|lo|gli|mon|ma|mes|mi|mis)\s+|(?<=\s)(?!I\b|I['’])[\p{Lu}\d])\S.*)$/u;

/** Matches a statement about a person, whose name is its subject: "Petra" in "Petra must not collect Sami". */
const SUBJECT =
  /^(?!(?:I|We|You|He|She|They|It|This|That|The|Ich|Wir|Sie|Er|Es|Je|Nous|Il|Elle|Yo)\b)(\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)?)\s+(?:is|was|has|had|can|can['’]t|could|should|must|may|will|needs?|ist|hat|soll|darf|kann|est|a|doit|ne|es|está|debe|no)\s/u;

/**
 * Matches a word such as "but" between statements about two things: "Ada's is fine but Bob's is not". It is
 * then unclear to which thing a later "it" refers.
 */
const TWO_THINGS = /\s(?:but|aber|mais|pero)\s/iu;

/** Matches a statement that the person has a thing: "I have a list of people". */
export const HAVING =
  /^(?:i|we|there)(?:['’](?:ve|s)|\s+(?:have|is|are))(?:\s+got)?\s+(?:an?|some|the|two|three)\s+(\S.*)$/iu;

/**
 * Returns the thing that a clause without an imperative names, such as "old phone" in "I have an old phone";
 * `undefined` if the clause names no thing.
 */
function thingIn(clause: string): string | undefined {
  const [, subject] = SUBJECT.exec(clause) ?? [];
  if (subject !== undefined) return subject;
  const lowered = clause.charAt(0).toLowerCase() + clause.slice(1);
  const [, thing] = HAVING.exec(clause) ?? THING.exec(lowered) ?? [];
  const named = thing?.replace(STATES, "").trim();
  return named === "" ? undefined : named;
}

/**
 * Returns the task with a word such as "it" replaced by the thing to which this word refers. Returns
 * `undefined` if the task contains no such word, or if no earlier clause names the thing.
 */
export function withReferent(task: string): string | undefined {
  const clauses = splitUnquoted(task.replace(/[.!\s]+$/u, ""), BETWEEN).filter((text) => /\p{L}/u.test(text));
  const [order = "", ...before] = clauses.toReversed();
  const [named] = before;
  if (named === undefined || (FIRST_VERB.test(named) && !TELLS_ME.test(named))) return undefined;
  const [, owner, needed] = NEEDS.exec(named) ?? [];
  const isTwo = TWO_THINGS.test(named);
  const thing = isTwo ? undefined : owner && needed ? `${needed} of ${owner}` : thingIn(named);
  if (thing === undefined) return undefined;
  const rest = before.slice(1).toReversed();
  const joined = (text: string): string => [...rest, text].join(", ");
  const [, partVerb, part] = ON_PART.exec(order) ?? [];
  if (partVerb && part) return joined(`${partVerb} ${part} of ${thing}`);
  const [, verb, after = ""] = ON_PRONOUN.exec(order) ?? [];
  if (verb) return joined(`${verb} ${thing}${after}`);
  const [, nounVerb, noun] = QUESTION.test(named) || TELLS_ME.test(named) ? (ON_NOUN.exec(order) ?? []) : [];
  return nounVerb && noun ? joined(`${nounVerb} ${noun} of ${thing}`) : undefined;
}

/**
 * Matches an order at the end of a task to enter the text before it: "put that in" in "The name is Ada, put
 * that in".
 */
const ENTRY_ORDER =
  /[,;.]\s+(?:(?:and|so|please|then)\s+)*(?:put|enter|type|fill|write|note|add)\s+(?:that|it|this|them|those)(?:\s+(?:in|down|there))?[.!]?$/iu;

/**
 * Removes an order that only says to enter an earlier text, such as "put that in" in "The name is Ada, put
 * that in". Returns `undefined` if the task has no such order.
 */
export const withoutEntryOrder = (task: string): string | undefined =>
  ENTRY_ORDER.test(task) ? task.replace(ENTRY_ORDER, "") : undefined;

/** Matches words for the thing that the page is about: "of this ticket". */
const OF_PAGE =
  /\s+(?:of|for|on|in|from|von|de|di|d['’]|del)\s+(?:this|the\s+current|the\s+shown|diese[mnrs]|ces?t?t?e?|est[ea]|quest[oa])\s+\p{L}+(?=[\s,.;!]|$)|\s+diese[sr]\s+\p{Lu}\p{L}+(?=[\s,.;!]|$)/giu;

/**
 * Returns a task without words such as "of this ticket", which refer to the thing of the page. Returns
 * `undefined` if the task has no such words.
 */
export function withoutPageThing(task: string): string | undefined {
  const rest = task.replace(OF_PAGE, "");
  return rest === task ? undefined : rest;
}
