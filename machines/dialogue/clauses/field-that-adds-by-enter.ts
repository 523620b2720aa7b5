/**
 * Enters a new entry of a list in the field that adds it when Enter is pressed: "Add item" on the shopping list of Home
 * Assistant, or "What needs to be done?" of TodoMVC. Such a field has no button.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { submitsOf } from "../elements/elements-of-one-form.ts";
import { isField, isList } from "../elements/texts-that-may-name-element.ts";
import { isSearch } from "./text-fields-for-clause.ts";

/** Matches the name of a field that adds an entry: "Add a task", "New to-do", "What needs to be done?". */
const ADDS =
  /^\P{L}*(?:(?:quick\s)?add|new|create|take\sa\snote|what\sneeds|neue[rs]?|ajouter|nouve(?:au|lle)|añadir|nuev[oa]|aggiungi|nuov[oa])(?!\p{L})|(?:hinzufügen|anlegen|erstellen)\P{L}*$/iu;

const VERB =
  "(?:please\\s+|bitte\\s+)?(?:add|put|note(?:\\s+down)?|write(?:\\s+down)?|create|füge|schreib\\p{L}*|setze|ajoute\\p{L}*|mets|añade|agrega|apunta|aggiungi|metti)";
/** Articles before an entry: "a", "the", "a new". */
const ARTICLES =
  "(?:(?:an?|the|one|another|new|ein\\p{L}*|die|den|das|neue\\p{L}*|une?|la|le|l['’]|el|nueva|nuova|una)\\s*)*";
const ENTRY_NOUN =
  "(?:task|to-?do|item|entry|reminder|note|aufgabe|eintrag|erinnerung|tâche|rappel|tarea|nota|voce|attività)";
/** Words before the text of an entry: "the task", "a new item called". */
const ENTRY = `${ARTICLES}(?:${ENTRY_NOUN}(?:\\s+(?:called|named|namens|appelée?|llamada|chiamata))?\\s*:?\\s*)?`;
/** The words for the list, after the text of the entry: "to my shopping list", "auf die Einkaufsliste". */
const LIST =
  "\\s+(?:to|on|onto|in|zu[rm]?|auf|à|sur|dans|a|en|alla|nella)\\s+(?:(?:the|my|our|die|der|meine\\p{L}?|unsere\\p{L}?|la|ma|notre|mi|nuestra|mia|nostra)\\s+)*(?:\\p{L}+\\s+){0,2}\\p{L}*(?:list|liste|lista)(?:\\s+\\p{L}+){0,2}";
const END = "(?:\\s+(?:hinzu|ein))?\\s*[.!]?$";
/** Matches a task that adds an entry with a quoted text: `Add the task "buy milk"`. */
const QUOTED_ENTRY = new RegExp(`^${VERB}\\s+${ENTRY}["“„«'‘]([^"”“»’]+)["”“»'’](?:${LIST})?${END}`, "iu");
/** Matches a task that adds an entry whose text follows a colon: "Add a task: buy milk". */
const ENTRY_AFTER_COLON = new RegExp(
  `^${VERB}\\s+${ARTICLES}${ENTRY_NOUN}(?:\\s+hinzu)?\\s*:\\s*([^"“„«:=]{1,200}?)(?:${LIST})?${END}`,
  "iu",
);
/** Matches a task that adds an entry to a list: "Put buy milk on my list". */
const ENTRY_OF_LIST = new RegExp(`^${VERB}\\s+([^"“„«,;:]{1,80}?)${LIST}${END}`, "iu");

/**
 * If a task adds an entry to a list, returns an order to type the entry into the only field that adds entries by
 * Enter: `Type "buy milk" into "Add item" and press Enter` for `Add "buy milk"`. Otherwise returns `undefined`.
 */
export function withAddedEntry(task: string, elements: readonly HighlightedElement[]): string | undefined {
  const forms = [QUOTED_ENTRY, ENTRY_AFTER_COLON, ENTRY_OF_LIST];
  const text = forms.flatMap((form) => form.exec(task.trim())?.[1] ?? [])[0]?.trim();
  if (text === undefined) return undefined;
  const [field, other] = elements.filter((one) => addsByEnter(one, elements));
  if (!field || other) return undefined;
  const name = nameOf(field).trim() || (field.placeholder ?? "");
  return name.includes('"') ? undefined : `Type "${text}" into "${name}" and press Enter`;
}

function addsByEnter(one: HighlightedElement, elements: readonly HighlightedElement[]): boolean {
  const isText = isField(one) && !isList(one) && (one.type === "" || one.type === "text");
  if (!isText || one.disabled || isSearch(one)) return false;
  const names = [nameOf(one), one.placeholder ?? ""];
  return names.some((name) => ADDS.test(name.trim())) && submitsOf(one, [], elements).length === 0;
}
