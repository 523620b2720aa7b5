/**
 * The basic actions on elements: click, hover, type, select, scroll and keys. Immediately before it sends
 * input, each action awaits `permit`, which checks that this worker still owns the session. An action that
 * has sent input is never repeated.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { OptionChooser } from "./choose-listbox-option.ts";
import {
  clickablePointOf,
  inDocument,
  obstacleFailure,
  releaseEvents,
  type Target,
  targetOf,
} from "./clickable-point.ts";
import { chordsOf } from "./keyboard-chords.ts";
import { slideTo } from "./move-slider.ts";
import { type ClickOptions, type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";
import { inputFieldOf, typeDrawnText } from "./type-into-code-editor.ts";

type Params<Name extends Action["name"]> = Extract<Action, { name: Name }>["params"];

/** Whether arrow keys change the value of the element, as in a slider. Such a value cannot be typed. */
const isMovedByKeys = ({ info: { tag, attributes } }: Target): boolean =>
  attributes.role === "slider" ||
  (attributes.role === "spinbutton" && tag !== "input" && attributes.contenteditable === undefined);

export class ElementActions {
  readonly #tab: Tab;
  readonly #input: PageInput;

  constructor(input: PageInput) {
    this.#tab = input.tab;
    this.#input = input;
  }

  async click(index: number, clicking: ClickOptions): Promise<Data> {
    const target = await targetOf(this.#tab, index);
    const effect = await this.#input.click(target, clicking);
    return { ...(effect.pressed ? {} : { clicked: true }), element: elementResultOf(target), ...effect };
  }

  async hover(index: number): Promise<Data> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    const until = performance.now() + sessionLimits.actionableWithin;
    try {
      const { x, y } = await clickablePointOf(tab, target, until, "hover");
      await this.#input.awaitPermit();
      await this.#input.move(x, y);
      const { changes } = (await this.#input.waitForPopup(target)) ?? { changes: 0 };
      return {
        hovered: true,
        element: elementResultOf(target),
        effect: changes > 0 ? "changed" : "nothing_changed",
      };
    } finally {
      await releaseEvents(tab);
    }
  }

  /**
   * Types a text into a field.
   * @param delay milliseconds between two keys; without it, the whole text is inserted at once
   */
  async input({ index, text, clear }: Params<"input">, delay?: number): Promise<Data> {
    const target = await this.#field(await targetOf(this.#tab, index));
    return await this.inputInto(target, { text, clear }, delay);
  }

  /**
   * Returns the field that receives the text: the target itself, or the field inside of the target when a
   * script has drawn a box around the field.
   */
  async #field(target: Target): Promise<Target> {
    const tab = this.#tab;
    const { index, frame, id } = target;
    const field = await inDocument(tab, index, tab.frames.call(frame, "fieldValues", "innerField", id));
    if (field === undefined) return target;
    const info = await inDocument(tab, index, tab.frames.call(frame, "actionability", "describe", field));
    return info ? { index, frame, id: field, info } : target;
  }

