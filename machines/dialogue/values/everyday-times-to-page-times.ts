/**
 * Replaces times in everyday words, such as "half past seven" and "9 pm", by the times that the page shows.
 * A time is kept in its words if it is ambiguous, or if the page does not show it.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";

/** The hours from one to twelve, as words in English, German, French, Spanish and Italian, and as numbers. */
const HOURS =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|" +
  "eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|" +
  "une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|" +
  "una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|" +
  "l'una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|1[0-2]|[1-9]";
const HOUR_WORDS: readonly string[] = HOURS.split("|");
/** Number of words for hours in each language of `HOURS`, as on the dial of a clock. */
const DIAL = 12;

const hourOf = (word: string): number =>
  /\d/u.test(word) ? Number(word) : (HOUR_WORDS.indexOf(word.toLowerCase()) % DIAL) + 1;

/** Patterns of words for a part of the day. Words for `night` may mean an hour before or after noon. */
const PARTS_OF_DAY = {
  night:
    "(?:in the |this )?evening|tonight|(?:at |in the )night|abends|nachts|(?:am |heute )abend|in der nacht|" +
    "(?:du |ce )soir|de la (?:noche|nuit)|(?:esta|por la) noche|di sera|stasera",
  pm:
    "(?:in the |this )?afternoon|nachmittags|mittags|(?:am |heute )nachmittag|" +
    "(?:de l['’]|cet )après[- ]midi|(?:de la|esta|por la) tarde|(?:del|di) pomeriggio|p\\.?m\\b\\.?",
  am:
    "(?:in the |this )?morning|morgens|vormittags|früh|(?:am |heute )(?:morgen|vormittag)|" +
    "(?:du |ce )matin|(?:de la|esta|por la) mañana|(?:del|di) mattin[ao]|a\\.?m\\b\\.?",
} as const;
const PART_OF_DAY = Object.values(PARTS_OF_DAY).join("|");

/**
 * Pattern of the words for a part of the day after a time, such as "in the evening" in "at 8 in the
 * evening".
 */
const ITS_PART = `(?:\\s?(?<part>${PART_OF_DAY}))`;
/** Matches the end of a clause. An hour without "o'clock" counts as a time only there: "Meet at 9". */
const END = "(?=$|[,.!?](?!\\d)|\\s+(?:and|for|please)\\b)";

const pattern = (time: string, after = `${ITS_PART}?`): RegExp =>
  new RegExp(`(?<![\\p{L}\\d:.])${time.replace("HOUR", `(?<hour>${HOURS})`)}${after}(?![\\p{L}\\d:])`, "giu");

/**
 * Patterns of times in words such as "half past nine", each with the number of minutes to add to the named
 * hour.
 */
const TIMES: readonly (readonly [RegExp, number])[] = [
  [pattern("half past HOUR"), 30],
  [pattern("halb HOUR"), -30],
  [pattern("(?:a )?quarter past HOUR"), 15],
  [pattern("(?:a )?quarter to HOUR"), -15],
  [pattern("HOUR\\s?(?:o['’]?clock|uhr)"), 0],
  // "2 heures" may mean a duration of two hours, so this pattern requires "à" or "vers" before it.
  [pattern("(?<=(?<!\\p{L})(?:à|vers)\\s)HOUR\\s?(?:heures?|h)"), 0],
  [pattern("HOUR(?::(?<minute>[0-5]\\d))?(?:\\s?(?:heures?|h))?", ITS_PART), 0],
  [pattern("(?<=(?<!\\p{L})(?:at|um|à|a las?|alle)\\s)HOUR", END), 0],
];

const MINUTES_PER_HOUR = 60;
const HALF_DAY = 12 * MINUTES_PER_HOUR;
/**
 * Five o'clock, as minutes after twelve. From this time on, a time with "in the evening" or "at night" is certainly
 * after noon. An earlier time, such as "3 at night", may be before or after noon.
 */
const EVENING = 5 * MINUTES_PER_HOUR;

/**
 * Replaces each time in everyday words by a time that the page shows: "half past seven" by "19:30". The words
 * stay if the page does not show this time, or if they may refer to two times on the page, such as 7:30 and
 * 19:30.
 */
