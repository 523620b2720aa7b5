/**
 * Finds the possible targets of one clause of a task on a page. Each result is called a reading: an element,
 * the action on it (such as a click or the choice of an option), and a score.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import {
  CALLED,
  described,
  describedOn,
  MIN_SCORE,
  type Page,
  type Reading,
} from "../elements/clause-match-score.ts";
import { isOppositeOf, isOtherChangeThan } from "../elements/controls-with-other-effect-than-asked.ts";
import { withoutCards } from "../elements/elements-described-by-task-words.ts";
import { isField, isList, isTick } from "../elements/texts-that-may-name-element.ts";
import { type ElementWords, explained } from "../elements/words-of-page-elements.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { listReadings } from "../values/list-options-for-clause.ts";
import { PRONOUN } from "../values/possible-values-in-clause.ts";
import { boundField } from "../values/values-bound-by-field-index.ts";
import { contentWords } from "../words/normalised-words.ts";
import { CREATING, EDITING, SENDING, SUBMITTING, TYPING, VERBS } from "../words/task-word-lists.ts";
import { clickClause, clickReadings, ordinalOf, TICKING } from "./controls-for-clause.ts";
import { isListForOne } from "./links-to-lists-of-things.ts";
import { FieldReader } from "./text-fields-for-clause.ts";

/**
 * Score factor of an element whose name lacks the task clause's verb, if another element has the verb in its name.
 */
const OTHER_ACTION = 0.6;
/**
 * Score factor of a link for a clause with a pronoun, such as "Trash it". A link "Trash" opens a folder; a
 * button "Trash" is more likely.
 */
const LINK_TO_IT = 0.85;
/** Score factor for a verb such as "tick" and an element that is no checkbox, radio button or switch. */
export const UNTICKABLE = 0.6;
/** Score factor of a click when the verb of the clause enters text, such as "type". */
const NOT_TYPED = 0.6;
/**
 * Verbs of clauses that do not choose an option of a list. "Open the ferry line website" does not choose the
 * option "Ferry" of a list "Line".
 */
const NO_CHOICE =
  /^(?:open|edit|write|view|read|delete|remove|duplicate|copy|offne|bearbeite|losche|ouvre|modifie|supprime|abre|edita|elimina|apri|modifica|leggi|cancella|rimuovi|duplica|copia)$/u;
/**
 * Factor for the score of a list's option, if the clause has a verb of `NO_CHOICE`, such as "open", which
 * chooses no option.
 */
const NOT_CHOSEN = 0.75;
/**
 * Matches the start of a statement of consent, such as "I accept the terms". Such a statement ticks a
 * checkbox.
 */
const AGREEING = /^(?:i|we)\s+(?:agree|accept|consent)\b/iu;
/**
 * Maximum number of tokens (words and values) of a task clause that may name a control to click or a list. A longer
 * clause contains a text for a field.
 */
const CLICK_LENGTH = 40;
/**
 * Maximum number of elements that are scored in detail for one task clause. The elements with the most matching words
 * are chosen.
 */
const RELATED = 80;
/**
 * Maximum number of a clause's best elements for two slow steps: the removal of cards around other elements,
 * and the count of positions such as "the second".
 */
