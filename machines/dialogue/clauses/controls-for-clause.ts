/**
 * Scores the controls that a clause may click or check: the button "Archive" for "archive the mail from Ada". A
 * score depends on the words of the clause in the names and the surroundings of the control.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import {
  describe,
  described,
  describedOn,
  MIN_SCORE,
  type Page,
  type Reading,
  UNKNOWN,
} from "../elements/clause-match-score.ts";
import { isTick, opensMenu, roleOf } from "../elements/texts-that-may-name-element.ts";
import type { ElementWords } from "../elements/words-of-page-elements.ts";
import { isCommonVerb, leadVerb, statementVerb } from "../task/clause-verb.ts";
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { PER } from "../values/list-options-for-clause.ts";
import { fScore } from "../words/name-match-score.ts";
import { contentWords } from "../words/normalised-words.ts";
import { CREATING, OF, switchesOff, VERBS } from "../words/task-word-lists.ts";

/**
 * Verbs that say nothing about the wanted control. They only count if the name of a control contains them.
 */
const BEGINNING: ReadonlySet<string> = new Set(["start", "begin"]);
/** Matches verbs that people use only for checkboxes, such as "tick". */
export const TICKING =
  /^(?:tick|untick|check|uncheck|mark|unmark|markiere|hake|coche|decoche|marca|desmarca)$/u;

/** Returns the position that a clause names, such as "second". */
export const ordinalOf = (tokens: readonly Token[]) =>
  ordinalIn(
    tokens
      .filter(({ kind }) => kind === "word")
      .map(({ text }) => text)
      .join(" "),
  );

/**
 * Weight factor of a word of the task clause that is capitalised, quoted or contains a digit. Other words have the
 * factor 1.
 */
const EMPHASIS = 1.6;
/**
 * Factor by which some words of a clause count more than others: its first verb, such as "archive", and the
 * words before "of", such as "settings" in "the settings of Anna".
 */
const ACTION = 2;

/**
 * Weight of a task clause's first verb if no element of the page has it in a name. The weight is high, so that all
 * elements score low: the page probably does not offer the action.
 */
const MISSING_VERB = 1.2;
/** Weight of the verb of a statement, such as "I speak English". Such a verb rarely names an element. */
const STATED = 0.2;

