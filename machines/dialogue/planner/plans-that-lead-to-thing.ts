/**
 * Plans that only lead to the thing or to the form of a task: they open a folded part of the page, or another page of
 * the map. They use no word of the task, so the dialogue plans the task again when such a plan has ended.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { hasException } from "../checks/rows-except-named-ones.ts";
import { isOppositeOf } from "../elements/controls-with-other-effect-than-asked.ts";
import { namesOf, opensMenu, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { plannedStep, summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf } from "../plan/plan-confidence.ts";
import type { Plan, PlanStep } from "../plan/plan-schemas.ts";
import { changes } from "../task/clause-verb.ts";
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import { asImperative, partsOf } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS, plainWords } from "../words/normalised-words.ts";
import { CREATING, EDITING, EMPTY, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import type { PlanResult } from "./plan-by-imperatives.ts";
import { additionOf } from "./tasks-on-page-of-thing.ts";
import { hasOwnName, type ThingOfTask, TO_VALUE, thingInWords, wordsOfThing } from "./thing-of-task.ts";

/** A word of a task and a word of an element are the same if their similarity (0 to 1) is at least this score. */
const SAME = 0.8;
/** Score (0 to 1) of a control that opens a part of the page in which the form of the task may be. */
const OPENER = 0.7;

/**
 * Returns the thing of a task with a single imperative. For a task that adds something to a thing ('Add the comment
 * "calls back" to order A7'), this is the existing thing ("order A7"). Returns `undefined` if the task names no
 * thing, or only makes a new one.
 */
export function thingOfTask(written: string): ThingOfTask | undefined {
  const task = asImperative(written);
  if (partsOf(task, 2).length !== 1 || /\?\s*$/u.test(task) || hasException(task)) return undefined;
  const [first, ...rest] = tokensOf(task).filter(({ kind }) => kind !== "separator");
  const [verb] = contentWords(first?.text ?? "");
  if (verb === undefined || VERBS.SEARCH.has(verb)) return undefined;
  const addition = additionOf(task);
  if (addition || CREATING.has(verb)) return addition?.thing;
  return thingInWords(verb, wordsOfThing(rest), ordinalIn(task) !== undefined);
}

/** Whether the elements of a page show all words that name the thing of a task, such as "Hugo Weber". */
export function showsThing(thing: ThingOfTask, elements: readonly HighlightedElement[]): boolean {
  const { kind, name } = thing;
  const words = (hasOwnName(thing) ? name : [...kind, ...name]).flatMap((text) => contentWords(text));
  return elements.some((one) => {
    const own = [...namesOf(one).map(({ text }) => text), rowText(one)].flatMap((text) => contentWords(text));
    return words.length > 0 && words.every((word) => own.includes(word));
  });
}

/** Returns the words of a task in their order, without fillers such as "the" and without separators. */
export const wordsOfTask = (task: string): readonly string[] =>
  tokensOf(asImperative(task)).flatMap(({ kind, plain, text }) =>
    kind === "separator" || FILLERS.has(plain) || EMPTY.has(plain) ? [] : [text],
  );

/** Returns a plan whose steps only lead to the thing of the task, so the plan uses no word of the task. */
export function leadingPlan(
  task: string,
  plan: Plan,
  steps: readonly PlanStep[],
  source: Plan["source"],
): Plan {
  const all = withDependencies(steps);
  const lowest = Math.min(...all.map(({ confidence }) => confidence));
  const { unplaced: _, ...rest } = plan;
  return {
    ...rest,
    steps: all,
    summary: summaryOf(all),
    confidence: confidenceOf(1, [lowest], [], false),
    assumptions: [],
    risks: [],
    source,
    open: [...wordsOfTask(task)],
  };
}

/**
 * Words of controls that open the form with which a thing is changed: "Modify ticket", "More actions". A button "Update"
 * rather sends a form.
 */
export const CHANGING: ReadonlySet<string> = new Set([
  ...[...EDITING].filter((word) => word !== "update"),
  ...contentWords("manage action actions workflow aktionen azioni acciones"),
]);
/** Words of folded parts with controls that are rarely used, such as "Danger zone". */
const RARE: ReadonlySet<string> = new Set(contentWords("danger advanced more"));
/** Matches the values of attributes with which Bootstrap marks controls of folded parts and menus. */
const TOGGLED = /^(?:collapse|dropdown)$/u;

