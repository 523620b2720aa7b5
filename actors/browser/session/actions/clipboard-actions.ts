/**
 * Selects all, copies, cuts and pastes. Each session has its own clipboard, because all sessions of a browser
 * would share the system clipboard. Pages get the usual clipboard events; if the page does not paste the text
 * itself, the text is inserted as by a keyboard.
 */

import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { lifecycleLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Obstacle } from "../../page-script/actionability/same-element-check.ts";
import { ActionFailure } from "../action-error.ts";
import type { SavedState } from "../state/capture-session-state.ts";
import type { Frame } from "../tabs/tab-frames.ts";
import {
  clickablePointOf,
  inDocument,
  obstacleFailure,
  releaseEvents,
  type Target,
  targetOf,
} from "./clickable-point.ts";
import { type Data, elementResultOf, type PageInput } from "./pointer-and-key-input.ts";
import { inputFieldOf, selectDrawnText } from "./type-into-code-editor.ts";

type Params<Name extends Action["name"]> = Extract<Action, { name: Name }>["params"];

export class Clipboard {
  content: { readonly text: string; readonly html: string } | undefined;

  /** Adds the clipboard to the saved state of the session, if its content is not too long. */
  savedWith(saved: SavedState): SavedState {
    const { content } = this;
    if (!content) return saved;
    const fits = content.text.length + content.html.length <= lifecycleLimits.fieldLength;
    const kept = fits
      ? { clipboard: content }
      : { lost: [...saved.session.lost, "what was copied: it is too long to be kept"] };
    return { ...saved, session: { ...saved.session, ...kept } };
  }
}

/**
 * Where a clipboard action applies: the element that the caller has given, or else the focused field or
 * frame.
 */
interface Spot {
  readonly frame: Frame;
  readonly target: Target | undefined;
}

export class ClipboardActions {
  readonly #input: PageInput;
  readonly #clipboard: Clipboard;

  constructor(input: PageInput, clipboard: Clipboard) {
    this.#input = input;
    this.#clipboard = clipboard;
  }

