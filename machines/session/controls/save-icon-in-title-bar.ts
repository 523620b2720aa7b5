/**
 * Recognises the button that saves the fields of a page if it shows only an icon: a check mark or a floppy disk in the
 * title bar above the fields (Directus, full-screen forms of Ionic and Vuetify). Elsewhere a check mark may mark a thing
 * as done, so only title bars count.
 */
import { nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import { boxesAroundBoth } from "./boxes-around-both-elements.ts";

/** Matches the names of icons that save in the libraries Material, Ionicons, Font Awesome, Tabler and MDI. */
const SAVE_ICON =
  /^(?:check|checkmark|tick|done|save|content save|floppy|(?:device )?floppy disk|device floppy)(?: (?:outlined?|sharp|fill|bold))?$/u;
/** Tags of title bars: `<header>`, and custom elements such as `ion-header`, `ion-toolbar` and `mat-toolbar`. */
export const TITLE_BAR_TAG = /^(?:header|[a-z]+-(?:header|toolbar))$/u;
/** Tags of parts of a page whose own head is no title bar of the page, such as a card. */
export const CARD_TAG = /^(?:article|li|tr|section|aside|dialog)$/u;
const FIELD_TAG = /^(?:input|textarea|select)$/u;

export const isSaveIcon = (icon: string): boolean => SAVE_ICON.test(icon);

/** Whether a path of tags leads into a title bar of the page. The innermost tag comes first. */
export function isInTitleBar(tags: Iterable<string>): boolean {
  let hasBar = false;
  for (const tag of tags) {
    if (CARD_TAG.test(tag)) return false;
    if (TITLE_BAR_TAG.test(tag)) hasBar = true;
  }
  return hasBar;
}

/** Whether an element is a button in a title bar that shows only an icon for saving. */
export function isSaveIconButton(element: HighlightedElement): boolean {
  const { tagName, role, icon, xpath, covered } = element;
  if (icon === undefined || !isSaveIcon(icon) || covered !== undefined) return false;
  if ((tagName !== "button" && role !== "button") || nameOf(element) !== "") return false;
  return isInTitleBar(tagsOf(xpath).reverse());
}

/**
 * Returns the icon button in the title bar that saves a field outside of any `<form>`. Of all boxes around the
 * button, the smallest one with a field in it must contain this field. Returns `undefined` if no such button exists,
 * or if there are several.
 */
export function saveIconButtonOf(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const frame = field.frame.join(" ");
  const fields = elements.filter(
    (one) =>
      one.frame.join(" ") === frame && (FIELD_TAG.test(one.tagName) || one.interactionType === "input"),
  );
  const [button, other] = elements.filter((one) => one.frame.join(" ") === frame && isSaveIconButton(one));
  if (!button || other) return undefined;
  const depth = boxesAroundBoth(button.xpath, field.xpath);
  return fields.some(({ xpath }) => boxesAroundBoth(button.xpath, xpath) > depth) ? undefined : button;
}

const tagsOf = (xpath: string): string[] =>
  xpath
    .split("/")
    .map((step) => step.replace(/\[\d+\]$/u, ""))
    .filter((tag) => tag !== "");
