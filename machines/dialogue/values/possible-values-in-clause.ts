/**
 * Finds the parts of a clause that may be the value of a field, such as "Berlin" in "set the city to Berlin",
 * each with its likelihood.
 */

import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { endsWithPrefix } from "../words/german-separable-verbs.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { AS, TAIL, TO, VERBS } from "../words/task-word-lists.ts";
import { kindOf } from "./fit-of-value-kind-to-field.ts";

export interface Span {
  /** Whether this part of the task clause consists only of words, without a number, date, address or quoted text. */
  readonly isText: boolean;
  readonly from: number;
  readonly to: number;
  readonly prior: number;
}

/**
 * Maximum number of tokens (words and values) of a value that ends inside its task clause. A longer value ends at a
 * separator or at the end of the clause.
 */
const INNER_LENGTH = 8;
/**
 * Maximum number of tokens (words and values) around a value in its task clause. These tokens must describe the
 * value's field, and a longer text rarely does.
 */
const DESCRIPTION = 40;
/** Maximum number of tokens (words and values) of a value of a known kind, such as a street address. */
const KIND_LENGTH = 10;

/**
 * A part of a task clause counts as a possible value if its likelihood (0 to 1) of being one is at least this number.
 */
const MIN_PRIOR = 0.45;
/**
 * Minimum likelihood (0 to 1) that a part of a task clause is a value, if the part has a known kind: for example, it
 * names a country.
 */
const KIND = 0.93;

/** Likelihood (0 to 1) that a value starts after a certain token (word or sign). */
const OPENS = {
  /**
   * Likelihood that a value starts after a colon, an equals sign, or a word such as "to" that always precedes
   * a value.
   */
  certain: 1,
  /** Likelihood that a value starts after the name of the field, as in "city Berlin". */
  field: 0.97,
  /** Likelihood (0 to 1) that a value starts after a verb such as "set" or "type": "type Berlin". */
  verb: 0.95,
  /**
   * Likelihood that a value starts after a pronoun, after a word such as "for" that follows a verb, or at the
   * start of a clause, as in "Berlin is the city".
   */
  likely: 0.9,
  /**
   * Likelihood that a value starts at a less certain place: at the start of a clause without "is", or after a
   * word such as "for" that follows no verb.
   */
  possible: 0.6,
  /** Likelihood that a value starts after any other word or sign. */
  unlikely: 0.5,
} as const;
/**
 * Likelihood (0 to 1) that a value in a task ends before a token. `separator`: the token is a separator.
 * `field`: the token is "as" and the name of the field follows. `other`: any other token.
 */
const CLOSES = { separator: 1, field: 0.98, other: 0.5 } as const;
/** Factors (0 to 1) for the likelihood that a text is one value. */
const CONTAINS = {
  /** Factor for each separator in the text, such as a comma: a text with separators is more likely several values. */
  separator: 0.75,
  /** Factor for each joining word, such as "for", in the text. */
  join: 0.85,
  /** Factor of a text that contains the name of the field. */
  field: 0.7,
  /** Factor of a text of lower-case words only. */
  onlyLower: 0.93,
  /**
   * Factor of a text that consists of words or of several tokens. It does not apply to a single token that is a value
   * by itself, such as a date.
   */
  wordsOrSeveralTokens: 0.98,
  /** Factor of a text that contains a word such as "to" with another value after it. */
  marked: 0.6,
} as const;

/**
 * Nouns that continue the name of a field and are not part of the value. In "VAT number EE101234567",
 * "number" belongs to the field "VAT".
 */
const FIELD_NOUN = /^(?:number|no|code|address|name|date|id|field|nummer|numero)$/u;
const SEARCHING = /^(?:search|look|find|query|such|suche|suchen|cherche|busca)$/u;
/**
 * Matches words between the name of a field and its value, such as "to". A value of several words rarely
 * contains such a word.
 */
const MARK = /^(?:to|as|=)$/u;
const MEMBERS = /^(?:of|the|de|von)$/u;
/** Words that only sometimes precede a value, such as "for". */
const WEAK_TO = /^(?:the|on|for|from|by|at|in|a|das)$/u;
const IS = /^(?:is|are|as|ist|est|es|e)$/u;
export const PRONOUN = /^(?:it|this|that|them|him|her|us|es|le|la|lo|li)$/u;

