/**
 * Moves an open calendar to the month of a date and clicks the day. The content of the calendar is used only
 * when it is completely drawn.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type {
  CalendarDay,
  CalendarMonth,
  DateShown,
} from "../../page-script/widgets/read-custom-calendars.ts";
import { ActionFailure } from "../action-error.ts";
import { elementIn, inDocument, type Target } from "./clickable-point.ts";
import type { ElementActions } from "./element-actions.ts";
import type { PageInput } from "./pointer-and-key-input.ts";
import { formatForField } from "./type-date.ts";

/** An open calendar, with facts about its relation to the field. */
export interface OpenCalendar {
  readonly month: CalendarMonth;
  /**
   * Whether the calendar certainly belongs to the field, for example because a click on the field has opened
   * it.
   */
  readonly isOwn: boolean;
  /**
   * Whether the calendar is a popup that was opened for the field. Such a calendar closes when a day is
   * clicked.
   */
  readonly isNew: boolean;
}

/**
 * The result of clicking a day. `shown`: the field shows the date. `marked`: the calendar marks the day, but
 * no field shows a date. `waits`: the calendar waits for a second date or for its confirm button.
 */
export type PickResult = "shown" | "marked" | "waits";

/**
 * Maximum number of times that one date selection chooses a year and a month in the calendar's own lists.
 * These lists are used when the date is more than one month away.
 */
const MAX_LEAPS = 6;
/**
 * From this number of months on, a date counts as far away: turning the calendar month by month would take
 * more than two seconds.
 */
const FAR_MONTHS = 24;
/** Number of months in a year. */
const YEAR = 12;
/**
 * Maximum number of presses of a year button that are sent at once. A far year needs many presses. They are
 * sent together, because a calendar may show an animation after each press, and waiting for each animation
 * would take long.
 */
const MAX_PRESSES = 10;
type Turn = "next" | "previous" | "nextYear" | "previousYear";
/**
 * Maximum number of presses that do not bring the calendar nearer to the date. One such press is normal if
 * the two buttons have no labels: it shows which of them leads to the next month.
 */
const MAX_ASTRAY = 2;
/**
 * Maximum number of attempts to click a day. The calendar may redraw the day immediately before the click.
 */
const MAX_TRIES = 3;

const limits = sessionLimits;

/** Returns the month in the visible calendar of a field; `undefined` if no calendar is visible. */
export function readMonth(
  { tab }: PageInput,
  { index, frame, id }: Target,
  isNew: boolean,
): Promise<CalendarMonth | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "calendars", "month", id, isNew));
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
  actions: ElementActions,
  target: Target,
  openCalendar: OpenCalendar,
  date: string,
): Promise<PickResult> {
  const [year = 0, month = 0] = date.split("-").map(Number);
  const until = performance.now() + limits.datesWithin;
  const monthsAway = (shown: CalendarMonth): number => (year - shown.year) * 12 + (month - shown.month);
  let calendar = openCalendar.month;
  let before: CalendarMonth | undefined;
  let [leaps, astray, tries] = [0, 0, 0];
  let [swapped, isTyped] = [false, false];
  for (;;) {
    if (dayIn(calendar, date) || monthsAway(calendar) === 0) {
      calendar = await readSettled(input, target, openCalendar.isNew, date, before);
      before = undefined;
      const day = dayIn(calendar, date);
      if (day) {
        try {
          return await clickDay(input, target, day, openCalendar, date);
        } catch (error) {
          // The day disappeared before the click reached it, so nothing was clicked. The calendar is read
          // again, and the day is clicked in its new state.
          const gone = error instanceof ActionFailure && /^(element_stale|interrupted)$/.test(error.code);
          if (!gone || ++tries >= MAX_TRIES) throw error;
          calendar = (await readMonth(input, target, openCalendar.isNew)) ?? calendar;
          continue;
        }
      }
    }
    const distance = monthsAway(calendar);
    if (Math.abs(distance) > 1 && leaps < MAX_LEAPS && calendar.monthPickers) {
      leaps++;
      before = calendar;
      const { monthPickers } = calendar;
      calendar = await chooseYearAndMonth(
        input,
        actions,
        target,
        { ...calendar, monthPickers },
        { year, month },
      );
      continue;
    }
    if (Math.abs(distance) > FAR_MONTHS && !isTyped) {
      isTyped = true;
      const turned = await turnByTyping(input, actions, target, date, openCalendar.isNew);
      if (turned) {
        before = calendar;
        calendar = turned;
        continue;
      }
    }
    const turnsYears = Math.abs(distance) >= YEAR && calendar.nextYear !== undefined;
    const forwards = distance > 0 !== (swapped && !turnsYears);
    const turn: Turn = turnsYears ? (forwards ? "nextYear" : "previousYear") : forwards ? "next" : "previous";
    if (distance === 0 || calendar[turn] === undefined || astray > MAX_ASTRAY || performance.now() >= until) {
      throw new ActionFailure("not_applied", `The calendar of [${target.index}] does not lead to ${date}.`, {
        index: target.index,
        shows: `${calendar.year}-${String(calendar.month).padStart(2, "0")}`,
      });
    }
    before = calendar;
    const presses = turnsYears ? Math.min(MAX_PRESSES, Math.floor(Math.abs(distance) / YEAR)) : 1;
    calendar = await turnPage(input, target, calendar, { turn, presses }, openCalendar.isNew);
    const distanceBefore = Math.abs(distance);
    const distanceNow = Math.abs(monthsAway(calendar));
    if (distanceNow >= distanceBefore) astray++;
    // The direction of a button without a label is a guess. If a press has led away from the wanted date, the
    // two buttons exchange their roles.
    if (before.guessed && distanceNow > distanceBefore) swapped = !swapped;
  }
}

