/**
 * Picks a date. Native fields are set directly; the calendar of a custom field is opened, moved to the month,
 * and the day is clicked.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { CalendarMonth, CalendarState } from "../../page-script/widgets/calendars.ts";
import { ActionFailure } from "../action-failure.ts";
import { inDocument, type Target, targetOf } from "./action-target.ts";
import type { Actions } from "./actions.ts";
import {
  chooseDay,
  dateShownIn,
  elementIn,
  type OpenCalendar,
  type PickResult,
  readMonth,
} from "./calendar-month.ts";
import { closePopup } from "./close-popup.ts";
import { type Data, elementResultOf, type PageInput } from "./page-input.ts";
import { formatForField, NATIVE, nativeText, typeDate, typeDateParts, typeTime } from "./type-date.ts";

/**
 * @param date `2026-11-22`, or `2026-11` for a month field
 * @param time `14:30`
 */
export async function pickDate(
  input: PageInput,
  actions: Actions,
  index: number,
  date: string | undefined,
  time?: string,
): Promise<Data> {
  const { tab } = input;
  const target = await targetOf(tab, index);
  const { tag, type } = target.info;
  if (tag === "input" && NATIVE.test(type)) return await given(input, actions, target, date, time);
  if (date?.length !== 10) {
    throw new ActionFailure("invalid_params", `[${index}] wants a day, such as 2026-11-22.`, { index });
  }
  const parts = await inDocument(tab, index, tab.frames.call(target.frame, "dateFields", "parts", target.id));
  if (parts) return await typeDateParts(input, target, parts, date, time);
  const before = input.before();
  const calendar = await calendarOf(input, target);
  if (!calendar) return await byKeys(input, actions, target, date, time);
  let picked: PickResult | undefined;
  try {
    picked = await chooseDay(input, actions, target, calendar, date);
  } catch (error) {
    // Some calendars can only be scrolled from month to month. Their field is typed into, if possible.
    const lost =
      error instanceof ActionFailure && error.code === "not_applied" && error.data.shows !== undefined;
    const text = lost ? await formatForField(input, target, date) : undefined;
    if (text === undefined) throw error;
    return await byKeys(input, actions, target, date, time);
  } finally {
    // Closes the calendar so that it does not cover the next target. A calendar that waits for a second date
    // stays open, because closing it would lose the first.
    if (calendar.came && picked !== "waits") await gone(input, target);
  }
  if (picked === "shown" && calendar.came && !(await isKept(input, target, date))) {
    // Some fields discard the date when the calendar closes: they wait for a second date or a button.
    const again = await calendarOf(input, target);
    if (again) await chooseDay(input, actions, target, again, date);
    picked = "waits";
  }
  const value = (await input.aftermath(target))?.value;
  const waits = picked === "waits" ? await waitsFor(input, target, time) : {};
  const then =
    picked !== "waits" && time !== undefined ? await typeTime(input, actions, target, date, time) : {};
  const effect = await input.effect(before, undefined, undefined);
  return {
    picked: date,
    ...waits,
    element: elementResultOf(target),
    ...(value === undefined ? {} : { value }),
    ...then,
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
  };
}

async function given(
  input: PageInput,
  actions: Actions,
  target: Target,
  date: string | undefined,
  time: string | undefined,
): Promise<Data> {
  const { index, info } = target;
  const text = nativeText(info.type, (await input.aftermath(target))?.value, { date, time });
  if (text === undefined) {
    const wanted = info.type === "time" ? "a time, such as 14:30" : "a day, such as 2026-11-22";
    throw new ActionFailure("invalid_params", `[${index}] wants ${wanted}.`, { index });
  }
  const outcome = await actions.input({ index, text, clear: true });
  return { picked: date ?? time, ...outcome };
}

async function byKeys(
  input: PageInput,
  actions: Actions,
  target: Target,
  date: string,
  time: string | undefined,
): Promise<Data> {
  const outcome = await typeDate(input, actions, target, date);
  return time === undefined ? outcome : { ...outcome, ...(await typeTime(input, actions, target, date, time)) };
}

/**
 * The calendar of a field: one that certainly belongs to it, one that opens with a click on the field, or one
 * beside it.
 */
