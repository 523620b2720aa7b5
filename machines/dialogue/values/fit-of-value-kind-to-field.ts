/**
 * Rates how well the kind of a value fits a field. Kinds are, for example, countries, persons, e-mail
 * addresses, numbers and dates.
 */
import { MONTHS } from "../../reading/month-names.ts";
import type { ElementWords, ValueKind } from "../elements/words-of-page-elements.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";

/**
 * Maximum length of a value whose kind is recognised, in characters. It is the maximum length of an e-mail
 * address. A longer value is plain text.
 */
const KIND_LENGTH = 254;

export function kindOf(value: string): ValueKind {
  const text = value.trim();
  if (text.length > KIND_LENGTH) return "text";
  if (/^[^\s@]+@[^\s@]+\.[^\s@.]+$/u.test(text)) return "email";
  if (/^(?:https?:\/\/|www\.)\S+$/iu.test(text)) return "url";
  if (/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/u.test(text)) return "date";
  if (isWrittenDate(text)) return "date";
  if (/^\d{1,2}:\d{2}(?:\s?[ap]m)?$/iu.test(text)) return "time";
  if (/^[$€£]?\d+(?:[.,]\d+)*\s?[%€$£]?$/u.test(text)) return "number";
  if (/^\+?[\d ()/-]{7,}$/u.test(text)) return "tel";
  if (countryNames().has(plainText(text))) return "country";
  if (
    /^\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|de|la|du|des|van|der|am|an|the)){0,4}\s\d+\p{L}?$|^\d{1,4}\p{L}?(?:\s\p{Lu}[\p{L}.'’-]*){2,4}$/u.test(
      text,
    )
  )
    return "street";
  return /^\p{Lu}\p{L}+(?:[\s-]\p{Lu}[\p{L}.'’]*){1,3}$/u.test(text) ? "person" : "text";
}

/** Matches a number and a word, or a word and a number, which may be the day and the month of a date. */
const WRITTEN_DATE =
  /^\d{1,2}(?:st|nd|rd|th)?\.?\s+(\p{L}{3,})\.?(?:\s+\d{4})?$|^(\p{L}{3,})\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?$/iu;

function isWrittenDate(text: string): boolean {
  const [, after, before] = WRITTEN_DATE.exec(text) ?? [];
  return MONTHS.has((after ?? before ?? "").toLowerCase());
}

const LANGUAGES = ["en", "de", "fr", "es", "it"] as const;
let countries: ReadonlySet<string> | undefined;

/** Returns the names of all countries in five languages. */
function countryNames(): ReadonlySet<string> {
  if (countries) return countries;
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const names = LANGUAGES.flatMap((language) => {
    const of = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    return letters.flatMap((one) => letters.flatMap((other) => of.of(`${one}${other}`) ?? []));
  });
  countries = new Set([...names, "usa", "uk"].map(plainText));
  return countries;
}

/** For each kind of value, such as a country: words in the names of fields for it. */
const KINDS: readonly (readonly [ValueKind, ReadonlySet<string>])[] = (
  [
    ["country", "country nation"],
    ["person", "fullname holder contact"],
    ["street", "street address"],
    ["email", "email mail to recipient"],
    ["url", "url website web homepage site link"],
    ["date", "date birthday birthdate birth day deadline due start end expiry"],
    ["time", "time hour"],
    ["tel", "phone telephone mobile cell fax tel"],
    [
      "number",
      "number amount quantity age price zip postcode postal year count total salary phone mobile card cvv cvc code guest people person seat",
    ],
  ] as const
).map(([kind, words]) => [kind, new Set([...contentWords(words), ...words.split(" ")])] as const);

/** Words in the name of a field that is for a person's name. */
const OF_PERSON: ReadonlySet<string> = new Set(
  contentWords(
    "name full contact recipient customer client guest patient holder cardholder owner member employee person applicant passenger student author sender",
  ),
);

/**
 * Names of the fields for recipients of a copy, such as "Cc". An address in a task more likely belongs to the
 * main recipient.
 */
const COPY_TO: ReadonlySet<string> = new Set(["cc", "bcc"]);

/** Returns the kinds of values that a field takes, by its type, its names and its current value. */
export function expectedKinds(own: ElementWords): ReadonlySet<ValueKind> {
  own.kinds ??= computeKinds(own);
  return own.kinds;
}

function computeKinds({ element, names }: ElementWords): ReadonlySet<ValueKind> {
  const { type, value = "", placeholder = "" } = element;
  const kinds = new Set<ValueKind>();
  if (type === "email" || type === "url" || type === "number" || type === "tel" || type === "time")
    kinds.add(type);
  if (element.role === "spinbutton") kinds.add("number");
  if (type === "date" || type === "datetime-local") kinds.add("date");
  const words = names.flatMap((name) => name.words);
  // A search field such as "Search mail" takes any text, although its name contains "mail".
  if (words.includes("search")) return kinds;
  // The fields "Name" and "Full name" take the name of a person. The field "Company name" does not.
  if (names.some((name) => name.words.includes("name") && name.words.every((word) => OF_PERSON.has(word))))
    kinds.add("person");
  for (const [kind, own] of KINDS) if (words.some((word) => own.has(word))) kinds.add(kind);
  for (const sample of [value, placeholder]) {
    const kind = kindOf(sample);
    if (sample !== "" && kind !== "text" && !isWords(kind)) kinds.add(kind);
  }
  return kinds;
}

/**
 * Returns words that name the kind of a value and describe no particular field: "mail" in "Mail
 * ada@example.com".
 */
export const kindWords = (value: string): ReadonlySet<string> => {
  const kind = kindOf(value);
  return kind === "email"
    ? new Set(contentWords("email mail"))
    : kind === "tel"
      ? new Set(contentWords("phone call"))
      : new Set();
};

/**
 * Whether values of this kind, such as names of persons, consist of ordinary words. The kind of such a value is
 * uncertain, because any other words may look the same.
 */
const isWords = (kind: ValueKind): boolean => kind === "country" || kind === "person" || kind === "street";

/**
 * Factors for the score of a field, by how well the value fits the field. They were tuned with a set of known
 * tasks.
 */
const FIT = {
  /** Score factor of a value that is certainly of the kind that the field expects, such as a date. */
  expected: 1.15,
  /**
   * Score factor for words that may be of the kind that the field asks for, such as a person's name. It is
   * lower than `expected`, because the kind of words is only a guess.
   */
  expectedWords: 1.1,
  /**
   * Score factor of a number in a field for another kind of number, such as a telephone number in a field for
   * a count. It is above 1, because such a field suits a number better than a field without a kind.
   */
  digits: 1.05,
  neutral: 1,
  /** Score factor of a value of a known kind, such as a date, in a field that expects no particular kind. */
  unstated: 0.9,
  /** Score factor for ordinary text in a field whose name asks for an address, a date or a number. */
  textForKind: 0.75,
  /**
   * Score factor of a value of another kind than the field's name asks for, such as a date in a field for a
   * number.
   */
  otherKind: 0.7,
  /** Score factor of a mail address or URL in a field that does not ask for one. */
  addressForOther: 0.6,
  /** Score factor of a value that the browser or the page would refuse in this field. */
  refused: 0.3,
} as const;

/**
 * Returns a score factor for a value of this kind in a field: above 1 if the field takes such values, and
 * below 1 if it takes values of other kinds.
 */
export function fitOf(kind: ValueKind, own: ElementWords): number {
  const { type } = own.element;
  const expected = expectedKinds(own);
  const isStrict = type === "email" || type === "number" || type === "date" || type === "url";
  const areWords = isWords(kind);
  if (kind === "text" || (areWords && !expected.has(kind))) {
    if (isStrict) return FIT.refused;
    const asksForKind = expected.has("email") || expected.has("date") || expected.has("tel");
    return asksForKind ? FIT.textForKind : FIT.neutral;
  }
  if (expected.has(kind)) return areWords && kind !== "country" ? FIT.expectedWords : FIT.expected;
  if ((kind === "number" && expected.has("tel")) || (kind === "tel" && expected.has("number")))
    return FIT.digits;
  if (isStrict) return FIT.refused;
  if (kind === "email" && own.names.some(({ words }) => words.some((word) => COPY_TO.has(word))))
    return FIT.neutral;
  if (kind === "email" || kind === "url") return FIT.addressForOther;
  return expected.size > 0 ? FIT.otherKind : FIT.unstated;
}
