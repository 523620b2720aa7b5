/**
 * Finds a date in a short text, in many languages: "by Ada on 12 Nov 2031, 10:15" or "il y a 3 jours". A
 * missing part, such as the year, is taken from the time at which the page was fetched.
 */
import { DAY, HOUR, MINUTE, SECOND } from "../time-and-size-units.ts";
import { MONTHS } from "./month-names.ts";

/** Whether the day or the month comes first in `03/04/2031`. */
export type DayOrder = "day-first" | "month-first";

export interface FoundDate {
  readonly day: string;
  /** Position of the found date in the text, in characters. */
  readonly start: number;
  readonly end: number;
}

/**
 * Maximum time in the future, in milliseconds, for a date without a year. A date further in the future is
 * taken to be of the previous year.
 */
const FUTURE = 2 * DAY;
/**
 * Earliest year of a date of a post: the year of the first web page. An earlier date probably belongs to a
 * person or a book.
 */
const FIRST_YEAR = 1991;

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi|sekunder|seconden|секунд.?)$/, SECOND],
  [/^(?:m|mins?|minutes?|minuten?|minutos?|minuti|minuter|минут.?)$/, MINUTE],
  [/^(?:h|hrs?|hours?|stunden?|heures?|horas?|std|ore|uur|timmar|час(?:а|ов)?)$/, HOUR],
  [/^(?:d|days?|tag(?:en?)?|jours?|d[ií]as?|giorn[io]|dagen|dag(?:ar)?|дн(?:я|ей)|день)$/, DAY],
  [/^(?:w|wks?|weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|veckor|недел.)$/, 7 * DAY],
  [
    /^(?:mos?|months?|monat(?:en?)?|mois|mes(?:es)?|m[eê]s|mesi|maand(?:en)?|månader|месяц(?:а|ев)?)$/,
    30 * DAY,
  ],
  [/^(?:y|yrs?|years?|jahr(?:en?)?|ans?|années?|años?|anos?|ann[io]|jaar|år|лет|года?)$/, 365 * DAY],
];
const COUNT = "(\\d+|an?|one|ein(?:e[rm]?)?|une?|una?|um|uma|en|ett)";
const UNIT = "([\\p{L}]{1,10})\\.?";
const AGO_BEFORE = new RegExp(
  `(?<![\\p{L}\\d])(?:vor|il y a|hace|há|för|пред)\\s+(?:etwa |environ |cerca de )?${COUNT}\\s+${UNIT}`,
  "iu",
);
const AGO_AFTER = new RegExp(
  `(?<![\\p{L}\\d])${COUNT}\\s*${UNIT}(?:,?\\s+(?:and\\s+)?\\d+\\s*[\\p{L}]+\\.?)?\\s+(?:ago|atrás|fa|geleden|sedan|temu|назад)(?![\\p{L}])`,
  "iu",
);
/** Matches short relative dates such as "3d" and "5 h". The complete text must match. */
const AGO_SHORT = /^(\d+)\s?(m|h|d|w|mo|y)$/i;
const AGO_ASIAN = /(\d+)\s*(?:(分)|(?:小)?(时|時)[间間]?|(天|日)|(周|週)间?|(?:个|か|ヶ)?(月)|(年))前/;
const ASIAN_DATE = /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/;

const TODAY =
  /(?<![\p{L}])(?:today|just now|moments? ago|heute|gerade eben|aujourd'hui|aujourd’hui|à l'instant|hoy|ahora mismo|oggi|hoje|vandaag|dzisiaj|dziś|сегодня|i ?dag|今天|今日)(?![\p{L}])/iu;
const YESTERDAY =
  /(?<![\p{L}])(?:yesterday|gestern|hier|ayer|ieri|ontem|gisteren|wczoraj|вчера|i ?går|昨天|昨日)(?![\p{L}])/iu;
/**
 * Maximum length, in characters, of a text in which words such as "yesterday", "hier" and "idag" count as
 * dates. A longer text without digits has no date.
 */
const SHORT_TEXT = 40;

const ISO = /(?<![\d./-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)/;
const NUMERIC = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[./-]\d)/;
const ORDINAL = "(?:st|nd|rd|th|er|º|ª|\\.)?";
const OF = "(?:\\s*,?\\s+|-|\\s*/\\s*)(?:de |of |del )?";
const YEAR = "(?:,|\\.)?(?:\\s+|-|/)(?:de |del )?(\\d{4})";
const DAY_MONTH = new RegExp(
  `(?<![\\p{L}\\d:])(\\d{1,2})${ORDINAL}${OF}(\\p{L}{3,10})(?![\\p{L}])\\.?(?:${YEAR}(?!\\d))?`,
  "giu",
);
const MONTH_DAY = new RegExp(
  `(?<![\\p{L}])(\\p{L}{3,10})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:${YEAR}(?!\\d)|(?![\\p{L}]))`,
  "giu",
);

