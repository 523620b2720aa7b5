/**
 * Dates as people write them beside a post: relative, without a year, in other languages. The time of the fetch gives
 * what is missing. `actors/reading/content/dates.ts` reads the unambiguous forms.
 */
import { DATE_WORDS } from "../exploration/date-words.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../units.ts";

/** A longer text is not a date. */
const MAX_LENGTH = 60;
/** A date without a year this far in the future is of last year. */
const FUTURE = 2 * DAY;

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|sec|secs|seconds?|sekunden?|secondes?|segundos?)$/, SECOND],
  [/^(?:m|mins?|minutes?|minuten?|minutos?)$/, MINUTE],
  [/^(?:h|hrs?|hours?|stunden?|heures?|horas?|std)$/, HOUR],
  [/^(?:d|days?|tage?n?|jours?|d[ií]as?|giorni?|dagen)$/, DAY],
  [/^(?:w|wks?|weeks?|wochen?|semaines?|semanas?)$/, 7 * DAY],
  [/^(?:mos?|months?|monate?n?|mois|meses|mes)$/, 30 * DAY],
  [/^(?:y|yrs?|years?|jahre?n?|ans?|años?)$/, 365 * DAY],
];
const AGO =
  /^(?:about |almost |over |vor |il y a |hace |ca\. ?)?(\d+|an?|one|eine[rm]?|une?|una?)\s*([a-zíñ]+)\.?(?:\s*,?\s*\d+\s*[a-z]+)?(?:\s+(?:ago|atrás|fa|geleden))?$/;
const NEEDS_AGO = /(?:ago|atrás|fa|geleden)$|^(?:vor|il y a|hace)\b|^\d+\s?(?:m|h|d|w|mo|y)$/;

/** The names of each month, from January, in the languages of `DATE_WORDS`. */
const MONTH_NAMES = [
  "january jan januar janvier janv enero ene gennaio gen janeiro januari styczeń stycznia sty январь января янв",
  "february feb februar février févr febrero febbraio fevereiro fev februari luty lutego lut февраль февраля фев февр",
  "march mar märz mär mars marzo março maart mrt marzec marca март марта мар",
  "april apr avril avr abril abr aprile kwiecień kwietnia kwi апрель апреля апр",
  "may mai mayo maggio mag maio mei maj maja май мая",
  "june jun juni juin junio giugno giu junho czerwiec czerwca cze июнь июня июн",
  "july jul juli juillet juil julio luglio lug julho lipiec lipca lip июль июля июл",
  "august aug août agosto ago augustus augusti sierpień sierpnia sie август августа авг",
  "september sep sept septembre septiembre settembre set setembro wrzesień września wrz сентябрь сентября сент сен",
  "october oct oktober okt octobre octubre ottobre ott outubro out październik października paź октябрь октября окт",
  "november nov novembre noviembre novembro listopad listopada lis ноябрь ноября нояб ноя",
  "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia gru декабрь декабря дек",
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)),
);

const TODAY = /^(?:today|heute|aujourd'hui|hoy|oggi|hoje|vandaag|dzisiaj|dziś|сегодня|idag)\b/;
const YESTERDAY = /^(?:yesterday|gestern|hier|ayer|ieri|ontem|gisteren|wczoraj|вчера|igår)\b/;
const NOW = /^(?:just now|now|moments? ago|gerade eben|à l'instant|ahora)$/;

/**
 * The day as `YYYY-MM-DD`; `undefined` for another text.
 *
 * @param now time of the fetch, milliseconds since the epoch
 */
export function readRelativeDate(written: string, now: number): string | undefined {
  const text = written
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:(?:posted|updated|published|on|am|le|el)[: ]+)+/, "");
  if (text === "" || text.length > MAX_LENGTH) return undefined;
  if (NOW.test(text) || TODAY.test(text)) return day(now);
  if (YESTERDAY.test(text)) return day(now - DAY);
  return agoDate(text, now) ?? namedDate(text, now) ?? numericDate(text, now);
}

function agoDate(text: string, now: number): string | undefined {
  const found = AGO.exec(text);
  if (!found || !NEEDS_AGO.test(text)) return undefined;
  const [, count = "", unit = ""] = found;
  const length = UNITS.find(([name]) => name.test(unit))?.[1];
  if (length === undefined) return undefined;
  const many = /^\d+$/.test(count) ? Number(count) : 1;
  return day(now - many * length);
}

/** `12 Nov`, `Nov 12, 2031`, `12. November 2031, 10:15`. */
function namedDate(text: string, now: number): string | undefined {
  const words = text.match(/[\p{L}]+|\d+(?::\d+)*/gu) ?? [];
  const at = words.findIndex((word) => MONTHS.has(word));
  const month = MONTHS.get(words[at] ?? "");
  if (month === undefined) return undefined;
  const others = words.filter((word, index) => index !== at && /\p{L}/u.test(word));
  // Any other word than a weekday or "at" makes it a sentence.
  if (others.some((word) => !isDateLike(word))) return undefined;
  const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
  const date = numbers.find((number) => number >= 1 && number <= 31);
  const year = numbers.find((number) => number >= 1991 && number <= 2100);
  if (date === undefined) return undefined;
  return dated(year, month, date, now);
}

const DAY_WORDS: ReadonlySet<string> = new Set(Object.values(DATE_WORDS).join(" ").split(" "));

function isDateLike(word: string): boolean {
  return DAY_WORDS.has(word) || /^(?:at|um|à|th|st|nd|rd|de|del|am|pm|uhr|utc|gmt|h|г)$/.test(word);
}

/** `2031-11-12`, `12.11.2031`; `03/04/2031` only when one of the numbers can be no month. */
function numericDate(text: string, now: number): string | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(text);
  if (iso) return dated(Number(iso[1]), Number(iso[2]), Number(iso[3]), now);
  const other = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})\b/.exec(text);
  if (!other) return undefined;
  const [first, second, year] = [Number(other[1]), Number(other[3]), Number(other[4])];
  if (other[2] === "." || first > 12) return dated(year, second, first, now);
  return second > 12 ? dated(year, first, second, now) : undefined;
}

function dated(year: number | undefined, month: number, date: number, now: number): string | undefined {
  const current = new Date(now).getUTCFullYear();
  let at = Date.UTC(year ?? current, month - 1, date);
  if (year === undefined && at > now + FUTURE) at = Date.UTC(current - 1, month - 1, date);
  const real = new Date(at);
  if (real.getUTCMonth() !== month - 1 || real.getUTCDate() !== date || at > now + FUTURE) return undefined;
  return day(at);
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
