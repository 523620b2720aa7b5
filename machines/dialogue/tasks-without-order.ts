/**
 * Detects sentences that give no order, although a plan presses a button for them: a question whether something
 * is allowed, a request for an explanation, a report of what was done, and a negated sentence.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { isTick, roleOf } from "./element-names.ts";
import type { PlanStep } from "./plan-schemas.ts";

interface Page {
  readonly task: string;
  readonly steps: readonly PlanStep[];
  readonly elements: readonly HighlightedElement[];
}

/** Matches a question for a permission: "Can I reject it?", "Darf ich …?". "Can I see …?" asks for a thing. */
const PERMISSION =
  /^\s*¿?\s*(?:(?:can|may|could|am)\s+i|(?:darf|kann)\s+(?:ich|man)|puis-je|est-ce\s+que\s+je\s+peux|puedo)\s(?!(?:please|have|get|see|view|look|open|download)\b)[^.!?]*\?\s*$/iu;
/**
 * Matches a request for an explanation in words: "Can you tell me how to pay?". It does not match "Tell me
 * when …", which may name a setting.
 */
const TELLING =
  /^\s*(?:please\s+)?(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:(?:tell|inform)\s+(?:me|us)|let\s+(?:me|us)\s+know|sag(?:e|en\s+sie)?\s+(?:mir|uns)|dis-moi|dites-moi|dime|díganme)\s*,?\s+(?:how|whether|if|why|what|who|where|wie|ob|warum|was|comment|si|pourquoi|ce\s+que|cómo|por\s+qué|qué)\s[^,;]*$/iu;
/**
 * Matches a report of what a person has done: "I already paid", "We rejected it last week". A further clause may be
 * an order, as in "I already paid, so close it".
 */
const REPORT =
  /^\s*(?:(?:i|we)(?:['’]ve|\s+have)?\s+already\s[^,;]*|(?:i|we)(?:['’]ve|\s+have)?\s+\p{L}+ed\s[^,;]*\s(?:yesterday|ago|earlier|last\s+(?:night|week|month|year))|(?:ich|wir)\s+haben?\s[^,;]*(?:schon|bereits|gestern)\s[^,;]*|(?:j['’]ai|nous\s+avons|on\s+a)\s(?:déjà\s[^,;]*|[^,;]*\shier)|ya\s+(?:he|hemos)\s[^,;]*)[.!]?\s*$/iu;
const JOINED = /\s(?:and|so|but|und|also|aber|et|donc|mais|y|pero)\s/iu;
/**
 * Matches a negated order of one clause in German, French and Spanish: "Kündige den Vertrag nicht", "Ne paie rien",
 * "No congeles el abono".
 */
const NEGATED_ORDER =
  /^\s*(?:(?:bitte\s+)?(?!(?:ich|wir|es|das|der|die)\s)\p{L}+\s(?:[^,;]*\s)?nicht(?:\s(?:ab|an|auf|aus|ein|fort|weiter|zu|zurück|zwischen))?|n(?:e\s|['’])[^,;]*\s(?:pas|rien|jamais|aucune?)\b[^,;]*|no\s+(?:(?:me|te|lo|la|los|las|se)\s+)?\p{L}+(?:es|as|en|an)\s[^,;]*)[.!]?\s*$/iu;
/** Matches names of controls that contain a negation, such as "Nicht speichern". */
const NEGATIVE_NAME = /(?<!\p{L})(?:not|no|ne|pas|nicht|kein\p{L}*|ohne|sans|sin|nunca|jamais)(?!\p{L})/iu;

/**
 * Whether the task contains a sentence that is not an order, such as a permission or a report, although the
 * plan does something for it.
 */
export function isWithoutOrder(page: Page): boolean {
  const clicked = clickedElements(page);
  const isRisky = page.steps.some(({ risk }) => risk === "high");
  const acting = clicked.filter((one) => !/^(?:link|tab)$/u.test(roleOf(one)));
  const isActing = isRisky || acting.length > 0;
  if (PERMISSION.test(page.task) || TELLING.test(page.task)) return isActing;
  const isOnlyClicks = page.steps.every(({ action }) => action === "click");
  if (REPORT.test(page.task) && !JOINED.test(page.task))
    return isOnlyClicks && (isRisky || acting.some((one) => !isTick(one)));
  return (
    NEGATED_ORDER.test(page.task) &&
    isActing &&
    clicked.some((one) => one.checked !== true && !NEGATIVE_NAME.test(nameOf(one)))
  );
}

const clickedElements = ({ steps, elements }: Page): readonly HighlightedElement[] =>
  steps.flatMap(({ action, targetId }) =>
    action === "click" ? (elements.find((one) => one.highlight_index === targetId) ?? []) : [],
  );
