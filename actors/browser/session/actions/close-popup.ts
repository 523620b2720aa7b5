/**
 * Closes what an act has opened to do its work, a list or a calendar, where it is left open. Neighbours: `choosing.ts`,
 * `dates.ts`; `injected/leaving.ts` says what harms nothing else.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { PopupDismissal } from "../../page-script/widgets/popup-dismissal.ts";
import type { Target } from "./action-target.ts";
import type { PageInput } from "./page-input.ts";

/** How often it is looked whether it closes by itself, and by what was done for it. */
const LOOKS = 4;
const LOOKS_AFTER = 3;

/** Closes it after something was chosen in it, which most take for that by themselves. */
export async function closePopup(
  touch: PageInput,
  control: Target,
  isOpen: () => Promise<boolean>,
): Promise<void> {
  await isClosed(touch, control, isOpen, true);
}

/**
 * By its control, by the key for it, or as the cursor leaves it.
 * @param chosen something was chosen in it
 * @returns whether it is closed: it is left open where only what may throw away more would close it
 */
export async function isClosed(
  touch: PageInput,
  control: Target,
  isOpen: () => Promise<boolean>,
  chosen: boolean,
): Promise<boolean> {
  const { tab } = touch;
  const call = <Method extends keyof PopupDismissal>(method: Method) =>
    tab.answer(
      tab.frames.call<"popupDismissal", Method>(
        control.frame,
        "popupDismissal",
        method,
        ...([control.id] as never),
      ),
    );
  const closes = async (looks: number): Promise<boolean> => {
    for (let look = 0; look < looks; look++) {
      if (tab.dialog || !(await isOpen())) return true;
      await pause(sessionLimits.actionableEvery);
    }
    return false;
  };
  if (await closes(chosen ? LOOKS : 1)) return true;
  // It says that it is closed, and may be on its way out of sight: a click would open it again.
  if (!(await call("mayToggle")) && (await closes(LOOKS))) return true;
  const aim = await tab.answer(tab.frames.call(control.frame, "actionability", "prepare", control.id, false));
  if ("x" in aim) {
    await touch.tap(control);
    if (await closes(LOOKS_AFTER)) return true;
  }
  if (await call("containEscape")) {
    await touch.permitted();
    try {
      await touch.press("Escape");
    } finally {
      await call("releaseEscape");
    }
    if (await closes(LOOKS_AFTER)) return true;
  }
  if ((await call("blur")) && (await closes(LOOKS_AFTER))) return true;
  if (!(await call("mayEscape"))) return false;
  await touch.permitted();
  await touch.press("Escape");
  return await closes(LOOKS_AFTER);
}
