/**
 * In the page: calendars that scripts draw, read as months with their days and the ways to other months.
 *
 * A calendar is known by its days: numbers up to 31 in cells of their own, near a year and the name of a month. Sent as
 * its own source. Neighbour: `../dates.ts` turns the pages and clicks the day.
 */
import type { Identity } from "./identity.ts";
import type { Registry } from "./registry.ts";

export interface CalendarDay {
  readonly id: number;
  readonly day: number;
  /** `2026-11-22`, where the cell says so itself. */
  readonly date?: string;
  /** Of the month before or after, as far as that can be told. */
  readonly outside: boolean;
  readonly disabled: boolean;
}

export interface CalendarMonth {
  readonly year: number;
  /** From 1 on. */
  readonly month: number;
  readonly days: readonly CalendarDay[];
  readonly next?: number;
  readonly previous?: number;
  /** Fields in which the year and the month are chosen, where there are any; values of the months from the first on. */
  readonly leaps?: {
    readonly year: number;
    readonly months?: { readonly id: number; readonly values: readonly string[] };
  };
}

export interface Calendars {
  /** Notes those that are seen before a field is clicked; answers whether one of them is surely the field's. */
  mark(field: number): boolean;
  /** The one that is seen, the nearest to a field first. */
  month(field: number): CalendarMonth | undefined;
  chosen(day: number): boolean;
  /** Whether the field that stands nearest to an element that is none, such as a calendar's button, names a date. */
  beside(opener: number, date: string): boolean;
  /** Whether a text names a date, in whatever order and words. */
  names(text: string, date: string): boolean;
}

