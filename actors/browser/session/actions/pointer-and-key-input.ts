/**
 * Sends the pointer and key input of all actions to a page, and determines the effect of the input. Before
 * each input, `permit` must give the permission. An action whose input was sent is never repeated.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { ActionEffect } from "../../page-script/actionability/guarded-element-action.ts";
import { ActionFailure } from "../action-error.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import {
  clickablePointOf,
  obstacleFailure,
  releaseEvents,
  staleIndex,
  type Target,
} from "./clickable-point.ts";
import { chordsOf, modifierKeysOf } from "./keyboard-chords.ts";
import {
  type PageState,
  pendingOfAction,
  waitForResponses,
  waitForTypedText,
} from "./wait-for-responses-of-action.ts";

export type Data = Readonly<Record<string, unknown>>;

/**
 * A function with which an action waits for the permission to send input to the page. The action must send
 * the input within `within` milliseconds after the promise has resolved.
 */
export type Permit = (within: number) => Promise<void>;

export interface ClickOptions {
  readonly button: "left" | "right";
  readonly count: number;
}

interface HeldPress {
  /** Whether the press takes the focus out of a field with a text that was just typed. */
  readonly endsTyping: boolean;
  /** Whether the press takes the focus out of any field. */
  readonly leavesField: boolean;
}

/** A single click with the left mouse button. */
export const LEFT_CLICK: ClickOptions = { button: "left", count: 1 };

export class PageInput {
  readonly tab: Tab;
  readonly permit: Permit;

  constructor(tab: Tab, permit: Permit) {
    this.tab = tab;
    this.permit = permit;
  }

  /**
   * Waits for the permission to send input (`permit`). The action must call it directly before it sends
   * input.
   */
  async awaitPermit(): Promise<void> {
    await this.permit(sessionLimits.dispatchWithin);
  }

