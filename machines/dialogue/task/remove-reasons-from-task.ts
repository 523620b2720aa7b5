/**
 * Removes from a task a statement that only gives the reason for its imperative: "I've finished, place the order". Such
 * a statement names no element, and its subject is a person.
 */
import { FIRST_VERB, splitUnquoted } from "./split-task-at-imperatives.ts";

/** Matches the separator between a reason and an imperative, such as a comma or the end of a sentence. */
const BETWEEN = /\s*[,;:]\s+(?:(?:and|so|please|und|et|y|bitte)\s+)?|(?<=[\p{L}\p{N}⟧)])[.!?…]+\s+/u;
/** Matches the start of a statement about a person, in four languages. */
const ABOUT_PERSON =
  /^(?:i|we|someone|somebody|everyone|everybody|nobody|he|she|they|ich|wir|jemand|niemand|je|j['’]\p{L}+|on|nous|quelqu['’]un|yo|ya|alguien|nadie|nosotros)(?:['’]\p{L}+)?\s/iu;
/** Matches a wish, such as "I want the dark theme". A wish states what to do, and not a reason. */
const WISH =
  /^(?:i|we|ich|wir|je|j['’]\p{L}+|nous|yo|io)(?:['’]d)?\s+(?:would\s+|really\s+|only\s+)*(?:like|want|need|prefer|choose|take|wish|möchte|will|hätte|brauche|nehme|veux|voudrais|aimerais|prends|préfère|quiero|quisiera|prefiero|voglio|vorrei|preferisco)\b/iu;
/**
 * Matches a value or a condition in a statement. Such a statement is more than a reason, so it is not removed
 * from the task.
 */
const STATES_VALUE = /["“„«]|\d|@|\b(?:if|unless|when|once|wenn|falls|quand|dès|si|cuando|quando)\b/iu;
/** Matches a name inside of a statement: "Elif" in "I called Elif". */
const NAME = /\s(?!I\b|I['’])\p{Lu}/u;

/**
 * Whether a clause only gives a reason, such as "I've finished". A clause counts as a reason if it is a
 * statement about a person and contains no wish, no value and no name.
 */
const isReason = (clause: string): boolean =>
  ABOUT_PERSON.test(clause) && !WISH.test(clause) && !STATES_VALUE.test(clause) && !NAME.test(clause);

/**
 * Returns the task without its reason: "place the order" for "I've finished, place the order". Returns
 * `undefined` if the task gives no reason.
 */
export function withoutReason(task: string): string | undefined {
  const clauses = splitUnquoted(task.replace(/[.!\s]+$/u, ""), BETWEEN).filter((text) => /\p{L}/u.test(text));
  const kept = clauses.filter((clause) => !isReason(clause));
  const isImperative = kept.some((clause) => FIRST_VERB.test(clause));
  return isImperative && kept.length < clauses.length ? kept.join(", ") : undefined;
}
