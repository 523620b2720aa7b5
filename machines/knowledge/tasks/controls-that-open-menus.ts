/** Recognises the controls that open a menu with the actions for one object of a list. */
import { nameOf } from "../../session/page/element-line.ts";
import { opensMenuByClass } from "../../session/page/menus-opened-by-class.ts";
import { opensMenuByIcon } from "../../session/page/menus-opened-by-icon.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";

/** Names of buttons that open a menu with the controls of a row. */
const MENU =
  /^(?:(?:more|open|show|row)\s+)*(?:menu|options|actions?|more|more_vert|more_horiz|optionen|aktionen|mehr|actions|plus|opciones|acciones|azioni|…|\.\.\.|⋮|⋯)(?:\s+menu)?$/iu;

/** Whether a control has the name of a menu, such as "More actions". */
export const isNamedAsMenu = (name: string): boolean => MENU.test(name.trim());

/** Whether an element opens a menu, such as that of a row. */
export function opensRowMenu(element: HighlightedElement): boolean {
  const { attributes, disabled } = element;
  if (disabled === true || attributes.href?.startsWith("http")) return false;
  const popup = attributes["aria-haspopup"];
  if (popup !== undefined && popup !== "false") return popup === "menu" || popup === "true";
  const names = [nameOf(element), attributes.title ?? "", attributes["aria-label"] ?? ""];
  return names.some(isNamedAsMenu) || opensMenuByClass(element) || opensMenuByIcon(element);
}
