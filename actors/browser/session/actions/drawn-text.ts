/**
 * Types into text that a script draws, as code editors and terminals do. A click places the cursor, and keys
 * go to a hidden input field.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import { ActionFailure } from "../action-failure.ts";
import type { Tab } from "../tabs/tab.ts";
import { failureOf, inDocument, release, type Target } from "./action-target.ts";
import { type Data, elementResultOf, type PageInput } from "./page-input.ts";

const FIELDS = /^(input|textarea|select)$/;

/** Number of the hidden field behind a text; `undefined` if the target is a field itself. */
export async function inputFieldOf(
  tab: Tab,
  { index, frame, id, info }: Target,
): Promise<number | undefined> {
  if (FIELDS.test(info.tag)) return undefined;
  return await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "keyField", id));
}

/** @param write sends the text once the cursor is placed */
export async function typeDrawnText(
  input: PageInput,
  target: Target,
  {
    sink,
    text,
    clear,
    write,
  }: {
    readonly sink: number;
    readonly text: string;
    readonly clear: boolean;
    readonly write: () => Promise<void>;
  },
): Promise<Data> {
  const { tab } = input;
  const { index } = target;
  const before = input.before();
  const drawn = () => drawnIn(tab, target);
  try {
    await enter(input, target, sink);
    const then = await drawn();
    await input.permitted();
    const chooses = then !== "" && !(await isTerminal(tab, target, sink));
    if (chooses) await input.press(clear ? "Control+a" : "Control+End");
    if (text !== "") await write();
    else if (chooses) await input.press("Delete");
    const until = performance.now() + sessionLimits.fadeInWithin;
    let now = await drawn();
    while (!shows(now, then, text) && performance.now() < until) {
      await pause(sessionLimits.actionableEvery);
      now = await drawn();
    }
    if (then === "" && now === "")
      return { typed: true, element: elementResultOf(target), effect: "unknown" };
    if (shows(now, then, text)) {
      await inDocument(tab, index, tab.frames.call(target.frame, "fieldValues", "acceptText", target.id));
      const effect = await input.effect(before, undefined, await input.aftermath(target));
      return {
        typed: true,
        element: elementResultOf(target),
        ...effect,
        effect: now === then ? effect.effect : "changed",
      };
    }
    const value = now.slice(0, 200);
    throw new ActionFailure("not_applied", `Element [${index}] does not show the text after it was typed.`, {
      index,
      value,
    });
  } finally {
    await release(tab);
  }
}

/** Selects the whole text. Returns the number of its visible characters. */
export async function selectDrawnText(input: PageInput, target: Target, sink: number): Promise<number> {
  try {
    await enter(input, target, sink);
    const { length } = await drawnIn(input.tab, target);
    await input.permitted();
    if (length > 0) await input.press("Control+a");
    return length;
  } finally {
    await release(input.tab);
  }
}

/** Clicks to place the cursor, as a person does. Keys then go only to the hidden field. */
async function enter(input: PageInput, target: Target, sink: number): Promise<void> {
  const { tab } = input;
  const { index, frame } = target;
  await input.click(target, { button: "left", count: 1 });
  const hindrance = await inDocument(
    tab,
    index,
    tab.frames.call(frame, "actionability", "focus", sink, "as_it_is"),
  );
  if (hindrance) throw await failureOf(tab, index, hindrance);
}

/**
 * Whether the text belongs to a terminal. Its text cannot be selected and replaced, because the program in it
 * interprets the keys.
 */
async function isTerminal(tab: Tab, { index, frame }: Target, sink: number): Promise<boolean> {
  const info = await inDocument(tab, index, tab.frames.call(frame, "actionability", "describe", sink));
  return /\bterminal\b/i.test(info?.name ?? "");
}

async function drawnIn(tab: Tab, { index, frame, id }: Target): Promise<string> {
  return await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "drawnText", id));
}

/**
 * Whether the drawn text shows what was typed. Of a long text, only the part around the cursor is drawn,
 * which is the end.
 */
function shows(now: string, then: string, text: string): boolean {
  const plain = (written: string): string => written.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  if (text === "") return plain(now).length < plain(then).length;
  const last = text
    .split("\n")
    .map(plain)
    .findLast((line) => line !== "");
  return last === undefined ? now !== then : plain(now).includes(last.slice(-60));
}
