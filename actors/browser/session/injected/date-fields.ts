/**
 * In the page: fields for dates that open no calendar themselves: in parts, with a button beside them, or typed into.
 *
 * Sent as its own source. Neighbours: `calendars.ts` reads calendars, `../dates.ts` picks.
 */
import type { Identity } from "./identity.ts";

/** Parts of a field that are each typed into: elements, by what they are. */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface DateFields {
  /** Of the field itself, or of what its label or its group stands for. */
  parts(field: number): DateParts | undefined;
  /** Whether the parts hold a date. */
  holds(parts: DateParts, date: string): boolean;
  /** What stands beside a field to open its calendar. */
  opener(field: number): number | undefined;
  /** A date as the field writes one, by what it holds or asks for; `undefined` where it does not say how. */
  written(field: number, date: string): string | undefined;
}

export function makeDateFields(identity: Identity): DateFields {
  const LEVELS = 4;
  /** Pixels: what is higher is no field. */
  const HIGH = 140;
  const PARTS = "[role=spinbutton]";
  const FIELDS = "input:not([type=hidden]),select,textarea";
  const OPENS = /calend|kalend|date|datum|fecha|event|picker|open|toggle|trigger|day|📅|🗓|▦/i;

  const isSeen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };

  /** What is around an element, as long as it is about as high as a field. */
  function* around(element: Element): Generator<Element> {
    let up = element.parentElement;
    for (let level = 0; up && level < LEVELS && up !== document.body; level++, up = up.parentElement) {
      if (up.getBoundingClientRect().height > HIGH) return;
      yield up;
    }
  }

  const most = (part: Element): number => Number(part.getAttribute("aria-valuemax") ?? Number.NaN);

  return {
    parts(field) {
      const element = identity.lives(field);
      if (!element) return undefined;
      for (const box of [element, ...around(element)]) {
        const seen = [...box.querySelectorAll(PARTS)].filter(isSeen);
        const of = (fits: (part: Element) => boolean): Element | undefined => {
          const found = seen.filter(fits);
          return found.length === 1 ? found[0] : undefined;
        };
        const year = of((part) => most(part) >= 1_000);
        const month = of(
          (part) => most(part) === 12 && part.getAttribute("aria-valuemin") === "1" && part !== year,
        );
        const day = of((part) => most(part) >= 28 && most(part) <= 31);
        if (year && month && day)
          return { year: identity.meant(year), month: identity.meant(month), day: identity.meant(day) };
      }
      return undefined;
    },

    holds(parts, date) {
      const [year, month, day] = date.split("-").map(Number);
      const now = (id: number): number =>
        Number(identity.lives(id)?.getAttribute("aria-valuenow") ?? Number.NaN);
      return now(parts.year) === year && now(parts.month) === month && now(parts.day) === day;
    },

    opener(field) {
      const element = identity.lives(field);
      if (!element) return undefined;
      for (const box of around(element)) {
        const others = [...box.querySelectorAll(FIELDS)].filter((one) => one !== element && isSeen(one));
        if (others.length > 0) return undefined;
        const ways = [...box.querySelectorAll("*")].filter(
          (one) =>
            !one.contains(element) &&
            isSeen(one) &&
            (one.matches("button,[role=button],[aria-haspopup],a") ||
              getComputedStyle(one).cursor === "pointer"),
        );
        const outer = ways.filter((one) => !ways.some((other) => other !== one && other.contains(one)));
        const said = outer.filter((one) => {
          const icons = [one, ...one.querySelectorAll("*")].map((each) => each.getAttribute("class") ?? "");
          const names = ["aria-label", "title"].map((name) => one.getAttribute(name) ?? "");
          return OPENS.test([...icons, ...names, one.textContent ?? ""].join(" "));
        });
        const [only] = said.length > 0 ? said : outer;
        if (only && (said.length === 1 || outer.length === 1)) return identity.meant(only);
      }
      return undefined;
    },

    written(field, date) {
      const element = identity.lives(field);
      if (!(element instanceof HTMLInputElement) || element.readOnly || element.disabled) return undefined;
      const [year = "", month = "", day = ""] = date.split("-");
      const { value, placeholder } = element;
      const form = [placeholder, element.getAttribute("data-format"), element.title].find((one) =>
        /^\s*([dtj]{1,2}|m{1,2}|[yja]{2,4})([-/. ]+)(\w+)\2(\w+)\s*$/i.test(one ?? ""),
      );
      const [, first = "", between = "", second = "", third = ""] =
        /^\s*(\w+)([-/. ]+)(\w+)\2(\w+)\s*$/.exec(form ?? value) ?? [];
      if (first === "") return undefined;
      const parts = [first, second, third];
      const asked = (part: string): string => {
        if (/^m+$/i.test(part)) return part.length === 1 ? String(Number(month)) : month;
        if (/^([ya]{2,4}|j{4})$/i.test(part)) return part.length === 2 ? year.slice(2) : year;
        if (/^[dtj]{1,2}$/i.test(part)) return part.length === 1 ? String(Number(day)) : day;
        return "";
      };
      const written = form === undefined ? [] : parts.map(asked);
      if (written.length === 3 && written.every((part) => part !== "")) return written.join(between);
      // By what it holds only where that says which is which: a year that comes first, or a day after the twelfth.
      if (parts.some((part) => !/^\d+$/.test(part))) return undefined;
      if (first.length === 4) return [year, month, day].join(between);
      if (third.length !== 4) return undefined;
      if (Number(first) > 12 || between.trim() === ".") return [day, month, year].join(between);
      return Number(second) > 12 ? [month, day, year].join(between) : undefined;
    },
  };
}
