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
  const [year = 0, month = 0] = date.split("-").map(Number);
  const before = touch.before();
  const until = performance.now() + limits.session.datesWithin;
  const seen = await look(touch, target);
  let calendar = seen ?? (await opened(touch, target));
  for (;;) {
    const day = dayIn(calendar, date);
    if (day) {
      await clickDay(touch, target, day, date);
      break;
    }
    const way = (year - calendar.year) * 12 + (month - calendar.month);
    const turn = way > 0 ? calendar.next : calendar.previous;
    if (way === 0 || turn === undefined || performance.now() >= until) {
      throw new ActFailure("not_applied", `The calendar of [${index}] does not lead to ${date}.`, {
        index,
        shows: `${calendar.year}-${String(calendar.month).padStart(2, "0")}`,
      });
    }
    calendar = await turned(touch, target, calendar, turn);
  }
  // What was opened for it is not to lie over what comes next.
  if (!seen) await closed(touch, target, async () => (await look(touch, target)) !== undefined);
  const effect = await touch.effect(before, undefined, undefined);
  const value = (await touch.aftermath(target))?.value;
  return {
    picked: date,
    element: told(target),
    ...(value === undefined ? {} : { value }),
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
  };
}

function look({ tab }: Touch, { index, frame, id }: Target): Promise<CalendarMonth | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "calendars", "month", id));
}

/** The calendar of a field that shows none, after a click on it. */
async function opened(touch: Touch, target: Target): Promise<CalendarMonth> {
  // Some open over their field before the button comes up.
  await touch.tap(target);
  const until = performance.now() + limits.session.dispatchWithin;
  do {
    const calendar = await look(touch, target);
    if (calendar) return calendar;
    await pause(limits.session.actionableEvery);
  } while (performance.now() < until);
  throw new ActFailure(
    "invalid_params",
    `No calendar came into sight when [${target.index}] was clicked. Type the date as the field wants it.`,
    { index: target.index },
  );
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
