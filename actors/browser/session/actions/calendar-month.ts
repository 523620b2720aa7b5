/**
 * Turning a calendar to the month of a date and clicking the day: what is read of it counts once it is drawn to its end.
 *
 * Neighbours: `dates.ts` opens calendars and asks for it, `injected/calendars.ts` reads them.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { CalendarDay, CalendarMonth, DateShown } from "../../page-script/widgets/calendars.ts";
import { ActionFailure } from "../action-failure.ts";
import { inDocument, type Target } from "./action-target.ts";
import type { Actions } from "./actions.ts";
import type { PageInput } from "./page-input.ts";

/** How a calendar stands to the field. */
export interface OpenCalendar {
  readonly month: CalendarMonth;
  /** It came with a click on the field, or is surely its own. */
  readonly own: boolean;
  /** It was not there before, and goes again when its day is clicked. */
  readonly came: boolean;
}

/** The field shows the date; or the day is marked, where nothing shows it; or the calendar waits for something more. */
export type PickResult = "shown" | "marked" | "waits";

/** Times that a list of years is chosen from, for what is far from the year that is shown. */
const LEAPS = 6;
/** Turns that may lead away from the date: beside one that shows what its button does. */
const ASTRAY = 2;
/** A day that goes as it is to be clicked is looked for again so often. */
const TRIES = 3;

const session = sessionLimits;

/** What is asked of a calendar in the page of a target. */
export function readMonth(
  { tab }: PageInput,
  { index, frame, id }: Target,
  came: boolean,
): Promise<CalendarMonth | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "calendars", "month", id, came));
}

/** An element that the page named, as it is now. */
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

/** Turns a calendar to the month of a date, and clicks the day. */
export async function chooseDay(
  touch: PageInput,
  acts: Actions,
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
      calendar = await settled(touch, target, opened.came, date, before);
      before = undefined;
      const day = dayIn(calendar, date);
      if (day) {
        try {
          return await clickDay(touch, target, day, opened, date);
        } catch (error) {
          // It was drawn anew before anything was done to it.
          const gone = error instanceof ActionFailure && /^(element_stale|interrupted)$/.test(error.code);
          if (!gone || ++tried >= TRIES) throw error;
          calendar = (await readMonth(touch, target, opened.came)) ?? calendar;
          continue;
        }
      }
    }
    const way = away(calendar);
    if (Math.abs(way) > 1 && leapt < LEAPS && calendar.monthPickers) {
      leapt++;
      before = calendar;
      const { monthPickers } = calendar;
      calendar = await leap(touch, acts, target, { ...calendar, monthPickers }, { year, month });
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
    calendar = await turned(touch, target, calendar, turn, opened.came);
    const then = Math.abs(way);
    const now = Math.abs(away(calendar));
    if (now >= then) astray++;
    // What says nothing itself is known by what it did.
    if (before.guessed && now > then) swapped = !swapped;
  }
}

/** The days with their month, apart from what turns them. */
const daysOf = ({ days }: CalendarMonth): string => JSON.stringify(days);

/**
 * A calendar once it is drawn to its end: some draw their head first, and the days, or which of them can be chosen, a
 * moment later.
 * @param before as it was before it was turned: until its days are others, they are those of another month
 */
async function settled(
  touch: PageInput,
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
    const now = await readMonth(touch, target, came);
    const over = performance.now() >= from + session.calendarWithin;
    const same =
      now && last && now.year === last.year && now.month === last.month && daysOf(now) === daysOf(last);
    if (now && ((same && drawn(now)) || over)) return now;
    if (!now && over) throw new ActionFailure("interrupted", "The calendar went away.", { index });
    last = now;
    await pause(session.actionableEvery);
  }
}

