/**
 * Adds the click on the button that submits the task's values. For "Invite ada@example.com", this is the
 * button "Invite".
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { type ReadClause, type Reading, verbOf } from "../elements/clause-match-score.ts";
import { hasOwnWord, hasWord } from "../elements/elements-described-by-task-words.ts";
import { formFields, submitsOf } from "../elements/elements-of-one-form.ts";
import { roleOf } from "../elements/texts-that-may-name-element.ts";
import { leadVerb, statesField } from "../task/clause-verb.ts";
import { textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords } from "../words/normalised-words.ts";
import { CREATING, SENDING, SUBMITTING, TYPING, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";

/**
 * A task such as "Create a tag named Red" fills in one field. If no button follows the field, its form is
 * submitted only if the form has at most this number of text fields.
 */
const SMALL_FORM = 2;
/**
 * If a task ends with clauses that only enter values, adds a click on the button that has the name of the
 * task's verb. "Reply 'On my way'" clicks "Reply", and "Invite ada@example.com as editor" clicks "Invite".
 *
 * @param verb the verb with which the task starts, if the clauses lack it
 */
export function withSubmit(
  clauses: readonly ReadClause[],
  elements: readonly HighlightedElement[],
  verb?: string,
): readonly ReadClause[] {
  const ordered = withSends(clauses, elements);
  const last = ordered.at(-1)?.reading;
  if (last === undefined || last.kind === "click" || last.kind === "search") return ordered;
  const isEntered = last.kind !== "check";
  const verbs = isEntered ? submitVerbs(entriesAtEnd(ordered)) : new Set<string>();
  for (const one of [...verbs, ...(verb === undefined ? [] : [verb])]) {
    const button = submitFor(one, last, elements);
    if (button && !ordered.some(({ reading: { element } }) => element === button))
      return [...ordered, sendClause(one, button, last)];
  }
  return ordered;
}

/**
 * Adds the click that sends a text before a click on something else: "Send" in `Send the answer "Done", then
 * go to the next question`. A click such as "Attach" or "Save draft" may still be about the text, so nothing
 * is sent before it.
 */
function withSends(
  clauses: readonly ReadClause[],
  elements: readonly HighlightedElement[],
): readonly ReadClause[] {
  return clauses.flatMap((clause, at) => {
    const next = clauses[at + 1]?.reading;
    const { reading } = clause;
    if (reading.kind !== "set" || next?.kind !== "click") return [clause];
    if (!contentWords(clauses[at + 1]?.text ?? "").some((word) => LEAVING.has(word))) return [clause];
    const form = formPath(reading.element);
    const [verb] = [...submitVerbs([clause])].filter((one) => SENDING.has(one));
    if (verb === undefined || (form !== undefined && form === formPath(next.element))) return [clause];
    const button = submitFor(verb, reading, elements);
    const isClicked = clauses.some(({ reading: { element } }) => element === button);
    const isSend = buttonNames(verb).some((name) => hasWord(next.element, name));
    return button && !isClicked && !isSend ? [clause, sendClause(verb, button, reading)] : [clause];
  });
}

/**
 * Returns the verb at the start of a task, if a button for this verb is clicked after the values were entered, as for
 * "Invite ada@example.com". Before a quoted text, any verb counts that starts the name of a button: `Transmit
 * "PING"`. Otherwise returns `undefined`.
 */
export function submitVerbOfTask(task: string, elements: readonly HighlightedElement[]): string | undefined {
  const tokens = tokensOf(task);
  const verb = leadVerb(tokens);
  if (verb !== undefined)
    return [SENDING, SUBMITTING, CREATING].some((set) => set.has(verb)) ? verb : undefined;
  const [word = ""] = contentWords(tokens[0]?.plain ?? "");
  const isNamed = (one: HighlightedElement): boolean =>
    roleOf(one) === "button" && contentWords(nameOf(one))[0] === word;
  return tokens[1]?.isQuoted === true && elements.some(isNamed) ? word : undefined;
}