const isLower = ({ text }: Token): boolean => text === text.toLowerCase();
const isJoin = (token: Token | undefined): boolean =>
  token !== undefined && token.kind === "word" && (TO.test(token.plain) || AS.test(token.plain));

function isVerb({ plain }: Token): boolean {
  const [word = ""] = contentWords(plain);
  return [VERBS.SET, VERBS.SEARCH, VERBS.MESSAGE, VERBS.CHOOSE].some((set) => set.has(word));
}

/**
 * For one field of the page: the tokens of a task clause, and for each token whether it is a verb (`verbs`) and
 * whether it names the field (`ofField`).
 */
interface Marked {
  readonly tokens: readonly Token[];
  readonly verbs: readonly boolean[];
  readonly ofField: readonly boolean[];
  /** Index of the first token that is a verb or that names the field. */
  readonly firstVerb: number;
  readonly lastOfField: number;
}

function marked(tokens: readonly Token[], isNamedBy: (token: Token) => boolean): Marked {
  const verbs = tokens.map(isVerb);
  const ofField: boolean[] = [];
  for (const [at, token] of tokens.entries()) {
    const isNoun = FIELD_NOUN.test(token.plain) && ofField[at - 1] === true;
    ofField.push(token.kind === "word" && (isNoun || isNamedBy(token)));
  }
  const first = tokens.findIndex((_, at) => verbs[at] || ofField[at]);
  return {
    tokens,
    verbs,
    ofField,
    firstVerb: first < 0 ? tokens.length : first,
    lastOfField: ofField.lastIndexOf(true),
  };
}

function opensAt(from: number, { tokens, verbs, ofField, firstVerb }: Marked): number {
  const before = tokens[from - 1];
  if (!before) {
    const join = tokens.slice(from).find(({ plain }) => AS.test(plain))?.plain ?? "";
    return IS.test(join) ? OPENS.likely : OPENS.possible;
  }
  if (before.kind === "separator") return /[:=]/u.test(before.text) ? OPENS.certain : OPENS.unlikely;
  if (TO.test(before.plain)) {
    if (!WEAK_TO.test(before.plain)) return OPENS.certain;
    if (SEARCHING.test(tokens[0]?.plain ?? "") && before.plain !== "the") return OPENS.certain;
    return firstVerb < from - 1 ? OPENS.likely : OPENS.possible;
  }
  if (PRONOUN.test(before.plain)) return OPENS.likely;
  if (verbs[from - 1]) return OPENS.verb;
  return ofField[from - 1] ? OPENS.field : OPENS.unlikely;
}

function closesAt(to: number, end: number, { tokens, lastOfField }: Marked): number {
  const next = tokens[to];
  if (to === end || next?.kind === "separator") return CLOSES.separator;
  return AS.test(next?.plain ?? "") && lastOfField >= to ? CLOSES.field : CLOSES.other;
}

const WITH = /^(?:with|mit|avec|con)$/u;
/** Matches words for a secret in English, German, French, Spanish and Italian; "passe" is from "mot de passe". */
const SECRET = /^(?:password|passcode|passwort|kennwort|passe|contrasena|clave)$/u;
/** Maximum number of tokens from "with" to the word for a secret: "avec le mot de passe". */
const TO_SECRET = 4;

/**
 * Returns the index of the words "with the password", or of the end if the clause lacks them. No value
 * continues after this index: in "named karl with the password Secret-2026", the name is only "karl".
 */
function secretAt(tokens: readonly Token[]): number {
  const at = tokens.findIndex(
    ({ plain }, index) =>
      WITH.test(plain) &&
      tokens.slice(index + 1, index + 1 + TO_SECRET).some((one) => SECRET.test(one.plain)),
  );
  return at < 0 ? tokens.length : at;
}

/** Words before a place, such as "in". A value never starts with one of them. */
const PLACE = /^(?:in|on|at|into|below|under|above|from|of|next|beside|unter|uber|sous|sur|debajo)$/u;

/** Matches words before "one" that point to a thing of the page: "the next one". */
const POINTING =
  /^(?:next|last|first|second|third|other|same|this|that|each|previous|latest|newest|oldest)$/u;
/** Matches verbs between a thing and its value: "hat" in "Der Zähler hat die Nummer 4471". */
const HAS = /^(?:has|have|hat|haben|hatte|tiene|tienen)$/u;
/** Adverbs at the end of a clause, which belong to no value: "yet", and "too" in "Send it to Lotte too". */
const ADVERB = /^(?:yet|too|also|already|still|instead|again|auch|noch|schon|aussi|encore|también|todavía)$/u;