  async selectAll({ index }: Params<"select_all">): Promise<Data> {
    const { tab } = this.#input;
    const spot = await this.#spot(index);
    const hiddenField = spot.target && (await inputFieldOf(tab, spot.target));
    if (spot.target && hiddenField !== undefined) {
      const characters = await selectDrawnText(this.#input, spot.target, hiddenField);
      return { selected: characters > 0, characters, ...elementData(spot) };
    }
    await this.#input.awaitPermit();
    const call = tab.frames.call(spot.frame, "clipboardEvents", "selectAll", spot.target?.id ?? null);
    const answer = await inDocument(tab, index ?? -1, call);
    if ("problem" in answer) throw await obstacleFailure(tab, index ?? -1, answer);
    return { selected: answer.chosen > 0, characters: answer.chosen, ...elementData(spot) };
  }

  async copy({ index }: Params<"copy">): Promise<Data> {
    const spot = await this.#spot(index);
    await this.#input.awaitPermit();
    const { text } = await this.#copyFrom(spot, index, "copy");
    return { copied: true, text, characters: text.length, ...elementData(spot) };
  }

  async cut({ index }: Params<"cut">): Promise<Data> {
    const { tab } = this.#input;
    const spot = await this.#spot(index);
    const before = this.#input.pageState();
    try {
      if (spot.target)
        await clickablePointOf(tab, spot.target, performance.now() + sessionLimits.actionableWithin);
      const target = spot.target ?? (await this.#withCursor(spot.frame));
      const state = await this.#input.targetState(target);
      await this.#input.awaitPermit();
      const { text, handled } = await this.#copyFrom(spot, index, "cut");
      if (!handled) await this.#input.press("Delete");
      const after = await this.#input.targetState(target);
      if (after?.stopped) throw await obstacleFailure(tab, target.index, after.stopped);
      if (after?.value !== undefined && after.value === state?.value) {
        throw new ActionFailure("not_applied", "What was to be cut is still there.", { value: after.value });
      }
      const effect = await this.#input.effect(before, state, after);
      return { cut: true, text, characters: text.length, ...elementData({ ...spot, target }), ...effect };
    } finally {
      await releaseEvents(tab);
    }
  }

  async paste({ index, text: givenText }: Params<"paste">): Promise<Data> {
    const { tab } = this.#input;
    const { frames } = tab;
    const content = givenText === undefined ? this.#clipboard.content : { text: givenText, html: "" };
    if (!content) {
      throw new ActionFailure(
        "invalid_params",
        "Nothing was copied in this session. copy something first, or name a text.",
      );
    }
    const spot = await this.#spot(index);
    const before = this.#input.pageState();
    try {
      if (spot.target)
        await clickablePointOf(tab, spot.target, performance.now() + sessionLimits.actionableWithin);
      let target = spot.target;
      const state = target && (await this.#input.targetState(target));
      await this.#input.awaitPermit();
      // Focusing a field clears its selection, which the pasted text must replace. A field that already has
      // the focus is therefore not focused again.
      if (target && !state?.focused) {
        const call = frames.call(target.frame, "actionability", "focus", target.id, false);
        const obstacle = await inDocument(tab, target.index, call);
        if (obstacle) throw await obstacleFailure(tab, target.index, obstacle);
      }
      target ??= await this.#withCursor(spot.frame);
      const stateBefore = await this.#input.targetState(target);
      const { text, html } = content;
      const handled = await inDocument(
        tab,
        target.index,
        frames.call(target.frame, "clipboardEvents", "paste", target.id, text, html),
      );
      if (!handled) await tab.answer(tab.session.send("Input.insertText", { text }));
      const after = await this.#input.targetState(target);
      if (after?.stopped) throw await obstacleFailure(tab, target.index, after.stopped);
      const holds =
        handled ||
        (after &&
          (await inDocument(
            tab,
            target.index,
            frames.call(target.frame, "fieldValues", "holds", target.id, text, false),
          )));
      const effect = await this.#input.effect(before, stateBefore, after);
      if (holds === false) {
        throw new ActionFailure("not_applied", "The field does not hold the text after it was pasted.", {
          ...(after?.value === undefined ? {} : { value: after.value }),
        });
      }
      if (givenText !== undefined) this.#clipboard.content = content;
      return {
        pasted: true,
        characters: text.length,
        ...(handled ? { by_page: true } : {}),
        ...elementData({ ...spot, target }),
        ...effect,
      };
    } finally {
      await releaseEvents(tab);
    }
  }

  async #copyFrom(spot: Spot, index: number | undefined, by: "copy" | "cut") {
    const { tab } = this.#input;
    const call = tab.frames.call(spot.frame, "clipboardEvents", "copy", spot.target?.id ?? null, by);
    const copied = await inDocument(tab, index ?? -1, call);
    if (copied === "secret")
      throw new ActionFailure("not_applied", "What a password field holds is not copied.", { index });
    if ("problem" in copied) throw await obstacleFailure(tab, index ?? -1, copied satisfies Obstacle);
    if (copied.text === "") {
      throw new ActionFailure("not_applied", "Nothing is chosen. select_all chooses all of a field.", {
        index,
      });
    }
    this.#clipboard.content = { text: copied.text, html: copied.html };
    return copied;
  }

  async #spot(index: number | undefined): Promise<Spot> {
    const { tab } = this.#input;
    if (index !== undefined) {
      const target = await targetOf(tab, index);
      return { frame: target.frame, target };
    }
    // If the focus is in a frame, the outer document reports the frame element. The search continues in the
    // frame until it finds the innermost document.
    let { main: frame } = tab.frames;
    await tab.answer(tab.frames.registerFrameElements());
    for (;;) {
      const cursor = await tab.answer(tab.frames.call(frame, "clipboardEvents", "focused"));
      const inner = cursor?.frame === undefined ? undefined : tab.frames.get(cursor.frame);
      if (!inner) return { frame, target: undefined };
      frame = inner;
    }
  }

  /** Returns the field in the frame that has the focus, as a target for an action. */
  async #withCursor(frame: Frame): Promise<Target> {
    const { tab } = this.#input;
    const cursor = await tab.answer(tab.frames.call(frame, "clipboardEvents", "focused"));
    const info = cursor && (await tab.answer(tab.frames.call(frame, "actionability", "describe", cursor.id)));
    if (!cursor?.writable || !info) {
      throw new ActionFailure(
        "invalid_params",
        "No field that can be written into has the cursor. Name its index.",
      );
    }
    return { index: -1, frame, id: cursor.id, info };
  }
}

function elementData({ target }: { readonly target: Target | undefined }): Data {
  return target ? { element: elementResultOf(target) } : {};
}
