/** Sets a custom slider to a value by the keys that move it. Native sliders are set directly. */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import { ActionFailure } from "../action-failure.ts";
import type { Target } from "./action-target.ts";
import { type Data, elementResultOf, type PageInput } from "./page-input.ts";

/** Milliseconds within which a key press shows in the value: many sliders are redrawn first. */
const TURNS = 300;
/** Key presses in one batch, once the step of a press is known. */
const AT_ONCE = 20;

export async function slideTo(input: PageInput, target: Target, text: string): Promise<Data> {
  const { index } = target;
  const wanted = Number(text);
  if (text.trim() === "" || !Number.isFinite(wanted))
    throw new ActionFailure("invalid_params", `A slider takes a number, not "${text}".`, { index });
  const heldBy = async (): Promise<number> => Number((await input.aftermath(target))?.value);
  /** The value once it is the expected one, or no longer changes. */
  const settled = async (then: number, expected?: number): Promise<number> => {
    let value = await heldBy();
    let last = then;
    let since = performance.now();
    while (performance.now() - since < TURNS && value !== expected) {
      // A single press is done as soon as the value changes.
      if (expected === undefined && value !== then) break;
      if (value !== last) [last, since] = [value, performance.now()];
      await pause(sessionLimits.actionableEvery / 5);
      value = await heldBy();
    }
    return value;
  };
  const before = await heldBy();
  // A click on the handle itself moves nothing and focuses the slider.
  await input.tap(target);
  let value = await heldBy();
  if (value === before && value !== wanted) await pause(sessionLimits.actionableEvery);
  value = await heldBy();
  const way = Math.sign(wanted - value);
  const across = target.info.attributes.role === "slider";
  const key = way > 0 ? (across ? "ArrowRight" : "ArrowUp") : across ? "ArrowLeft" : "ArrowDown";
  let [step, pressed] = [0, 0];
  while (Math.sign(wanted - value) === way && way !== 0 && pressed < sessionLimits.sliderKeys) {
    const then = value;
    const presses =
      step > 0 ? Math.max(1, Math.min(AT_ONCE, Math.floor(Math.abs(wanted - value) / step))) : 1;
    await input.permitted();
    for (let press = 0; press < presses; press++) await input.press(key);
    pressed += presses;
    value = await settled(then, presses > 1 ? then + way * presses * step : undefined);
    if (value === then) break;
    step = Math.abs(value - then) / presses;
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
