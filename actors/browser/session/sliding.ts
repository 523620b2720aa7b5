/**
 * Giving a slider of a page's scripts its value, by the keys that move it. Neighbours: `acts.ts` types into fields;
 * the browser's own sliders are given theirs (`injected/fields.ts`).
 */
import { limits } from "../../../machines/limits.ts";
import type { Target } from "./aim.ts";
import { ActFailure } from "./failure.ts";
import { type Data, type Touch, told } from "./touch.ts";

export async function slideTo(touch: Touch, target: Target, text: string): Promise<Data> {
  const { index } = target;
  const wanted = Number(text);
  if (text.trim() === "" || !Number.isFinite(wanted))
    throw new ActFailure("invalid_params", `A slider takes a number, not "${text}".`, { index });
  // Where its handle is a press moves nothing, and the keys go there.
  await touch.tap(target);
  const heldBy = async (): Promise<number> => Number((await touch.aftermath(target))?.value);
  let value = await heldBy();
  const way = Math.sign(wanted - value);
  for (let presses = 0; Math.sign(wanted - value) === way && way !== 0; presses++) {
    const then = value;
    await touch.press(way > 0 ? "ArrowRight" : "ArrowLeft");
    value = await heldBy();
    if (value === then || presses > limits.session.slides) break;
  }
  if (value !== wanted) {
    throw new ActFailure(
      "not_applied",
      `The slider [${index}] is at ${value}, and does not come to ${wanted}.`,
      {
        index,
        value: String(value),
      },
    );
  }
  return { typed: true, element: told(target), effect: "state_changed", value: String(value) };
}
