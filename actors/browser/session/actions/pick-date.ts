/**
 * Picking a date: native fields are given it, the calendars of widgets are opened, turned to its month and clicked.
 *
 * Neighbours: `acts.ts` fills native fields, `turning.ts` turns calendars, `date-typing.ts` types where there is none,
 * `injected/calendars.ts` reads calendars.
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
 * @param date `2026-11-22`, or `2026-11` where a month is asked for
 * @param time `14:30`
 */
export async function pickDate(
  touch: PageInput,
  acts: Actions,
  index: number,
  date: string | undefined,
  time?: string,
): Promise<Data> {
  const { tab } = touch;
  const target = await targetOf(tab, index);
  const { tag, type } = target.info;
  if (tag === "input" && NATIVE.test(type)) return await given(touch, acts, target, date, time);
  if (date?.length !== 10) {
    throw new ActionFailure("invalid_params", `[${index}] wants a day, such as 2026-11-22.`, { index });
  }
  const parts = await inDocument(tab, index, tab.frames.call(target.frame, "dateFields", "parts", target.id));
  if (parts) return await typeDateParts(touch, target, parts, date, time);
  const before = touch.before();
  const calendar = await calendarOf(touch, target);
  if (!calendar) return await byKeys(touch, acts, target, date, time);
  let picked: PickResult | undefined;
  try {
    picked = await chooseDay(touch, acts, target, calendar, date);
  } catch (error) {
    // Some are only to be scrolled, month after month: what can be typed into is typed into.
    const lost =
      error instanceof ActionFailure && error.code === "not_applied" && error.data.shows !== undefined;
    const text = lost ? await formatForField(touch, target, date) : undefined;
    if (text === undefined) throw error;
    return await byKeys(touch, acts, target, date, time);
  } finally {
    // What was opened for it is not to lie over what comes next; one of two dates is lost where it waits for the other.
    if (calendar.came && picked !== "waits") await gone(touch, target);
  }
  if (picked === "shown" && calendar.came && !(await isKept(touch, target, date))) {
    // Some take its closing for a way to leave everything as it was: they wait for another date, or a button.
    const again = await calendarOf(touch, target);
    if (again) await chooseDay(touch, acts, target, again, date);
    picked = "waits";
  }
  const value = (await touch.aftermath(target))?.value;
  const waits = picked === "waits" ? await waitsFor(touch, target, time) : {};
  const then =
    picked !== "waits" && time !== undefined ? await typeTime(touch, acts, target, date, time) : {};
  const effect = await touch.effect(before, undefined, undefined);
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
  touch: PageInput,
  acts: Actions,
  target: Target,
  date: string | undefined,
  time: string | undefined,
): Promise<Data> {
  const { index, info } = target;
  const text = nativeText(info.type, (await touch.aftermath(target))?.value, { date, time });
  if (text === undefined) {
    const wanted = info.type === "time" ? "a time, such as 14:30" : "a day, such as 2026-11-22";
    throw new ActionFailure("invalid_params", `[${index}] wants ${wanted}.`, { index });
  }
  const outcome = await acts.input({ index, text, clear: true });
  return { picked: date ?? time, ...outcome };
}

async function byKeys(
  touch: PageInput,
  acts: Actions,
  target: Target,
  date: string,
  time: string | undefined,
): Promise<Data> {
  const outcome = await typeDate(touch, acts, target, date);
  return time === undefined ? outcome : { ...outcome, ...(await typeTime(touch, acts, target, date, time)) };
}

/** The calendar of a field: one that is surely its own, one that comes as the field is clicked, or one beside it. */
async function calendarOf(touch: PageInput, target: Target): Promise<OpenCalendar | undefined> {
  const { tab } = touch;
  const { index, frame, id, info } = target;
  const mark = (): Promise<CalendarState> =>
    inDocument(tab, index, tab.frames.call(frame, "calendars", "mark", id));
  const standing = await mark();
  if (standing === "open" || standing === "left") {
    const came = standing === "left";
    const month = await readMonth(touch, target, came);
    if (month) return { month, own: true, came };
  }
  // Others may stand on the page: the field's own is the one that comes.
  let month =
    (await opened(touch, target)) ??
    (await openedBeside(touch, target)) ??
    (await openedTwice(touch, target));
  // It was open, and the click closed it.
  if (!month && standing === "beside" && (await mark()) === "none") month = await opened(touch, target);
  if (month) return { month, own: true, came: true };
  if (standing !== "beside" || (await formatForField(touch, target, "2000-01-01")) !== undefined)
    return undefined;
  const near = await readMonth(touch, target, false);
  // Nothing but the field itself says that it is the field's.
  return near && { month: near, own: !/^(input|textarea)$/.test(info.tag), came: false };
}

/** The calendar that comes into sight after a click. */
async function opened(
  touch: PageInput,
  target: Target,
  click = () => touch.tap(target),
): Promise<CalendarMonth | undefined> {
  // Some open over their field before the button comes up.
  await click();
  const until = performance.now() + sessionLimits.calendarWithin;
  do {
    const calendar = await readMonth(touch, target, true);
    if (calendar) return calendar;
    await pause(sessionLimits.actionableEvery);
  } while (performance.now() < until);
  return undefined;
}

/** That of a field which leaves it to a button beside it. */
async function openedBeside(touch: PageInput, target: Target): Promise<CalendarMonth | undefined> {
  const { tab } = touch;
  const { index, frame, id } = target;
  const opener = await inDocument(tab, index, tab.frames.call(frame, "dateFields", "opener", id));
  if (opener === undefined) return undefined;
  const button = await elementIn(touch, target, opener);
  return await opened(touch, target, () => touch.tap(button));
}

/** That of a cell which is only edited once it is clicked twice. */
async function openedTwice(touch: PageInput, target: Target): Promise<CalendarMonth | undefined> {
  if (target.info.attributes.role !== "gridcell") return undefined;
  return await opened(touch, target, () => touch.tap(target, 2));
}

/** What the act itself closes is no news to anybody once it is gone; what stays open is closed. */
async function gone(touch: PageInput, target: Target): Promise<void> {
  const isOpen = async (): Promise<boolean> => (await readMonth(touch, target, true)) !== undefined;
  if (await outOfSight(touch, target, isOpen)) return;
  await closePopup(touch, target, isOpen);
  await outOfSight(touch, target, isOpen);
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

/** That it is still shown now that its calendar is closed. */
async function isKept(touch: PageInput, target: Target, date: string): Promise<boolean> {
  // Gone with what was clicked, to another page or in a dialog that holds everything up.
  if (touch.tab.dialog || !(await touch.aftermath(target))?.alive) return true;
  return (await dateShownIn(touch, target, date)).names;
}

async function waitsFor(touch: PageInput, target: Target, time: string | undefined): Promise<Data> {
  const { tab } = touch;
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
