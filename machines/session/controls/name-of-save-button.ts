/** Recognises the buttons that save the fields beside them, whatever they are for, by their whole name. */

const SAVE =
  "save|update|submit|speichern|aktualisieren|enregistrer|guardar|actualizar|salva|aggiorna|opslaan|bijwerken";
const CREATE = "create|anlegen|erstellen|créer|crear|crea|aanmaken";
/**
 * Objects that a save button may name without being for other fields: "Save changes". A button with another object,
 * such as "Save hours", does not match.
 */
const OBJECT =
  "(?:\\s+(?:all\\s+)?(?:changes|settings|preferences|änderungen|einstellungen|modifications|cambios|modifiche|wijzigingen))?";

/** "Apply" needs an object, such as "changes": a button "Apply" alone may belong to a filter. */
const SAVES = new RegExp(`^(?:${SAVE}|apply(?=\\s))${OBJECT}$`, "iu");
const CREATES = new RegExp(`^(?:${CREATE})${OBJECT}$`, "iu");

export function savesAnything(name: string): boolean {
  return SAVES.test(name.trim());
}

/** Whether the name only says that something is made, without what: "Create", but not "Create product". */
export function createsAnything(name: string): boolean {
  return CREATES.test(name.trim());
}
