/**
 * Finds the clauses of a task that say what should not be done: "Show the PIN, but don't block the card".
 * Such a clause is left out if the plan would do what the clause forbids.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import {
  isField,
  isList,
  isTick,
  namesOf,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { splitUnquoted, withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { contentWords } from "../words/normalised-words.ts";
import { EDITING, SENDING, TYPING, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";

/** Matches the text between two clauses: a comma, the end of a sentence, or a word such as "but". */
const BETWEEN =
  /\s*[,;]\s+(?:(?:and|but|aber|sondern|mais|pero|sino|ma|però)\s+)?|(?<=[\p{L}\p{N}⟧)])[.!?]+\s+|\s+(?:but|aber|sondern|mais|pero|sino|bensì|però)\s+|\s+(?:and|und|et|y|e)\s+(?=(?:do\s+not|don['’]?t|never|not|no|non|nicht|ne|n['’]|keep|behalte?|garde[rz]?|mant[eé]n)(?:\s|\p{L}))|\s+(?=(?:without|except|instead\s+of|rather\s+than|apart\s+from|other\s+than|außer|sauf|excepto|tranne|eccetto|invece\s+di)\s)/iu;
/**
 * Matches a clause that forbids an action, such as "don't block the card". It captures the forbidden action:
 * "block the card".
 */
