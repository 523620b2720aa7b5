/**
 * Derives the intent of a prompt from its words: topic, section, time range, entities and number of articles.
 */
import { DAY } from "../time-and-size-units.ts";
import type { Intent } from "./navigation-run-schemas.ts";

/** For each section of a site, the words that name it. They come from the protocol specification. */
const SECTIONS: Readonly<Record<Exclude<Intent["target_section"], "">, RegExp>> = {
  forum:
    /\b(?:forums?|discussions?|threads?|community|message boards?|boards?|people (?:are )?(?:saying|talking|discussing|think)|mailing list)\b/i,
  news: /\b(?:news|headlines?|press releases?|announcements?|blog posts?|articles about)\b/i,
};

const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
};
const UNIT_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  fortnight: 14,
  month: 30,
  quarter: 91,
  year: 365,
};
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

/** Words in a prompt that are never part of its topic, such as "find" and "latest". */
const FILLERS = new Set(
  (
    "a an the to of in on at for from and or with by about into this that these those it its is are was were be been do does did " +
    "go goto open visit find show get give tell list read look search summarise summarize summary extract collect fetch me us i we you " +
    "please what which who when where how why there their them they out up latest recent last past new newest most all any some " +
    "page pages section site website web link links forum forums thread threads discussion discussions post posts article articles news " +
    "headline headlines blog blogs people person saying say said talking talk discussing discuss think thinks write writing written community board boards message messages " +
    "day days week weeks month months year years today yesterday since ago top first best more than least " +
    "can could would should will has have had regarding concerning story stories update updates information info content comments comment opinion opinions happened happening " +
    "reported reports report known know learn explain describe described mention mentioned " +
    "documentation docs manual guide tutorial"
  ).split(" "),
);

/** @param now the time of the request in milliseconds since the epoch */
export function readIntent(prompt: string, now: number): Intent {
  const target = Object.entries(SECTIONS).find(([, words]) => words.test(prompt))?.[0] ?? "";
  return {
    topic: topicOf(prompt),
    // The cast is safe: the string is a key of `SECTIONS`.
    target_section: target as Intent["target_section"],
    time_range_days: daysOf(prompt, now),
    entities: entitiesOf(prompt),
    max_articles: countOf(prompt),
    output: /\blist\b/i.test(prompt) && !/\bsummar/i.test(prompt) ? "list" : "summary",
  };
}

/**
 * Returns the topic of a prompt, spelled as in the prompt: its quoted texts, or if it has none, its words
 * without times, addresses and filler words.
 */
function topicOf(prompt: string): string {
  const quoted = [...prompt.matchAll(/["“”'‘’«»]([^"“”'‘’«»]{2,80})["“”'‘’«»]/g)].map(
    ([, text = ""]) => text,
  );
  if (quoted.length > 0) return quoted.join(" ");
  const plain = withoutTime(prompt).replace(/https?:\S+/g, " ");
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}.+#&-]*/gu) ?? [];
  return words
    .map((word) => word.replace(/[.-]+$/, ""))
    .filter(
      (word) =>
        !FILLERS.has(word.toLowerCase()) &&
        !/^\d{1,2}$/.test(word) &&
        NUMBERS[word.toLowerCase()] === undefined,
    )
    .join(" ");
}

