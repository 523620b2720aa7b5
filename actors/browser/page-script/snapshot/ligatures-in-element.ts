/** Finds the texts of an element that an icon font draws as icons, such as `more_vert`. */
import { isLigature, isOfIconFont } from "../../../../machines/session/controls/icon-font-ligatures.ts";
import { isIconFont } from "./style-and-box-cache.ts";

/** Selector of elements that may be icons of an icon font. */
const ICONS = "i,span,mat-icon,[class*=material-]";
/** Maximum number of elements in a control that are checked for being icons. */
const MAX_ICONS = 6;

/**
 * Returns those texts of an element from which an icon font draws icons. They are the names of the icons,
 * such as `more_vert`.
 */
export const ligaturesIn = (element: Element): readonly string[] =>
  [element, ...[...element.querySelectorAll(ICONS)].slice(0, MAX_ICONS)].flatMap((one) => {
    const text = one.firstElementChild ? "" : (one.textContent ?? "").trim();
    if (!isLigature(text)) return [];
    const isIcon =
      isOfIconFont(one.getAttribute("class") ?? "") || isIconFont(getComputedStyle(one).fontFamily);
    return isIcon ? [text] : [];
  });