/** Returns the days of a calendar as text, to detect that they have changed. */
const daysOf = ({ days }: CalendarMonth): string => JSON.stringify(days);

/**
 * Waits until the page has drawn a calendar completely, and reads it. Some calendars draw the new month's
 * name first and its days later.
 *
 * @param before the calendar with the previous month; the wait continues while its days are still shown
 */
async function readSettled(
  input: PageInput,
  target: Target,
  isNew: boolean,
  date: string,
  before: CalendarMonth | undefined,
): Promise<CalendarMonth> {
  const { index } = target;
  const from = performance.now();
  const isDrawn = (calendar: CalendarMonth): boolean => {
    const day = dayIn(calendar, date);
    if (!day) return false;
    if (day.date === date || calendar.fits !== undefined) return day.date === date || calendar.fits === true;
    if (before && daysOf(before) === daysOf(calendar)) return false;
    return performance.now() >= from + limits.calendarQuiet;
  };
  let last: CalendarMonth | undefined;
  for (;;) {
    const now = await readMonth(input, target, isNew);
    const isTimeUp = performance.now() >= from + limits.calendarWithin;
    const same =
      now && last && now.year === last.year && now.month === last.month && daysOf(now) === daysOf(last);
    if (now && ((same && isDrawn(now)) || isTimeUp)) return now;
    if (!now && isTimeUp) throw new ActionFailure("interrupted", "The calendar went away.", { index });
    last = now;
    await pause(limits.actionableEvery);
  }
}

/**
 * Returns the day in the calendar for the date. A day that has the date in an attribute is preferred to a day
 * that only shows the number.
 */
function dayIn({ year, month, days }: CalendarMonth, date: string): CalendarDay | undefined {
  const exact = days.find((day) => day.date === date && !day.disabled);
  if (exact) return exact;
  const [wantedYear, wantedMonth, wantedDay] = date.split("-").map(Number);
  if (year !== wantedYear || month !== wantedMonth) return undefined;
  return days.find(
    (candidate) =>
      candidate.day === wantedDay &&
      candidate.date === undefined &&
      !candidate.outside &&
      !candidate.disabled,
  );
}

/**
 * Presses a button that shows another month or year of the calendar. If the calendar was not ready for the first
 * press, presses the button again.
 *
 * @param presses number of presses that are sent at once
 */
async function turnPage(
  input: PageInput,
  target: Target,
  { year, month, ...buttons }: CalendarMonth,
  { turn, presses }: { readonly turn: Turn; readonly presses: number },
  isNew: boolean,
): Promise<CalendarMonth> {
  let button = buttons[turn];
  for (const within of [limits.calendarWithin, limits.dispatchWithin]) {
    if (button === undefined) break;
    // `tap` accepts a press without a click event: some calendars redraw themselves when the mouse button
    // goes down, and the button then gets no click event.
    await input.tap(await elementIn(input, target, button), presses);
    const until = performance.now() + within;
    let now: CalendarMonth | undefined;
    let turnedAt: number | undefined;
    do {
      now = await readMonth(input, target, isNew);
      // After several presses at once, the calendar may so far have reacted only to the first of them. So the
      // code waits before it accepts a change that is smaller than the number of presses.
      if (now && (now.year !== year || now.month !== month)) {
        if (Math.abs(now.year - year) >= presses || presses === 1) return now;
        turnedAt ??= performance.now();
        if (performance.now() - turnedAt >= limits.calendarQuiet) return now;
      }
      await pause(limits.actionableEvery / 2);
    } while (performance.now() < until);
    // The button for the next press is taken from the calendar that was read last. A calendar that was
    // redrawn has new buttons.
    button = now?.[turn];
  }
  throw new ActionFailure("not_applied", "The calendar does not turn to another month.", {
    index: target.index,
  });
}

/**
 * Turns the calendar to the month of a date by typing the date into the field. Many calendars show the month of
 * the typed date, such as those of bootstrap-datepicker and react-datepicker. Returns `undefined` if the
 * calendar does not; the field then has its former text.
 */
