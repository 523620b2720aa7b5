/**
 * Dates as pages write them, as ISO 8601: "2024-05-01", "2024-05-01T10:00:00Z".
 *
 * Only what cannot be misread is taken: ISO forms, year first with slashes or without separators, and English
 * month names. 03/04/2024 is two dates to two readers, so it is none. What says no time gets none, what says no
 * zone keeps none. Neighbour: `metadata.ts` knows where pages write them.
 */

/** The web's first page. An older date is a person's or a book's. */
const FIRST_YEAR = 1991;
/** A clock in another zone, or one that is a little wrong. */
const AHEAD = 2 * 24 * 60 * 60 * 1_000;
const LONGEST = 80;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
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
    MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1;
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

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * A date in ISO 8601, in UTC where the page names a zone; `undefined` when it cannot be read or cannot be true.
 *
 * @param now milliseconds since the epoch: nothing was written after it
 */
export function readDate(written: string, now: number): string | undefined {
  const text = written.trim().replace(/\s+/g, " ");
  if (text.length > LONGEST) return undefined;
  const parts = partsOf(text);
  if (!parts) return undefined;
  const year = Number(parts.year);
  const day = Number(parts.day);
  const { month } = parts;
  const [hours, minutes, seconds, zone] = parts.time;
  const at = Date.UTC(year, month - 1, day, Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0));
  const asDate = new Date(at);
  // The 31st of February would be the 2nd of March.
  const isReal = month >= 1 && asDate.getUTCMonth() === month - 1 && asDate.getUTCDate() === day;
  if (!isReal || year < FIRST_YEAR || Number(hours ?? 0) > 23 || at > now + AHEAD) return undefined;
  const date = `${year}-${two(month)}-${two(day)}`;
  if (hours === undefined) return date;
  if (zone === undefined) return `${date}T${two(Number(hours))}:${minutes}:${seconds ?? "00"}`;
  return `${new Date(at - offsetOf(zone)).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === "-" ? -minutes : minutes) * 60_000;
}
