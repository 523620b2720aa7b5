/**
 * Choosing from lists that are not the browser's own: opened by a click, filled later, searched or scrolled.
 *
 * An option is clicked as anything else is, by a pointer that meets nothing but it; that it was taken is read from the
 * option or from its control. Neighbours: `acts.ts` has native selects, `injected/lists.ts` knows lists.
 */
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../../machines/limits.ts";
import { inDocument, type Target } from "./aim.ts";
import { ActFailure } from "./failure.ts";
import type { Listing, ListOption } from "./injected/lists.ts";
import { closed } from "./leftover.ts";
import { type Data, type Touch, told } from "./touch.ts";

/** For an option that is another one when it is to be clicked. */
const ATTEMPTS = 3;

const plain = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

export class Choosing {
  readonly #touch: Touch;
  #control: Target;

  constructor(touch: Touch, control: Target) {
    this.#touch = touch;
    this.#control = control;
  }

  async select(wanted: readonly string[]): Promise<Data> {
    const selected: string[] = [];
    const before = this.#touch.before();
    let opened = false;
    await this.#ask("mark");
    try {
      for (const text of wanted) {
        // Some lists go without what is chosen.
        if (await this.#isHeld(text)) {
          selected.push(text);
          continue;
        }
        if (await this.#open(text)) opened = true;
        selected.push(await this.#choose(text));
        if (wanted.length > 1) await this.#renew();
      }
    } catch (error) {
      if (opened) await this.#leave();
      throw error;
    }
    if (opened) await this.#leave();
    const effect = await this.#touch.effect(before, undefined, undefined);
    return {
      selected,
      element: told(this.#control),
      ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
    };
  }

  /** What was opened for it is not to lie over what comes next, also where nothing could be chosen. */
  async #leave(): Promise<void> {
    await closed(this.#touch, this.#control, async () => (await this.#ask("listing")) !== undefined);
  }

  /** Answers how the option is called. */
  async #choose(text: string): Promise<string> {
    const { index } = this.#control;
    for (let attempt = 1; ; attempt++) {
      const shown = await this.#ask("shown");
      const option = await this.#find(text);
      if (option.disabled) {
        throw new ActFailure("element_disabled", `The option "${option.label}" of [${index}] is disabled.`, {
          index,
        });
      }
      if (option.chosen) return option.label;
      try {
        await this.#click(option, shown);
        return option.label;
      } catch (error) {
        // Lists that hold only what is seen fill an item with another one as they scroll: it was not clicked.
        const missed = error instanceof ActFailure && error.code === "element_stale" && !error.data.pressed;
        if (!missed || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** It shows what was chosen, and is the same one for all that. */
  async #renew(): Promise<void> {
    const { frame, id } = this.#control;
    const renewed = await this.#tab(this.#touch.tab.frames.call(frame, "lists", "renewed", id));
    if (renewed !== undefined) this.#control = { ...this.#control, id: renewed };
  }

  #isHeld(text: string): Promise<boolean> {
    const { frame, id } = this.#control;
    const call = this.#touch.tab.frames.call(frame, "lists", "chosen", id, 0, { label: text, value: text });
    return this.#tab(call.then((held) => held === true));
  }

  /** All options, also those that come into being when the list is scrolled; it is closed again. */
  async options(): Promise<Data> {
    await this.#ask("mark");
    const opened = await this.#open();
    const labels = new Set<string>();
    const until = performance.now() + limits.session.listWalk;
    const first = await this.#settled();
    for (const { label } of first.options) labels.add(label);
    let complete = !first.scrolls;
    if (first.scrolls) await this.#tab(this.#call("further", true));
    while (!complete && performance.now() < until && labels.size < limits.session.listOptions) {
      for (const { label } of (await this.#ask("listing"))?.options ?? []) labels.add(label);
      complete = !(await this.#tab(this.#call("further", false)));
      await pause(limits.session.actionableEvery);
    }
    for (const { label } of (await this.#ask("listing"))?.options ?? []) labels.add(label);
    if (opened) await this.#close();
    return { options: [...labels], complete };
  }

  /** Whether it had to be. */
  async #open(text?: string): Promise<boolean> {
    const { index } = this.#control;
    if (await this.#ask("listing")) return false;
    await this.#touch.tap(this.#control);
    let until = performance.now() + limits.session.listWithin;
    for (let looks = 0; performance.now() < until; looks++) {
      if (await this.#ask("listing")) return true;
      // It was open before, and is closed now: then it is seen to come. One that waits for its options is left alone.
      if (looks === 8 && !(await this.#ask("isOpen"))) {
        await this.#ask("mark");
        await this.#touch.tap(this.#control);
      }
      // Some open by the keyboard only.
      if (looks === 16) await this.#touch.press("ArrowDown");
      // And some when something is typed.
      if (looks === 24 && text !== undefined && (await this.#ask("search"))) {
        await this.#type(text);
        until = performance.now() + limits.session.listWithin;
      }
      await pause(limits.session.actionableEvery);
    }
    throw new ActFailure(
      "invalid_params",
      `Element [${index}] is no select, and no list came into sight when it was clicked.`,
      { index },
    );
  }

  /** By its control; where that only opens, by the key for it. */
  async #close(): Promise<void> {
    await this.#touch.tap(this.#control);
    await pause(limits.session.actionableEvery);
    if (await this.#ask("listing")) await this.#touch.press("Escape");
  }

  async #find(text: string): Promise<ListOption> {
    const { index } = this.#control;
    let listing = await this.#settled(text);
    let found = matching(listing.options, text);
    if (found) return found;
    const known = new Set(listing.options.map(({ label }) => label));
    if (listing.scrolls) {
      await this.#tab(this.#call("further", true));
      const until = performance.now() + limits.session.listWalk;
      do {
        await pause(limits.session.actionableEvery);
        listing = (await this.#ask("listing")) ?? listing;
        for (const { label } of listing.options) known.add(label);
        found = matching(listing.options, text);
        if (found) return found;
      } while (performance.now() < until && (await this.#tab(this.#call("further", false))));
    }
    if (await this.#ask("search")) {
      await this.#type(text);
      found = matching((await this.#settled(text)).options, text);
      if (found) return found;
    }
    throw new ActFailure("invalid_params", `There is no option "${text}" to choose in [${index}].`, {
      index,
      options: [...known].slice(0, 100),
    });
  }

  async #type(text: string): Promise<void> {
    await this.#touch.permitted();
    const { tab } = this.#touch;
    await tab.answer(tab.session.send("Input.insertText", { text }));
  }

  /** What is in the list once nothing more comes, or what is wanted is there. */
  async #settled(text?: string): Promise<Listing> {
    const until = performance.now() + limits.session.listWithin;
    let then = "";
    let since = performance.now();
    let last: Listing = { options: [], scrolls: false, busy: false };
    while (performance.now() < until) {
      const listing = await this.#ask("listing");
      const now = listing?.options.map(({ label }) => label).join("\n") ?? "";
      if (listing) last = listing;
      if (listing && text !== undefined && matching(listing.options, text)) return listing;
      if (now !== then) [then, since] = [now, performance.now()];
      const quiet = text === undefined ? limits.session.listQuiet : limits.session.listPatience;
      if (listing && !listing.busy && performance.now() - since > quiet) return listing;
      await pause(limits.session.actionableEvery);
    }
    return last;
  }

  async #click(option: ListOption, shown: string): Promise<void> {
    const { tab } = this.#touch;
    const { frame, index, id } = this.#control;
    const info = await inDocument(tab, index, tab.frames.call(frame, "hands", "target", option.id));
    if (!info) throw new ActFailure("interrupted", `The option "${option.label}" went away.`, { index });
    // Many lists choose as the button goes down, and are gone before it comes up.
    await this.#touch.tap({ index: -1, frame, id: option.id, info });
    if (option.acts) return;
    const until = performance.now() + limits.session.dispatchWithin;
    const label = plain(option.label);
    do {
      const chosen = tab.frames.call(frame, "lists", "chosen", id, option.id, {
        label: option.label,
        value: option.value,
      });
      const taken = await inDocument(tab, index, chosen);
      if (taken) return;
      const now = await this.#ask("shown");
      if (
        taken === undefined &&
        now !== shown &&
        (now.includes(label) || (option.value !== "" && now.includes(plain(option.value))))
      )
        return;
      // It showed it before, and does so still.
      if (taken === undefined && now === shown && now === label) return;
      await pause(limits.session.actionableEvery);
    } while (performance.now() < until);
    throw new ActFailure("not_applied", `"${option.label}" was clicked, and [${index}] does not show it.`, {
      index,
    });
  }

  #ask<Method extends "mark" | "listing" | "isOpen" | "search" | "shown">(method: Method) {
    const { tab } = this.#touch;
    const { frame, id } = this.#control;
    return this.#tab(tab.frames.call<"lists", Method>(frame, "lists", method, ...([id] as never)));
  }

  #call(method: "further", anew: boolean): Promise<boolean> {
    const { frame, id } = this.#control;
    return this.#touch.tab.frames.call(frame, "lists", method, id, anew);
  }

  #tab<Value>(call: Promise<Value>): Promise<Value> {
    return inDocument(this.#touch.tab, this.#control.index, call);
  }
}

/** The option that is meant: by its whole label or value, else the only one that begins with the words. */
function matching(options: readonly ListOption[], text: string): ListOption | undefined {
  const wanted = plain(text);
  const same = options.find(({ label, value }) => plain(label) === wanted || plain(value) === wanted);
  if (same) return same;
  const beginning = options.filter(({ label }) => {
    const shown = plain(label);
    return shown.startsWith(wanted) && !/[\p{L}\p{N}]/u.test(shown.charAt(wanted.length));
  });
  return beginning.length === 1 ? beginning[0] : undefined;
}