/** Returns a function that gives the weight factor of a word of the task clause. */
function emphasisOf(tokens: readonly Token[], isStart: boolean): (word: string) => number {
  const strong = new Set(
    tokens.flatMap((one, at) =>
      one.kind === "value" || /[#\d]/u.test(one.text) || (/^\p{Lu}/u.test(one.text) && (at > 0 || !isStart))
        ? contentWords(one.text)
        : [],
    ),
  );
  const [first] = described(tokens.filter(({ kind }) => kind === "word").slice(0, 3));
  const at = tokens.findIndex(({ kind, plain }, index) => index > 0 && kind === "word" && OF.test(plain));
  const heads = new Set(at < 0 ? [] : described(tokens.slice(0, at)));
  const isAction =
    first !== undefined &&
    !strong.has(first) &&
    !Object.values(VERBS).some((set) => set !== VERBS.MESSAGE && set.has(first));
  return (word) =>
    strong.has(word) ? EMPHASIS : (isAction && word === first) || heads.has(word) ? ACTION : 1;
}

/**
 * For each word for a kind of control, such as "tab": a function that checks whether an element is of this
 * kind.
 */
const ROLE_HINTS: Readonly<Record<string, (element: HighlightedElement) => boolean>> = {
  button: (element) => roleOf(element) === "button",
  link: ({ tagName }) => tagName === "a",
  tab: (element) =>
    roleOf(element) === "tab" ||
    /tab/u.test(element.attributes["data-toggle"] ?? element.attributes["data-bs-toggle"] ?? ""),
  menu: (element) => opensMenu(element) || /ellipsis|dots|more|kebab|bars/u.test(element.icon ?? ""),
  checkbox: isTick,
  switch: isTick,
  toggle: isTick,
};
const HINT_WEIGHT = 0.4;
/**
 * Score factor of a control that the task clause describes only by its kind or its surroundings. A matching name is
 * stronger evidence.
 */
const NAMELESS = 0.9;
/**
 * How much the words in an element's name that the task clause lacks reduce the score of the name (0 to 1). With 1,
 * the score would be reduced by the share of these words in the name. The value is lower, because people shorten long
 * names.
 */
const EXTRA_WORDS = 0.8;
/**
 * Score factor of a checkbox that is already in the wanted state. The task clause then probably refers to another
 * checkbox.
 */
const DONE = 0.8;

/**
 * Score factor of a checkbox whose name has only the verb of a clause without a noun: "Send me a copy" for
 * "send it". Such a clause more likely means a button.
 */
const ONLY_VERB = 0.75;

/**
 * Score factor of a table cell. It is low, because a task more likely means a control in the row of the cell.
 */
const CELL = 0.75;
const isCell = (element: HighlightedElement): boolean => /^(?:cell|gridcell)$/u.test(roleOf(element));

/** Score factor of a column header for a task clause that does not sort the table. A click on such a header sorts. */
const COLUMN_HEADER = 0.75;
const SORTING =
  /\b(?:sort\p{L}*|order\p{L}*|column|ascending|descending|spalte|tri\p{L}*|colonne|ordena\p{L}*|columna)\b/iu;
const isColumnHeader = (element: HighlightedElement): boolean =>
  element.tagName === "th" || roleOf(element) === "columnheader";

/** Matches the text of a survey question. The text is usually the heading of the answers. */
const QUESTION = /\?\s*\*?\s*$/u;
/**
 * Score factor for a click on the text of a question. The task clause probably refers to an answer to the question,
 * and not to its text.
 */
const ASKING = 0.7;

/**
 * Returns the data of a task clause by which elements are scored as the target of a click: the clause's words, their
 * weights, and its words for kinds of controls. It is computed once for all elements.
 */
export function clickClause(tokens: readonly Token[], page: Page) {
  const position = contentWords(ordinalOf(tokens)?.word ?? "");
  const all = describedOn(tokens, page);
  const emphasis = emphasisOf(tokens, true);
  const quoted = new Set(tokens.flatMap(({ isQuoted, text }) => (isQuoted ? contentWords(text) : [])));
  const text = textOf(tokens);
  const lead = leadVerb(tokens);
  const missing = lead !== undefined && !isCommonVerb(lead) && !page.isKnown(lead) ? lead : undefined;
  const stated = statementVerb(tokens);
  // The verb of a statement may be the name of a button: "I like the photo" may mean the button "Like".
  const isName =
    stated !== undefined &&
    page.hasWord(stated) &&
    page.words.some(({ names }) => names.some(({ words }) => words.length === 1 && words[0] === stated));
  const unknownWeight = (word: string): number =>
    quoted.has(word) ? EMPHASIS : word === missing ? MISSING_VERB : UNKNOWN;
  return {
    all,
    words: all.filter((word) => !position.includes(word) && !(BEGINNING.has(word) && !page.hasWord(word))),
    hints: tokens.flatMap(({ plain }) => ROLE_HINTS[plain] ?? []),
    text,
    isPeriod: PER.test(text),
    isTicking: TICKING.test(tokens[0]?.plain ?? ""),
    isOnlyVerb: lead !== undefined && all.every((word) => word === lead) && !VERBS.TICK.has(lead),
    weightOf: (word: string): number =>
      page.weightOf(word) *
      (word === stated && !isName ? STATED : page.isKnown(word) ? emphasis(word) : unknownWeight(word)),
  };
}

export type ClickClause = ReturnType<typeof clickClause>;

export function clickReadings(
  { words, hints, text, isTicking, isOnlyVerb, weightOf }: ClickClause,
  own: ElementWords,
  page: Page,
): readonly Reading[] {
  const { element } = own;
  page.onScored();
  const isTicked = isTick(element);
  const free = isTicked ? [VERBS.TICK, VERBS.SET, VERBS.CHOOSE, VERBS.OPEN] : [VERBS.OPEN, VERBS.CHOOSE];
  const isHinted = hints.some((hint) => hint(element));
  const scale = { similar: page.similar, weightOf };
  const added = isTicked ? describe(words, [...free, CREATING], own, scale) : undefined;
  // For "Add gift wrap", the checkbox "Gift wrap" is ticked, although its name lacks the verb "add". If the clause
  // contains enough of the checkbox's name, the verb is not compared.
  const said = added && added.precision >= ADDED ? added : describe(words, free, own, scale);
  const { name, precision } = said;
  const extra = hints.length > 0 ? HINT_WEIGHT : 0;
  const weight = said.weight + extra;
  if (said.weight === 0 && !isHinted) return [];
  const recall = (said.recall * said.weight + (isHinted ? extra : 0)) / weight;
  const isNameless =
    (isHinted && own.names.every((one) => one.weight < 1)) ||
    own.names.length === 0 ||
    (isTicked && name === 0);
  const score = isNameless
    ? recall * (isTicked && isTicking ? 1 : NAMELESS)
    : name === 0
      ? 0
      : fScore(recall, 1 - EXTRA_WORDS * (1 - precision));
  const off = isTicked && switchesOff(text, nameOf(element));
  const isQuestion = element.role === undefined && QUESTION.test(nameOf(element));
  const isDone = isTicked && element.checked === !off && roleOf(element) !== "radio";
  return score < MIN_SCORE
    ? []
    : [
        {
          element,
          kind: isTicked ? "check" : "click",
          value: null,
          off,
          score:
            score *
            (isDone ? DONE : 1) *
            (isTicked && isOnlyVerb && precision < 1 ? ONLY_VERB : 1) *
            (isQuestion ? ASKING : 1) *
            (isCell(element) ? CELL : 1) *
            (isColumnHeader(element) && !SORTING.test(text) ? COLUMN_HEADER : 1),
          name,
        },
      ];
}

/**
 * Minimum share (0 to 1) of a checkbox's name that the clause must contain, if the verb of the clause may also
 * mean a click, such as "add".
 */
const ADDED = 0.8;