/**
 * Words of a clause that turns from an entered text to something else: "go to the next question", "close the
 * ticket".
 */
const LEAVING: ReadonlySet<string> = new Set(
  contentWords(
    "go open next continue proceed return leave close gehe offne nachste weiter schliesse va ouvre suivant ferme ve abre siguiente cierra vai apri avanti chiudi torna",
  ),
);

/**
 * Returns a clause that clicks the button for a verb such as "send". The clause is added after the clauses
 * that enter the values.
 */
const sendClause = (verb: string, element: HighlightedElement, { score }: Reading): ReadClause => ({
  text: SENDING.has(verb) ? `send ${verb}` : verb,
  reading: { element, kind: "click", value: null, off: false, score, name: 1 },
  sharesVerb: true,
});

/** Returns the clauses after the last click or search of the task. They all put values into fields. */
function entriesAtEnd(clauses: readonly ReadClause[]): readonly ReadClause[] {
  const at = clauses.findLastIndex(({ reading: { kind } }) => kind === "click" || kind === "search");
  return clauses.slice(at + 1);
}

/** Returns the verbs of the task clauses. A verb that is only part of a field's name is left out. */
function submitVerbs(clauses: readonly ReadClause[]): ReadonlySet<string> {
  const verbs = clauses.map(({ text, reading }) => ({
    verb: submitVerbOf(text),
    isStated: (verb: string) => statesField(tokensOf(text), verb, nameOf(reading.element)),
  }));
  // In "Order number is 30, color: red", "Order" is a part of a field's name. The word "order" is then not
  // read as a verb anywhere in the task.
  const stated = new Set(verbs.flatMap(({ verb, isStated }) => (verb && isStated(verb) ? [verb] : [])));
  return new Set(verbs.flatMap(({ verb }) => (verb && !stated.has(verb) ? [verb] : [])));
}

/**
 * Returns the verb of the button that must be clicked after the values of a clause were entered, such as
 * "invite", "reply" or "create"; `undefined` if the clause has no such verb.
 */
function submitVerbOf(text: string): string | undefined {
  const tokens = tokensOf(text);
  const [first] = contentWords(textOf(tokens.slice(0, 1)));
  if (first !== undefined && CREATING.has(first)) return first;
  const verb = leadVerb(tokens) ?? verbOf(tokens);
  if (verb === undefined || TYPING.has(verb)) return undefined;
  if (verb === "use" && tokens.some(({ kind }) => kind === "value")) return "apply";
  if (VERBS.SEARCH.has(verb)) return "search";
  const { MESSAGE, ...others } = VERBS;
  const isOther = Object.values(others).some((set) => set.has(verb));
  return SENDING.has(verb) || MESSAGE.has(verb) || !isOther ? verb : undefined;
}

/**
 * Matches names of buttons that save a form, whatever it is for. Small forms for a new thing have such buttons
 * (changedetection.io: "Save", Canaille: "Submit").
 */
const SAVES = /^(?:save|submit|ok|speichern|absenden|enregistrer|envoyer|valider|guardar|enviar)$/iu;

/** Whether the element is the button that submits the form of the field, with a name such as "Save". */
function isSaveOf(field: HighlightedElement, button: HighlightedElement): boolean {
  const form = formPath(field);
  return (
    form !== undefined &&
    form === formPath(button) &&
    button.interactionType === "submit" &&
    SAVES.test(nameOf(button).trim())
  );
}

/** Verbs that may ask to send a message, such as "tell". Only some tasks with these verbs mean this. */
const TELLING: ReadonlySet<string> = new Set(["tell", "say", "ask", "write"]);

/** Returns the words by which the button for a verb is found: its name must contain at least one of them. */
function buttonNames(verb: string): readonly string[] {
  if (verb === "search") return ["search", "filter"];
  return SENDING.has(verb) ? [verb, "send", "reply", "comment", "post", "submit"] : [verb];
}

