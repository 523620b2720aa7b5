/**
 * Picks a date. Native fields are set directly. For a custom field, the calendar is opened and moved to the
 * month, and the day is clicked.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { CalendarMonth, CalendarState } from "../../page-script/widgets/read-custom-calendars.ts";
import { ActionFailure } from "../action-error.ts";
import {
  chooseDay,
  dateShownIn,
  type OpenCalendar,
  type PickResult,
  readMonth,
} from "./calendar-day-choice.ts";
import { elementIn, inDocument, type Target, targetOf } from "./clickable-point.ts";
import { closePopup } from "./close-widget-after-action.ts";
import type { ElementActions } from "./element-actions.ts";
import { pickTime } from "./pick-time.ts";
import { type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";
import {
  formatForField,
  NATIVE_DATE_TYPES,
  nativeText,
  typeDate,
  typeDateParts,
  typeTime,
} from "./type-date.ts";

/**
 * Picks a date, and a time if one is given.
 * @param date such as `2026-11-22`, or `2026-11` for a month field
 * @param time such as `14:30`
 */
export async function pickDate(
  input: PageInput,
  actions: ElementActions,
  index: number,
  date: string | undefined,
  time?: string,
): Promise<Data> {
  const { tab } = input;
  const target = await targetOf(tab, index);
  const { tag, type } = target.info;
  if (tag === "input" && NATIVE_DATE_TYPES.test(type))
    return await fillNative(input, actions, target, date, time);
  if (date === undefined && time !== undefined) return await pickTime(input, actions, target, time);
  if (date?.length !== 10) {
    throw new ActionFailure("invalid_params", `[${index}] wants a day, such as 2026-11-22.`, { index });
  }
  const parts = await inDocument(tab, index, tab.frames.call(target.frame, "dateFields", "parts", target.id));
  if (parts) return await typeDateParts(input, target, parts, date, time);
  const before = input.pageState();
  const calendar = await findCalendar(input, target);
  if (!calendar) return await typeInstead(input, actions, target, date, time);
  let picked: PickResult | undefined;
  try {
    picked = await chooseDay(input, actions, target, calendar, date);
  } catch (error) {
    // The calendar may not turn to the wanted month, for example because it can only be scrolled. The date is
    // then typed, if the field accepts text.
    const isUnreachable =
      error instanceof ActionFailure && error.code === "not_applied" && error.data.shows !== undefined;
    const text = isUnreachable ? await formatForField(input, target, date) : undefined;
    if (text === undefined) throw error;
    return await typeInstead(input, actions, target, date, time);
  } finally {
    // A calendar that this action has opened is closed again, so that it does not cover the next element. It
    // stays open only if it waits for a second date.
    if (calendar.isNew && picked !== "waits") await closeCalendar(input, target);
  }
  if (picked === "shown" && calendar.isNew && !(await isKept(input, target, date))) {
    // The field has lost the date, because it needs a second date or a press on the confirm button. The day
    // is chosen again, and the calendar stays open for the caller.
    const reopened = await findCalendar(input, target);
    if (reopened) await chooseDay(input, actions, target, reopened, date);
    picked = "waits";
  }
  const value = (await input.targetState(target))?.value;
  const waiting = picked === "waits" ? await waitingResult(input, target, time) : {};
  const timeResult =
    picked !== "waits" && time !== undefined ? await typeTime(input, actions, target, date, time) : {};
  const effect = await input.effect(before, undefined, undefined);
  return {
    picked: date,
    ...waiting,
    element: elementResultOf(target),
    ...(value === undefined ? {} : { value }),
    ...timeResult,
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
  };
}

/** Matches a date with or without a time, such as `2026-12-24` and `2026-12-24T14:30`. */
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/;

/**
 * Fills in all parts of a date field if a whole date is entered into one of them, such as its month. Returns `undefined`
 * for other elements and texts.
 */
export async function enterWholeDate(
  input: PageInput,
  actions: ElementActions,
  { index, text }: { readonly index: number; readonly text: string },
): Promise<Data | undefined> {
  const [, date, time] = DATE_AND_TIME.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const { tag, attributes } = (await targetOf(input.tab, index)).info;
  if (attributes.role !== "spinbutton" || tag === "input") return undefined;
  return { ...(await pickDate(input, actions, index, date, time)), value: text.trim() };
}

async function fillNative(
  input: PageInput,
  actions: ElementActions,
  target: Target,
  date: string | undefined,
  time: string | undefined,
): Promise<Data> {
  const { index, info } = target;
  const text = nativeText(info.type, (await input.targetState(target))?.value, { date, time });
  if (text === undefined) {
    const wanted = info.type === "time" ? "a time, such as 14:30" : "a day, such as 2026-11-22";
    throw new ActionFailure("invalid_params", `[${index}] wants ${wanted}.`, { index });
  }
  const outcome = await actions.input({ index, text, clear: true });
  return { picked: date ?? time, ...outcome };
}

async function typeInstead(
  input: PageInput,
  actions: ElementActions,
  target: Target,
  date: string,
  time: string | undefined,
): Promise<Data> {
  const outcome = await typeDate(input, actions, target, date);
  return time === undefined
    ? outcome
    : { ...outcome, ...(await typeTime(input, actions, target, date, time)) };
}

