/**
 * Finds the values that a task states beside the labels of their fields: "Berlin" in "Set the city to Berlin" and in
 * "Berlin goes into the city field". All other words of such a clause must be frame words such as "set" and "the".
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { optionOf } from "../elements/option-named-in-task.ts";
import { isList } from "../elements/texts-that-may-name-element.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { sourceOf, type Token, textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords } from "../words/normalised-words.ts";
import { CREATING, NEW_VALUE_WORDS, OWNER_WORDS, TAIL } from "../words/task-word-lists.ts";
import { type Label, labelsIn, labelsOf, type Mention } from "./field-labels-in-task.ts";
import { kindOf } from "./fit-of-value-kind-to-field.ts";
import { PRONOUN } from "./possible-values-in-clause.ts";
import { valueForField } from "./value-allowed-in-field.ts";
import { bound, boundField } from "./values-bound-by-field-index.ts";
import {
  ENTERS,
  isFrame,
  isLink,
  isMark,
  NEGATION,
  POLITE_QUESTION,
  SETTING,
  STRONG_LINK,
} from "./words-between-value-and-field.ts";

/** A clause of a task that states the value of one field. */
interface LabelledValue {
  readonly element: HighlightedElement;
  readonly value: string;
  /** Share (0 to 1) of the label that the task clause contains. */
  readonly share: number;
}

/**
 * Returns a task with the values beside labels bound to their fields: "city: Berlin" becomes `#field-7
 * "Berlin"`. Returns `undefined` if the task has no such value.
 */
export function withLabelledValues(
  task: string,
  elements: readonly HighlightedElement[],
): string | undefined {
  const tokens = tokensOf(task);
  if (tokens.some((token, at) => isNameOfValue(token, tokens[at - 1]))) return undefined;
  const regions = regionsOf(tokens, labelsOf(elements)).filter((region, at) => !isEmpty(region, at === 0));
  const isSeveral = regions.filter(({ mentions }) => mentions.length > 0).length > 1;
  const isPolite = POLITE_QUESTION.test(task.trim());
  const read = regions.map((region, at) => {
    // In "Use Ada for the name, red for the colour", the verb "use" also applies to the second clause.
    const isSet = regions
      .slice(0, at + 1)
      .some(({ tokens: own }) => own.some(({ plain }) => SETTING.has(plain)));
    return { region, value: valueIn(region, { isSeveral, isSet, isPolite }) };
  });
  const filled = read.flatMap(({ region, value }) => value?.element.highlight_index ?? boundIn(region) ?? []);
  if (filled.length === 0 || new Set(filled).size < filled.length) return undefined;
  return read
    .filter((one, at) => !continuesOption(one.region, read[at - 1]?.value))
    .map(({ region, value }) =>
      value === undefined
        ? `${sourceOf(region.tokens)}${region.end}`
        : `${bound(value.element, value.value)}${region.end || ","}`,
    )
    .join(" ");
}

/** Whether a word such as "Then" belongs to a value, because it has a capital letter inside of a sentence. */
const isNameOfValue = ({ kind, text }: Token, before: Token | undefined): boolean =>
  kind === "separator" && /^\p{Lu}/u.test(text) && before !== undefined && !/^[.!?;:\n]$/u.test(before.text);

/**
 * Returns the index of the field to which an earlier rewriting has bound the value of this part: 7 for
 * `#field-7 "Berlin"`.
 */
const boundIn = ({ tokens }: Region): number | undefined => boundField(tokens[0]?.text ?? "");

/**
 * Whether a part of the task continues the option before it: "Old Town" continues "Zone A" if the page has
 * the option "Zone A, Old Town".
 */
const continuesOption = ({ tokens, mentions }: Region, before: LabelledValue | undefined): boolean =>
  before !== undefined &&
  isList(before.element) &&
  mentions.length === 0 &&
  before.value.endsWith(`, ${textOf(tokens)}`);

/**
 * Whether a part of the task contains neither a value nor a label, but only words such as "Fill in the form"
 * at the start or "please" at the end.
 */
const isEmpty = ({ tokens, mentions }: Region, isFirst: boolean): boolean =>
  mentions.length === 0 && (isFirst ? tokens.every(isFrame) : tokens.every(({ text }) => TAIL.test(text)));

/** A region: a part of a task between two separators, with the labels of fields that it contains. */
interface Region {
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  /** The separator at the end of the region, such as a comma. */
  readonly end: string;
}

/** Words such as "for" before a label that is named first: "For the city, take Berlin". */
const TOPIC = /^(?:for|as|in|under|fur|als|unter|pour|comme|como|para|en|come|per)$/u;

/**
 * Splits a task into regions at its separators. A separator inside of a label splits nothing, and neither
 * does a colon or an equals sign directly after a label.
 */
