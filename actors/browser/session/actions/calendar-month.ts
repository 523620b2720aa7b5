/**
 * Moves an open calendar to the month of a date and clicks the day. A reading of the calendar counts only
 * once it is completely drawn.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { CalendarDay, CalendarMonth, DateShown } from "../../page-script/widgets/calendars.ts";
import { ActionFailure } from "../action-failure.ts";
import { inDocument, type Target } from "./action-target.ts";
import type { Actions } from "./actions.ts";
import type { PageInput } from "./page-input.ts";

/** An open calendar and its relation to the field. */
export interface OpenCalendar {
  readonly month: CalendarMonth;
  /** It opened with a click on the field, or certainly belongs to the field. */
  readonly own: boolean;
  /** It was not there before, and disappears when a day is clicked. */
  readonly came: boolean;
}

/**
 * `shown`: the field shows the date. `marked`: the calendar marks the day, and no field shows a date.
 * `waits`: the calendar waits for a second date or a button.
 */
export type PickResult = "shown" | "marked" | "waits";

/** Times that year and month are chosen from lists, for a date far from the month shown. */
const LEAPS = 6;
/**
 * Turns that may lead away from the date before the action fails, besides the one that shows the direction of
 * a button.
 */
const ASTRAY = 2;
/** Attempts to click a day that is redrawn when it is about to be clicked. */
const TRIES = 3;

const session = sessionLimits;

/** Reads the calendar of a target. */
export function readMonth(
  { tab }: PageInput,
  { index, frame, id }: Target,
  came: boolean,
): Promise<CalendarMonth | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "calendars", "month", id, came));
}

/** The current state of an element that the page script has named. */
export async function elementIn({ tab }: PageInput, { index, frame }: Target, id: number): Promise<Target> {
  const info = await inDocument(tab, index, tab.frames.call(frame, "actionability", "describe", id));
  if (!info) throw new ActionFailure("interrupted", "The calendar went away.", { index });
  return { index: -1, frame, id, info };
}

export function dateShownIn(
  { tab }: PageInput,
  { index, frame, id }: Target,
  date: string,
): Promise<DateShown> {
  return inDocument(tab, index, tab.frames.call(frame, "calendars", "dateShown", id, date));
}

/** Moves a calendar to the month of a date and clicks the day. */
export async function chooseDay(
  input: PageInput,
  actions: Actions,
  target: Target,
  opened: OpenCalendar,
  date: string,
): Promise<PickResult> {
  const [year = 0, month = 0] = date.split("-").map(Number);
  const until = performance.now() + session.datesWithin;
  const away = (shown: CalendarMonth): number => (year - shown.year) * 12 + (month - shown.month);
  let calendar = opened.month;
  let before: CalendarMonth | undefined;
  let [leapt, astray, tried] = [0, 0, 0];
  let swapped = false;
  for (;;) {
    if (dayIn(calendar, date) || away(calendar) === 0) {
      calendar = await settled(input, target, opened.came, date, before);
      before = undefined;
      const day = dayIn(calendar, date);
      if (day) {
        try {
          return await clickDay(input, target, day, opened, date);
        } catch (error) {
          // The day was redrawn before anything was done to it.
          const gone = error instanceof ActionFailure && /^(element_stale|interrupted)$/.test(error.code);
          if (!gone || ++tried >= TRIES) throw error;
          calendar = (await readMonth(input, target, opened.came)) ?? calendar;
          continue;
        }
      }
    }
    const way = away(calendar);
    if (Math.abs(way) > 1 && leapt < LEAPS && calendar.monthPickers) {
      leapt++;
      before = calendar;
      const { monthPickers } = calendar;
      calendar = await leap(input, actions, target, { ...calendar, monthPickers }, { year, month });
      continue;
    }
    const forwards = way > 0 !== swapped;
    const turn = forwards ? calendar.next : calendar.previous;
    if (way === 0 || turn === undefined || astray > ASTRAY || performance.now() >= until) {
      throw new ActionFailure("not_applied", `The calendar of [${target.index}] does not lead to ${date}.`, {
        index: target.index,
        shows: `${calendar.year}-${String(calendar.month).padStart(2, "0")}`,
      });
    }
    before = calendar;
    calendar = await turned(input, target, calendar, turn, opened.came);
    const then = Math.abs(way);
    const now = Math.abs(away(calendar));
    if (now >= then) astray++;
    // Buttons without a label: their direction is known by their effect.
    if (before.guessed && now > then) swapped = !swapped;
  }
}

/** The days of a calendar without its buttons, for comparison. */
const daysOf = ({ days }: CalendarMonth): string => JSON.stringify(days);

/**
 * Reads a calendar once it is completely drawn. Some draw their header first, and the days or their
 * availability a moment later.
 * @param before the calendar before the turn: while its days are unchanged, they are those of the earlier
 * month
 */
async function settled(
  input: PageInput,
  target: Target,
  came: boolean,
  date: string,
  before: CalendarMonth | undefined,
): Promise<CalendarMonth> {
  const { index } = target;
  const from = performance.now();
  const drawn = (calendar: CalendarMonth): boolean => {
    const day = dayIn(calendar, date);
    if (!day) return false;
    if (day.date === date || calendar.fits !== undefined) return day.date === date || calendar.fits === true;
    if (before && daysOf(before) === daysOf(calendar)) return false;
    return performance.now() >= from + session.calendarQuiet;
  };
  let last: CalendarMonth | undefined;
  for (;;) {
    const now = await readMonth(input, target, came);
    const over = performance.now() >= from + session.calendarWithin;
    const same =
      now && last && now.year === last.year && now.month === last.month && daysOf(now) === daysOf(last);
    if (now && ((same && drawn(now)) || over)) return now;
    if (!now && over) throw new ActionFailure("interrupted", "The calendar went away.", { index });
    last = now;
    await pause(session.actionableEvery);
  }
}