/** Of two days that fit the one that says so itself, or is not of another month. */
function dayIn({ year, month, days }: CalendarMonth, date: string): CalendarDay | undefined {
  const said = days.find((day) => day.date === date && !day.disabled);
  if (said) return said;
  const [wantedYear, wantedMonth, wantedDay] = date.split("-").map(Number);
  if (year !== wantedYear || month !== wantedMonth) return undefined;
  return days.find((one) => one.day === wantedDay && one.date === undefined && !one.outside && !one.disabled);
}

/** Presses what turns it, and once more where that was too soon for it. */
async function turned(
  touch: PageInput,
  target: Target,
  { year, month, next }: CalendarMonth,
  button: number,
  came: boolean,
): Promise<CalendarMonth> {
  let turn: number | undefined = button;
  for (const within of [session.calendarWithin, session.dispatchWithin]) {
    if (turn === undefined) break;
    // Some draw themselves anew as the button goes down.
    await touch.tap(await elementIn(touch, target, turn));
    const until = performance.now() + within;
    let now: CalendarMonth | undefined;
    do {
      now = await readMonth(touch, target, came);
      if (now && (now.year !== year || now.month !== month)) return now;
      await pause(session.actionableEvery / 2);
    } while (performance.now() < until);
    // Drawn anew, the same button is another element.
    turn = button === next ? now?.next : now?.previous;
  }
  throw new ActionFailure("not_applied", "The calendar does not turn to another month.", {
    index: target.index,
  });
}

/** By the fields in which a calendar has its year and its month chosen. */
async function leap(
  touch: PageInput,
  acts: Actions,
  target: Target,
  {
    monthPickers,
    ...from
  }: CalendarMonth & { readonly monthPickers: NonNullable<CalendarMonth["monthPickers"]> },
  to: { readonly year: number; readonly month: number },
): Promise<CalendarMonth> {
  const { index, frame } = target;
  const { tab } = touch;
  const year = await elementIn(touch, target, monthPickers.year);
  if (year.info.tag === "select") {
    await touch.permitted();
    const choose = (one: number) =>
      inDocument(tab, index, tab.frames.call(frame, "fieldValues", "select", year.id, [String(one)]));
    const chosen = await choose(to.year);
    // A list that goes only so far from the year that is shown goes further from its ends.
    const far = (one: number): number => Math.abs(one - to.year);
    const years =
      "options" in chosen && !chosen.selected ? chosen.options.map(Number).filter(Number.isFinite) : [];
    const [nearest] = years.toSorted((one, other) => far(one) - far(other));
    if (nearest !== undefined) await choose(nearest);
  } else {
    await acts.inputInto(year, { text: String(to.year), clear: true });
    await touch.permitted();
    await touch.press("Enter");
  }
  await pause(session.actionableEvery);
  // What the year redrew is found anew.
  const months = (await readMonth(touch, target, false))?.monthPickers?.months;
  const value = months?.values[to.month - 1];
  if (months && value !== undefined) {
    await touch.permitted();
    await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "select", months.id, [value]));
    await pause(session.actionableEvery);
  }
  return (await readMonth(touch, target, false)) ?? from;
}

/** Clicks a day, and waits until the field holds it, or the calendar for something more. */
async function clickDay(
  touch: PageInput,
  target: Target,
  day: CalendarDay,
  { own, came }: OpenCalendar,
  date: string,
): Promise<PickResult> {
  const { tab } = touch;
  const { index, frame } = target;
  // Many calendars take the day as the button goes down, and are gone before it comes up.
  await touch.tap(await elementIn(touch, target, day.id));
  const from = performance.now();
  const isChosen = (id: number): Promise<boolean> =>
    inDocument(tab, index, tab.frames.call(frame, "calendars", "isChosen", id));
  for (;;) {
    const { value, names, half } = await dateShownIn(touch, target, date);
    if (names && !half) return "shown";
    const waited = performance.now() - from;
    // What is not its own says nothing of the field.
    if (own && ((!came && value === undefined) || waited >= session.dateTakenWithin)) {
      const now = await readMonth(touch, target, came);
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