const COMPARED = 60;
/** Maximum number of possible targets that are returned for one task clause. */
const KEPT = 6;
export function readingsOf(tokens: readonly Token[], page: Page): readonly Reading[] {
  const index = boundField(tokens[0]?.text ?? "");
  if (index !== undefined) return boundReading(index, tokens, page);
  const related = relatedTo(tokens, page);
  const fields = new FieldReader(tokens, page);
  const isShort = tokens.length <= CLICK_LENGTH;
  const clause = clickClause(tokens, page);
  const said = new Set(contentWords(clause.text));
  const [isOtherChange, isOpposite] = [isOtherChangeThan(clause.text), isOppositeOf(clause.text)];
  const found = page.words.flatMap((words): readonly Reading[] => {
    const { element } = words;
    if (element.disabled || isOtherChange(element) || isOpposite(element)) return [];
    if (isList(element)) return isShort ? listReadings(clause, said, words, page) : [];
    if (isField(element)) {
      const reading = fields.read(words, related.has(words));
      return reading ? [reading] : [];
    }
    const isCandidate = isShort && (related.has(words) || clause.hints.some((hint) => hint(element)));
    return isCandidate ? clickReadings(clause, words, page) : [];
  });
  const action = actionOf(tokens);
  const acting = action === undefined ? [] : calledBy(action, page);
  const verb = tokens[0] && described(tokens.slice(0, 1))[0];
  const editing =
    verb !== undefined && EDITING.has(verb)
      ? page.words
          .filter((one) => explained(verb, one, page.similar).name >= CALLED)
          .map(({ element }) => element)
      : [];
  const hasPronoun = tokens.some(({ kind, plain }) => kind === "word" && PRONOUN.test(plain));
  const isTicking = TICKING.test(tokens[0]?.plain ?? "") || AGREEING.test(textOf(tokens));
  // A link with the address "#" may work like a button. But if the page also has a real button with the
  // clause's verb, such a link counts as an ordinary link, whose score is lower.
  const hasButton = acting.some(({ tagName }) => tagName === "button");
  const text = textOf(tokens);
  const isFiltering = FILTERING.test(text);
  const sayings = new Set(
    tokens.flatMap(({ kind, text }) => (kind === "value" && /\d/u.test(text) ? [unspaced(text)] : [])),
  );
  const saying = page.words.filter(
    ({ element }) => isTick(element) && sayings.has(unspaced(nameOf(element))),
  );
  /**
   * Returns a score factor of at most 1. The factor is lower if the action on the element would have another effect
   * than the verb of the task clause asks for.
   */
  const suits = ({ element, kind }: Reading): number => {
    if (verb !== undefined && TYPING.has(verb) && (kind === "click" || kind === "check")) return NOT_TYPED;
    if (kind === "select") {
      const isEntry = isFiltering && formPath(element) !== undefined && hasTextFields(element, page);
      return (NO_CHOICE.test(tokens[0]?.plain ?? "") ? NOT_CHOSEN : 1) * (isEntry ? ENTRY_LIST : 1);
    }
    if (kind === "check" && saying.length > 0 && saying.every((one) => one.element !== element))
      return OTHER_ACTION;
    // "Add gift wrap" may tick a checkbox, even if the name of another control contains "add". So the score
    // of a checkbox is not reduced for verbs such as "add".
    const isAdding = action !== undefined && CREATING.has(action);
    if (kind === "check")
      return acting.length > 1 && !acting.includes(element) && !isAdding ? OTHER_ACTION : 1;
    const opensFolder =
      kind === "click" && element.tagName === "a" && (element.attributes.href !== "#" || hasButton);
    const edits = editing.length === 0 || kind !== "click" || editing.includes(element) ? 1 : OTHER_ACTION;
    const link = action !== undefined && hasPronoun && opensFolder ? LINK_TO_IT : 1;
    // For "Send Hello", "Hello" is entered in the field "Message", and the form is sent. So the name of the
    // field need not contain the verb of a clause that sends.
    const isSubmitted =
      kind === "set" &&
      action !== undefined &&
      [CREATING, SENDING, SUBMITTING].some((set) => set.has(action));
    const acts = acting.length === 0 || acting.includes(element) || isSubmitted ? 1 : OTHER_ACTION;
    const list = kind === "click" && isListForOne(text, element) ? LIST_FOR_ONE : 1;
    return link * acts * edits * list * (isTicking ? UNTICKABLE : 1);
  };
  const best = new Map<HighlightedElement, Reading>();
  for (const one of found) {
    const score = one.score * suits(one);
    if (score >= MIN_SCORE && score > (best.get(one.element)?.score ?? 0))
      best.set(one.element, { ...one, score });
  }
  const sorted = [...best.values()].toSorted((one, other) => other.score - one.score).slice(0, COMPARED);
  const alone = sorted.length === 0 ? onlyControl(tokens, page) : undefined;
  if (alone) return [alone];
  const cards = withoutCards(
    { words: textOf(tokens), use: "any" },
    sorted,
    page.words.map(({ element }) => element),
  );
  const kept = sorted.filter(
    ({ element, kind }) => kind !== "click" || cards.some((one) => one.element === element),
  );
  return ordered(tokens, kept).slice(0, KEPT);
}

/** Score factor of a link to a list of things, such as "Rooms", for a clause about one of them. */
const LIST_FOR_ONE = 0.8;
/** Matches a clause that asks to show only some entries of a list, such as "Show only drafts". */
const FILTERING =
  /^(?:(?:please|now)\s+)?(?:(?:show|list|display|zeige?|montre|muestra|mostra(?:mi)?|visualizza)\s+(?:me\s+)?)?(?:only|just|nur|seulement|solo|soltanto|filter)\b/iu;
/**
 * Score factor of a list in a form with text fields, for a clause that filters, such as "Show only drafts". A
 * form with text fields creates something, so its lists filter nothing.
 */
const ENTRY_LIST = 0.9;

const hasTextFields = (list: HighlightedElement, page: Page): boolean =>
  page.words.some(
    ({ element }) => isField(element) && !isList(element) && formPath(element) === formPath(list),
  );

/** Returns a text without its spaces: "7 %" and "7%" are one value. */
const unspaced = (text: string): string => text.replace(/\s/gu, "");

/**
 * Score factor of a field to which the task binds its value by the index of the field, as in `#field-7
 * "Berlin"`. It equals the factor of a field that certainly takes this kind of value.
 */
const BOUND = 1.15;