export function makeCalendars(registry: Registry, identity: Identity): Calendars {
  const SEEN = { visibilityProperty: true, opacityProperty: true } as const;
  const OUTSIDE =
    /(^|[-_ ])(old|new|prev(ious)?(month)?|next(month)?|other|outside|adjacent|off|faded|muted)([-_ ]|$)|othermonth|prevmonth|nextmonth|outside/i;
  const NEXT =
    /next|nächst|weiter|suivant|siguiente|successiv|seguinte|volgend|następn|další|nästa|neste|næste|seuraava|következő|след|наступ|chevron[-_]?right|arrow[-_]?right|次|下|다음|^\s*[›»>→▶]\s*$/i;
  const PREVIOUS =
    /prev|vorh|zurück|précédent|anterior|precedent|vorig|poprzedn|předch|föreg|forrige|edellinen|előző|пред|попер|chevron[-_]?left|arrow[-_]?left|前|上|이전|^\s*[‹«<←◀]\s*$/i;
  const YEARS = /year|jahr|année|año|anno|ano(?!t)|год|decade/i;

  /** Pixels between a field and a calendar that is drawn for it, with a head over its days. */
  const BESIDE = 160;
  /** Those that were seen before the field was clicked. */
  let before = new WeakSet<Element>();

  function* all(root: Document | ShadowRoot | Element): Generator<Element> {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      const inner = registry.rootOf(element);
      if (inner) yield* all(inner);
    }
  }

  const isSeen = (element: Element): boolean => {
    if (!element.checkVisibility(SEEN)) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  /** Dear to make, so made once for each language. */
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
        // A page may name a language that there is not.
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

  /** The month that a text names by a word; the longest name counts: March is no Mar. */
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

  const yearIn = (text: string): number | undefined => {
    const [found] = /(?<!\d)(19|20|21)\d\d(?!\d)/.exec(text) ?? [];
    return found === undefined ? undefined : Number(found);
  };

  const written = (year: number, month: number, day: number): string =>
    `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

  const dateOf = (cell: Element, day: number): string | undefined => {
    for (const element of [
      cell,
      ...cell.querySelectorAll("*"),
      ...(cell.matches("td,[role=gridcell]") ? [] : [cell.closest("td,[role=gridcell]")]),
    ]) {
      if (!element) continue;
      for (const { name, value } of element.attributes) {
        if (/^(class|style|id|href)$/.test(name)) continue;
        const [iso] = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(value) ?? [];
        if (iso && Number(iso.slice(8)) === day) return iso;
        if (/date|time|day|timestamp/.test(name) && /^-?\d{11,14}$/.test(value)) {
          const date = new Date(Number(value));
          if (date.getDate() === day) return written(date.getFullYear(), date.getMonth() + 1, day);
          if (date.getUTCDate() === day) return written(date.getUTCFullYear(), date.getUTCMonth() + 1, day);
        }
        if (!/^(aria-label|title|data-title|data-date)$/.test(name)) continue;
        const [year, month] = [yearIn(value), monthIn(value)];
        if (year !== undefined && month !== undefined && new RegExp(`(?<!\\d)0?${day}(?!\\d)`).test(value))
          return written(year, month, day);
      }
    }
    return undefined;
  };

  const dayOf = (element: Element): number | undefined => {
    if (element.children.length > 2) return undefined;
    const text = (element.textContent ?? "").trim();
    const day = /^\d{1,2}$/.test(text) ? Number(text) : 0;
    return day >= 1 && day <= 31 ? day : undefined;
  };

  const cellsIn = (container: Element): readonly Element[] => {
    const days = [...all(container)].filter((one) => dayOf(one) !== undefined && isSeen(one));
    // The outermost that holds nothing but the number.
    const outer = days.filter((one) => !days.some((other) => other !== one && other.contains(one)));
    return outer.filter((one) => one.localName !== "option");
  };

  const headOf = (panel: Element, cells: readonly Element[]): string => {
    const texts: string[] = [panel.getAttribute("aria-label") ?? ""];
    for (const one of [panel, ...all(panel)]) {
      if (one instanceof HTMLInputElement && isSeen(one)) texts.push(one.value);
      if (one instanceof HTMLSelectElement) texts.push(one.selectedOptions[0]?.label ?? "");
      if (one.closest("select") || cells.some((cell) => cell.contains(one)) || !isSeen(one)) continue;
      for (const node of one.childNodes) if (node instanceof Text) texts.push(node.data);
    }
    return texts.join(" ");
  };

  const wayIn = (panel: Element, wanted: RegExp, other: RegExp): number | undefined => {
    const ways = [...all(panel)].filter((one) => {
      if (!one.matches("button,a,[role=button],th,span,div,i") || !isSeen(one) || dayOf(one) !== undefined)
        return false;
      if (one.closest("td,[role=gridcell],[role=grid]") && !one.matches("th,button")) return false;
      const said = `${one.getAttribute("aria-label") ?? ""} ${one.getAttribute("title") ?? ""}`.trim();
      const text = (one.textContent ?? "").trim();
      const told = `${said} ${one.getAttribute("class") ?? ""}${text.length <= 12 ? ` ${text}` : ""}`;
      const fits = [said, one.getAttribute("class") ?? "", text.length <= 12 ? text : ""].some((part) =>
        wanted.test(part),
      );
      return fits && !other.test(said) && !YEARS.test(told) && !identity.isDisabled(one);
    });
    const button = ways.find((one) => one.matches("button,a,[role=button],th")) ?? ways[0];
    return button && identity.meant(button);
  };

  const leapsIn = (panel: Element, year: number): CalendarMonth["leaps"] => {
    const lists = [...panel.querySelectorAll("select")].filter(isSeen);
    const years =
      lists.find(
        ({ selectedOptions: [chosen] }) => chosen && yearIn(`${chosen.label} ${chosen.value}`) === year,
      ) ??
      [...panel.querySelectorAll("input")].find((field) => isSeen(field) && field.value === String(year));
    if (!years) return undefined;
    const months = lists.find((list) => list !== years && list.options.length === 12);
    const values = months ? [...months.options].map(({ value }) => value) : [];
    return {
      year: identity.meant(years),
      ...(months ? { months: { id: identity.meant(months), values } } : {}),
    };
  };

  const names = (text: string, date: string): boolean => {
    const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
    const numbers = [...text.matchAll(/\d+/g)].map(([found]) => Number(found));
    const word = monthIn(text);
    const wanted = word === undefined ? [day, month] : [day];
    const years = numbers.includes(year) || numbers.includes(year % 100);
    const counted = (one: number): number => wanted.filter((other) => other === one).length;
    return (
      years &&
      (word === undefined || word === month) &&
      wanted.every((one) => numbers.filter((other) => other === one).length >= counted(one))
    );
  };

  /** What holds the days of a month, and little else. */
  const gridsIn = (): readonly Element[] => {
    const groups = new Map<Element, number>();
    for (const cell of cellsIn(document.documentElement)) {
      let up = registry.parentOf(cell);
      for (let level = 0; up && level < 4; level++, up = registry.parentOf(up))
        groups.set(up, (groups.get(up) ?? 0) + 1);
    }
    return [...groups]
      .filter(([element, count]) => count >= 28 && count <= 44 && element !== document.body)
      .map(([element]) => element)
      .filter((element, _, others) => !others.some((other) => other !== element && element.contains(other)));
  };

  return {
    mark(field) {
      const grids = gridsIn();
      before = new WeakSet(grids);
      const element = identity.lives(field);
      if (!element || grids.length === 0) return false;
      if (element.getAttribute("aria-expanded") === "true") return true;
      // What opens a calendar says so; one that is there all the time is drawn beside its field.
      if (element.matches("[aria-haspopup],[aria-expanded]")) return false;
      const near = element.getBoundingClientRect();
      return grids.some((grid) => {
        const { left, right, top, bottom } = grid.getBoundingClientRect();
        const across = Math.max(left - near.right, near.left - right, 0);
        return across + Math.max(top - near.bottom, near.top - bottom, 0) <= BESIDE;
      });
    },

    month(field) {
      const near = identity.lives(field)?.getBoundingClientRect();
      const grids = gridsIn();
      const distance = (element: Element): number => {
        const { left, top } = element.getBoundingClientRect();
        return near ? Math.abs(left - near.left) + Math.abs(top - near.bottom) : 0;
      };
      // One that came as the field was clicked is the field's, wherever others stand.
      const old = (grid: Element): number => (before.has(grid) ? 1 : 0);
      const ranked = grids.toSorted((one, other) => old(one) - old(other) || distance(one) - distance(other));
      for (const grid of ranked) {
        const cells = cellsIn(grid);
        let panel: Element | null = grid;
        let [year, month]: (number | undefined)[] = [];
        for (let level = 0; panel && level < 6 && panel !== document.body; level++) {
          const head = headOf(panel, cells);
          [year, month] = [yearIn(head), monthIn(head)];
          if (year !== undefined && month !== undefined) break;
          panel = registry.parentOf(panel);
        }
        if (!panel || year === undefined || month === undefined) continue;
        let [next, previous]: (number | undefined)[] = [];
        for (
          let level = 0, up: Element | null = panel;
          up && level < 4 && up !== document.body;
          level++, up = registry.parentOf(up)
        ) {
          next ??= wayIn(up, NEXT, PREVIOUS);
          previous ??= wayIn(up, PREVIOUS, NEXT);
          if (next !== undefined && previous !== undefined) break;
        }
        // Days run up once: what stands before the first 1 and after the last day is another month's.
        const numbers = cells.map((cell) => dayOf(cell) ?? 0);
        const first = numbers.indexOf(1);
        const second = numbers.indexOf(1, first + 1);
        const leaps = leapsIn(panel, year);
        return {
          year,
          month,
          ...(leaps ? { leaps } : {}),
          days: cells.map((cell, at) => {
            const day = numbers[at] ?? 0;
            const date = dateOf(cell, day);
            const around = `${cell.getAttribute("class") ?? ""} ${cell.parentElement?.matches("td,[role=gridcell]") ? cell.parentElement.className : ""}`;
            return {
              id: identity.meant(cell),
              day,
              ...(date === undefined ? {} : { date }),
              outside: at < first || (second >= 0 && at >= second) || OUTSIDE.test(around),
              disabled: identity.isDisabled(cell) || /(^|[-_ ])disabled([-_ ]|$)/.test(around),
            };
          }),
          ...(next === undefined ? {} : { next }),
          ...(previous === undefined ? {} : { previous }),
        };
      }
      return undefined;
    },

    chosen(day) {
      const cell = identity.lives(day);
      const marked = (one: Element | null): boolean =>
        one !== null &&
        (one.getAttribute("aria-selected") === "true" ||
          one.getAttribute("aria-pressed") === "true" ||
          /(^|[-_ ])(selected|active|chosen|start|end)([-_ ]|$)/.test(one.getAttribute("class") ?? ""));
      return cell !== undefined && (marked(cell) || marked(cell.closest("td,[role=gridcell]")));
    },

    beside(opener, date) {
      const fieldsOf = (box: Element) =>
        [...box.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].filter(
          ({ type }) => !/^(checkbox|radio|submit|button|reset|image|file)$/.test(type),
        );
      let box = identity.lives(opener)?.parentElement;
      while (box && fieldsOf(box).length === 0) box = box.parentElement;
      return box ? fieldsOf(box).some(({ value }) => value !== "" && names(value, date)) : false;
    },

    names,
  };
}