  async inputInto(
    target: Target,
    { text, clear }: Omit<Params<"input">, "index">,
    delay?: number,
  ): Promise<Data> {
    const tab = this.#tab;
    const { index } = target;
    const { frames } = tab;
    const hiddenField = await inputFieldOf(tab, target);
    if (hiddenField !== undefined) {
      const write = async (): Promise<void> => {
        if (delay !== undefined) await this.#typeSlowly(target, text, delay);
        else await tab.answer(tab.session.send("Input.insertText", { text }));
      };
      return await typeDrawnText(this.#input, target, { hiddenField, text, clear, write });
    }
    const until = performance.now() + sessionLimits.actionableWithin;
    const before = this.#input.pageState();
    try {
      // Both requests are sent together, because a page that draws without pause answers only once per animation
      // frame. The page handles the first request first, so the state is read before the element is prepared.
      const [state] = await Promise.all([
        this.#input.targetState(target),
        clickablePointOf(tab, target, until),
      ]);
      await this.#input.awaitPermit();
      if (isMovedByKeys(target)) return await slideTo(this.#input, target, text);
      const set = await inDocument(
        tab,
        index,
        frames.call(target.frame, "fieldValues", "set", target.id, text, false),
      );
      if (set === "not_settable") {
        const obstacle = await inDocument(
          tab,
          index,
          frames.call(target.frame, "actionability", "focus", target.id, clear),
        );
        if (obstacle) throw await obstacleFailure(tab, index, obstacle);
        if (text === "") await this.#input.press("Backspace");
        else if (delay !== undefined) await this.#typeSlowly(target, text, delay);
        else await this.#insert(target, text);
      } else if (set === "ArrowUp" || set === "ArrowDown") await this.#finishSlider(target, text, set);
      else if (set) throw await obstacleFailure(tab, index, set);
      const after = await this.#input.targetState(target);
      if (after?.stopped) throw await obstacleFailure(tab, index, after.stopped);
      const holds =
        after &&
        (await inDocument(
          tab,
          index,
          frames.call(target.frame, "fieldValues", "holds", target.id, text, clear),
        ));
      const effect = await this.#input.effect(before, state, after);
      if (holds === false) {
        throw new ActionFailure(
          "not_applied",
          `Element [${index}] does not hold the text after it was typed.`,
          {
            index,
            ...(after?.value === undefined ? {} : { value: after.value }),
          },
        );
      }
      return { typed: true, element: elementResultOf(target), ...effect };
    } finally {
      // The call that ends the event guard is not awaited. The page handles calls in order, so the guard ends
      // before the next call runs.
      void releaseEvents(tab);
    }
  }

  /**
   * Presses the arrow key that moves a slider by the last step. If the slider then lacks the wanted value,
   * sets the value directly.
   */
  async #finishSlider({ index, frame, id }: Target, text: string, key: string): Promise<void> {
    const tab = this.#tab;
    const { frames } = tab;
    await inDocument(tab, index, frames.call(frame, "fieldValues", "acceptSurroundings", id));
    await this.#input.press(key);
    if (await inDocument(tab, index, frames.call(frame, "fieldValues", "holds", id, text, true))) return;
    const set = await inDocument(tab, index, frames.call(frame, "fieldValues", "set", id, text, true));
    if (typeof set === "object") throw await obstacleFailure(tab, index, set);
  }

  /**
   * Inserts the text at once. In a field, the last character is typed by its key, because many pages react
   * only to key events. Spaces before it are typed by keys too: a field that removes spaces around its value
   * (`v-model.trim` of a Vue component) would remove them at the end of the inserted text.
   */
  async #insert({ info }: Target, text: string): Promise<void> {
    const last = /^(input|textarea)$/.test(info.tag) ? (/ *[\p{L}\p{N} .,-]$/u.exec(text)?.[0] ?? "") : "";
    const head = text.slice(0, text.length - last.length);
    const { session } = this.#tab;
    // Both commands are sent at once, because Chromium handles them in this order: it inserts the text, and
    // then types the last characters.
    await Promise.all([
      head === "" ? undefined : this.#tab.answer(session.send("Input.insertText", { text: head })),
      this.#typeCharacters(last),
    ]);
  }

