/**
 * Finds out that a plan drops a part of its task which changes the meaning: a condition, a later time, or the
 * thing that is meant. The person is then asked, and the plan has no steps.
 */
import { nameOf } from "../session/element-line.ts";
import { placeOf } from "../session/element-places.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { isTick, namesOf, roleOf, rowText } from "./element-names.ts";
import { contentWords } from "./normalised-words.ts";
import type { PlanStep } from "./plan-schemas.ts";
import { withoutQuotes } from "./task-parts.ts";
import { wordScore } from "./word-similarity.ts";

/** Matches a condition, but not "check if …" or "if possible". */
const CONDITION =
  /(?:^|\s)(?<!\b(?:check|see|ask|know|tell|look|me|out|even|as)\s)(?:if|unless|only\s+when|as\s+soon\s+as|wenn|falls|sobald)\s+(?!(?:possible|needed|necessary|required|you|not)\b)/iu;
/** Matches a condition at the start of a task, in more languages. */
const FIRST_CONDITION = /^\s*(?:please\s+)?(?:if|unless|wenn|falls|si)\s/iu;
/** Matches a time at the end of a task, at which the action should be done. */
const LATER =
  /\s(?:(?:at|um|à|a\s+las)\s+\d{1,2}(?::\d{2})?\s*(?:[ap]m|uhr|h)?|tomorrow|tonight|demain|mañana|in\s+\d+\s+(?:minutes?|hours?|days?))[.!]?\s*$/iu;
/**
 * Matches an identifier, such as "web-01" or "db-replica". "e-mail" does not match, because its first part is
 * a single letter.
 */
const IDENTIFIER = /(?<=\s)[\p{L}\p{N}]{2,}(?:-[\p{L}\p{N}]+)+/gu;
/** Matches a task that only opens or shows something, and so enters no text. */
const LOOKING = /^\s*(?:please\s+)?(?:open|show|view|see|go\s+to)\s/iu;

/** Score (0 to 1) at which a word of a task is a word of an element. */
const SAME_WORD = 0.9;

interface Page {
  readonly task: string;
  readonly steps: readonly PlanStep[];
  readonly elements: readonly HighlightedElement[];
}

/** Whether a plan leaves out a condition, a time or the thing that its task means. */
export function isDoubtful(given: Page): boolean {
  const page = { ...given, task: withoutQuotes(given.task) };
  return (
    isQuestion(page.task) ||
    isOnlyBetter(page) ||
    isConditional(page) ||
    isLater(page) ||
    isOfOther(page) ||
    isOnlyLookedAt(page)
  );
}

/** Matches a question to which the page has no control: "Which room do you recommend?" */
const QUESTION =
  /^\s*(?:which|who|whose|why|when|are\s+(?:we|you|they)|do\s+(?:i|we)|should\s+(?:i|we)|wer|wann|warum|wieso|soll(?:en)?\s+(?:ich|wir)|combien|pourquoi|quand|cuánto|cuándo|por\s+qué|quién)\b[^.!?]*\?\s*$/iu;

/** Matches a wish for more of something without saying how: "Make the text bigger", "Make it more popular". */
const BETTER =
  /^\s*(?:please\s+)?(?:make|mach|rends?|haz)\s+\S.*?\s(more\s+\p{L}+|\p{L}{2,}(?:er|ier)|better|plus\s+\p{L}+|más\s+\p{L}+)\s*[.!]?\s*$/iu;

/** Whether a task only wishes for more of something, and no control of the plan has the wish in a name. */
function isOnlyBetter({ task, steps, elements }: Page): boolean {
  const [, wish] = BETTER.exec(task) ?? [];
  if (wish === undefined) return false;
  const words = contentWords(wish);
  return !steps.some(({ targetId }) => {
    const element = elements.find((one) => one.highlight_index === targetId);
    return element !== undefined && words.some((word) => has(element, word));
  });
}

/** Whether a task only asks for information, and orders nothing. */
const isQuestion = (task: string): boolean => QUESTION.test(task);

/** Returns the buttons that a plan presses. */
function pressed({ steps, elements }: Page): readonly HighlightedElement[] {
  return steps.flatMap(({ action, targetId }) => {
    const element = elements.find((one) => one.highlight_index === targetId);
    return action === "click" && element && !isTick(element) && roleOf(element) === "button" ? [element] : [];
  });
}

function isConditional(page: Page): boolean {
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  if (FIRST_CONDITION.test(page.task) && isRisky) return true;
  return CONDITION.test(page.task) && (isRisky || pressed(page).length > 0);
}

/**
 * Whether the task names a later time, although the plan presses its buttons at once. If the name of a button
 * contains a number, the button may be that time: "21:00" for "at 9 pm". The result is then false.
 */
function isLater(page: Page): boolean {
  const [time] = LATER.exec(page.task) ?? [];
  const buttons = pressed(page);
  if (time === undefined || buttons.length < page.steps.length) return false;
  const words = contentWords(time);
  if (buttons.some((button) => /\p{N}/u.test(nameOf(button)))) return false;
  return buttons.length > 0 && !buttons.some((button) => words.every((word) => has(button, word)));
}

/** Whether the plan presses a button in another row than the row with the identifier in the task. */
function isOfOther(page: Page): boolean {
  const buttons = pressed(page);
  const steps = page.steps.map(({ targetId }) => targetId);
  const used = page.elements.filter((element) => steps.includes(element.highlight_index));
  return (page.task.match(IDENTIFIER) ?? []).some((identifier) => {
    const words = contentWords(identifier);
    const isThere = (element: HighlightedElement): boolean => words.every((word) => has(element, word));
    const isTyped = page.steps.some(({ value }) => value?.includes(identifier));
    if (words.length < 2 || isTyped || used.some(isThere)) return false;
    const isPartly = buttons.some(
      (button) => hasTwin(button, page.elements) && words.some((word) => has(button, word)),
    );
    return isPartly || (buttons.length > 0 && /\p{N}/u.test(identifier) && page.elements.some(isThere));
  });
}

const hasTwin = (element: HighlightedElement, all: readonly HighlightedElement[]): boolean =>
  all.some((one) => one !== element && nameOf(one) === nameOf(element));

/**
 * Whether the plan types text into a field that the task does not name, although the task only opens or shows
 * something.
 */
function isOnlyLookedAt({ task, steps, elements }: Page): boolean {
  const [step] = steps;
  const element = elements.find((one) => one.highlight_index === step?.targetId);
  if (!LOOKING.test(task) || step?.action !== "input" || !element || element.type === "search") return false;
  const value = contentWords(step.value ?? "");
  const names = namesOf(element).flatMap(({ text }) => contentWords(text));
  if (names.includes("search")) return false;
  return !contentWords(task).some((word) => !value.includes(word) && wordScore(word, names) >= SAME_WORD);
}

function has(element: HighlightedElement, word: string): boolean {
  const { headings, caption } = placeOf(element);
  const texts = [rowText(element), element.formName ?? "", ...headings, ...caption];
  const words = [...namesOf(element).map(({ text }) => text), ...texts].flatMap((text) => contentWords(text));
  return wordScore(word, words) >= SAME_WORD;
}
