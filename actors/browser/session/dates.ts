/**
 * Picking a date: native fields are given it, the calendars of widgets are turned to its month and clicked.
 *
 * Neighbours: `acts.ts` fills native fields, `injected/calendars.ts` reads calendars.
 */
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../../machines/limits.ts";
import type { Acts } from "./acts.ts";
import { inDocument, type Target, targetOf } from "./aim.ts";
import { ActFailure } from "./failure.ts";
import type { CalendarDay, CalendarMonth } from "./injected/calendars.ts";
import type { DateParts } from "./injected/date-fields.ts";
import { closed } from "./leftover.ts";
import { type Data, type Touch, told } from "./touch.ts";

/** @param date `2026-11-22` */
export async function pickDate(touch: Touch, acts: Acts, index: number, date: string): Promise<Data> {
  const { tab } = touch;
  const target = await targetOf(tab, index);
  if (target.info.tag === "input" && /^(date|datetime-local|month)$/i.test(target.info.type)) {
    const suffix = target.info.type === "datetime-local" ? "T00:00" : "";
    const text = target.info.type === "month" ? date.slice(0, 7) : date + suffix;
    return { picked: date, ...(await acts.input({ index, text, clear: true })) };
  }
  const parts = await inDocument(tab, index, tab.frames.call(target.frame, "dateFields", "parts", target.id));
  if (parts) return await inParts(touch, target, parts, date);
  const before = touch.before();
  const own = await inDocument(tab, index, tab.frames.call(target.frame, "calendars", "mark", target.id));
  const seen = own ? await look(touch, target) : undefined;
  const came = seen ?? (await opened(touch, target)) ?? (await openedBeside(touch, target));
  if (!came) return await typed(touch, acts, target, date);
  let [failed, waits] = [false, false];
  let value: string | undefined;
  try {
    await choose(touch, acts, target, came, date);
  } catch (error) {
    failed = true;
    // Some are only to be scrolled, month after month: what can be typed into is typed into.
    const lost =
      error instanceof ActFailure && error.code === "not_applied" && error.data.shows !== undefined;
    const text = lost ? await writtenAs(touch, target, date) : undefined;
    if (text === undefined) throw error;
    return await typed(touch, acts, target, date);
  } finally {
    value = (await touch.aftermath(target))?.value;
    // What was opened for it is not to lie over what comes next; one of two dates is lost where it waits for the other.
    waits = !failed && value === "" && (await look(touch, target)) !== undefined;
    if (!seen && !waits) await closed(touch, target, async () => (await look(touch, target)) !== undefined);
  }
  const effect = await touch.effect(before, undefined, undefined);
  return {
    picked: date,
    ...(waits
      ? { waits_for: "The field holds nothing before its other date is picked in the calendar." }
      : {}),
    element: told(target),
    ...(value === undefined ? {} : { value }),
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
  };
}

/** Times that a list of years is chosen from, for what is far from the year that is shown. */
const LEAPS = 6;

/** Turns a calendar to the month of a date, and clicks the day. */
async function choose(
  touch: Touch,
  acts: Acts,
  target: Target,
  came: CalendarMonth,
  date: string,
): Promise<void> {
  const [year = 0, month = 0] = date.split("-").map(Number);
  const until = performance.now() + limits.session.datesWithin;
  let calendar = came;
  let leapt = 0;
  for (;;) {
    const day = dayIn(calendar, date);
    if (day) return await clickDay(touch, target, day, date);
    const way = (year - calendar.year) * 12 + (month - calendar.month);
    if (Math.abs(way) > 1 && leapt < LEAPS && calendar.leaps) {
      leapt++;
      calendar = await leap(touch, acts, target, { ...calendar, leaps: calendar.leaps }, { year, month });
      continue;
    }
    const turn = way > 0 ? calendar.next : calendar.previous;
    if (way === 0 || turn === undefined || performance.now() >= until) {
      throw new ActFailure("not_applied", `The calendar of [${target.index}] does not lead to ${date}.`, {
        index: target.index,
        shows: `${calendar.year}-${String(calendar.month).padStart(2, "0")}`,
      });
    }
    calendar = await turned(touch, target, calendar, turn);
  }
}

function look({ tab }: Touch, { index, frame, id }: Target): Promise<CalendarMonth | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "calendars", "month", id));
}

/** The calendar that comes into sight after a click. */
async function opened(touch: Touch, target: Target, clicked = target): Promise<CalendarMonth | undefined> {
  // Some open over their field before the button comes up.
  await touch.tap(clicked);
  const until = performance.now() + limits.session.calendarWithin;
  do {
    const calendar = await look(touch, target);
    if (calendar) return calendar;
    await pause(limits.session.actionableEvery);
  } while (performance.now() < until);
  return undefined;
}

/** That of a field which leaves it to a button beside it. */
async function openedBeside(touch: Touch, target: Target): Promise<CalendarMonth | undefined> {
  const { tab } = touch;
  const { index, frame, id } = target;
  const opener = await inDocument(tab, index, tab.frames.call(frame, "dateFields", "opener", id));
  return opener === undefined ? undefined : await opened(touch, target, await found(touch, target, opener));
}

/** As the field writes dates; `undefined` where it does not say how. */
function writtenAs({ tab }: Touch, { index, frame, id }: Target, date: string): Promise<string | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "dateFields", "written", id, date));
}

