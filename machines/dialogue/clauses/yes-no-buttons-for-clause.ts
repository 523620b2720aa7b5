/**
 * A clause of a task may answer a question on the page. If so, its target is the button "Yes" or "No" of this
 * question, and not the question itself.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { ReadClause } from "../elements/clause-match-score.ts";
import { plainText } from "../words/normalised-words.ts";
import { switchesOff } from "../words/task-word-lists.ts";

/** Number of elements after a question on the page that are searched for its buttons "Yes" and "No". */
const ANSWER_WITHIN = 4;

/**
 * A task clause may be the answer to a question on the page. Replaces each such clause by the button that gives this
 * answer. If several neighbouring clauses lead to the same button, only the first is kept.
 */
export const withAnswers = (
  clauses: readonly ReadClause[],
  elements: readonly HighlightedElement[],
): readonly ReadClause[] =>
  clauses
    .map((clause) => withAnswer(clause, elements))
    .filter(({ reading }, at, all) => all[at - 1]?.reading.element !== reading.element);

/**
 * If a clause answers a question on the page, replaces the element of the clause by the question's button
 * "Yes" or "No". For example, "No driving licence" answers "Do you have a driving licence?", so the clause
 * means the button "No".
 */
function withAnswer(clause: ReadClause, elements: readonly HighlightedElement[]): ReadClause {
  const { element, kind } = clause.reading;
  if (kind !== "check" && kind !== "click") return clause;
  const at = elements.indexOf(element);
  const near = elements.slice(at + 1, at + 1 + ANSWER_WITHIN);
  const answer = (word: string) => near.find((one) => plainText(nameOf(one)) === word);
  const [yes, no] = [answer("yes"), answer("no")];
  const isAnswer = yes && no && nameOf(element).trim().endsWith("?");
  if (!isAnswer) return clause;
  const wanted = switchesOff(clause.text, nameOf(element)) ? no : yes;
  const reading = {
    ...clause.reading,
    element: wanted,
    kind: "click",
    off: false,
    question: element,
  } as const;
  return { ...clause, reading };
}
