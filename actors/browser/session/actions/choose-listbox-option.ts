/**
 * Selects options in custom listboxes, which open by a click and may load, search or scroll their options. An
 * option is clicked like any element. The action succeeds only when the option or its control shows that it
 * was chosen.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Listing, ListOption } from "../../page-script/widgets/custom-listbox.ts";
import { ActionFailure } from "../action-error.ts";
import { inDocument, type Target } from "./clickable-point.ts";
import { ensureClosed } from "./close-widget-after-action.ts";
import { matchingOption, normalizeOption } from "./option-by-name.ts";
import { type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";
import { mayReact, type PageState } from "./wait-for-responses-of-action.ts";

/** Maximum number of options in the error when the wanted option is missing. */
const MAX_REPORTED = 100;
/** Maximum number of attempts to click an option. An option may change before the click. */
const MAX_ATTEMPTS = 3;

type ControlMethod =
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
  /** The text of the search field before this action, to restore it after a failure. */
  #searchText: string | undefined;
  /** Whether the control declared its list as open after this action had opened the list. */
  #declaredOpen = false;

  constructor(input: PageInput, control: Target) {
    this.#input = input;
    this.#control = control;
  }

  async select(wanted: readonly string[]): Promise<Data> {
    const selected: string[] = [];
    const before = this.#input.pageState();
    let opened = false;
    await this.#callList("mark");
    try {
      for (const text of wanted) {
        // An option that is already chosen is not clicked. Some lists do not even contain it, because they
        // hide chosen options.
        if (await this.#isChosen(text)) {
          selected.push(text);
          continue;
        }
        if (await this.#open(text)) opened = true;
        this.#declaredOpen ||= await this.#callList("isOpen");
        selected.push(await this.#choose(text));
        if (wanted.length > 1) await this.#renewControl();
      }
      if (opened) await this.#confirm(selected);
    } catch (error) {
      if (opened) await this.#abandon();
      throw error;
    }
    const closing = opened ? await this.#close(true) : {};
    if (opened) await this.#assertStillShown(selected, before, closing.left_open !== true);
    const effect = await this.#input.effect(before, undefined, undefined);
    return {
      selected,
      element: elementResultOf(this.#control),
      ...(effect.effect === "unknown" ? { effect: "state_changed" } : effect),
      ...closing,
    };
  }

  /**
   * After a search for the option, the field may show the typed text although no option was chosen. This
   * happens if the list was drawn again under the click. Such a field removes the text when its list closes,
   * so the field is checked after that.
   *
   * @param isClosed whether the list was closed after the choice
   */
  async #assertStillShown(selected: readonly string[], before: PageState, isClosed: boolean): Promise<void> {
    const { tab } = this.#input;
    if (this.#searchText === undefined || tab.dialog) return;
    await pause(sessionLimits.listQuiet);
    if (tab.loading || tab.navigations !== before.navigations || tab.url !== before.url) return;
    // If the page has drawn the list again after the click, the list may have opened again by now.
    if (isClosed && (await this.#callList("isOpen"))) await this.#close();
    const value = (await this.#input.targetState(this.#control))?.value;
    if (value === undefined || value !== this.#searchText) return;
    const shown = await this.#callList("displayed");
    const missing = selected.filter((label) => !shown.includes(normalizeOption(label)));
    if (missing.length === 0) return;
    const { index } = this.#control;
    throw new ActionFailure(
      "not_applied",
      `"${missing.join(", ")}" was clicked, and [${index}] does not show it after its list has closed. Choose it again.`,
      { index, value },
    );
  }

  /**
   * Types into a field that also has a list, and chooses the option that equals the text.
   * @param typeText types the text and returns the result of the typing
   */
  async typeAndChoose(text: string, typeText: () => Promise<Data>): Promise<Data> {
    await this.#callList("mark");
    const data = await typeText();
    const wanted = normalizeOption(text);
    const until = performance.now() + sessionLimits.listWithin;
    let quietAt = performance.now() + sessionLimits.listSearchQuiet;
    let labelsBefore: string | undefined;
    let isOpen = false;
    // Whether the page has scheduled no work since the typing, so that no list will open.
    let isSilent = false;
    for (let now = performance.now(); now < until && now < quietAt; now = performance.now()) {
      const listing = await this.#callList("read");
      isOpen = listing !== undefined;
      if (!isOpen && isSilent) break;
      const option = listing?.options.find(
        ({ label, disabled }) => normalizeOption(label) === wanted && !disabled,
      );
      if (option) {
        if (!option.chosen) await this.#click(option);
        return { selected: [option.label], ...(await this.#close(true)) };
      }
      const labels = listing?.options.map(({ label }) => label).join("\n");
      if (labels !== labelsBefore) quietAt = performance.now() + sessionLimits.listSearchQuiet;
      labelsBefore = labels;
      await pause(sessionLimits.actionableEvery);
      isSilent = !(await mayReact(this.#input.tab, sessionLimits.actionableEvery));
    }
    if (!isOpen) return data;
    const closing = await this.#close();
    // Some fields accept only options of their list. When the list closes, they reset any other text. The
    // value is therefore checked after the list has closed.
    const value = (await this.#input.targetState(this.#control))?.value;
    if (value !== data.value && !(await this.#callList("displayed")).includes(wanted)) {
      const { index } = this.#control;
      throw new ActionFailure("not_applied", `"${text}" was typed, and [${index}] does not hold it.`, {
        index,
        value,
        options: labelsBefore?.split("\n").slice(0, MAX_REPORTED) ?? [],
      });
    }
    return { ...data, ...closing };
  }

  /**
   * Closes the list, because it could cover the target of the next action. Returns `left_open` if it stays
   * open.
   */
  async #close(chosen = false): Promise<Data> {
    const isOpen = async (): Promise<boolean> => (await this.#callList("read")) !== undefined;
    const isClosed = await ensureClosed(this.#input, this.#control, isOpen, chosen, this.#declaredOpen);
    return isClosed ? {} : { left_open: true };
  }

  /** Closes the list after a failed choice, and restores the text in its search field. */
  async #abandon(): Promise<void> {
    const { tab } = this.#input;
    if (tab.dialog) return;
    if (this.#searchText !== undefined) {
      const now = await this.#callList("focusSearch");
      if (now !== undefined && now !== this.#searchText) {
        if (this.#searchText === "") await this.#input.press("Backspace");
        else await this.#type(this.#searchText);
      }
    }
    const leave = await this.#button("leave");
    if (leave) await this.#input.tap(leave);
    await ensureClosed(this.#input, this.#control, () => this.#callList("isShowing"), leave !== undefined);
  }

  /**
   * Presses the confirm button of a dialog, if there is one. Some dialogs apply the chosen options only after
   * this button is pressed.
   */
  async #confirm(selected: readonly string[]): Promise<void> {
    const { index } = this.#control;
    const button = await this.#button("take");
    if (!button) return;
    await this.#input.tap(button);
    const until = performance.now() + sessionLimits.dispatchWithin;
    while (await this.#button("take")) {
      if (performance.now() > until) {
        const labels = selected.join(", ");
        throw new ActionFailure("not_applied", `"${labels}" was chosen, and its dialog does not close.`, {
          index,
        });
      }
      await pause(sessionLimits.actionableEvery);
    }
  }

  async #button(kind: "take" | "leave"): Promise<Target | undefined> {
    const { frame, id } = this.#control;
    return await this.#targetOf(
      this.#inDocument(this.#input.tab.frames.call(frame, "listbox", "button", id, kind)),
    );
  }

  /**
   * Returns the element that a search of the page script has found, as the target of an action; `undefined` if
   * nothing was found.
   * @param search promise of the element's number in the page script
   */
  async #targetOf(search: Promise<number | undefined>): Promise<Target | undefined> {
    const { frame } = this.#control;
    const id = await search;
    const info =
      id === undefined
        ? id
        : await this.#inDocument(this.#input.tab.frames.call(frame, "actionability", "describe", id));
    return id !== undefined && info ? { index: -1, frame, id, info } : undefined;
  }

  /** Chooses the option that matches the text, and returns the label of the option. */
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
        // A virtualised list may reuse a row for another option while it scrolls. The click on this row was
        // stopped, so the option is searched for and clicked again.
        const isMissed =
          error instanceof ActionFailure && error.code === "element_stale" && !error.data.pressed;
        if (!isMissed || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Asks the page script for the number of the control. Choosing an option may change the control's text, so
   * the page script may have given it a new number.
   */
  async #renewControl(): Promise<void> {
    const { frame, id } = this.#control;
    const identified = await this.#inDocument(this.#input.tab.frames.call(frame, "listbox", "identify", id));
    if (identified !== undefined) this.#control = { ...this.#control, id: identified };
  }

  #isChosen(text: string): Promise<boolean> {
    const { frame, id } = this.#control;
    const call = this.#input.tab.frames.call(frame, "listbox", "isChosen", id, 0, {
      label: text,
      value: text,
    });
    return this.#inDocument(call.then((chosen) => chosen === true));
  }

  /**
   * Returns all options, including options that appear only when the list is scrolled. Then closes the list.
   */
  async options(): Promise<Data> {
    await this.#callList("mark");
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
    const first = await this.#readSettled();
    gather(first.options);
    let complete = !first.scrolls;
    if (first.scrolls) await this.#inDocument(this.#scrollOn(true));
    while (!complete && performance.now() < until && labels.size < sessionLimits.listOptions) {
      gather((await this.#callList("read"))?.options ?? []);
      complete = !(await this.#inDocument(this.#scrollOn(false)));
      await pause(sessionLimits.actionableEvery);
    }
    gather((await this.#callList("read"))?.options ?? []);
    let closing: Data = {};
    if (opened) {
      const leave = await this.#button("leave");
      if (leave) await this.#input.tap(leave);
      closing = await this.#close();
    }
    return {
      options: [...labels],
      ...(disabled.size > 0 ? { disabled: [...disabled] } : {}),
      complete,
      ...closing,
    };
  }

  /** Opens the list. Returns false if the list was already open. */
  async #open(text?: string): Promise<boolean> {
    const { index } = this.#control;
    if (await this.#isFilled()) return false;
    await this.#input.tap(this.#control);
    let until = performance.now() + sessionLimits.listWithin;
    for (let polls = 0; performance.now() < until; polls++) {
      if (await this.#isFilled()) return true;
      // If the list was open before, the click has closed it, and the control is clicked again. A list that
      // is still open may be loading its options.
      if (polls === 8 && !(await this.#callList("isOpen"))) await this.#openAgain();
      // If the list is still closed, an arrow key is pressed, because some lists open only by a key.
      if (polls === 16 && (await this.#callList("hasFocus"))) await this.#input.press("ArrowDown");
      // If the list is still closed, the wanted text is typed, because some lists open only when text is
      // typed.
      if (polls === 24 && text !== undefined && (await this.#search(text)))
        until = performance.now() + sessionLimits.listWithin;
      await pause(sessionLimits.actionableEvery);
    }
    const empty = (await this.#callList("read")) !== undefined;
    await this.#abandon();
    throw new ActionFailure(
      "invalid_params",
      empty
        ? `The list of [${index}] was opened and stayed empty.`
        : `Element [${index}] is not a select, and no list appeared when it was clicked.`,
      { index },
    );
  }

  async #isFilled(): Promise<boolean> {
    const listing = await this.#callList("read");
    return listing !== undefined && (listing.options.length > 0 || listing.busy);
  }

  /**
   * Clicks the control again, because the first click has not opened a list. A table cell is double-clicked,
   * because this opens a field with a list.
   */
  async #openAgain(): Promise<void> {
    const { tab } = this.#input;
    const { frame, id, info } = this.#control;
    const aim = await this.#inDocument(tab.frames.call(frame, "actionability", "prepare", id, "check"));
    if (!("x" in aim)) return;
    await this.#callList("mark");
    if (!/^(gridcell|cell)$/.test(info.attributes.role ?? "") && info.tag !== "td")
      return await this.#input.tap(this.#control);
    await this.#input.tap(this.#control, 2);
    await pause(sessionLimits.actionableEvery);
    const editor = (await this.#isFilled()) ? undefined : await this.#targetOf(this.#callList("editor"));
    if (!editor) return;
    this.#control = { ...editor, index: this.#control.index };
    await this.#input.tap(this.#control);
  }

  async #find(text: string): Promise<ListOption> {
    const { index } = this.#control;
    let listing = await this.#readSettled(text);
    let found = matchingOption(listing.options, text);
    if (found) return found;
    const known = new Set(listing.options.map(({ label }) => label));
    if (listing.scrolls) {
      await this.#inDocument(this.#scrollOn(true));
      const until = performance.now() + sessionLimits.listWalk;
      do {
        await pause(sessionLimits.actionableEvery);
        listing = (await this.#callList("read")) ?? listing;
        for (const { label } of listing.options) known.add(label);
        found = matchingOption(listing.options, text);
        if (found) return found;
      } while (performance.now() < until && (await this.#inDocument(this.#scrollOn(false))));
    }
    if (await this.#search(text)) {
      listing = await this.#readSettled(text);
      found = matchingOption(listing.options, text);
      if (found) return found;
      for (const { label } of listing.options) known.add(label);
    }
    throw new ActionFailure("invalid_params", `There is no option "${text}" to choose in [${index}].`, {
      index,
      options: [...known].slice(0, MAX_REPORTED),
    });
  }

  /** Types the text into the list's search field. Returns false when there is none. */
  async #search(text: string): Promise<boolean> {
    const heldText = await this.#callList("focusSearch");
    if (heldText === undefined) return false;
    this.#searchText ??= heldText;
    await this.#type(text);
    return true;
  }

  async #type(text: string): Promise<void> {
    await this.#input.awaitPermit();
    const { tab } = this.#input;
    await tab.answer(tab.session.send("Input.insertText", { text }));
  }

  /**
   * Reads the list of the control. Waits until its options no longer change, or until an option has the
   * wanted text.
   */
  async #readSettled(text?: string): Promise<Listing> {
    const until = performance.now() + sessionLimits.listWithin;
    let labelsBefore = "";
    let since = performance.now();
    let last: Listing = { options: [], scrolls: false, busy: false };
    while (performance.now() < until) {
      const listing = await this.#callList("read");
      const labels = listing?.options.map(({ label }) => label).join("\n") ?? "";
      if (listing) last = listing;
      if (listing && text !== undefined && matchingOption(listing.options, text)) return listing;
      if (labels !== labelsBefore) [labelsBefore, since] = [labels, performance.now()];
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
    await this.#callList("rememberSurroundings");
    // The control may already display the option's text, because it was typed for the search. So the
    // displayed text is read before the choice and compared afterwards.
    const textBefore = await this.#callList("displayed");
    // Many lists choose the option when the mouse button goes down, and close before the button is released.
    // The browser then sends no click event, and `tap` does not require one.
    await this.#input.tap({ index: -1, frame, id: option.id, info });
    if (option.acts) return;
    const until = performance.now() + sessionLimits.dispatchWithin;
    do {
      if (await this.#isTaken(option, textBefore)) return;
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

  async #isTaken(option: ListOption, textBefore: string): Promise<boolean> {
    const { tab } = this.#input;
    const { frame, index, id } = this.#control;
    const { label, value, title } = option;
    const query = { label, value, title };
    const chosen = await inDocument(
      tab,
      index,
      tab.frames.call(frame, "listbox", "isChosen", id, option.id, query),
    );
    if (chosen) return true;
    const mentions = (text: string): boolean =>
      text.includes(normalizeOption(label)) || (value !== "" && text.includes(normalizeOption(value)));
    // Some controls are editors that exist only while a user chooses. After such a control has disappeared,
    // the text in its place shows the choice.
    const replaced = await inDocument(tab, index, tab.frames.call(frame, "listbox", "replacedBy", id, query));
    if (replaced !== undefined) return replaced;
    if (chosen !== undefined) return false;
    const text = await this.#callList("displayed");
    // While a text is typed for a search, some controls display this text instead of their choice. So an
    // unchanged display proves the choice only if it equals the label of the option. A changed display proves
    // the choice if it contains the label.
    if (text === textBefore ? text === normalizeOption(label) : mentions(text)) return true;
    if (await inDocument(tab, index, tab.frames.call(frame, "listbox", "fieldHolds", id, query))) return true;
    return await inDocument(tab, index, tab.frames.call(frame, "listbox", "addedWithRemoval", id, query));
  }

  #callList<Method extends ControlMethod>(method: Method) {
    const { tab } = this.#input;
    const { frame, id } = this.#control;
    return this.#inDocument(tab.frames.call<"listbox", Method>(frame, "listbox", method, ...([id] as never)));
  }

  #scrollOn(fromStart: boolean): Promise<boolean> {
    const { frame, id } = this.#control;
    return this.#input.tab.frames.call(frame, "listbox", "scrollOn", id, fromStart);
  }

  #inDocument<Value>(call: Promise<Value>): Promise<Value> {
    return inDocument(this.#input.tab, this.#control.index, call);
  }
}