function regionsOf(tokens: readonly Token[], labels: readonly Label[]): readonly Region[] {
  const mentions = labelsIn(tokens, labels);
  let from = 0;
  const isInside = (at: number): boolean => mentions.some(({ from, to }) => at >= from && at < to);
  const isAfter = (at: number): boolean => {
    const label = mentions.find(({ to }) => to === at);
    const mark = tokens[at]?.text ?? "";
    // In "For the city, take Berlin", the label and its value are in two parts. The comma between them splits
    // nothing, so that the value is read with its label.
    const isTopic = TOPIC.test(tokens[from]?.plain ?? "") && tokens.slice(from, label?.from).every(isFrame);
    return label !== undefined && (/^[:=]$/u.test(mark) || (mark === "," && isTopic));
  };
  const regions: Region[] = [];
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && (token.kind !== "separator" || isInside(at) || isAfter(at))) continue;
    const mark = token?.text ?? "";
    const end = mark === "" || /^\p{L}|&/u.test(mark) ? ` ${mark}`.trimEnd() : mark;
    if (at > from) {
      const own = mentions.filter((one) => one.from >= from && one.to <= at);
      const cuts = [from, ...furtherLabels(tokens, own), at];
      for (const [index, start] of cuts.slice(0, -1).entries()) {
        const stop = cuts[index + 1] ?? at;
        regions.push({
          tokens: tokens.slice(start, stop),
          mentions: own
            .filter((one) => one.from >= start && one.to <= stop)
            .map((one) => ({ ...one, from: one.from - start, to: one.to - start })),
          end: stop === at ? end : ",",
        });
      }
    }
    from = at + 1;
  }
  return regions;
}

/**
 * If a region has several complete labels, each with a value after it, returns the positions at which its
 * further parts start: before "with" in "the English term anchor with the Swedish term ankare".
 */
function furtherLabels(tokens: readonly Token[], mentions: readonly Mention[]): readonly number[] {
  if (mentions.length < 2 || mentions.some(({ share, isVerb }) => share < 1 || isVerb)) return [];
  return mentions.slice(1).flatMap(({ from }, at) => {
    const before = mentions[at]?.to ?? 0;
    let start = from;
    while (start > before && tokens[start - 1]?.kind === "word" && isJoint(tokens[start - 1] as Token))
      start--;
    return start > before && start < from ? [start] : [];
  });
}
/** Whether a word may stand between a value and the next label: "with the". */
const isJoint = (token: Token): boolean => isFrame(token) || /^(?:with|mit|avec|con)$/u.test(token.plain);

/** Facts about the task that all its clauses share. */
interface Clauses {
  /** Whether several task clauses contain a label. */
  readonly isSeveral: boolean;
  /** Whether this clause or a clause before it has a verb such as "set". */
  readonly isSet: boolean;
  /**
   * Whether the task is a polite question that asks to do something, such as "Can you set the city to
   * Berlin?"
   */
  readonly isPolite: boolean;
}

/**
 * Returns the value that a part of the task states before or after the label of a field: "Berlin" in "the
 * city is Berlin". Returns `undefined` if the part has several values or none.
 */
function valueIn(region: Region, clauses: Clauses): LabelledValue | undefined {
  const { tokens, mentions, end } = region;
  if (tokens.some(({ plain, text }) => NEGATION.test(plain) || boundField(text) !== undefined))
    return undefined;
  if (end.trim() === "?" && !clauses.isPolite) return undefined;
  const found = mentions.flatMap((mention) => [
    ...(afterLabel(tokens, mention, clauses) ?? []),
    ...(beforeLabel(tokens, mention, clauses) ?? []),
  ]);
  const [best, next] = found.toSorted((one, other) => other.share - one.share);
  if (best === undefined || (next !== undefined && next.share >= best.share)) return undefined;
  return best;
}

/** Reads a value that follows its label: "the city is Berlin", "city Berlin". */
function afterLabel(
  tokens: readonly Token[],
  mention: Mention,
  { isSeveral }: Clauses,
): readonly LabelledValue[] | undefined {
  const before = tokens.slice(0, mention.from);
  // A verb such as "add" may stand before the first label if several parts of the text have a label: "Add the
  // English term anchor with the Swedish term ankare".
  const isLead = (token: Token, at: number): boolean =>
    at === 0 && isSeveral && mention.share === 1 && CREATING.has(contentWords(token.plain)[0] ?? "");
  if (!before.every((token, at) => isFrame(token) || isLead(token, at))) return undefined;
  const rest = tokens.slice(mention.to);
  if (namesOwner(rest)) return undefined;
  const start = valueStart(rest);
  const body = withoutTail(start < 0 ? [] : rest.slice(start));
  const [first] = body;
  if (first === undefined) return undefined;
  const isMarked = start > 0;
  if (mention.isVerb && before.length === 0 && !isMarked) return undefined;
  const shape = shapeOf(body);
  if (isList(mention.label.element) || shape === "stated" || (isMarked && mention.share === 1))
    return valueFor(mention, body);
  // After a label, words in lower case are a value in three cases. Nothing precedes the label ("Bio blue harbour"), a
  // verb such as "make" precedes it ("make the bio blue harbour"), or several clauses have a label. "Edit contact
  // data" states no value.
  const isEntered = before.length === 0 || isSeveral || before.some(({ plain }) => ENTERS.test(plain));
  if (shape === "mixed" || mention.share < 1 || !isEntered) return undefined;
  return valueFor(mention, body);
}

