/** Recognises the buttons that save the fields beside them, whatever they are for, by their whole name. */

/**
 * Matches the name. With another object ("Save hours"), the button may be for other fields. "Apply" alone may
 * be the button of a filter.
 */
const SAVES_ANY =
  /^(?:(?:save|update|submit|speichern|enregistrer|guardar|salva)|apply(?=\s))(?:\s+(?:all\s+)?(?:changes|settings|preferences|änderungen|einstellungen|modifications|cambios|modifiche))?$/iu;

export function savesAnything(name: string): boolean {
  return SAVES_ANY.test(name.trim());
}
