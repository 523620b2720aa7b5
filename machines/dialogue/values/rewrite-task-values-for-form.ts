/**
 * Rewrites the values of a task for the form on the page. The page may have separate fields for the parts of
 * an address, a name or a date; then each part gets the name of its field. A time in everyday words
 * becomes a time that the page shows.
 */
import { MONTHS } from "../../reading/month-names.ts";
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { hasOwnWord } from "../elements/elements-described-by-task-words.ts";
import { personNameFields } from "../elements/person-name-fields.ts";
import { isField, isList, namesOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { contentWords, FILLERS, plainText } from "../words/normalised-words.ts";
import { CREATING } from "../words/task-word-lists.ts";
import { withTimes } from "./everyday-times-to-page-times.ts";
import { kindOf } from "./fit-of-value-kind-to-field.ts";
import { withJourney } from "./start-and-destination-fields.ts";
import { withStatedValues } from "./stated-values-for-only-field.ts";
import { inDigits, namesBirth, takesDate } from "./value-in-format-of-field.ts";
import { bound } from "./values-bound-by-field-index.ts";

/**
 * Returns the task with its values in the form that the page shows. For example, `half past nine` becomes
 * `09:30` if the page has a button `09:30`.
 */
export const withPageValues = (task: string, elements: readonly HighlightedElement[]): string =>
  [
    withHeadClause,
    withAddress,
    withWholeAddress,
    withFullName,
    withStatedValues,
    withJourney,
    withPlace,
    withHome,
    withTimeSpan,
    withDateSpan,
    withOnlyDate,
    withListedTime,
    withCounts,
    withDateParts,
    withTimes,
    withoutLabelWords,
  ].reduce((text, rewritten) => rewritten(text, elements), task);

/** Matches the words of a clause directly before a bound value: "Check for mail every" before the number of minutes. */
const BEFORE_BOUND =
  /(?<=^|[,;.]\s+)([^,;.#"]+?),?\s+(?=#field-(\d+) "[^"]*"(?:[.!]?$|[,;]|\s(?:and|then|und|et|y|e)\s))/gu;

/**
 * Removes the words before a value such as `#field-7 "5"`, if all of them are words of the field's name:
 * "Check for mail every".
 */
const withoutLabelWords = (task: string, elements: readonly HighlightedElement[]): string =>
  task.replace(BEFORE_BOUND, (all, before, index) => {
    const field = elements.find(({ highlight_index }) => highlight_index === Number(index));
    const names = field ? namesOf(field).flatMap(({ text }) => contentWords(text)) : [];
    const words = contentWords(before).filter((word) => !FILLERS.has(word));
    return words.length > 0 && words.every((word) => names.includes(word)) ? "" : all;
  });

/** Matches the clause before a list of values: "Create a user: given name Zoe, family name Zander". */
const HEAD_CLAUSE = /^((?:please\s+|bitte\s+)?\p{L}+\s+[^":,;.!?]{2,50}):\s+(?=\p{L})/iu;

/**
 * If a task creates a thing, replaces the colon after its first clause by a comma, as in "Create a user: given name
 * Zoe". Otherwise, the clause would be read as the name of a field. The colon stays if a field has this name.
 */
function withHeadClause(task: string, elements: readonly HighlightedElement[]): string {
  const [, head] = HEAD_CLAUSE.exec(task) ?? [];
  if (head === undefined) return task;
  const words = contentWords(head);
  // The colon also stays after words without a verb that creates, as in "New address: street Lindenweg 8 …".
  // The values after them are found even with the colon.
  if (!CREATING.has(words[0] ?? "") || words[0] === "new") return task;
  const thing = words.filter((word) => !CREATING.has(word)).join(" ");
  const isNamed = elements.some((one) => {
    const name = contentWords(nameOf(one)).join(" ");
    return (isField(one) || isList(one)) && (name === words.join(" ") || name === thing);
  });
  return isNamed ? task : task.replace(HEAD_CLAUSE, "$1, ");
}

const MONTH_NAMES = [...MONTHS.keys()].join("|");
/** Matches a date with a name of a month, with its day and its year. */
const WRITTEN_DATE = new RegExp(
  `\\b(?:on\\s+)?(?:(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+(${MONTH_NAMES})|(${MONTH_NAMES})\\s+(\\d{1,2})(?:st|nd|rd|th)?),?\\s+(\\d{4})(?!\\d)`,
  "iu",
);

/**
 * If the page has text fields for the day and the year, and a text field or a list for the month, splits a
 * date of the task into these parts.
 */
function withDateParts(task: string, elements: readonly HighlightedElement[]): string {
  if (!WRITTEN_DATE.test(task)) return task;
  const [days, months, years] = ["day", "month", "year"].map((part) =>
    elements.find((one) => (isField(one) || isList(one)) && plainText(nameOf(one)) === part),
  );
  if (!days || !months || !years || isList(days) || isList(years)) return task;
  const options = isList(months) ? (months.options ?? []) : undefined;
  return task.replace(WRITTEN_DATE, (_, day, month, otherMonth, otherDay, year) => {
    const number = MONTHS.get(String(month ?? otherMonth).toLowerCase()) ?? "";
    if (options) {
      const inList =
        options.find((one) => contentWords(one).some((word) => MONTHS.get(word) === number)) ?? "";
      return [
        { element: days, value: day ?? otherDay },
        { element: months, value: inList },
        { element: years, value: year },
      ]
        .toSorted((one, other) => one.element.highlight_index - other.element.highlight_index)
        .map(({ element, value }) => `, ${bound(element, value)}`)
        .join("");
    }
    return `, day "${day ?? otherDay}", month "${number}", year "${year}"`;
  });
}

/** Matches one complete word of a name, and never only the beginning of a longer word. */
const NAME_WORD = "(\\p{Lu}[\\p{L}'’-]+)(?![\\p{L}'’-])";
/** Matches a full name: two words that start with a capital letter. */
const FULL_NAME = `${NAME_WORD}\\s${NAME_WORD}`;
/**
 * Matches the name of a person, as in "My name is Ada Wong". A noun before "name" prevents the match, because
 * "product name" is the name of a thing.
 */
const NAME_IS = new RegExp(
  "(?:(?<!\\p{L})(?:[Mm]y|[Oo]ur|[Yy]our|[Tt]he|[Hh]is|[Hh]er)\\s|" +
    "(?<=^|[^\\p{L}\\s]\\s*|(?<!\\p{L})(?:and|with|[Cc]hange|[Ss]et|[Uu]pdate|[Ee]dit|[Ee]nter|[Tt]ype|[Uu]se|[Pp]ut)\\s))" +
    `(?:[Ff]ull\\s)?[Nn]ame\\s*(?::|\\bis\\b|\\bto\\b)?\\s*${FULL_NAME}(?!\\s\\p{Lu})`,
  "u",
);
/** Matches a statement of a person's name in other languages: "Me llamo Lucía Ortega", "Je m'appelle Léo". */
const CALLED = new RegExp(
  "(?<!\\p{L})(?:[Mm]e\\sllamo|[Mm]i\\schiamo|[Ii]l\\smio\\snome\\sè|[Mm]e\\schamo|[Jj]e\\sm['’]appelle|[Ii]ch\\shei(?:ß|ss)e|[Mm]i\\snombre\\ses|[Mm]on\\snom\\sest|[Mm]ein\\sName\\sist)" +
    `\\s(?:${FULL_NAME}|${NAME_WORD})(?!\\s\\p{Lu})`,
  "u",
);
const IS_NAME = new RegExp(`^${FULL_NAME}\\sis\\smy\\sname\\b`, "u");
const I_AM = new RegExp(`\\b(?:I\\sam|I['’]m)\\s${FULL_NAME}(?!\\s\\p{Lu})`, "u");

/**
 * Splits the full name of a person in the task into first and last name. This is done if the page has a field
 * for each of them, and none for the whole name.
 */
function withFullName(task: string, elements: readonly HighlightedElement[]): string {
  const fields = personNameFields(elements);
  const called =
    fields &&
    task.replace(CALLED, (_, given, family, only) =>
      only === undefined
        ? `${bound(fields.first, given)}, ${bound(fields.last, family)}`
        : bound(fields.first, only),
    );
  if (called !== undefined && called !== task) return called;
  const whole = fields ? undefined : onlyField(elements, isWholeName);
  if (whole && CALLED.test(task))
    return task.replace(CALLED, (_, given, family, only) =>
      bound(whole, only === undefined ? `${given} ${family}` : only),
    );
  const pattern = [IS_NAME, NAME_IS, I_AM].find((one) => one.test(task));
  if (pattern === undefined || elements.some(isWholeName)) return task;
  const hasParts = fieldWith("first name", elements) && fieldWith("last name", elements);
  return hasParts ? task.replace(pattern, `first name "$1", last name "$2"`) : task;
}

const isWholeName = (element: HighlightedElement): boolean =>
  isField(element) && [nameOf(element), rowText(element)].some((name) => WHOLE_NAME.test(name.trim()));
/** Matches the label of a field for the whole name of a person. */
const WHOLE_NAME =
  /^(?:(?:your |full )?name\b(?! on)|vor-?\s*und nachname|ihr name|nom (?:complet|et prénom)|prénom et nom|nom|nombre(?: (?:completo|y apellidos))?|nome(?: (?:completo|e cognome))?)\W*$/iu;

/** Matches where a person lives, without a country: "I live in Tallinn", "Vivo en Sevilla", "Ich wohne in Graz". */
const LIVES_IN =
  /(?<!\p{L})(?:(?:I|[Ww]e)\s(?:now\s)?live\sin|[Vv]ivo\sen|[Vv]ivimos\sen|[Aa]bito\sa|[Vv]ivo\sa|[Jj]['’]habite\s(?:à|en)|[Ii]ch\swohne\sin)\s(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?)(?=\s*$|[.;!]|,\s\p{Ll}|\s(?:and|now|und|et|y|e)\s)/u;

/** Assigns the place where a person lives to the field for a city, if there is exactly one. */
function withHome(task: string, elements: readonly HighlightedElement[]): string {
  const city = onlyField(elements, (one) => CITY_NAMES.some((name) => hasOwnWord(one, name)));
  return city ? task.replace(LIVES_IN, (_, place) => bound(city, place)) : task;
}

/** Matches a city, a comma and a country: "Tallinn, Estonia" in "I live in Tallinn, Estonia". */
const CITY_COUNTRY =
  /(?<=\b(?:in|from|to)\s)(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?),\s(\p{Lu}[\p{L}-]+)(?=$|[.;!]|\s+(?:and|now)\s)/u;

/**
 * Writes the names of the fields before a city and its country, if the page has a field for each: "Tallinn,
 * Estonia" becomes `city "Tallinn", country "Estonia"`.
 */
function withPlace(task: string, elements: readonly HighlightedElement[]): string {
  const [, , country] = CITY_COUNTRY.exec(task) ?? [];
  if (country === undefined || kindOf(country) !== "country") return task;
  const hasCountry = elements.some((one) => hasOwnWord(one, "country"));
  if (!hasCountry || !CITY_NAMES.some((name) => fieldWith(name, elements))) return task;
  return task.replace(CITY_COUNTRY, `city "$1", country "$2"`);
}

const fieldWith = (word: string, elements: readonly HighlightedElement[]): boolean =>
  elements.some((one) => isField(one) && hasOwnWord(one, word));

const ZIP_NAMES = ["zip", "postcode", "postal", "plz"];
const CITY_NAMES = ["city", "town"];
/**
 * Matches a postal code and the name of a place: "1010 Vienna". The code must be at the start of the text, or
 * after a comma, "in" or "to".
 */
const ZIP_CITY =
  /(?<=,\s*|\bin\s+|\bto\s+|^)(\d{4,6}|\d{3}\s\d{2})\s+(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?)(?=$|[,.;]|\s+(?:and|then|und|et|y|e)\s)/gu;
/**
 * Matches a street with a number, before the postal code of an address: "Pikk 12" in "Pikk 12, 10123 Tallinn".
 */
const STREET =
  /(\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,3}\s\d+\p{L}?|\d+\p{L}?(?:\s\p{Lu}[\p{L}.'’-]*){1,3}),?\s+(?:in\s+)?(?=zip\s)/gu;

/**
 * Writes the names of fields before the parts of a postal address in the task: "1010 Vienna" becomes "zip
 * 1010, city Vienna". The task stays unchanged if the page lacks a field for one of the parts.
 */
function withAddress(task: string, elements: readonly HighlightedElement[]): string {
  if (task.search(ZIP_CITY) < 0) return task;
  const hasBoth = [ZIP_NAMES, CITY_NAMES].every((names) => names.some((name) => fieldWith(name, elements)));
  if (!hasBoth) return task;
  return task
    .replace(ZIP_CITY, `zip "$1", city "$2"`)
    .replace(/(?<=\bzip\s"[^"]+"),\s(?=city\s")/u, ", ")
    .replace(STREET, `street "$1", `)
    .replace(/(?:(?:\p{L}+\s+)?address\s*[:=]?\s*)(?=street\s")/iu, "");
}

/** Matches a street, a city, and a country or a state with its postal code: "14 Harbour Street, Galway, Ireland". */
const WHOLE_ADDRESS =
  /(?:(?<=\b(?:at|in|to|is|address)\s)|^)(\d+\p{L}?(?:\s\p{Lu}[\p{L}.'’-]*){1,3}|\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,3}\s\d+\p{L}?),\s(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?),\s(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?)(?:\s(\d{4,6}))?(?=$|[.;!]|\s+(?:and|now)\s)/u;

/**
 * Adds field names to the parts of a postal address in the task: "Vienna" becomes "city Vienna". Changes
 * nothing if the page has no fields for street and city.
 */
function withWholeAddress(task: string, elements: readonly HighlightedElement[]): string {
  const [, street, city, region, zip] = WHOLE_ADDRESS.exec(task) ?? [];
  if (street === undefined || city === undefined || region === undefined) return task;
  const has = (word: string): boolean => elements.some((one) => hasOwnWord(one, word));
  const isCountry = kindOf(region) === "country" && has("country");
  const place = isCountry ? "country" : has("state") ? "state" : undefined;
  const line = ["street", "address"].find((word) => fieldWith(word, elements));
  const hasCity = CITY_NAMES.some((name) => fieldWith(name, elements));
  if (place === undefined || line === undefined || !hasCity) return task;
  const code = zip === undefined ? "" : `, zip "${zip}"`;
  return task
    .replace(WHOLE_ADDRESS, `${line} "${street}", city "${city}", ${place} "${region}"${code}`)
    .replace(
      /(?:\p{L}+\s+)?address\s+(?:is\s+)?(?=(?:street|address)\s")|(?:\bI|\bWe|\bwe)\s+live\s+at\s+(?=(?:street|address)\s")/u,
      "",
    );
}

const CLOCK = "\\d{1,2}[:.]\\d{2}(?:\\s?[ap]m)?";
/** Matches a time span with its start and its end: "from 10:15 to 11:45". */
const TIME_SPAN = new RegExp(
  `,?\\s*(?<!\\p{L})(?:from|between|von|zwischen|de|entre|desde(?:\\s+las)?|de\\s+las|dalle|tra\\s+le)\\s+(${CLOCK})\\s+(?:to|until|till|and|bis|und|à|et|a|hasta|y|alle|e\\s+le)(?:\\s+las)?\\s+(${CLOCK})`,
  "iu",
);
/**
 * Matches a period of time with a verb for its start and a verb for its end: "opens at 10:00 and closes at
 * 19:30".
 */
const VERB_SPAN = new RegExp(
  `(?:^(?:the|our|my|this)\\s+\\p{L}+\\s+|\\b)(?:opens?|starts?|begins?)\\s+at\\s+(${CLOCK})\\s*(?:,|and|,\\s*and)\\s+(?:closes?|ends?)\\s+at\\s+(${CLOCK})`,
  "iu",
);
const STARTS =
  /(?<!\p{L})(?:starts?|from|begins?|opens?|von|ab|beginn|de|du|début|à partir|desde|inicio|dalle|inizio)(?!\p{L})/iu;
const ENDS =
  /(?<!\p{L})(?:ends?|until|to|closes?|bis|ende|fin|jusqu['’]\p{L}*|à(?! partir)|hasta|alle|fino|fine)(?!\p{L})/iu;

/**
 * Returns the only field that has a name and for which `isOwn` returns true; `undefined` if there are several
 * such fields or none.
 */
function onlyField(elements: readonly HighlightedElement[], isOwn: (one: HighlightedElement) => boolean) {
  const own = elements.filter((one) => isField(one) && nameOf(one) !== "" && isOwn(one));
  return own.length === 1 ? own[0] : undefined;
}

/**
 * Adds the names of the two time fields to a time span in the task, so that its start and its end are entered
 * into these fields.
 */
function withTimeSpan(task: string, elements: readonly HighlightedElement[]): string {
  const span = [TIME_SPAN, VERB_SPAN].find((one) => one.test(task));
  if (span === undefined) return task;
  const times = elements.filter(({ type }) => type === "time");
  const [start, end] = [STARTS, ENDS].map((pattern) =>
    onlyField(times.length > 1 ? times : elements, (one) => pattern.test(nameOf(one))),
  );
  if (!start || !end || start === end) return task;
  return task.replace(span, (_, from, to) => `, ${bound(start, from)}, ${bound(end, to)}`);
}

const ISO_DATE = "\\d{4}-\\d{2}-\\d{2}";
const DATE = `(?:${ISO_DATE}|\\d{1,2}(?:st|nd|rd|th)?\\s(?:${MONTH_NAMES})\\s\\d{4})(?!\\d)`;
/** Matches a period of days: "from 2026-11-27 to 2026-12-03". */
const DATE_SPAN = new RegExp(
  `,?\\s*\\b(?:from|between|vom|von|du|del|dal|desde(?:\\s+el)?)\\s+(${DATE})\\s*(?:to|until|till|and|bis(?:\\s+zum)?|au|al|fino\\s+al|hasta(?:\\s+el)?|[-–])\\s*(${DATE})`,
  "iu",
);

/**
 * Names the fields of a period in a task: "from 2 to 5 May" becomes "arrival 2 May, departure 5 May". The
 * page must have exactly two date fields with these names.
 */
function withDateSpan(task: string, elements: readonly HighlightedElement[]): string {
  if (!DATE_SPAN.test(task)) return task;
  const dates = elements.filter(
    (one) => isField(one) && nameOf(one) !== "" && takesDate(one) && !one.disabled,
  );
  // If there are more than two date fields, the two are used whose names are for a start and an end.
  const [from, to] =
    dates.length > 2
      ? [STARTS, ENDS].map((label) => onlyField(dates, (one) => label.test(nameOf(one))))
      : dates;
  if (!from || !to || from === to || nameOf(from) === nameOf(to)) return task;
  return task.replace(DATE_SPAN, (_, first, last) => `, ${bound(from, first)}, ${bound(to, last)}`);
}

/** Matches a date after "on" or a similar word inside of a task. */
const ON_DATE = new RegExp(
  `(?<=\\S)(\\s+(?:on|for|by|until|till|am|bis(?:\\s+zum)?|le|el|il|entro\\s+il|hasta(?:\\s+el)?)\\s+)(${DATE})`,
  "iu",
);

/** Matches a task that only moves something to a date ("Move the call to 3 May"), or only states a date. */
const WHOLE_DATE = new RegExp(
  "^(?:(?:please\\s+)?(?:move|postpone|reschedule|shift|verschiebe|déplace|reporte|aplaza|mueve)\\s+[^,;:.]+?\\s(?:to|until|auf\\s+den|auf|au|al)|" +
    `the\\s+date\\s+of\\s+[^,;:.]+?\\s(?:is|(?:shall|should|must|will)\\s+be))\\s+(${DATE})[.!]?$`,
  "iu",
);
/** Words in the names of buttons that reschedule something by themselves, so that no date is typed first. */
const MOVING = ["move", "postpone", "reschedule"];

/**
 * If the page has only one date field, connects the date in the task with it. The time in the task is
 * connected with the only time field in the same way.
 */
function withOnlyDate(task: string, elements: readonly HighlightedElement[]): string {
  const date = onlyField(elements, (one) => takesDate(one) && namesBirth(nameOf(one)) === namesBirth(task));
  const [, moved] = WHOLE_DATE.exec(task) ?? [];
  const hasMove = elements.some((one) => !isField(one) && MOVING.some((word) => hasOwnWord(one, word)));
  if (date && moved !== undefined && !hasMove) return bound(date, moved);
  const dated = task.replace(ON_DATE, (all, _, said, at) =>
    date && !isNamedBefore(task.slice(0, at), date) ? `, ${bound(date, said)}` : all,
  );
  return dated.replace(AT_TIME, (all, time) => {
    const field = onlyField(
      elements,
      (one) => one.type === "time" || /^h{2}:m{2}$/iu.test(one.placeholder ?? ""),
    );
    return field ? `, ${bound(field, time)}` : all;
  });
}
/** Matches a time after a date: "10:30" in `Day "2026-12-04" at 10:30`. */
const AT_TIME = new RegExp(`(?<="|${DATE}),?\\s+(?:at|um|à|a\\s+las|alle)\\s+(${CLOCK})`, "iu");

/** Matches a time after "at" inside of a clause: "court 3 at 14:00", "a start at 16:00". */
const INNER_TIME = new RegExp(
  `(?<=\\S)(?:,?\\s+(?:and\\s+)?(?:an?|the)\\s+(?:start|beginning))?,?\\s+(?:at|um|à|a\\s+las|alle)\\s+(${CLOCK})(?=$|[,.;]|\\s+(?:and|then|und|et|y|e)\\s)`,
  "iu",
);

/** If exactly one list of the page has a time of the task as an option, connects the time with this list. */
function withListedTime(task: string, elements: readonly HighlightedElement[]): string {
  return task.replace(INNER_TIME, (all, time) => {
    const lists = elements.filter(
      (one) => isList(one) && !one.disabled && one.options?.some((option) => option.trim() === time),
    );
    const [list] = lists;
    return list && lists.length === 1 ? `, ${bound(list, time)}` : all;
  });
}

/**
 * Number of words before a value that are compared with the name of a field, such as "due" in "due on
 * 2026-12-10".
 */
const NAMING_WORDS = 2;

/** Whether the words directly before a value name its field. */
function isNamedBefore(text: string, field: HighlightedElement): boolean {
  const before = contentWords(text).slice(-NAMING_WORDS);
  return contentWords(nameOf(field)).some((word) => before.includes(word));
}

/** Matches a number and its noun: "2 people", "25 minutes", "25 %". */
const COUNTED =
  /(?:^|(?:,?\s+(?:for|with|and|of))?,?(?:\s+(?:about|around|approximately|roughly|some|etwa|ungefähr|environ|unos|unas|circa))?\s+)(\d+(?:[.,]\d+)?|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en)\s*(%|(?<=\d|\s)(?:km|kg|\p{L}{3,}))(?![\p{L}\p{N}])/gu;

/**
 * Replaces a number with a noun, as in "for 2 people", by a value of the only number field whose name
 * contains the noun.
 */
function withCounts(task: string, elements: readonly HighlightedElement[]): string {
  return task.replace(COUNTED, (all, number, noun) => {
    const isShown = elements.some((one) =>
      [nameOf(one), ...(one.options ?? [])].some((text) => text.includes(`${number} ${noun}`)),
    );
    const field = onlyField(elements, (one) => takesNumber(one) && isCounting(one, noun));
    return field === undefined || isShown ? all : `, ${bound(field, inDigits(number))}`;
  });
}

const isCounting = (element: HighlightedElement, noun: string): boolean =>
  noun === "%"
    ? /%|percent/iu.test(`${nameOf(element)} ${element.placeholder ?? ""}`)
    : [noun, ...(UNIT_NAMES.get(noun) ?? [])].some((word) => hasOwnWord(element, word));

/** For each unit in a task, such as "km": further words for it in the names of fields, such as "distance". */
const UNIT_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["km", ["kilometres", "kilometers", "distance", "kilometer", "kilomètres", "kilómetros"]],
  ["kg", ["kilograms", "weight", "gewicht", "poids", "peso"]],
]);

/**
 * Whether a field takes a number, by its type, its role or its value. An empty text field also does, if its
 * placeholder has no letters.
 */
const takesNumber = ({ type, role, value = "", placeholder = "" }: HighlightedElement): boolean =>
  type === "number" ||
  role === "spinbutton" ||
  (type === "text" && (/^\d+(?:[.,]\d+)?$/u.test(value) || (value === "" && !/\p{L}/u.test(placeholder))));
