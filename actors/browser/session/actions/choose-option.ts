/**
 * Selects options in custom listboxes, which open by a click and may load, search or scroll their options. An
 * option is clicked like any element. The option or its control has to show that it was taken.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { Listing, ListOption } from "../../page-script/widgets/listbox.ts";
import { ActionFailure } from "../action-failure.ts";
import { inDocument, type Target } from "./action-target.ts";
import { isClosed } from "./close-popup.ts";
import { matchingOption, normalizeOption } from "./option-names.ts";
import { type Data, elementResultOf, type PageInput } from "./page-input.ts";

/** Number of options in the error when the wanted one is missing. */
const TOLD = 100;
/** Attempts to click an option that changes before the click. */
const ATTEMPTS = 3;

type Asked =
  | "mark"
  | "read"
  | "isOpen"
  | "focusSearch"
  | "displayed"
  | "rememberSurroundings"
  | "hasFocus"
  | "editor"
  | "isShowing";

export class OptionChooser {
  readonly #input: PageInput;
  #control: Target;
  /** The text in the search field before the search. */
  #held: string | undefined;

  constructor(input: PageInput, control: Target) {
    this.#input = input;
    this.#control = control;
  }

  async select(wanted: readonly string[]): Promise<Data> {
    const selected: string[] = [];
    const before = this.#input.before();
    let opened = false;
    await this.#ask("mark");
    try {
      for (const text of wanted) {
        // Some lists leave out the options that are already chosen.
        if (await this.#isHeld(text)) {
          selected.push(text);
          continue;
        }
        if (await this.#open(text)) opened = true;
        selected.push(await this.#choose(text));
        if (wanted.length > 1) await this.#renew();
      }
      if (opened) await this.#take(selected);
    } catch (error) {
      if (opened) await this.#abandon();
      throw error;
    }
    const left = opened ? await this.#leave(true) : {};
    const effect = await this.#input.effect(before, undefined, undefined);
    return {
      selected,
      element: elementResultOf(this.#control),
      ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
      ...left,
    };
  }

  /**
   * Types into a field that also has a list, and chooses the option that equals the text.
   * @param type types the text and returns the data of that action
   */
  async typed(text: string, type: () => Promise<Data>): Promise<Data> {
    await this.#ask("mark");
    const data = await type();
    const wanted = normalizeOption(text);
    const until = performance.now() + sessionLimits.listWithin;
    let quietAt = performance.now() + sessionLimits.listSearchQuiet;
    let then: string | undefined;
    let isOpen = false;
    for (let now = performance.now(); now < until && now < quietAt; now = performance.now()) {
      const listing = await this.#ask("read");
      isOpen = listing !== undefined;
      const option = listing?.options.find(
        ({ label, disabled }) => normalizeOption(label) === wanted && !disabled,
      );
      if (option) {
        if (!option.chosen) await this.#click(option);
        return { selected: [option.label], ...(await this.#leave(true)) };
      }
      const labels = listing?.options.map(({ label }) => label).join("\n");
      if (labels !== then) quietAt = performance.now() + sessionLimits.listSearchQuiet;
      then = labels;
      await pause(sessionLimits.actionableEvery);
    }
    if (!isOpen) return data;
    const left = await this.#leave();
    // Some fields accept only options of their list, and reset their value when the list closes.
    const value = (await this.#input.aftermath(this.#control))?.value;
    if (value !== data.value && !(await this.#ask("displayed")).includes(wanted)) {
      const { index } = this.#control;
      throw new ActionFailure("not_applied", `"${text}" was typed, and [${index}] does not hold it.`, {
        index,
        value,
        options: then?.split("\n").slice(0, TOLD) ?? [],
      });
    }
    return { ...data, ...left };
  }

  /** Closes the list, so that it does not cover the target of the next action. */
  async #leave(chosen = false): Promise<Data> {
    const isOpen = async (): Promise<boolean> => (await this.#ask("read")) !== undefined;
    return (await isClosed(this.#input, this.#control, isOpen, chosen)) ? {} : { left_open: true };
  }

  /** Closes the list after a failure, and restores the text of the search field. */
  async #abandon(): Promise<void> {
    const { tab } = this.#input;
    if (tab.dialog) return;
    if (this.#held !== undefined) {
      const now = await this.#ask("focusSearch");
      if (now !== undefined && now !== this.#held) {
        if (this.#held === "") await this.#input.press("Backspace");
        else await this.#type(this.#held);
      }
    }
    const leave = await this.#button("leave");
    if (leave) await this.#input.tap(leave);
    await isClosed(this.#input, this.#control, () => this.#ask("isShowing"), leave !== undefined);
  }

  /** Presses the confirm button of a dialog that does not take the chosen options without it. */
  async #take(selected: readonly string[]): Promise<void> {
    const { index } = this.#control;
    const take = await this.#button("take");
    if (!take) return;
    await this.#input.tap(take);
    const until = performance.now() + sessionLimits.dispatchWithin;
    while (await this.#button("take")) {
      if (performance.now() > until) {
        const what = selected.join(", ");
        throw new ActionFailure("not_applied", `"${what}" was chosen, and its dialog does not close.`, {
          index,
        });
      }
      await pause(sessionLimits.actionableEvery);
    }
  }

  async #button(way: "take" | "leave"): Promise<Target | undefined> {
    const { frame, id } = this.#control;
    return await this.#found(this.#tab(this.#input.tab.frames.call(frame, "listbox", "button", id, way)));
  }

  /** The target of an element that the page script found. */
  async #found(finding: Promise<number | undefined>): Promise<Target | undefined> {
    const { frame } = this.#control;
    const id = await finding;
    const info =
      id === undefined
        ? id
        : await this.#tab(this.#input.tab.frames.call(frame, "actionability", "describe", id));
    return id !== undefined && info ? { index: -1, frame, id, info } : undefined;
  }

  /** Returns the label of the option. */
  async #choose(text: string): Promise<string> {
    const { index } = this.#control;
    for (let attempt = 1; ; attempt++) {
      const option = await this.#find(text);
      if (option.disabled) {
        throw new ActionFailure(
          "element_disabled",
          `The option "${option.label}" of [${index}] is disabled.`,
          {
            index,
          },
        );
      }
      if (option.chosen) return option.label;
      try {
        await this.#click(option);
        return option.label;
      } catch (error) {
        // Virtualised lists reuse an item for another option when they scroll. The event guard stopped the
        // click.
        const missed =
          error instanceof ActionFailure && error.code === "element_stale" && !error.data.pressed;
        if (!missed || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Re-resolve the control: selecting an option may change its text, and so its fingerprint. */
  async #renew(): Promise<void> {
    const { frame, id } = this.#control;
    const renewed = await this.#tab(this.#input.tab.frames.call(frame, "listbox", "identify", id));
    if (renewed !== undefined) this.#control = { ...this.#control, id: renewed };
  }

  #isHeld(text: string): Promise<boolean> {
    const { frame, id } = this.#control;
    const call = this.#input.tab.frames.call(frame, "listbox", "isChosen", id, 0, {
      label: text,
      value: text,
    });
    return this.#tab(call.then((held) => held === true));
  }

  /** Returns all options, also those that appear only when the list is scrolled, and closes the list again. */
  async options(): Promise<Data> {
    await this.#ask("mark");
    const opened = await this.#open();
    const labels = new Set<string>();
    const disabled = new Set<string>();
    const gather = (options: readonly ListOption[]): void => {
      for (const option of options) {
        labels.add(option.label);
        if (option.disabled) disabled.add(option.label);
      }
    };
    const until = performance.now() + sessionLimits.listWalk;
    const first = await this.#settled();
    gather(first.options);
    let complete = !first.scrolls;
    if (first.scrolls) await this.#tab(this.#call("scrollOn", true));
    while (!complete && performance.now() < until && labels.size < sessionLimits.listOptions) {
      gather((await this.#ask("read"))?.options ?? []);
      complete = !(await this.#tab(this.#call("scrollOn", false)));
      await pause(sessionLimits.actionableEvery);
    }
    gather((await this.#ask("read"))?.options ?? []);
    let left: Data = {};
    if (opened) {
      const leave = await this.#button("leave");
      if (leave) await this.#input.tap(leave);
      left = await this.#leave();
    }
    return {
      options: [...labels],
      ...(disabled.size > 0 ? { disabled: [...disabled] } : {}),
      complete,
      ...left,
    };
  }

  /** Opens the list. Returns false if it was open already. */
  async #open(text?: string): Promise<boolean> {
    const { index } = this.#control;
    if (await this.#isFilled()) return false;
    await this.#input.tap(this.#control);
    let until = performance.now() + sessionLimits.listWithin;
    for (let looks = 0; performance.now() < until; looks++) {
      if (await this.#isFilled()) return true;
      // The click may have closed a list that was open. A list that is open and still loading is left alone.
      if (looks === 8 && !(await this.#ask("isOpen"))) await this.#openAgain();
      // Some lists open only by the keyboard. The key goes to the element that has the focus.
      if (looks === 16 && (await this.#ask("hasFocus"))) await this.#input.press("ArrowDown");
      // Some lists open only when text is typed.
      if (looks === 24 && text !== undefined && (await this.#search(text)))
        until = performance.now() + sessionLimits.listWithin;
      await pause(sessionLimits.actionableEvery);
    }
    const empty = (await this.#ask("read")) !== undefined;
    await this.#abandon();
    throw new ActionFailure(
      "invalid_params",
      empty
        ? `The list of [${index}] was opened, and nothing came into it.`
        : `Element [${index}] is no select, and no list came into sight when it was clicked.`,
      { index },
    );
  }

  async #isFilled(): Promise<boolean> {
    const listing = await this.#ask("read");
    return listing !== undefined && (listing.options.length > 0 || listing.busy);
  }

  /** Clicks the control a second time. A table cell takes a double click, which opens a field that has the list. */
  async #openAgain(): Promise<void> {
    const { tab } = this.#input;
    const { frame, id, info } = this.#control;
    const aim = await this.#tab(tab.frames.call(frame, "actionability", "prepare", id, false));
    if (!("x" in aim)) return;
    await this.#ask("mark");
    if (!/^(gridcell|cell)$/.test(info.attributes.role ?? "") && info.tag !== "td")
      return await this.#input.tap(this.#control);
    await this.#input.tap(this.#control, 2);
    await pause(sessionLimits.actionableEvery);
    const editor = (await this.#isFilled()) ? undefined : await this.#found(this.#ask("editor"));
    if (!editor) return;
    this.#control = { ...editor, index: this.#control.index };
    await this.#input.tap(this.#control);
  }

  async #find(text: string): Promise<ListOption> {
    const { index } = this.#control;
    let listing = await this.#settled(text);
    let found = matchingOption(listing.options, text);
    if (found) return found;
    const known = new Set(listing.options.map(({ label }) => label));
    if (listing.scrolls) {
      await this.#tab(this.#call("scrollOn", true));
      const until = performance.now() + sessionLimits.listWalk;
      do {
        await pause(sessionLimits.actionableEvery);
        listing = (await this.#ask("read")) ?? listing;
        for (const { label } of listing.options) known.add(label);
        found = matchingOption(listing.options, text);
        if (found) return found;
      } while (performance.now() < until && (await this.#tab(this.#call("scrollOn", false))));
    }
    if (await this.#search(text)) {
      found = matchingOption((await this.#settled(text)).options, text);
      if (found) return found;
    }
    throw new ActionFailure("invalid_params", `There is no option "${text}" to choose in [${index}].`, {
      index,
      options: [...known].slice(0, TOLD),
    });
  }

  /** Types the text into the list's search field; false if there is none. */
  async #search(text: string): Promise<boolean> {
    const held = await this.#ask("focusSearch");
    if (held === undefined) return false;
    this.#held ??= held;
    await this.#type(text);
    return true;
  }

  async #type(text: string): Promise<void> {
    await this.#input.permitted();
    const { tab } = this.#input;
    await tab.answer(tab.session.send("Input.insertText", { text }));
  }

  /** Reads the list once its options have stopped changing, or the wanted option is there. */
  async #settled(text?: string): Promise<Listing> {
    const until = performance.now() + sessionLimits.listWithin;
    let then = "";
    let since = performance.now();
    let last: Listing = { options: [], scrolls: false, busy: false };
    while (performance.now() < until) {
      const listing = await this.#ask("read");
      const now = listing?.options.map(({ label }) => label).join("\n") ?? "";
      if (listing) last = listing;
      if (listing && text !== undefined && matchingOption(listing.options, text)) return listing;
      if (now !== then) [then, since] = [now, performance.now()];
      const quiet = text === undefined ? sessionLimits.listQuiet : sessionLimits.listSearchQuiet;
      if (listing && !listing.busy && performance.now() - since > quiet) return listing;
      await pause(sessionLimits.actionableEvery);
    }
    return last;
  }

  async #click(option: ListOption): Promise<void> {
    const { tab } = this.#input;
    const { frame, index } = this.#control;
    const info = await inDocument(tab, index, tab.frames.call(frame, "actionability", "describe", option.id));
    if (!info) throw new ActionFailure("interrupted", `The option "${option.label}" went away.`, { index });
    await this.#ask("rememberSurroundings");
    // Includes the search text. A control that still shows it afterwards proves nothing.
    const shown = await this.#ask("displayed");
    // Many lists choose when the button goes down, and are gone before it is released.
    await this.#input.tap({ index: -1, frame, id: option.id, info });
    if (option.acts) return;
    const until = performance.now() + sessionLimits.dispatchWithin;
    do {
      if (await this.#isTaken(option, shown)) return;
      await pause(sessionLimits.actionableEvery);
    } while (performance.now() < until);
    throw new ActionFailure(
      "not_applied",
      `"${option.label}" was clicked, and [${index}] does not show it.`,
      {
        index,
      },
    );
  }

  async #isTaken(option: ListOption, shown: string): Promise<boolean> {
    const { tab } = this.#input;
    const { frame, index, id } = this.#control;
    const { label, value } = option;
    const ask = { label, value };
    const chosen = await inDocument(
      tab,
      index,
      tab.frames.call(frame, "listbox", "isChosen", id, option.id, ask),
    );
    if (chosen) return true;
    const says = (text: string): boolean =>
      text.includes(normalizeOption(label)) || (value !== "" && text.includes(normalizeOption(value)));
    // An editor that existed only for the choice is removed with its list.
    const left = await inDocument(tab, index, tab.frames.call(frame, "listbox", "replacedBy", id, ask));
    if (left !== undefined) return left;
    if (chosen !== undefined) return false;
    const now = await this.#ask("displayed");
    // The control may also have shown the option before.
    if (now === shown ? now === normalizeOption(label) : says(now)) return true;
    return await inDocument(tab, index, tab.frames.call(frame, "listbox", "fieldHolds", id, ask));
  }

  #ask<Method extends Asked>(method: Method) {
    const { tab } = this.#input;
    const { frame, id } = this.#control;
    return this.#tab(tab.frames.call<"listbox", Method>(frame, "listbox", method, ...([id] as never)));
  }

  #call(method: "scrollOn", anew: boolean): Promise<boolean> {
    const { frame, id } = this.#control;
    return this.#input.tab.frames.call(frame, "listbox", method, id, anew);
  }

  #tab<Value>(call: Promise<Value>): Promise<Value> {
    return inDocument(this.#input.tab, this.#control.index, call);
  }
}
