/** Performs one action of a walk. Closes what covers its element, and answers the questions that the page asks. */
import { dialogOfOutcome } from "../../machines/dialogue/plan/question-before-leaving.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import { locate } from "../../machines/session/controls/find-element-by-locator.ts";
import { closingControl } from "../../machines/walk/control-that-closes-layer.ts";
import type { StepInput } from "../../machines/walk/walk-context.ts";
import { walkLimits } from "../../machines/walk/walk-limits.ts";
import type { WalkRequest } from "../../machines/walk/walk-schemas.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { type AfterQuestions, afterDialogs, afterPageQuestion } from "./answer-page-questions-during-walk.ts";

type Scope = EffectScope<CairnServices>;

/**
 * Performs an action of a walk. If the page asks a question before it is left (`beforeunload`), the question stays
 * open, and the walk answers it later.
 */
export function walkAction({ room_name: room }: WalkRequest, action: Action, id: string, scope: Scope) {
  const within = walkLimits.stepWithin;
  return performInSession({ room, action, id, within, asksBeforeLeaving: true }, scope);
}

export async function snapshot(room: string, scope: Scope) {
  await scope.ask("session", room, { type: "WAKE" });
  return await scope.query("session", room, "analyze", {
    viewport_only: false,
    include_left_out: false,
    highlight: false,
    include_text: false,
  });
}

/**
 * Performs an action. If a layer such as a dialog covers the element, removes this layer and tries again. A
 * second layer may be removed in the same way.
 */
export async function perform(
  action: Action,
  { request, action_id: step_id }: StepInput,
  scope: Scope,
  part?: "fill",
): Promise<ActionOutcome> {
  const action_id = part ? `${step_id}-${part}` : step_id;
  const act = (one: Action, id: string) => walkAction(request, one, id, scope);
  let outcome = await showHidden(action, await act(action, action_id), { act, action_id });
  for (let layer = 1; layer <= MOST_LAYERS; layer++) {
    const obstacle = outcome.success ? undefined : removalOf(outcome);
    if (!obstacle) return outcome;
    await act(obstacle, `${action_id}-clear-${layer}`);
    // A dialog covers the element until it is closed, so it is closed before the next attempt. Another layer,
    // such as a notification, may have disappeared by itself.
    let index = outcome.data.by_dialog === true ? await closingIndexOver(action, request, scope) : undefined;
    if (index === undefined) {
      outcome = await act(action, `${action_id}-again-${layer}`);
      if (outcome.success || failureOf(outcome) !== "element_covered") continue;
      index = await closingIndex(request, scope);
    }
    if (index === undefined) return outcome;
    await act({ name: "click", params: { index } }, `${action_id}-close-${layer}`);
    outcome = await act(action, `${action_id}-uncovered-${layer}`);
  }
  return outcome;
}

/**
 * Maximum number of layers over one element that are closed one after the other. For example, a dialog may
 * have opened another dialog.
 */
const MOST_LAYERS = 2;

/**
 * Maximum number of actions to make a hidden element visible. Several may be needed, for example one on the
 * section around it and one on a tab inside of the section.
 */
const SHOWING_ACTIONS = 3;

/**
 * If the element of an action is hidden, uses the control that shows it, as a person does: moves the pointer
 * over this control, or clicks it. Then repeats the action.
 */
async function showHidden(
  action: Action,
  first: ActionOutcome,
  {
    act,
    action_id,
  }: {
    readonly act: (one: Action, id: string) => Promise<ActionOutcome>;
    readonly action_id: string;
  },
): Promise<ActionOutcome> {
  let outcome = first;
  for (let click = 1; click <= SHOWING_ACTIONS; click++) {
    const { shown_by: index, shown_by_pointer: byPointer } = outcome.data;
    if (outcome.success || typeof index !== "number") return outcome;
    const name = byPointer === true ? "hover" : "click";
    const shown = await act({ name, params: { index } }, `${action_id}-show-${click}`);
    if (!shown.success) return outcome;
    outcome = await act(action, `${action_id}-shown-${click}`);
  }
  return outcome;
}

/** Answers the questions of the page after an action of a step. */
export async function answeredQuestions(
  outcome: ActionOutcome,
  action: Action,
  input: StepInput,
  scope: Scope,
): Promise<AfterQuestions> {
  const act = (one: Action, part: string) =>
    walkAction(input.request, one, `${input.action_id}-${part}`, scope);
  const asked = { action, input, act };
  const after = await afterDialogs(outcome, asked, scope);
  if ("question" in after) return after;
  return await afterPageQuestion(after.outcome, asked, scope, () => snapshot(input.request.room_name, scope));
}

async function closingIndex({ room_name }: WalkRequest, scope: Scope): Promise<number | undefined> {
  return closingControl((await snapshot(room_name, scope)).highlightedElements);
}

/**
 * Returns the index of the control that closes the layer over the element of a click. Returns `undefined` if no
 * layer with such a control covers the element.
 */
async function closingIndexOver(
  action: Action,
  { room_name }: WalkRequest,
  scope: Scope,
): Promise<number | undefined> {
  const locator = action.name === "click" ? action.locators?.index : undefined;
  if (!locator) return undefined;
  const { url, highlightedElements } = await snapshot(room_name, scope);
  const found = locate(locator, highlightedElements, url);
  const target = "index" in found ? found.index : undefined;
  const isCovered = highlightedElements.some(
    ({ highlight_index, covered }) => highlight_index === target && covered !== undefined,
  );
  // A control that the layer (such as a dialog) covers belongs to the page below, so it cannot close the
  // layer.
  const uncovered = highlightedElements.filter(
    ({ covered, in_viewport }) => covered === undefined && in_viewport,
  );
  return isCovered ? closingControl(uncovered) : undefined;
}

/**
 * Returns the error code of a failed action. When fields of a form were not filled, returns the error code of
 * the first of these fields.
 */
function failureOf({ data }: ActionOutcome): unknown {
  // The cast is safe: `fill_form` reports fields of this shape.
  const fields = Array.isArray(data.fields) ? (data.fields as readonly { readonly code?: string }[]) : [];
  return fields.find(({ code }) => code !== undefined)?.code ?? data.code;
}

/** Returns the action that uncovers an element, such as closing a dialog. */
function removalOf(outcome: ActionOutcome): Action | undefined {
  switch (failureOf(outcome)) {
    case "dialog_open":
      // This question (`beforeunload`) was caused by the action itself, so it is answered after the action.
      if (dialogOfOutcome(outcome)?.type === "beforeunload") return undefined;
      return { name: "handle_dialog", params: { accept: false } };
    case "element_covered":
      return { name: "send_keys", params: { keys: "Escape" } };
    default:
      return undefined;
  }
}
