/**
 * Detects that a control does not do what a clause asks for. It may do the opposite ("Add device" for "Remove
 * the lamp"), or only save earlier changes ("Save changes" for "Change the plan").
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { plainText, plainWords, stem } from "../words/normalised-words.ts";
import { inEnglish } from "../words/translated-words.ts";
import {
  FILTER_NAME,
  isField,
  isFilterTick,
  isTick,
  roleOf,
  rowText,
} from "./texts-that-may-name-element.ts";

/** Matches the name of a button that saves or discards earlier changes, such as "Save changes". */
const SAVES = /\b(?:save|apply|keep|discard|cancel|reset)\b.*\bchanges\b/iu;
const CHANGES = /\bchange\b(?!s)/iu;

/**
 * Returns a function that is true for elements that save or discard earlier changes, such as "Save changes".
 * The words must ask for a new change ("Change the plan"); for other words, the function is always false.
 */
export function isOtherChangeThan(words: string): (element: HighlightedElement) => boolean {
  const isChange = CHANGES.test(words) && !/\bchanges\b/iu.test(words);
  return (element) => isChange && SAVES.test(nameOf(element));
}

/** Matches a task clause that turns something off. */
const TURN_OFF = /\b(?:turn|switch)\s(?:.*\s)?off\b/iu;
/** Matches the name of an option that switches something off, such as "none". */
const OFF_OPTION = /\b(?:off|no|none|never|disabled|silent|mute)\b/iu;

/**
 * Matches the name of a button that saves, creates or discards a thing, and so does not show it: "Save
 * profile".
 */
const SAVING = /^\W*(?:save|add|create|delete|discard)\b/iu;
/** Matches a clause that opens or reads a certain thing, such as "Open the profile". */
const OPENS_KNOWN = /^(?:please\s+)?(?:open|view|read|see)\s+(?:the|my|our|his|her|their)\b/iu;
/**
 * Matches a clause that only opens, shows or reads something. "Open an issue" often means to create it, so a clause
 * with the verb "open" and an indefinite article does not match.
 */
const SHOWING =
  /^(?:please\s+)?(?:(?:open|öffne|ouvre|abre|apri)\s+(?!(?:an?|eine?n?|une?|una?|uno)\s)|(?:show|view|see|read|display|browse|zeige?|lies|affiche|montre|lis|muestra|lee|mostra(?:mi)?|vedi|leggi|visualizza)\s)/iu;
/**
 * Matches words by which a clause asks to create a thing or to show the form for this: "Show the add form".
 */
const ASKS_FOR_NEW =
  /\b(?:new|add|create|creation|plus|form|dialog|neue?[nmrs]?|nouve(?:au|lle)s?|nuev[oa]s?|nuov[oaie])\b|\+/iu;
/** Matches the name of a control that makes a new thing: "+ Table", "New table", "Add table". */
const MAKING =
  /^\s*(?:\+\s*\p{L}|\W*(?:add|create|hinzufügen|ajouter|añadir|crear|créer|aggiungi|crea)\b|\W*(?:new|neue[rs]?|nouve(?:au|lle)|nuev[oa]|nuov[oa])\b.*[^s]$)/iu;

/**
 * Pairs of patterns for a clause and the name of a control. A clause that matches the first pattern never
 * means a control that matches the second: "Remove the lamp" does not mean "Add device".
 */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:please\s+)?(?:remove|delete|erase|edit|change|rename)\b/iu, /^\W*(?:add|new|create)\b/iu],
  [/^(?:please\s+)?(?:add|create)\b/iu, /^\W*(?:remove|delete)\b/iu],
  // "Assign the ticket to Ines" does not mean "Assign to me" (Jira, YouTrack).
  [
    /^(?:please\s+)?(?:re)?(?:assign|give|hand|delegate)\b.*\sto\s+(?!me\b|myself\b)/iu,
    /\b(?:to\s+me|yourself|myself)$/iu,
  ],
  [/\b(?:turn|switch)\s(?:.*\s)?on\b/iu, /\boff\b/iu],
  [/^(?:please\s+)?(?:stop|end|cancel)\b/iu, /^\W*(?:subscribe|start|join|book|enable)\b/iu],
  [TURN_OFF, /\bon$|^\W*(?:send|add|new|create)\b/iu],
  [/\bzoom\s(?:.*\s)?in\b/iu, /\bout\b/iu],
  [/\bzoom\s(?:.*\s)?out\b/iu, /\bin\b/iu],
  [/\b(?:sign|log)\s(?:\S+\s)?(?:up|in|on)\b/iu, /\b(?:sign|log)[\s-]?(?:out|off)\b/iu],
  [/\b(?:sign|log)\s(?:\S+\s)?(?:out|off)\b/iu, /\b(?:sign|log)[\s-]?(?:up|in|on)\b/iu],
  [/\bprivate\b/iu, /\bpublic\b/iu],
  [/\bpublic\b/iu, /\bprivate\b/iu],
];

