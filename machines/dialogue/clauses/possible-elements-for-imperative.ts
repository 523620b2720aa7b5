/** Finds the elements of a page that an imperative of a task may refer to. */

import { savesAnything } from "../../session/controls/name-of-save-button.ts";
import { isSaveIconButton } from "../../session/controls/save-icon-in-title-bar.ts";
import { isYesOrNo } from "../../session/controls/values-that-tick-checkbox.ts";
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import {
  isOppositeOf,
  isOtherChangeThan,
  onlySelectsRow,
} from "../elements/controls-with-other-effect-than-asked.ts";
import {
  findTargets,
  hasOwnWord,
  hasWord,
  isKindOnly,
  type Match,
  type Use,
} from "../elements/elements-described-by-task-words.ts";
import { withoutTwins } from "../elements/elements-with-same-effect.ts";
import { listWithWholeOption } from "../elements/list-with-option-named-in-task.ts";
import { optionIn, optionOf, sortOption } from "../elements/option-named-in-task.ts";
import {
  isField,
  isList,
  isOpener,
  isTick,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import type { Order, OrderKind } from "../task/parsed-imperative.ts";
import { contentWords, plainText, plainWords } from "../words/normalised-words.ts";
import { entriesAtPosition } from "./entries-at-position-in-list.ts";

/**
 * If an element matches with at least this score (0 to 1), no further kinds of elements are searched. A verb
 * may apply to several kinds: "select" first to lists, then to checkboxes, then to buttons.
 */
const WEAK = 0.7;
/**
 * Minimum score (0 to 1) of the target of a click when no button or link fits, and fields and lists are
 * compared too.
 */
const FIELD_CLICK = 0.8;
/** Minimum score (0 to 1) of an element, if the part of the task has no known verb. */
export const BARE_MATCH = 0.62;
const ANY_ELEMENT: Use = "any";

/** For each verb, the kinds of elements to which it may apply. They are tried in the listed order. */
const USES: Partial<Readonly<Record<OrderKind, readonly Use[]>>> = {
  click: ["click", ANY_ELEMENT],
  check: ["check", "click"],
  input: ["input"],
  sign_in: ["input"],
  search: ["input"],
  select: ["select", "check", "click"],
  set: ["input", "select", "check"],
};

/** Whether an imperative has no known verb, so that all its words may be the name of an element. */
export const isBare = ({ kind, target, also }: Order): boolean => kind === "click" && target === also;

/** Returns the elements to which an imperative may refer, most likely first. */
export function candidates(order: Order, all: readonly HighlightedElement[]): readonly Match[] {
  const isOpposite = isOppositeOf(order.also ?? order.target);
  // "Rename Ada to Eve" sets a value, and the checkboxes "Ada" and "Select Ada" cannot have it.
  const takesNoValue = order.kind === "set" ? isTickWithoutValue(order) : () => false;
  const others = all.filter((element) => !isOpposite(element) && !takesNoValue(element));
  return candidatesWithOpposites(order, others);
}

/**
 * Returns the elements that `candidates` returns, and also those that do the opposite, for the options of a
 * question.
 */
export function candidatesWithOpposites(order: Order, all: readonly HighlightedElement[]): readonly Match[] {
  const clause = order.also ?? order.target;
  const isOtherChange = isOtherChangeThan(`${order.target} ${order.also ?? ""}`);
  const elements = all.filter((element) => !element.disabled && !isOtherChange(element));
  const { kind, target, value, also, ordinal } = order;
  const saving = kind === "click" && savesAnything(target) ? saveIconOfPage(all) : undefined;
  if (saving) return [{ element: saving, score: 1 }];
  const marking = kind === "check" ? markingButtons(also ?? "", elements) : [];
  if (marking.length === 1) return marking.map((element) => ({ element, score: 1 }));
  if (kind === "select" && target === "") return optionMatches(value ?? "", elements);
  if (kind === "input" && target === "") {
    const fields = elements.filter(isField);
    const others = fields.filter((one) => one.type !== "search" && !SEARCHES.test(nameOf(one)));
    return onlyOne(others.length > 0 ? others : fields);
  }
  if (kind === "sign_in") return signInFields(order, elements);
  if (kind === "search") return searchFields(order, elements);
  if (kind === "sort") return columnHeaders(order, elements);
  const option = kind === "select" || kind === "set" ? (value ?? undefined) : undefined;
  const inList = ordinal === undefined ? [] : entriesAtPosition(order, elements);
  if (inList.length > 0) return inList;
  const ofOption = kind === "click" ? listWithWholeOption(target, elements) : undefined;
  if (ofOption) return [{ element: ofOption, score: OF_OPTION }];
  if (isBare(order)) return bareMatches(order, elements);
  const byVerb = kind === "click" ? verbMatches(order, elements) : [];
  if (byVerb.length > 0) return byVerb;
  let best: readonly Match[] = [];
  for (const use of USES[kind] ?? []) {
    // "Stop web-01" means the button "Stop" in the row of web-01, although the link "web-01" contains more
    // words of the task. So buttons with the verb are searched first, if no checkbox matches.
    const byButton = kind === "check" && use === "click" ? buttonsOfVerb(order, elements) : [];
    if (byButton.length > 0) return byButton;
    const isChoice = (kind === "select" || kind === "set") && (use === "click" || use === "check");
    // For an instruction to set a value, a checkbox counts only if its name is nearly the same as the words
    // of the instruction. So "My address is different" ticks no checkbox that is only below the heading
    // "Address".
    const least = use === ANY_ELEMENT ? FIELD_CLICK : isChoice && use === "check" ? BARE_MATCH : 0;
    const isRecipient = kind === "set" && target === "to";
    const words = isChoice
      ? [`${value ?? ""} in ${target}`, value ?? ""]
      : [target, ...(kind === "click" && also ? [also] : []), ...(isRecipient ? ["email"] : [])];
    for (const said of words) {
      const matches = findTargets({ words: said, use, ordinal, option }, elements);
      if ((matches[0]?.score ?? 0) > Math.max(least, best[0]?.score ?? 0)) best = matches;
    }
    // The loop tries the kinds of elements in order, and ends after a good match. For a verb such as "tick",
    // a checkbox is a good match with any score if no other checkbox matches.
    const isTicked =
      kind === "check" && use === "check" && best.length === 1 && TICK_VERB.test(order.also ?? "");
    if (isTicked || ((best[0]?.score ?? 0) >= WEAK && kind !== "set")) break;
  }
  // In a combobox that is read-only, a value cannot be typed. A click must first open its options.
  if ((kind === "set" || kind === "input") && (best[0]?.score ?? 0) < WEAK) {
    const openers = findTargets({ words: target, use: "click", ordinal }, elements.filter(isOpener));
    if ((openers[0]?.score ?? 0) > (best[0]?.score ?? 0)) best = openers;
  }
  if (best.length === 0 && kind === "click" && !NO_CHOICE.test(clause))
    best = optionLists(`${target} ${also ?? ""}`, elements);
  // "Add a user to the project" looks like an order to type, but the page has no field for it. The words are
  // then searched in the names of elements to click.
  if (best.length === 0 && also !== undefined && kind !== "click")
    return findTargets({ words: also, use: "click", ordinal }, elements).filter(({ score }) => score >= WEAK);
  return best.length === 0 && kind === "click" ? onlyOne(disabledButtons(target, all)) : best;
}

/**
 * Returns a function that finds ticks (checkboxes, switches, radio buttons) that cannot take the value. "Rename the task
 * Call Ada to Call Ben" does not tick "Call Ada".
 */
function isTickWithoutValue({ target, value }: Order): (element: HighlightedElement) => boolean {
  const [named, given] = [contentWords(target), contentWords(value ?? "")];
  const mayTick = named.length === 0 || isYesOrNo(value ?? "");
  return (element) => {
    if (!isTick(element)) return false;
    if (onlySelectsRow(element)) return true;
    const own = contentWords(nameOf(element));
    return (
      !mayTick && named.every((word) => own.includes(word)) && !given.every((word) => own.includes(word))
    );
  };
}

/**
 * Returns the only icon button in a title bar that saves, if no element of the page is called "Save". It may be disabled
 * until a field changes.
 */
function saveIconOfPage(all: readonly HighlightedElement[]): HighlightedElement | undefined {
  const [only, other] = all.filter(isSaveIconButton);
  return other || all.some((one) => savesAnything(nameOf(one))) ? undefined : only;
}

/**
 * Returns the disabled buttons with exactly the name that the task says. Many pages enable the button of a form
 * only after its fields are filled (Angular Material, Kolibri). The step waits until the button is enabled.
 */
function disabledButtons(name: string, all: readonly HighlightedElement[]): readonly HighlightedElement[] {
  return all.filter(
    (one) => one.disabled && roleOf(one) === "button" && plainText(nameOf(one)) === plainText(name),
  );
}

/** Matches an imperative whose verb chooses no option of a list, such as "Download the invoice of Ada". */
const NO_CHOICE =
  /^(?:please\s+)?(?:download|print|delete|remove|edit|duplicate|copy|herunterladen|drucke|lösche|bearbeite|télécharge|imprime|supprime|modifie|descarga|elimina|edita)\b/iu;

/** Matches verbs that only apply to checkboxes and switches. With such a verb, a link is not the target. */
const TICK_VERB =
  /^(?:tick|untick|uncheck|(?:turn|switch)\s+(?:on|off)|enable|disable|markiere|hake|coche[rz]?|marca)\b/iu;

/**
 * Matches a verb that is often the name of a control: for "Follow Ada", the control may be named "Follow".
 */
const NAMING_VERB = /^(close|follow|collapse|expand|dismiss|launch)\s/iu;

/**
 * Finds controls whose name contains the verb of a task's part, in the row or region that the other words
 * describe. Only verbs that are often names of controls count, such as "follow".
 */
function verbMatches(
  { also = "", ordinal }: Order,
  elements: readonly HighlightedElement[],
): readonly Match[] {
  const [, verb] = NAMING_VERB.exec(also) ?? [];
  if (verb === undefined) return [];
  return findTargets({ words: also, use: "click", ordinal }, elements).filter(
    ({ element, score }) => score >= BARE_MATCH && hasOwnWord(element, verb),
  );
}

/** Returns the buttons whose name contains the verb of a part of the task, such as "Stop". */
function buttonsOfVerb(
  { also = "", ordinal }: Order,
  elements: readonly HighlightedElement[],
): readonly Match[] {
  const [verb = ""] = plainWords(also);
  const buttons = elements.filter((element) => isButton(element) && hasOwnWord(element, verb));
  return findTargets({ words: also, use: "click", ordinal }, buttons).filter(
    ({ score }) => score >= BARE_MATCH,
  );
}

/**
 * Score factor of an element that matches the nouns but not the verb of a part of the task. An example is
 * "Add tag" for "Remove a tag".
 */
const OTHER_VERB = 0.75;
/**
 * Score (0 to 1) of an element whose name is only the verb of the imperative, such as a button "Edit" for
 * "Edit the profile".
 */
const VERB_ONLY = 0.65;

/** Matches an order to mark the shown thing, or all things, as something: "Mark this as unread". */
const MARKED =
  /^mark\s+(?:(it|them|(?:this|that|these|those)(?:\s+\p{L}+)??)|all|everything)(?:\s+as)?\s+(\p{L}+)[.!]?$/iu;

/**
 * Returns the buttons that mark the shown item, or all items, with the state that the task names: "Mark as
 * unread".
 */
function markingButtons(
  also: string,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const [, pronoun, state] = MARKED.exec(also) ?? [];
  if (state === undefined) return [];
  return elements.filter((element) => {
    const words = plainText(nameOf(element)).split(" ");
    if (!isButton(element) || words[0] !== "mark" || rowText(element) !== "") return false;
    return words.includes(state.toLowerCase()) && words.includes("all") === (pronoun === undefined);
  });
}

/** Matches an order for the selected entries of a list: "delete the selected". */
const SELECTED = /^\p{L}+\s+(?:the\s+|all\s+)?selected(?:\s+(?:ones|rows|items|entries|\p{L}+s))?$/iu;

/**
 * Finds elements for a part of the task whose verb is unknown. The words of the part may be the name of an
 * element, such as "Generate the report" or "Revoke the session".
 */
function bareMatches({ target, ordinal }: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  if (SELECTED.test(target)) {
    // The rows that "Delete the selected ones" means are already selected. So the wanted button is outside of
    // the list's rows.
    const outside = elements.filter((element) => rowText(element) === "" && isButton(element));
    const [said = ""] = plainText(target).split(" ");
    const own = findTargets({ words: said, use: "click", ordinal }, outside).filter(
      ({ score }) => score >= WEAK,
    );
    if (own.length === 1) return own;
  }
  const [verb = "", ...rest] = plainText(target).split(/\s+|(?<=\p{L})-(?=(?:le|la|les|lo)$)/u);
  if (rest.length === 1 && PRONOUN.test(rest[0] ?? "")) {
    // In "Trash it", only a button may be meant. A link with this name opens a screen, such as the folder
    // "Trash", so links are left out.
    const own = findTargets({ words: verb, use: "click", ordinal }, elements.filter(isButton));
    if ((own[0]?.score ?? 0) >= WEAK) return own;
  }
  const uses: readonly Use[] = ["click", "check"];
  const whole = uses.flatMap((use) => findTargets({ words: target, use, ordinal }, elements));
  const matches = whole
    .filter(({ element }, at) => whole.findIndex((one) => one.element === element) === at)
    .map(({ element, score }) => ({
      element,
      score: rest.length === 0 || hasWord(element, verb) ? score : score * OTHER_VERB,
    }))
    .toSorted((one, other) => other.score - one.score);
  const [best] = matches;
  // "Approve the comment" refers to a button "Approve", even if the name of a switch ("Allow comments")
  // matches better.
  const named = elements.filter((element) => plainText(nameOf(element)) === verb);
  if (best && named.length > 1 && best.score < 1 && !hasOwnWord(best.element, verb)) {
    const own = [target, verb]
      .map((words) => findTargets({ words, use: "click", ordinal }, named))
      .find((found) => found.length > 0);
    if (own) return own.map((one) => ({ ...one, score: Math.max(one.score, VERB_ONLY) }));
  }
  if (best && rest.length > 0 && !hasWord(best.element, verb)) {
    // "Delete Anna" means the button "Delete" in Anna's row, although the link "Anna" matches more words.
    const acting = elements.filter((element) => hasWord(element, verb));
    const own = findTargets({ words: target, use: "click", ordinal }, acting);
    if ((own[0]?.score ?? 0) >= BARE_MATCH) return own;
  }
  const called = findTargets({ words: verb, use: "click", ordinal }, elements).filter(
    ({ score }) => score >= WEAK,
  );
  const isByVerb = called.some(({ element }) => element === best?.element);
  // For "Manage the member", the control "Manage" is chosen and not "User management": a control whose name is only
  // the verb is better than a weak match.
  const isOther = best !== undefined && !isByVerb && best.score < SURE && called.length > 0;
  if (rest.length === 0 || ((best?.score ?? 0) >= BARE_MATCH && !isOther)) return matches;
  const isForAll = GENERAL_VERB.test(contentWords(verb)[0] ?? verb) && !isKindOnly(rest.join(" "));
  // A link whose name is only a synonym of the verb is too weak a match: "Start with the free plan" does not
  // mean "Home".
  const byName = called.filter(
    ({ element }) =>
      (hasOwnWord(element, verb) || isButton(element)) &&
      !(isForAll && contentWords(nameOf(element)).length > 1),
  );
  // The verb may be one of several words in the name of a control: "Remove" may mean "Remove the attachment".
  const having = elements.filter(
    (element) =>
      !isField(element) && !isList(element) && hasOwnWord(element, verb) && element.tagName !== "th",
  );
  const meant = new Set([...byName.map(({ element }) => element), ...(byName.length > 0 ? having : [])]);
  if (meant.size > 0)
    return withoutTwins(
      [...meant].map((element) => ({ element, score: VERB_ONLY })),
      elements,
    );
  return optionLists(target, elements);
}

/**
 * Matches verbs that many names of controls contain. Such a verb alone is no match: "Add a licence" does not
 * mean the control "Add people".
 */
const GENERAL_VERB = /^(?:add|change|make|set|update|get|put|turn|show|open|view)$/iu;

const PRONOUN = /^(?:it|them|this|that|sie|es|ihn|le|la|les|lo|los|las|quest[oaie]|quell[oaie])$/iu;

/** Matches the class of a link that looks like a button: `btn` in Bootstrap, `button` in other libraries. */
const BUTTON_CLASS = /(?:^|\s)(?:btn|button)(?=\s|$)/u;

const isButton = (element: HighlightedElement): boolean =>
  roleOf(element) === "button" || BUTTON_CLASS.test(element.attributes.class ?? "");

/**
 * An element surely is what a part of the task means if its name matches with at least this score (0 to 1).
 */
const SURE = 0.9;

/**
 * Returns the lists with an option that this part of the task names, such as "Suspended" in "Show only
 * suspended users".
 */
function optionLists(part: string, elements: readonly HighlightedElement[]): readonly Match[] {
  return elements
    .filter((element) => isList(element) && optionIn(part, element) !== undefined)
    .map((element) => ({ element, score: WEAK }));
}

const OF_OPTION = 0.95;
/**
 * Finds the elements by which an option can be chosen: lists that contain the option, and checkboxes or
 * buttons with its name.
 */
function optionMatches(value: string, elements: readonly HighlightedElement[]): readonly Match[] {
  const isAny = INDEFINITE.test(value);
  const lists = elements.filter((element) => {
    const option = element.options && optionOf(element, value);
    return option !== undefined && !(isAny && contentWords(option).join() !== contentWords(value).join());
  });
  const ticks = rowTicks(value, elements);
  if (ticks.length > 0) return ticks;
  const named = findTargets({ words: value, use: "check" }, elements);
  const clicked = findTargets({ words: value, use: "click" }, elements);
  const [first = []] = [named, clicked].toSorted(
    (one, other) => (other[0]?.score ?? 0) - (one[0]?.score ?? 0),
  );
  if ((first[0]?.score ?? 0) >= 1 || lists.length === 0) return first;
  return lists.map((element) => ({ element, score: OF_OPTION }));
}

/** Matches the start of words that mean any thing of a kind, such as "a room" in "Choose a room". */
const INDEFINITE = /^(?:an?|any|some|eine?n?|irgend\w*|une?|una?|uno)\s/iu;

/** Score (0 to 1) of the checkbox of a row that a task names by the texts of the row: "Select Ada". */
const ROW_TICK = 0.95;

/** Finds the checkbox of a row, if this is the only row that contains all words of `value`. */
function rowTicks(value: string, elements: readonly HighlightedElement[]): readonly Match[] {
  const words = contentWords(value);
  // The checkbox of a row may have no name, or the same name in all rows, such as "Select row". Its name may
  // also consist of a verb and a text of the row: "Select Budget.xlsx".
  const isOfRow = (element: HighlightedElement): boolean =>
    nameOf(element) === "" ||
    SELECTS_ROW.test(nameOf(element)) ||
    elements.some((one) => one !== element && isTick(one) && nameOf(one) === nameOf(element));
  const found = elements.filter((element) => {
    if (!isTick(element) || rowText(element) === "" || !isOfRow(element)) return false;
    const row = contentWords(rowText(element));
    return words.length > 0 && words.every((word) => row.includes(word));
  });
  // The first checkbox of a row selects the row. A further checkbox, such as "Online", changes the row's
  // data.
  const [first] = found;
  const isOneRow = first !== undefined && found.every((one) => rowText(one) === rowText(first));
  return isOneRow ? [{ element: first, score: ROW_TICK }] : [];
}

/** Matches an imperative that selects a row by its checkbox, such as "Select Budget.xlsx". */
const SELECTS_ROW =
  /^(?:select|choose|pick|mark|wähle|sélectionner|seleccionar)\s+(?!all\b)\S|\s(?:auswählen|wählen)$/iu;

const onlyOne = (elements: readonly HighlightedElement[]): readonly Match[] =>
  elements.length === 1 ? elements.map((element) => ({ element, score: WEAK })) : [];

function signInFields({ value, target }: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const fields = elements.filter(isField);
  const secret = fields.filter(({ type }) => type === "password");
  if (value === null && target === "password")
    return secret.map((element) => ({ element, score: 1 })).slice(0, 1);
  const named = fields.filter(
    (element) =>
      element.type !== "password" &&
      /user|e-?mail|login|account|name|benutzer|utilisateur|usuario|correo/iu.test(
        `${nameOf(element)} ${element.attributes.name ?? ""} ${element.attributes.autocomplete ?? ""} ${element.type}`,
      ),
  );
  const before = secret[0]
    ? named.filter((element) => element.highlight_index < (secret[0]?.highlight_index ?? 0))
    : named;
  const last = before.at(-1) ?? named[0];
  return last ? [{ element: last, score: 1 }] : [];
}

/**
 * Finds the header of the table column that the task wants to sort. If there is none, finds an element named
 * "sort by" and the column.
 */
function columnHeaders(
  { target, ordinal }: Order,
  elements: readonly HighlightedElement[],
): readonly Match[] {
  const heads = elements.filter((one) => one.tagName === "th" || roleOf(one) === "columnheader");
  const among = (some: readonly HighlightedElement[], words: string) =>
    findTargets({ words, use: "click", ordinal }, some);
  const inHeads = among(heads, target);
  if (inHeads.length > 0) return inHeads;
  const ordered = elements.filter((one) => isList(one) && sortOption(target, one) !== undefined);
  if (ordered.length === 1) return ordered.map((element) => ({ element, score: OF_OPTION }));
  const lists = elements.filter((one) => isList(one) && optionIn(target, one) !== undefined);
  if (lists.length === 1) return lists.map((element) => ({ element, score: OF_OPTION }));
  const named = among(elements, `sort by ${target}`);
  return named.length > 0 ? named : among(elements, target);
}

const SEARCHES = /\b(?:search|find|query|filter|suche\w*|recherche\w*|buscar)\b/iu;

/**
 * Score (0 to 1) of the search field for an imperative such as "Search for Ada", which names the field only
 * by its verb.
 */
const SEARCH_FIELD = 0.95;

/**
 * Finds the field for a search: a field with a name such as "Search", or otherwise the only text field of the
 * page.
 */
function searchFields({ target }: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const fields = elements.filter((element) => isField(element) && element.type !== "password");
  const named = target === "search" ? [] : findTargets({ words: target, use: "input" }, elements);
  const isOwn = (element: HighlightedElement): boolean =>
    element.type === "search" || SEARCHES.test(nameOf(element));
  const own = named.filter(({ element }) => isOwn(element) || !fields.some(isOwn));
  if (own.length > 0) return own;
  const called = fields.filter(
    (element) =>
      element.type === "search" ||
      element.role === "searchbox" ||
      SEARCHES.test(`${nameOf(element)} ${element.placeholder ?? ""} ${element.attributes.name ?? ""}`),
  );
  if (called.length > 0) {
    // For "Search the customers for Ada", the lowest search field on the page is chosen. The upper one
    // usually searches the whole site.
    if (target !== "search" && called.length > 1) {
      const lowest = called.reduce((one, other) => (other.box.y > one.box.y ? other : one));
      return [{ element: lowest, score: WEAK }];
    }
    const global = called.filter((element) =>
      /^\W*(?:search|suche|recherche|buscar)[\W\w]{0,12}$/iu.test(nameOf(element)),
    );
    const best = global.length === 1 ? global : called;
    return withoutTwins(best.map((element) => ({ element, score: SEARCH_FIELD })));
  }
  const inSearch = fields.filter((field) => {
    const next = elements.slice(elements.indexOf(field) + 1).find((one) => !isList(one));
    return (
      next !== undefined &&
      isButton(next) &&
      /search|find|query|magnif|lupe|loupe|suche|recherche|buscar/iu.test(
        `${nameOf(next)} ${next.icon ?? ""}`,
      )
    );
  });
  if (inSearch.length === 1) return inSearch.map((element) => ({ element, score: SEARCH_FIELD }));
  const inputs = fields.filter(({ tagName }) => tagName === "input");
  // An editor (an element with `contenteditable`) is usually no search field. It is used only on a page
  // without `input` elements.
  return onlyOne(inputs.length > 0 ? inputs : fields);
}
