/**
 * Performs one step of a plan: finds its element on the current page, runs the action in the session, and
 * compares the result with the expected one.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { StepInput, StepOutput, StepPlace } from "../../machines/dialogue/dialogue-context.ts";
import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import { sendingButtonOf } from "../../machines/dialogue/elements/elements-of-one-form.ts";
import { addressOfHiddenLink } from "../../machines/dialogue/plan/address-opened-for-hidden-link.ts";
import { isRiskyElement } from "../../machines/dialogue/plan/build-plan-step.ts";
import { isDialogApproved } from "../../machines/dialogue/plan/confirmation-question-on-page.ts";
import { analyseFailure, type SimilarElement } from "../../machines/dialogue/plan/failed-step-explanation.ts";
import type { PlanStep } from "../../machines/dialogue/plan/plan-schemas.ts";
import { stepElement } from "../../machines/dialogue/plan/plan-step-element.ts";
import {
  type StepElement,
  stepAction,
  takesElement,
} from "../../machines/dialogue/plan/plan-step-to-action.ts";
import {
  asksBeforeLeaving,
  dialogOfOutcome,
  type NativeDialog,
} from "../../machines/dialogue/plan/question-before-leaving.ts";
import { asCairnError, CairnError } from "../../machines/errors.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import { elementLine, nameOf } from "../../machines/session/page/element-line.ts";
import type { AnalysisData } from "../../machines/session/page/page-snapshot.ts";
import { tourEndingControl } from "../../machines/walk/control-that-closes-layer.ts";
import { areValuesOfFailedTasks } from "../detect-values-of-failed-tasks.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { answerConfirmation } from "./answer-page-confirmation.ts";
import { type AnsweredDialog, answerDialogs, readBehindDialogs } from "./answer-page-dialogs.ts";
import { hasReceived, readPage, recovered } from "./session-page-for-dialogue.ts";

type Scope = EffectScope<CairnServices>;

/**
 * Performs one step as an action of the session. The session recognises a repeated action by its id, so a
 * step that is performed again after a crash does not run twice.
 */
export async function act(input: StepInput, scope: Scope): Promise<StepOutput> {
  const { room_name: room, stepIndex, action_id } = input;
  const failed = (code: string, error: string, data: object = {}, similar?: SimilarElement): StepOutput => ({
    ok: false,
    failure: analyseFailure(stepIndex, { error, data: { ...data, code } }, similar),
  });
  // If the session has received the step's action before a crash, the action may already have changed the page. So
  // the element of the step is not searched for again.
  const wasSent = scope.resumed && (await hasReceived(room, action_id, scope));
  const place = await placedBehindDialogs(input, wasSent, scope);
  if ("output" in place) return place.output(failed);
  const { element, url, step, before, sending } = place;
  let { value } = step;
  if (step.secret !== null) {
    const reading = { room, id: `${action_id}-secret` };
    const address = url ?? (await readBehindDialogs(reading, scope, () => urlOf(room, scope)));
    const revealed = await secretValue(step.secret, address, scope);
    if (revealed instanceof CairnError)
      return failed("secret_refused", revealed.message, { secret: step.secret });
    value = revealed;
  }
  const action = stepAction(step, element, value);
  if (!action) return failed("invalid_params", `"${step.action}" is no action of a plan.`);
  let outcome: ActionOutcome;
  try {
    outcome = await performInSession(
      {
        room,
        action,
        id: action_id,
        within: dialogueLimits.stepWithin,
        hasSecret: step.secret !== null,
        asksBeforeLeaving: true,
      },
      scope,
    );
  } catch (thrown) {
    if (thrown instanceof CairnError && thrown.code === "session.timeout")
      return failed("timeout", thrown.message);
    // The browser was lost during the action, so it is unknown whether the action was done.
    if (thrown instanceof CairnError && thrown.code === "session.failed") {
      await recovered(room, scope);
      return failed("interrupted", thrown.message);
    }
    throw thrown;
  }
  outcome = await withoutTour(outcome, action, input, step, scope);
  const first = await withDialogs(outcome, action_id, input, failed, scope);
  if ("output" in first) return first.output;
  const { outcome: done } = first;
  const asking = { ...input, step, sending };
  const asked = await pastDialogs(asking, done, first.answered, failed, scope, async () =>
    answerConfirmation(asking, step, { before, isNewDocument: done.data.effect === "navigated" }, scope),
  );
  if ("output" in asked) return asked.output;
  const { result: confirmed, answered } = asked;
  if (!confirmed) return await checked(asking, done, answered, failed, scope);
  const { dialog, outcome: pressed } = confirmed;
  if (!pressed) return failed("dialog_open", questionOf(dialog), { dialog });
  const last = await withDialogs(pressed, `${action_id}-page`, input, failed, scope);
  if ("output" in last) return last.output;
  if (!dialog.accepted) return notConfirmed(dialog, failed);
  return await checked(asking, last.outcome, [...answered, dialog, ...last.answered], failed, scope);
}

