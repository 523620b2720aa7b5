/**
 * Finds the place of each element on the page: the headings above it, the text before it, and its table
 * column. A planner needs this for tasks such as "the button under Danger zone".
 */
import { nameOf } from "./element-line.ts";
import type { HighlightedElement, PageText } from "./page-snapshot.ts";

export interface ElementPlace {
  /** The headings above the element, outermost first. */
  readonly headings: readonly string[];
  /** The last texts before the element, such as the name of a card. Empty if no text is near the element. */
  readonly caption: readonly string[];
  /**
   * The first of the texts between the previous element and this one, such as the top of a card, if there are more of
   * them than `caption` contains; otherwise absent.
   */
  readonly opening?: readonly string[];
  /** The header of the table column that the element is in; empty outside of tables. */
  readonly column: string;
}

/**
 * An element of a page and its place, which consists of headings, caption and column. `place` is absent if
 * the snapshot does not record places.
 */
export interface PlacedElement extends HighlightedElement {
  readonly place?: ElementPlace;
}

const NO_PLACE: ElementPlace = { headings: [], caption: [], column: "" };

export const placeOf = ({ place }: PlacedElement): ElementPlace => place ?? NO_PLACE;

/**
 * Maximum number of elements that share one caption, the text before them. A card rarely has more controls.
 */
const CAPTION_ELEMENTS = 8;
/**
 * Maximum number of lines of text before an element that form the element's caption. On a card, these may be
 * a name, an author and a price.
 */
const CAPTION_LINES = 4;
/**
 * Maximum number of lines in `opening`, the text at the top of a card or a small table whose only control is
 * at its end.
 */
const OPENING_LINES = 8;
/** Maximum length of a line in a caption, in characters. A longer line is running text. */
const LINE_LENGTH = 120;

/**
 * Returns the elements of a page with their places.
 *
 * @param texts the texts between the elements, in the order of the page
 */
export function withPlaces(
  elements: readonly HighlightedElement[],
  texts: readonly PageText[],
): readonly PlacedElement[] {
  const at = Map.groupBy(texts, (text) => text.at);
  const columns = columnHeaders(elements);
  let headings: readonly PageText[] = [];
  let caption: readonly string[] = [];
  let opening: readonly string[] = [];
  let captionAt = 0;
  return elements.map((element, index) => {
    const before = at.get(index) ?? [];
    for (const text of before)
      if (text.level > 0) headings = [...headings.filter(({ level }) => level < text.level), text];
    const lines = before.filter(({ level, text }) => level === 0 && text.length <= LINE_LENGTH);
    if (before.length > 0) {
      caption = lines.slice(-CAPTION_LINES).map(({ text }) => text);
      opening = lines.slice(0, -CAPTION_LINES).map(({ text }) => text);
      captionAt = index;
    }
    const isNear = index - captionAt < CAPTION_ELEMENTS;
    const place: ElementPlace = {
      headings: headings.map(({ text }) => text),
      caption: isNear ? caption : [],
      ...(isNear && opening.length > 0 ? { opening: opening.slice(0, OPENING_LINES) } : {}),
      column: columns(element),
    };
    return { ...element, place };
  });
}

/**
 * Returns a function that finds the header of the column in which an element is. The function returns an
 * empty text for an element outside of tables.
 */
function columnHeaders(elements: readonly HighlightedElement[]): (element: HighlightedElement) => string {
  const heads = new Map<string, string>();
  for (const element of elements) {
    const [, table, column] =
      /^(.*)\/thead\/tr(?:\[1\])?\/th((?:\[\d+\])?)(?:\/|$)/u.exec(element.xpath) ?? [];
    const key = `${element.frame.join()} ${table} ${column}`;
    if (table !== undefined && !heads.has(key)) heads.set(key, nameOf(element));
  }
  return ({ xpath, frame }) => {
    if (heads.size === 0) return "";
    const [, table, column] =
      /^(.*)\/tbody(?:\[\d+\])?\/tr(?:\[\d+\])?\/td((?:\[\d+\])?)(?:\/|$)/u.exec(xpath) ?? [];
    return heads.get(`${frame.join()} ${table} ${column}`) ?? "";
  };
}
