/**
 * Detects a plan that is wrong because it was made from single words of the task. Such a plan clicks a thing and does
 * not do what the verb asks ("The pipes are done, tick them off"), answers a complaint with any control ("My phone is
 * too slow"), or types a part of a wish ("The text needs to be better").
 */

import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isSearch } from "../clauses/text-fields-for-clause.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { isTick, namesOf, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { isRiskyElement } from "../plan/build-plan-step.ts";
import { isVague } from "../plan/plan-confidence.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { firstVerb, leadVerb } from "../task/clause-verb.ts";
import { asImperative, partsOf, withoutQuestionBefore } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS, plainWords } from "../words/normalised-words.ts";
import { CREATING, EMPTY, TYPING, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { similarity, textVector } from "../words/word-vectors.ts";
import type { PlanOnPage } from "./input-of-plan-checks.ts";
import { isAction, OPENING } from "./plans-that-would-do-unasked-actions.ts";

/**
 * Whether a plan does something else than the task says, because its elements match only single words of the
 * task.
 */
export function isPlanBySingleWords(page: PlanOnPage): boolean {
  if (typesWish(page) || onlySearchesForThing(page)) return true;
  const clicked = page.steps.flatMap(({ action, targetId }) => {
    const element = page.elements.find(({ highlight_index }) => highlight_index === targetId);
    return action === "click" && element ? [element] : [];
  });
  if (page.steps.some(isForPronoun) && !clicked.some(isTick)) return true;
  if (clicked.length > 0 && clicksState(page.task, clicked)) return true;
  if (lacksNamed(page, clicked) || leavesForm(page)) return true;
  if (clicked.length === 0 || clicked.length < page.steps.length) return answersQuestionByChoice(page);
  if (hasOtherNoun(page, clicked)) return true;
  // The checks below skip a plan of high risk, because it waits for approval. An exception is a plan that only clicks
  // things which the task names as nouns, such as "the water pipes": only the verb of the task has made such a plan
  // high-risk.
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  if (clicked.some(isRiskyElement) || (isRisky && !clicked.every((one) => isNoun(page.task, one))))
    return false;
  return (
    leavesVerb(page.task, clicked) ||
    answersComplaint(page.task, clicked) ||
    ticksByChance(page.task, clicked)
  );
}

/**
 * Whether a step clicks an element that is not on the page yet and that the task names only by a pronoun, as in "tick
 * them off".
 */
const isForPronoun = ({ action, deferred, target }: PlanStep): boolean =>
  action === "click" &&
  deferred &&
  target?.role === "" &&
  contentWords(target.name).every((word) => FILLERS.has(word) || EMPTY.has(word));

/** Minimum similarity (0 to 1) at which a word of the task counts as the same as a word of an element. */
const SAME = 0.75;

/** Returns the words of an element's names, and of the texts around the element. */
function wordsOf(element: HighlightedElement): readonly string[] {
  const { headings, caption, column } = placeOf(element);
  const names = namesOf(element).map(({ text }) => text);
  return [...names, rowText(element), element.formName ?? "", column ?? "", ...headings, ...caption].flatMap(
    (text) => contentWords(text),
  );
}

const saidIn = (task: string): readonly string[] =>
  contentWords(task).filter((word) => !FILLERS.has(word) && !EMPTY.has(word));

/** Matches a verb of two parts whose second part says what to do: "take the watch offline", "switch the charger on". */
const PHRASAL =
  /^(?:please\s+)?(?:take|put|get|bring|switch|turn|tick|check)\s(?:.*\s)?(?:out|off|offline|away|down|on|online|back)[.!]?$/iu;

/**
 * Whether a plan only clicks things, although the last verb of the task asks for something else than to open them: a
 * click on "Water pipes" for "The water pipes are done, tick them off".
 */
function leavesVerb(task: string, clicked: readonly HighlightedElement[]): boolean {
  const isThing = (one: HighlightedElement): boolean =>
    roleOf(one) !== "button" && !isTick(one) && /\p{L}/u.test(nameOf(one)) && !isActionByName(task, one);
  if (!clicked.every(isThing)) return false;
  const parts = partsOf(withoutQuestionBefore(task), dialogueLimits.parts);
  const part = parts.at(-1) ?? "";
  const verb =
    parts.length > 1 || part.includes(",")
      ? leadVerb(tokensOf(part.split(/,\s+/u).at(-1) ?? ""))
      : firstVerb(tokensOf(asImperative(part)));
  const isPhrasal = PHRASAL.test(part.split(/,\s+/u).at(-1) ?? "");
  if (verb === undefined || (OPENING.has(verb) && !isPhrasal)) return false;
  const particle = isPhrasal ? /\p{L}+(?=[.!]?$)/u.exec(part)?.[0].toLowerCase() : undefined;
  return clicked.every((one) => {
    const words = wordsOf(one);
    return wordScore(verb, words) < SAME && (particle === undefined || !words.includes(particle));
  });
}

/**
 * Whether a plan only clicks things whose names have the task's verb as a state: the column header "Created" for
 * "Create a flag", or the link "View archived flags" for "Archive the flag menu-order".
 */
function clicksState(task: string, clicked: readonly HighlightedElement[]): boolean {
  const [verb = "", ...rest] = plainWords(asImperative(task));
  const states = verb.length < SHORTEST_VERB ? [] : participlesOf(verb);
  if (rest.some((word) => states.includes(word))) return false;
  return clicked.every((one) => {
    const words = namesOf(one).flatMap(({ text }) => plainWords(text));
    return words.some((word) => states.includes(word)) && !words.includes(verb);
  });
}

/**
 * Whether the task has an abbreviation such as "VPN" that the names of other controls contain, but not the name of
 * the only clicked control. For "Open the VPN issue", such a plan clicks "Your Details".
 */
function lacksNamed({ task, steps, elements }: PlanOnPage, clicked: readonly HighlightedElement[]): boolean {
  const [one, other] = clicked;
  if (one === undefined || other !== undefined || steps.length > 1) return false;
  const names = (element: HighlightedElement) => namesOf(element).flatMap(({ text }) => plainWords(text));
  const own = [...names(one), ...plainWords(rowText(one))];
  return tokensOf(task)
    .slice(1)
    .some(
      ({ text, plain }) =>
        ACRONYM.test(text) &&
        !own.includes(plain) &&
        elements.some((element) => element !== one && names(element).includes(plain)),
    );
}

/**
 * Matches a word of only capital letters, such as "VPN". It usually names a kind of things, and no single
 * entry.
 */
const ACRONYM = /^\p{Lu}{2,}$/u;

/**
 * Whether a plan to create a thing follows a link, and then only types into fields of the page that it has
 * left. An example is the link "Add User", followed by entries in a form of the same page.
 */
function leavesForm({ task, steps, elements }: PlanOnPage): boolean {
  const [first, ...others] = steps;
  const link = elements.find(({ highlight_index }) => highlight_index === first?.targetId);
  if (first?.action !== "click" || link === undefined || roleOf(link) !== "link" || others.length === 0)
    return false;
  const isLeft =
    link.attributes.href !== undefined && !/^\s*(?:#|javascript:|$)/iu.test(link.attributes.href);
  const isEntry = ({ action, targetId }: PlanStep): boolean => action !== "click" && targetId !== null;
  return isLeft && CREATING.has(saidIn(task)[0] ?? "") && others.every(isEntry);
}

/** Number of letters of the shortest English verb whose participle is formed by the rules of `participlesOf`. */
const SHORTEST_VERB = 3;

/** Returns the possible forms of an English verb for a state: "planned" for "plan", "applied" for "apply". */
const participlesOf = (verb: string): readonly string[] =>
  [`${verb}ed`, `${verb}d`, `${verb}${verb.at(-1)}ed`, verb.replace(/y$/u, "ied")].filter(
    (one) => one !== verb,
  );

/**
 * Whether the name of an element says that a click does something, such as "Archive", and the task does not
 * use this name as a noun.
 */
const isActionByName = (task: string, element: HighlightedElement): boolean =>
  isAction(element) && !isNoun(task, element);

/** Whether a task uses the name of an element as a noun: "the water pipes". */
const isNoun = (task: string, element: HighlightedElement): boolean =>
  new RegExp(`(?:^|\\s)${ARTICLE}\\s+${RegExp.escape(nameOf(element))}(?!\\p{L})`, "iu").test(task);

/** Source of a pattern for an article or a possessive pronoun before a noun. */
const ARTICLE =
  "(?:the|my|our|this|der|die|das|mein\\p{L}*|unser\\p{L}*|le|la|les|mon|ma|mes|notre|el|los|mi|mis|il)";

/**
 * Matches a statement about a thing, without an order. It captures the predicate: "too slow" in "My phone is
 * too slow".
 */
const STATEMENT =
  /^\s*(?:the|my|our|this|der|die|das|mein\p{L}*|unser\p{L}*|le|la|mon|ma|notre|mi|el|il|mio|mia)\s[^,;.!?]*?\s(?:is|are|was|were|ist|sind|est|sont|es|está|son|è)\s+([^,;.!?]+)[.!]?\s*$/iu;

/**
 * Whether a task only states something ("My phone is too slow"), and the names of the clicked controls do not
 * contain what it states ("too slow").
 */
function answersComplaint(task: string, clicked: readonly HighlightedElement[]): boolean {
  const [, predicate] = STATEMENT.exec(task) ?? [];
  if (predicate === undefined || clicked.some(isTick)) return false;
  const words = contentWords(predicate);
  return !clicked.some((one) => wordsOf(one).some((word) => wordScore(word, words) >= SAME));
}

/**
 * Words in names of controls that name no particular thing: "all" in "Clear all", "changes" in "Save changes". A control
 * with such a name fits any task with its verb.
 */
const UNSPECIFIC_NOUNS = new Set(
  contentWords(
    "all everything default change changes file page item entry selected pdf csv excel änderungen datei eintrag seite " +
      "modifications fichier cambios archivo modifiche alterações wijzigingen bestand",
  ),
);
/**
 * Similarity (-1 to 1) below which two nouns mean different things, by their word vectors: "history" and "filters" have
 * -0.02, "password" and "filters" 0.12, "member" and "group" 0.26.
 */
const UNRELATED = 0.3;

/**
 * Whether a plan only clicks a control that has the verb of the task but another noun. Either another control has the
 * task's noun (the plan clicks "Remove cover" for "Remove the formatting"), or the nouns mean different things (it
 * clicks "Show filters" for "Show the history").
 */
function hasOtherNoun(
  { task, elements, vectors }: PlanOnPage,
  clicked: readonly HighlightedElement[],
): boolean {
  const [one, another] = clicked;
  if (one === undefined || another !== undefined) return false;
  const [verb, ...nouns] = contentWords(nameOf(one)).filter(
    (word) => !FILLERS.has(word) && !/\d/u.test(word),
  );
  const said = saidIn(task);
  const isChange = CHANGES_THING.test(task) && !OPENING.has(said[0] ?? "");
  const isSameVerb = said[0] === verb || (isChange && wordScore(verb ?? "", said.slice(0, 1)) >= SAME);
  if (nouns.length === 0 || !isSameVerb) return false;
  if (nouns.some((noun) => UNSPECIFIC_NOUNS.has(noun) || wordScore(noun, said) >= SAME)) return false;
  const notIn = (words: readonly string[]) => said.filter((word) => wordScore(word, words) < SAME);
  const left = notIn(wordsOf(one));
  // Headings do not count here: under the heading "Events", the control "Clear filters" does nothing with
  // events.
  const named = [...namesOf(one).map(({ text }) => text), rowText(one)].flatMap((text) => contentWords(text));
  const other = isChange ? notIn(named) : NAMES_THING.test(task) ? left : [];
  if (vectors && other.length > 0 && other.length >= said.length - 1) {
    if (similarity(textVector(other, vectors), textVector(nouns, vectors)) < UNRELATED) return true;
  }
  if (said[0] !== verb) return false;
  return elements.some(
    (element) =>
      element !== one &&
      namesOf(element).some(({ text }) => contentWords(text).some((word) => left.includes(word))),
  );
}

/** Verbs that may set a checkbox or a radio button, although its name does not contain the verb. */
const TICKING = [VERBS.TICK, VERBS.CHOOSE, VERBS.OPEN, VERBS.SET] as const;
/**
 * Matches the start of an order for a thing with an article or a possessive pronoun: "Upload my" in "Upload
 * my gas bill".
 */
const ORDER = new RegExp(`^\\s*(?:please\\s+)?\\p{L}+\\s+${ARTICLE}\\s`, "iu");
/** Matches an order for a thing, with an article or without: "Show the history", "Open a ticket", "Show messages". */
const NAMES_THING = new RegExp(
  `^\\s*(?:please\\s+)?\\p{L}+\\s+(?:(?:${ARTICLE}|an?|eine?n?|une?|una?)\\s+)?(?!(?:what|who|how|it|this|that|them|was|wer|es|das|ihn|sie|ce|le|la|les|qué|lo|los|las)(?!\\p{L}))\\p{L}+[.!]?\\s*$`,
  "iu",
);
/**
 * Matches an order for things with a common noun, and perhaps the thing to which they belong: "Clear the
 * events of the printer". Only the first letter of the order may be a capital letter. An order with a name
 * does not match, because a name does not say what kind of thing is meant.
 */
const CHANGES_THING = new RegExp(
  `^\\s*(?:[Pp]lease\\s+)?\\p{L}\\p{Ll}+\\s+(?:all\\s+)?(?:${ARTICLE}\\s+)?(?:\\p{Ll}+['’]s\\s+)?\\p{Ll}+(?:\\s\\p{Ll}+)?(?:\\s+(?:of|from|for|von|vom|de[rsl]?|du|des|di|della)\\s[\\p{Ll}\\s]+)?[.!]?\\s*$`,
  "u",
);

/** Whether a plan only sets a checkbox that has one noun of the task: "Natural gas" for "Upload my gas bill". */
function ticksByChance(task: string, clicked: readonly HighlightedElement[]): boolean {
  const [one, other] = clicked;
  if (one === undefined || other !== undefined || !isTick(one) || !ORDER.test(task)) return false;
  const verb = leadVerb(tokensOf(asImperative(task)));
  if (verb === undefined || TICKING.some((verbs) => verbs.has(verb)) || wordScore(verb, wordsOf(one)) >= SAME)
    return false;
  const said = saidIn(task);
  const name = contentWords(nameOf(one)).filter((word) => !FILLERS.has(word));
  const common = name.filter((word) => wordScore(word, said) >= SAME);
  return common.length <= 1 && common.length < name.length;
}

/** Matches a question about a state: "Is this a good book?" */
const STATE_QUESTION = /^\s*(?:is|are|was|were|ist|sind|est-ce|est|sont|es|está|è|sono)\s[^.!?]*\?\s*$/iu;

/**
 * Whether a plan answers a question about a state ("Is this a good book?") by choosing an option, although
 * the option and its list lack a word of the question.
 */
function answersQuestionByChoice({ task, steps, elements }: PlanOnPage): boolean {
  const [step, other] = steps;
  if (!STATE_QUESTION.test(task) || step?.action !== "select_dropdown" || other !== undefined) return false;
  const list = elements.find(({ highlight_index }) => highlight_index === step.targetId);
  const own = [...(list ? wordsOf(list) : []), ...contentWords(step.value ?? "")];
  return saidIn(task).some((word) => wordScore(word, own) < SAME);
}

/**
 * Matches a word that says how something should be, such as "nicely" or "better". Such a word is no value.
 */
const MANNER =
  /^(?:\p{Ll}{3,}ly|better|nicer|worse|shorter|longer|faster|besser|schöner|mieux|meilleure?s?|mejor)$/u;
/** Matches a value that is a part of a wish: "Biscuit a better name" of "Give Biscuit a better name". */
const WISHED = /\sa\s+(?:better|nicer)\s\p{L}/iu;
/**
 * Matches a text that ends before a stated value: with a quotation mark, a colon, or a word such as "to" or "type".
 */
const BEFORE_VALUE = /(?:["“„«:]|\b(?:to|as|with|say|type|enter|write)\s*)$/iu;

/**
 * Verbs of tasks that may be done by a text in a search field. They ask to look for a thing, to show it, or to enter
 * the text.
 */
const FINDING: ReadonlySet<string> = new Set([
  ...VERBS.SEARCH,
  ...VERBS.OPEN,
  ...VERBS.CHOOSE,
  ...TYPING,
  ...contentWords("set put filter list display count need narrow limit restrict check"),
]);

/**
 * Whether a plan only enters a text into search fields, although the verb of the task does something with a thing:
 * "Complete the task Check invoice" is not done by this text in a field "Filter tasks".
 */
function onlySearchesForThing({ task, steps, elements }: PlanOnPage): boolean {
  const verb = leadVerb(tokensOf(partsOf(asImperative(task), 1)[0] ?? ""));
  if (verb === undefined || steps.length === 0 || FINDING.has(verb)) return false;
  return steps.every(({ action, targetId }) => {
    const field = elements.find(({ highlight_index }) => highlight_index === targetId);
    return action === "send_keys" || (action === "input" && field !== undefined && isSearch(field));
  });
}

/** Whether a plan types words of a wish that are no value: "better", "me something nice for the weekend". */
function typesWish({ task, steps }: PlanOnPage): boolean {
  return steps.some(({ action, value, secret }) => {
    if (action !== "input" || value === null || secret !== null) return false;
    const at = task.indexOf(value);
    if (at < 0 || BEFORE_VALUE.test(task.slice(0, at))) return false;
    return MANNER.test(value) || WISHED.test(value) || (isVague(value) && /\s/u.test(value));
  });
}
