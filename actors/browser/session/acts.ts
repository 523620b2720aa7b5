/**
 * The acts of a session, each with what it waits for before and what it proves after.
 *
 * Nothing is done before `permit` says that it may be, immediately before; from then on an act is never repeated.
 * Neighbours: `aim.ts` finds the point, `injected/hands.ts` watches what the act meets, `browser-session.ts` calls.
 */
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../../machines/limits.ts";
import type { Action } from "../../../machines/session/actions.ts";
import { aimAt, failureOf, inDocument, release, type Target, targetOf } from "./aim.ts";
import { ActFailure } from "./failure.ts";
import { DocumentGone } from "./frames.ts";
import type { Aftermath } from "./injected/hands.ts";
import { chordsOf } from "./keys.ts";
import { DialogOpened, type Tab } from "./tab.ts";

type Data = Readonly<Record<string, unknown>>;
type Params<Name extends Action["name"]> = Extract<Action, { name: Name }>["params"];

/** Resolves when what is about to be done in the world may be done, for so many milliseconds from now. */
export type Permit = (within: number) => Promise<void>;

interface Clicking {
  readonly button: "left" | "right";
  readonly count: number;
}

/** How the page was before an act. */
interface Before {
  readonly url: string;
  readonly documents: number;
}

export class Acts {
  readonly #tab: Tab;
  readonly #permit: Permit;

  constructor(tab: Tab, permit: Permit) {
    this.#tab = tab;
    this.#permit = permit;
  }

  async click(index: number, { button, count }: Clicking): Promise<Data> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    const before = this.#before();
    const state = await this.#aftermath(target);
    const until = performance.now() + limits.session.actionableWithin;
    for (;;) {
      const point = await aimAt(tab, target, until);
      await this.#permit(limits.session.dispatchWithin);
      try {
        const after = await this.#clickAt(target, point, { button, count });
        await this.#assertMet(target, after, button);
        return { clicked: true, element: told(target), ...(await this.#effect(before, state, after)) };
      } catch (error) {
        // Stopped before the page heard of it: nothing was done, and it may be tried again.
        if (!(error instanceof Missed)) throw error;
        const { hindrance } = error;
        const lasting = hindrance.problem === "changed" || hindrance.problem === "gone";
        if (lasting || performance.now() >= until) throw await failureOf(tab, index, hindrance);
      } finally {
        await release(tab);
      }
    }
  }

  async hover(index: number): Promise<Data> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    const until = performance.now() + limits.session.actionableWithin;
    try {
      const { x, y } = await aimAt(tab, target, until);
      await this.#permit(limits.session.dispatchWithin);
      await this.#move(x, y);
      const { changes } = (await this.#aftermath(target)) ?? { changes: 0 };
      return { hovered: true, element: told(target), effect: changes > 0 ? "changed" : "nothing_changed" };
    } finally {
      await release(tab);
    }
  }

  async input({ index, text, clear }: Params<"input">): Promise<Data> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    const { frames } = tab;
    const until = performance.now() + limits.session.actionableWithin;
    const before = this.#before();
    try {
      await aimAt(tab, target, until);
      const state = await this.#aftermath(target);
      await this.#permit(limits.session.dispatchWithin);
      const set = await inDocument(tab, index, frames.call(target.frame, "fields", "set", target.id, text));
      if (set === "not_settable") {
        const hindrance = await inDocument(
          tab,
          index,
          frames.call(target.frame, "hands", "focus", target.id, clear),
        );
        if (hindrance) throw await failureOf(tab, index, hindrance);
        if (text === "") await this.#press("Backspace");
        else await tab.answer(tab.session.send("Input.insertText", { text }));
      } else if (set) throw await failureOf(tab, index, set);
      const after = await this.#aftermath(target);
      if (after?.stopped) throw await failureOf(tab, index, after.stopped);
      const holds =
        after &&
        (await inDocument(tab, index, frames.call(target.frame, "fields", "holds", target.id, text, clear)));
      const effect = await this.#effect(before, state, after);
      if (holds === false) {
        throw new ActFailure("not_applied", `Element [${index}] does not hold the text after it was typed.`, {
          index,
          ...(after?.value === undefined ? {} : { value: after.value }),
        });
      }
      return { typed: true, element: told(target), ...effect };
    } finally {
      await release(tab);
    }
  }

