/**
 * Handles date fields without a calendar of their own: fields that are split into parts, fields with a
 * calendar button next to them, and fields into which the user types the date.
 */

import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, isWithin } from "../shadow-dom.ts";
import { describer, identity } from "../world-bundle-modules-for-actions-bundle.ts";
import { dateTexts as texts } from "./dates-in-language-of-page.ts";

/**
 * The parts of a date field that consists of several fields, such as one field for the year and one for the
 * month. Each part is the number by which the page script finds its field.
 */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  /** The part for AM or PM; absent if the date field has none. */
  readonly half?: number;
}

/** The parts of a field that takes only a time of day. */
export interface TimeParts extends Pick<DateParts, "half"> {
  readonly hour: number;
  readonly minute: number;
}

export interface DateFields {
  /**
   * Returns the parts of a split date field; `undefined` if the field is not split. For a label, returns the
   * parts of the labelled group.
   */
  parts(field: number): DateParts | undefined;
  /** Returns the parts of a split field for a time of day; `undefined` if the field is not split. */
  timeParts(field: number): TimeParts | undefined;
  /** Whether a part of a split field shows no number yet. */
  isEmpty(part: number): boolean;
  /** Whether the parts of a split date field show this date and this time. */
  holds(parts: DateParts, date: string, time: string | null): boolean;
  /** Whether the parts of a split field show this time. */
  holdsTime(parts: TimeParts, time: string): boolean;
  /**
   * Returns texts that represent a time of day, the likeliest format first. The format is that of the field's
   * value or placeholder. If neither shows a format, but the name of the field says that it takes a time, the
   * texts have the common formats. For any other field, the list is empty.
   */
  timeTexts(field: number, time: string): readonly string[];
  /** Whether a list of hours and minutes is open in a layer beside the field. */
  hasOpenTimeList(field: number): boolean;
  /** Returns the button next to a field that opens its calendar. */
  opener(field: number): number | undefined;
  /**
   * Writes a date in the format of the field, which its value or placeholder shows. Returns `undefined` when
   * the format is unknown.
   */
  format(field: number, date: string): string | undefined;
}

/** Maximum number of ancestors of a date field that are searched for the field's other parts and buttons. */
const MAX_LEVELS = 6;
/**
 * Maximum height in pixels of an element that counts as one date field. A higher element contains more than
 * the field.
 */
const MAX_HEIGHT = 140;
/** Selector of the parts (such as the day or the year) of a split date field. */
const PART = "[role=spinbutton]";
/** Matches labels of the part for the hours in a field for date and time. */
const HOUR_LABEL = /hour|stunde|heure|hora|\bora\b|uur|godzin|час|时|時|시간/i;
/** Matches the text of the part of a date field for AM or PM. */
const DAY_PERIOD = /^\s*[ap]\.?m\.?\s*$/i;
/** Selector of fields. A search around a date field must not go beyond another field. */
const FIELDS = "input:not([type=hidden]),select,textarea";
/** Matches names of buttons that open a calendar. */
const OPENER_NAME = /calend|kalend|date|datum|fecha|event|picker|open|toggle|trigger|day|📅|🗓|▦/i;

/**
 * Returns the ancestors of an element that may belong to the same field, the nearest first. The list ends
 * before an ancestor that is higher than `MAX_HEIGHT`, because it contains more than the field.
 */
function* around(element: Element): Generator<Element> {
  let up = registry.parentOf(element);
  for (let level = 0; up && level < MAX_LEVELS && up !== document.body; level++, up = registry.parentOf(up)) {
    if (up.getBoundingClientRect().height > MAX_HEIGHT) return;
    yield up;
  }
}

/** Matches names and placeholders of fields for a time of day. */
const TIME_NAME = /time|zeit|uhr|heure|\bhora\b|\bora\b|tijd|godzin|час|врем|时间|時間|시간/i;
/** Matches parts of names that contain a word for time, but belong to fields that take no time of day. */
const OTHER_TIME_NAME = /time[ _-]?zone|zeitzone|timeout|time[ _-]?stamp|overtime|lifetime|zeitraum/gi;
/** Matches placeholders that show the format of a time, such as `hh:mm:ss a`. */
const TIME_FORMAT =
  /(?:h{1,2}|k{1,2}|-{2})([:.h])(?:m{2}|-{2})(?:\1(?:s{2}|-{2}))?(?:(\s?)(?:a{1,2}|tt|am|pm|-{2}))?/i;
/** Number of ancestors of a field whose class may show that the field is for a time. */
const CLASS_LEVELS = 2;

/** Minimum number of entries in a list of hours and minutes: the hours on a clock face. */
const MIN_TIME_ENTRIES = 12;

