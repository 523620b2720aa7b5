/**
 * What every act is made of: the pointer, the keys, and what came of them.
 *
 * Nothing is done before `permit` says that it may be, immediately before; from then on an act is never repeated.
 * Neighbours: `aim.ts` finds the point, `injected/hands.ts` watches what the act meets; `acts.ts` and the other acts
 * beside it are put together from this.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { ActionEffect } from "../../page-script/actionability/actionability.ts";
import { ActionFailure } from "../action-failure.ts";
import type { Journal } from "../journal/journal.ts";
import { DocumentGone } from "../tabs/frames.ts";
import { DialogOpened, type Tab } from "../tabs/tab.ts";
import { clickablePointOf, failureOf, release, staleIndex, type Target } from "./action-target.ts";
import { chordsOf } from "./keys.ts";

export type Data = Readonly<Record<string, unknown>>;

/** Resolves when what is about to be done in the world may be done, for so many milliseconds from now. */
export type Permit = (within: number) => Promise<void>;

export interface ClickOptions {
  readonly button: "left" | "right";
  readonly count: number;
}

/** How the page was before an act. */
export interface PageBefore {
  readonly url: string;
  readonly documents: number;
}

export class PageInput {
  readonly tab: Tab;
  readonly permit: Permit;
  readonly #journal: Pick<Journal, "asking">;

  constructor(tab: Tab, permit: Permit, journal: Pick<Journal, "asking">) {
    this.tab = tab;
    this.permit = permit;
    this.#journal = journal;
  }

  /** How many requests of the tab begin from now on, and are not answered when that is asked. */
  asking(): () => number {
    return this.#journal.asking(this.tab.targetId);
  }

  /** Immediately before something is done in the world. */
  async permitted(): Promise<void> {
    await this.permit(sessionLimits.dispatchWithin);
  }

  /** Clicks an element, and nothing else; what came of it. */
  async click(target: Target, { button, count }: ClickOptions): Promise<Data> {
    const { tab } = this;
    const before = this.before();
    const until = performance.now() + sessionLimits.actionableWithin;
    // The page answers one after the other: neither has to wait for the way there and back of the one before.
    const [state, aim] = await Promise.all([this.aftermath(target), clickablePointOf(tab, target, until)]);
    for (let point = aim; ; point = await clickablePointOf(tab, target, until)) {
      await this.permitted();
      try {
        const asked = this.asking();
        const after = await this.#clickAt(target, point, { button, count });
        const how = await this.#assertMet(target, state, after, { button, count });
        const answered = await this.#answered(target, state, after, asked);
        const effect = await this.effect(before, state, await this.#arrived(target, answered));
        const pending = effect.changes === 0 ? asked() : 0;
        if (how !== "press") return pending > 0 ? { ...effect, pending } : effect;
        // What it did it did as the button went down; a click there was none.
        return { ...effect, pressed: true, effect: this.#stayed(before) ? "element_gone" : effect.effect };
      } catch (error) {
        // Stopped before the page heard of it: nothing was done, and it may be tried again.
        if (!(error instanceof Missed)) throw error;
        const { hindrance } = error;
        const lasting = hindrance.problem === "changed" || hindrance.problem === "gone";
        if (lasting || performance.now() >= until) throw await failureOf(tab, target.index, hindrance);
      } finally {
        // It is on its way before anything else that is asked of the page.
        void release(tab);
      }
    }
  }

  before(): PageBefore {
    const { url, documents } = this.tab;
    return { url, documents };
  }

  async move(x: number, y: number): Promise<void> {
    await this.tab.answer(this.tab.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }));
    this.tab.pointer = { x, y };
  }

  /** Clicks what may open or go as the button goes down, so that it comes up on something else: that is none of a failure. */
  async tap(target: Target, count = 1): Promise<void> {
    try {
      await this.click(target, { button: "left", count });
    } catch (error) {
      if (!(error instanceof ActionFailure) || error.data.pressed !== true) throw error;
    }
  }