  async #typeCharacters(text: string): Promise<void> {
    for (const letter of text) await this.#input.typeCharacter(letter);
  }

  /** Types key by key, as a person does. In a single-line field, line breaks are left out. */
  async #typeSlowly(target: Target, text: string, delay: number): Promise<void> {
    const lines = target.info.tag !== "input";
    let permitted = performance.now();
    for (const letter of text.replace(/\r\n?/g, "\n")) {
      if (letter === "\n" && !lines) continue;
      if (performance.now() - permitted > sessionLimits.dispatchWithin / 2) {
        await this.#input.awaitPermit();
        permitted = performance.now();
      }
      await this.#input.typeCharacter(letter);
      await pause(delay);
    }
  }

  async select({ index, text, value }: Params<"select_dropdown">): Promise<Data> {
    return await this.selectIn(await this.#listTarget(index), { text, value });
  }

  async selectIn(target: Target, { text, value }: Omit<Params<"select_dropdown">, "index">): Promise<Data> {
    const tab = this.#tab;
    const { index } = target;
    const wanted = text === undefined ? [value ?? ""] : [text].flat();
    if (target.info.tag !== "select") return await new OptionChooser(this.#input, target).select(wanted);
    const before = this.#input.pageState();
    try {
      await clickablePointOf(tab, target, performance.now() + sessionLimits.actionableWithin);
      await this.#input.awaitPermit();
      const call = tab.frames.call(target.frame, "fieldValues", "select", target.id, wanted);
      const chosen = await inDocument(tab, index, call);
      if ("problem" in chosen) throw await obstacleFailure(tab, index, chosen);
      if (!chosen.selected) {
        throw new ActionFailure(
          "invalid_params",
          `There is no option ${wanted.join(", ")} to choose in [${index}].`,
          {
            index,
            options: chosen.options,
          },
        );
      }
      return {
        selected: chosen.selected.map(({ label }) => label),
        values: chosen.selected.map(({ value }) => value),
        element: elementResultOf(target),
        ...withKnownEffect(await this.#input.effect(before, undefined, undefined)),
      };
    } finally {
      await releaseEvents(tab);
    }
  }

  /** Types into a field that also has a list, and chooses the option that equals the text. */
  async typeOrChoose(target: Target, text: string): Promise<Data> {
    const type = (): Promise<Data> => this.inputInto(target, { text, clear: true });
    return await new OptionChooser(this.#input, target).typeAndChoose(text, type);
  }

  /**
   * Returns the element on which an action must work. For a hidden select, this is the visible control in its
   * place; for a label, it is the field of the label.
   */
  async #listTarget(index: number): Promise<Target> {
    const tab = this.#tab;
    const target = await targetOf(tab, index);
    const { frame, id, info } = target;
    if (info.tag !== "select" && info.tag !== "label") return target;
    const proxy = await inDocument(tab, index, tab.frames.call(frame, "listbox", "proxy", id));
    if (proxy === undefined) return target;
    const proxyInfo = await inDocument(
      tab,
      index,
      tab.frames.call(frame, "actionability", "describe", proxy),
    );
    return proxyInfo ? { index, frame, id: proxy, info: proxyInfo } : target;
  }

  async options(index: number): Promise<Data> {
    const tab = this.#tab;
    const target = await this.#listTarget(index);
    if (target.info.tag !== "select") return await new OptionChooser(this.#input, target).options();
    const options = await inDocument(
      tab,
      index,
      tab.frames.call(target.frame, "fieldValues", "options", target.id),
    );
    return { options: options.map(({ label }) => label), values: options.map(({ value }) => value) };
  }

  async scroll({ direction: given, down, amount, pages, index }: Params<"scroll">): Promise<Data> {
    const tab = this.#tab;
    const target = index === undefined ? undefined : await targetOf(tab, index);
    await this.#input.awaitPermit();
    const frame = target?.frame ?? tab.frames.main;
    const direction = down === undefined ? given : down ? "down" : "up";
    const pixels = pages === undefined ? amount : Math.round(pages * (await viewHeight(tab)));
    const call = tab.frames.call(frame, "actionability", "scroll", target?.id, direction, pixels);
    const { before, after, maximum } = await tab.answer(call);
    const moved = Math.abs(after - before);
    return {
      scrolled: moved,
      position: after,
      at_start: after <= 1,
      at_end: after >= maximum - 1,
      effect: moved > 0 ? "scrolled" : "nothing_changed",
    };
  }

  async keys(keys: string): Promise<Data> {
    const before = this.#input.pageState();
    const chords = chordsOf(keys);
    await this.#input.awaitPermit();
    for (const chord of chords) await this.#input.pressChord(chord);
    return { sent: keys, ...(await this.#input.effect(before, undefined, undefined)) };
  }
}

/**
 * Replaces an unknown effect of a selection by `state_changed`. The page has confirmed the selected options,
 * so the state has changed.
 */
const withKnownEffect = (data: Data): Data =>
  data.effect === "unknown" ? { ...data, effect: "state_changed" } : data;

/** Returns the height of the tab's viewport in CSS pixels. */
async function viewHeight(tab: Tab): Promise<number> {
  return (await tab.answer(tab.snapshots.peek())).scroll.viewport_height;
}
