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

interface SetTimer {
  readonly run: unknown;
  readonly delay: number;
  readonly due: number;
}

/** Replaces the browser's timer functions by wrappers that behave alike, from one request to the next. */
export function recordTimersOnRequest(names: EventNames): void {
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const NativeEvent = CustomEvent;
  const { apply } = Reflect;
  const { stringify } = JSON;
  const toText = Function.prototype.toString;
  const now = performance.now.bind(performance);

  const timers = new Map<number, SetTimer>();
  let restore: (() => void)[] = [];

  const noteSet = ([run, delay]: readonly unknown[], id: unknown): void => {
    if (typeof id !== "number" || timers.size >= TIMERS) return;
    const wait = typeof delay === "number" && delay > 0 ? delay : 0;
    timers.set(id, { run, delay: wait, due: now() + wait });
  };
  const noteClear = ([id]: readonly unknown[]): void => {
    if (typeof id === "number") timers.delete(id);
  };
  const wrappers = [
    { name: "setTimeout", note: noteSet },
    { name: "setInterval", note: noteSet },
    { name: "clearTimeout", note: noteClear },
    { name: "clearInterval", note: noteClear },
  ];

  const stop = (): void => {
    for (const one of restore) one();
    restore = [];
    timers.clear();
  };
  const record = (): void => {
    stop();
    for (const { name, note } of wrappers) {
      const property = Object.getOwnPropertyDescriptor(window, name);
      const original: unknown = property?.value;
      if (typeof original !== "function" || !property?.configurable) continue;
      let isRecording = true;
      const proxy = new Proxy(original, {
        apply(target, self, args) {
          const result: unknown = apply(target, self, args);
          if (isRecording) note(args, result);
          return result;
        },
      });
      Object.defineProperty(window, name, { ...property, value: proxy });
      restore.push(() => {
        isRecording = false;
        const present = Object.getOwnPropertyDescriptor(window, name);
        // The page may have replaced the function itself meanwhile.
        if (present?.value === proxy) Object.defineProperty(window, name, { ...present, value: original });
      });
    }
  };
  const keyOf = ({ run, delay }: SetTimer): string => {
    const text = typeof run === "function" ? String(apply(toText, run, [])) : String(run);
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