const FORBIDS =
  /(?:^|\s)(?:do\s+not|don['’]?t|never|not|no|without|avoid|should\s*n['’]t|must\s*n['’]t|stop(?=\s+\p{L}+ing\b))\s+(?:(?:be|you|ever|yet|just|even|please|want\s+to|have\s+to|need\s+to|to)\s+)*(\S.*)$/iu;
/** Matches words that exclude a thing, such as "except web-01". */
const LEAVES_OUT =
  /^(?:except(?:\s+for)?|instead\s+of|rather\s+than|apart\s+from|other\s+than|not|außer|nicht|sauf|pas|excepto|tranne|eccetto|non|invece\s+di)\s+(\S.*)$/iu;
/**
 * Matches German and French clauses with a negation at any place, Italian prohibitions such as "non pagare", and clauses with "nothing". "Nicht mehr" (not any
 * more) does not match, because it states a reason and forbids nothing.
 */
const NEGATED =
  /\bnicht\b(?!\s+mehr\b)|^(?:per\s+favore,?\s+)?non\s+(?:(?:mi|ti|lo|la|li|le|ci|si)\s+)?\p{L}{2,}(?:re|ate|ete|ite|rmi|rl[oaie])\b|(?<![\p{L}])n(?:e\s|['’]).*\b(?:pas|jamais|rien)\b|^\p{L}+\s+(?:nothing|nichts|nada|niente|nulla)$/iu;
/**
 * Matches a Spanish clause that forbids an action, such as "no congeles el abono". It captures the verb, and
 * the words after it.
 */
const NEGATED_SPANISH =
  /^(?:por\s+favor,?\s+)?no\s+(?:(?:me|te|lo|la|los|las|se|nos)\s+)?(\p{L}{3,}(?:es|as|en|an))\s+((?:el|la|los|las|lo|mis?|tus?|sus?|una?|nada|est[ae]|ning\p{L}+|todav[ií]a|aún)\b.*)$/iu;

/**
 * Matches a clause that asks to keep something as it is, such as "keep the phone". It captures the thing to
 * keep: "the phone".
 */
const KEEPS =
  /^(?:please\s+|bitte\s+)?(?:keep|behalte?|garde[rz]?|mant[eé]n|mantieni|conserva)\s+(?:(?:the|my|his|her|their|our|die|den|das|le|la|les|el|il|lo|gli)\s+)?(\S.*?)(?:\s+(?:as\s+(?:it|they)\s+(?:is|are)|unchanged|unverändert|tel(?:le)?\s+quel(?:le)?|igual))?[.!]?$/iu;

/** Whether a clause only says that a field of the page keeps its value, as in "keep the phone". */
function keepsEntry(clause: string, elements: readonly HighlightedElement[]): boolean {
  const [, thing = ""] = KEEPS.exec(clause.trim()) ?? [];
  const name = contentWords(thing).join(" ");
  return (
    name !== "" &&
    elements.some((one) => (isField(one) || isList(one)) && contentWords(nameOf(one)).join(" ") === name)
  );
}

/** Returns the Spanish infinitive of a forbidden action: "pagar" for "pagues", "publicar" for "publiques". */
function infinitiveOf(verb: string): string {
  const stem = verb.slice(0, -2).replace(/qu$/u, "c").replace(/gu$/u, "g");
  return `${stem}${/^e/u.test(verb.slice(-2)) ? "ar" : "er"}`;
}
/** First words of clauses that forbid nothing: "Don't forget to save", "I don't have an account". */
const NO_ACTION =
  /^(?:forget|hesitate|worry|mind|bother|care|miss|have|own|want|need|like|know|see|use|understand|think|only|problem|thanks?|longer|more|now|one|i|we|it|the|a|an|my)\b/iu;
/** Matches names of controls that contain a negation, such as "Do not save". */
const NEGATIVE_NAME =
  /\b(?:not|don['’]?t|no|none|never|without|nicht|kein\w*|ohne|sans|sin|non|senza|reject|decline)\b/iu;
/**
 * Minimum score (0 to 1) at which a word of the task clause counts as a word of a control's name. Synonyms have the
 * score 0.8.
 */
const SAME_WORD = 0.8;

/**
 * Words of a clause that only forbids to send what was entered: "noch nicht absenden" (do not send it yet).
 */
const SENDING_ONLY: ReadonlySet<string> = new Set([
  ...SENDING,
  ...contentWords("it yet noch encore todavia aun submit"),
]);

interface HeldBack {
  /** The words of the forbidden action, such as "block the card". */
  readonly words: readonly string[];
  /**
   * Whether `words` start with the verb of the forbidden action. False for German and French, where the verb may be
   * anywhere in the task clause.
   */
  readonly isFirst: boolean;
  /**
   * Whether the clause only forbids to send what was entered, whatever the name of the button is: "don't send
   * it yet".
   */
  readonly isSending: boolean;
  /** Whether the clause excludes a thing, as "except web-01" does. Other clauses forbid an action. */
  readonly isThing: boolean;
}

function heldBackIn(clause: string): HeldBack | undefined {
  const text = withoutQuotes(clause)
    .trim()
    .replace(NEGATED_SPANISH, (_, verb: string, rest: string) => `no ${infinitiveOf(verb)} ${rest}`);
  const [, thing] = LEAVES_OUT.exec(text) ?? [];
  const [, action] = FORBIDS.exec(text) ?? [];
  const said = action ?? thing ?? (NEGATED.test(text) ? text : undefined);
  if (said === undefined || (thing === undefined && NO_ACTION.test(said))) return undefined;
  const words = contentWords(said.replace(/\bnicht\b|\b(?:pas|jamais|rien|yet|non)\b/giu, " "));
  if (words.length === 0) return undefined;
  const isSending = words.some((word) => SENDING.has(word)) && words.every((word) => SENDING_ONLY.has(word));
  return { words, isFirst: action !== undefined, isThing: thing !== undefined, isSending };
}

const isIn = (word: string, words: readonly string[]): boolean => wordScore(word, words) >= SAME_WORD;

/** Verbs that save or send what was entered. */
const SENDING_VERBS = [...SENDING, ...contentWords("save saving submit apply store confirm press")];

/** Whether a clause of the task forbids to send or to save what was entered: "but don't save it yet". */
export const forbidsSending = (task: string): boolean =>
  splitUnquoted(task, BETWEEN).some((clause) => {
    const { words = [], isFirst = false } = heldBackIn(clause) ?? {};
    return (isFirst ? words.slice(0, 1) : words).some((word) => isIn(word, SENDING_VERBS));
  });

/** Whether a click on the element is what the task clause forbids. */
function isForbiddenClick({ words, isFirst, isThing }: HeldBack, element: HighlightedElement): boolean {
  const isSwitch = isTick(element) && roleOf(element) !== "radio";
  if (isSwitch || isField(element) || NEGATIVE_NAME.test(nameOf(element))) return false;
  const names = namesOf(element).flatMap(({ text }) => contentWords(text));
  const around = [...names, ...contentWords(rowText(element))];
  if (isThing && words.every((word) => isIn(word, around))) return true;
  const actions = isFirst ? words.slice(0, 1) : isThing ? [] : words;
  return actions.some((word) => isIn(word, names));
}

/**
 * Whether a value that the plan types is the forbidden part of a task: "The name must not be Ada", "Never set the city
 * to Berlin".
 */
function isForbiddenValue({ words, isFirst }: HeldBack, value: string): boolean {
  const [verb = "", ...rest] = words;
  const said = contentWords(value);
  const isEntered = [VERBS.SET, TYPING, EDITING].some((set) => set.has(verb));
  return (
    isFirst &&
    (said.join() === words.join() ||
      (isEntered && said.length > 0 && said.every((word) => rest.includes(word))))
  );
}

function isForbiddenStep(
  held: HeldBack,
  { action, targetId, target, value, risk }: PlanStep,
  elements: readonly HighlightedElement[],
): boolean {
  if (action.startsWith("select"))
    return value !== null && contentWords(value).every((word) => isIn(word, held.words));
  if (action === "input") return isForbiddenValue(held, value ?? "");
  if (action !== "click") return false;
  const element = elements.find((one) => one.highlight_index === targetId);
  if (held.isSending && risk === "high" && !(element && isTick(element))) return true;
  if (element) return isForbiddenClick(held, element);
  return target !== null && held.isFirst && isIn(held.words[0] ?? "", contentWords(target.name));
}

/** A plan with its steps and its questions to the person. */
interface Planned {
  readonly plan: { readonly steps: readonly PlanStep[] };
  readonly questions: readonly unknown[];
}

/**
 * Removes from a task the clauses that forbid an action, if the plan of the task contains that action.
 * Otherwise returns the task unchanged. Returns an empty text if no clause remains.
 */
export function withoutHeldBack(
  task: string,
  elements: readonly HighlightedElement[],
  planOf: (task: string) => Planned,
): string {
  const clauses = splitUnquoted(task, BETWEEN)
    .filter((text) => !keepsEntry(text, elements))
    .map((text) => ({ text, held: heldBackIn(text) }));
  const isChanged = clauses.length < splitUnquoted(task, BETWEEN).length;
  if (!isChanged && clauses.every(({ held }) => held === undefined)) return task;
  const { plan, questions } = planOf(task);
  const isDone = (one: HeldBack): boolean =>
    plan.steps.some((step) => isForbiddenStep(one, step, elements)) ||
    (questions.length > 0 && elements.some((element) => isForbiddenClick(one, element)));
  const kept = clauses.filter(({ held }) => held === undefined || !isDone(held));
  if (!isChanged && kept.length === clauses.length) return task;
  return kept
    .map(({ text }) => text)
    .filter((text) => /[\p{L}\p{N}]/u.test(text) && !/^(?:and|but|please|bitte)$/iu.test(text.trim()))
    .join(", ")
    .replace(/\s+instead$/iu, "");
}

/**
 * Whether the plan has a step that its task forbids, such as sending in "Invite Ada, but don't send it yet".
 *
 * @param isMeant selects the steps that are checked
 */
export function isForbidden(
  task: string,
  { steps }: Planned["plan"],
  elements: readonly HighlightedElement[],
  isMeant: (step: PlanStep) => boolean = () => true,
): boolean {
  const compared = steps.filter(isMeant);
  const held = splitUnquoted(task, BETWEEN).flatMap((clause) => heldBackIn(clause) ?? []);
  return held.some((one) => compared.some((step) => isForbiddenStep(one, step, elements)));
}