/**
 * Returns the calendar that certainly belongs to a field, if one is open. Otherwise returns a calendar that
 * opens by a click, or else a calendar near the field.
 */
async function findCalendar(input: PageInput, target: Target): Promise<OpenCalendar | undefined> {
  const { tab } = input;
  const { index, frame, id, info } = target;
  const mark = (): Promise<CalendarState> =>
    inDocument(tab, index, tab.frames.call(frame, "calendars", "mark", id));
  const state = await mark();
  if (state === "open" || state === "left") {
    const isNew = state === "left";
    const month = await readMonth(input, target, isNew);
    if (month) return { month, isOwn: true, isNew };
  }
  // No open calendar is known to belong to this field. So the field's calendar is opened now: by a click on
  // the field, by its button, or by a double click.
  let month =
    (await openByClick(input, target)) ??
    (await openByButton(input, target)) ??
    (await openByDoubleClick(input, target));
  // The calendar near the field was open and has closed after the click on the field. So it belongs to the
  // field, and another click opens it again.
  if (!month && state === "beside" && (await mark()) === "none") month = await openByClick(input, target);
  if (month) return { month, isOwn: true, isNew: true };
  if (state !== "beside" || (await formatForField(input, target, "2000-01-01")) !== undefined)
    return undefined;
  const nearby = await readMonth(input, target, false);
  // The visible calendar beside the field is used, although it may belong to another field. So `isOwn` is
  // false for a text field: only a later change of the field's value shows that the calendar belongs to it.
  return nearby && { month: nearby, isOwn: !/^(input|textarea)$/.test(info.tag), isNew: false };
}

/** Returns the calendar that becomes visible after a click. */
async function openByClick(
  input: PageInput,
  target: Target,
  click = () => input.tap(target),
): Promise<CalendarMonth | undefined> {
  // By default, `click` also accepts a press that causes no click event. Some calendars open when the mouse
  // button goes down, and then cover their field.
  await click();
  const until = performance.now() + sessionLimits.calendarWithin;
  do {
    const calendar = await readMonth(input, target, true);
    if (calendar) return calendar;
    await pause(sessionLimits.actionableEvery);
  } while (performance.now() < until);
  return undefined;
}

/** Opens the calendar by the button next to the field, and returns this calendar. */
async function openByButton(input: PageInput, target: Target): Promise<CalendarMonth | undefined> {
  const { tab } = input;
  const { index, frame, id } = target;
  const opener = await inDocument(tab, index, tab.frames.call(frame, "dateFields", "opener", id));
  if (opener === undefined) return undefined;
  const button = await elementIn(input, target, opener);
  return await openByClick(input, target, () => input.tap(button));
}

/** If the target is a table cell, opens its calendar by a double click and returns the calendar. */
async function openByDoubleClick(input: PageInput, target: Target): Promise<CalendarMonth | undefined> {
  if (target.info.attributes.role !== "gridcell") return undefined;
  return await openByClick(input, target, () => input.tap(target, 2));
}

/**
 * Waits until the calendar has closed by itself; if it stays open, closes it. The changes that the action
 * reports then contain no days of the calendar.
 */
async function closeCalendar(input: PageInput, target: Target): Promise<void> {
  const isOpen = async (): Promise<boolean> => (await readMonth(input, target, true)) !== undefined;
  if (await waitUntilClosed(input, target, isOpen)) return;
  await closePopup(input, target, isOpen);
  await waitUntilClosed(input, target, isOpen);
}

async function waitUntilClosed(
  { tab }: PageInput,
  { index, frame }: Target,
  isOpen: () => Promise<boolean>,
): Promise<boolean> {
  const { calendarClosesWithin: closesWithin, fadeInWithin: fadesWithin, actionableEvery } = sessionLimits;
  const from = performance.now();
  for (;;) {
    if (tab.dialog || !(await isOpen())) return true;
    const isClosing = await inDocument(tab, index, tab.frames.call(frame, "calendars", "isClosing"));
    if (performance.now() - from >= (isClosing ? fadesWithin : closesWithin)) return false;
    await pause(actionableEvery);
  }
}

/** Whether the field still shows the date after its calendar has closed. */
async function isKept(input: PageInput, target: Target, date: string): Promise<boolean> {
  // After a navigation, or while a dialog is open, the field cannot be read. The function then assumes that
  // the field still shows the date.
  if (input.tab.dialog || !(await input.targetState(target))?.alive) return true;
  return (await dateShownIn(input, target, date)).names;
}

async function waitingResult(input: PageInput, target: Target, time: string | undefined): Promise<Data> {
  const { tab } = input;
  const { index, frame, id } = target;
  await inDocument(tab, index, tab.frames.call(frame, "calendars", "expectSecondDate", id));
  const confirmLabel = await inDocument(tab, index, tab.frames.call(frame, "calendars", "confirmLabel", id));
  const timeNote = time === undefined ? "" : " The time is not set.";
  return {
    waits_for:
      confirmLabel === undefined
        ? `The day is marked, and its calendar left open: the field holds it once its other date is picked.${timeNote}`
        : `The day is marked in the calendar, which takes it when its "${confirmLabel}" is clicked.${timeNote}`,
  };
}
