/**
 * Detects a plan that does something else than its task asks, because its elements match only single words of the
 * task. Such a plan opens a thing instead of changing it ("Swap maths and French"), opens a list for a single thing
 * (the link "Rooms" for "Choose a room"), sends the form of another thing, or types a whole sentence as a value.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isListForOne } from "../clauses/links-to-lists-of-things.ts";
import { isSearch } from "../clauses/text-fields-for-clause.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import {
  isField,
  isList,
  isTick,
  namesOf,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { type Explained, explained, similarOn, wordsOfPage } from "../elements/words-of-page-elements.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { changes, firstVerb, isCommonVerb } from "../task/clause-verb.ts";
import {
  asImperative,
  FIRST_VERB,
  partsOf,
  withoutQuestionBefore,
} from "../task/split-task-at-imperatives.ts";
import { type Token, tokensOf } from "../task/split-task-into-tokens.ts";
import { LEADING } from "../values/words-that-assign-form-values.ts";
import { contentWords, FILLERS, plainWords } from "../words/normalised-words.ts";
import { plainPhrase } from "../words/plain-verbs-for-phrases.ts";
import {
  CREATING,
  EDITING,
  EMPTY,
  NEW_VALUE_WORDS,
  OWNER_WORDS,
  SENDING,
  SUBMITTING,
  TYPING,
  VERBS,
} from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import type { PlanOnPage } from "./input-of-plan-checks.ts";

/** Whether a plan does something else than its task asks. */
export function doesOtherThanAsked(given: PlanOnPage): boolean {
  const page = { ...given, task: asImperative(given.task) };
  return (
    opensThing(page) ||
    clicksIconOfKind(page) ||
    closesForm(page) ||
    doesUnnamed(page) ||
    opensListForOne(page) ||
    dropsSending(page) ||
    createsBySearch(page) ||
    sendsOtherForm(page) ||
    overwritesValue(page) ||
    entersOwner(page) ||
    entersRowName(page) ||
    typesSentence(page)
  );
}

/** Matches the thing to which a changed field belongs: "Bo Lund" in "Change the phone of Bo Lund to 555". */
const OWNER_OF_FIELD = new RegExp(`\\s(?:${OWNER_WORDS})\\s+(.+?)\\s+(?:${NEW_VALUE_WORDS})\\s+(?=\\S)`, "u");

/**
 * Whether a plan types the name of the thing to which the changed field belongs: "Bo" into "First name" for "Change the
 * phone of Bo Lund to 555". On the page of another person, this would rename the person.
 */
function entersOwner({ task, steps }: PlanOnPage): boolean {
  const owner = OWNER_OF_FIELD.exec(task);
  const verb = firstVerb(tokensOf(task));
  if (!owner || verb === undefined || !(EDITING.has(verb) || VERBS.SET.has(verb))) return false;
  const ofOwner = new Set(plainWords(owner[1] ?? ""));
  const others = new Set(plainWords(task.slice(owner.index + owner[0].length)));
  return steps.some(({ action, value }) => {
    const words = action === "input" ? plainWords(value ?? "") : [];
    return words.length > 0 && words.every((word) => ofOwner.has(word) && !others.has(word));
  });
}

/** Matches the thing to which a field belongs at the end of a task: "red lentils" in "Change the amount of red lentils". */
const OWNER_AT_END = new RegExp(`\\s(?:${OWNER_WORDS})\\s+([^"“„«]+)$`, "u");

/**
 * Whether a plan types the name of a table row as the new value of a field, although the task gives no new value: "red
 * lentils" into "Amount" for "Change the amount of red lentils".
 */
function entersRowName({ task, steps, elements }: PlanOnPage): boolean {
  const owner = plainWords(OWNER_AT_END.exec(task)?.[1] ?? "");
  const verb = firstVerb(tokensOf(task));
  if (owner.length === 0 || verb === undefined || !(EDITING.has(verb) || VERBS.SET.has(verb))) return false;
  const isOwner = (text: string): boolean => plainWords(text).join(" ") === owner.join(" ");
  const isInRow = (one: HighlightedElement): boolean =>
    ` ${plainWords(rowText(one)).join(" ")} `.includes(` ${owner.join(" ")} `);
  const isTyped = steps.some(({ action, value }) => action === "input" && isOwner(value ?? ""));
  return isTyped && elements.some(isInRow);
}