/**
 * Returns the possible target of a clause that consists only of a field's index and a value, such as
 * `#field-7 "Berlin"`.
 */
function boundReading(index: number, tokens: readonly Token[], page: Page): readonly Reading[] {
  const element = page.words.find((one) => one.element.highlight_index === index)?.element;
  const [, value, ...rest] = tokens;
  if (!element || !value || rest.some(({ kind }) => kind !== "separator")) return [];
  if (isTick(element) || !(isList(element) || isField(element))) {
    const kind = isTick(element) ? "check" : "click";
    return [{ element, kind, value: null, off: value.text === "off", score: BOUND, name: 1 }];
  }
  const kind = isList(element) ? "select" : "set";
  return [{ element, kind, value: value.text, off: false, score: BOUND, name: 1 }];
}

/** Returns the elements whose names match a verb best. */
function calledBy(verb: string, page: Page): readonly HighlightedElement[] {
  const scores = page.words.map((one) => ({
    element: one.element,
    name: explained(verb, one, page.similar).name,
  }));
  const best = scores.reduce((most, { name }) => Math.max(most, name), 0);
  return scores.filter(({ name }) => name >= Math.max(CALLED, best - OWN_NAME)).map(({ element }) => element);
}

/**
 * An element counts as named by a task clause's verb if its name score (0 to 1) is at most this much lower than the
 * best one.
 */
const OWN_NAME = 0.12;

/** Returns the elements that match words of the task clause: at most `RELATED` of them, those that match best. */
function relatedTo(tokens: readonly Token[], page: Page): ReadonlySet<ElementWords> {
  const words = new Set([
    ...describedOn(tokens, page),
    ...tokens.flatMap(({ plain }) => contentWords(plain)),
  ]);
  const sums = new Map<ElementWords, number>();
  for (const word of words)
    for (const one of page.related(word))
      sums.set(one, (sums.get(one) ?? 0) + page.weightOf(word) * explained(word, one, page.similar).overall);
  if (sums.size <= RELATED) return new Set(sums.keys());
  const best = [...sums].toSorted(([, one], [, other]) => other - one).slice(0, RELATED);
  return new Set(best.map(([one]) => one));
}

/** Score (0 to 1) of the only control in a row, if the task clause contains a name from this row. */
const ONLY_CONTROL = 0.62;

/**
 * Returns the only control in the row that the clause names: the button "Connect" in the row "Notion" for
 * "Hook up Notion".
 */
function onlyControl(tokens: readonly Token[], page: Page): Reading | undefined {
  const words = describedOn(
    tokens.filter(({ text, kind }, at) => kind === "value" || (at > 0 && /^[\p{Lu}\d]/u.test(text))),
    page,
  );
  const inRow = page.words.filter(
    ({ element, context }) =>
      words.length > 0 &&
      !element.disabled &&
      !isField(element) &&
      !isList(element) &&
      words.every((word) => context.includes(word)),
  );
  const [only] = inRow;
  return only && inRow.length === 1
    ? {
        element: only.element,
        kind: isTick(only.element) ? "check" : "click",
        value: null,
        off: false,
        score: ONLY_CONTROL,
        name: 0,
      }
    : undefined;
}

/**
 * If the clause contains a position, such as "the second picture", the element at this position becomes the
 * first result.
 */
function ordered(tokens: readonly Token[], readings: readonly Reading[]): readonly Reading[] {
  const ordinal = ordinalOf(tokens);
  const [best] = readings;
  if (ordinal === undefined || !best || best.kind === "set" || best.kind === "search") return readings;
  const alike = readings
    .filter(({ score, kind, element }) => {
      const isTwin = nameOf(element) !== "" && nameOf(element) === nameOf(best.element);
      return kind === best.kind && best.score - score < (isTwin ? ALIKE.named : ALIKE.other);
    })
    .toSorted((one, other) => one.element.highlight_index - other.element.highlight_index);
  const picked = alike.at(ordinal.at > 0 ? ordinal.at - 1 : ordinal.at);
  return picked ? [picked, ...readings.filter((one) => !alike.includes(one))] : readings;
}

/**
 * A position such as "the second" counts similar elements. An element is similar if its score is below the
 * best score by at most this value. `named`: for elements with the name of the best element; `other`: for all
 * others.
 */
const ALIKE = { named: 0.15, other: 0.04 } as const;

/**
 * Returns the first word of a clause if it may be part of an element's name, such as "archive". Returns
 * `undefined` for general verbs such as "open" and "set".
 */
function actionOf(tokens: readonly Token[]): string | undefined {
  const [token] = tokens.filter(({ kind }) => kind === "word");
  if (!token || tokens[0] !== token) return undefined;
  const [word] = described([token]);
  return word === undefined || Object.values(VERBS).some((set) => set !== VERBS.MESSAGE && set.has(word))
    ? undefined
    : word;
}