  async #clickAt(
    target: Target,
    { x, y }: { readonly x: number; readonly y: number },
    { button, count }: ClickOptions,
  ): Promise<ActionEffect | undefined> {
    const { session } = this.tab;
    const buttons = button === "left" ? 1 : 2;
    const at = { x, y, button } as const;
    // All at once: a pointer that only moves is told with the next frame, and one that presses then before it.
    const sent: Promise<unknown>[] = [session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y })];
    this.tab.pointer = { x, y };
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mousePressed", ...at, buttons, clickCount }),
      );
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, buttons: 0, clickCount }),
      );
    }
    try {
      await this.tab.answer(Promise.all(sent));
    } catch (error) {
      // It opened a dialog, which was to be expected of a click; or the page is on its way to another.
      if (!(error instanceof DialogOpened)) throw error;
      return undefined;
    }
    const after = await this.aftermath(target);
    if (after && after.received.length === 0)
      throw new Missed(after.stopped ?? { problem: "covered", by: "nothing" });
    return after;
  }

  /** Until what it asked for has come, where nothing else tells that anything was done. */
  async #answered(
    target: Target,
    then: ActionEffect | undefined,
    after: ActionEffect | undefined,
    asked: () => number,
  ): Promise<ActionEffect | undefined> {
    const until = performance.now() + sessionLimits.requestWithin;
    let now = after;
    for (let open = asked() > 0; open; ) {
      if (!now?.alive || isTurned(then, now) || now.changes > 0 || performance.now() >= until) break;
      // Asked before the pause: what comes of an answer comes a moment after it.
      open = asked() > 0;
      await pause(sessionLimits.actionableEvery);
      now = await this.aftermath(target);
    }
    return now;
  }

  /** Until what fades and slides into sight has come: whoever looks next is to see what the click opened. */
  async #arrived(target: Target, after: ActionEffect | undefined): Promise<ActionEffect | undefined> {
    const until = performance.now() + sessionLimits.fadeInWithin;
    let now = after;
    while (now?.transitioning && performance.now() < until) {
      await pause(sessionLimits.actionableEvery);
      now = await this.aftermath(target);
    }
    return now;
  }

  /** What a pointer that only lies there brings into sight: widgets wait a little before they believe that it stays. */
  async opened(target: Target): Promise<ActionEffect | undefined> {
    const until = performance.now() + sessionLimits.hoverWithin;
    let now = await this.aftermath(target);
    // That something else changed says nothing of what it says itself is still closed, or pops up.
    const waits = ({ changes, expanded, awaitsPopup: awaited }: ActionEffect): boolean =>
      changes === 0 || expanded === "false" || awaited;
    while (now && waits(now) && performance.now() < until) {
      await pause(sessionLimits.actionableEvery);
      now = await this.aftermath(target);
    }
    return await this.#arrived(target, now);
  }

  /**
   * That the click came after the press: the page may change in between, and no other element is clicked then. What went
   * with its menu as it was pressed acted on the press.
   */
  async #assertMet(
    target: Target,
    then: ActionEffect | undefined,
    after: ActionEffect | undefined,
    { button, count }: ClickOptions,
  ): Promise<"click" | "press"> {
    const { index } = target;
    if (!after || after.received.includes(button === "left" ? "click" : "contextmenu")) return "click";
    // It took the press for the click, as it says itself or by a field in it; what it opened may lie over it since.
    if (then && after.alive && (then.expanded !== after.expanded || (after.edited && !then.edited)))
      return "click";
    const pressed = { index, pressed: true, changes: after.changes };
    if (after.disappeared && button === "left" && count === 1) {
      // A page that draws anew may do so with its next frame.
      await pause(sessionLimits.actionableEvery);
      const now = await this.aftermath(target);
      if (!now || now.disappeared === "gone") return "press";
    }
    if (after.disappeared || !after.alive) {
      const { data } = await staleIndex(this.tab, index, "It went away as it was pressed.");
      const instead = after.disappeared === "redrawn" ? ", and what is like it stands there now" : "";
      const message = `Element [${index}] went away as it was pressed${instead}: see what came of it before it is done again.`;
      throw new ActionFailure("interrupted", message, { ...pressed, candidates: data.candidates });
    }
    if (!after.stopped)
      throw new ActionFailure(
        "interrupted",
        `Element [${index}] was pressed, and no click came of it.`,
        pressed,
      );
    const { code, message, data } = await failureOf(this.tab, index, after.stopped);
    throw new ActionFailure(code, message, { ...data, ...pressed });
  }

  /** Nothing leads elsewhere, and nothing waits for an answer. */
  #stayed({ url, documents }: PageBefore): boolean {
    const { tab } = this;
    return !tab.dialog && tab.documents === documents && tab.url === url;
  }

  /** How the target is; `undefined` when its document went, or a dialog holds it up. */
  async aftermath({ frame, id }: Target): Promise<ActionEffect | undefined> {
    const { frames } = this.tab;
    try {
      return await this.tab.answer(frames.call(frame, "actionability", "effect", id));
    } catch (error) {
      if (error instanceof DocumentGone || error instanceof DialogOpened) return undefined;
      throw error;
    }
  }

  /** What an act brought about, once what it set off has come. */
  async effect(
    before: PageBefore,
    then: ActionEffect | undefined,
    now: ActionEffect | undefined,
  ): Promise<Data> {
    const tab = this.tab;
    const { dialog } = tab;
    if (dialog) return { effect: "dialog_opened", dialog };
    if (tab.loading) await tab.loaded();
    const { url } = tab;
    if (tab.documents !== before.documents) return { effect: "navigated", url };
    if (url !== before.url) return { effect: "address_changed", url };
    const state = {
      ...(now?.value === undefined ? {} : { value: now.value }),
      ...(now?.checked === undefined ? {} : { checked: now.checked }),
      ...(now?.expanded === undefined ? {} : { expanded: now.expanded === "true" }),
    };
    if (!now) return { effect: "unknown" };
    if (!now.alive) return { effect: "element_gone", changes: now.changes };
    const effect = isTurned(then, now)
      ? "state_changed"
      : now.changes > 0
        ? "changed"
        : now.focused && !then?.focused
          ? "focused"
          : "nothing_changed";
    return { effect, changes: now.changes, ...state };
  }

  /** One letter, as its key writes it; what no key writes comes as from an input method. */
  async write(letter: string): Promise<void> {
    if (letter === "\n") return await this.press("Enter");
    const [chord] = letter.trim() === "" ? [] : chordsOf(letter);
    if (letter === " ") return await this.press("space");
    if (chord && letter.length === 1) return await this.strike(chord);
    await this.tab.answer(this.tab.session.send("Input.insertText", { text: letter }));
  }

  async press(name: string): Promise<void> {
    for (const chord of chordsOf(name)) await this.strike(chord);
  }

  async strike({ key, modifiers }: ReturnType<typeof chordsOf>[number]): Promise<void> {
    const { session } = this.tab;
    const { text, ...named } = key;
    // With Control, Alt or Meta held a key writes nothing.
    const writes = text !== undefined && (modifiers & 7) === 0 ? { text } : {};
    const type = "text" in writes ? "keyDown" : "rawKeyDown";
    const held = session.send("Input.dispatchKeyEvent", { type, modifiers, ...named, ...writes });
    const lifted = session.send("Input.dispatchKeyEvent", { type: "keyUp", modifiers, ...named });
    try {
      await this.tab.answer(Promise.all([held, lifted]));
    } catch (error) {
      if (!(error instanceof DialogOpened)) throw error;
    }
  }
}

/** It tells of itself that it is otherwise. */
function isTurned(then: ActionEffect | undefined, now: ActionEffect): boolean {
  if (!then) return false;
  return then.checked !== now.checked || then.value !== now.value || then.expanded !== now.expanded;
}

/** The act met something else and was stopped before the page heard of it. */
class Missed extends Error {
  readonly hindrance: NonNullable<ActionEffect["stopped"]>;

  constructor(hindrance: NonNullable<ActionEffect["stopped"]>) {
    super(hindrance.problem);
    this.hindrance = hindrance;
  }
}

/** An element as its caller is told of it. */
export function elementResultOf({ info: { tag, name, attributes } }: Target): Data {
  return { tagName: tag, ...(name === "" ? {} : { textContent: name }), attributes };
}
