/**
 * Reads from a confirmation what else the application removes with an object. It may list rows, such as the
 * related objects in Django's administration, or contain a sentence, such as "Its 3 comments will also be
 * deleted".
 */

import { operationOfName, stemOf, stemsOf } from "../knowledge/screens/operation-and-thing-of-task.ts";
import { shortHash } from "../knowledge/screens/screen-id.ts";
import { wordsOf } from "../knowledge/screens/screen-name-index.ts";
import { isInside } from "../knowledge/tasks/control-that-removes-object.ts";
import type { PageTexts } from "../session/page/session-page-links-and-forms.ts";
import type { Removal } from "./walk-schemas.ts";

/** Maximum number of removed rows (other objects in a confirmation) that an answer names. */
const MOST_ROWS = 20;
/**
 * Matches words of a sentence which says that further objects are removed: "All related objects will also be
 * deleted".
 */
const ALSO =
  /(?<!\p{L})(?:also|as well|along with|together with|including|related|associated|all (?:its|their|of its|of their)|ebenfalls|auch|mitsamt|zugehörig\p{L}*|également|aussi|associé\p{L}*|también|asociad\p{L}*|anche|associat\p{L}*|ook|bijbehorend\p{L}*)(?!\p{L})/iu;
/**
 * Matches a number of things: "3 comments", "1,200 orders". The number 1 does not match, because the one
 * thing is the object itself.
 */
const SEVERAL_THINGS = /(?<![\p{L}\p{N}.,:-])(?:\d{1,3}(?:[.,'’]\d{3})+|[2-9]|\d{2,})\s+\p{L}{3,}/u;
/** Matches the XPath of a part of the page that is no content. */
const AROUND = /\/(?:nav|header|footer|aside)\b/;
/** Words that a row of a confirmation may contain without naming another object, such as "this item". */
const NEUTRAL: ReadonlySet<string> = new Set(
  stemsOf("the a an this and or 1 one of object item record entry"),
);

/**
 * Returns the texts of the rows of a page, except rows in parts such as its menu. A text in nested rows
 * belongs to the innermost row.
 *
 * @param control XPath of the control that confirms; the row around it is left out, because it is that of the
 * object
 */
export function rowTexts({ texts, rows }: PageTexts, control = ""): readonly string[] {
  const content = new Set(rows.filter((row) => !AROUND.test(row) && !isInside(control, row)));
  const aroundRows = new Set([...content].flatMap(pathsAround));
  const byRow = Map.groupBy(texts, ({ xpath }) =>
    aroundRows.has(xpath) ? undefined : [xpath, ...pathsAround(xpath)].find((path) => content.has(path)),
  );
  return [...content].flatMap((row) => {
    const own = byRow.get(row) ?? [];
    const aroundTexts = new Set(own.flatMap(({ xpath }) => pathsAround(xpath)));
    const text = own.flatMap((one) => (aroundTexts.has(one.xpath) ? [] : [one.text])).join(" ");
    return text === "" ? [] : [text];
  });
}

/** Returns the XPaths of the elements around an element, the innermost first. */
function pathsAround(xpath: string): readonly string[] {
  const around: string[] = [];
  for (let at = xpath.lastIndexOf("/"); at > 0; at = xpath.lastIndexOf("/", at - 1))
    around.push(xpath.slice(0, at));
  return around;
}

/**
 * Returns what a confirmation lists as removed together with the object; `undefined` if it names nothing else.
 *
 * @param question the question of the page or of the native dialog
 * @param rows the texts of the rows that the confirmation shows, and that the page before it did not have
 */
export function consequencesOf(
  question: string,
  rows: readonly string[],
  removal: Pick<Removal, "name" | "kinds">,
): string | undefined {
  const others = [...new Set(rows)].filter((row) => namesOther(row, removal));
  if (others.length > 0) {
    const further = others.length > MOST_ROWS ? `; and ${others.length - MOST_ROWS} more` : "";
    return `${others.slice(0, MOST_ROWS).join("; ")}${further}`;
  }
  const sentences = question.split(/(?<=[.?!])\s+/u);
  const naming = sentences.filter((sentence) => {
    // The object's own name may read like a number of things, such as "12 Nord" in "Room 12 Nord". So it is
    // removed from the sentence first.
    const said = withoutName(sentence, removal);
    // If the confirmation lists rows, these rows name what is removed. A sentence above them, such as "All
    // related objects will be deleted", then adds nothing.
    return SEVERAL_THINGS.test(said) || (rows.length === 0 && ALSO.test(said));
  });
  return naming.length === 0 ? undefined : naming.join(" ");
}

/**
 * Returns a sentence without the object's name, if this name itself could be read as further things, such as "12
 * Nord". Any other sentence is returned unchanged.
 */
function withoutName(sentence: string, { name }: Pick<Removal, "name">): string {
  const isMisleading = ALSO.test(name) || SEVERAL_THINGS.test(name);
  const at = isMisleading ? sentence.toLowerCase().indexOf(name.toLowerCase()) : -1;
  return at < 0 ? sentence : `${sentence.slice(0, at)} ${sentence.slice(at + name.length)}`;
}

/**
 * Returns a short hash of the consequences. An approval contains this hash, so that it counts for exactly
 * these consequences.
 */
export const consequencesKey = (consequences: string): string => shortHash(consequences);

/**
 * Whether a row names something besides the object and its kind. For the voucher SUMMER, the rows "Vouchers:
 * 1" and "Voucher: SUMMER" name nothing else.
 */
function namesOther(row: string, { name, kinds = [] }: Pick<Removal, "name" | "kinds">): boolean {
  const own = new Set([...wordsOf(name).map(stemOf), ...kinds]);
  return wordsOf(row).some((word) => {
    const stem = stemOf(word);
    return !own.has(stem) && !NEUTRAL.has(stem) && operationOfName(word) === undefined;
  });
}
