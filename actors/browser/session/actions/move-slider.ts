/** Sets a custom slider to a value by the keys that move it. Native sliders are set directly. */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Target } from "./clickable-point.ts";
import { type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";

/**
 * Time in milliseconds to wait for the slider's new value after a key press. Many sliders are redrawn before
 * the value changes.
 */
const REDRAW_TIME = 300;
/**
 * Number of key presses that are sent together, after a single press has shown by how much one press changes
 * the value.
 */
const BATCH_SIZE = 20;

export async function slideTo(input: PageInput, target: Target, text: string): Promise<Data> {
  const { index } = target;
  const wanted = Number(text);
  if (text.trim() === "" || !Number.isFinite(wanted))
    throw new ActionFailure("invalid_params", `A slider takes a number, not "${text}".`, { index });
  const readValue = async (): Promise<number> => Number((await input.targetState(target))?.value);
  /** Waits until the value of the slider is the expected one or has stopped changing, and returns it. */
  const readSettled = async (earlier: number, expected?: number): Promise<number> => {
    let value = await readValue();
    let last = earlier;
    let since = performance.now();
    while (performance.now() - since < REDRAW_TIME && value !== expected) {
      // Without an expected value, the action has pressed only one key. The first new value is then the final
      // one.
      if (expected === undefined && value !== earlier) break;
      if (value !== last) [last, since] = [value, performance.now()];
      await pause(sessionLimits.actionableEvery / 5);
      value = await readValue();
    }
    return value;
  };
  const before = await readValue();
  // A click on the slider's handle gives it the focus without moving it.
  await input.tap(target);
  let value = await readValue();
  if (value === before && value !== wanted) await pause(sessionLimits.actionableEvery);
  value = await readValue();
  const direction = Math.sign(wanted - value);
  const isHorizontal = target.info.attributes.role === "slider";
  const key =
    direction > 0 ? (isHorizontal ? "ArrowRight" : "ArrowUp") : isHorizontal ? "ArrowLeft" : "ArrowDown";
  let [step, pressed] = [0, 0];
  while (Math.sign(wanted - value) === direction && direction !== 0 && pressed < sessionLimits.sliderKeys) {
    const earlier = value;
    const presses =
      step > 0 ? Math.max(1, Math.min(BATCH_SIZE, Math.floor(Math.abs(wanted - value) / step))) : 1;
    await input.awaitPermit();
    for (let press = 0; press < presses; press++) await input.press(key);
    pressed += presses;
    value = await readSettled(earlier, presses > 1 ? earlier + direction * presses * step : undefined);
    if (value === earlier) break;
    step = Math.abs(value - earlier) / presses;
  }
  if (value !== wanted) {
    throw new ActionFailure(
      "not_applied",
      `The slider [${index}] is at ${value}, and does not come to ${wanted}.`,
      {
        index,
        value: String(value),
      },
    );
  }
  return { typed: true, element: elementResultOf(target), effect: "state_changed", value: String(value) };
}