/** Words that introduce the thing to which a field belongs: "of" in "the phone of Ada". */
const OWNER = new RegExp(`^(?:${OWNER_WORDS})$`, "u");
/** Words before the new value of a field: "to" in "Change the phone of Ada to 555". */
const NEW_VALUE = new RegExp(`^(?:${NEW_VALUE_WORDS})$`, "u");

/** Whether the words after a label name the thing to which the field belongs, and only then the value: "of Ada to 555". */
function namesOwner(rest: readonly Token[]): boolean {
  const [first, ...others] = rest;
  const at = others.findIndex(({ kind, text }) => kind === "word" && NEW_VALUE.test(text));
  return first?.kind === "word" && OWNER.test(first.plain) && at > 0 && at < others.length - 1;
}

/** Returns the index of the first token of a value after a label. */
function valueStart(rest: readonly Token[]): number {
  const [first] = rest;
  if (first?.text === ":" || first?.text === "=") return 1;
  const isTopic = first?.text === ",";
  return rest.findIndex((token, at) => !isMark(token) && !(isTopic && (at === 0 || isFrame(token))));
}

/** Reads a value that precedes its label: "Berlin as the city". */
function beforeLabel(
  tokens: readonly Token[],
  mention: Mention,
  { isSet }: Clauses,
): readonly LabelledValue[] | undefined {
  if (!tokens.slice(mention.to).every((token) => isFrame(token) || TAIL.test(token.plain))) return undefined;
  const before = tokens.slice(0, mention.from);
  const start = before.findIndex((token) => !isFrame(token));
  const end = before.findLastIndex((token) => !isFrame(token)) + 1;
  const body = start < 0 ? [] : before.slice(start, end);
  const link = before.slice(end);
  const [first] = body;
  if (first === undefined || !link.some(isLink)) return undefined;
  if (start === 0 && first.kind === "word" && FIRST_VERB.test(first.text)) return undefined;
  const isStated = shapeOf(body) === "stated";
  const isStrong = link.some(({ plain }) => STRONG_LINK.test(plain));
  if (!isStated && !((isStrong || isSet) && mention.share === 1)) return undefined;
  return valueFor(mention, body);
}

/**
 * Returns `stated` for a number, a date or another value, for a quoted text, and for words with capital
 * letters. Returns `lower` for words in lower case, which may be any words of the task, and `mixed` for both
 * together.
 */
function shapeOf(body: readonly Token[]): "stated" | "lower" | "mixed" {
  if (SECRET.test(textOf(body))) return "stated";
  const isStated = ({ kind, text }: Token): boolean => kind === "value" || /^[\p{Lu}\d]/u.test(text);
  if (body.every((token) => isStated(token) || JOINING.test(token.plain)) && isStated(body[0] as Token))
    return "stated";
  return body.some(isStated) ? "mixed" : "lower";
}
/** Matches the name of a stored secret. */
const SECRET = /^secret\s[A-Za-z]\w*$/u;
/** Words in lower case inside of names: "Head of Sales". */
const JOINING = /^(?:of|and|the|de|la|du|des|van|von|der|am|del|di|della|e|y|et|und|kg|min|minutes|hours)$/u;

/**
 * Returns only the date of a value, if words in lower case are before it: "entry 04/01/2027". Such words continue the
 * label, "date of entry".
 */
function withoutLabelRest(body: readonly Token[]): readonly Token[] {
  const date = body.at(-1);
  const isRest = body
    .slice(0, -1)
    .every(({ kind, text }) => kind === "word" && text === text.toLowerCase() && !/\d/u.test(text));
  return date?.kind === "value" && kindOf(date.text) === "date" && isRest ? [date] : body;
}

/** Returns the value in the form of its field; `undefined` if the field does not take it. */
function valueFor(mention: Mention, given: readonly Token[]): readonly LabelledValue[] | undefined {
  const body = withoutLabelRest(given);
  const { element, words } = mention.label;
  const text = textOf(body);
  // In "publish it", the pronoun is no value for a field "Publish on".
  if (body.every(({ kind, plain }) => kind === "word" && PRONOUN.test(plain))) return undefined;
  // Several values in one task clause belong to several fields, so together they are no value of this field.
  if (body.filter(({ kind }) => kind === "value").length > 1 && kindOf(text) === "text") return undefined;
  if (body.some(({ isQuoted }) => isQuoted) && body.length > 1) return undefined;
  const option = isList(element) ? optionOf(element, text) : undefined;
  const value = isList(element) ? option : valueForField(text, element, words);
  return value === undefined ? undefined : [{ element, value, share: mention.share }];
}

function withoutTail(tokens: readonly Token[]): readonly Token[] {
  let end = tokens.length;
  while (end > 1 && tokens[end - 1]?.kind === "word" && TAIL.test(tokens[end - 1]?.plain ?? "")) end--;
  return tokens.slice(0, end);
}