/** Whether a verb only looks at something or chooses it. "Set" also chooses an option, but it changes a thing. */
const isLooking = (verb: string): boolean =>
  !VERBS.SET.has(verb) && (VERBS.OPEN.has(verb) || VERBS.CHOOSE.has(verb));

/** Whether the HTML says that the element opens a part of the page that is closed now. */
function isClosedOpener(element: HighlightedElement): boolean {
  const { tagName, attributes } = element;
  const {
    "aria-expanded": expanded,
    "data-toggle": toggle = "",
    "data-bs-toggle": bootstrap = "",
  } = attributes;
  if (expanded !== undefined) return expanded === "false";
  return tagName === "summary" || opensMenu(element) || TOGGLED.test(toggle) || TOGGLED.test(bootstrap);
}

function hasAny(text: string, words: readonly string[]): boolean {
  const own = contentWords(text);
  return words.some((word) => wordScore(word, own) >= SAME);
}

/**
 * Matches words for what was done to a thing, which have the stem of a verb that changes it: "Last edited entries" (Strapi),
 * "Last edited by" (WordPress), and the same in French and Italian, without accents.
 */
const DONE_BEFORE = /^(?:edited|modifiee?s?|modificat[oaie])$/iu;

/** Whether the name of a control says that it opens a form to change something. */
export const isEditing = (element: HighlightedElement): boolean =>
  plainWords(nameOf(element))
    .filter((word) => !DONE_BEFORE.test(word))
    .flatMap((word) => contentWords(word))
    .some((word) => CHANGING.has(word));

/** Matches the name of an entry that stands beside "Edit" in the menu bar of an application. */
const MENU_BAR_ENTRY = /^(?:file|datei|fichier|archivo)$/iu;

/**
 * Whether an element is an entry of a menu bar, such as "Edit" beside "File" and "View" (7.css, TinyMCE). Such an "Edit"
 * has commands for the application, and does not open a form.
 */
function isInMenuBar(element: HighlightedElement, elements: readonly HighlightedElement[]): boolean {
  return (
    roleOf(element) === "menuitem" &&
    elements.some((one) => roleOf(one) === "menuitem" && MENU_BAR_ENTRY.test(nameOf(one).trim()))
  );
}

/**
 * Maximum number of words in the name of a control that may edit the whole page, such as "Edit page". "Advanced image
 * editing" is the name of a feature.
 */
const EDITOR_WORDS = 2;

/**
 * Plans to open the part of the page that may contain the form of a task, if no control of the page does what the
 * task asks. For "Resolve this ticket", the plan clicks "Modify Ticket", or opens a folded part that is named after
 * the thing or after its field. Returns `undefined` unless exactly one control fits.
 */
