/**
 * Finds the control whose complete name, verb and noun, is in a task: "Show on map" in the row of Marmot
 * House for "Show Marmot House on the map". It is preferred to a control whose name contains only the noun.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isOppositeOf } from "../elements/controls-with-other-effect-than-asked.ts";
import { isField, isList, isTick, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { firstVerb } from "../task/clause-verb.ts";
import { partsOf, withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { type Token, tokensOf } from "../task/split-task-into-tokens.ts";
import { PREPOSITION, withoutArticle } from "../values/words-that-assign-form-values.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { plainPhrase } from "../words/plain-verbs-for-phrases.ts";
import { EMPTY, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { openerInSameNumber, opensExactly } from "./links-to-lists-of-things.ts";

/**
 * Minimum similarity (0 to 1) at which a word of the task and a word of a control's name count as the same.
 * Synonyms have the similarity 0.8.
 */
const SAME = 0.8;
/** Minimum number of words of a name that must be in the task. A name of one word is too common. */
const NAME_WORDS = 2;

/** Verbs that the name of a button in a toolbar leaves out: "Insert a link" means the button "Link". */
const APPLYING: ReadonlySet<string> = new Set(contentWords("insert add change adjust use apply"));
/** Whether a word distinguishes a name from other names. Words such as "to" do not. */
const isMeaningful = (word: string): boolean => !FILLERS.has(word);

/**
 * Returns the control whose complete name the task contains. Returns `undefined` if there is none, or if the only
 * step of the plan already uses a control with the verb of the task.
 */
export function controlWithWholeName(
  task: string,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const [part = "", another] = partsOf(task, 2);
  const [step, further] = steps;
  const isClick = step === undefined || step.action === "click";
  if (another !== undefined || further !== undefined || !isClick || withoutQuotes(task) !== task)
    return undefined;
  const isOpposite = isOppositeOf(task);
  const controls = elements.filter(
    (one) => !one.disabled && !isField(one) && !isList(one) && !isTick(one) && !isOpposite(one),
  );
  const used = controls.find(({ highlight_index }) => highlight_index === step?.targetId);
  for (const text of [part, plainPhrase(part)]) {
    const tokens = tokensOf(text);
    const verb = firstVerb(tokens);
    if (verb === undefined || tokens.some(({ kind }) => kind === "separator")) continue;
    const words = tokens.slice(1).map(({ plain }) => plain);
    if (used && VERBS.OPEN.has(verb) && opensExactly(words, used)) return undefined;
    const opener = used && VERBS.OPEN.has(verb) ? openerInSameNumber(words, used, controls) : undefined;
    if (opener) return opener;
    if (used && wordScore(verb, wordsOf(used)) >= SAME) continue;
    const found = applied(verb, tokens, controls) ?? withVerbAndNoun(verb, tokens, controls);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the only button of a toolbar whose complete name is the noun after a verb such as "insert": the button
 * "Link" for "Insert a link". Otherwise returns `undefined`.
 */
function applied(
  verb: string,
  tokens: readonly Token[],
  controls: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const noun = withoutArticle(tokens.slice(1)).flatMap(({ plain }) => contentWords(plain));
  if (!APPLYING.has(verb) || noun.length === 0) return undefined;
  const [only, other] = controls.filter((one) => {
    const own = allWordsOf(one);
    return roleOf(one) === "button" && own.length > 0 && isSame(own, noun) && isSame(noun, own);
  });
  return other === undefined ? only : undefined;
}

function withVerbAndNoun(
  verb: string,
  tokens: readonly Token[],
  controls: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const said = tokens.flatMap(({ plain }) => contentWords(plain)).filter(isMeaningful);
  const named = controls.filter((one) => {
    const own = wordsOf(one);
    const [action = "", ...nouns] = own;
    return (
      own.length >= NAME_WORDS &&
      wordScore(verb, [action]) >= SAME &&
      isSame(nouns, said.slice(1)) &&
      !isOfOtherKind(tokens, [...own, ...contentWords(rowText(one))])
    );
  });
  return onlyOne(named, said);
}

/**
 * Whether the task means another thing than the button, because the task has a further word before the button's noun.
 * "Register with a social account" does not mean the button "Register account", because of "social".
 */
function isOfOtherKind(tokens: readonly Token[], own: readonly string[]): boolean {
  const isOf = (token: Token | undefined): boolean =>
    contentWords(token?.plain ?? "").every((word) => !isMeaningful(word) || wordScore(word, own) >= SAME);
  return tokens.some(
    (token, at) =>
      at > 1 &&
      !EMPTY.has(token.plain) &&
      !PREPOSITION.test(token.plain) &&
      contentWords(token.plain).some(isMeaningful) &&
      isOf(token) &&
      !isOf(tokens[at - 1]),
  );
}

/** Returns the words of a control's name, or the words of its icon if the control shows only an icon. */
const allWordsOf = (element: HighlightedElement): readonly string[] => {
  const name = nameOf(element);
  return contentWords(/\p{L}/u.test(name) ? name : (element.icon ?? ""));
};

/** Returns the words of a control's name without words such as "to". */
const wordsOf = (element: HighlightedElement): readonly string[] => allWordsOf(element).filter(isMeaningful);

const isSame = (words: readonly string[], others: readonly string[]): boolean =>
  words.every((word) => wordScore(word, others) >= SAME);

/**
 * Returns the control with the longest name. If several controls have names of this length, returns the one whose row
 * the task names, or `undefined` if it names none of the rows.
 */
function onlyOne(
  named: readonly HighlightedElement[],
  said: readonly string[],
): HighlightedElement | undefined {
  const longest = Math.max(0, ...named.map((one) => wordsOf(one).length));
  const best = named.filter((one) => wordsOf(one).length === longest);
  const [first, second] = best;
  if (second === undefined) return first;
  const shares = best.map((one) => {
    const own = wordsOf(one);
    const row = contentWords([rowText(one), ...placeOf(one).headings.slice(-1)].join(" "));
    return said.filter((word) => wordScore(word, own) < SAME && row.includes(word)).length;
  });
  const most = Math.max(...shares);
  const [only, other] = best.filter((_, at) => shares[at] === most);
  return most > 0 && other === undefined ? only : undefined;
}