  /**
   * Clicks an element and returns the effect. When another element now covers or replaces it, the click fails
   * and does not reach that element.
   */
  async click(target: Target, { button, count }: ClickOptions): Promise<Data> {
    const { tab } = this;
    const before = this.pageState();
    const until = performance.now() + sessionLimits.actionableWithin;
    // The state of the target and the click point are requested together, to save a round trip. The page
    // handles requests in order, so it reads the state before it scrolls.
    const [state, firstPoint] = await Promise.all([
      this.targetState(target),
      clickablePointOf(tab, target, until),
    ]);
    for (let point = firstPoint; ; point = await clickablePointOf(tab, target, until)) {
      await this.awaitPermit();
      try {
        const endsTyping = state?.endsTyping === true;
        const leavesField = endsTyping || state?.leavesField === true;
        const after = await this.#clickAt(target, point, { button, count, endsTyping, leavesField });
        const event = await this.#assertClicked(target, state, after, { button, count });
        const answeredState = after && (await this.#waitForResponses(target, after));
        const effect = await this.effect(
          before,
          state,
          await this.#waitForTransitions(target, answeredState),
        );
        const pending = pendingOfAction(tab);
        if (event !== "press") return pending > 0 ? { ...effect, pending } : effect;
        // The element disappeared when the mouse button went down. This is its reaction to the press, so the
        // action succeeds although no click event followed.
        return {
          ...effect,
          pressed: true,
          effect: this.#isSamePage(before) ? "element_gone" : effect.effect,
        };
      } catch (error) {
        // The event guard has stopped the click, because another element would have received it. The click is
        // repeated until the time limit, unless the target has changed or disappeared.
        if (!(error instanceof ClickBlocked)) throw error;
        const { obstacle } = error;
        const isLasting = obstacle.problem === "changed" || obstacle.problem === "gone";
        if (isLasting || performance.now() >= until) throw await obstacleFailure(tab, target.index, obstacle);
      } finally {
        // The call that ends the event guard is not awaited. The page handles calls in order, so the guard
        // ends before any later call runs.
        void releaseEvents(tab);
      }
    }
  }

  pageState(): PageState {
    const { url, navigations } = this.tab;
    return { url, navigations };
  }

  async move(x: number, y: number): Promise<void> {
    await this.tab.answer(this.tab.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }));
    this.tab.pointer = { x, y };
  }

  /**
   * Clicks an element that may open a popup or disappear when the mouse button goes down. The mouse button
   * may then go up over another element, which is not a failure.
   */
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
    { button, count, endsTyping, leavesField }: ClickOptions & HeldPress,
  ): Promise<ActionEffect | undefined> {
    const { session } = this.tab;
    const buttons = button === "left" ? 1 : 2;
    let mouse = { x, y, button };
    // All mouse events up to the first press are sent at once. If no press follows a mouse move, Chromium delays
    // the move until it draws the next animation frame.
    const sent: Promise<unknown>[] = [session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y })];
    this.tab.pointer = { x, y };
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse, buttons, clickCount }),
      );
      if (clickCount === 1 && leavesField) {
        const moved = await this.#holdPress(target, Promise.all(sent), endsTyping);
        // The field that has lost the focus may show a message, which moves the pressed element. The pointer follows it.
        if (moved) {
          mouse = { ...mouse, x: x + moved.x, y: y + moved.y };
          const move = { type: "mouseMoved", x: mouse.x, y: mouse.y, button, buttons } as const;
          sent.push(session.send("Input.dispatchMouseEvent", move));
          this.tab.pointer = { x: mouse.x, y: mouse.y };
        }
      }
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse, buttons: 0, clickCount }),
      );
    }
    try {
      await this.tab.answer(Promise.all(sent));
    } catch (error) {
      // The click has opened a dialog, which blocks the page. So the state of the element cannot be read now.
      if (!(error instanceof DialogOpened)) throw error;
      return undefined;
    }
    const after = await this.targetState(target);
    if (after && after.received.length === 0)
      throw new ClickBlocked(after.stopped ?? { problem: "covered", by: "nothing" });
    return after;
  }

  /**
   * Keeps the mouse button down until the page has taken the typed text, if the press has taken the focus out of
   * the field. If the field has kept the focus, there is no wait. Returns how far the pressed element has moved
   * meanwhile; `undefined` if it has not moved or is in a child frame.
   */
  async #holdPress(
    target: Target,
    pressed: Promise<unknown>,
    endsTyping: boolean,
  ): Promise<ActionEffect["moved"]> {
    try {
      await this.tab.answer(pressed);
      let now = await this.targetState(target);
      if (endsTyping && !now?.endsTyping) {
        await waitForTypedText(this.tab);
        now = await this.targetState(target);
      }
      const isPressed = now?.alive === true && now.stopped === undefined && now.received.length > 0;
      return isPressed && target.frame === this.tab.frames.main ? now?.moved : undefined;
    } catch (error) {
      // If the press has opened a dialog, the dialog receives the release of the mouse button, so the error
      // is ignored.
      if (!(error instanceof DialogOpened)) throw error;
      return undefined;
    }
  }

  /** Waits for the responses to requests that the action has started, and returns the target's new state. */
  async #waitForResponses(target: Target, after: ActionEffect): Promise<ActionEffect | undefined> {
    let now: ActionEffect | undefined = after;
    await waitForResponses(this.tab, async () => {
      now = await this.targetState(target);
      return now !== undefined;
    });
    return now;
  }

  /**
   * Waits until fade and slide animations have ended, so that the next snapshot shows what the click has
   * opened.
   */
  async #waitForTransitions(
    target: Target,
    after: ActionEffect | undefined,
  ): Promise<ActionEffect | undefined> {
    const until = performance.now() + sessionLimits.fadeInWithin;
    let now = after;
    while (now?.transitioning && performance.now() < until) {
      await pause(sessionLimits.actionableEvery);
      now = await this.targetState(target);
    }
    return now;
  }

  /**
   * Waits for the effect of the pointer over the element, such as a tooltip or a menu. Components often show
   * it after a delay.
   */
  async waitForPopup(target: Target): Promise<ActionEffect | undefined> {
    const until = performance.now() + sessionLimits.hoverWithin;
    let now = await this.targetState(target);
    // The wait ends when something on the page has changed. For an element with a collapsed popup, it ends
    // only when this popup opens.
    const waits = ({ changes, expanded, awaitsPopup }: ActionEffect): boolean =>
      changes === 0 || expanded === "false" || awaitsPopup;
    while (now && waits(now) && performance.now() < until) {
      await pause(sessionLimits.actionableEvery);
      now = await this.targetState(target);
    }
    return await this.#waitForTransitions(target, now);
  }

  /**
   * Checks that the press was followed by a click event on the same element. When it was not, the action
   * fails. There is one exception: the element has reacted to the press, for example by disappearing with its
   * menu.
   */
  async #assertClicked(
    target: Target,
    stateBefore: ActionEffect | undefined,
    after: ActionEffect | undefined,
    { button, count }: ClickOptions,
  ): Promise<"click" | "press"> {
    const { index } = target;
    if (!after || after.received.includes(button === "left" ? "click" : "contextmenu")) return "click";
    // There was no click event, but the state of the element, or of a field in it, has changed. So the press
    // had an effect and does not count as a failure. The element may now be covered by what it has opened.
    if (
      stateBefore &&
      after.alive &&
      (stateBefore.expanded !== after.expanded || (after.edited && !stateBefore.edited))
    )
      return "click";
    const pressed = { index, pressed: true, changes: after.changes };
    if (after.disappeared && button === "left" && count === 1) {
      // The page may draw the element again in its next animation frame. After a pause, it is checked again
      // whether the element has disappeared.
      await pause(sessionLimits.actionableEvery);
      const now = await this.targetState(target);
      if (!now || now.disappeared === "gone") return "press";
    }
    if (after.disappeared || !after.alive) {
      const { data } = await staleIndex(this.tab, index, "It went away as it was pressed.");
      const instead = after.disappeared === "redrawn" ? ", and what is like it stands there now" : "";
      const message = `Element [${index}] went away as it was pressed${instead}: check the page before you repeat the action.`;
      throw new ActionFailure("interrupted", message, { ...pressed, candidates: data.candidates });
    }
    if (!after.stopped)
      throw new ActionFailure(
        "interrupted",
        `Element [${index}] was pressed, but no click followed.`,
        pressed,
      );
    const { code, message, data } = await obstacleFailure(this.tab, index, after.stopped);
    throw new ActionFailure(code, message, { ...data, ...pressed });
  }

  /** Whether the tab has neither navigated nor opened a dialog since the given state was recorded. */
  #isSamePage({ url, navigations }: PageState): boolean {
    const { tab } = this;
    return !tab.dialog && tab.navigations === navigations && tab.url === url;
  }

  /**
   * Returns the current state of an action's target element. Returns `undefined` when the document of the
   * element was replaced, or when a dialog blocks the page.
   */
  async targetState({ frame, id }: Target): Promise<ActionEffect | undefined> {
    const { frames } = this.tab;
    try {
      return await this.tab.answer(frames.call(frame, "actionability", "effect", id));
    } catch (error) {
      if (error instanceof DocumentGone || error instanceof DialogOpened) return undefined;
      throw error;
    }
  }

  /**
   * Returns the effect of an action for its outcome. If the action has started a navigation, first waits
   * until the page has loaded.
   */
  async effect(
    before: PageState,
    stateBefore: ActionEffect | undefined,
    now: ActionEffect | undefined,
  ): Promise<Data> {
    const tab = this.tab;
    const { dialog } = tab;
    if (dialog) return { effect: "dialog_opened", dialog };
    if (tab.loading) await tab.waitForLoad();
    const { url } = tab;
    if (tab.navigations !== before.navigations) return { effect: "navigated", url };
    if (url !== before.url) return { effect: "address_changed", url };
    const state = {
      ...(now?.value === undefined ? {} : { value: now.value }),
      ...(now?.checked === undefined ? {} : { checked: now.checked }),
      ...(now?.expanded === undefined ? {} : { expanded: now.expanded === "true" }),
    };
    if (!now) return { effect: "unknown" };
    if (!now.alive) return { effect: "element_gone", changes: now.changes };
    if (now.refused) return { effect: "form_refused", changes: now.changes, refused: now.refused };
    const effect = hasStateChanged(stateBefore, now)
      ? "state_changed"
      : now.changes > 0
        ? "changed"
        : now.focused && !stateBefore?.focused
          ? "focused"
          : "nothing_changed";
    return { effect, changes: now.changes, ...state };
  }

  /**
   * Types one character by its key. When no key produces the character, it is inserted as text, as an input
   * method does.
   */
  async typeCharacter(letter: string): Promise<void> {
    if (letter === "\n") return await this.press("Enter");
    const [chord] = letter.trim() === "" ? [] : chordsOf(letter);
    if (letter === " ") return await this.press("space");
    if (chord && letter.length === 1) return await this.pressChord(chord);
    await this.tab.answer(this.tab.session.send("Input.insertText", { text: letter }));
  }

  async press(name: string): Promise<void> {
    for (const chord of chordsOf(name)) await this.pressChord(chord);
  }

  /**
   * Presses a key together with its modifiers. The modifiers are pressed as keys too, because some applications recognise
   * a shortcut by the keys that are down (Directus, `useMagicKeys` of VueUse).
   */
  async pressChord(chord: ReturnType<typeof chordsOf>[number]): Promise<void> {
    const { key, modifiers } = chord;
    const { session } = this.tab;
    const { text, ...named } = key;
    // A key that is pressed together with Control, Alt or Meta produces no text. So its key event has no
    // field `text`.
    const writes = text !== undefined && (modifiers & 7) === 0 ? { text } : {};
    const type = "text" in writes ? "keyDown" : "rawKeyDown";
    const held = modifierKeysOf(chord);
    let bits = 0;
    const events = held.map(([bit, one]) => {
      bits |= bit;
      return session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", modifiers: bits, ...one });
    });
    events.push(session.send("Input.dispatchKeyEvent", { type, modifiers, ...named, ...writes }));
    events.push(session.send("Input.dispatchKeyEvent", { type: "keyUp", modifiers, ...named }));
    for (const [bit, one] of held.toReversed()) {
      bits &= ~bit;
      events.push(session.send("Input.dispatchKeyEvent", { type: "keyUp", modifiers: bits, ...one }));
    }
    try {
      await this.tab.answer(Promise.all(events));
    } catch (error) {
      if (!(error instanceof DialogOpened)) throw error;
    }
  }
}

/**
 * Whether the action has changed a state of the element itself, such as its value or whether it is checked.
 */
function hasStateChanged(stateBefore: ActionEffect | undefined, now: ActionEffect): boolean {
  if (!stateBefore) return false;
  return (
    stateBefore.checked !== now.checked ||
    stateBefore.value !== now.value ||
    stateBefore.expanded !== now.expanded
  );
}

/**
 * Thrown when a click would hit another element. The event guard in the page has stopped the click's events,
 * so no script of the page has received them.
 */
class ClickBlocked extends Error {
  readonly obstacle: NonNullable<ActionEffect["stopped"]>;

  constructor(obstacle: NonNullable<ActionEffect["stopped"]>) {
    super(obstacle.problem);
    this.obstacle = obstacle;
  }
}

/** Returns the fields by which the outcome of an action describes its element. */
export function elementResultOf({ info: { tag, name, attributes } }: Target): Data {
  return { tagName: tag, ...(name === "" ? {} : { textContent: name }), attributes };
}