export function planToUnfold(
  task: string,
  { plan, questions }: PlanResult,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const thing = thingOfTask(task);
  const isOpen = plan.steps.length === 0 && questions.length > 0;
  if (!isOpen || thing === undefined || isLooking(thing.verb) || additionOf(task)) return undefined;
  const controls = elements.filter(
    (one) =>
      /^(?:button|link|menuitem|generic|treeitem)$/u.test(roleOf(one)) &&
      one.covered === undefined &&
      one.disabled !== true &&
      one.interactionType !== "submit",
  );
  const has = (one: HighlightedElement, words: readonly string[]): boolean => hasAny(nameOf(one), words);
  // "Assign to me" is no control for "Assign the ticket to Carla", so the form of the ticket is opened.
  const isOpposite = isOppositeOf(asImperative(task));
  if (!isGeneral(thing) && controls.some((one) => has(one, [thing.verb]) && !isOpposite(one)))
    return undefined;
  const usable = controls.filter((one) => rowText(one) === "" && !isInMenuBar(one, elements));
  const nouns = tokensOf(asImperative(task))
    .slice(1)
    .flatMap(({ text, plain }) => (FILLERS.has(plain) || EMPTY.has(plain) ? [] : contentWords(text)))
    .filter((noun) => !CHANGING.has(noun));
  const editing = usable.filter((one) => isEditing(one));
  const changing = editing.filter((one) => has(one, nouns));
  // A menu "Actions" says nothing about its thing, so the page must be about the thing.
  const isShown = elements.some(
    (one) => has(one, nouns) || placeOf(one).headings.some((text) => hasAny(text, nouns)),
  );
  const folded = usable.filter((one) => isClosedOpener(one) && has(one, nouns));
  const closed = usable.filter(
    (one) =>
      isShown &&
      isClosedOpener(one) &&
      contentWords(nameOf(one)).some((word) => CHANGING.has(word) || RARE.has(word)),
  );
  const hasValue =
    isGeneral(thing) &&
    tokensOf(task).some(({ plain }, at, all) => TO_VALUE.test(plain) && at + 1 < all.length);
  // A task with a value needs a form. The control "Edit" of this page may open a form with the field, even if
  // no text of the page names the field.
  const edit = isShown || hasValue ? editing.filter((one) => contentWords(nameOf(one)).length === 1) : [];
  const onPage = hasValue
    ? editing.filter(
        (one) =>
          one.attributes.href?.startsWith("#") !== false && contentWords(nameOf(one)).length <= EDITOR_WORDS,
      )
    : [];
  const [found = []] = [changing, folded, closed, edit, onPage].filter((some) => some.length > 0);
  const [only, other] = found;
  if (!only || other) return undefined;
  return planToClick(only, task, plan, elements);
}

/**
 * Plans to open the thing of a task: "Order 2" for "Change the state of order 2 to paid". The page must show a link
 * with the name of the thing, and no control that does what the task asks.
 */
export function planToOpenThing(
  task: string,
  { plan, questions }: PlanResult,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const thing = thingOfTask(task);
  if (plan.steps.length > 0 || questions.length === 0 || !thing) return undefined;
  if (thing.isByPosition || isLooking(thing.verb)) return undefined;
  const usable = elements.filter((one) => one.covered === undefined && one.disabled !== true);
  if (!isGeneral(thing) && usable.some((one) => hasAny(nameOf(one), [thing.verb]))) return undefined;
  const [kind, name] = [thing.kind, thing.name].map((texts) => texts.flatMap((text) => contentWords(text)));
  const isNameless = thing.name.length === 0;
  const links = usable.filter((one) => {
    if (isNameless) return roleOf(one) === "link" && isNamedAfterItsKind(task, one);
    const words = contentWords(nameOf(one));
    const isNamed =
      name?.every((word) => words.includes(word)) === true &&
      (hasOwnName(thing) || kind?.some((word) => words.includes(word)) === true);
    return (
      roleOf(one) === "link" && isNamed && words.every((word) => name.includes(word) || kind?.includes(word))
    );
  });
  const [only, other] = links;
  if (!only || other) return undefined;
  return planToClick(only, task, plan, elements);
}

/**
 * Returns the name of the thing that a task changes, to search for it in rows. Returns `undefined` if the plan
 * already has a step or asks no question, or if the task names no such thing.
 */
function nameOfThingInRow(task: string, { plan, questions }: PlanResult): string | undefined {
  const thing = thingOfTask(task);
  if (plan.steps.length > 0 || questions.length === 0 || !thing) return undefined;
  if (thing.isByPosition || !hasOwnName(thing) || !isGeneral(thing)) return undefined;
  return thing.name.join(" ");
}

/**
 * Plans to open the form of a thing by the only control "Edit" in the row of the thing, if the row begins with the
 * thing's name. This is for lists in which the name is plain text and no link, as in Flask-AppBuilder and in Rails.
 */
export function planToEditInRow(
  task: string,
  planned: PlanResult,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const name = nameOfThingInRow(task, planned);
  if (name === undefined || additionOf(task)) return undefined;
  const inRows = elements.filter((one) => rowText(one) !== "");
  const captions = new Set(inRows.map((one) => nameOf(one).trim()).filter((caption) => caption !== ""));
  const fitting = inRows.filter(
    (one) =>
      one.covered === undefined &&
      one.disabled !== true &&
      isEditing(one) &&
      `${withoutCaptions(rowText(one), captions)} `.toLowerCase().startsWith(`${name.toLowerCase()} `),
  );
  const [only, other] = fitting;
  if (!only || other) return undefined;
  return planToClick(only, task, planned.plan, elements);
}