const clockText = (time: string, { seconds = false, half = "" }): string => {
  const hour = Number(time.slice(0, 2));
  const shown = half === "" ? hour : hour % 12 || 12;
  const digits = `${String(shown).padStart(2, "0")}:${time.slice(3, 5)}${seconds ? ":00" : ""}`;
  return half === "" ? digits : `${digits} ${hour < 12 ? "AM" : "PM"}`;
};

const isForTime = (element: Element): boolean => {
  const names = ["aria-label", "placeholder", "name", "id", "title"].map((name) =>
    element.getAttribute(name),
  );
  const labels = describer.captionsOf(element).map((label) => describer.wordsOf(label));
  const classes: (string | null)[] = [];
  let up: Element | null = element;
  for (let level = 0; up && level <= CLASS_LEVELS; level++, up = registry.parentOf(up))
    classes.push(up.getAttribute("class"));
  const text = [...names, ...labels, ...classes].join(" ");
  return TIME_NAME.test(text.replace(OTHER_TIME_NAME, ""));
};

/** Returns the only element of a list that fits; `undefined` if none or several fit. */
const onlyOf = (seen: readonly Element[], fits: (part: Element) => boolean): Element | undefined => {
  const found = seen.filter(fits);
  return found.length === 1 ? found[0] : undefined;
};

const isHourLabel = (part: Element): boolean => HOUR_LABEL.test(part.getAttribute("aria-label") ?? "");

/**
 * Returns the parts of a split field that belong to the time. The parts for minutes and for seconds both have
 * the maximum 59; the part for minutes comes first.
 */
const timeIn = (seen: readonly Element[], others: readonly Element[]) => ({
  hour:
    onlyOf(seen, isHourLabel) ??
    onlyOf(seen, (part) => [11, 12, 23, 24].includes(most(part)) && !others.includes(part)),
  minute: seen.find((part) => most(part) === 59),
  second: seen.filter((part) => most(part) === 59)[1],
  // The text is compared too: while this part is empty, it has no `aria-valuetext`, and only its text is "AM" or
  // "PM" (React Aria).
  half: onlyOf(seen, (part) =>
    [part.getAttribute("aria-valuetext"), part.textContent].some((text) => DAY_PERIOD.test(text ?? "")),
  ),
});

/** Whether an element is in a layer over the page, such as an open list, that does not contain the field. */
const isInOtherLayer = (element: Element, field: Element | undefined): boolean => {
  let up: Element | null = element;
  for (; up && !(field && isWithin(field, up)); up = registry.parentOf(up))
    if (/^(absolute|fixed)$/.test(getComputedStyle(up).position)) return true;
  return false;
};

const shownNumber = (id: number): number =>
  Number(identity.find(id)?.getAttribute("aria-valuenow") ?? Number.NaN);

const showsTime = ({ hour, minute, half }: TimeParts, time: string): boolean => {
  const hours = Number(time.slice(0, 2));
  const late = half === undefined ? undefined : identity.find(half);
  const isHalf =
    late === undefined ||
    /^\s*p/i.test(late.getAttribute("aria-valuetext") ?? late.textContent ?? "") === hours >= 12;
  const isHour = shownNumber(hour) === hours || (late !== undefined && shownNumber(hour) % 12 === hours % 12);
  return isHalf && isHour && shownNumber(minute) === Number(time.slice(3, 5));
};

const most = (part: Element): number => Number(part.getAttribute("aria-valuemax") ?? Number.NaN);