/**
 * Whether this token can be the start of a value with several tokens. It cannot if it is a quoted text, an
 * e-mail address or a URL, because these are complete values.
 */
function canStart(from: number, { tokens, verbs, ofField }: Marked): boolean {
  const first = tokens[from];
  if (!first || first.isQuoted || /@|:\/\//u.test(first.text)) return false;
  if (/^ones?$/u.test(first.text) && POINTING.test(tokens[from - 1]?.plain ?? "")) return false;
  if (isLower(first) && (PLACE.test(first.plain) || HAS.test(first.plain))) return false;
  // A verb at the start of a clause is not part of a value: "Write Hello" enters "Hello".
  if (from === 0 && tokens.length > 1 && FIRST_VERB.test(first.text) && first.kind === "word") return false;
  if (verbs[from] && (isLower(first) || (from === 0 && first.kind === "word"))) return false;
  return !(ofField[from] && first.kind === "word");
}

/**
 * Returns the parts of a task clause that may be the value of a field.
 *
 * @param isNamedBy whether the token is a word of the field's name
 */
export function spansOf(tokens: readonly Token[], isNamedBy: (token: Token) => boolean): readonly Span[] {
  const spans: Span[] = [];
  const clause = marked(tokens, isNamedBy);
  // The prefix of a separable verb is no part of a value: "an" in "Lege ein Tag namens shops an".
  let end = tokens.length - (endsWithPrefix(textOf(tokens)) ? 1 : 0);
  while (end > 0 && (TAIL.test(tokens[end - 1]?.plain ?? "") || tokens[end - 1]?.kind === "separator")) end--;
  const secret = secretAt(tokens);
  for (let from = 0; from < Math.min(end, DESCRIPTION); from++) {
    const first = tokens[from];
    if (!first || first.kind === "separator") continue;
    if (first.kind === "value") spans.push({ from, to: from + 1, prior: 1, isText: false });
    if (canStart(from, clause))
      spans.push(...spansFrom(from, from < secret ? Math.min(end, secret) : end, clause));
  }
  return spans;
}

function spansFrom(from: number, end: number, clause: Marked): readonly Span[] {
  const { tokens, ofField } = clause;
  const first = tokens[from];
  if (!first || (FILLERS.has(first.plain) && isLower(first))) return [];
  const spans: Span[] = [];
  const opens = opensAt(from, clause);
  let [separators, joins, hasField, isText, isAllLower] = [0, 0, false, true, true];
  let hasMarked = false;
  for (let to = from + 1; to <= end; to++) {
    const last = tokens[to - 1];
    if (!last) break;
    separators += last.kind === "separator" ? 1 : 0;
    joins += to > from + 1 && isJoin(last) && !MEMBERS.test(last.plain) ? 1 : 0;
    hasField ||= ofField[to - 1] === true;
    const before = tokens[to - 2];
    hasMarked ||= to > from + 2 && last.kind === "value" && before !== undefined && MARK.test(before.plain);
    isText &&= last.kind === "word";
    isAllLower &&= isLower(last);
    const outside = from + tokens.length - to;
    const isInner = to < end && tokens[to]?.kind !== "separator" && to - from > INNER_LENGTH;
    if (last.kind === "separator" || (to === from + 1 && first.kind === "value") || isJoin(last)) continue;
    if (last.isQuoted) break;
    const named = tokens[to - 2];
    const endsName = to === from + 1 || (named !== undefined && !isLower(named));
    if (endsName && last.kind === "word" && isLower(last) && ADVERB.test(last.plain)) continue;
    if (isInner || outside > DESCRIPTION || (to - from === 1 && FILLERS.has(last.plain))) continue;
    const isKind = to - from <= KIND_LENGTH && kindOf(textOf(tokens.slice(from, to))) !== "text";
    const prior =
      opens *
      closesAt(to, end, clause) *
      CONTAINS.separator ** separators *
      CONTAINS.join ** joins *
      (hasField ? CONTAINS.field : 1) *
      (hasMarked ? CONTAINS.marked : 1) *
      (isText && isAllLower ? CONTAINS.onlyLower : 1) *
      CONTAINS.wordsOrSeveralTokens;
    if (prior >= MIN_PRIOR || isKind)
      spans.push({ from, to, prior: isKind ? Math.max(prior, KIND) : prior, isText });
  }
  return spans;
}
