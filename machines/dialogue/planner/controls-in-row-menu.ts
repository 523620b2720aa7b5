/**
 * Plans a task for one entry of a list whose controls are in a menu of the entry. "Delete the user Hugo Weber"
 * opens the menu in the row of Hugo Weber and then clicks "Delete". Many lists have such a menu in each row.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { opensMenuByIcon } from "../../session/page/menus-opened-by-icon.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isEntryTag } from "../../session/page/tags-of-entries.ts";
import { isUnnamedPart } from "../checks/deletion-of-part-of-entry.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { namesOf, opensMenu, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf, intentClarity, isVague, targetScore } from "../plan/plan-confidence.ts";
import type { Plan } from "../plan/plan-schemas.ts";
import { firstVerb } from "../task/clause-verb.ts";
import { asImperative, partsOf, withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { sourceOf, type Token, tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS, plainText, plainWords } from "../words/normalised-words.ts";
import { EMPTY, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import type { PlanResult } from "./plan-by-imperatives.ts";
import { deferred, found, joined, type PlanRequest } from "./plan-steps-of-imperative.ts";

/** Names of buttons that open a menu with the controls of an entry. */
const MENU_NAMES: ReadonlySet<string> = new Set(
  "menu options more actions optionen mehr aktionen options plus actions opciones mas acciones opzioni azioni altro".split(
    " ",
  ),
);
/** Score (0 to 1) of the button that opens the menu of the entry which the task names. */
const ROW_MENU = 0.85;
/** Minimum similarity (0 to 1) at which the verb of a task counts as the same as a word of a control's name. */
const SAME = 0.75;

/**
 * Plans two clicks: on the menu of the entry that the task names, and on the menu item with the verb of the task.
 * Returns `undefined` if no such menu is found, or if the entry itself shows a control with the verb. Also returns
 * `undefined` if the given plan is usable: it has no questions, and does more than to open a menu or to act on the
 * selected entries.
 */
export function planByRowMenu(request: PlanRequest, { plan, questions }: PlanResult): PlanResult | undefined {
  const { task, elements, done = [] } = request;
  if (questions.length === 0 && !missesEntry(plan, elements)) return undefined;
  if (isVague(withoutQuotes(task)) || partsOf(task, dialogueLimits.parts).length !== 1) return undefined;
  const tokens = tokensOf(asImperative(task));
  const verb = firstVerb(tokens);
  if (verb === undefined || LOOKING.some((verbs) => verbs.has(verb))) return undefined;
  const [first, ...rest] = tokens.filter(({ kind }) => kind !== "separator");
  // Two kinds of tasks need more than a click on a menu item, so no plan is made for them. One has a value or
  // a goal: "Move Hugo to Grade 5". The other changes a part of the entry: "Change the phone number of Hugo".
  const isChange = VERBS.SET.has(verb) && rest.some(({ plain }) => JOINT.test(plain));
  if (isChange || rest.some(({ plain }) => GOAL.test(plain))) return undefined;
  const menu = menuOfRow(rest, elements);
  if (!first || !menu) return undefined;
  const row = rowText(menu);
  const controls = elements.filter((one) => one !== menu && rowText(one) === row);
  if (controls.some((one) => isCalledBy(one, verb))) return undefined;
  const object = rest.filter(
    ({ plain }) => !contentWords(row).some((word) => contentWords(plain).includes(word)),
  );
  const nouns = object.filter(({ plain }) => !FILLERS.has(plain) && !EMPTY.has(plain) && !JOINT.test(plain));
  const name = sourceOf([first, ...nouns]);
  const resolving = { at: 0, part: name, request, isLater: false, opener: undefined };
  const opening = { kind: "click", target: row, value: null } as const;
  const item = { kind: "click", target: name, value: null, also: name } as const;
  const { steps } = joined([
    found(opening, { element: menu, score: ROW_MENU }, { ...resolving, part: "" }),
    // "Delete the comment of Greta" does not mean the item "Delete" in the menu of Greta. For such a task, the name
    // of the item must contain more than the verb.
    deferred(item, resolving, isUnnamedPart(task, menu, elements) ? [] : [first.text]),
  ]);
  const entry = sourceOf(rest.filter((word) => !object.includes(word)));
  const described = steps.map((step, at) =>
    at === 0 ? { ...step, description: `Open the menu of ${entry}` } : step,
  );
  const planned = withDependencies(described.filter(({ description }) => !done.includes(description)));
  const risky = planned.filter(({ risk }) => risk === "high");
  const clarity = intentClarity(task, { unread: 0, rivals: 0 });
  return {
    plan: {
      ...{ id: plan.id, version: plan.version, summary: summaryOf(planned), steps: planned },
      confidence: confidenceOf(clarity, [ROW_MENU, targetScore(0)], [], risky.length > 0),
      assumptions: [],
      risks: risky.map(({ description }) => `${description} may not be undone.`),
      source: "page",
    },
    questions: [],
  };
}

