/**
 * Detects a plan that only chooses an option because a noun of the task occurs in it: "In milk" for "Improve the milk
 * yield". The verb and a further word of the task then fit neither the option nor its list.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { roleOf } from "../elements/texts-that-may-name-element.ts";
import { explained, similarOn, wordsOfPage } from "../elements/words-of-page-elements.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { leadVerb } from "../task/clause-verb.ts";
import { asImperative } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { CREATING, EDITING, EMPTY, SUBMITTING, TYPING, VERBS } from "../words/task-word-lists.ts";

/**
 * Verbs that may choose an option of a list, although neither the option nor the list has the verb in its
 * name.
 */
const CHOOSING: readonly ReadonlySet<string>[] = [
  VERBS.OPEN,
  VERBS.CHOOSE,
  VERBS.SEARCH,
  new Set([...VERBS.SET].filter((verb) => !TYPING.has(verb))),
  CREATING,
  EDITING,
  SUBMITTING,
  new Set(
    contentWords(
      "assign move sort order list filter pay deliver ship group limit translate apply start keep leave schedule plan passe wechsle wechseln pasa",
    ),
  ),
];
/**
 * Matches verbs of two words that choose no option, such as "sort out", although their first word alone may
 * choose one.
 */
const PHRASAL =
  /^(?:put\s+off|sort\s+out|deal\s+with|look\s+into|take\s+care\s+of|work\s+on|figure\s+out)\s/iu;

/** Whether a plan chooses an option by a single noun of the task, and no verb of the task asks for a choice. */
export function choosesByChance(
  written: string,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): boolean {
  const [step, other] = steps;
  if (step?.action !== "select_dropdown" || other !== undefined) return false;
  const task = asImperative(written);
  const verb = leadVerb(tokensOf(task));
  const isPhrasal = PHRASAL.test(task);
  if (!isPhrasal && (verb === undefined || CHOOSING.some((set) => set.has(verb)))) return false;
  const own = wordsOfPage(elements).find(({ element }) => element.highlight_index === step.targetId);
  if (own === undefined) return false;
  const similar = similarOn([own]);
  const option = contentWords(step.value ?? "");
  const unknown = contentWords(task).filter(
    (word) =>
      !FILLERS.has(word) &&
      !EMPTY.has(word) &&
      !option.includes(word) &&
      explained(word, own, similar).overall === 0,
  );
  // If the page has buttons "Renew", the task "Renew the book" means one of them, and not the option "Book"
  // of a list.
  const isOfButton = elements.some(
    (one) => roleOf(one) === "button" && contentWords(nameOf(one))[0] === verb,
  );
  return isPhrasal
    ? unknown.length > 0
    : verb !== undefined && unknown.includes(verb) && (unknown.length > 1 || isOfButton);
}
