/** Closes a list or a calendar that an action has opened and that is still open. */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { PopupDismissal } from "../../page-script/widgets/close-widget-popup.ts";
import type { Target } from "./clickable-point.ts";
import type { PageInput } from "./pointer-and-key-input.ts";

/** Number of checks whether a popup closes by itself. */
const POLLS = 4;
/** Number of checks whether a popup has closed after each attempt to close it. */
const POLLS_AFTER_ATTEMPT = 3;

/**
 * Closes a popup after a choice in it. Most popups close themselves after a choice, so the function first
 * waits for this.
 */
export async function closePopup(
  input: PageInput,
  control: Target,
  isOpen: () => Promise<boolean>,
): Promise<void> {
  await ensureClosed(input, control, isOpen, true);
}

/**
 * Makes sure that a popup is closed: by its control, by Escape, or by moving the focus.
 *
 * @param hasChosen whether an option was chosen in the popup
 *
 * @param declaredOpen whether the control has declared the popup as open (`aria-expanded`). The popup then
 * counts as closed when the control declares it as closed, whatever elements have appeared.
 *
 * @returns whether the popup is closed; it stays open if closing it could discard something else, such as
 * typed text
 */
export async function ensureClosed(
  input: PageInput,
  control: Target,
  isOpen: () => Promise<boolean>,
  hasChosen: boolean,
  declaredOpen = false,
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
  const closesWithin = async (polls: number): Promise<boolean> => {
    for (let poll = 0; poll < polls; poll++) {
      if (tab.dialog || !(await isOpen())) return true;
      await pause(sessionLimits.actionableEvery);
    }
    return false;
  };
  if (await closesWithin(hasChosen ? POLLS : 1)) return true;
  // A control may declare that its popup is closed while the popup is still fading out. A click on the
  // control would open the popup again, so the code waits until the popup has disappeared.
  if (!(await call("mayToggle")) && ((await closesWithin(POLLS)) || declaredOpen)) return true;
  const point = await tab.answer(
    tab.frames.call(control.frame, "actionability", "prepare", control.id, "check"),
  );
  if ("x" in point) {
    await input.tap(control);
    if (await closesWithin(POLLS_AFTER_ATTEMPT)) return true;
  }
  if (await call("containEscape")) {
    await input.awaitPermit();
    try {
      await input.press("Escape");
    } finally {
      await call("releaseEscape");
    }
    if (await closesWithin(POLLS_AFTER_ATTEMPT)) return true;
  }
  if ((await call("blur")) && (await closesWithin(POLLS_AFTER_ATTEMPT))) return true;
  if ((await call("moveFocus")) && (await closesWithin(POLLS_AFTER_ATTEMPT))) return true;
  if (!(await call("mayEscape"))) return false;
  await input.awaitPermit();
  await input.press("Escape");
  return await closesWithin(POLLS_AFTER_ATTEMPT);
}