/**
 * Words that exclude each other before the same noun: "the first floor" is not the ground floor. The words in
 * one string, separated by spaces, have the same meaning.
 */
const EXCLUDING: readonly (readonly string[])[] = [
  ["ground", "first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "top"],
  ["upper", "lower"],
  ["left", "right"],
  ["front", "back rear"],
  ["north northern", "south southern", "east eastern", "west western"],
  ["small little", "medium", "large big"],
  ["single", "double", "triple"],
  ["indoor", "outdoor"],
  ["morning", "afternoon", "evening"],
  ["spring", "summer", "autumn", "winter"],
  ["red", "green", "blue", "yellow", "black", "white", "grey gray", "brown", "orange"],
];

/**
 * For each word of `EXCLUDING`: the index of its group (`at`), and the index of its meaning in this group
 * (`meaning`).
 */
const MEANINGS_OF_ADJECTIVE = new Map(
  EXCLUDING.flatMap((group, at) =>
    group.flatMap((words, meaning) => words.split(" ").map((word) => [word, { at, meaning }] as const)),
  ),
);

/**
 * An adjective that excludes others (`EXCLUDING`), and the noun after it: "first" and "floor" in "the first
 * floor".
 */
interface Attribute {
  readonly at: number;
  readonly meaning: number;
  readonly noun: string;
}

function attributesIn(text: string): readonly Attribute[] {
  const words = plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word, index) => {
    const found = MEANINGS_OF_ADJECTIVE.get(word);
    const noun = words[index + 1];
    return found && noun !== undefined ? [{ ...found, noun: stem(noun) }] : [];
  });
}

/**
 * Whether a text has the noun of a clause, but only after another adjective: "Ground floor" for the clause
 * "the first floor".
 */
function hasOtherAttribute(text: string, asked: readonly Attribute[]): boolean {
  const own = attributesIn(text);
  return asked.some(({ at, meaning, noun }) => {
    const same = own.filter((one) => one.at === at && one.noun === noun);
    return same.length > 0 && same.every((one) => one.meaning !== meaning);
  });
}

/** Pairs of opposite verbs. The verbs in one string, separated by spaces, have the same meaning. */
const OPPOSITE_VERBS: readonly (readonly [string, string])[] = [
  ["enable activate allow", "disable deactivate deny block"],
  ["approve accept allow grant", "reject decline deny refuse revoke"],
  ["start play resume", "stop pause"],
  ["show reveal unhide", "hide"],
  ["open", "close"],
  ["expand", "collapse"],
  ["lock", "unlock"],
  ["block", "unblock"],
  ["follow", "unfollow"],
  ["subscribe", "unsubscribe"],
  ["mute", "unmute"],
  ["pin", "unpin"],
  ["archive", "unarchive"],
  ["publish", "unpublish"],
  ["connect", "disconnect"],
  ["upload", "download"],
  ["import", "export"],
  ["open view read rename delete remove", "upload attach"],
  ["deposit", "withdraw"],
  ["increase raise", "decrease reduce lower"],
];

const OPPOSITES_OF_VERBS = OPPOSITE_VERBS.flatMap(([one, other]) => {
  const [verbs, opposites] = [one.split(" "), other.split(" ")];
  return [
    { verbs, opposites },
    { verbs: opposites, opposites: verbs },
  ];
});

/** Returns the words of a clause in English, beginning with its verb. */
const wordsInEnglish = (clause: string): readonly string[] =>
  plainWords(clause.replace(/^please\s+/iu, "")).map(inEnglish);

/**
 * Returns the verbs that mean the opposite of the task clause's first verb, without verbs that occur in the clause
 * itself.
 */
