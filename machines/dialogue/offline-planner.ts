/**
 * Plans a task without a model: imperatives in sequence, each matched with an element of the page by its words. A part
 * that has several equal targets, or none, becomes a question.
 */
import { isHighRisk } from "../risk/risk-words.ts";
import { nameOf } from "../session/element-line.ts";
import { implicitRole } from "../session/implicit-role.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { similarity } from "../session/stale-candidates.ts";
import { confidenceOf, INFERRED_VALUE, intentClarity, targetScore } from "./confidence.ts";
import { dialogueLimits } from "./limits.ts";
import type { Plan, PlanStep, Question } from "./plan-schemas.ts";

export interface PlanRequest {
  readonly task: string;
  readonly elements: readonly HighlightedElement[];
  /** Answers to earlier questions, by the id of the question. */
  readonly answers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly version: number;
}

export interface PlanResult {
  readonly plan: Plan;
  readonly questions: readonly Question[];
}

/** One imperative of a task. */
interface Order {
  readonly kind: "click" | "input" | "select_dropdown" | "navigate" | "search";
  readonly target: string;
  readonly value: string | null;
}

type Match = { readonly element: HighlightedElement; readonly similarity: number };

/** Minimum similarity of a target's words with the name of an element. */
const MIN_SIMILARITY = 0.5;
/** Elements whose similarity is this close to the best are as likely. */
const NEAR = 0.05;
const WORD = /[\p{L}\p{N}]/u;

const QUOTED = /["“„«']([^"”“»']+)["”“»']/u;
const FIELD = /\b(?:type|enter|write|put|fill in|input)\b\s+(.+?)\s+\b(?:in|into|in the|as)\b\s+(.+)$/iu;
const FILL = /^(?:fill(?: in| out)?|set)\s+(.+?)\s+(?:with|to)\s+(.+)$/iu;
const SELECT = /^(?:select|choose|pick)\s+(.+?)\s+(?:in|from|for|as)\s+(.+)$/iu;
const SEARCH = /^(?:search(?: for)?|look for|find)\s+(.+)$/iu;
const OPEN_URL = /^(?:open|go to|visit|navigate to)\s+(https?:\/\/\S+)$/iu;
const CLICK = /^(?:click(?: on)?|press|open|go to|visit|choose|select|follow|show|tap)\s+(.+)$/iu;
const NOISE = /\b(the|a|an|on|button|link|page|tab|menu|field|box|entry|please|to|of)\b/giu;

/** The imperatives of a task, in order. Words between quotes stay together. */
function partsOf(task: string): readonly string[] {
  const quotes: string[] = [];
  const safe = task.replace(new RegExp(QUOTED, "gu"), (quote) => `⟦${quotes.push(quote) - 1}⟧`);
  return safe
    .split(/\s*(?:,?\s+(?:and then|then|and)\s+|[;.]\s+|,\s+)\s*/iu)
    .map((part) =>
      part
        .replace(/⟦(\d+)⟧/gu, (_, at: string) => quotes[Number(at)] ?? "")
        .replace(/[.!]$/, "")
        .replace(/^(?:please|then|and)\s+/iu, "")
        .trim(),
    )
    .filter((part) => WORD.test(part));
}

function unquoted(text: string): string {
  return (QUOTED.exec(text)?.[1] ?? text).trim();
}

function orderOf(part: string): Order | undefined {
  const [, url] = OPEN_URL.exec(part) ?? [];
  if (url) return { kind: "navigate", target: url, value: url };
  const [, fillTarget, fillValue] = FILL.exec(part) ?? [];
  if (fillTarget && fillValue)
    return { kind: "input", target: unquoted(fillTarget), value: unquoted(fillValue) };
  const [, typed, field] = FIELD.exec(part) ?? [];
  if (typed && field) return { kind: "input", target: unquoted(field), value: unquoted(typed) };
  const [, option, list] = SELECT.exec(part) ?? [];
  if (option && list) return { kind: "select_dropdown", target: unquoted(list), value: unquoted(option) };
  const [, wanted] = SEARCH.exec(part) ?? [];
  if (wanted) return { kind: "search", target: "search", value: unquoted(wanted) };
  const [, target] = CLICK.exec(part) ?? [];
  if (target) return { kind: "click", target: unquoted(target), value: null };
  return isHighRisk(part) ? { kind: "click", target: unquoted(part), value: null } : undefined;
}

function words(text: string): string {
  return text.replace(NOISE, " ").replace(/\s+/g, " ").trim();
}

function isField({ interactionType }: HighlightedElement): boolean {
  return interactionType === "input" || interactionType === "select";
}

function fits({ kind }: Order, element: HighlightedElement): boolean {
  if (kind === "input" || kind === "search") return element.interactionType === "input";
  if (kind === "select_dropdown") return element.interactionType === "select";
  return !isField(element);
}

/** Elements of a target, the most similar first. */
function matchesOf(order: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const wanted = words(order.target);
  const scored = elements
    .filter((element) => !element.disabled && fits(order, element))
    .map((element) => ({ element, similarity: similarityOf(wanted, element) }))
    .filter((match) => match.similarity >= MIN_SIMILARITY)
    .toSorted((one, other) => other.similarity - one.similarity);
  if (scored.length > 0 || order.kind !== "search") return scored;
  // The only field to type into is the one to search in.
  const fields = elements.filter(
    (element) => element.interactionType === "input" && element.type !== "password",
  );
  return fields.length === 1 ? fields.map((element) => ({ element, similarity: MIN_SIMILARITY })) : [];
}