function withoutTime(prompt: string): string {
  return prompt
    .replace(
      /\b(?:in|from|of|over|during|within)?\s*(?:the\s+)?(?:last|past|previous)\s+(?:\w+\s+)?(?:days?|weeks?|fortnights?|months?|quarters?|years?)\b/gi,
      " ",
    )
    .replace(/\bsince\s+(?:\d{4}-\d{2}-\d{2}|\w+(?:\s+\d{1,2})?(?:,?\s+\d{4})?)/gi, " ")
    .replace(/\b(?:this|today|yesterday)(?:'s)?\s*(?:day|week|month|year)?\b/gi, " ");
}

/** Returns the names in a prompt: texts in quotes, and capitalised words that do not start a sentence. */
function entitiesOf(prompt: string): string[] {
  const found = new Set<string>();
  for (const [, text = ""] of prompt.matchAll(/["“”«»]([^"“”«»]{2,80})["“”«»]/g)) found.add(text.trim());
  for (const { 0: text, index } of prompt.matchAll(
    /\p{Lu}[\p{L}\p{N}&.+-]*(?:\s+\p{Lu}[\p{L}\p{N}&.+-]*)*/gu,
  )) {
    const words = text.replace(/[.,]+$/, "").split(/\s+/);
    const first = (words[0] ?? "").toLowerCase();
    const begins = index === 0 || /[.!?:]\s+$/.test(prompt.slice(0, index));
    if (
      FILLERS.has(first) ||
      (begins && /^[A-Z][a-z]+$/.test(words[0] ?? "") && words.length === 1 && isCommon(first))
    )
      words.shift();
    const name = words.filter((word) => !isTimeWord(word.toLowerCase())).join(" ");
    if (name.length > 1) found.add(name);
  }
  return [...found];
}

function isCommon(word: string): boolean {
  return FILLERS.has(word) || /(?:ing|ed|ise|ize)$/.test(word);
}

function isTimeWord(word: string): boolean {
  return MONTHS.some((month) => month === word || month.slice(0, 3) === word);
}

function daysOf(prompt: string, now: number): number | null {
  const text = prompt.toLowerCase();
  if (/\btoday\b/.test(text)) return 1;
  if (/\byesterday\b/.test(text)) return 2;
  const span =
    /\b(?:last|past|previous)\s+(?:(\d{1,4}|[a-z]+)\s+)?(day|week|fortnight|month|quarter|year)s?\b/.exec(
      text,
    );
  if (span) {
    const [, count, unit = ""] = span;
    const many = count === undefined ? 1 : /^\d+$/.test(count) ? Number(count) : (NUMBERS[count] ?? 1);
    return many * (UNIT_DAYS[unit] ?? 1);
  }
  const current = /\bthis (week|month|quarter|year)\b/.exec(text)?.[1];
  if (current !== undefined) return UNIT_DAYS[current] ?? null;
  return sinceDays(text, now);
}

/**
 * Returns the number of days since the date that the request names (`since March`, `since 2031-03-01`, `since 12 May
 * 2030`); null if it names no date in the past.
 */
function sinceDays(text: string, now: number): number | null {
  const iso = /\bsince\s+(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return daysSince(Date.UTC(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3])), now);
  const named = /\bsince\s+(?:(\d{1,2})\.?\s+)?([a-z]+)(?:\s+(\d{1,2})(?!\d))?(?:,?\s+(\d{4}))?/.exec(text);
  const month = named ? MONTHS.findIndex((name) => name === named[2] || name.slice(0, 3) === named[2]) : -1;
  if (named && month >= 0) {
    const current = new Date(now).getUTCFullYear();
    const date = Number(named[1] ?? named[3] ?? 1);
    const at = Date.UTC(Number(named[4] ?? current), month, date);
    return daysSince(named[4] === undefined && at > now ? Date.UTC(current - 1, month, date) : at, now);
  }
  const year = /\bsince\s+(\d{4})\b/.exec(text)?.[1];
  return year === undefined ? null : daysSince(Date.UTC(Number(year), 0, 1), now);
}

function daysSince(at: number, now: number): number | null {
  return Number.isNaN(at) || at > now ? null : Math.max(1, Math.ceil((now - at) / DAY));
}

function countOf(prompt: string): number | null {
  const found =
    /\b(?:top|first|latest|newest|last|best|find|list|get|read|show)\s+(?:the\s+)?(?:top\s+)?(\d{1,3}|[a-z]+)\s+(?!days?\b|weeks?\b|months?\b|years?\b)[a-z]/i
      .exec(prompt)?.[1]
      ?.toLowerCase();
  if (found === undefined) return null;
  const count = /^\d+$/.test(found) ? Number(found) : NUMBERS[found];
  return count !== undefined && count > 0 ? count : null;
}