function oppositeVerbs(clause: string): ReadonlySet<string> {
  const asked = wordsInEnglish(clause);
  const [verb = ""] = asked;
  const opposites = OPPOSITES_OF_VERBS.flatMap((one) => (one.verbs.includes(verb) ? one.opposites : []));
  const reversed = verb.startsWith("un") ? verb.slice(2) : `un${verb}`;
  return new Set([...opposites, reversed].filter((one) => !asked.includes(one)));
}

/**
 * Matches an order to change one entry, such as "Mark it unread". A checkbox that filters a list never does
 * this.
 */
const MARKS =
  /^(?:please\s+)?(?:mark|flag|star|pin|archive|markiere|marque[rz]?|marca|archiviere|archive[rz]?|archiva)\s/iu;

/**
 * Matches the name of a checkbox that only selects a row or all rows of a list: "Select Ada Quist" (React Spectrum, Google
 * Drive), "Select row 2" (PatternFly, MUI, Carbon).
 */
const SELECTS_ROW = /^(?:select|wähle|sélectionner|seleccionar|seleziona)\s+\S|\s(?:auswählen|wählen)$/iu;

/** Whether an element is a checkbox that only selects a row or all rows of a list. */
export const onlySelectsRow = (element: HighlightedElement): boolean =>
  roleOf(element) === "checkbox" && SELECTS_ROW.test(nameOf(element));

/** Matches an order that changes, removes or shows a thing. To select its row does nothing of this. */
const CHANGES_THING =
  /^(?:please\s+)?(?:rename|edit|change|modify|update|correct|publish|unpublish|delete|remove|archive|restore|duplicate|copy|move|open|show|view|approve|reject|cancel|close|finish|complete|benenne|bearbeite|ändere|lösche|entferne|veröffentliche|öffne|zeige?|renomme|modifie|change|supprime|publie|ouvre|affiche|renombra|edita|modifica|cambia|elimina|borra|publica|abre|muestra|rinomina|pubblica|apri|mostra)(?!\p{L})/iu;

/** Verbs for what is done to a whole thing. A checkbox or a radio button with the thing's name does not do this. */
const DONE_TO_THING: ReadonlySet<string> = new Set(["rename", "edit", "delete", "duplicate"]);

/**
 * Returns a function that finds elements whose names mean the opposite of the clause, such as "Disable" for
 * "enable".
 */
export function isOppositeOf(clause: string): (element: HighlightedElement) => boolean {
  const verbs = oppositeVerbs(clause);
  const names = OPPOSITES.flatMap(([asks, says]) => (asks.test(clause) ? [says] : []));
  const shows = SHOWING.test(clause) && !ASKS_FOR_NEW.test(clause);
  // "Open the profile" does not mean a button "Save profile". But "Open the add user page" contains the verb
  // of the link "Add user", so it may mean this link.
  const said = OPENS_KNOWN.test(clause) ? plainWords(clause) : undefined;
  const turnsOff = TURN_OFF.test(clause);
  const asked = attributesIn(clause);
  const marks = MARKS.test(clause) && !FILTER_NAME.test(clause);
  const changesThing = CHANGES_THING.test(clause);
  const [verb = ""] = wordsInEnglish(clause);
  const isDoneToThing = DONE_TO_THING.has(verb);
  return (element) => {
    const name = nameOf(element);
    if (changesThing && onlySelectsRow(element)) return true;
    if (asked.length > 0 && hasOtherAttribute(`${name} ${rowText(element)}`, asked)) return true;
    if (isFilterTick(element) && marks) return true;
    // A radio button is chosen by a click, so it cannot be turned off. If a task turns something off, only a
    // radio button with a name that means "off" fits.
    if (isDoneToThing && isTick(element) && inEnglish(plainWords(name)[0] ?? "") !== verb) return true;
    if (isTick(element)) return turnsOff && roleOf(element) === "radio" && !OFF_OPTION.test(name);
    if (isField(element)) return false;
    if (shows && MAKING.test(name)) return true;
    if (said && SAVING.test(name) && !said.includes(plainWords(name)[0] ?? "")) return true;
    return verbs.has(inEnglish(plainWords(name)[0] ?? "")) || names.some((says) => says.test(name));
  };
}
