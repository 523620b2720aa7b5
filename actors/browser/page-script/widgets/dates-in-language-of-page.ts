/** Recognises and writes dates in text, in the language and the order of the page. */

export interface DateTexts {
  /** Returns the month, from 1 to 12, whose name the text contains. */
  monthIn(text: string): number | undefined;
  yearIn(text: string): number | undefined;
  /**
   * Whether a text contains a date.
   * @param shortly whether the date may be without its year; use this only for a text that has just changed
   */
  mentions(text: string, date: string, shortly?: boolean): boolean;
  /** Writes a date in the format of an example. Returns `undefined` when the format is ambiguous. */
  formatLike(example: string, date: string): string | undefined;
  /**
   * Returns the text with its time replaced by `time`. Returns `undefined` when the text contains no time.
   */
  withTime(text: string, time: string): string | undefined;
}

/** The month names of one language. They are cached, because creating them is slow. */
let named: { readonly language: string; readonly names: readonly (readonly string[])[] } | undefined;
const monthNames = (): readonly (readonly string[])[] => {
  const { lang } = document.documentElement;
  if (named?.language !== lang) named = { language: lang, names: namesIn(lang) };
  return named.names;
};

const namesIn = (lang: string): readonly (readonly string[])[] => {
  const languages = [...new Set([lang, navigator.language, "en"])].filter(Boolean);
  return Array.from({ length: 12 }, (_, month) =>
    languages.flatMap((language) => {
      const date = new Date(2_026, month, 15);
      // The error is ignored, because a page may declare a language that the browser does not know.
      try {
        return (["long", "short"] as const).flatMap((style) => [
          new Intl.DateTimeFormat(language, { month: style }).format(date).toLowerCase().replace(/\.$/, ""),
          new Intl.DateTimeFormat(language, { month: style, day: "numeric" })
            .formatToParts(date)
            .find(({ type }) => type === "month")
            ?.value.toLowerCase()
            .replace(/\.$/, "") ?? "",
        ]);
      } catch {
        return [];
      }
    }),
  );
};

/** The longest matching month name counts, because "March" also contains "Mar". */
const monthIn = (text: string): number | undefined => {
  const lower = text.toLowerCase();
  let best: { readonly month: number; readonly length: number } | undefined;
  for (const [at, names] of monthNames().entries()) {
    for (const name of names) {
      if (name === "" || /^\d+$/.test(name)) continue;
      const found = lower.indexOf(name);
      if (
        found < 0 ||
        /\p{L}/u.test(lower.charAt(found - 1)) ||
        /\p{L}/u.test(lower.charAt(found + name.length))
      )
        continue;
      if (!best || name.length > best.length) best = { month: at + 1, length: name.length };
    }
  }
  return best?.month;
};

/** Matches years from 1500 to 2199, such as those of a date of birth or of an archive. */
const YEAR = /(?<!\d)(?:1[5-9]|2[01])\d\d(?!\d)/;

const yearIn = (text: string): number | undefined => {
  const [found] = YEAR.exec(text) ?? [];
  return found === undefined ? undefined : Number(found);
};

const mentions = (text: string, date: string, shortly = false): boolean => {
  const [iso] = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(text) ?? [];
  if (iso !== undefined) return text.includes(date);
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const numbers = [...text.matchAll(/\d+/g)].map(([found]) => Number(found));
  const word = monthIn(text);
  const wanted = word === undefined ? [day, month] : [day];
  if (shortly && word === month && numbers.length === 1) return numbers[0] === day;
  const years = numbers.includes(year) || numbers.includes(year % 100);
  const counted = (number: number): number => wanted.filter((other) => other === number).length;
  return (
    years &&
    (word === undefined || word === month) &&
    wanted.every((number) => numbers.filter((other) => other === number).length >= counted(number))
  );
};

const inNumbers = (example: string, [year = "", month = "", day = ""]: readonly string[]) => {
  const [, first = "", between = "", second = "", third = ""] =
    /(?<!\d)(\d{1,4})([-/.] ?)(\d{1,2})\2(\d{1,4})(?!\d)/.exec(example) ?? [];
  // The result is certain only if the example shows whether the day or the month comes first. It shows this
  // if the year comes first, or if one of the numbers is above 12.
  if (first.length === 4) return [year, month, day].join(between);
  if (third.length !== 4) return undefined;
  if (Number(first) > 12 || between.trim() === ".") return [day, month, year].join(between);
  return Number(second) > 12 ? [month, day, year].join(between) : undefined;
};

/**
 * Writes a date in the format of an example that contains the name of a month. Returns `undefined` if none of
 * the browser's date formats for the page's languages has produced the example.
 */
const inWords = (example: string, date: string): string | undefined => {
  const year = yearIn(example);
  const month = monthIn(example);
  const [, day] = /(?<!\d)(\d{1,2})(?!\d)/.exec(example) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const shown = new Date(year, month - 1, Number(day));
  const [wantedYear = 0, wantedMonth = 1, wantedDay = 1] = date.split("-").map(Number);
  const { lang } = document.documentElement;
  for (const language of [...new Set([lang, navigator.language, "en-US", "en-GB"])].filter(Boolean)) {
    for (const dateStyle of ["medium", "long", "full"] as const) {
      // The error is ignored, because a page may declare a language that the browser does not know.
      try {
        const format = new Intl.DateTimeFormat(language, { dateStyle });
        const written = format.format(shown);
        if (example.includes(written)) return format.format(new Date(wantedYear, wantedMonth - 1, wantedDay));
      } catch {
        break;
      }
    }
  }
  return undefined;
};

export const dateTexts: DateTexts = {
  monthIn,
  yearIn,
  mentions,
  formatLike: (example, date) => inNumbers(example, date.split("-")) ?? inWords(example, date),

  withTime(text, time) {
    const [found, hours = "", between = "", seconds = "", blank = "", half = ""] =
      /(?<![\d.:/-])(\d{1,2})([:.h])\d{2}(:\d{2})?(?:(\s?)([AaPp]\.?[Mm]\.?))?(?![\d.:/-])/.exec(text) ?? [];
    if (found === undefined) return undefined;
    const [hour, minute] = [Number(time.slice(0, 2)), time.slice(3, 5)];
    const shown = half === "" ? hour : hour % 12 || 12;
    const letter = hour < 12 ? "A" : "P";
    const said = half.replace(/[AaPp]/, (was) => (was === was.toLowerCase() ? letter.toLowerCase() : letter));
    const digits = hours.length === 2 || half === "" ? String(shown).padStart(2, "0") : String(shown);
    const now = `${digits}${between}${minute}${seconds === "" ? "" : ":00"}${blank}${said}`;
    return text.replace(found, now);
  },
};
