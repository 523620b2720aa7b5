/**
 * Parses dates on pages into ISO 8601, such as "2024-05-01" or "2024-05-01T10:00:00Z". Only unambiguous forms
 * are accepted: ISO, dates that begin with the year, and dates with English month names, but not 03/04/2024.
 * If a date on the page lacks the time or the time zone, the result lacks it too.
 */
import { MONTHS } from "../../../machines/reading/month-names.ts";

/** The year of the first web page. An older date belongs to a person or a book, not to a page. */
const FIRST_YEAR = 1991;
/**
 * Milliseconds by which a date on a page may be later than now. Time zones differ and clocks are inaccurate.
 */
const FUTURE_TOLERANCE = 2 * 24 * 60 * 60 * 1_000;
const MAX_LENGTH = 80;

const MONTH = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?";
const TIME = "(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?";
const ZONE = "(z|utc|gmt|[+-]\\d{2}:?\\d{2}|[+-]\\d{2})";
const REST = `(?:(?:\\s*t\\s*|,?\\s+(?:at\\s+)?)${TIME}\\s*${ZONE}?(?:\\[[^\\]]*\\])?)?$`;

const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${REST}`, "i");
const UNSEPARATED = new RegExp(`^(\\d{4})(\\d{2})(\\d{2})${REST}`, "i");
const DAY_FIRST = new RegExp(
  `^(?:[a-z]{3,9}\\.?,?\\s+)?(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+${MONTH},?[\\s-]+(\\d{4})${REST}`,
  "i",
);
const MONTH_FIRST = new RegExp(
  `^(?:[a-z]{3,9}\\.?,?\\s+)?${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})${REST}`,
  "i",
);

interface Parts {
  readonly year: string | undefined;
  readonly month: number;
  readonly day: string | undefined;
  readonly time: readonly (string | undefined)[];
}

function partsOf(text: string): Parts | undefined {
  const monthOf = (name: string | undefined): number =>
    MONTHS.get((name ?? "").slice(0, 3).toLowerCase()) ?? 0;
  let found = YEAR_FIRST.exec(text);
  if (found) return { year: found[1], month: Number(found[3]), day: found[4], time: found.slice(5) };
  found = UNSEPARATED.exec(text);
  if (found) return { year: found[1], month: Number(found[2]), day: found[3], time: found.slice(4) };
  found = DAY_FIRST.exec(text);
  if (found) return { year: found[3], month: monthOf(found[2]), day: found[1], time: found.slice(4) };
  found = MONTH_FIRST.exec(text);
  if (found) return { year: found[3], month: monthOf(found[1]), day: found[2], time: found.slice(4) };
  return undefined;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/**
 * Parses a date to ISO 8601. The result is in UTC when the page gives a time zone. Returns `undefined` for
 * unreadable or impossible dates.
 *
 * @param now present time in milliseconds since the epoch; later dates are rejected
 */
export function readDate(written: string, now: number): string | undefined {
  const text = written.trim().replace(/\s+/g, " ");
  if (text.length > MAX_LENGTH) return undefined;
  const parts = partsOf(text);
  if (!parts) return undefined;
  const year = Number(parts.year);
  const day = Number(parts.day);
  const { month } = parts;
  const [hours, minutes, seconds, zone] = parts.time;
  const at = Date.UTC(year, month - 1, day, Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0));
  const asDate = new Date(at);
  // `Date.UTC` accepts the 31st of February and returns the 2nd of March, so the result is compared with the
  // input.
  const isReal = month >= 1 && asDate.getUTCMonth() === month - 1 && asDate.getUTCDate() === day;
  if (!isReal || year < FIRST_YEAR || Number(hours ?? 0) > 23 || at > now + FUTURE_TOLERANCE)
    return undefined;
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  if (hours === undefined) return date;
  if (zone === undefined) return `${date}T${twoDigits(Number(hours))}:${minutes}:${seconds ?? "00"}`;
  return `${new Date(at - offsetOf(zone)).toISOString().slice(0, 19)}Z`;
}

/** Returns the offset of the time zone from UTC in milliseconds. */
function offsetOf(zone: string): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === "-" ? -minutes : minutes) * 60_000;
}
