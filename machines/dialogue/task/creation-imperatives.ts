/**
 * Parses imperatives that create a thing with given values, such as "Create a study named beta". Here the
 * thing is "study", and its value is the name "beta".
 */

import { withJoinedVerb } from "../words/german-separable-verbs.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { inEnglish } from "../words/translated-words.ts";
import type { Order } from "./parsed-imperative.ts";
import { isQuoted, splitUnquoted, unquoted } from "./split-task-at-imperatives.ts";
import { NAMING } from "./values-in-task.ts";

const CREATES =
  "create|add|make|new|start|open|register|set\\s+up|build|begin|compose|invite|erstellen?|anlegen|hinzufügen|crée[rz]?|ajoute[rz]?|crea|añade|agrega|aggiungi|adicione|crie";
const NAMED = new RegExp(`^((?:${CREATES})\\s+.+?)\\s*,?\\s+${NAMING}\\s+(.+)$`, "iu");
const WITH = new RegExp(`^((?:${CREATES})\\s+.+?)\\s*,?\\s+(?:with|mit|avec|con)\\s+(.+)$`, "iu");
/**
 * Matches the words between a value and the next field, such as "and" before "the owner" in "with the name
 * beta and the owner Ada".
 */
const NEXT =
  /(\s*(?:,\s*(?:and\s+)?|\s(?:and|with|for|in|und|mit|für|et|avec|pour|y|e|con|para)\s+)(?:with\s+)?)(?=\p{L}|⟦|\d)/iu;
/** Articles before a field, as in "with the role Admin" and "mit dem Passwort Secret". */
const ARTICLE = "(?:the|an?|its|de[mnr]|das|die|eine[mnr]?|le|la|les|une|el|los|las|una|il|lo)";
/** Matches a preposition that starts the next field only if `MARKED_BY_CASE` matches the words after it. */
const FOR = /^\s*(?:for|in|für|pour|para)\s*$/iu;
/**
 * Matches a field in lower case with its value in upper case or in quotes: "the audience Press" in "the subject Harbour day
 * for the audience Press". "The whole team" in "Lunch for the whole team" does not match.
 */
const MARKED_BY_CASE = new RegExp(`^${ARTICLE}\\s\\p{Ll}[\\p{Ll}-]*\\s(?:\\p{Lu}|["“„«⟦])`, "u");
/** Matches a field and its value: "the description Trial", "email ada@x.at", "role: Admin". */
const PAIR = new RegExp(
  `^(?:${ARTICLE}\\s+)?(?!${ARTICLE}\\s)(mot de passe|\\p{L}[\\p{L}-]*(?:\\s+(?:name|address|number|code|date|type|title))?)` +
    "(?:\\s*[:=]\\s*|\\s+(?:of|as|is|to|set to)\\s+|\\s+)((?!(?:de|del|di|du|des)\\s).+)$",
  "iu",
);
/**
 * Matches a value that is recognisable without a word such as "of" before it, because it is quoted or
 * contains a digit or "@".
 */
