/**
 * Fills, submits and resets whole forms, and verifies each step. All fields are located before the first one
 * is changed. So a wrong index cannot leave a form half filled.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { normalizeLabel } from "../../../../machines/session/controls/field-by-label.ts";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { FormFound, FormOutcome } from "../../page-script/actions/form-submission.ts";
import { ActionFailure } from "../action-error.ts";
import { labelledFields } from "../snapshot/find-form-field-by-label.ts";
import { messagesOf } from "../snapshot/page-changes-in-outcome.ts";
import type { Frame } from "../tabs/tab-frames.ts";
import { clickSubmitButton } from "./click-submit-button.ts";
import { inDocument, obstacleFailure, type Target, targetOf } from "./clickable-point.ts";
import type { ElementActions } from "./element-actions.ts";
import { type ButtonWithFields, findSavingButton, watchWithoutButton } from "./form-without-submit-button.ts";
import { enterWholeDate, pickDate } from "./pick-date.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";
import { isSentByKeyOnly, sendByEnter } from "./send-form-by-enter.ts";
import { submitFieldsOfButton } from "./submit-fields-without-form-element.ts";
import {
  assertAccepted,
  assertNotStoppedByScript,
  type SentForm,
  writesOfForm,
} from "./verify-form-acceptance.ts";
import { waitForReaction, waitForResponses } from "./wait-for-responses-of-action.ts";

type Params<Name extends Action["name"]> = Extract<Action, { name: Name }>["params"];
type Entry = Params<"fill_form">["fields"][number];

interface Filling {
  readonly entry: Entry;
  readonly target: Target;
  /**
   * The name of the field that was filled. It is absent when it equals the label that the caller has given.
   */
  readonly name?: string;
}

export class FormActions {
  readonly #input: PageInput;
  readonly #actions: ElementActions;

  constructor(input: PageInput, actions: ElementActions) {
    this.#input = input;
    this.#actions = actions;
  }

