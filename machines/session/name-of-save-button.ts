/** Recognises the buttons that save the fields beside them, whatever they are for, by their whole name. */

const SAVE =
  "save|update|submit|speichern|aktualisieren|enregistrer|guardar|actualizar|salva|aggiorna|opslaan|bijwerken";
const CREATE = "create|anlegen|erstellen|créer|crear|crea|aanmaken";
/** What such a button may name. With another object ("Save hours"), it may be for other fields. */
const OBJECT =
  "(?:\\s+(?:all\\s+)?(?:changes|settings|preferences|änderungen|einstellungen|modifications|cambios|modifiche|wijzigingen))?";

/** "Apply" alone may be the button of a filter. */
const SAVES = new RegExp(`^(?:${SAVE}|apply(?=\\s))${OBJECT}$`, "iu");
const CREATES = new RegExp(`^(?:${CREATE})${OBJECT}$`, "iu");

export function savesAnything(name: string): boolean {
  return SAVES.test(name.trim());
}

/** Whether the name only says that something is made, without what: "Create", but not "Create product". */
export function createsAnything(name: string): boolean {
  return CREATES.test(name.trim());
}
