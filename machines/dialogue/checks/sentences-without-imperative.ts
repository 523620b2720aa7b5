/**
 * Detects sentences that give no order, although a plan does something for them: a question whether something
 * is allowed, a request for an explanation, a report of what was done or said, and a negated sentence.
 */

import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isTick, roleOf } from "../elements/texts-that-may-name-element.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { contentWords, plainWords } from "../words/normalised-words.ts";
import type { PlanOnPage } from "./input-of-plan-checks.ts";

/**
 * Matches a question for a permission: "Can I reject it?", "Darf ich …?". "Can I see …?" does not match,
 * because it is a polite order to show something.
 */
const PERMISSION =
  /^\s*¿?\s*(?:(?:can|may|could|am)\s+i|(?:darf|kann)\s+(?:ich|man)|puis-je|est-ce\s+que\s+je\s+peux|puedo|posso)\s(?!(?:please|have|get|see|view|look|open|download)\b)[^.!?]*\?\s*$/iu;
/**
 * Matches a request for an explanation in words: "Can you tell me how to pay?". It does not match "Tell me
 * when …", which may name a setting.
 */
const TELLING =
  /^\s*(?:please\s+)?(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:(?:tell|inform)\s+(?:me|us)|let\s+(?:me|us)\s+know|sag(?:e|en\s+sie)?\s+(?:mir|uns)|dis-moi|dites-moi|dime|díganme|dimmi|mi\s+dica)\s*,?\s+(?:how|whether|if|why|what|who|where|wie|ob|warum|was|comment|si|pourquoi|ce\s+que|cómo|por\s+qué|qué|come|perché|che\s+cosa|cosa|se|chi|dove)\s[^,;]*$/iu;
/**
 * Matches a report of what a person has done: "I already paid", "We rejected it last week". A further clause may be
 * an order, as in "I already paid, so close it".
 */