/**
 * The day of the date. A day that states its date is preferred to one that only has the number within the
 * month shown.
 */
function dayIn({ year, month, days }: CalendarMonth, date: string): CalendarDay | undefined {
  const said = days.find((day) => day.date === date && !day.disabled);
  if (said) return said;
  const [wantedYear, wantedMonth, wantedDay] = date.split("-").map(Number);
  if (year !== wantedYear || month !== wantedMonth) return undefined;
  return days.find((one) => one.day === wantedDay && one.date === undefined && !one.outside && !one.disabled);
}

/** Presses a button that turns the calendar, and presses again if the calendar was not ready the first time. */
async function turned(
  input: PageInput,
  target: Target,
  { year, month, next }: CalendarMonth,
  button: number,
  came: boolean,
): Promise<CalendarMonth> {
  let turn: number | undefined = button;
  for (const within of [session.calendarWithin, session.dispatchWithin]) {
    if (turn === undefined) break;
    // Some calendars redraw themselves when the button goes down.
    await input.tap(await elementIn(input, target, turn));
    const until = performance.now() + within;
    let now: CalendarMonth | undefined;
    do {
      now = await readMonth(input, target, came);
      if (now && (now.year !== year || now.month !== month)) return now;
      await pause(session.actionableEvery / 2);
    } while (performance.now() < until);
    // After a redraw, the same button is another element.
    turn = button === next ? now?.next : now?.previous;
  }
  throw new ActionFailure("not_applied", "The calendar does not turn to another month.", {
    index: target.index,
  });
}

/** Chooses the year and the month through the calendar's own fields. */
async function leap(
  input: PageInput,
  actions: Actions,
  target: Target,
  {
    monthPickers,
    ...from
  }: CalendarMonth & { readonly monthPickers: NonNullable<CalendarMonth["monthPickers"]> },
  to: { readonly year: number; readonly month: number },
): Promise<CalendarMonth> {
  const { index, frame } = target;
  const { tab } = input;
  const year = await elementIn(input, target, monthPickers.year);
  if (year.info.tag === "select") {
    await input.permitted();
    const choose = (one: number) =>
      inDocument(tab, index, tab.frames.call(frame, "fieldValues", "select", year.id, [String(one)]));
    const chosen = await choose(to.year);
    // A list of years may only offer years near the one shown. Choosing the nearest one extends it.
    const far = (one: number): number => Math.abs(one - to.year);
    const years =
      "options" in chosen && !chosen.selected ? chosen.options.map(Number).filter(Number.isFinite) : [];
    const [nearest] = years.toSorted((one, other) => far(one) - far(other));
    if (nearest !== undefined) await choose(nearest);
  } else {
    await actions.inputInto(year, { text: String(to.year), clear: true });
    await input.permitted();
    await input.press("Enter");
  }
  await pause(session.actionableEvery);
  // The year may have redrawn the month list, so read it again.
  const months = (await readMonth(input, target, false))?.monthPickers?.months;
  const value = months?.values[to.month - 1];
  if (months && value !== undefined) {
    await input.permitted();
    await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "select", months.id, [value]));
    await pause(session.actionableEvery);
  }
  return (await readMonth(input, target, false)) ?? from;
}

/** Clicks a day and waits until the field holds the date, or the calendar waits for a second date or a button. */
async function clickDay(
  input: PageInput,
  target: Target,
  day: CalendarDay,
  { own, came }: OpenCalendar,
  date: string,
): Promise<PickResult> {
  const { tab } = input;
  const { index, frame } = target;
  // Many calendars take the day when the button goes down, and are gone before it is released.
  await input.tap(await elementIn(input, target, day.id));
  const from = performance.now();
  const isChosen = (id: number): Promise<boolean> =>
    inDocument(tab, index, tab.frames.call(frame, "calendars", "isChosen", id));
  for (;;) {
    const { value, names, half } = await dateShownIn(input, target, date);
    if (names && !half) return "shown";
    const waited = performance.now() - from;
    // A calendar that may belong to another field proves nothing about this one.
    if (own && ((!came && value === undefined) || waited >= session.dateTakenWithin)) {
      const now = await readMonth(input, target, came);
      const again = now && dayIn(now, date);
      const chosen = (await isChosen(day.id)) || (again !== undefined && (await isChosen(again.id)));
      const open =
        now !== undefined &&
        !(await inDocument(tab, index, tab.frames.call(frame, "calendars", "isClosing")));
      if (names) return open ? "waits" : "shown";
      if (chosen && value === undefined && !(came && now)) return "marked";
      if (chosen && open) return "waits";
    } else if (names && !own) return "shown";
    if (waited >= session.dispatchWithin) {
      const where = own ? "" : " in the calendar beside it, which may be another's";
      throw new ActionFailure(
        "not_applied",
        `${date} was clicked${where}, and [${index}] does not hold it.`,
        {
          index,
          value,
        },
      );
    }
    await pause(session.actionableEvery);
  }
}