/**
 * Returns the button that is clicked after the field was filled in, such as "Invite" for a clause with this verb.
 * Returns `undefined` if no button near the field or in its form fits the verb.
 */
function submitFor(
  verb: string,
  { element, kind }: Reading,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const next = nextButton(element, elements);
  if (CREATING.has(verb)) {
    const isSmall = formFields(element, elements).length <= SMALL_FORM;
    const button = next ?? (isSmall ? submitsOf(element, [verb, "add", "create"], elements)[0] : undefined);
    const adds = button !== undefined && [...CREATING].some((word) => hasWord(button, word));
    const [save, another] = isSmall ? elements.filter((one) => isSaveOf(element, one)) : [];
    if (kind !== "set") return undefined;
    return adds ? button : another === undefined ? save : undefined;
  }
  const names = buttonNames(verb);
  // For "Tell them about my injury", a button with a verb such as "Send" is pressed. A button whose name is
  // only a synonym, such as "Request", is not.
  const has = TELLING.has(verb) ? hasOwnWord : hasWord;
  const does = (button: HighlightedElement): boolean => names.some((name) => has(button, name));
  const isNeutral = (button: HighlightedElement): boolean =>
    !/\p{L}/u.test(nameOf(button)) || (roleOf(button) !== "button" && NEUTRAL.test(nameOf(button)));
  const isNext =
    next !== undefined && !isOtherLink(next, names) && (does(next) || (SENDING.has(verb) && isNeutral(next)));
  if (isNext) return next;
  const named = submitsOf(element, names, elements)[0];
  return named && does(named) ? named : undefined;
}

/**
 * If a part of a task renames a thing, returns the button "Rename" directly after the field for the new name.
 */
export function renameButton(
  part: string,
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const [verb] = contentWords(part);
  const next = elements[elements.indexOf(field) + 1];
  const isNext = next !== undefined && roleOf(next) === "button" && hasOwnWord(next, "rename");
  return verb === "rename" && isNext ? next : undefined;
}

/** Whether an element is a button, or a link without an address that works like a button. */
const isButtonLike = (element: HighlightedElement): boolean =>
  roleOf(element) === "button" ||
  (element.tagName === "a" && /^(?:#|javascript:.*|)$/iu.test(element.attributes.href ?? ""));

/** Matches the name of a link that only confirms the field before it, such as "OK" or "Go". */
const NEUTRAL = /^(?:ok(?:ay)?|go|done|apply|save|submit|\P{L}+)$/iu;

/** Whether an element is a link whose first word names another action than the wanted one: "Hide comments". */
function isOtherLink(element: HighlightedElement, names: readonly string[]): boolean {
  const [first] = contentWords(nameOf(element));
  if (roleOf(element) === "button" || first === undefined || NEUTRAL.test(nameOf(element))) return false;
  return !names.some((name) => wordScore(name, [first]) >= SAME_ACTION || ADDING.has(first));
}

/** Minimum score (0 to 1) at which the first word of a link's name means the wanted action. */
const SAME_ACTION = 0.85;
/** Verbs in names of links that add the text typed before, such as "Add comment" or "Leave a reply". */
const ADDING: ReadonlySet<string> = new Set(contentWords("add create leave write publish"));

/**
 * Returns the element after a field if it is a button in the same box as the field, or directly after this box;
 * otherwise `undefined`.
 */
function nextButton(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const next = elements[elements.indexOf(field) + 1];
  const [, box, place] = /^((.*)\/[^/]+)\/[^/]+$/u.exec(field.xpath) ?? [];
  if (!next || box === undefined || !isButtonLike(next)) return undefined;
  // The button may directly follow the box (the parent element) that contains the field, or be in the next
  // box.
  const own = next.xpath.replace(/\/[^/]+$/u, "");
  const isAfterBox = own === place || own.replace(/\/[^/]+$/u, "") === place;
  return next.xpath.startsWith(`${box}/`) || isAfterBox ? next : undefined;
}
