/**
 * Types into text that a script draws, as in code editors and terminals. A click places the cursor, and keys
 * go to a hidden input field.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { inDocument, obstacleFailure, releaseEvents, type Target } from "./clickable-point.ts";
import { type Data, elementResultOf, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";

const FIELDS = /^(input|textarea|select)$/;

/**
 * Returns the number of the hidden field that receives the keys, for an editor that draws its text itself.
 * Returns `undefined` when the target is a normal field.
 */
export async function inputFieldOf(
  tab: Tab,
  { index, frame, id, info }: Target,
): Promise<number | undefined> {
  if (FIELDS.test(info.tag)) return undefined;
  return await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "keyField", id));
}

/**
 * Types into text that an editor draws: places the cursor by a click, and then sends the text.
 * @param write function that sends the text; it is called after the cursor was placed
 */
export async function typeDrawnText(
  input: PageInput,
  target: Target,
  {
    hiddenField,
    text,
    clear,
    write,
  }: {
    readonly hiddenField: number;
    readonly text: string;
    readonly clear: boolean;
    readonly write: () => Promise<void>;
  },
): Promise<Data> {
  const { tab } = input;
  const { index } = target;
  const before = input.pageState();
  const readDrawn = () => drawnIn(tab, target);
  try {
    await placeCursor(input, target, hiddenField);
    const drawnBefore = await readDrawn();
    await input.awaitPermit();
    const selects = drawnBefore !== "" && !(await isTerminal(tab, target, hiddenField));
    if (selects) await input.press(clear ? "Control+a" : "Control+End");
    if (text !== "") await write();
    else if (selects) await input.press("Delete");
    const until = performance.now() + sessionLimits.fadeInWithin;
    let drawnNow = await readDrawn();
    while (!showsText(drawnNow, drawnBefore, text) && performance.now() < until) {
      await pause(sessionLimits.actionableEvery);
      drawnNow = await readDrawn();
    }
    if (drawnBefore === "" && drawnNow === "")
      return { typed: true, element: elementResultOf(target), effect: "unknown" };
    if (showsText(drawnNow, drawnBefore, text)) {
      await inDocument(tab, index, tab.frames.call(target.frame, "fieldValues", "acceptText", target.id));
      const effect = await input.effect(before, undefined, await input.targetState(target));
      return {
        typed: true,
        element: elementResultOf(target),
        ...effect,
        effect: drawnNow === drawnBefore ? effect.effect : "changed",
      };
    }
    const value = drawnNow.slice(0, 200);
    throw new ActionFailure("not_applied", `Element [${index}] does not show the text after it was typed.`, {
      index,
      value,
    });
  } finally {
    await releaseEvents(tab);
  }
}

/** Selects the whole text of the editor. Returns the number of its visible characters. */
export async function selectDrawnText(
  input: PageInput,
  target: Target,
  hiddenField: number,
): Promise<number> {
  try {
    await placeCursor(input, target, hiddenField);
    const { length } = await drawnIn(input.tab, target);
    await input.awaitPermit();
    if (length > 0) await input.press("Control+a");
    return length;
  } finally {
    await releaseEvents(input.tab);
  }
}

/**
 * Clicks the target, so that the editor puts its cursor there and gives its hidden field the focus. After the
 * click, only keys are sent.
 */
async function placeCursor(input: PageInput, target: Target, hiddenField: number): Promise<void> {
  const { tab } = input;
  const { index, frame } = target;
  await input.click(target, LEFT_CLICK);
  const obstacle = await inDocument(
    tab,
    index,
    tab.frames.call(frame, "actionability", "focus", hiddenField, "as_it_is"),
  );
  if (obstacle) throw await obstacleFailure(tab, index, obstacle);
}

/**
 * Whether the drawn text belongs to a terminal. The text of a terminal cannot be selected and replaced,
 * because the program in the terminal interprets the keys.
 */
async function isTerminal(tab: Tab, { index, frame }: Target, hiddenField: number): Promise<boolean> {
  const info = await inDocument(tab, index, tab.frames.call(frame, "actionability", "describe", hiddenField));
  return /\bterminal\b/i.test(info?.name ?? "");
}

async function drawnIn(tab: Tab, { index, frame, id }: Target): Promise<string> {
  return await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "drawnText", id));
}

/**
 * Whether the text that an editor draws shows what was typed. Only the end of a long typed text is compared,
 * because an editor draws only the part around the cursor.
 */
function showsText(drawnNow: string, drawnBefore: string, text: string): boolean {
  const plain = (written: string): string => written.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  if (text === "") return plain(drawnNow).length < plain(drawnBefore).length;
  const last = text
    .split("\n")
    .map(plain)
    .findLast((line) => line !== "");
  return last === undefined ? drawnNow !== drawnBefore : plain(drawnNow).includes(last.slice(-60));
}
