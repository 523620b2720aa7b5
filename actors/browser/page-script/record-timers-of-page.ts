/**
 * Runs in the main world. While an action is performed, it records the timers that the page sets, because a timer may
 * send a request: a search starts some time after the last key press. At all other times, the page has the browser's
 * own functions.
 */
import type { EventNames } from "./page-script-event-names.ts";

export interface RecordedTimer {
  /** Identifies the place in the page's script that has set the timer: its function and its delay. */
  readonly key: string;
  /** The delay with which the timer was set, in milliseconds. */
  readonly delay: number;
  /** Time in milliseconds until the timer is due. Of a repeated timer, only the first run counts. */
  readonly dueIn: number;
}

/** Maximum number of timers that are recorded at a time. */
const TIMERS = 200;
/** Number of characters of a timer's function that identify it. */
const KEY_LENGTH = 200;
/**
 * Time in milliseconds after which the recording ends by itself; it is longer than an action. Usually an
 * event ends the recording, but a page that calls `document.open` removes the listener for this event.
 */
const RECORDS_FOR = 60_000;

interface SetTimer {
  readonly run: unknown;
  readonly delay: number;
  readonly due: number;
}

/**
 * Replaces the browser's timer functions by wrappers that behave alike. The wrappers are set when the
 * isolated world starts the recording, and removed when it ends the recording.
 */
export function recordTimersOnRequest(names: EventNames): void {
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const NativeEvent = CustomEvent;
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { stringify } = JSON;
  const toText = Function.prototype.toString;
  const now = performance.now.bind(performance);

  const timers = new Map<number, SetTimer>();
  /**
   * Whether timers are recorded now. A page may call a wrapper after the recording has ended. The wrapper
   * then only calls the browser's function.
   */
  let isRecording = false;
  let recordsUntil = 0;
  let restore: (() => void)[] = [];

  const noteSet = (args: readonly unknown[], id: unknown): void => {
    if (now() > recordsUntil) {
      stop();
      return;
    }
    if (typeof id !== "number" || timers.size >= TIMERS) return;
    const run = args[0];
    const delay = args[1];
    // A browser also accepts a text such as "50" as the delay. A value of any other type counts as 0 here,
    // because converting it to a number may run code of the page.
    const given = typeof delay === "number" || typeof delay === "string" ? Number(delay) || 0 : 0;
    const wait = Math.max(given, 0);
    timers.set(id, { run, delay: wait, due: now() + wait });
  };
  const noteClear = (args: readonly unknown[]): void => {
    const id = args[0];
    if (typeof id === "number") timers.delete(id);
  };
  const wrappers = [
    { name: "setTimeout", note: noteSet },
    { name: "setInterval", note: noteSet },
    { name: "clearTimeout", note: noteClear },
    { name: "clearInterval", note: noteClear },
  ];
  /**
   * Maps each original function to its wrapper, and each wrapper to itself. So no function is wrapped twice.
   */
  const wrapperOf = new WeakMap<object, object>();
  const stop = (): void => {
    isRecording = false;
    for (const one of restore) one();
    restore = [];
    timers.clear();
  };
  const record = (): void => {
    stop();
    isRecording = true;
    recordsUntil = now() + RECORDS_FOR;
    for (const { name, note } of wrappers) {
      const property = getOwnPropertyDescriptor(window, name);
      const original: unknown = property?.value;
      if (typeof original !== "function" || !property?.configurable) continue;
      const wrapper: object =
        wrapperOf.get(original) ??
        new Proxy(original, {
          apply(target, self, args) {
            const result: unknown = apply(target, self, args);
            if (isRecording) note(args, result);
            return result;
          },
        });
      wrapperOf.set(original, wrapper);
      wrapperOf.set(wrapper, wrapper);
      if (wrapper === original) continue;
      // The page may forbid the change of the property at any time. `Reflect` then returns false and does not throw.
      defineProperty(window, name, { ...property, value: wrapper });
      restore.push(() => {
        const present = getOwnPropertyDescriptor(window, name);
        // If the page has replaced the wrapper meanwhile, the page's own function is kept.
        if (present?.value === wrapper) defineProperty(window, name, { ...present, value: original });
      });
    }
  };
  const keyOf = ({ run, delay }: SetTimer): string => {
    const text =
      typeof run === "function" ? String(apply(toText, run, [])) : typeof run === "string" ? run : "";
    return `${delay} ${text.slice(0, KEY_LENGTH)}`;
  };
  const tell = (): void => {
    const found: RecordedTimer[] = [];
    for (const [id, timer] of timers) {
      const dueIn = timer.due - now();
      if (dueIn > 0) found.push({ key: keyOf(timer), delay: timer.delay, dueIn });
      else timers.delete(id);
    }
    apply(dispatchEvent, document, [new NativeEvent(names.timers, { detail: stringify(found) })]);
  };

  apply(addEventListener, document, [names.recordTimers, record]);
  apply(addEventListener, document, [names.requestTimers, tell]);
  apply(addEventListener, document, [names.stopTimers, stop]);
}
