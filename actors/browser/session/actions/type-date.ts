/**
 * Types dates and times into fields: a field without a calendar, the parts of a split field, or a field that
 * shows a time after its date.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { DateParts, TimeParts } from "../../page-script/widgets/date-fields-without-calendar.ts";
import { ActionFailure } from "../action-error.ts";
import { elementIn, inDocument, releaseEvents, type Target } from "./clickable-point.ts";
import type { ElementActions } from "./element-actions.ts";
import { type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";

/** Matches the types of native fields for dates and times. */
export const NATIVE_DATE_TYPES = /^(date|datetime-local|month|week|time)$/i;

/**
 * Returns the text that sets the value of a native field. Returns `undefined` when the field needs a date or
 * a time that the caller has not given.
 */
export function nativeText(
  type: string,
  heldValue: string | undefined,
  { date, time }: { readonly date: string | undefined; readonly time: string | undefined },
): string | undefined {
  const day = date?.length === 10 ? date : undefined;
  switch (type.toLowerCase()) {
    case "month":
      return date?.slice(0, 7);
    case "week":
      return day && weekOf(day);
    case "time":
      return time;
    case "datetime-local":
      // When the caller gives only a date, the field keeps its time.
      return day && `${day}T${time ?? (heldValue?.slice(11, 16) || "00:00")}`;
    default:
      return day;
  }
}

/**
 * Returns the ISO week of a date, such as `2026-W47`. Weeks begin on Monday and belong to the year of their
 * Thursday.
 */
function weekOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const year = day.getUTCFullYear();
  const week = Math.floor((day.getTime() - Date.UTC(year, 0, 1)) / (7 * 24 * 60 * 60 * 1_000)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/**
 * Returns the date as it must be typed into the field. The format is taken from the field's value or
 * placeholder. Returns `undefined` when both show no format.
 */
export function formatForField(
  { tab }: PageInput,
  { index, frame, id }: Target,
  date: string,
): Promise<string | undefined> {
  return inDocument(tab, index, tab.frames.call(frame, "dateFields", "format", id, date));
}

/** Maximum number of times that the parts of a date are typed. A part may miss a key while the page redraws it. */
const MAX_ATTEMPTS = 2;
/** Milliseconds after each key when the parts are typed again. */
const PAUSE_AFTER_KEY = 250;

const MIDNIGHT = "00:00";

/** Types a date into a field without a calendar, in the format of the field. */
export async function typeDate(
  input: PageInput,
  actions: ElementActions,
  target: Target,
  date: string,
): Promise<Data> {
  const { tab } = input;
  const { index, frame } = target;
  const text = await formatForField(input, target, date);
  if (text === undefined) {
    throw new ActionFailure(
      "invalid_params",
      `No calendar appeared when [${index}] was clicked. Type the date as the field wants it, or name the button that opens its calendar.`,
      { index },
    );
  }
  const outcome = await actions.inputInto(target, { text, clear: true });
  // Many fields accept or correct a text only when they lose the focus, so the Tab key is pressed.
  await input.awaitPermit();
  await input.press("Tab");
  await pause(sessionLimits.actionableEvery);
  const value = (await input.targetState(target))?.value;
  if (
    value === undefined ||
    !(await inDocument(tab, index, tab.frames.call(frame, "dateTexts", "mentions", value, date)))
  ) {
    throw new ActionFailure(
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

/** Types the time into a field in which the time follows the date. */
export async function typeTime(
  input: PageInput,
  actions: ElementActions,
  target: Target,
  date: string,
  time: string,
): Promise<Data> {
  const { tab } = input;
  const { index, frame } = target;
  const { value } = (await input.targetState(target)) ?? {};
  const withTime = (text: string): Promise<string | undefined> =>
    inDocument(tab, index, tab.frames.call(frame, "dateTexts", "withTime", text, time));
  const text = value === undefined ? undefined : await withTime(value);
  if (text === undefined) {
    throw new ActionFailure(
      "not_applied",
      `${date} is picked, and [${index}] shows no time that could be changed. Set ${time} where its page has times.`,
      { index, picked: date, value },
    );
  }
  if (text === value) return { picked_time: time };
  await actions.inputInto(target, { text, clear: true });
  await input.awaitPermit();
  await input.press("Tab");
  await pause(sessionLimits.actionableEvery);
  const now = (await input.targetState(target))?.value;
  const holdsDate = await inDocument(
    tab,
    index,
    tab.frames.call(frame, "dateTexts", "mentions", now ?? "", date),
  );
  if (now === undefined || !holdsDate || (await withTime(now)) !== now) {
    throw new ActionFailure(
      "not_applied",
      `"${text}" was typed for ${time}, and [${index}] does not hold that.`,
      {
        index,
        picked: date,
        value: now,
      },
    );
  }
  return { picked_time: time, value: now };
}

/**
 * Types a date into a split field, which has separate parts for year, month and day. The parts are typed one
 * after the other.
 */
export async function typeDateParts(
  input: PageInput,
  target: Target,
  parts: DateParts,
  date: string,
  given?: string,
): Promise<Data> {
  const { tab } = input;
  const { index, frame } = target;
  const before = input.pageState();
  const [year = "", month = "", day = ""] = date.split("-");
  const { hour, minute } = parts;
  if (given !== undefined && (hour === undefined || minute === undefined)) {
    throw new ActionFailure("invalid_params", `[${index}] has no parts for a time.`, { index });
  }
  // A field for a date and a time has no value while its time is empty (React Aria), so midnight is entered, as into a
  // native field.
  const lacksTime =
    hour !== undefined &&
    minute !== undefined &&
    (await inDocument(tab, index, tab.frames.call(frame, "dateFields", "isEmpty", hour)));
  const time = given ?? (lacksTime ? MIDNIGHT : undefined);
  const texts = [
    ["year", year],
    ["month", month],
    ["day", day],
    ...(time === undefined ? [] : timeParts(time, parts.half !== undefined)),
  ] as const;
  const holds = async (): Promise<boolean> =>
    await inDocument(tab, index, tab.frames.call(frame, "dateFields", "holds", parts, date, time ?? null));
  const current = async (): Promise<DateParts> =>
    (await inDocument(tab, index, tab.frames.call(frame, "dateFields", "parts", target.id))) ?? parts;
  const described = `${date}${time === undefined ? "" : ` ${time}`}`;
  await typeUntilHeld(input, target, { texts, current, holds, described });
  const effect = await input.effect(before, undefined, undefined);
  return {
    picked: date,
    ...(time === undefined ? {} : { picked_time: time }),
    element: elementResultOf(target),
    ...effect,
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : {}),
  };
}

/** Types a time into a split field that takes only a time of day. */
export async function typeTimeParts(
  input: PageInput,
  target: Target,
  parts: TimeParts,
  time: string,
): Promise<Data> {
  const { tab } = input;
  const { index, frame, id } = target;
  const before = input.pageState();
  const read = <Value>(call: Promise<Value>): Promise<Value> => inDocument(tab, index, call);
  const current = async (): Promise<TimeParts> =>
    (await read(tab.frames.call(frame, "dateFields", "timeParts", id))) ?? parts;
  await typeUntilHeld(input, target, {
    texts: timeParts(time, parts.half !== undefined),
    current,
    holds: async () => await read(tab.frames.call(frame, "dateFields", "holdsTime", await current(), time)),
    described: time,
  });
  const effect = await input.effect(before, undefined, undefined);
  return {
    picked_time: time,
    element: elementResultOf(target),
    ...effect,
    ...(effect.effect === "unknown" ? { effect: "state_changed" } : {}),
  };
}

interface PartsTyping {
  readonly texts: readonly (readonly [keyof DateParts, string])[];
  /** Returns the parts as they are now: typing into one part may redraw the others. */
  readonly current: () => Promise<Partial<DateParts>>;
  readonly holds: () => Promise<boolean>;
  /** The date or time for the error message. */
  readonly described: string;
}

/** Types the parts until they hold the date or time. The second attempt types slower. */
async function typeUntilHeld(
  input: PageInput,
  target: Target,
  { texts, current, holds, described }: PartsTyping,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await typeParts(input, target, current, texts, attempt === 1 ? 0 : PAUSE_AFTER_KEY);
    const until = performance.now() + sessionLimits.calendarWithin;
    while (!(await holds()) && performance.now() < until) await pause(sessionLimits.actionableEvery);
    if (await holds()) return;
    if (attempt < MAX_ATTEMPTS) continue;
    const { index } = target;
    throw new ActionFailure(
      "not_applied",
      `${described} was typed into the parts of [${index}], which do not hold it.`,
      { index },
    );
  }
}

/**
 * Types the parts of a date one after the other.
 * @param keyPause milliseconds after each key
 */
async function typeParts(
  input: PageInput,
  target: Target,
  current: PartsTyping["current"],
  texts: PartsTyping["texts"],
  keyPause: number,
): Promise<void> {
  const { tab } = input;
  for (const [part, text] of texts) {
    const { [part]: id } = await current();
    if (id === undefined) continue;
    await input.tap(await elementIn(input, target, id));
    await input.awaitPermit();
    // The event guard blocks the input events of other elements, so it would stop the keys. It ends before the first key.
    await releaseEvents(tab);
    for (const letter of text) {
      await input.typeCharacter(letter);
      if (keyPause > 0) await pause(keyPause);
    }
  }
}

function timeParts(
  time: string,
  isTwelveHour: boolean,
): readonly (readonly ["hour" | "minute" | "second" | "half", string])[] {
  const hour = Number(time.slice(0, 2));
  const shown = isTwelveHour ? hour % 12 || 12 : hour;
  return [
    ["hour", String(shown).padStart(2, "0")],
    ["minute", time.slice(3, 5)],
    ["second", "00"],
    ["half", hour < 12 ? "a" : "p"],
  ];
}