/**
 * Plans to click the only row that contains the name of the thing, or the only card that begins with it, if the row or
 * card itself reacts to clicks. They are in lists without links: rows in Directus, Strapi and the data grids of Material
 * UI, cards in n8n and Vuetify. Returns `undefined` if there is no such
 * row, or if the row has a control "Edit", by which another plan opens it.
 */
export function planToClickRow(
  task: string,
  planned: PlanResult,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const name = nameOfThingInRow(task, planned);
  if (name === undefined) return undefined;
  const words = ` ${plainWords(name).join(" ")} `;
  const rows = elements.filter((one) => {
    if (!isClickable(one)) return false;
    const text = ` ${plainWords(one.textContent ?? "").join(" ")} `;
    return isRow(one) ? text.includes(words) : isCard(one) && text.startsWith(words);
  });
  const [only, other] = rows;
  const isEdited = only && elements.some((one) => isEditing(one) && one.xpath.startsWith(`${only.xpath}/`));
  return !only || other || isEdited ? undefined : planToClick(only, task, planned.plan, elements);
}

const isClickable = ({ interactionType, attributes, covered, disabled }: HighlightedElement): boolean =>
  interactionType === "click" && attributes.href === undefined && covered === undefined && disabled !== true;

const isRow = ({ tagName, role }: HighlightedElement): boolean => tagName === "tr" || role === "row";

/** Matches a class of a card: `card` of Bootstrap and n8n, `v-card` of Vuetify, `mat-mdc-card` of Angular Material. */
const CARD_CLASS = /(?:^|\s)(?:[a-z\d]+-)*card(?=\s|$)/iu;

/** Whether an element is a card of a list, and no button or link. */
const isCard = ({ tagName, role, attributes }: HighlightedElement): boolean =>
  /^(?:div|li|article|section)$/u.test(tagName) &&
  !/^(?:button|link)$/u.test(role ?? "") &&
  CARD_CLASS.test(attributes.class ?? "");

/** Plans to click the only control that leads to the thing of a task; `undefined` if the click is of high risk. */
function planToClick(
  only: HighlightedElement,
  task: string,
  plan: Plan,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const order = { kind: "click", target: nameOf(only), value: null } as const;
  const step = plannedStep(order, only, { action: "click", target: OPENER, part: "open", elements });
  return step.risk === "high" ? undefined : leadingPlan(task, plan, [step], "page");
}

/** Returns the text of a row without the captions of controls at its beginning, such as "Edit Delete". */
function withoutCaptions(text: string, captions: ReadonlySet<string>): string {
  for (const caption of captions)
    if (text.startsWith(`${caption} `)) return withoutCaptions(text.slice(caption.length + 1), captions);
  return text;
}

/**
 * Whether the task contains the kind and the name of a thing in succession, and the address of the link ends with
 * both: "nell" of "the user nell" for `#/users/nell` (Camunda), "lodash" of "the package lodash" for
 * `/package/lodash` (npm). This recognises a name in lower case.
 */
function isNamedAfterItsKind(task: string, link: HighlightedElement): boolean {
  const words = tokensOf(asImperative(task)).map(({ plain }) => plain);
  const at = words.indexOf(nameOf(link).trim().toLowerCase());
  const [folder = "", last = ""] = (link.attributes.href ?? "")
    .replace(/^[^#]*#!?(?=\/)/u, "")
    .replace(/[?#].*$/u, "")
    .split("/")
    .slice(-2);
  const [kind, ofFolder] = [words[at - 1] ?? "", folder].map((text) => contentWords(text)[0]);
  return (
    at > 1 && percentDecoded(last).toLowerCase() === words[at] && kind !== undefined && kind === ofFolder
  );
}

/** Whether the verb of a task only says that something is changed, so that a control need not have it in its name. */
export const isGeneral = ({ verb }: ThingOfTask): boolean =>
  changes(verb) || EDITING.has(verb) || VERBS.SET.has(verb);
