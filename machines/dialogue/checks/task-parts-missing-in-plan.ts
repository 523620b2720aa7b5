/**
 * Detects a plan that leaves out an important part of its task: a condition, a later time, or the intended thing.
 * Cairn then asks the person instead of using the plan.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { formGroups } from "../elements/field-groups-of-page.ts";
import {
  isField,
  isList,
  isTick,
  namesOf,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { firstVerb } from "../task/clause-verb.ts";
import { createOrder, nounOf } from "../task/creation-imperatives.ts";
import { asImperative, withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { changesIn } from "../values/relative-number-changes.ts";
import { seeksThing } from "../values/tasks-that-look-for-things.ts";
import { isOfOtherUnit } from "../values/units-of-values.ts";
import { inDigits, takesNumber } from "../values/value-in-format-of-field.ts";
import { does } from "../values/words-that-assign-form-values.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { CREATING } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { choosesAlternative } from "./alternatives-in-task.ts";
import { isPlanBySingleWords } from "./detect-plan-made-from-single-words.ts";
import type { PlanOnPage } from "./input-of-plan-checks.ts";
import { doesOtherThanAsked } from "./plans-that-would-do-unasked-actions.ts";
import { isWithoutOrder } from "./sentences-without-imperative.ts";
import { choosesByChance } from "./wrong-options-chosen-by-noun.ts";

/**
 * Matches a condition on which the task depends, such as "if it rains". It does not match "check if …" and
 * "if possible".
 */
const CONDITION =
  /(?:^|\s)(?<!\b(?:check|see|ask|know|tell|look|me|out|even|as)\s)(?:if|unless|only\s+when|as\s+soon\s+as|in\s+case|provided|wenn|falls|sobald|solo\s+se|non\s+appena|(?<!\b(?:même|comme|vérifie|demande|dis|dime|mira|comprueba|ver)\s)si)\s+(?!(?:possible|needed|necessary|required|you|not|posible|puedes|tu\s+peux|vous|nécessaire|necesario)\b)/iu;
/**
 * Matches an event that must happen first: "When Noah answers, close the ticket". It does not match "when you are
 * done", after which the task just continues.
 */