/**
 * If a guided tour covers the element of a step (React Joyride, Intro.js), ends the tour and does the action again. Any
 * other layer stays, because it may hold values that are not saved.
 */
async function withoutTour(
  outcome: ActionOutcome,
  action: Action,
  { room_name: room, action_id }: StepInput,
  { secret }: PlanStep,
  scope: Scope,
): Promise<ActionOutcome> {
  if (outcome.success || outcome.data.code !== "element_covered") return outcome;
  const index = tourEndingControl((await readPage(room, scope)).highlightedElements);
  if (index === undefined) return outcome;
  const within = dialogueLimits.stepWithin;
  const end: Action = { name: "click", params: { index } };
  const ended = await performInSession({ room, action: end, id: `${action_id}-tour`, within }, scope);
  if (!ended.success) return outcome;
  const id = `${action_id}-uncovered`;
  return await performInSession({ room, action, id, within, hasSecret: secret !== null }, scope);
}

/** A step, with the button that submits the form to which the step's field belongs. */
interface StepWithForm extends StepInput {
  readonly sending?: SendingButton | undefined;
}

interface SendingButton {
  readonly not_pressed: string;
  readonly not_pressed_index: number;
}

/** Compares the outcome of a step with the expected one. Dialogs that open meanwhile are answered. */
async function checked(
  input: StepWithForm,
  outcome: ActionOutcome,
  before: readonly AnsweredDialog[],
  failed: Failing,
  scope: Scope,
): Promise<StepOutput> {
  const compared = await pastDialogs(input, outcome, before, failed, scope, (answered) =>
    verified(input, outcome, { scope, failed, answered }),
  );
  return "output" in compared ? compared.output : compared.result;
}

/** Either a result, or the failed output with which the step ends. */
type OrFailure<Result> = { readonly output: StepOutput } | Result;

/**
 * Answers the dialogs that the step's action has opened. An alert is accepted. A confirm is accepted only if
 * the approval of the step also covers it. Returns the failure of the step, or the outcome with the accepted
 * dialogs.
 *
 * @param id prefix for the ids of the actions that answer the dialogs
 */
async function withDialogs(
  acted: ActionOutcome,
  id: string,
  { room_name: room, step, stepIndex, task }: StepInput,
  failed: Failing,
  scope: Scope,
): Promise<OrFailure<{ readonly outcome: ActionOutcome; readonly answered: readonly AnsweredDialog[] }>> {
  const isAskedBeforeLeaving = dialogOfOutcome(acted)?.type === "beforeunload";
  const outcome: ActionOutcome =
    isPressedOnly(acted) || isAskedBeforeLeaving
      ? { success: true, error: null, data: { effect: "unknown" } }
      : acted;
  if (!outcome.success) {
    if (outcome.data.code !== "dialog_open")
      return { output: { ok: false, failure: analyseFailure(stepIndex, outcome) } };
    const [opened] = await answerDialogs({ room, id, decide: isAlert }, scope);
    return { output: interruptedBy(opened, failed) };
  }
  const own = `${scope.address.kind}/${scope.address.id}`;
  const isAccepted = async (dialog: NativeDialog): Promise<boolean> =>
    isAlert(dialog) ||
    (step.risk === "high" && isDialogApproved(dialog, step, task)) ||
    (asksBeforeLeaving(dialog) && (await areValuesOfFailedTasks(room, scope, own)));
  const answered = await answerDialogs({ room, id, decide: isAccepted }, scope);
  const unconfirmed = answered.find(({ accepted }) => !accepted);
  return unconfirmed ? { output: notConfirmed(unconfirmed, failed) } : { outcome, answered };
}