export const dateFields: DateFields = {
  parts(field) {
    const element = identity.find(field);
    if (!element) return undefined;
    for (const box of [element, ...around(element)]) {
      const seen = [...deepElements(box)].filter((element) => element.matches(PART) && isSeen(element));
      const year = onlyOf(seen, (part) => most(part) >= 1_000);
      const month = onlyOf(
        seen,
        (part) =>
          most(part) === 12 &&
          part.getAttribute("aria-valuemin") === "1" &&
          part !== year &&
          !isHourLabel(part),
      );
      const day = onlyOf(seen, (part) => most(part) >= 28 && most(part) <= 31);
      if (!year || !month || !day) continue;
      const { hour, minute, second, half } = timeIn(seen, [month, day]);
      return {
        year: identity.identify(year),
        month: identity.identify(month),
        day: identity.identify(day),
        ...(hour ? { hour: identity.identify(hour) } : {}),
        ...(minute ? { minute: identity.identify(minute) } : {}),
        ...(second ? { second: identity.identify(second) } : {}),
        ...(half ? { half: identity.identify(half) } : {}),
      };
    }
    return undefined;
  },

  timeParts(field) {
    const element = identity.find(field);
    if (!element) return undefined;
    for (const box of [element, ...around(element)]) {
      const seen = [...deepElements(box)].filter((element) => element.matches(PART) && isSeen(element));
      const { hour, minute, half } = timeIn(seen, []);
      if (!hour || !minute) continue;
      return {
        hour: identity.identify(hour),
        minute: identity.identify(minute),
        ...(half ? { half: identity.identify(half) } : {}),
      };
    }
    return undefined;
  },

  timeTexts(field, time) {
    const element = identity.find(field);
    if (!(element instanceof HTMLInputElement) || element.readOnly || element.disabled) return [];
    const held = texts.withTime(element.value, time);
    if (held !== undefined) return [held];
    const format = TIME_FORMAT.exec(element.placeholder);
    if (!format && !isForTime(element)) return [];
    if (format) {
      const [found, between = ":"] = format;
      const seconds = found.split(between).length > 2;
      const half = format[2] === undefined ? "" : "a";
      return [clockText(time, { seconds, half }).replaceAll(":", between)];
    }
    return [clockText(time, {}), clockText(time, { half: "a" }), clockText(time, { seconds: true })];
  },

  hasOpenTimeList(field) {
    const input = identity.find(field);
    const numbers = [...deepElements(document)].filter(
      (element) =>
        element.firstElementChild === null &&
        /^\s*\d{1,2}\s*$/.test(element.textContent ?? "") &&
        isSeen(element) &&
        isInOtherLayer(element, input),
    );
    // A list of hours or minutes contains a zero. A calendar contains as many numbers, but no zero.
    return numbers.length >= MIN_TIME_ENTRIES && numbers.some((element) => Number(element.textContent) === 0);
  },

  isEmpty: (part) => Number.isNaN(shownNumber(part)),

  holds(parts, date, time) {
    const [year, month, day] = date.split("-").map(Number);
    const isDate =
      shownNumber(parts.year) === year &&
      shownNumber(parts.month) === month &&
      shownNumber(parts.day) === day;
    if (time === null) return isDate;
    const { hour, minute } = parts;
    return (
      isDate && hour !== undefined && minute !== undefined && showsTime({ ...parts, hour, minute }, time)
    );
  },

  holdsTime: showsTime,

  opener(field) {
    const element = identity.find(field);
    if (!element) return undefined;
    for (const box of around(element)) {
      const others = [...deepElements(box)].filter(
        (node) => node.matches(FIELDS) && node !== element && isSeen(node),
      );
      if (others.length > 0) return undefined;
      const clickable = [...deepElements(box)].filter(
        (node) =>
          !isWithin(element, node) &&
          isSeen(node) &&
          (node.matches("button,[role=button],[aria-haspopup],a") ||
            getComputedStyle(node).cursor === "pointer"),
      );
      const outer = clickable.filter(
        (element) => !clickable.some((other) => other !== element && isWithin(element, other)),
      );
      const said = outer.filter((element) => {
        const icons = [element, ...element.querySelectorAll("*")].map(
          (each) => each.getAttribute("class") ?? "",
        );
        const names = ["aria-label", "title", "name"].map((name) => element.getAttribute(name) ?? "");
        return OPENER_NAME.test([...icons, ...names, element.textContent ?? ""].join(" "));
      });
      const [only] = said.length > 0 ? said : outer;
      if (only && (said.length === 1 || outer.length === 1)) return identity.identify(only);
    }
    return undefined;
  },

  format(field, date) {
    const element = identity.find(field);
    if (!(element instanceof HTMLInputElement) || element.readOnly || element.disabled) return undefined;
    const [year = "", month = "", day = ""] = date.split("-");
    const { value, placeholder } = element;
    const form = [placeholder, element.getAttribute("data-format"), element.title].find((text) =>
      /^\s*([dtj]{1,2}|m{1,2}|[yja]{2,4})([-/. ]+)(\w+)\2(\w+)\s*$/i.test(text ?? ""),
    );
    const [, first = "", between = "", second = "", third = ""] =
      /^\s*(\w+)([-/. ]+)(\w+)\2(\w+)\s*$/.exec(form ?? "") ?? [];
    const parts = [first, second, third];
    const asked = (part: string): string => {
      if (/^m+$/i.test(part)) return part.length === 1 ? String(Number(month)) : month;
      if (/^([ya]{2,4}|j{4})$/i.test(part)) return part.length === 2 ? year.slice(2) : year;
      if (/^[dtj]{1,2}$/i.test(part)) return part.length === 1 ? String(Number(day)) : day;
      return "";
    };
    const written = parts.map(asked);
    if (written.every((part) => part !== "")) return written.join(between);
    // If the value contains two dates, it cannot be an example of the format of one date. Writing one date
    // would also remove the other.
    const held = value.replace(/\D/g, "").length <= 8 ? value : "";
    return texts.formatLike(held, date) ?? texts.formatLike(placeholder, date);
  },
};