/**
 * Returns the first date in a text; `undefined` when the text contains no date.
 *
 * @param now the time of the fetch in milliseconds since the epoch
 */
export function findDate(text: string, now: number, order: DayOrder = "day-first"): FoundDate | undefined {
  if (!/\d/.test(text)) return text.length > SHORT_TEXT ? undefined : (ago(text, now) ?? dayWord(text, now));
  return written(text, now, order) ?? named(text, now) ?? ago(text, now) ?? dayWord(text, now);
}

/**
 * Determines whether the day or the month comes first in the page's dates. A number above 12 in one of these
 * dates can only be the day.
 */
export function dayOrderOf(texts: Iterable<string>, language: string): DayOrder {
  for (const text of texts) {
    const found = NUMERIC.exec(text);
    if (!found || found[2] === ".") continue;
    if (Number(found[1]) > 12) return "day-first";
    if (Number(found[3]) > 12) return "month-first";
  }
  // In English dates, the month comes first only in the United States and the Philippines.
  return /^(?:en(?:[-_](?:us|ph))?|fil)$/i.test(language) ? "month-first" : "day-first";
}

function written(text: string, now: number, order: DayOrder): FoundDate | undefined {
  const iso = ISO.exec(text);
  if (iso) return dated(Number(iso[1]), Number(iso[3]), Number(iso[4]), now, iso);
  const asian = ASIAN_DATE.exec(text);
  if (asian) return dated(Number(asian[1]), Number(asian[2]), Number(asian[3]), now, asian);
  const found = NUMERIC.exec(text);
  if (!found) return undefined;
  const [first, second] = [Number(found[1]), Number(found[3])];
  const dayFirst = found[2] === "." || first > 12 || (second <= 12 && order === "day-first");
  const year = Number(found[4]) + (found[4]?.length === 2 ? 2000 : 0);
  return dayFirst ? dated(year, second, first, now, found) : dated(year, first, second, now, found);
}

/** Parses dates with a month name: `12 Nov`, `Nov 12, 2031`, `12. November 2031, 10:15`. */
function named(text: string, now: number): FoundDate | undefined {
  for (const found of text.matchAll(DAY_MONTH)) {
    const month = MONTHS.get((found[2] ?? "").toLowerCase());
    const date = month && dated(yearOf(found[3]), month, Number(found[1]), now, found);
    if (date) return date;
  }
  for (const found of text.matchAll(MONTH_DAY)) {
    const month = MONTHS.get((found[1] ?? "").toLowerCase());
    const date = month && dated(yearOf(found[3]), month, Number(found[2]), now, found);
    if (date) return date;
  }
  return undefined;
}

const yearOf = (year: string | undefined) => (year === undefined ? undefined : Number(year));

function ago(text: string, now: number): FoundDate | undefined {
  const found = AGO_BEFORE.exec(text) ?? AGO_AFTER.exec(text) ?? AGO_SHORT.exec(text.trim());
  if (found) {
    const [, count = "", unit = ""] = found;
    const length = UNITS.find(([name]) => name.test(unit.toLowerCase()))?.[1];
    if (length === undefined) return undefined;
    return at(now - (/^\d+$/.test(count) ? Number(count) : 1) * length, found);
  }
  const asian = AGO_ASIAN.exec(text);
  if (!asian) return undefined;
  const [, count, ...units] = asian;
  const lengths = [MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY];
  const unit = units.findIndex((name) => name !== undefined);
  return at(now - Number(count) * (lengths[unit] ?? DAY), asian);
}

function dayWord(text: string, now: number): FoundDate | undefined {
  if (text.length > SHORT_TEXT) return undefined;
  const today = TODAY.exec(text);
  if (today) return at(now, today);
  const yesterday = YESTERDAY.exec(text);
  return yesterday ? at(now - DAY, yesterday) : undefined;
}

function dated(
  year: number | undefined,
  month: number,
  date: number,
  now: number,
  found: RegExpExecArray | RegExpMatchArray,
): FoundDate | undefined {
  const current = new Date(now).getUTCFullYear();
  let time = Date.UTC(year ?? current, month - 1, date);
  if (year === undefined && time > now + FUTURE) time = Date.UTC(current - 1, month - 1, date);
  const real = new Date(time);
  const isReal = real.getUTCMonth() === month - 1 && real.getUTCDate() === date;
  if (!isReal || time > now + FUTURE || real.getUTCFullYear() < FIRST_YEAR) return undefined;
  return at(time, found);
}

function at(time: number, found: RegExpExecArray | RegExpMatchArray): FoundDate {
  const start = found.index ?? 0;
  return { day: new Date(time).toISOString().slice(0, 10), start, end: start + found[0].length };
}
