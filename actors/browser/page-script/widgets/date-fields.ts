/**
 * Handles date fields without a calendar of their own: fields that are split into parts, fields with a
 * calendar button next to them, and fields into which the user types the date.
 */

import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, isWithin } from "../shadow-dom.ts";
import { identity } from "../shared-page-script-modules.ts";
import { dateTexts as texts } from "./date-texts.ts";

/**
 * The parts of a date field that consists of several fields, such as one field for the year and one for the
 * month. Each part is given by the number of its field.
 */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  /** Number of the AM/PM part in the element registry. Absent if the date field has no such part. */
  readonly half?: number;
}

export interface DateFields {
  /**
   * Returns the parts of a split date field; `undefined` if the field is not split. For a label, returns the
   * parts of the labelled group.
   */
  parts(field: number): DateParts | undefined;
  /** Whether the parts of a split date field show this date and this time. */
  holds(parts: DateParts, date: string, time: string | null): boolean;
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

const most = (part: Element): number => Number(part.getAttribute("aria-valuemax") ?? Number.NaN);

export const dateFields: DateFields = {
  parts(field) {
    const element = identity.find(field);
    if (!element) return undefined;
    for (const box of [element, ...around(element)]) {
      const seen = [...deepElements(box)].filter((element) => element.matches(PART) && isSeen(element));
      const of = (fits: (part: Element) => boolean): Element | undefined => {
        const found = seen.filter(fits);
        return found.length === 1 ? found[0] : undefined;
      };
      const year = of((part) => most(part) >= 1_000);
      const counts = (part: Element): boolean => HOUR_LABEL.test(part.getAttribute("aria-label") ?? "");
      const month = of(
        (part) =>
          most(part) === 12 && part.getAttribute("aria-valuemin") === "1" && part !== year && !counts(part),
      );
      const day = of((part) => most(part) >= 28 && most(part) <= 31);
      if (!year || !month || !day) continue;
      const hour =
        of(counts) ?? of((part) => [11, 12, 23, 24].includes(most(part)) && part !== month && part !== day);
      // The parts for minutes and for seconds both have the maximum 59. The first part with this maximum is
      // the part for minutes.
      const minute = seen.find((part) => most(part) === 59);
      const half = of((part) =>
        DAY_PERIOD.test(part.getAttribute("aria-valuetext") ?? part.textContent ?? ""),
      );
      return {
        year: identity.identify(year),
        month: identity.identify(month),
        day: identity.identify(day),
        ...(hour ? { hour: identity.identify(hour) } : {}),
        ...(minute ? { minute: identity.identify(minute) } : {}),
        ...(half ? { half: identity.identify(half) } : {}),
      };
    }
    return undefined;
  },

  holds(parts, date, time) {
    const [year, month, day] = date.split("-").map(Number);
    const now = (id: number): number =>
      Number(identity.find(id)?.getAttribute("aria-valuenow") ?? Number.NaN);
    const isDate = now(parts.year) === year && now(parts.month) === month && now(parts.day) === day;
    if (time === null) return isDate;
    const { hour, minute, half } = parts;
    if (hour === undefined || minute === undefined) return false;
    const hours = Number(time.slice(0, 2));
    const late = half === undefined ? undefined : identity.find(half);
    const isHalf =
      late === undefined ||
      /^\s*p/i.test(late.getAttribute("aria-valuetext") ?? late.textContent ?? "") === hours >= 12;
    const isHour = now(hour) === hours || (late !== undefined && now(hour) % 12 === hours % 12);
    return isDate && isHalf && isHour && now(minute) === Number(time.slice(3, 5));
  },

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