async function turnByTyping(
  input: PageInput,
  actions: ElementActions,
  target: Target,
  date: string,
  isNew: boolean,
): Promise<CalendarMonth | undefined> {
  const { tag, attributes } = target.info;
  const textBefore = (await input.targetState(target))?.value;
  if (tag !== "input" || attributes.readonly !== undefined || textBefore === undefined) return undefined;
  const [year, month] = date.split("-").map(Number);
  const type = (text: string) => actions.inputInto(target, { text, clear: true });
  try {
    await type((await formatForField(input, target, date)) ?? date);
    // Some calendars show the month of the typed date only after a key press. So the key End is pressed,
    // which changes no text.
    await input.awaitPermit();
    await input.press("End");
    const until = performance.now() + limits.calendarQuiet;
    do {
      const shown = await readMonth(input, target, isNew);
      if (shown && shown.year === year && shown.month === month) return shown;
      await pause(limits.actionableEvery);
    } while (performance.now() < until);
    await type(textBefore);
  } catch (error) {
    // The field does not accept the typed text, or the calendar lies over it. The calendar is then turned month by
    // month.
    const isUntyped = error instanceof ActionFailure && /^(not_applied|element_covered)$/.test(error.code);
    if (!isUntyped) throw error;
  }
  if (!(await readMonth(input, target, isNew))) await input.tap(target);
  return undefined;
}

/** Selects the year and the month in lists that the calendar itself contains. */
async function chooseYearAndMonth(
  input: PageInput,
  actions: ElementActions,
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
    await input.awaitPermit();
    const choose = (wanted: number) =>
      inDocument(tab, index, tab.frames.call(frame, "fieldValues", "select", year.id, [String(wanted)]));
    const chosen = await choose(to.year);
    // A list of years may contain only years near the shown one. If it lacks the wanted year, the nearest
    // year is chosen, which adds further years.
    const distance = (option: number): number => Math.abs(option - to.year);
    const years =
      "options" in chosen && !chosen.selected ? chosen.options.map(Number).filter(Number.isFinite) : [];
    const [nearest] = years.toSorted((left, right) => distance(left) - distance(right));
    if (nearest !== undefined) await choose(nearest);
  } else {
    await actions.inputInto(year, { text: String(to.year), clear: true });
    await input.awaitPermit();
    await input.press("Enter");
  }
  await pause(limits.actionableEvery);
  // Choosing the year may have redrawn the list of months, so the list is read again.
  const months = (await readMonth(input, target, false))?.monthPickers?.months;
  const value = months?.values[to.month - 1];
  if (months && value !== undefined) {
    await input.awaitPermit();
    await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "select", months.id, [value]));
    await pause(limits.actionableEvery);
  }
  return (await readMonth(input, target, false)) ?? from;
}

/**
 * Clicks a day and waits until the field contains the date. The wait also ends when the calendar expects a
 * second date, or a press on its button for confirmation.
 */
async function clickDay(
  input: PageInput,
  target: Target,
  day: CalendarDay,
  { isOwn, isNew }: OpenCalendar,
  date: string,
): Promise<PickResult> {
  const { tab } = input;
  const { index, frame } = target;
  // `tap` also accepts a press without a click event. Many calendars choose the day when the mouse button
  // goes down, and close before the button is released.
  await input.tap(await elementIn(input, target, day.id));
  const from = performance.now();
  const isChosen = (id: number): Promise<boolean> =>
    inDocument(tab, index, tab.frames.call(frame, "calendars", "isChosen", id));
  for (;;) {
    const { value, names, half } = await dateShownIn(input, target, date);
    if (names && !half) return "shown";
    const waited = performance.now() - from;
    // If the calendar may belong to another field, a marked day in it proves nothing. Then only the field's
    // own value shows that the date was chosen.
    if (isOwn && ((!isNew && value === undefined) || waited >= limits.dateTakenWithin)) {
      const now = await readMonth(input, target, isNew);
      const sameDay = now && dayIn(now, date);
      const isDayChosen = (await isChosen(day.id)) || (sameDay !== undefined && (await isChosen(sameDay.id)));
      const isOpen =
        now !== undefined &&
        !(await inDocument(tab, index, tab.frames.call(frame, "calendars", "isClosing")));
      if (names) return isOpen ? "waits" : "shown";
      if (isDayChosen && value === undefined && !(isNew && now)) return "marked";
      if (isDayChosen && isOpen) return "waits";
    } else if (names && !isOwn) return "shown";
    if (waited >= limits.dispatchWithin) {
      const where = isOwn ? "" : " in the calendar beside it, which may be another's";
      throw new ActionFailure(
        "not_applied",
        `${date} was clicked${where}, and [${index}] does not hold it.`,
        {
          index,
          value,
        },
      );
    }
    await pause(limits.actionableEvery);
  }
}