function similarityOf(wanted: string, element: HighlightedElement): number {
  const names = [
    nameOf(element),
    element.placeholder,
    element.ariaLabel,
    element.type === "search" ? "search" : "",
  ];
  return Math.max(
    ...names.map((name) => (name ? similarity(wanted.toLowerCase(), words(name).toLowerCase()) : 0)),
  );
}

/** Values of an answer: an option's id, or the person's own words. */
function chosen(matches: readonly Match[], answer: string | undefined): Match | undefined {
  if (answer === undefined) return undefined;
  return matches.find(
    ({ element }) => String(element.highlight_index) === answer || nameOf(element) === answer,
  );
}

export function planOffline({ task, elements, answers, id, version }: PlanRequest): PlanResult {
  const steps: PlanStep[] = [];
  const questions: Question[] = [];
  const targets: number[] = [];
  const values: number[] = [];
  const assumptions: Plan["assumptions"] = [];
  let unread = 0;
  for (const [at, part] of partsOf(task).entries()) {
    const rephrased = answers[`part-${at}`];
    const order =
      orderOf(part) ?? (rephrased === undefined ? undefined : (orderOf(rephrased) ?? clickOn(rephrased)));
    if (!order) {
      unread += 1;
      targets.push(0);
      questions.push(
        freeform(`part-${at}`, `What should be done for "${part}"? Name a button, a link or a field.`),
      );
      continue;
    }
    if (order.kind === "navigate") {
      steps.push(stepOf(order, undefined, 1, part));
      continue;
    }
    const questionId = `target-${at}`;
    const wanted = answers[questionId] === undefined ? order : { ...order, target: answers[questionId] };
    const given = chosen(matchesOf(order, elements), answers[questionId]);
    const matches = given ? [given] : matchesOf(wanted, elements);
    const [best, next] = matches;
    const isTie = best !== undefined && next !== undefined && best.similarity - next.similarity < NEAR;
    if (!best || (isTie && given === undefined)) {
      targets.push(0);
      values.push(0);
      questions.push(targetQuestion(questionId, order, matches));
      continue;
    }
    const score = given ? 1 : targetScore(best.similarity);
    targets.push(score);
    if (order.value !== null) values.push(order.kind === "search" ? INFERRED_VALUE : 1);
    if (best.similarity < 1 && !given)
      assumptions.push({
        field: order.target,
        assumedValue: nameOf(best.element),
        confidence: score,
        questionId,
      });
    steps.push(...stepsFor(order, best.element, score, part));
  }
  const risky = steps.filter(({ risk }) => risk === "high");
  const confidence = confidenceOf(intentClarity(task, unread), targets, values, risky.length > 0);
  const summary =
    steps.length === 0 ? "Nothing can be done yet." : steps.map(({ description }) => description).join("; ");
  const risks = risky.map(({ description }) => `${description} may not be undone.`);
  return {
    plan: { id, version, summary, confidence, steps, assumptions, risks },
    questions: questions.slice(0, dialogueLimits.questionsPerRound),
  };
}

const clickOn = (target: string): Order => ({ kind: "click", target, value: null });

function stepsFor(
  order: Order,
  element: HighlightedElement,
  score: number,
  part: string,
): readonly PlanStep[] {
  if (order.kind !== "search") return [stepOf(order, element, score, part)];
  const enter: PlanStep = {
    action: "send_keys",
    targetId: null,
    target: null,
    value: "Enter",
    description: "Press Enter",
    risk: "low",
    reversible: true,
    confidence: score,
  };
  return [stepOf({ ...order, kind: "input" }, element, score, part), enter];
}

function stepOf(
  order: Order,
  element: HighlightedElement | undefined,
  confidence: number,
  part: string,
): PlanStep {
  const name = element ? nameOf(element) : order.target;
  const isRisky = order.kind === "click" && (isHighRisk(name) || isHighRisk(part));
  return {
    action: order.kind,
    targetId: element?.highlight_index ?? null,
    target: element ? { role: roleOf(element), name } : null,
    value: order.value,
    description: describe(order, name),
    risk: isRisky ? "high" : "low",
    reversible: !isRisky,
    confidence,
  };
}

function describe({ kind, value }: Order, name: string): string {
  switch (kind) {
    case "input":
      return `Type "${value}" into "${name}"`;
    case "select_dropdown":
      return `Select "${value}" in "${name}"`;
    case "navigate":
      return `Open ${value}`;
    default:
      return `Click "${name}"`;
  }
}

function roleOf({ role, tagName, type, interactionType }: HighlightedElement): string {
  return role ?? implicitRole({ tag: tagName, type, isEditable: interactionType === "input" });
}

function freeform(id: string, question: string): Question {
  return { id, type: "freeform", question, options: [] };
}

function targetQuestion(id: string, { kind, target }: Order, matches: readonly Match[]): Question {
  if (matches.length === 0) {
    const what = kind === "click" ? "button or link" : "field";
    return freeform(id, `There is no ${what} "${target}" on this page. Which one is meant?`);
  }
  const options = matches.slice(0, dialogueLimits.options).map(({ element, similarity: score }) => ({
    id: String(element.highlight_index),
    label: [nameOf(element), element.around].filter(Boolean).join(", "),
    confidence: targetScore(score),
  }));
  return { id, type: "option_select", question: `Which "${target}" is meant?`, options };
}