/** Maximum number of times that the page is read again because a dialog has opened meanwhile. */
const MAX_READS = 5;

/**
 * Reads the page after the action of a step. If a timer of the page opens a dialog during the read, answers
 * the dialog and reads the page again.
 *
 * @param before the dialogs that were answered before this call
 * @param read reads the page; it is called with all dialogs that were answered so far
 */
async function pastDialogs<Result>(
  input: StepInput,
  outcome: ActionOutcome,
  before: readonly AnsweredDialog[],
  failed: Failing,
  scope: Scope,
  read: (answered: readonly AnsweredDialog[]) => Promise<Result>,
): Promise<OrFailure<{ readonly result: Result; readonly answered: readonly AnsweredDialog[] }>> {
  const answered = [...before];
  for (let reads = 1; ; reads++) {
    try {
      return { result: await read(answered), answered };
    } catch (thrown) {
      if (asCairnError(thrown).code !== "session.dialog_open" || reads === MAX_READS) throw thrown;
    }
    const id = `${input.action_id}-late-${answered.length}`;
    const late = await withDialogs(outcome, id, input, failed, scope);
    if ("output" in late) return late;
    answered.push(...late.answered);
  }
}

/**
 * Whether a submit button was pressed, but its form was not sent. This counts as a success, because a script of the
 * page may use the button for something else, such as adding a row.
 */
const isPressedOnly = ({ data: { code, form, pressed } }: ActionOutcome): boolean =>
  code === "not_applied" && form !== undefined && pressed !== true;

const isAlert = ({ type }: { readonly type: string }): boolean => type === "alert";

const questionOf = ({ type, message }: AnsweredDialog): string =>
  `The page opened a dialog (${type}): "${message}"`;

/**
 * Returns the failure of a step whose dialog was dismissed. The person may answer `retry`: the step is then
 * done again as a step with high risk, and the dialog is accepted. A prompt cannot be accepted, because it
 * needs a text that no plan contains.
 */
function notConfirmed(dialog: AnsweredDialog, failed: Failing): StepOutput {
  const code = dialog.type === "prompt" ? "dialog_open" : "approval_needed";
  return failed(code, `${questionOf(dialog)} It was dismissed.`, { dialog });
}

/**
 * Returns the failure of a step whose action a dialog has interrupted.
 *
 * @param dialog the dialog with its answer; missing if it was closed by the page itself
 */
function interruptedBy(dialog: AnsweredDialog | undefined, failed: Failing): StepOutput {
  const error = dialog
    ? `${questionOf(dialog)} It was ${dialog.accepted ? "accepted" : "dismissed"}.`
    : "The page opened a dialog and closed it.";
  return failed("dialog_open", error, { dialog: dialog ?? null, interrupted: true });
}

type Failing = (code: string, error: string, data?: object, similar?: SimilarElement) => StepOutput;
type Placed =
  | {
      readonly element: StepElement;
      readonly url: string | undefined;
      readonly step: PlanStep;
      /** Indices of the elements that the page has before the step; missing if the page was not read. */
      readonly before?: ReadonlySet<number>;
      /**
       * The button that submits the form of the step's field. Absent if the plan has a next step, which may
       * press the button.
       */
      readonly sending?: SendingButton | undefined;
    }
  | { readonly output: (failed: Failing) => StepOutput };

/**
 * Finds the page element for a step. A dialog may have opened after the previous step. The plan does not
 * expect this dialog, so it is never confirmed; if it asks something, it is dismissed and the step fails.
 */
async function placedBehindDialogs(input: StepInput, wasSent: boolean, scope: Scope): Promise<Placed> {
  try {
    return await placed(input, wasSent, scope);
  } catch (thrown) {
    if (asCairnError(thrown).code !== "session.dialog_open") throw thrown;
    const id = `${input.action_id}-before`;
    const answered = await answerDialogs({ room: input.room_name, id, decide: isAlert }, scope);
    const dismissed = answered.find(({ accepted }) => !accepted);
    if (!dismissed) return await placed(input, wasSent, scope);
    return { output: (failed) => interruptedBy(dismissed, failed) };
  }
}

/**
 * Finds the element for a step of the plan. If the session received the action before a crash (`wasSent`),
 * the page is not read. The action may already have changed the page, and the session does not run the action
 * again.
 */
