/**
 * Formats a page analysis as text for a language model: page, elements, changes, omissions. Complete records
 * of elements cost twenty times as much, and are returned only on request.
 */
import { ranges, withoutClosingTags } from "../../text-lines-for-language-model.ts";
import type { AnalysisData, DeltaPart } from "./page-snapshot.ts";

/** Returns each line of an element with the element's index. Other lines are left out. */
function linesByIndex(text: string): readonly (readonly [index: number, line: string])[] {
  return text.split("\n").flatMap((line) => {
    const index = /^\W*\[(\d+)\]/.exec(line)?.[1];
    return index === undefined ? [] : [[Number(index), line] as const];
  });
}

/**
 * Returns the lines of the changed elements. If a new element does not follow the element of the line before
 * it, a line such as `after [12]:` states its place.
 */
function changedLines(text: string, { added, order }: DeltaPart): string {
  if (!order) return text;
  const isNew = new Set(added);
  const before = new Map(order.map((index, at) => [index, order[at - 1]]));
  const shown: string[] = [];
  let last: number | undefined = Number.NaN;
  for (const [index, line] of linesByIndex(text)) {
    const previous = before.get(index);
    if (isNew.has(index) && previous !== last)
      shown.push(previous === undefined ? "at the top:" : `after [${previous}]:`);
    shown.push(line);
    last = index;
  }
  return shown.join("\n");
}

function deltaText(data: AnalysisData, delta: DeltaPart): string {
  const { since_revision, removed } = delta;
  const text = withoutClosingTags(data.clickableElementsString);
  const lines = text === "" ? "" : changedLines(text, delta);
  if (lines === "" && removed.length === 0) return `Nothing has changed since revision ${since_revision}.`;
  return [
    `Changed since revision ${since_revision}; all other elements are as they were:`,
    ...(lines === "" ? [] : [lines]),
    ...(removed.length === 0 ? [] : [`Gone: ${ranges(removed)}`]),
  ].join("\n");
}

function leftOutText({ left_out }: AnalysisData): readonly string[] {
  if (!left_out) return [];
  const lines = left_out.elements.map(
    ({ tag, text, reason, by, selector }) =>
      `<${tag}> "${text}" ${selector}: ${reason}${by === undefined ? "" : ` (${by})`}`,
  );
  return ["Left out:", ...lines, ...(left_out.more > 0 ? [`and ${left_out.more} more`] : [])];
}

function omittedText({ omitted, totalElements }: AnalysisData): readonly string[] {
  if (!omitted || omitted.elements === 0) return [];
  return [
    `max_tokens omitted ${omitted.elements} of ${totalElements} elements: name a segment or a query for them.`,
  ];
}

function loadingText(pending: readonly string[]): string {
  const what = pending.length === 0 ? "" : ` (pending: ${pending.join(", ")})`;
  return `Still loading${what}: analyze again in a few seconds.`;
}

/** Returns texts that say how many pixels of the page are above and below the viewport. */
function scrollTexts({ pixels_above, pixels_below }: AnalysisData["scroll"]): readonly string[] {
  const above = Math.round(pixels_above);
  const below = Math.round(pixels_below);
  return [...(above > 0 ? [`${above} px above`] : []), ...(below > 0 ? [`${below} px below`] : [])];
}

/** Returns a line with the number of elements, or no line if the text lists all elements anyway. */
function countTexts({ delta, totalElements, clickableElementsString }: AnalysisData): readonly string[] {
  const isWhole = !delta && linesByIndex(clickableElementsString).length >= totalElements;
  return isWhole && totalElements > 0 ? [] : [`${totalElements} elements`];
}

/**
 * Minimum number of covered elements that are listed in one line by their indices only. Fewer are listed like
 * all others, because a banner may cover some links that a user can still scroll to.
 */
const MIN_SUMMARISED = 10;
/**
 * Minimum share (0 to 1) of a page's elements that must be covered, so that the covered ones are listed in
 * one line. A dialog or its backdrop covers more; a banner covers less.
 */
const MIN_COVERED_SHARE = 0.5;
/**
 * Matches the line of a covered element. A line that has the word "covered" only in the value of an attribute does
 * not match.
 */
const COVERED_LINE = /^\*?\[\d+\]<(?:"[^"]*"|[^">])*\scovered[\s>]/;

/**
 * Lists the covered elements of a complete analysis by their indices, if a dialog covers most of the page.
 * Their lines would take most of the answer, and none of them can be used before the dialog is closed. If
 * every element is covered, the lines are kept, because nothing else shows what the page is.
 */
function elementsText(data: AnalysisData): string {
  const text = withoutClosingTags(data.clickableElementsString);
  const lines = text.split("\n");
  const indices = linesByIndex(text)
    .filter(([, line]) => COVERED_LINE.test(line))
    .map(([index]) => index);
  const isSummarised =
    indices.length >= MIN_SUMMARISED &&
    indices.length >= data.totalElements * MIN_COVERED_SHARE &&
    indices.length < data.totalElements;
  if (!isSummarised || countTexts(data).length > 0) return text;
  const covered = `Covered, usable when what lies over them is closed (query lists them): ${ranges(indices.toSorted((one, other) => one - other))}`;
  return [...lines.filter((line) => !COVERED_LINE.test(line)), covered].join("\n");
}

export function pageText(data: AnalysisData): string {
  const {
    title,
    url,
    revision,
    scroll,
    delta,
    text_content,
    restored,
    loading,
    load_failed,
    pending = [],
  } = data;
  return [
    [
      `${title === "" ? "(no title)" : title} ${url} rev ${revision}`,
      ...countTexts(data),
      ...scrollTexts(scroll),
    ].join(", "),
    ...(load_failed === undefined ? [] : [`The page could not be loaded: ${load_failed}`]),
    ...(restored ? [`The session was restored, earlier indices are stale: ${JSON.stringify(restored)}`] : []),
    ...(delta ? [deltaText(data, delta)] : [elementsText(data)]),
    ...(loading ? [loadingText(pending)] : []),
    ...omittedText(data),
    ...leftOutText(data),
    ...(text_content === undefined ? [] : ["Text:", text_content]),
  ].join("\n");
}
