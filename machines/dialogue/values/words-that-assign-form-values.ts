/** Words in tasks and names of fields by which a value is assigned to a field of a form. */
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { namesOf, rowPath, rowText } from "../elements/texts-that-may-name-element.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { CREATING, EDITING, EMPTY, SENDING, SUBMITTING, TYPING, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";

/** Matches words at which a new part (fragment) of a task may start, such as "for". */
export const PREPOSITION =
  /^(?:for|to|with|in|at|of|from|by|on|about|as|under|au|aux|al|zum|zur|fur|an|mit|im|am|um|von|uber|als|pour|avec|dans|sur|de|du|para|con|en|sobre|por|per|di|nel|nella|sul|sulla|alla|dal|dalla|come|su)$/u;
/** Returns the stems of the given words, including filler words such as "item". */
const stemsOf = (words: string): readonly string[] => words.split(" ").flatMap((word) => contentWords(word));
/** Words in labels of fields for a person, such as "client". The most likely words come first. */
export const PERSON_FIELD = stemsOf(
  "client customer patient payee recipient guest participant student person name contact beneficiary holder owner attendee tenant borrower buyer driver passenger employee",
);
/** Words in labels of fields for a topic or a text. The most likely words come first. */
export const TOPIC_FIELD = stemsOf(
  "subject title what reference purpose topic item description details text message note remark wish content",
);
/**
 * Words in labels of fields for the name of a thing. For a quoted text, a field for a topic is preferred to
 * such a field.
 */
export const NAME_FIELD = stemsOf("name called activity campaign project product");
/** Words in the names of fields that ask for a place. */
export const PLACE_FIELD = stemsOf("place room location city town where venue");
/** Words before the verb of a wish: "I would like to book …". */
export const WISHING: ReadonlySet<string> = new Set(["want", "like", "need", "mind", "would", "please"]);
/** Pronouns after a verb: "deliver it as a letter". */
export const ON_IT = /^(?:it|this|that|them|him|her|me|us|es|ihn|mich|uns|le|la|lo|li|moi|nous)$/u;
/** Words at which a relative clause starts. */
export const RELATIVE = /^(?:that|which|who)$/u;
/** Articles and possessive pronouns at the start of a noun phrase. */
export const LEADING = /^(?:the|an?|my|our|der|die|das|den|le|la|les|un|une|el|los|las|una|il|lo|gli|uno)$/u;
/** Matches words for "nothing", such as "No" in "No VAT". */
export const NOTHING = /^(?:no|none|without|kein\w*|ohne|sans|aucun\w*|sin|ningun\w*|senza|nessun\w*)$/u;
/** Matches names of options that choose nothing, such as "none". */
export const NONE = /^(?:none|no|nein|keine?|non|aucune?|ninguno?|sin|nessun[oa]?|senza)$/iu;

/** Words that do not name a field or an option of a form: fillers, and verbs that enter, choose or send. */
export const GENERIC: ReadonlySet<string> = new Set([
  ...FILLERS,
  ...EMPTY,
  ...TYPING,
  ...CREATING,
  ...SENDING,
  ...SUBMITTING,
  ...EDITING,
  ...Object.values(VERBS).flatMap((set) => [...set]),
  ...contentWords("would mind also log record note book register invite deliver now"),
]);

/** Types of fields that take only numbers, dates or times. */
export const TYPES = /^(?:number|date|time)$/u;
/** Words in names of fields that contain numbers, dates or addresses, and no free text. */
export const NOT_TEXT = stemsOf(
  "email mail date day birthday phone telephone mobile amount quantity price hours number iban zip postcode code",
);

/** Words for units after a number: "5 GB", "3 days". */
export const UNITS: ReadonlySet<string> = new Set(
  "gb mb tb kg km cm eur usd pound pounds euro euros dollar dollars franc francs month minutes minute hours hour day days".split(
    " ",
  ),
);

/**
 * Whether a name of the button contains the verb, or the noun for the verb's action: "Send invitation" for
 * "invite".
 */
export const does = (verb: string, button: HighlightedElement): boolean =>
  namesOf(button).some(({ text }) => wordScore(verb, contentWords(text)) >= ACTION);
/**
 * Minimum score (0 to 1) of a verb, or of its noun, in the name of a button: "Send invitation" for "invite".
 */
export const ACTION = 0.85;

/** A text in a table row names the only field of the row if it has at most this number of words: "Last day". */
const ROW_LABEL = 5;

/**
 * Returns the words of an element's names and placeholder. For an element without a name, also returns the
 * words of its caption (the text before it). For a field in a row of a table, returns the short text of the row too.
 */
export const namesWithCaption = (element: HighlightedElement): readonly string[] => {
  const caption = nameOf(element) === "" ? [placeOf(element).caption.at(-1) ?? ""] : [];
  const row = rowPath(element) === undefined ? "" : rowText(element);
  const label = row.split(/\s+/u).length <= ROW_LABEL ? row : "";
  return [...namesOf(element).map(({ text }) => text), element.placeholder ?? "", ...caption, label].flatMap(
    (text) => contentWords(text),
  );
};

/** Removes an article at the start of the tokens. */
export const withoutArticle = (tokens: readonly Token[]): readonly Token[] =>
  tokens[0] && LEADING.test(tokens[0].plain) ? tokens.slice(1) : tokens;
/** Returns tokens without a word such as "is" at the start. */
export const withoutMark = (tokens: readonly Token[]): readonly Token[] =>
  tokens[0] && /^(?:is|to|as|of|ist|est|es|e|=|:)$/u.test(tokens[0].plain) ? tokens.slice(1) : tokens;

/** Returns a value together with adjacent codes, such as "GH19 TUV" for the value "GH19". */
export function codeAt(value: Token, body: readonly Token[]): string {
  if (value.isQuoted || !/\p{Lu}/u.test(value.text)) return value.text;
  const isCode = (token: Token | undefined): boolean =>
    token !== undefined && /^[\p{Lu}\d-]+$/u.test(token.text);
  const at = body.indexOf(value);
  let to = at + 1;
  while (isCode(body[to])) to++;
  return textOf(body.slice(at, to));
}