const PLAIN_VALUE = /^(?:["“„«'`].*|\S*[@\d]\S*)$/u;
/**
 * Matches the words for a place at the end of a name without quotes, such as "to the team" in "Add a user
 * named Ada to the team". They are not part of the name.
 */
const PLACE = /\s+(?:to|in|into|for|on|at|under)\s+(?:the|my|our|this)\s+.+$/iu;

/**
 * Reads an order to create an object with values, such as "Create a study named beta". Returns `undefined`
 * for any other part of a task.
 */
export function createOrder(written: string): Order | undefined {
  const part = withJoinedVerb(written) ?? written;
  const [, thing, rest] = NAMED.exec(part) ?? [];
  if (thing && rest) {
    const [name = "", ...pairs] = splitPairs(rest);
    const place = isQuoted(name) ? undefined : PLACE.exec(name)?.[0];
    const value = unquoted(place === undefined ? name : name.slice(0, -place.length));
    const field = /\b(?:en)?title/iu.test(part.slice(thing.length, -rest.length)) ? "title" : "name";
    return made(`${thing}${place ?? ""}`, [
      { field, value },
      ...pairs.flatMap((pair) => countOf(pair) ?? pairOf(pair, true) ?? []),
    ]);
  }
  const [, created, values] = WITH.exec(part) ?? [];
  if (!created || !values) return undefined;
  const [first = "", ...others] = splitPairs(values);
  const isListed =
    NAMED_FIELD.test(first) || (OWN_FIELD.test(first) && others.some((one) => pairOf(one, false)));
  const pair = pairOf(first, others.length > 0 && isListed);
  if (!pair) return undefined;
  const pairs = [pair, ...others.flatMap((one) => countOf(one) ?? pairOf(one, true) ?? [])];
  // In "Add the user Max with the email max@example.com", "Max" is the value of the field "Name".
  const named = newThingsOf(created).find(({ name }) => NAME_AFTER_NOUN.test(name));
  if (!named) return made(created, pairs);
  const nounAt = created.indexOf(named.noun, created.indexOf(" "));
  const kind = created.slice(0, nounAt + named.noun.length);
  return made(kind, [{ field: "name", value: named.name }, ...pairs]);
}

/**
 * Matches a word that is the beginning of a name and not a part of the noun: it has a capital letter, a digit or a
 * sign. In "the team member Ada", "Ada" matches and "member" does not.
 */
const NAME_AFTER_NOUN = /^(?:[\p{Lu}\d]|\S*\p{L}[._@-]\p{L}\S*$)/u;

/**
 * Splits the values of a new object, such as "beta with the description Trial", into the values of its
 * fields. A piece that is no field with a value is joined to the piece before it.
 */
function splitPairs(text: string): readonly string[] {
  const [first = "", ...others] = splitUnquoted(text, NEXT);
  const pieces = [first];
  for (let at = 0; at + 1 < others.length; at += 2) {
    const [separator = "", piece = ""] = others.slice(at, at + 2);
    // After the first piece, a piece is a field if it is marked as one ("with the role Admin") or is a number with a
    // noun ("with 6 slots"). From the third piece on, the text is a list, in which "role Admin" is enough: "Ada with
    // email ada@x.at and role Admin".
    const isCount = /with/iu.test(separator) && countOf(piece) !== undefined;
    const isField = FOR.test(separator) ? MARKED_BY_CASE.test(piece) : pairOf(piece, pieces.length > 1);
    if (isCount || isField) pieces.push(piece);
    else pieces.push(`${pieces.pop() ?? ""}${separator}${piece}`);
  }
  return pieces;
}

/** Matches a number with its noun, such as "6 slots". */
const COUNT = /^(\d+(?:[.,]\d+)?)\s+(\p{L}[\p{L}-]+)$/u;

/** Returns the field and the value in a text such as "6 slots"; `undefined` if it is no number with a noun. */
function countOf(text: string): Pair | undefined {
  const [, value, field] = COUNT.exec(text.trim()) ?? [];
  return value === undefined || field === undefined ? undefined : { field, value };
}

interface Pair {
  readonly field: string;
  readonly value: string;
}

/**
 * Matches a field of two words with its value, such as "login name olga". As the first of several fields, it
 * needs neither "the" nor "of" to be recognised.
 */
const NAMED_FIELD = /^\p{L}[\p{L}-]*\s(?:name|address|number|code)\s\S/iu;
/**
 * Matches a field of one word with its value, such as "username leo". "Ada Lovelace" does not match. Such a text is
 * the first of several fields only if another field surely has a value: "with username leo and email
 * leo@example.com".
 */
const OWN_FIELD = /^\p{Ll}[\p{L}-]*\s\S+$/u;
const MARKED = new RegExp(
  `^(?:${ARTICLE}\\s|\\S+(?:\\s+\\S+)?(?:\\s*[:=]|\\s+(?:of|as|is|set to)\\s))`,
  "iu",
);

/**
 * Returns the field and the value in a text such as "the description Trial"; `undefined` if it has none.
 *
 * @param isListed whether the text is one of several fields with values. It then needs neither "the" nor "of"
 * nor quotes to be recognised
 */
function pairOf(text: string, isListed: boolean): Pair | undefined {
  const [, field, value] = PAIR.exec(text.trim()) ?? [];
  if (!field || !value) return undefined;
  return isListed || MARKED.test(text.trim()) || PLAIN_VALUE.test(value)
    ? { field, value: unquoted(value) }
    : undefined;
}

function made(thing: string, pairs: readonly Pair[]): Order {
  const [verb = ""] = thing.split(/\s+/u);
  const noun = nounOf(thing);
  return {
    kind: "create",
    target: thing,
    value: null,
    also: verb,
    entries: pairs.map(({ field, value }) => ({
      kind: "set",
      target: noun === "" || noun === field ? field : `${noun} ${field}`,
      value,
      also: field,
    })),
  };
}

/** The thing that is created, without the verb and articles: "study" for "Create a new study". */
export function nounOf(thing: string): string {
  return thing
    .replace(PLACE, "")
    .replace(new RegExp(`^(?:${CREATES})\\s+`, "iu"), "")
    .replace(
      /^(?:(?:an?|the|another|my|our|eine?n?|den|die|das|une?|le|la|una?|uno|el|il|lo)\s+|l['’])/iu,
      "",
    )
    .replace(/^(?:new|neue[ns]?|nouve\w+|nuev[oa])\s+/iu, "");
}

/** Matches an order to create a thing whose name follows its noun: "Add the component rudder". */
const NAMELESS =
  /^\s*(?:please\s+)?(?:create|add|new|register|erstellen?|anlegen|hinzufügen|crée[rz]?|ajoute[rz]?|crea|añade|agrega|aggiungi)\s+(?:(an?|the|another|my|our|eine?n?|den|die|das|une?|le|la|una?|el|il|lo)\s+)?(?:(?:new|neue[ns]?|nouve\p{L}+|nuev[oa]|nuov[oa])\s+)?([^,;:]+?)[.!]?\s*$/iu;
/**
 * Matches the end of a sentence before another sentence. The last word must have three letters, so that the
 * abbreviation in "Dr. Voss" does not match.
 */
const SENTENCE_END = /\p{L}{3,}[.!?]\s/u;
/** Matches a word that shows that the words after the noun are no name: "to" in "Add a user to the team". */
const JOINS =
  /^(?:then|or|but|if|when|dann|oder|aber|wenn|puis|ou|mais|si|luego|pero|poi|ma|se|to|in|into|for|on|at|of|from|by|with|and|or|as|that|which|zu|in|für|mit|und|à|dans|pour|avec|et|a|en|para|con|y|per|e)$/iu;
const DEFINITE = /^(?:the|den|die|das|le|la|el|il|lo)$/iu;
/** Maximum number of words of a noun, and of a name after it. */
const LENGTHS = { noun: 2, name: 4 } as const;

/** A new thing, such as "component", and its name, such as "rudder". */
export interface NewThing {
  readonly noun: string;
  readonly name: string;
}

/**
 * A task may create a thing without a word such as "named" before the name: "Add the component rudder". Returns the
 * possible pairs of a noun and a name, such as "component" and "rudder". The pair with the shortest noun comes first.
 */
export function newThingsOf(task: string): readonly NewThing[] {
  const spaced = (withJoinedVerb(task) ?? task).replace(/(?<=\sl)['’](?=\p{L})/iu, "e ");
  const [, article = "", rest = ""] = NAMELESS.exec(spaced) ?? [];
  const words = rest.split(/\s+/u);
  // "Add a team member" does not create a team with the name "member". So the words after a noun are a name only if
  // the article is "the", or if they start with a capital letter, a digit or a quotation mark.
  const isSure = (name: readonly string[]): boolean =>
    DEFINITE.test(article) || /[\p{Lu}\d"“„«'‘]/u.test(name[0] ?? "");
  if (words.some((word) => JOINS.test(word)) || SENTENCE_END.test(rest)) return [];
  return Array.from({ length: LENGTHS.noun }, (_, at) => at + 1).flatMap((length) => {
    const [noun, name] = [words.slice(0, length), words.slice(length)];
    const isNoun = noun.every((word) => /^\p{Ll}[\p{L}-]*$/u.test(word) || isForeign(word));
    return isNoun && isSure(name) && name.length > 0 && name.length <= LENGTHS.name
      ? [{ noun: noun.join(" "), name: unquoted(name.join(" ")) }]
      : [];
  });
}

/**
 * Whether a word is in the lists of translations, so that the task is probably not in English. A capital
 * letter then marks no name, because German nouns have one too.
 */
const isForeign = (word: string): boolean => inEnglish(plainText(word)) !== plainText(word);

/** Matches a name that cannot be an ordinary word: with a capital letter, a digit, a quotation mark or a sign inside of it. */
const SURE_NAME = /[\p{Lu}\d"“„«]|\p{L}[._@-]\p{L}/u;

const TEXT_VERB =
  "(?:create|add|post|write|leave|make|füge|erstellen?|schreibe?|ajoute[rz]?|crée[rz]?|écris|crea|añade|agrega|escribe|aggiungi|scrivi)";
const ANY_ARTICLE = "(?:an?|the|another|my|our|eine?n?|une?|una?|uno|el|la|le|il)";
const NEW_BEFORE_NOUN = "(?:(?:new|neue[ns]?|nouve\\p{L}+|nuev[oa]|nuov[oa])\\s+)?";
/** Nouns for a text. A comma in such a text separates no fields. */
const TEXT_NOUN =
  "(?:comment|note|message|remark|reply|answer|kommentar|notiz|nachricht|bemerkung|antwort|commentaire|message|remarque|réponse|comentario|nota|mensaje|respuesta|commento|messaggio|risposta)";
/**
 * Matches an order to create a thing whose text follows a colon: "Add a comment: The seals are here". A text with a
 * second colon does not match, because it may state several fields. A comma is allowed only after a noun for a text,
 * such as "comment".
 */
const TEXT_AFTER_COLON = new RegExp(
  `^\\s*(?:please\\s+|bitte\\s+)?${TEXT_VERB}\\s+${ANY_ARTICLE}\\s+${NEW_BEFORE_NOUN}` +
    `(?:(${TEXT_NOUN})(?:\\s+hinzu)?\\s*:\\s+([^:="]+?)|(\\p{L}+(?:\\s\\p{L}+)?)\\s*:\\s+([^:=,"]+?))[.!]?\\s*$`,
  "iu",
);

/**
 * Returns the task with a word such as "named" between a noun and the name after it, if the name cannot be an ordinary
 * word: "Add the user Marc" becomes `add user named "Marc"`. A text after a colon is a name too.
 *
 * @param nouns the things that the page has a field for. The name of such a thing may be an ordinary word
 */
export function withNamingWord(task: string, nouns: ReadonlySet<string> = new Set()): string | undefined {
  const [, textNoun, textOfNoun, noun = textNoun, text = textOfNoun] = TEXT_AFTER_COLON.exec(task) ?? [];
  if (noun && text) return `add ${noun} named "${text}"`;
  const things = newThingsOf(task);
  const thing = things.find((one) => nouns.has(contentWords(one.noun).join(" "))) ?? things[0];
  if (thing === undefined) return undefined;
  if (!SURE_NAME.test(thing.name) && !nouns.has(contentWords(thing.noun).join(" "))) return undefined;
  return `add ${thing.noun} named "${thing.name}"`;
}