const EVENT =
  /(?:^\s*(?:please\s+)?|[,;]\s+(?:and\s+)?|\s)(?:when|once|whenever|wenn|quand|lorsque|cuando|quando)\s+(?!(?:you|i|we|it['’]?s|done|ready|finished|possible|needed|necessary|du|ich|wir|es|möglich|nötig|tu|vous|je|on|a|per|more|again)\b)(\p{L}[^,;.!?]*?\s[^,;.!?]+?)(?=[,;.!?]|$)/iu;
const FIRST_EVENT = /^\s*(?:please\s+)?(?:when|once|whenever|wenn|quand|lorsque|cuando|quando)\s/iu;
/** Matches the word with which a condition at the start of a task begins: "If", "Wenn", "Si". */
const FIRST_CONDITION = /^\s*(?:please\s+)?(?:if|unless|wenn|falls|si|se)\s/iu;
/**
 * Matches a time at the end of a task, at which the action should be done. "Keep it for later" does not
 * match.
 */
const LATER =
  /(?<!\b(?:keep|save|store|leave)\s+(?:it|this|that|them)\s+for)\s(?:(?:at|um|à|a\s+las)\s+\d{1,2}(?::\d{2})?\s*(?:[ap]m|uhr|h)?|tomorrow|tonight|later(?:\s+(?:on|today))?|after\s+(?:lunch|dinner|work|midnight|noon)|später|morgen|demain|plus\s+tard|más\s+tarde|mañana|domani|stasera|più\s+tardi|in\s+\d+\s+(?:minutes?|hours?|days?))[.!]?\s*$/iu;
/**
 * Matches an identifier, such as "web-01" or "db-replica". "e-mail" does not match, because its first part is
 * a single letter.
 */
const IDENTIFIER = /(?<=\s)[\p{L}\p{N}]{2,}(?:-[\p{L}\p{N}]+)+/gu;

/** A word of a task counts as a word of an element if their similarity (0 to 1) is at least this score. */
const SAME_WORD = 0.9;

/** Whether a plan ignores a condition or a time in the task, or misunderstands what the task wants. */
export function isDoubtful(given: PlanOnPage): boolean {
  const page = { ...given, task: withoutQuotes(given.task) };
  return (
    isQuestion(page) ||
    isWithoutOrder(page) ||
    choosesAlternative(page.task, page.steps, page.elements) ||
    choosesByChance(page.task, page.steps, page.elements) ||
    fillsFormOfNewThing(page) ||
    createsBySignIn(page) ||
    createsOtherThing(page) ||
    addsWithoutText(page) ||
    ticksForOnly(page) ||
    entersNameOnly(given) ||
    choosesAnyForBest(page) ||
    opensForOthers(page) ||
    dropsCount(page) ||
    isNoNumber(page) ||
    dropsAddress(page) ||
    dropsAmount(page) ||
    choosesOneOf(page) ||
    typesChange(page) ||
    isOnlyBetter(page) ||
    onlyWishesEffect(page) ||
    isConditional(page) ||
    isLater(page) ||
    isOfOther(page) ||
    doesOtherThanAsked(given) ||
    isPlanBySingleWords(page)
  );
}

/** Matches an order to create a thing, up to the noun of the thing: "Add a comment". */
const CREATED =
  /^\s*(?:please\s+)?(?:create|add|new|erstelle?|crée|ajoute|crea|añade|aggiungi)\s+(?:(?:an?|another|eine?n?|une?|una?|uno)\s+)?(?:new\s+)?(\p{L}+)(?=\s*(?:[:,.]|named\b|called\b|saying\b|$))/iu;

/**
 * Whether a plan creates another thing than the task: it presses "Add job" for "Add a comment: …", although the page has a
 * field or a button for a comment.
 */
function createsOtherThing({ task, steps, elements }: PlanOnPage): boolean {
  const [noun] = contentWords(CREATED.exec(task)?.[1] ?? "");
  if (noun === undefined) return false;
  const used = elements.filter(({ highlight_index }) =>
    steps.some(({ targetId }) => targetId === highlight_index),
  );
  const createsOther = used.some((one) => {
    const [verb = "", ...thing] = contentWords(nameOf(one));
    return roleOf(one) === "button" && CREATING.has(verb) && thing.length > 0;
  });
  return createsOther && !used.some((one) => has(one, noun)) && elements.some((one) => has(one, noun));
}

/**
 * Whether a plan presses a button that adds a thing, but leaves fields directly before the button empty, although the
 * task has words for them. For "Add the ingredient rice, 3 kg", it presses "Add" and types nothing into "New
 * ingredient".
 */
function addsWithoutText({ task, steps, elements }: PlanOnPage): boolean {
  const pressed = steps.findLast(({ action }) => action === "click");
  const at = elements.findIndex(({ highlight_index }) => highlight_index === pressed?.targetId);
  const button = elements[at];
  const [verb = "", ...thing] = contentWords(button ? nameOf(button) : "");
  if (!button || !CREATING.has(verb)) return false;
  const asked = contentWords(task);
  const fields = elements.slice(elements.slice(0, at).findLastIndex((one) => !isField(one)) + 1, at);
  if (fields.some((field) => steps.some(({ targetId }) => targetId === field.highlight_index))) return false;
  return fields.some((field) => {
    if (isList(field) || (field.value ?? "") !== "") return false;
    const noun = contentWords(nameOf(field)).filter((word) => !CREATING.has(word));
    const isNamed = noun.length > 0 && noun.every((word) => asked.includes(word));
    return isNamed ? asked.length > noun.length + 1 : thing.length === 0 && asked.length > 1;
  });
}

/** Whether a plan ticks "Only free ones" for "Show only sailing boats", where both share nothing but the word "only". */
function ticksForOnly({ task, steps, elements }: PlanOnPage): boolean {
  const [step, other] = steps;
  const tick = elements.find(({ highlight_index }) => highlight_index === step?.targetId);
  if (!tick || other || !isTick(tick)) return false;
  const names = namesOf(tick).flatMap(({ text }) => contentWords(text));
  const shared = contentWords(task).filter((word) => wordScore(word, names) >= SYNONYM);
  return names.length > 1 && shared.length > 0 && shared.every((word) => ONLY.has(word));
}
/** Words that limit a list to some of its things, but do not say to which. */
const ONLY: ReadonlySet<string> = new Set(contentWords("only just nur seulement solo sólo"));

/** Matches a question that no control of a page can answer: "Which room do you recommend?" */
const QUESTION =
  /^\s*(?:which|who|whose|why|when|are\s+(?:we|you|they)|do\s+(?:i|we)|should\s+(?:i|we)|wer|wann|warum|wieso|soll(?:en)?\s+(?:ich|wir)|combien|pourquoi|quand|cuánto|cuándo|por\s+qué|quién|quanto|quando|perché|chi)\b[^.!?]*\?\s*$/iu;

/** Matches a wish for more of something without saying how: "Make the text bigger", "Make it more popular". */
const BETTER =
  /^\s*(?:please\s+)?(?:make|mach|rends?|haz)\s+\S.*?\s(more\s+\p{L}+|\p{L}{2,}(?:er|ier)|better|plus\s+\p{L}+|más\s+\p{L}+)\s*[.!]?\s*$/iu;

/**
 * Matches a wish for an effect on people or for more of something: "Make everybody happy with the holidays",
 * "Find more readers". It captures the wanted effect or the wanted thing.
 */
const EFFECT =
  /^\s*(?:please\s+)?(?:(?:make|keep)\s+(?:every(?:body|one)|people|us|them)\s+(?:(?:an?|the)\s+)?(\p{L}+)|(?:make|get|earn|find|win|gain|attract)\s+more\s+(\p{L}+))(?:\s[^,;]*)?[.!]?\s*$/iu;

/**
 * Whether a task only states a wished effect ("Make people happy") or a wish for more ("Get more customers"),
 * and the names and values of the plan's controls do not contain the wished word.
 */
function onlyWishesEffect({ task, steps, elements }: PlanOnPage): boolean {
  const [, effect, thing] = EFFECT.exec(task) ?? [];
  const [word] = contentWords(effect ?? thing ?? "");
  if (word === undefined || steps.length === 0) return false;
  return !steps.some(({ targetId, value }) => {
    if (contentWords(value ?? "").includes(word)) return true;
    const element = elements.find((one) => one.highlight_index === targetId);
    return (
      element !== undefined &&
      (has(element, word) || /^(?:(?:show|load|see|view)\s+)?more$/iu.test(nameOf(element)))
    );
  });
}

/**
 * Whether a task only wants more of something ("Make the text bigger"), and no control of the plan has the
 * wanted word ("bigger") in its name.
 */
function isOnlyBetter({ task, steps, elements }: PlanOnPage): boolean {
  const [, wish] = BETTER.exec(task) ?? [];
  if (wish === undefined) return false;
  const words = contentWords(wish);
  return !steps.some(({ targetId }) => {
    const element = elements.find((one) => one.highlight_index === targetId);
    return element !== undefined && words.some((word) => has(element, word));
  });
}

/** Matches a question about a state: "Is Ada suspended?", "Has it been sent?", "Did you delete it". */
const STATE_QUESTION =
  /^\s*(?:(?:is|are|was|were|ist|sind|wurden?|est-ce|est|sont|está|están)\s(?!there\b|it\s+possible\b)[^.!?]*\?|(?:has|have|had|did|does|hat|hast|haben|habt)\s[^.!?]*\??)\s*$/iu;
/** Matches a question for an explanation: "How do I pay?", "What does Archive do?", "Explain the button Delete". */
const EXPLANATION =
  /^\s*(?:(?:please\s+)?(?:explain|tell\s+me\s+(?:about|what|how|where))\s.*|(?:what|how|where|was|wie|wo|comment|où|cómo|dónde|qué|come|dove|cosa)\s[^.!?]*\?)\s*$/iu;
/** Matches a question for the effect of a control: "What does Archive do?" */
const EFFECT_QUESTION = /^\s*(?:what|was)\s(?:does|do|happens|macht|passiert)\b[^.!?]*\?\s*$/iu;

/**
 * Whether a task only asks for information, although the plan does something: it presses a button, sets a
 * checkbox, or types the question into a field that is no search field.
 */
function isQuestion(page: PlanOnPage): boolean {
  const { task, steps } = page;
  if (QUESTION.test(task)) return !opensAnswer(page);
  const isRisky = steps.some(({ risk }) => risk === "high");
  const isActing = isRisky || pressed(page).length > 0 || targets(page).some(isTick);
  if ((STATE_QUESTION.test(task) || EFFECT_QUESTION.test(task)) && isActing) return true;
  return EXPLANATION.test(task) && (isRisky || typesQuestion(page));
}

/** Matches words of a question that name nothing on the page, such as "which" and "are". */
const ASKING_WORD =
  /^(?:which|who|when|why|where|what|is|are|was|were|there|do|does|wer|wann|ist|sind|gibt|quand|qui|est|sont|cuando|quien|son|quando|chi|sono)$/u;

/**
 * Whether a plan only opens a link or a tab whose name has all words of a question: the link "Bank holidays"
 * for "When are the bank holidays?"
 */
function opensAnswer(page: PlanOnPage): boolean {
  const [element, other] = targets(page);
  const isOpening = element !== undefined && /^(?:link|tab)$/u.test(roleOf(element));
  if (!isOpening || other || page.steps.length > 1 || page.steps.some(({ risk }) => risk === "high"))
    return false;
  const words = contentWords(page.task).filter((word) => !ASKING_WORD.test(word) && !FILLERS.has(word));
  const names = namesOf(element).flatMap(({ text }) => contentWords(text));
  return words.length > 0 && words.every((word) => wordScore(word, names) >= SYNONYM);
}
/**
 * Minimum similarity (0 to 1) at which a word of a question counts as the same as a word of a link's name.
 * Synonyms have the similarity 0.8.
 */
const SYNONYM = 0.75;

/** Verbs of buttons that make a new thing from the entries of a form, or send them. */
const MAKING = ["create", "add", "save", "send", "submit"] as const;

/** Words in names of fields that search or filter a list. */
const FINDS = ["search", "find", "filter"] as const;

/**
 * Whether a plan fills in a form for a new thing, although the task looks for an existing thing or asks a
 * question about it.
 */
function fillsFormOfNewThing({ task, steps, elements }: PlanOnPage): boolean {
  if (!seeksThing(task, [])) return false;
  const filled = new Set(
    steps.flatMap(({ action, targetId }) => (action === "click" ? [] : (targetId ?? []))),
  );
  return formGroups(elements).some(
    ({ entries, buttons }) =>
      entries.some((entry) => filled.has(entry.highlight_index) && !FINDS.some((word) => has(entry, word))) &&
      buttons.some((button) => MAKING.some((verb) => does(verb, button))) &&
      seeksThing(task, buttons),
  );
}

/** Matches the name of a button that sends a sign-in. */
const SIGNS_IN =
  /^\W*(?:(?:sign|log)[\s-]?in|anmelden|einloggen|(?:se\s)?connecter|connexion|iniciar\ssesión|acceder|entrar|accedi|inloggen)\W*$/iu;

/** Whether a plan types into the form of a sign-in, although the task creates a thing: "Create a user with email a@b.at". */
function createsBySignIn({ task, steps, elements }: PlanOnPage): boolean {
  const verb = firstVerb(tokensOf(asImperative(task)));
  if (verb === undefined || !CREATING.has(verb)) return false;
  return steps.some(({ action, targetId }) => {
    const field = elements.find(({ highlight_index }) => highlight_index === targetId);
    if (action !== "input" || field === undefined) return false;
    const form = elements.filter((one) => formPath(one) === formPath(field));
    const passwords = form.filter(({ type }) => type === "password");
    return (
      passwords.length === 1 && form.some((one) => roleOf(one) === "button" && SIGNS_IN.test(nameOf(one)))
    );
  });
}

/**
 * Whether a plan only types the name of a new thing into a form for other things. For "Make a list called
 * Rain", such a plan types "Rain" as the name of a profile.
 */
function entersNameOnly({ task, steps, elements }: PlanOnPage): boolean {
  const order = createOrder(task);
  const noun = contentWords(nounOf(order?.target ?? ""));
  const names = (order?.entries ?? []).map(({ value }) => value);
  const isEntry = steps.every(({ action, value }) => action !== "click" && names.includes(value));
  if (!order || noun.length === 0 || steps.length === 0 || !isEntry) return false;
  return !steps.some(({ targetId }) => {
    const field = elements.find(({ highlight_index }) => highlight_index === targetId);
    const form = elements.filter((one) => field !== undefined && formPath(one) === formPath(field));
    return form.some((one) => noun.every((word) => has(one, word)));
  });
}

/** Matches a superlative, such as "the cheapest room". A page rarely says which thing of its list this is. */
const BEST =
  /(?<!\p{L})(cheapest|dearest|biggest|largest|smallest|fastest|slowest|shortest|longest|highest|best|worst|nearest|closest|easiest|most\s+(?!recent)\p{L}+|günstigste|billigste|größte|kleinste|schnellste|beste|(?:plus|moins)\s+(?:cher|chère|grande?|petite?|rapide)|meilleure?|más\s+(?:barat|grande|pequeñ|rápid)\p{L}*|mejor|migliore|più\s+(?:economic|grande|piccol|veloce)\p{L}*)[nrs]?\s+\p{L}/iu;

/**
 * Whether a task wants the best of its kind ("the cheapest room"), but neither an element nor a value of the
 * plan has this word.
 */
function choosesAnyForBest(page: PlanOnPage): boolean {
  const words = contentWords(BEST.exec(page.task)?.[1] ?? "");
  const own = targets(page);
  if (words.length === 0 || own.length === 0 || own.some(isList)) return false;
  const isTyped = page.steps.some(({ value }) =>
    words.every((word) => contentWords(value ?? "").includes(word)),
  );
  return !isTyped && !own.some((one) => words.some((word) => has(one, word)));
}

/** Matches an order to let other people see something: "Let only friends see my profile". */
const FOR_OTHERS =
  /^\s*(?:please\s+)?(?:let|allow|permit)\s+(?!(?:me|us|it|this|that)(?!\p{L}))\S.*?\s(?:see|view|read|look|open|visit)\s/iu;

/**
 * Whether a plan only opens a thing for the person, although the task lets others see it ("Let my friends see the
 * album").
 */
const opensForOthers = (page: PlanOnPage): boolean =>
  FOR_OTHERS.test(page.task) &&
  page.steps.length > 0 &&
  targets(page).every((one) => /^(?:link|tab)$/u.test(roleOf(one)));

/** Matches a task that makes several things at once: "Create two tickets for Acme". */
const SEVERAL =
  /^\s*(?:please\s+)?(?:create|add|make|register|open|erstelle|crée[rz]?|crea|aggiungi)\s+([2-9]|[1-9]\d+|two|three|four|five|six|zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|due|tre|quattro|cinque)\s+\p{L}/iu;

/**
 * Whether a plan creates one thing although the task asks for several ("Create two tickets"). The number does not
 * count if the plan enters it into a field.
 */
function dropsCount(page: PlanOnPage): boolean {
  const [, count] = SEVERAL.exec(page.task) ?? [];
  const buttons = pressed(page);
  if (count === undefined || buttons.length === 0 || new Set(buttons).size < buttons.length) return false;
  const said = [count, inDigits(count)].map((one) => one.toLowerCase());
  const isUsed = page.steps.some(({ value }) => {
    const words = (value ?? "").toLowerCase().split(/\s+/u);
    return said.some((one) => words.includes(one));
  });
  return !isUsed && !buttons.some((button) => said.some((one) => has(button, one)));
}

/** Whether a plan types a question into a field of one line that is no search field. */
function typesQuestion(page: PlanOnPage): boolean {
  return page.steps.some(({ action, targetId }) => {
    const field = page.elements.find((one) => one.highlight_index === targetId);
    const isSearch =
      field?.type === "search" || (field && ["search", "ask"].some((word) => has(field, word)));
    return action === "input" && field?.tagName === "input" && !isSearch;
  });
}

/**
 * Whether a plan types a text that is no value of its field: a text without digits into a field for a date or a
 * time, words into a field for a number ("The amount is too high") or an e-mail address ("Email the report"), or "80 lbs"
 * into a field in kg.
 */
function isNoNumber({ steps, elements }: PlanOnPage): boolean {
  return steps.some(({ action, targetId, value, secret }) => {
    const element = elements.find((one) => one.highlight_index === targetId);
    if (action !== "input" || value === null || secret !== null || !element) return false;
    if (isOfOtherUnit(value, element)) return true;
    if (element.type === "email" && E_MAIL.test(nameOf(element)) && !value.includes("@")) return true;
    if (NUMBER.test(nameOf(element)) && !/\d/u.test(value)) return true;
    if (takesNumber(element)) return !/\d/u.test(value) || /\p{L}{2,}/u.test(value);
    return /^(?:date|time)$/u.test(element.type) && /^[^\d]+$/u.test(value);
  });
}

/** Matches the name of a field for an e-mail address. Some pages use the type "email" for other fields too. */
const E_MAIL = /\be-?mail\b|\bcorreo\b|\bcourriel\b/iu;

/**
 * Matches the name of a field for a number that may have letters, such as "Zählernummer". "Name or number"
 * does not match, because this field takes words.
 */
const NUMBER = /^(?!.*\s(?:or|oder|ou|o)\s).*(?:number|nummer|numéro|número|numero)\W*$/iu;

/** Matches URLs in a text. */
const ADDRESS = /https?:\/\/[^\s,;]+[^\s,;.!?]/giu;

/**
 * Whether no step of a plan contains a URL that its task names, such as `https://site.test/` in the task "Watch
 * https://site.test/". A plan without steps leaves out nothing.
 */
const dropsAddress = ({ task, steps }: PlanOnPage): boolean =>
  steps.length > 0 &&
  (task.match(ADDRESS) ?? []).some(
    (address) => !steps.some(({ value, description }) => `${value} ${description}`.includes(address)),
  );

/** Matches how often a thing should be done, at the end of a task: "Recheck all twice". */
const REPEATED =
  /\s(?:twice|(?:\d+|two|three|four|five|several|many)\s+times|zweimal|dreimal|(?:deux|trois)\s+fois|(?:dos|tres)\s+veces|(?:due|tre)\s+volte)[.!]?\s*$/iu;
/** Matches a duration at the end of a task, such as "for 3 days" in "Suspend Ada for 3 days". */
const LASTING =
  /\s(?:for|für|pendant|por|durante|per)\s+(?:an?|eine?n?|une?|una?|\d+|two|three)\s+(?:minutes?|hours?|days?|weeks?|months?|minuten?|stunden?|tage?|wochen?|monate?|heures?|jours?|semaines?|mois|horas?|días?|semanas?|meses|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei])[.!]?\s*$/iu;

/**
 * Whether the plan presses a button once, although the task says how often to do something. In a plan of high
 * risk, a duration such as "for two hours" counts too.
 */
function dropsAmount(page: PlanOnPage): boolean {
  const isAlone = page.steps.length === 1 && pressed(page).length === 1;
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  const [said] = REPEATED.exec(page.task) ?? (isRisky ? LASTING.exec(page.task) : undefined) ?? [];
  if (!isAlone || said === undefined) return false;
  return !pressed(page).some((button) =>
    (said.match(/\d+/gu) ?? contentWords(said)).some((word) => has(button, word)),
  );
}

/** Matches a task that leaves the choice between two things open: "Select Maria or Ana". */
const EITHER =
  /^\s*(?:please\s+)?(?:select|choose|pick|take|open|delete|remove|invite|assign|use|wähle|nimm|öffne|lösche|choisis|ouvre|supprime|elige|abre|borra|scegli|apri|elimina)\s+(?:either\s+|entweder\s+)?(?:it\s+to\s+)?([^,;.]+?)\s+(?:or|oder|ou|o)\s+(?:else\s+)?([^,;.]+?)[.!]?\s*$/iu;

/** Whether the task offers a choice between two things ("A or B"), and the plan uses only one of them. */
function choosesOneOf(page: PlanOnPage): boolean {
  const [, one, other] = EITHER.exec(page.task) ?? [];
  if (one === undefined || other === undefined) return false;
  const isFor = (text: string): boolean =>
    page.steps.some(({ value, targetId }) => {
      const element = page.elements.find(({ highlight_index }) => highlight_index === targetId);
      const chosen = contentWords(value ?? "");
      return contentWords(text).every(
        (word) => chosen.includes(word) || (element !== undefined && has(element, word)),
      );
    });
  return isFor(one) !== isFor(other);
}

/** Matches the numbers in a value, in digits or as words. */
const AMOUNT = /\d+(?:[.,]\d+)*|\p{L}+/gu;

/**
 * Whether a plan types the change of a number instead of the new number: "2" for "Increase the guests by 2".
 */
function typesChange({ task, steps }: PlanOnPage): boolean {
  const changes = changesIn(task);
  return steps.some(({ value }) =>
    changes.some(({ amount, written }) => value === amount || value?.match(AMOUNT)?.includes(written)),
  );
}

function targets({ steps, elements }: PlanOnPage): readonly HighlightedElement[] {
  return steps.flatMap(({ targetId }) => elements.find((one) => one.highlight_index === targetId) ?? []);
}

/** Returns the buttons that a plan presses. */
function pressed({ steps, elements }: PlanOnPage): readonly HighlightedElement[] {
  return steps.flatMap(({ action, targetId }) => {
    const element = elements.find((one) => one.highlight_index === targetId);
    return action === "click" && element && !isTick(element) && roleOf(element) === "button" ? [element] : [];
  });
}

/**
 * Whether a plan acts at once, although the task names an event that must happen first, as in "when a
 * customer answers". False if a control has a word of the event in its name, such as "E-mail me when a
 * customer answers".
 */
function awaitsEvent(page: PlanOnPage): boolean {
  const words = contentWords(EVENT.exec(page.task)?.[1] ?? "");
  // At the start of a task, an event such as "when we meet" is a condition for the whole task. Later, it may
  // be part of a value, as in "Subject: when we meet".
  const isFirst = FIRST_EVENT.test(page.task);
  const risky = page.steps.filter(({ risk }) => risk === "high");
  const acting = isFirst
    ? targets(page)
    : [...pressed(page), ...targets(page).filter(isTick), ...targets({ ...page, steps: risky })];
  return acting.length > 0 && words.length > 0 && !acting.some((one) => words.some((word) => has(one, word)));
}

function isConditional(page: PlanOnPage): boolean {
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  if (awaitsEvent(page)) return true;
  if (FIRST_CONDITION.test(page.task) && isRisky) return true;
  // Some component libraries make buttons of elements without a role, so a click on such an element counts as
  // pressing a button.
  const isClick = targets(page).some((one) => one.interactionType === "click" && roleOf(one) === "generic");
  return CONDITION.test(page.task) && (isRisky || isClick || pressed(page).length > 0);
}

/**
 * Whether the task names a later time ("at 9 pm"), but the plan presses buttons at once. False if the name of
 * a pressed button contains a number such as "21:00", because this button may set the time.
 */
function isLater(page: PlanOnPage): boolean {
  const [time] = LATER.exec(page.task) ?? [];
  const buttons = pressed(page);
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  // A step that presses no button may type the time, so the time does not count as missing. In a plan of high
  // risk, this holds only if a step types a text with a digit.
  const isTyped = page.steps.some(({ value }) => value !== null && /\p{N}/u.test(value));
  if (time === undefined || (buttons.length < page.steps.length && (!isRisky || isTyped))) return false;
  const words = contentWords(time);
  if (buttons.some((button) => /\p{N}/u.test(nameOf(button)))) return false;
  return buttons.length > 0 && !buttons.some((button) => words.every((word) => has(button, word)));
}

/** Whether the task names a row by an identifier, and the plan presses a button in another row. */
function isOfOther(page: PlanOnPage): boolean {
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

function has(element: HighlightedElement, word: string): boolean {
  const { headings, caption } = placeOf(element);
  const texts = [rowText(element), element.formName ?? "", ...headings, ...caption];
  const words = [...namesOf(element).map(({ text }) => text), ...texts].flatMap((text) => contentWords(text));
  return wordScore(word, words) >= SAME_WORD;
}
