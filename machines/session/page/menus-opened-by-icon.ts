/**
 * Recognises a button without a name that opens a menu by its icon of three dots: `ellipsis-vertical` (Lucide in n8n,
 * Font Awesome), `dots-vertical` (Material Design Icons, Tabler), `three-dots` (Bootstrap Icons), `more_vert` (Material
 * Symbols).
 */
import type { HighlightedElement } from "./page-snapshot.ts";

/** Matches the whole name of such an icon, with words for its direction and style. */
const DOTS =
  /^(?:ellipsis|kebab|(?:three[\s_-]?)?dots|more(?=[\s_-]))(?:[\s_-](?:v|h|vert|horiz|vertical|horizontal|alt|fill|outline|icon))*$/iu;

/** Whether an element is a button that shows nothing but an icon of three dots. */
export function opensMenuByIcon({
  tagName,
  role,
  icon,
  textContent,
  ariaLabel,
}: HighlightedElement): boolean {
  const isButton = tagName === "button" || tagName === "a" || role === "button";
  return isButton && !textContent?.trim() && !ariaLabel?.trim() && DOTS.test(icon?.trim() ?? "");
}
