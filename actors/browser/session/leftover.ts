/**
 * Closes what an act has opened to do its work, a list or a calendar, where it is left open. Neighbours: `choosing.ts`,
 * `dates.ts`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../../machines/limits.ts";
import type { Target } from "./aim.ts";
import type { Touch } from "./touch.ts";

/** How often it is looked whether it closes by itself. */
const LOOKS = 4;

/** By the key for it, or as `injected/hands.ts` says. */
export async function closed(touch: Touch, control: Target, isOpen: () => Promise<boolean>): Promise<void> {
  const { tab } = touch;
  for (let look = 0; look < LOOKS; look++) {
    if (tab.dialog || !(await isOpen())) return;
    await pause(limits.session.actionableEvery);
  }
  const way = await tab.answer(tab.frames.call(control.frame, "hands", "wayOut", control.id));
  if (way === "control") await touch.tap(control);
  else if (way === "key") await touch.press("Escape");
}