  async fill({ fields, submit }: Params<"fill_form">): Promise<Data> {
    const { tab } = this.#input;
    const fillings: Filling[] = [];
    const labels = fields.filter(({ index }) => index === undefined);
    const labelled = await labelledFields(
      tab,
      labels.map(({ label = "", value }) => ({ label, value })),
    );
    for (const entry of fields) {
      const field = labelled[labels.indexOf(entry)];
      const index = entry.index ?? field?.highlight_index ?? -1;
      const label = normalizeLabel(entry.label ?? "");
      const isLabelled = [field?.labelText, field?.ariaLabel].some(
        (text) => normalizeLabel(text ?? "") === label,
      );
      const name = field && !isLabelled ? nameOf(field) : undefined;
      fillings.push({
        entry,
        target: await targetOf(tab, index),
        ...(name && normalizeLabel(name) !== label ? { name } : {}),
      });
    }
    const results: Data[] = [];
    for (const filling of fillings) results.push(await this.#tryOne(filling));
    const failed = results.filter(({ success }) => success === false);
    if (failed.length > 0) {
      throw new ActionFailure(
        "not_applied",
        `${failed.length} of ${results.length} fields were not filled; data.fields says which and why.`,
        { filled: results.length - failed.length, fields: results },
      );
    }
    const filled = { filled: results.length, fields: results };
    const [first] = fillings;
    if (!submit || !first) return { ...filled, effect: "state_changed" };
    try {
      return { ...filled, ...(await this.submit({ index: first.target.index })) };
    } catch (error) {
      // An error of the caller's parameters is reported together with the filled fields, so that the caller
      // does not fill them again.
      if (!(error instanceof ActionFailure) || error.code !== "invalid_params") throw error;
      throw new ActionFailure("invalid_params", `The fields are filled. ${error.message}`, {
        ...error.data,
        ...filled,
      });
    }
  }

  async submit({ index }: Params<"submit_form">): Promise<Data> {
    const { tab } = this.#input;
    const button = index === undefined ? undefined : await this.#buttonWithoutForm(index);
    if (button) return await submitFieldsOfButton(this.#input, button.target, button.fields);
    const { frame, found } = await this.#form(index);
    const outside = await findSavingButton(tab, index, found);
    if (outside) return await submitFieldsOfButton(this.#input, outside.target, outside.fields);
    const before = this.#input.pageState();
    const { form, submitter = found.disabledSubmitter, name } = found;
    const sent: SentForm = {
      found,
      frame,
      messages: (await messagesOf(tab)) ?? [],
      writes: tab.requests.writesOfAction(tab.targetId).length,
      navigations: before.navigations,
    };
    await this.#inDocument(index, tab.frames.call(frame, "formSubmission", "watch", form));
    const isWithoutEffect = await watchWithoutButton(tab, frame, found);
    let effect: Data = {};
    const info =
      submitter === undefined
        ? undefined
        : await this.#inDocument(index, tab.frames.call(frame, "actionability", "describe", submitter));
    const clicked =
      submitter === undefined || !info
        ? undefined
        : await this.#clickSubmitButton(index, found, { index: -1, frame, id: submitter, info });
    const field =
      index !== undefined && submitter === undefined && isSentByKeyOnly(found)
        ? await targetOf(tab, index)
        : undefined;
    if (field && (await sendByEnter(this.#input, field))) {
      await waitForResponses(tab, async () => !tab.dialog);
      return { submitted: true, form: name, by_page: true, ...(await this.#navigationEffect(before)) };
    }
    if (clicked) effect = clicked;
    else if (submitter === undefined || info) {
      await this.#input.awaitPermit();
      await this.#inDocument(index, tab.frames.call(frame, "formSubmission", "submit", form, submitter));
    }
    let outcome = await this.#outcome(frame, form);
    if (outcome?.submitted && !outcome.prevented && tab.navigations === before.navigations && !tab.dialog) {
      // The browser sends a form a moment after the submit event. So the action waits for a short time for
      // the start of a navigation.
      await tab.waitUntil(
        () => tab.navigations !== before.navigations || tab.loading,
        sessionLimits.submitStarts,
      );
      if (tab.loading) await tab.waitForLoad();
    } else if (outcome?.prevented) {
      await pause(sessionLimits.submitSettles);
      await waitForResponses(tab, async () => !tab.dialog);
      outcome = await this.#outcome(frame, form);
    } else if (outcome && !outcome.submitted && outcome.invalid.length === 0) {
      // A script may send the form when it receives the click, and stop the click. The form then has no submit
      // event.
      await waitForReaction(tab, before);
      await waitForResponses(tab, async () => !tab.dialog);
      if (tab.loading) await tab.waitForLoad();
      outcome = await this.#outcome(frame, form);
    }
    effect = { ...effect, ...(await this.#navigationEffect(before)) };
    // After a filter is applied, the page shows the filter form again above the results. An error message on
    // this page then does not show that the form was refused. A form with the method GET counts as a filter,
    // unless a script sends it instead of the browser.
    const isFilter = found.isSearch || (found.isGet && !outcome?.prevented);
    if (!outcome || effect.effect === "navigated" || !outcome.alive) {
      if (!isFilter) await assertAccepted(tab, sent);
      return { submitted: true, form: name, ...effect };
    }
    const [write] = outcome.submitted ? [] : writesOfForm(tab, sent);
    const isStopped = outcome.prevented || (!outcome.submitted && !write);
    const invalid = outcome.invalid.length > 0 ? outcome.invalid : isStopped ? outcome.marked : [];
    if (invalid.length > 0) {
      const messages = invalid.map(({ label, name, message }) => `${label || name}: ${message}`).join("; ");
      throw new ActionFailure("form_invalid", `The form was not sent: ${messages}`, {
        form: name,
        fields: invalid,
      });
    }
    if (outcome.prevented && !write && (await isWithoutEffect())) {
      const message =
        "The form was not sent: a script of the page has stopped it, and nothing followed. Press the button that sends it.";
      throw new ActionFailure("not_applied", message, { form: name });
    }
    if (outcome.prevented && !write) await assertNotStoppedByScript(tab, sent, outcome.lines);
    if (!outcome.submitted && !write) {
      throw new ActionFailure("not_applied", "The form was not sent: the page did not let it be.", {
        form: name,
      });
    }
    if (write || !isFilter) await assertAccepted(tab, sent);
    const evidence = write ? { evidence: "request", http_status: write.status } : {};
    const isByPage = outcome.prevented || write !== undefined;
    return { submitted: true, form: name, ...(isByPage ? { by_page: true } : {}), ...evidence, ...effect };
  }

  /**
   * Clicks the submit button as {@link clickSubmitButton} does.
   *
   * @throws ActionFailure if the button stays disabled. A person cannot send such a form either, with a click or with
   * Enter, so no script sends it.
   */
  async #clickSubmitButton(
    index: number | undefined,
    found: FormFound,
    button: Target,
  ): Promise<Data | undefined> {
    try {
      return await this.#clickAfterField(index, found, button);
    } catch (error) {
      if (!(error instanceof ActionFailure) || error.code !== "element_disabled") throw error;
      const { name, refusedFields: fields } = (await this.#form(index)).found;
      const wrong = fields.map(({ label, name, message }) => `${label || name}: ${message}`).join("; ");
      const why =
        wrong === ""
          ? "A value may be missing, or not be accepted by the page."
          : `These fields are not valid: ${wrong}`;
      throw new ActionFailure("form_invalid", `The form was not sent: its button is disabled. ${why}`, {
        form: name,
        fields,
        disabled: true,
      });
    }
  }

  /**
   * Clicks the submit button. If it is disabled, the focus leaves the field first: some fields take the typed value only
   * then (number fields of React Aria, `v-model.lazy` of Vue), and the button is enabled only after a change. The press
   * of a person on the disabled button does the same.
   */
  async #clickAfterField(
    index: number | undefined,
    found: FormFound,
    button: Target,
  ): Promise<Data | undefined> {
    try {
      return await clickSubmitButton(this.#input, found, button);
    } catch (error) {
      if (!(error instanceof ActionFailure) || error.code !== "element_disabled") throw error;
      await this.#input.awaitPermit();
      const { frames } = this.#input.tab;
      const call = frames.call(button.frame, "formSubmission", "leaveField", found.form);
      if (!(await this.#inDocument(index, call))) throw error;
      return await clickSubmitButton(this.#input, found, button);
    }
  }

  async reset({ index }: Params<"reset_form">): Promise<Data> {
    const { tab } = this.#input;
    const { frame, found } = await this.#form(index);
    const { form, resetter, name } = found;
    await this.#inDocument(index, tab.frames.call(frame, "formSubmission", "watch", form));
    const info =
      resetter === undefined
        ? undefined
        : await this.#inDocument(index, tab.frames.call(frame, "actionability", "describe", resetter));
    if (resetter !== undefined && info) {
      await this.#input.click({ index: -1, frame, id: resetter, info }, LEFT_CLICK);
    } else {
      await this.#input.awaitPermit();
      await this.#inDocument(index, tab.frames.call(frame, "formSubmission", "reset", form));
    }
    const outcome = await this.#inDocument(index, tab.frames.call(frame, "formSubmission", "outcome", form));
    const changed = await this.#inDocument(
      index,
      tab.frames.call(frame, "formSubmission", "changedFields", form),
    );
    if (!outcome.reset || changed.length > 0) {
      throw new ActionFailure("not_applied", "The form was not emptied: the page did not let it be.", {
        form: name,
        fields: changed,
      });
    }
    return { reset: true, form: name, effect: "state_changed" };
  }

  async #tryOne(filling: Filling): Promise<Data> {
    const { target, entry, name } = filling;
    const identity = {
      index: target.index,
      ...(entry.label === undefined ? {} : { label: entry.label }),
      ...(name === undefined ? {} : { name }),
    };
    try {
      return { ...identity, success: true, ...(await this.#fillOne(filling)) };
    } catch (error) {
      if (!(error instanceof ActionFailure)) throw error;
      const { options } = error.data;
      return {
        ...identity,
        success: false,
        code: error.code,
        error: error.message,
        ...(options === undefined ? {} : { options }),
      };
    }
  }

  #fillOne({ target, entry: { value } }: Filling): Promise<Data> {
    return this.fillTarget(target, value);
  }

  /** Fills one field in the way that its kind needs: by typing, choosing, checking or picking a date. */
  async fillTarget(target: Target, value: Entry["value"]): Promise<Data> {
    const { index, info } = target;
    const type = info.type.toLowerCase();
    if (info.tag === "select" || Array.isArray(value)) {
      return fieldResult(
        await this.#actions.selectIn(target, { text: Array.isArray(value) ? value : String(value) }),
      );
    }
    if (info.tag === "input" && type === "radio" && typeof value !== "boolean")
      return await this.#choose(target, String(value));
    const checked = await this.#checked(target);
    if (typeof value === "boolean") {
      if (checked === undefined)
        throw new ActionFailure("invalid_params", `Element [${index}] is nothing to be checked.`, { index });
      return await this.#check(target, value, checked);
    }
    const text = String(value);
    const whole = await enterWholeDate(this.#input, this.#actions, { index, text });
    if (whole) return { value: whole.value };
    const { role, "aria-haspopup": popup, "aria-autocomplete": autocomplete = "" } = info.attributes;
    const isButton = info.tag === "button" || role === "button";
    if (isDay(text) && (popup === "dialog" || (isButton && /^(grid|true)$/.test(popup ?? "")))) {
      const { value: heldValue = text, waits_for } = await pickDate(this.#input, this.#actions, index, text);
      return { value: heldValue, ...(waits_for === undefined ? {} : { waits_for }) };
    }
    // With `aria-autocomplete`, the list of a text field only suggests texts. Such a field is filled by
    // typing.
    if (/^(input|textarea)$/.test(info.tag) && popup === undefined && /^(list|both)$/.test(autocomplete))
      return fieldResult(await this.#actions.typeOrChoose(target, text));
    // A readonly field accepts no typed text. Its value is chosen from a list.
    const isReadonly = info.tag === "input" && info.attributes.readonly !== undefined;
    const chosen =
      isReadonly ||
      popup === "listbox" ||
      (isButton && popup !== undefined && popup !== "false") ||
      (role === "combobox" && (popup ?? "true") === "true");
    return chosen ? await this.#chooseOrType(target, text) : await this.#type(target, text);
  }

  async #type(target: Target, text: string): Promise<Data> {
    return fieldResult(await this.#actions.inputInto(target, { text, clear: true }));
  }

  /** Fills a field that has a list. When the list does not contain the value, the value is typed. */
  async #chooseOrType(target: Target, text: string): Promise<Data> {
    try {
      return fieldResult(await this.#actions.selectIn(target, { text }));
    } catch (error) {
      if (!(error instanceof ActionFailure) || error.code !== "invalid_params") throw error;
      try {
        return await this.#type(target, text);
      } catch (typingError) {
        // When typing has failed too, the caller receives the error of the first attempt. It explains the
        // cause: the list lacks the option.
        throw typingError instanceof ActionFailure ? error : typingError;
      }
    }
  }

  async #choose(target: Target, wanted: string): Promise<Data> {
    const { tab } = this.#input;
    const { index, frame } = target;
    const found = await this.#inDocument(
      index,
      tab.frames.call(frame, "formSubmission", "findRadio", target.id, wanted),
    );
    if (!("id" in found)) {
      throw new ActionFailure("invalid_params", `There is no option "${wanted}" in [${index}].`, {
        index,
        options: found.options,
      });
    }
    const info = await this.#inDocument(index, tab.frames.call(frame, "actionability", "describe", found.id));
    const chosen = { ...target, id: found.id, info: info ?? target.info };
    return { ...(await this.#check(chosen, true, await this.#checked(chosen))), value: wanted };
  }

  async #check(target: Target, wanted: boolean, now: boolean | undefined): Promise<Data> {
    if (now === wanted) return { checked: wanted, effect: "nothing_changed" };
    await this.#input.click(target, LEFT_CLICK);
    // Some checkboxes are redrawn before their state changes, so the state is read several times.
    const until = performance.now() + sessionLimits.dispatchWithin;
    while ((await this.#checked(target)) !== wanted) {
      await pause(sessionLimits.actionableEvery);
      if (performance.now() < until) continue;
      const { index } = target;
      throw new ActionFailure(
        "not_applied",
        `Element [${index}] is ${wanted ? "not " : ""}checked after the click.`,
        {
          index,
        },
      );
    }
    return { checked: wanted };
  }

  #checked({ index, frame, id }: Target): Promise<boolean | undefined> {
    return this.#inDocument(index, this.#input.tab.frames.call(frame, "formSubmission", "isChecked", id));
  }

  /**
   * Returns the button with this name on the current page, or `undefined` when there is none. A heading, a
   * tab or a link of the header may have the same name. So a submit button is preferred, and otherwise the
   * first element with this name that follows a field of the form.
   * @param after index of a field that the button follows
   */
  async buttonCalled(name: string, after: number): Promise<Target | undefined> {
    const { tab } = this.#input;
    const { elements } = await tab.answer(tab.snapshots.take());
    const field = elements.findIndex(({ highlight_index }) => highlight_index === after);
    const wanted = normalizeLabel(name);
    const buttons = elements.filter(
      (element) =>
        /^(click|submit|navigate)$/.test(element.interactionType) &&
        [nameOf(element), element.ariaLabel, element.value].some(
          (text) => text && normalizeLabel(text) === wanted,
        ),
    );
    const found =
      buttons.find(({ interactionType }) => interactionType === "submit") ??
      buttons.find((button) => elements.indexOf(button) > field) ??
      buttons[0];
    return found && (await targetOf(tab, found.highlight_index));
  }

  /** Returns a button that is in no form, and the fields that it sends; `undefined` for any other element. */
  async #buttonWithoutForm(index: number): Promise<ButtonWithFields | undefined> {
    const { tab } = this.#input;
    const target = await targetOf(tab, index);
    const call = tab.frames.call(target.frame, "fieldsSentByButton", "find", target.id);
    const fields = await this.#inDocument(index, call);
    return fields ? { target, fields } : undefined;
  }

  async #form(index: number | undefined): Promise<{ readonly frame: Frame; readonly found: FormFound }> {
    const { tab } = this.#input;
    const target = index === undefined ? undefined : await targetOf(tab, index);
    const frames = target ? [target.frame] : tab.frames.all();
    const others: string[] = [];
    for (const frame of frames) {
      const found = await this.#inDocument(
        index,
        tab.frames.call(frame, "formSubmission", "find", target?.id ?? null),
      );
      if ("form" in found) return { frame, found };
      if ("problem" in found) throw await obstacleFailure(tab, index ?? -1, found);
      others.push(...found.forms);
    }
    throw new ActionFailure(
      "invalid_params",
      index === undefined
        ? `It is not clear which form is meant (${others.join(", ") || "there is none"}): name an element in it.`
        : `Element [${index}] is in no form. Name the button that sends it.`,
      { forms: others },
    );
  }

  /**
   * Returns the outcome of submitting a form. Returns `undefined` when the form's document was replaced,
   * because the browser has then sent the form.
   */
  async #outcome(frame: Frame, form: number): Promise<FormOutcome | undefined> {
    const { tab } = this.#input;
    return await tab.answer(tab.frames.call(frame, "formSubmission", "outcome", form)).catch(() => undefined);
  }

  async #navigationEffect(before: ReturnType<PageInput["pageState"]>): Promise<Data> {
    const effect = await this.#input.effect(before, undefined, undefined);
    return effect.effect === "unknown" ? {} : effect;
  }

  #inDocument<Value>(index: number | undefined, call: Promise<Value>): Promise<Value> {
    return inDocument(this.#input.tab, index ?? -1, call);
  }
}

/**
 * Returns the part of a field's result that is repeated in the result of the complete form. It contains the
 * value or the selected option, and the popup if it stays open.
 */
function fieldResult({ selected, value, left_open }: Data): Data {
  return {
    ...(selected === undefined ? (value === undefined ? {} : { value }) : { selected }),
    ...(left_open === undefined ? {} : { left_open }),
  };
}

/** Whether the text is a date in the format that the action `pick_date` expects, such as `2026-02-28`. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
