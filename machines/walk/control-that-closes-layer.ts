/** Finds the control that closes a layer over the page, such as a dialog that ignores the Escape key. */
import { nameOf } from "../session/page/element-line.ts";
import type { HighlightedElement } from "../session/page/page-snapshot.ts";

/** Complete names of controls that end a guided tour. */
const ENDS_TOUR =
  /^(?:(?:skip|exit|end)(?: (?:the |this )?(?:tour|guide|tutorial|intro|introduction|all))?|(?:ok,? )?got it|überspringen|verstanden|passer|compris|omitir|saltar|entendido|salta|ho capito|overslaan)[.!]?$/i;
/** Complete names of controls that show the next step of a guided tour, or start it. */
const NEXT_OF_TOUR =
  /^(?:next|start|weiter|starten|suivant|commencer|siguiente|empezar|avanti|inizia|volgende)$/i;
/**
 * Complete names of controls that close a dialog, in several languages, in the order in which they are tried: names
 * that only close ("Close"), refusals ("No thanks"), names that end a guided tour (React Joyride, Intro.js, the tours
 * of Strapi and GitLab), and last names such as "Cancel", because they may discard something.
 */
const CLOSING = [
  /^(?:close|dismiss|schlie(?:ß|ss)en|fermer|cerrar|chiudi|fechar|sluiten|[×✕✖✗x])(?: (?:dialog|window|menu|panel|popup))?$/i,
  /^(?:not now|no,? thanks|later|später|plus tard|ahora no)$/i,
  ENDS_TOUR,
  /^(?:cancel|back|abbrechen|zurück|annuler|retour|cancelar|annulla|annuleren)$/i,
] as const;
const PRESSED_ROLES = new Set(["button", "link"]);

/**
 * Returns the index of a control whose name says that it closes something, such as a dialog. Returns
 * `undefined` if there is no such control. A control that the layer covers belongs to the page below, such as its link
 * "Back", so it does not count.
 */
export function closingControl(elements: readonly HighlightedElement[]): number | undefined {
  const pressed = elements.filter(
    ({ role, tagName, covered }) =>
      covered === undefined && (PRESSED_ROLES.has(role ?? "") || tagName === "button"),
  );
  for (const names of CLOSING) {
    // If two dialogs are open, the upper one usually comes last in the document. So the last matching control
    // is used.
    const found = pressed.findLast((element) => names.test(nameOf(element).trim()));
    if (found) return found.highlight_index;
  }
  return undefined;
}

/**
 * Returns the index of the control that ends a guided tour over the page. Such a control is named after the tour, or has a
 * control beside it that shows the next step. Another dialog with "Skip" may ask something, so it is no tour.
 */
export function tourEndingControl(elements: readonly HighlightedElement[]): number | undefined {
  const shown = elements.flatMap((element) =>
    element.covered === undefined && element.in_viewport ? [{ element, name: nameOf(element).trim() }] : [],
  );
  const hasNext = shown.some(({ name }) => NEXT_OF_TOUR.test(name));
  const isTour = (name: string): boolean => hasNext || /tour|guide|tutorial|got it/i.test(name);
  return shown.findLast(({ name }) => ENDS_TOUR.test(name) && isTour(name))?.element.highlight_index;
}

/** Whether the name of a control says that it closes, cancels or goes back. */
export function isClosing(name: string): boolean {
  return CLOSING.some((names) => names.test(name.trim()));
}