/**
 * Verbs for which it is enough to open a thing or its screen. "Update" is one of them, because the screen of
 * a thing has the controls that change it.
 */
export const OPENING: ReadonlySet<string> = new Set([
  ...VERBS.OPEN,
  ...VERBS.CHOOSE,
  ...VERBS.SEARCH,
  ...EDITING,
  ...contentWords(
    "check read watch expand collapse sort order continue proceed manage flip prefiero prefere " +
      "access browse call compare consult enter examine explore inspect listen load monitor play quick reach return " +
      "review scroll start study time track " +
      "besuche lies prüfe ruf schau consulte parcours regarde retourne reviens consulta explora lee mira regresa revisa vuelve",
  ),
]);

/** Returns the element of a plan's only step if this step is a click; otherwise `undefined`. */
function onlyClicked({ steps, elements }: PlanOnPage): HighlightedElement | undefined {
  const [step, other] = steps;
  if (step?.action !== "click" || other !== undefined) return undefined;
  return elements.find(({ highlight_index }) => highlight_index === step.targetId);
}

/** Matches the name of one of several things: "Order 2". It is no verb, although "order" may be one. */
const NUMBERED = /^\p{L}+\s+(?:#|n[or]\.?\s*)?\d+$/iu;

/**
 * Whether a click on an element probably does something: its name starts with a verb, or it shows only a
 * symbol.
 */
export const isAction = (element: HighlightedElement): boolean =>
  !(roleOf(element) === "link" && NUMBERED.test(nameOf(element).trim())) && doesSomething(element);

const doesSomething = (element: HighlightedElement): boolean =>
  !/\p{L}/u.test(element.textContent ?? nameOf(element)) ||
  FIRST_VERB.test(nameOf(element).trim()) ||
  (isCommonVerb(contentWords(nameOf(element))[0] ?? "") && !/^\P{L}*\p{L}+s\b/u.test(nameOf(element)));

/**
 * Whether a plan of low risk only opens a thing or a screen, although the verb of the task asks for something else. A
 * plan of high risk does not count: it waits for approval, and the dialogue continues the task on the opened page.
 */
const opensThing = (page: PlanOnPage): boolean =>
  page.steps.every(({ risk }) => risk === "low") && verbLeftByOpening(page) !== undefined;

/**
 * Returns the verb of a task if the plan only opens a thing or a screen, and neither the clicked element nor its
 * surroundings contain the verb. For "Prescribe Paul Kerr antibiotics" and a click on the appointment of Paul Kerr,
 * it is "Prescribe". Otherwise returns `undefined`.
 */
export function verbLeftByOpening(page: PlanOnPage): string | undefined {
  const opened = openedThing(page);
  if (!opened) return undefined;
  const { verb, text, own } = opened;
  return explained(verb, own, similarOn([own])).overall === 0 ? text : undefined;
}

/**
 * Returns the verb of a task if the plan only opens the thing that the task names, and the page has the verb only
 * near the link, in a text or control that may be about something else. For "Pause the monitor Wiki", this may be the
 * counter "Pause" above the link "Wiki" (Uptime Kuma). A verb that creates something is not returned, because opening
 * the form is enough for it.
 */
export function verbOnlyNearOpenedThing(page: PlanOnPage): string | undefined {
  const opened = openedThing(page);
  if (!opened || CREATING.has(opened.verb)) return undefined;
  const { verb, text, own } = opened;
  const said = contentWords(page.task);
  const name = contentWords(nameOf(own.element));
  if (name.length === 0 || !name.every((word) => said.includes(word))) return undefined;
  const row = contentWords(rowText(own.element));
  const alone = { ...own, context: row, headings: [], region: [], explained: new Map<string, Explained>() };
  const isNear = explained(verb, own, similarOn([own])).overall > 0;
  return isNear && explained(verb, alone, similarOn([alone])).overall === 0 ? text : undefined;
}

/**
 * Returns the only element that a plan clicks, and the verb of the task: its stem (`verb`) and the word of the task
 * (`text`). Returns `undefined` if a click on the element does more than open something, or if the verb only asks to
 * open something.
 */
function openedThing(page: PlanOnPage) {
  const element = onlyClicked(page);
  const [part = "", other] = partsOf(withoutQuestionBefore(page.task), 2);
  if (!element || roleOf(element) === "button" || isTick(element) || other !== undefined) return undefined;
  const tokens = tokensOf(part);
  const verb = firstVerb(tokens);
  if (verb === undefined || OPENING.has(verb) || isAction(element)) return undefined;
  const own = wordsOfPage(page.elements).find((one) => one.element === element);
  return own && { verb, text: tokens[0]?.text, own };
}

/**
 * Whether a plan clicks an icon that only stands for the kind of a thing, although another element has the thing's
 * name. For "Open the table Repairs", such a plan clicks the icon "table", which opens a choice of icons (NocoDB).
 * For "Open the folder Reports", it clicks an icon "folder" (file managers).
 */
function clicksIconOfKind(page: PlanOnPage): boolean {
  const icon = onlyClicked(page);
  const tokens = tokensOf(partsOf(page.task, 1)[0] ?? "");
  if (!icon || !VERBS.OPEN.has(firstVerb(tokens) ?? "") || hasText(icon) || rowText(icon) !== "")
    return false;
  const kinds = namesOf(icon).flatMap(({ text }) => contentWords(text));
  const words = tokens.slice(1).flatMap(({ plain }) => contentWords(plain));
  return words.some((kind, at) => {
    const name = words.slice(at + 1).join(" ");
    return (
      kinds.includes(kind) &&
      page.elements.some((one) => hasText(one) && contentWords(nameOf(one)).join(" ") === name)
    );
  });
}

/** Whether an element shows a text or has a label, so that it is more than an icon. */
const hasText = ({ textContent = "", labelText = "", ariaLabel = "" }: HighlightedElement): boolean =>
  /\p{L}/u.test(`${textContent}${labelText}${ariaLabel}`);

/**
 * Matches an order with the verb "do", which names no action: "do something". It captures the words after
 * "do".
 */
const DOES = /(?:^|[,.;!]\s+)(?:please\s+)?do\s+(?!not\b)(\S[^,;.!]*)/iu;

/** Whether a plan does anything, although the task only says "do" and names no element: "Do the same as last week". */
function doesUnnamed({ task, steps, elements }: PlanOnPage): boolean {
  const [, act] = DOES.exec(task) ?? [];
  if (act === undefined || steps.length === 0) return false;
  const words = contentWords(act);
  return !steps.some(({ targetId, value }) => {
    const element = elements.find(({ highlight_index }) => highlight_index === targetId);
    const names = element ? namesOf(element).map(({ text }) => text) : [];
    const own = [...names, value ?? ""].flatMap((text) => contentWords(text));
    return words.some((word) => wordScore(word, own) >= SAME);
  });
}

/**
 * Minimum similarity (0 to 1) at which a word of the task counts as the same as a word of an element. Synonyms
 * have the similarity 0.8.
 */
const SAME = 0.8;

/**
 * Matches the name of a button that closes a form without saving it. In an entry of a list, a button with
 * such a name cancels the entry, such as a booking.
 */
const CLOSING = /^\W*(?:cancel|discard|abbrechen|verwerfen|annuler|cancelar|descartar)\W*$/iu;

/** Whether a plan only closes a form, although the task uses another verb: "Void the invoice" and the button "Cancel". */
function closesForm({ task, steps, elements }: PlanOnPage): boolean {
  const element = elements.find(({ highlight_index }) => highlight_index === steps[0]?.targetId);
  const isClosing = steps.length === 1 && element !== undefined && CLOSING.test(nameOf(element));
  if (!isClosing || rowText(element) !== "") return false;
  const said = contentWords(plainPhrase(partsOf(task, 1)[0] ?? ""));
  const isForm = elements.slice(0, elements.indexOf(element)).some((one) => isField(one) || isList(one));
  return isForm && said.length > 1 && !said.includes(contentWords(nameOf(element))[0] ?? "");
}

/**
 * Whether a plan ends with a click that opens a list of things, such as "Rooms", although the end of the task is
 * about only one of these things.
 */
function opensListForOne({ task, steps, elements }: PlanOnPage): boolean {
  const last = steps.at(-1);
  const element = elements.find(({ highlight_index }) => highlight_index === last?.targetId);
  const part = partsOf(task, dialogueLimits.parts).at(-1) ?? "";
  return last?.action === "click" && element !== undefined && isListForOne(part, element);
}

/** Whether a plan sends or saves nothing, although the task ends with it: `Answer "Yes" in the choir chat and send it`. */
function dropsSending({ task, steps }: PlanOnPage): boolean {
  const parts = partsOf(task, dialogueLimits.parts);
  const last = contentWords(parts.at(-1) ?? "");
  const isShort = tokensOf(parts.at(-1) ?? "").length <= SENDING_ORDER;
  const isEntry = steps.at(-1)?.action === "input" || steps.at(-1)?.action === "select_dropdown";
  return parts.length > 1 && isShort && isEntry && FINISHING.has(last[0] ?? "");
}

/** Whether a plan types into a search field, although the task creates a thing: "Add a user: full name Ines Roy". */
function createsBySearch({ task, steps, elements }: PlanOnPage): boolean {
  const verb = firstVerb(tokensOf(task));
  if (verb === undefined || !CREATING.has(verb)) return false;
  return steps.some(({ action, targetId }) => {
    const field = elements.find(({ highlight_index }) => highlight_index === targetId);
    return action === "input" && field !== undefined && isSearch(field);
  });
}

/**
 * Whether a plan sends a form of the page without entering a value, although the values of the task are for a
 * form that opens later. For "Create a project named Blue", such a plan presses "Create user".
 */
function sendsOtherForm({ steps, elements }: PlanOnPage): boolean {
  const elementOf = ({ targetId }: PlanStep) =>
    elements.find(({ highlight_index }) => highlight_index === targetId);
  const laterAt = steps.findIndex(({ deferred, value }) => deferred && value !== null);
  return steps.slice(0, Math.max(0, laterAt)).some((step, at) => {
    const button = elementOf(step);
    const form = button?.interactionType === "submit" ? formPath(button) : undefined;
    const isOfForm = (one: HighlightedElement | undefined): boolean =>
      one !== undefined && (isField(one) || isList(one)) && formPath(one) === form;
    return form !== undefined && elements.some(isOfForm) && !steps.slice(0, at).map(elementOf).some(isOfForm);
  });
}

/** Whether a plan types a value into a field and then another one over it. */
const overwritesValue = ({ steps }: PlanOnPage): boolean =>
  steps.some(
    ({ action, targetId, value, secret }, at) =>
      action === "input" &&
      targetId !== null &&
      steps
        .slice(at + 1)
        .some(
          (later) =>
            later.action === "input" &&
            later.targetId === targetId &&
            (later.value !== value || later.secret !== secret),
        ),
  );

/** Maximum number of words of an order that only sends or saves what was entered before, such as "send the reply". */
const SENDING_ORDER = 4;
/** Verbs that send or save what was entered before. */
const FINISHING: ReadonlySet<string> = new Set([
  ...SENDING,
  ...SUBMITTING,
  ...contentWords("save submit confirm publish speichere enregistre guarda"),
]);

/**
 * Matches a text that ends before a value: with a colon, a quotation mark, or a word such as "is" that introduces a
 * value.
 */
const INTRODUCES =
  /(?:[:="“„«'‘`]|\b(?:is|are|was|were|that|called|named|as|saying|says?|reads?|ist|sind|dass|lautet|est|sont|que|es|son|è|sono|che))\s*$/iu;

/** Matches a text that ends with a word before a name: "Add a monitor called", "Lege einen Benutzer namens". */
const BEFORE_NAME =
  /(?<!\p{L})(?:called|named|titled|namens|genannt|nommée?|appelée?|intitulée?|llamad[oa]|titulad[oa]|chiamat[oa]|intitolat[oa])\s+$/iu;
/**
 * Matches a name that contains a relative clause, and so is too long: "Intranet that watches
 * http://office.test/".
 */
const NAME_WITH_CLAUSE = /^(?:[\p{Lu}\d]\S*\s+)+(?:that|which|who)\s+(?:\p{Ll}+s|should|can|will)\s/u;
/**
 * Matches a name with a further part of the thing and its value: "karl mit der E-Mail k@x.de", "Ada with the role Admin". The
 * name "Lunch with the team" does not match.
 */
const NAME_WITH_PART =
  /^\S.*?\s(?:with|mit|avec|con)\s+(?:(?:(?:the|an?|its|de[mnr]|das|die|eine[mnr]?|le|la|les|une?|el|los|las|una|il|lo)\s+|l['’])\S+\s+\S|\p{L}[\p{L}-]*\s+\S*@)/iu;

/** Whether a plan types a part of a sentence that is no value, such as "everybody in the flat that I'm late". */
function typesSentence({ task, steps, elements }: PlanOnPage): boolean {
  return steps.some(({ action, value, secret, targetId }) => {
    const field = elements.find(({ highlight_index }) => highlight_index === targetId);
    if (action !== "input" || value === null || secret !== null) return false;
    const at = task.toLowerCase().indexOf(value.toLowerCase());
    // A name after "called" is checked even if its field is not on the page yet.
    const isName = at >= 0 && BEFORE_NAME.test(task.slice(0, at));
    if (isName && (NAME_WITH_CLAUSE.test(value) || NAME_WITH_PART.test(value))) return true;
    const isRest = STATEMENT.test(value) || THING_BY_POSITION.test(value);
    if (at >= 0 && isRest && !INTRODUCES.test(task.slice(0, at))) return true;
    if (!field || field.type === "search" || at < 0 || !isSentence(tokensOf(value))) return false;
    const before = tokensOf(task.slice(0, at)).filter(({ kind }) => kind === "word");
    const verb = firstVerb(tokensOf(task));
    const last = contentWords(before.at(-1)?.plain ?? "")[0] ?? "";
    if (INTRODUCES.test(task.slice(0, at)) || (TYPING.has(last) && !LEADING.test(plainWords(value)[0] ?? "")))
      return false;
    if (before.at(-1)?.plain === "to" && verb !== undefined && (changes(verb) || VERBS.SET.has(verb)))
      return false;
    return true;
  });
}

/** Matches the rest of a statement that begins with its verb: "contains celery" of "This dish contains celery". */
const STATEMENT = /^(?:contains|includes|has|needs|requires|lacks|costs)\s/u;
/** Matches a thing that is named by its position: "first notice" of "Reply to the first notice". */
const THING_BY_POSITION =
  /^(?:the\s)?(?:first|second|third|fourth|fifth|last|erste[rns]?|zweite[rns]?|letzte[rns]?|premi(?:er|ère)|derni(?:er|ère)|primer[oa]?|último)\s\p{Ll}+$/u;
/** A text with fewer words than this does not count as a part of a sentence. */
const SENTENCE = 3;

/** Whether a text has words that join the parts of a sentence, and is not only a name such as "Bank of Ireland". */
function isSentence(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === "word");
  const isJoining = ({ plain }: Token): boolean => FILLERS.has(plain) || EMPTY.has(plain);
  const isName = ({ text }: Token): boolean => /^\p{Lu}/u.test(text);
  return (
    tokens.every(({ kind, text }) => kind !== "value" && !/\d/u.test(text)) &&
    words.length >= SENTENCE &&
    words.some((word) => isJoining(word) && !isName(word)) &&
    words.some((word) => !isJoining(word) && !isName(word))
  );
}
