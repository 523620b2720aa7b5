/**
 * Finds the controls in the heads of month calendars. They page through months and years without end, so an exploration does
 * not press them, whatever their names are: "previous" and "November 2026" (UI Bootstrap), "«" (bootstrap-datepicker).
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { nameOf } from "./page-state-by-visible-controls.ts";

/** Number of days in the shortest month. */
const DAYS_OF_SHORTEST_MONTH = 28;
/** Matches the number of a day, such as "7" or "07". */
const DAY = /^0?([1-9]|[12]\d|3[01])$/;
/** Matches the path of an element in a table up to its innermost table, and the part of this table that has the element. */
const IN_TABLE = /^(.*\/table(?:\[\d+\])?)\/(thead|tbody)\b/;

/** Returns the elements in the head of each table whose body has a control for each day of a month. */
export function controlsOfCalendarHeads(
  elements: readonly HighlightedElement[],
): ReadonlySet<HighlightedElement> {
  const days = new Map<string, Set<string>>();
  const heads = new Map<string, HighlightedElement[]>();
  for (const element of elements) {
    const [, path, part] = IN_TABLE.exec(element.xpath) ?? [];
    if (path === undefined) continue;
    const table = JSON.stringify([element.frame, path]);
    const day = DAY.exec(nameOf(element).trim())?.[1];
    if (part === "thead") heads.set(table, [...(heads.get(table) ?? []), element]);
    else if (day !== undefined) days.set(table, (days.get(table) ?? new Set()).add(day));
  }
  return new Set(
    [...heads].flatMap(([table, found]) =>
      (days.get(table)?.size ?? 0) >= DAYS_OF_SHORTEST_MONTH ? found : [],
    ),
  );
}