async function placed(input: StepInput, wasSent: boolean, scope: Scope): Promise<Placed> {
  const { step, next, room_name, knowledge_id } = input;
  if (!takesElement(step)) return { element: null, url: undefined, step };
  const { target } = step;
  if (wasSent && target) return { element: { role: target.role, name: target.name }, url: undefined, step };
  const { page, found } = await located(step, room_name, scope);
  if (!("element" in found)) {
    // A link of the map may be in a menu that opens only under the pointer, so that the page does not show
    // it. The page to which the link leads is then opened by its address.
    const isMissing = knowledge_id !== null && found.code === "element_not_found";
    const address = isMissing ? addressOfHiddenLink(step, page.url) : undefined;
    if (address === undefined) return { output: (failed) => missing(step, page, found, failed) };
    return { element: null, url: page.url, step: { ...step, action: "navigate", value: address } };
  }
  const { element } = found;
  // The element was found by its name and may differ from the planned one. If it is risky, but the plan did
  // not mark the step as risky, a person must approve the click.
  if (found.step.action === "click" && step.risk !== "high" && isRiskyElement(element)) {
    const line = elementLine(element, page.url);
    return {
      output: (failed) => failed("approval_needed", `${line} may not be undone.`, { element: line }),
    };
  }
  const isSubmit = element.interactionType === "submit";
  const before = new Set(page.highlightedElements.map(({ highlight_index }) => highlight_index));
  const button = next ? undefined : sendingButtonOf(element, page.highlightedElements);
  const sending = button && {
    not_pressed: nameOf(button).trim(),
    not_pressed_index: button.highlight_index,
  };
  const placedElement = { index: element.highlight_index, isSubmit };
  return { element: placedElement, url: page.url, step: found.step, before, sending };
}

/**
 * Milliseconds to wait for the element of a step in three cases: the page did not contain this element at the
 * time of planning, the page is still loading, or the process was restarted and the session opens its page
 * again.
 */
const APPEARS_WITHIN = 5_000;
/**
 * Milliseconds to wait for an element that the page contained at the time of planning. It may be missing for a
 * moment, while a script draws the page again.
 */
const RETURNS_WITHIN = 1_000;
/** Interval at which the page is read while the element of a step is missing, in milliseconds. */
const READ_EVERY = 250;

/**
 * Milliseconds to wait until a disabled element is enabled. For example, a script enables a button only after
 * a field is filled.
 */
const ENABLED_WITHIN = 2_000;

/** Returns how many milliseconds to wait for an element that is missing, disabled or one of several. */
function patienceFor(step: PlanStep, page: AnalysisData, code: MissingCode, isResumed: boolean): number {
  const isComing = isResumed || page.loading === true;
  if (step.deferred || (isComing && code === "element_not_found")) return APPEARS_WITHIN;
  return { element_not_found: RETURNS_WITHIN, element_disabled: ENABLED_WITHIN, element_ambiguous: 0 }[code];
}

/**
 * Finds the element of a step. While it is missing or disabled, the search is repeated for some time, because
 * the effect of an earlier step may still come.
 */
async function located(step: PlanStep, room: string, scope: Scope) {
  const started = performance.now();
  for (;;) {
    const page = await readPage(room, scope);
    const found = stepElement(step, page.highlightedElements);
    if ("element" in found) return { page, found };
    if (performance.now() - started > patienceFor(step, page, found.code, scope.resumed))
      return { page, found };
    await pause(READ_EVERY, undefined, { signal: scope.signal });
  }
}

type MissingElement = Exclude<ReturnType<typeof stepElement>, { readonly element: unknown }>;
type MissingCode = MissingElement["code"];

function missing(
  { target, description, value }: PlanStep,
  page: AnalysisData,
  { code, similar, candidates }: MissingElement,
  failed: Failing,
): StepOutput {
  const lines = candidates.map((one) => elementLine(one, page.url));
  const named = target ? `"${target.name}"` : description;
  const why = {
    element_not_found: `No element of the page is called ${named}.`,
    element_ambiguous: `Several elements of the page are called ${named}.`,
    element_disabled: `${named} is disabled.`,
  };
  const unused = value === null ? "" : ` "${value}" is not entered yet.`;
  return failed(code, `${why[code]}${unused}`, { url: page.url, candidates: lines }, similar);
}