export function withTimes(task: string, elements: readonly HighlightedElement[]): string {
  return replaceTimes(task, elements, (phrase, shown) =>
    isOpen(shown) ? phrase : (shown[0]?.text ?? phrase),
  );
}

/**
 * Returns the elements that show a time to which an ambiguous time in the text may refer. "Half past seven"
 * may refer to 7:30 and 19:30.
 */
export function elementsOfOpenTime(
  text: string,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const found = new Set<HighlightedElement>();
  replaceTimes(text, elements, (phrase, shown) => {
    if (isOpen(shown)) for (const { element } of shown) found.add(element);
    return phrase;
  });
  return [...found];
}

/** Whether a time in everyday words, such as "half past three", may be one of several times on the page. */
const isOpen = (shown: readonly ShownTime[]): boolean =>
  shown.some(({ minutes }) => minutes !== shown[0]?.minutes);

function replaceTimes(
  task: string,
  elements: readonly HighlightedElement[],
  writtenFor: (phrase: string, shown: readonly ShownTime[]) => string,
): string {
  const shown = timesOn(elements);
  if (shown.length === 0) return task;
  const partOfTask = onlyPartIn(task);
  return TIMES.reduce(
    (text, [time, offset]) =>
      text.replace(time, (...found) => {
        // The cast is safe: the last argument contains the named groups of the pattern, such as `hour`.
        const { hour, minute, part } = found.at(-1) as Readonly<Record<string, string | undefined>>;
        const minutes = hourOf(hour ?? "") * MINUTES_PER_HOUR + Number(minute ?? 0) + offset;
        const wanted = halvesOf(minutes % HALF_DAY, part ?? partOfTask);
        return writtenFor(
          String(found[0]),
          shown.filter((one) => wanted.includes(one.minutes)),
        );
      }),
    task,
  );
}

/**
 * Returns the times that a time on a twelve-hour clock may mean, in minutes after midnight: 7:30 and 19:30
 * for "half past seven".
 */
function halvesOf(minutes: number, part: string | undefined): readonly number[] {
  const [before, after] = [minutes, minutes + HALF_DAY];
  if (part === undefined) return [before, after];
  const is = (words: string): boolean => new RegExp(`^(?:${words})$`, "iu").test(part);
  if (is(PARTS_OF_DAY.am)) return [before];
  if (is(PARTS_OF_DAY.pm)) return [after];
  return minutes < EVENING ? [before, after] : [after];
}

/**
 * Returns the word for a part of the day in a task, such as "evening" in "This evening at 8". Returns
 * `undefined` if there are several such words or none.
 */
function onlyPartIn(task: string): string | undefined {
  const parts = [...task.matchAll(new RegExp(`(?<!\\p{L})(?:${PART_OF_DAY})(?!\\p{L})`, "giu"))]
    .map(([part]) => part)
    // The words "am" and "pm" are ignored, because "am" is also a verb: "I am".
    .filter((part) => !/^[ap]\.?m\.?$/iu.test(part));
  return parts.length === 1 ? parts[0] : undefined;
}

interface ShownTime {
  readonly element: HighlightedElement;
  readonly text: string;
  /** Minutes after midnight. */
  readonly minutes: number;
}

const WRITTEN_TIME = /(?<![\d:.])(\d{1,2}):([0-5]\d)(?![\d:])(?:\s?([ap])\.?m\b)?/giu;

/** Returns the times that names of elements contain, such as "19:30" or "7:30 pm". */
const timesOn = (elements: readonly HighlightedElement[]): readonly ShownTime[] =>
  elements.flatMap((element) =>
    [...nameOf(element).matchAll(WRITTEN_TIME)].map(([text, hour, minute, half]) => {
      const written = Number(hour) * MINUTES_PER_HOUR + Number(minute);
      const isAfternoon = half?.toLowerCase() === "p";
      return {
        element,
        text,
        minutes: half === undefined ? written : (written % HALF_DAY) + (isAfternoon ? HALF_DAY : 0),
      };
    }),
  );
