/** Sets a field that takes only a time of day: by its list, by its parts for hour and minute, or by typing. */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import { inDocument, type Target } from "./clickable-point.ts";
import { closePopup } from "./close-widget-after-action.ts";
import type { ElementActions } from "./element-actions.ts";
import { type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";
import { typeTimeParts } from "./type-date.ts";

/**
 * Keys that make a field take the typed text. Many fields take it when they lose the focus. Others have an open
 * list of hours and minutes, and drop the text unless Enter confirms it.
 */
const CONFIRMING_KEYS = ["Tab", "Enter"] as const;

/** Maximum number of texts in different formats that are typed. */
const MAX_TEXTS = 4;

/**
 * Enters a time of day into a field, or chooses it from the list or the parts of the field.
 *
 * @param time such as `14:30`
 */
export async function pickTime(
  input: PageInput,
  actions: ElementActions,
  target: Target,
  time: string,
): Promise<Data> {
  const { tab } = input;
  const { index, frame, id } = target;
  const before = input.pageState();
  const read = <Value>(call: Promise<Value>): Promise<Value> => inDocument(tab, index, call);
  if (target.info.attributes["aria-haspopup"] === "listbox")
    return { ...(await actions.selectIn(target, { text: time })), picked_time: time };
  const parts = await read(tab.frames.call(frame, "dateFields", "timeParts", id));
  if (parts) return await typeTimeParts(input, target, parts, time);
  const texts = await read(tab.frames.call(frame, "dateFields", "timeTexts", id, time));
  const [likeliest] = texts;
  if (likeliest === undefined) {
    throw new ActionFailure(
      "invalid_params",
      `[${index}] shows no time and no parts for hour and minute. Give a date too, type the text with input, or click the entries of its list.`,
      { index },
    );
  }
  const isListOpen = (): Promise<boolean> =>
    read(tab.frames.call(frame, "dateFields", "hasOpenTimeList", id));
  const tried = new Set<string>();
  for (let text: string | undefined = likeliest; text !== undefined && tried.size < MAX_TEXTS; ) {
    tried.add(text);
    for (const key of CONFIRMING_KEYS) {
      const isTyped = await isAccepted(actions.inputInto(target, { text, clear: true }));
      // Without an open list, the Enter key could send the form, so it is not pressed.
      if (key === "Enter" && !(await isListOpen())) continue;
      await input.awaitPermit();
      await input.press(key);
      await pause(sessionLimits.actionableEvery);
      if (await isListOpen()) await closePopup(input, target, isListOpen);
      const value = (await input.targetState(target))?.value ?? "";
      const held = await read(tab.frames.call(frame, "dateTexts", "withTime", value, time));
      if (held === value && value !== "") {
        const effect = await input.effect(before, undefined, undefined);
        return {
          picked_time: time,
          element: elementResultOf(target),
          value,
          ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
        };
      }
      if (!isTyped) break;
    }
    // When the field got the focus, it may have taken the present time as its value. So texts in the format
    // of its value are tried first.
    const others = [...(await read(tab.frames.call(frame, "dateFields", "timeTexts", id, time))), ...texts];
    text = others.find((other) => !tried.has(other));
  }
  const value = (await input.targetState(target))?.value;
  throw new ActionFailure(
    "not_applied",
    `"${likeliest}" was typed for ${time}, and [${index}] does not hold that.`,
    { index, value },
  );
}

/** Waits for the typing. Returns false if the field has not accepted the typed text. */
async function isAccepted(typing: Promise<unknown>): Promise<boolean> {
  try {
    await typing;
    return true;
  } catch (error) {
    if (error instanceof ActionFailure && error.code === "not_applied") return false;
    throw error;
  }
}
