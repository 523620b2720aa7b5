/** Closes a list or a calendar that an action has opened, if it is still open. */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { PopupDismissal } from "../../page-script/widgets/popup-dismissal.ts";
import type { Target } from "./action-target.ts";
import type { PageInput } from "./page-input.ts";

/**
 * Number of polls before the popup counts as open: for one that closes by itself, and after each attempt to
 * close it.
 */
const LOOKS = 4;
const LOOKS_AFTER = 3;

/** Closes a popup after a choice in it. Most popups close by themselves then. */
export async function closePopup(
  input: PageInput,
  control: Target,
  isOpen: () => Promise<boolean>,
): Promise<void> {
  await isClosed(input, control, isOpen, true);
}

/**
 * Closes a popup by its control, by Escape, or by moving the focus away.
 * @param chosen something was chosen in it
 * @returns whether it is closed; it stays open if closing it could discard more than the popup
 */
export async function isClosed(
  input: PageInput,
  control: Target,
  isOpen: () => Promise<boolean>,
  chosen: boolean,
): Promise<boolean> {
  const { tab } = input;
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
  // The control reports that the popup is closed, so it may be fading out. A click would open it again.
  if (!(await call("mayToggle")) && (await closes(LOOKS))) return true;
  const aim = await tab.answer(tab.frames.call(control.frame, "actionability", "prepare", control.id, false));
  if ("x" in aim) {
    await input.tap(control);
    if (await closes(LOOKS_AFTER)) return true;
  }
  if (await call("containEscape")) {
    await input.permitted();
    try {
      await input.press("Escape");
    } finally {
      await call("releaseEscape");
    }
    if (await closes(LOOKS_AFTER)) return true;
  }
  if ((await call("blur")) && (await closes(LOOKS_AFTER))) return true;
  if (!(await call("mayEscape"))) return false;
  await input.permitted();
  await input.press("Escape");
  return await closes(LOOKS_AFTER);
}