async function calendarOf(input: PageInput, target: Target): Promise<OpenCalendar | undefined> {
  const { tab } = input;
  const { index, frame, id, info } = target;
  const mark = (): Promise<CalendarState> =>
    inDocument(tab, index, tab.frames.call(frame, "calendars", "mark", id));
  const standing = await mark();
  if (standing === "open" || standing === "left") {
    const came = standing === "left";
    const month = await readMonth(input, target, came);
    if (month) return { month, own: true, came };
  }
  // Other calendars may be on the page, so the field's own is the one that opens.
  let month =
    (await opened(input, target)) ??
    (await openedBeside(input, target)) ??
    (await openedTwice(input, target));
  // The calendar was open, and the click closed it.
  if (!month && standing === "beside" && (await mark()) === "none") month = await opened(input, target);
  if (month) return { month, own: true, came: true };
  if (standing !== "beside" || (await formatForField(input, target, "2000-01-01")) !== undefined)
    return undefined;
  const near = await readMonth(input, target, false);
  // Only the field's own value can confirm that a calendar beside it belongs to it.
  return near && { month: near, own: !/^(input|textarea)$/.test(info.tag), came: false };
}

/** The calendar that becomes visible after a click. */
async function opened(
  input: PageInput,
  target: Target,
  click = () => input.tap(target),
): Promise<CalendarMonth | undefined> {
  // Some calendars open over their field before the button is released.
  await click();
  const until = performance.now() + sessionLimits.calendarWithin;
  do {
    const calendar = await readMonth(input, target, true);
    if (calendar) return calendar;
    await pause(sessionLimits.actionableEvery);
  } while (performance.now() < until);
  return undefined;
}

/** The calendar that a button beside the field opens. */
async function openedBeside(input: PageInput, target: Target): Promise<CalendarMonth | undefined> {
  const { tab } = input;
  const { index, frame, id } = target;
  const opener = await inDocument(tab, index, tab.frames.call(frame, "dateFields", "opener", id));
  if (opener === undefined) return undefined;
  const button = await elementIn(input, target, opener);
  return await opened(input, target, () => input.tap(button));
}

/** The calendar of a table cell that is edited after a double click. */
async function openedTwice(input: PageInput, target: Target): Promise<CalendarMonth | undefined> {
  if (target.info.attributes.role !== "gridcell") return undefined;
  return await opened(input, target, () => input.tap(target, 2));
}

/** Waits until the calendar has closed, or closes it. The outcome then reports no change for it. */
async function gone(input: PageInput, target: Target): Promise<void> {
  const isOpen = async (): Promise<boolean> => (await readMonth(input, target, true)) !== undefined;
  if (await outOfSight(input, target, isOpen)) return;
  await closePopup(input, target, isOpen);
  await outOfSight(input, target, isOpen);
}

async function outOfSight(
  { tab }: PageInput,
  { index, frame }: Target,
  isOpen: () => Promise<boolean>,
): Promise<boolean> {
  const { calendarClosesWithin: closesWithin, fadeInWithin: arrivesWithin, actionableEvery } = sessionLimits;
  const from = performance.now();
  for (;;) {
    if (tab.dialog || !(await isOpen())) return true;
    const leaves = await inDocument(tab, index, tab.frames.call(frame, "calendars", "isClosing"));
    if (performance.now() - from >= (leaves ? arrivesWithin : closesWithin)) return false;
    await pause(actionableEvery);
  }
}

/** Whether the field still shows the date after its calendar has closed. */
async function isKept(input: PageInput, target: Target, date: string): Promise<boolean> {
  // The click led to another page or opened a dialog, so the field cannot be read.
  if (input.tab.dialog || !(await input.aftermath(target))?.alive) return true;
  return (await dateShownIn(input, target, date)).names;
}

async function waitsFor(input: PageInput, target: Target, time: string | undefined): Promise<Data> {
  const { tab } = input;
  const { index, frame, id } = target;
  await inDocument(tab, index, tab.frames.call(frame, "calendars", "expectSecondDate", id));
  const taker = await inDocument(tab, index, tab.frames.call(frame, "calendars", "confirmLabel", id));
  const untimed = time === undefined ? "" : " The time is not set.";
  return {
    waits_for:
      taker === undefined
        ? `The day is marked, and its calendar left open: the field holds it once its other date is picked.${untimed}`
        : `The day is marked in the calendar, which takes it when its "${taker}" is clicked.${untimed}`,
  };
}