const REPORT =
  /^\s*(?:(?:i|we)(?:['’]ve|\s+have)?\s+already\s[^,;]*|(?:i|we)(?:['’]ve|\s+have)?\s+\p{L}+ed\s[^,;]*\s(?:yesterday|ago|earlier|last\s+(?:night|week|month|year))|(?:ich|wir)\s+haben?\s[^,;]*(?:schon|bereits|gestern)\s[^,;]*|(?:j['’]ai|nous\s+avons|on\s+a)\s(?:déjà\s[^,;]*|[^,;]*\shier)|ya\s+(?:he|hemos)\s[^,;]*)[.!]?\s*$/iu;
/**
 * Matches a report of what another person has done, or of what happened to a thing: "Lena already closed the
 * ticket", "The invoice was paid yesterday". An order may match too, so `isReport` uses this pattern only for a
 * sentence that does not start with a verb.
 */
const REPORT_OF_OTHERS =
  /^\s*(?:(?:\p{L}[\p{L}'’-]*\s){1,3}?(?:ha(?:s|ve)\s)?already\s\p{L}+(?:ed|id|nt|ought)\s[^,;]*|(?:(?!(?:that|which|who)\s)\p{L}[\p{L}\d'’-]*\s){1,4}?(?:was|were|ha(?:s|ve)\s(?:already\s)?been|got)\s(?:already\s)?\p{L}+(?:ed|id|nt|ld|wn)(?:\s[^,;]*)?\s(?:already|yesterday|ago|earlier|last\s(?:night|week|month|year))|(?:\p{L}[\p{L}\d'’-]*\s){1,4}?(?:wurden?|ist|hat)\s(?:[^,;]*\s)?(?:schon|bereits|gestern)\s[^,;]*|(?:\p{L}[\p{L}\d'’-]*\s){1,4}?(?:a|ont)\s(?:déjà\s[^,;]*|[^,;]*\shier)|(?:\p{L}[\p{L}\d'’-]*\s){1,4}?ya\s(?:ha|han|fue|está)\s[^,;]*)[.!]?\s*$/iu;
/**
 * Matches words that another person said: "The customer said: close the ticket", "Ada dit de payer". A clause after
 * a comma may be the order: "Ada said that she leaves, remove her".
 */
const REPORTED_SPEECH =
  /^\s*(?!(?:i|we|ich|wir|je|on|nous|yo|io|noi|please|bitte)\s)(?:(?!(?:that|which|who|qui|que)\s)\p{L}[\p{L}\d.'’-]*\s){1,4}?(?:said|says|wrote|writes|claims?(?=\s(?:that|to|i|you|we|s?he|they|it|the|an?|this|these|my|your|our|his|her|their|its|nobody|everything)\s)|claimed|thinks?|(?:hat\s)?(?:gesagt|geschrieben)|sagte?|schrieb|schreibt|meinte?|(?:a\s)?(?:dit|écrit)|prétend|(?:ha\s)?(?:dicho|escrito)|dijo|dice|escribió|escribe|ha\sdetto|ha\sscritto)(?:\s(?:to\s)?(?:me|us|mir|uns))?(?:\s*[:,]\s*|\s)(?=\p{L}|["“„«'])[^,;]*$/iu;
/** Matches a wish to be informed of something later: "Notify me about new tickets", "Sag mir Bescheid". */
const INFORM_ME =
  /^\s*(?:please\s+)?(?:(?:notify|inform|alert|remind)\s+(?:me|us)|let\s+(?:me|us)\s+know|keep\s+(?:me|us)\s+(?:posted|informed|updated)|benachrichtige?\s+(?:mich|uns)|sag(?:e|t)?\s+(?:mir|uns)\s+bescheid|préviens-moi|prévenez-moi|notifie-moi|avísame|avísenme|notifícame)\b/iu;
/**
 * Words in names of controls that subscribe the person to messages. A control with another name, such as
 * "Notifications", only shows messages.
 */
const INFORMING = [
  "notify",
  "remind",
  "inform",
  "subscribe",
  "watch",
  "follow",
  "enable",
  "turn",
  "me",
  "tell",
  "benachrichtigen",
  "abonnieren",
  "prevenir",
  "avisar",
] as const;
const JOINED = /\s(?:and|so|but|und|also|aber|et|donc|mais|y|pero|e|però)\s/iu;
/**
 * Matches a negated order of one clause in German, French and Spanish: "Kündige den Vertrag nicht", "Ne paie rien",
 * "No congeles el abono".
 */
const NEGATED_ORDER =
  /^\s*(?:(?:bitte\s+)?(?!(?:ich|wir|es|das|der|die)\s)\p{L}+\s(?:[^,;]*\s)?nicht(?:\s(?:ab|an|auf|aus|ein|fort|weiter|zu|zurück|zwischen))?|n(?:e\s|['’])[^,;]*\s(?:pas|rien|jamais|aucune?)\b[^,;]*|no\s+(?:(?:me|te|lo|la|los|las|se)\s+)?\p{L}+(?:es|as|en|an)\s[^,;]*|non\s+(?:(?:mi|ti|lo|la|li|le|ci|si)\s+)?\p{L}+(?:re|ate|ete|ite)\s[^,;]*)[.!]?\s*$/iu;
/** Matches names of controls that contain a negation, such as "Nicht speichern". */
const NEGATIVE_NAME =
  /(?<!\p{L})(?:not|no|ne|pas|nicht|kein\p{L}*|ohne|sans|sin|nunca|jamais|non|senza)(?!\p{L})/iu;

/**
 * Whether the task contains a sentence that is not an order, such as a permission or a report, although the
 * plan does something for it.
 */
export function isWithoutOrder(page: PlanOnPage): boolean {
  const clicked = clickedElements(page);
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  const acting = clicked.filter((one) => !/^(?:link|tab)$/u.test(roleOf(one)));
  const isActing = isRisky || acting.length > 0;
  const isChoosing = page.steps.some(({ action }) => action === "select_dropdown");
  if (PERMISSION.test(page.task) || TELLING.test(page.task)) return isActing || isChoosing;
  if (INFORM_ME.test(page.task))
    return page.steps.length === 1 && clicked.length === 1 && clicked.every(onlyShowsMessages);
  const isPressing = isRisky || acting.some((one) => !isTick(one));
  if (isReportedSpeech(page.task)) return isPressing || isChoosing;
  if (isReport(page.task))
    return page.steps.every(
      ({ action, value }) =>
        (action === "click" && isPressing) || (action === "select_dropdown" && isReported(value, page.task)),
    );
  return (
    NEGATED_ORDER.test(page.task) &&
    isActing &&
    clicked.some((one) => one.checked !== true && !NEGATIVE_NAME.test(nameOf(one)))
  );
}

/** Whether a control only shows messages, and does not subscribe the person to messages. */
const onlyShowsMessages = (element: HighlightedElement): boolean =>
  !isTick(element) && !INFORMING.some((word) => plainWords(nameOf(element)).includes(word));

/** Whether a sentence only reports what a person did. */
const isReport = (task: string): boolean =>
  (REPORT.test(task) || (!FIRST_VERB.test(task.trim()) && REPORT_OF_OTHERS.test(task))) && !JOINED.test(task);

const isReportedSpeech = (task: string): boolean =>
  !FIRST_VERB.test(task.trim()) && REPORTED_SPEECH.test(task);

/** Matches the verb of a report in the past: "closed" in "I already closed the ticket". */
const PAST_VERB = /\p{L}+(?:ed|id|nt|ld|wn)\b/giu;

/** Whether an option of a list has only words for what the task reports: "Closed" for "I already closed it". */
function isReported(option: string | null, task: string): boolean {
  const verbs = contentWords((task.match(PAST_VERB) ?? []).join(" "));
  const words = contentWords(option ?? "");
  return words.length > 0 && words.every((word) => verbs.includes(word));
}

const clickedElements = ({ steps, elements }: PlanOnPage): readonly HighlightedElement[] =>
  steps.flatMap(({ action, targetId }) =>
    action === "click" ? (elements.find((one) => one.highlight_index === targetId) ?? []) : [],
  );