/** Into a field without a calendar, as it writes dates. */
async function typed(touch: Touch, acts: Acts, target: Target, date: string): Promise<Data> {
  const { tab } = touch;
  const { index, frame } = target;
  const text = await writtenAs(touch, target, date);
  if (text === undefined) {
    throw new ActFailure(
      "invalid_params",
      `No calendar came into sight when [${index}] was clicked. Type the date as the field wants it, or name the button that opens its calendar.`,
      { index },
    );
  }
  const outcome = await acts.inputInto(target, { text, clear: true });
  // A field takes or mends what was typed when it is left.
  await touch.permitted();
  await touch.press("Tab");
  await pause(limits.session.actionableEvery);
  const value = (await touch.aftermath(target))?.value;
  if (
    value === undefined ||
    !(await inDocument(tab, index, tab.frames.call(frame, "calendars", "names", value, date)))
  ) {
    throw new ActFailure(
      "not_applied",
      `"${text}" was typed for ${date}, and [${index}] does not hold that.`,
      {
        index,
        value,
      },
    );
  }
  return { ...outcome, picked: date, value };
}

/** Into the parts of a field, one after the other. */
async function inParts(touch: Touch, target: Target, parts: DateParts, date: string): Promise<Data> {
  const { tab } = touch;
  const { index, frame } = target;
  const before = touch.before();
  const [year = "", month = "", day = ""] = date.split("-");
  for (const [part, digits] of [
    ["year", year],
    ["month", month],
    ["day", day],
  ] as const) {
    // With each of them the others stand beside something else, and are found anew.
    const now = await inDocument(tab, index, tab.frames.call(frame, "dateFields", "parts", target.id));
    await touch.tap(await found(touch, target, (now ?? parts)[part]));
    await touch.permitted();
    for (const digit of digits) await touch.write(digit);
  }
  const until = performance.now() + limits.session.calendarWithin;
  while (!(await inDocument(tab, index, tab.frames.call(frame, "dateFields", "holds", parts, date)))) {
    if (performance.now() >= until)
      throw new ActFailure(
        "not_applied",
        `${date} was typed into the parts of [${index}], which do not hold it.`,
        {
          index,
        },
      );
    await pause(limits.session.actionableEvery);
  }
  const effect = await touch.effect(before, undefined, undefined);
  return {
    picked: date,
    element: told(target),
    ...effect,
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : {}),
  };
}

/** Of two days that fit the one that says so itself, or is not of another month. */
function dayIn({ year, month, days }: CalendarMonth, date: string): CalendarDay | undefined {
  const said = days.find((day) => day.date === date && !day.disabled);
  if (said) return said;
  const [wantedYear, wantedMonth, wantedDay] = date.split("-").map(Number);
  if (year !== wantedYear || month !== wantedMonth) return undefined;
  return days.find((one) => one.day === wantedDay && one.date === undefined && !one.outside && !one.disabled);
}

async function turned(
  touch: Touch,
  target: Target,
  { year, month }: CalendarMonth,
  button: number,
): Promise<CalendarMonth> {
  // Some draw themselves anew as the button goes down.
  await touch.tap(await found(touch, target, button));
  const until = performance.now() + limits.session.dispatchWithin;
  do {
    const now = await look(touch, target);
    if (now && (now.year !== year || now.month !== month)) return now;
    await pause(limits.session.actionableEvery / 2);
  } while (performance.now() < until);
  throw new ActFailure("not_applied", "The calendar does not turn to another month.", {
    index: target.index,
  });
}

/** By the fields in which a calendar has its year and its month chosen. */
async function leap(
  touch: Touch,
  acts: Acts,
  target: Target,
  { leaps, ...from }: CalendarMonth & { readonly leaps: NonNullable<CalendarMonth["leaps"]> },
  to: { readonly year: number; readonly month: number },
): Promise<CalendarMonth> {
  const { index, frame } = target;
  const { tab } = touch;
  const year = await found(touch, target, leaps.year);
  if (year.info.tag === "select") {
    await touch.permitted();
    const choose = (one: number) =>
      inDocument(tab, index, tab.frames.call(frame, "fields", "choose", year.id, [String(one)]));
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
  await pause(limits.session.actionableEvery);
  // What the year redrew is found anew.
  const months = (await look(touch, target))?.leaps?.months;
  const value = months?.values[to.month - 1];
  if (months && value !== undefined) {
    await touch.permitted();
    await inDocument(tab, index, tab.frames.call(frame, "fields", "choose", months.id, [value]));
    await pause(limits.session.actionableEvery);
  }
  return (await look(touch, target)) ?? from;
}

async function clickDay(touch: Touch, target: Target, day: CalendarDay, date: string): Promise<void> {
  const { tab } = touch;
  const { index, frame } = target;
  // Many calendars take the day as the button goes down, and are gone before it comes up.
  await touch.tap(await found(touch, target, day.id));
  const until = performance.now() + limits.session.dispatchWithin;
  do {
    const value = (await touch.aftermath(target))?.value;
    if (value === undefined || value === "") {
      if (await inDocument(tab, index, tab.frames.call(frame, "calendars", "chosen", day.id))) return;
      // The button of a calendar holds nothing itself, but its field does.
      const { id } = target;
      if (
        value === undefined &&
        (await inDocument(tab, index, tab.frames.call(frame, "calendars", "beside", id, date)))
      )
        return;
    } else if (await inDocument(tab, index, tab.frames.call(frame, "calendars", "names", value, date)))
      return;
    await pause(limits.session.actionableEvery);
  } while (performance.now() < until);
  throw new ActFailure("not_applied", `${date} was clicked, and [${index}] does not hold it.`, {
    index,
    value: (await touch.aftermath(target))?.value,
  });
}

async function found({ tab }: Touch, { index, frame }: Target, id: number): Promise<Target> {
  const info = await inDocument(tab, index, tab.frames.call(frame, "hands", "target", id));
  if (!info) throw new ActFailure("interrupted", "The calendar went away.", { index });
  return { index: -1, frame, id, info };
}
