/**
 * Recognises the addresses of an archive that has one list for each month, such as that of a mailing list or a
 * blog. Finds the link to the list of an earlier month.
 */

import { MONTHS } from "../reading/month-names.ts";
import type { EarlierMonth } from "./page-facts-for-navigation-run.ts";

/**
 * Matches a month in the path of an address: `/2026-11/` (Sympa), `/2026/11/` (HyperKitty, blogs), `/202611/`
 * or `/2026-November/` (Pipermail).
 */
const MONTH =
  /^(?<before>.*\/)(?<year>(?:19|20)\d\d)(?:[-/]?(?<digits>0[1-9]|1[0-2]|[1-9])|[-/](?<name>\p{L}{3,}))(?:\/(?<behind>.*))?$/u;

interface MonthAddress {
  readonly month: string;
  /** The part of the path before the month. */
  readonly before: string;
  /** The part of the path after the month. */
  readonly behind: string;
}

/**
 * Returns the link to the list of the latest earlier month in the same archive; null if there is none. The path after
 * the month must be empty or the same as in `address`, because other links lead to single messages.
 *
 * @param address address of the list of one month
 * @param links links on the page at `address`
 */
export function earlierMonth(
  address: string,
  links: readonly { readonly url: string }[],
): EarlierMonth | null {
  const here = monthOf(address);
  if (!here) return null;
  const earlier = links.flatMap(({ url }) => {
    const there = monthOf(url);
    const isSameList = there?.before === here.before && (there.behind === "" || there.behind === here.behind);
    return there && isSameList && there.month < here.month ? [{ url, month: there.month }] : [];
  });
  return earlier.sort((one, other) => other.month.localeCompare(one.month))[0] ?? null;
}

/**
 * Whether two addresses are pages of one archive: they are in one folder, or in the folders of two months,
 * such as `/talk/2026-10/msg3.html` and `/talk/2026-11/msg7.html`.
 */
export function areInOneArchive(one: string, other: string): boolean {
  return archiveOf(one) === archiveOf(other);
}

function archiveOf(address: string): string {
  return monthOf(address)?.before ?? address.replace(/[?#].*$/, "").replace(/[^/]*$/, "");
}

function monthOf(address: string): MonthAddress | undefined {
  const url = URL.parse(address);
  const { before, year, digits, name = "", behind = "" } = MONTH.exec(url?.pathname ?? "")?.groups ?? {};
  const number = digits ?? MONTHS.get(name.toLowerCase());
  if (!url || before === undefined || year === undefined || number === undefined) return undefined;
  return { month: `${year}-${String(number).padStart(2, "0")}`, before: url.origin + before, behind };
}