  async select({ index, text, value }: Params<"select_dropdown">): Promise<Data> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    if (target.info.tag !== "select") {
      throw new ActFailure(
        "invalid_params",
        `Element [${index}] is no native select: click it, and then its option.`,
        {
          index,
        },
      );
    }
    const wanted = text === undefined ? [value ?? ""] : [text].flat();
    const before = this.#before();
    try {
      await aimAt(tab, target, performance.now() + limits.session.actionableWithin);
      await this.#permit(limits.session.dispatchWithin);
      const call = tab.frames.call(target.frame, "fields", "choose", target.id, wanted);
      const chosen = await inDocument(tab, index, call);
      if ("problem" in chosen) throw await failureOf(tab, index, chosen);
      if (!chosen.selected) {
        throw new ActFailure(
          "invalid_params",
          `There is no option ${wanted.join(", ")} to choose in [${index}].`,
          {
            index,
            options: chosen.options,
          },
        );
      }
      return {
        selected: chosen.selected,
        element: told(target),
        ...(await this.#effect(before, undefined, undefined)),
      };
    } finally {
      await release(tab);
    }
  }

  async options(index: number): Promise<Data> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    const options = await inDocument(
      tab,
      index,
      tab.frames.call(target.frame, "fields", "options", target.id),
    );
    if (options.length === 0) {
      throw new ActFailure(
        "invalid_params",
        `Element [${index}] is no native select: click it to see its options.`,
        {
          index,
        },
      );
    }
    return { options };
  }

  async scroll({ direction, amount, index }: Params<"scroll">): Promise<Data> {
    const tab = this.#tab;
    const target = index === undefined ? undefined : await targetOf(tab, index);
    await this.#permit(limits.session.dispatchWithin);
    const frame = target?.frame ?? tab.frames.main;
    const call = tab.frames.call(frame, "hands", "scroll", target?.id, direction, amount);
    const { before, after, most } = await tab.answer(call);
    const moved = Math.abs(after - before);
    return {
      scrolled: moved,
      position: after,
      at_start: after <= 1,
      at_end: after >= most - 1,
      effect: moved > 0 ? "scrolled" : "nothing_changed",
    };
  }

  async wait({ seconds, selector, text }: Params<"wait">): Promise<Data> {
    const tab = this.#tab;
    const from = performance.now();
    const until = from + seconds * 1_000;
    if (selector === undefined && text === undefined) {
      await pause(seconds * 1_000);
      return { waited: seconds };
    }
    for (;;) {
      if (await this.#isThere(selector, text))
        return { waited: Math.round(performance.now() - from) / 1_000, found: true };
      if (performance.now() >= until) break;
      await pause(limits.session.lookEvery);
    }
    const what = [selector, text && `the text "${text}"`].filter(Boolean).join(" with ");
    throw new ActFailure("timeout", `${what} did not come within ${seconds} s on ${tab.url}.`);
  }

  async keys(keys: string): Promise<Data> {
    const before = this.#before();
    const chords = chordsOf(keys);
    await this.#permit(limits.session.dispatchWithin);
    for (const chord of chords) await this.#strike(chord);
    return { sent: keys, ...(await this.#effect(before, undefined, undefined)) };
  }

  async #isThere(selector: string | undefined, text: string | undefined): Promise<boolean> {
    for (const frame of this.#tab.frames.all()) {
      try {
        const call = this.#tab.frames.call(frame, "hands", "shows", selector, text);
        const found = await this.#tab.answer(call);
        if (found === "bad_selector")
          throw new ActFailure("invalid_params", `"${selector}" is no CSS selector.`, { selector });
        if (found) return true;
      } catch (error) {
        // Its next document may show it.
        if (!(error instanceof DocumentGone)) throw error;
      }
    }
    return false;
  }

  #before(): Before {
    const { url, documents } = this.#tab;
    return { url, documents };
  }

  async #move(x: number, y: number): Promise<void> {
    await this.#tab.answer(this.#tab.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }));
    this.#tab.pointer = { x, y };
  }

  async #clickAt(
    target: Target,
    { x, y }: { readonly x: number; readonly y: number },
    { button, count }: Clicking,
  ): Promise<Aftermath | undefined> {
    const { session } = this.#tab;
    const buttons = button === "left" ? 1 : 2;
    const at = { x, y, button } as const;
    await this.#move(x, y);
    const sent: Promise<unknown>[] = [];
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mousePressed", ...at, buttons, clickCount }),
      );
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, buttons: 0, clickCount }),
      );
    }
    try {
      await this.#tab.answer(Promise.all(sent));
    } catch (error) {
      // It opened a dialog, which was to be expected of a click; or the page is on its way to another.
      if (!(error instanceof DialogOpened)) throw error;
      return undefined;
    }
    const after = await this.#aftermath(target);
    if (after && after.met.length === 0)
      throw new Missed(after.stopped ?? { problem: "covered", by: "nothing" });
    return after;
  }

  /** That the click came after the press: the page may change in between, and no other element is clicked then. */
  async #assertMet({ index }: Target, after: Aftermath | undefined, button: "left" | "right"): Promise<void> {
    if (!after || after.met.includes(button === "left" ? "click" : "contextmenu")) return;
    const pressed = { index, pressed: true, changes: after.changes };
    if (!after.stopped || !after.alive) {
      throw new ActFailure("interrupted", `Element [${index}] went away as it was pressed.`, pressed);
    }
    const { code, message, data } = await failureOf(this.#tab, index, after.stopped);
    throw new ActFailure(code, message, { ...data, ...pressed });
  }

  /** How the target is; `undefined` when its document went, or a dialog holds it up. */
  async #aftermath({ frame, id }: Target): Promise<Aftermath | undefined> {
    const { frames } = this.#tab;
    try {
      return await this.#tab.answer(frames.call(frame, "hands", "aftermath", id));
    } catch (error) {
      if (error instanceof DocumentGone || error instanceof DialogOpened) return undefined;
      throw error;
    }
  }

  /** What an act brought about, once what it set off has come. */
  async #effect(before: Before, then: Aftermath | undefined, now: Aftermath | undefined): Promise<Data> {
    const tab = this.#tab;
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
    const turned =
      then && (then.checked !== now.checked || then.value !== now.value || then.expanded !== now.expanded);
    const effect = turned
      ? "state_changed"
      : now.changes > 0
        ? "changed"
        : now.focused && !then?.focused
          ? "focused"
          : "nothing_changed";
    return { effect, changes: now.changes, ...state };
  }

  async #press(name: string): Promise<void> {
    for (const chord of chordsOf(name)) await this.#strike(chord);
  }

  async #strike({ key, modifiers }: ReturnType<typeof chordsOf>[number]): Promise<void> {
    const { session } = this.#tab;
    const { text, ...named } = key;
    // With Control, Alt or Meta held a key writes nothing.
    const writes = text !== undefined && (modifiers & 7) === 0 ? { text } : {};
    const type = "text" in writes ? "keyDown" : "rawKeyDown";
    const held = session.send("Input.dispatchKeyEvent", { type, modifiers, ...named, ...writes });
    const lifted = session.send("Input.dispatchKeyEvent", { type: "keyUp", modifiers, ...named });
    try {
      await this.#tab.answer(Promise.all([held, lifted]));
    } catch (error) {
      if (!(error instanceof DialogOpened)) throw error;
    }
  }
}

/** The act met something else and was stopped before the page heard of it. */
class Missed extends Error {
  readonly hindrance: NonNullable<Aftermath["stopped"]>;

  constructor(hindrance: NonNullable<Aftermath["stopped"]>) {
    super(hindrance.problem);
    this.hindrance = hindrance;
  }
}

function told({ info: { tag, name, attributes } }: Target): Data {
  return { tagName: tag, ...(name === "" ? {} : { textContent: name }), attributes };
}