/** Matches the name of a control that acts on the selected entries of a list, such as "Delete selected". */
const FOR_SELECTION =
  /(?<!\p{L})(?:selected|selection|ausgewählte?n?|markierte?n?|auswahl|sélectionné\p{L}*|sélection|seleccionad\p{L}*|selección|selezionat\p{L}*|selezione)(?!\p{L})/iu;

/** Whether a plan is one click on a control for the selected entries of a list, on a tag, or on the menu of an entry. */
function missesEntry({ steps: [step, other] }: Plan, elements: readonly HighlightedElement[]): boolean {
  const clicked = elements.find(({ highlight_index }) => highlight_index === step?.targetId);
  if (other || step?.action !== "click" || !clicked) return false;
  if (isEntryTag(clicked)) return true;
  return FOR_SELECTION.test(nameOf(clicked)) || (rowText(clicked) !== "" && isRowMenu(clicked));
}

/** Verbs for which no menu is opened, because they look at something, search or choose. */
const LOOKING = [VERBS.OPEN, VERBS.SEARCH, VERBS.CHOOSE, VERBS.TICK] as const;
/** Matches a word before a value or a goal: "to" in "Move Hugo to Grade 5". */
const GOAL = /^(?:to|into|as|with|auf|zu|nach|als|mit|vers|dans|avec|comme|hacia|como|con)$/u;
/**
 * Matches a word between an action and the entry of the list on which it is done: "of" in "Reset the password of
 * Greta".
 */
const JOINT = /^(?:of|for|from|in|on|von|fur|aus|du|de|des|para|del|di|dei)$/u;

const isCalledBy = (element: HighlightedElement, verb: string): boolean =>
  namesOf(element).some(({ text }) => wordScore(verb, contentWords(text)) >= SAME);

/**
 * Returns the button that opens the menu of the row which the task names, if it names exactly one row. It names a row
 * that has all names, numbers and quoted texts of the task. If the task has none of these, it names a row that begins
 * with a link whose whole name is in the task, such as "menu-order".
 */
function menuOfRow(
  words: readonly Token[],
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const menus = elements.filter((one) => rowText(one) !== "" && !one.disabled && isRowMenu(one));
  const details = words.filter(({ kind, text }) => kind === "value" || /^[\p{Lu}\d]/u.test(text));
  const said = ` ${words.map(({ plain }) => plain).join(" ")} `;
  const named = menus.filter((menu) => {
    const row = ` ${plainText(rowText(menu))} `;
    if (!details.every(({ plain }) => row.includes(` ${plain} `))) return false;
    return details.length > 0 || namesRow(said, row, elements);
  });
  return named.length === 1 ? named[0] : undefined;
}

/** Whether the row begins with a link whose whole name is in the task, such as "menu-order". */
const namesRow = (said: string, row: string, elements: readonly HighlightedElement[]): boolean =>
  elements.some((one) => {
    const name = plainText(nameOf(one));
    return roleOf(one) === "link" && name !== "" && said.includes(` ${name} `) && row.startsWith(` ${name} `);
  });

const isRowMenu = (element: HighlightedElement): boolean =>
  opensMenu(element) ||
  opensMenuByIcon(element) ||
  namesOf(element).some(({ text }) => {
    const words = plainWords(text);
    return words.length > 0 && words.every((word) => MENU_NAMES.has(word));
  });
