/**
 * Finds the rows that a task means by "all", without the rows that it excludes: "Resolve all but Carl", "Archive
 * everything except the second".
 */

import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isTick, namesOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import { withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { EMPTY } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import type { PlanOnPage } from "./input-of-plan-checks.ts";

/** A list with a checkbox in each row, and the page that shows it. */
export interface ListWithTicks {
  readonly ticks: readonly HighlightedElement[];
  /**
   * The words in the name of the button that acts on the ticked rows, such as "read" for "Mark as read". In a task,
   * these words do not restrict the rows: "Mark all as read" means all rows.
   */
  readonly called: readonly string[];
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
}

/**
 * Minimum similarity (0 to 1) at which a word of the task counts as a word in the name of the button for ticked rows.
 */
const SAME = 0.75;
/** Words for the rows of any list, such as "entry". */
const ANY_ROW: ReadonlySet<string> = new Set(
  contentWords("item items entry entries row rows record records result results thing things line lines"),
);

const ALL =
  "(?:all|every(?:thing|one|body)?|each|alle[ns]?|jede[nrs]?|tou(?:s|t|tes)|chaque|tod[oa]s?|cada|tutt[oaie]|ogni)";
const LEAVING_OUT =
  "(?:except|but(?!\\s+(?:then|please|now)\\s)(?:\\s+not)?|besides|bar|excluding|without|apart\\s+from|aside\\s+from|other\\s+than|außer|bis\\s+auf|ohne|sauf|à\\s+part|excepto|menos|salvo|tranne|eccetto|a\\s+parte)(?:\\s+(?:for|mit|a|zu))?";
/** Matches the exceptions of a task: "Ada and Bob" in "Select all except Ada and Bob". */
const EXCEPTION = new RegExp(`(?<!\\p{L})${ALL}(?!\\p{L}).*?\\s${LEAVING_OUT}\\s+(\\S.*?)[.!]?\\s*$`, "iu");
const BEFORE_EXCEPTION = new RegExp(`\\s${LEAVING_OUT}\\s*[.!]?\\s*$`, "iu");
/** Matches the words for the rows of a list: "all" and " the issues" in "Resolve all the issues". */
const WHOLE_LIST = new RegExp(`^\\s*(?:please\\s+)?\\p{L}+\\s+(${ALL})(?!\\p{L})(.*)$`, "iu");
/**
 * Matches an English noun in the plural at the end of a text, such as "issues" in "all issues". In "all open", the
 * word "open" is no such noun, and restricts the rows.
 */
const PLURAL = /(?:s|people|children|(?:wo)?men)[.!]?\s*$/iu;
export const AND = /\s*,\s*(?:(?:and|und|et|y|e)\s+)?|\s+(?:and|und|et|y|e|or|nor|oder|ou|o)\s+/iu;

/** Returns the things that a task leaves out of "all"; empty if it names none. */
function exceptionsIn(task: string): readonly string[] {
  const [, exceptions = ""] = EXCEPTION.exec(withoutQuotes(task)) ?? [];
  // `withoutQuotes` has removed quoted exceptions, so the exceptions are read from the task itself.
  const [, written = exceptions] = exceptions === "" ? [] : (EXCEPTION.exec(task) ?? []);
  return written.split(AND).filter((one) => one !== "");
}

export const hasException = (task: string): boolean => exceptionsIn(task).length > 0;

/** Whether a task means all rows of a list, or those of a kind: "Resolve all", "Archive all newsletters". */
export const isAboutAll = (task: string): boolean => WHOLE_LIST.test(task);

/**
 * Returns the rows that a task means by "all", without those that it leaves out. Returns `undefined` if the task does not
 * mean all rows, or if an exception is not exactly one row.
 */
export function rowsOfAll(task: string, list: ListWithTicks): readonly HighlightedElement[] | undefined {
  const { ticks: rows } = list;
  const exceptions = exceptionsIn(task);
  const [, written = ""] = EXCEPTION.exec(task) ?? [];
  const scope = task.slice(0, task.length - written.length).replace(BEFORE_EXCEPTION, "");
  if (!meansWholeList(written === "" ? task : scope, list)) return undefined;
  const left = exceptions.map((exception) => {
    const byPosition = rowAt(exception, list);
    if (byPosition) return [byPosition];
    const words = namingWords(exception);
    const has = (row: HighlightedElement): boolean => {
      const own = contentWords(rowText(row));
      return words.length > 0 && words.every((word) => own.includes(word));
    };
    return rows.filter(has);
  });
  if (left.some(([row, other]) => row === undefined || other !== undefined)) return undefined;
  return rows.filter((row) => !left.some(([one]) => one === row));
}

/**
 * Returns the row that a text names by its position, such as "the second issue"; `undefined` for any other text. If
 * the text also has a word that not all rows have ("the second issue from Ada"), or names several rows ("the first
 * two"), the result is `undefined` too.
 */
export function rowAt(text: string, list: ListWithTicks): HighlightedElement | undefined {
  const position = ordinalIn(`${text} one`);
  if (!position) return undefined;
  const others = contentWords(text.replace(position.word, " ")).filter((word) => choosesRows(word, list));
  if (others.some((word) => !isOfEachRow(word, list))) return undefined;
  return list.ticks.at(position.at > 0 ? position.at - 1 : position.at);
}

/** Whether a word after "all" or a position restricts the rows: "open" in "Resolve all open issues". */
const choosesRows = (word: string, { called }: ListWithTicks): boolean =>
  !FILLERS.has(word) && !EMPTY.has(word) && wordScore(word, called) < SAME;

/**
 * Whether a word applies to each row of a list: all rows have it, or it names what the list shows, such as
 * "issue" in a list at `/issues/`. In a list of mails, "newsletter" is no such word, so "all newsletters" are
 * only some of the rows.
 */
function isOfEachRow(word: string, { ticks, elements, pageUrl }: ListWithTicks): boolean {
  const having = ticks.filter((row) => contentWords(rowText(row)).includes(word));
  if (having.length > 0) return having.length === ticks.length;
  if (ANY_ROW.has(word)) return true;
  const isIn = (text: string): boolean => contentWords(text.replace(/[^\p{L}]+/gu, " ")).includes(word);
  const headings = ticks.slice(0, 1).flatMap((tick) => placeOf(tick).headings);
  if ([...headings, URL.parse(pageUrl)?.pathname ?? ""].some(isIn)) return true;
  const byRow = Map.groupBy(elements, rowText);
  return ticks.every((tick) =>
    (byRow.get(rowText(tick)) ?? []).some(({ attributes: { name = "", href = "" } }) =>
      [name, href].some(isIn),
    ),
  );
}

/**
 * Returns the words of a text by which it names a row: its names and numbers, such as "Anna" in "the mail from Anna", or all
 * words if it has none.
 */
function namingWords(text: string): readonly string[] {
  const names = text.match(/(?<![\p{L}\d])[\p{Lu}\d][\p{L}\d._@-]*/gu) ?? [];
  return contentWords(names.length > 0 ? names.join(" ") : text);
}

/** Whether a task means all rows of a list, and none of its words restricts the rows. */
function meansWholeList(task: string, list: ListWithTicks): boolean {
  const [, all = "", rest] = WHOLE_LIST.exec(task) ?? [];
  if (rest === undefined || /[\d"“„«]/u.test(rest)) return false;
  const [noun, other] = contentWords(rest).filter((word) => choosesRows(word, list));
  if (noun === undefined || other !== undefined) return other === undefined;
  const isNoun = all.toLowerCase() !== "all" || PLURAL.test(rest.replace(OF_THEM, ""));
  return isNoun && isOfEachRow(noun, list);
}

const OF_THEM = /\s+(?:here|below|above|in\s+the\s+list)(?=[.!]?\s*$)/iu;

/**
 * Whether a plan ignores the exception of a task such as "Archive all except web-01". Two kinds of plans
 * respect it: one ticks other rows and not the exception, the other ticks all rows and then unticks the
 * exception.
 */
export function dropsException({ task, steps, elements }: PlanOnPage): boolean {
  const exceptions = exceptionsIn(task);
  if (exceptions.length === 0 || steps.length === 0) return false;
  const used = steps.flatMap(
    ({ targetId }) => elements.find(({ highlight_index }) => highlight_index === targetId) ?? [],
  );
  const isException = (element: HighlightedElement): boolean =>
    exceptions.some((exception) => {
      const words = contentWords(exception);
      const texts = [rowText(element), ...namesOf(element).map(({ text }) => text)];
      return (
        words.length > 0 && texts.some((text) => words.every((word) => contentWords(text).includes(word)))
      );
    });
  const ticks = used.filter((one) => isTick(one) && rowText(one) !== "");
  const [first] = used;
  const isAllTicked = first !== undefined && isTick(first) && rowText(first) === "" && !isException(first);
  if (used.some(isException)) return !(isAllTicked && used.filter((one) => !isTick(one)).length === 0);
  const isListed =
    exceptions.some((exception) => ordinalIn(`${exception} one`)) || elements.some(isException);
  return isListed && ticks.length === 0;
}