async function urlOf(room: string, scope: Scope): Promise<string> {
  return (await scope.query("session", room, "context", null)).url;
}

async function secretValue(name: string, url: string, { services }: Scope): Promise<string | CairnError> {
  try {
    return await services.sessions.secrets.reveal(
      name,
      url,
      URL.canParse(url) ? [new URL(url).hostname] : [],
    );
  } catch (thrown) {
    if (thrown instanceof CairnError) return thrown;
    throw thrown;
  }
}

interface Verification {
  readonly scope: Scope;
  readonly failed: Failing;
  /** The dialogs that the step has opened on the page, and that were accepted. */
  readonly answered: readonly AnsweredDialog[];
}

/** Compares the outcome of the action with the expected result of the step. */
async function verified(
  { step, room_name, knowledge_id, sending }: StepWithForm,
  { data }: ActionOutcome,
  { scope, failed, answered }: Verification,
): Promise<StepOutput> {
  const { effect, value, url, http_status } = data;
  const { type, expected } = step.expectedResult;
  // The outcome of a navigation contains `http_status` only if the new page is an error page.
  if (effect === "navigated" && http_status !== undefined)
    return failed("http_error", httpError(data), { http_status, url, title: data.title, page: data.page });
  const evidence = {
    ...{ effect, value: step.secret === null ? value : undefined, url, verified: type },
    ...(answered.length > 0 ? { dialogs: answered } : {}),
    ...(effect === "navigated" ? {} : sending),
  };
  const done = async (more: object = {}): Promise<StepOutput> => ({
    ok: true,
    evidence: { ...evidence, ...more },
    ...(await placeNow(room_name, scope)),
  });
  if (expected === null || type === "effect") return await done();
  switch (type) {
    case "value": {
      if (typeof value !== "string" || isSameValue(value, expected)) return await done();
      return failed("form_invalid", `The field holds "${value}" instead of "${expected}".`, {
        value,
        expected,
      });
    }
    case "text": {
      const { dom_summary } = await scope.query("session", room_name, "content", null);
      if (dom_summary.includes(expected)) return await done();
      return failed("unexpected_result", `The page does not show "${expected}".`, { expected });
    }
    case "url": {
      const now = typeof url === "string" ? url : await urlOf(room_name, scope);
      // The new address must have the expected host. The path may differ, because a server may redirect to
      // another path.
      const [there, wanted] = [URL.parse(now), URL.parse(expected, now)];
      if (there?.host === wanted?.host || wanted === null) return await done({ expected });
      return failed("unexpected_result", `The page is ${now} instead of ${expected}.`, {
        url: now,
        expected,
      });
    }
    case "screen": {
      if (knowledge_id === null) return await done();
      const { dom_summary } = await scope.query("session", room_name, "content", null);
      const current_url = await urlOf(room_name, scope);
      const answer = await scope.query("knowledge", knowledge_id, "agent", {
        instruction_type: "find_screen",
        target: "",
        context: { current_url, dom_summary },
      });
      const { screen_id, instance_id } = answer.expected_result;
      if (screen_id === expected || instance_id === expected) return await done({ screen_id });
      const shown = typeof screen_id === "string" ? screen_id : "no screen of the map";
      return failed("unexpected_result", `The page shows ${shown} instead of ${expected}.`, {
        screen_id: screen_id ?? null,
        expected,
      });
    }
  }
}

/** Describes the page with an HTTP error status to which a step has led, with its title and its messages. */
function httpError({ http_status, title, page }: ActionOutcome["data"]): string {
  // The cast is safe: the session writes the messages of a page as texts.
  const { said = [] } = (page ?? {}) as { readonly said?: readonly string[] };
  const shown = [...(typeof title === "string" ? [`"${title}"`] : []), ...said].join("; ");
  return `The server answered with the HTTP status ${http_status}${shown === "" ? "." : `: ${shown}`}`;
}

/**
 * Compares the value of a field with the typed text. Only letters and digits are compared, because fields
 * format numbers, dates and telephone numbers.
 */
function isSameValue(value: string, expected: string): boolean {
  const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  return value === expected || value.startsWith(`(${expected.length} char`) || bare(value) === bare(expected);
}

async function placeNow(room: string, scope: Scope): Promise<StepPlace> {
  const { url, tab } = await scope.query("session", room, "context", null);
  return { page: { url, revision: 0 }, tab };
}
