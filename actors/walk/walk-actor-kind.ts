/**
 * The actor kind `walk/<id>`: executes a route of a map in a browser session, by asking the actors of the map
 * and of the session.
 */

import { setTimeout as pause } from "node:timers/promises";
import { kinds } from "../../machines/actor-kinds.ts";
import { questionError } from "../../machines/dialogue/plan/question-before-leaving.ts";
import { asCairnError } from "../../machines/errors.ts";
import { stateOfId } from "../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import { locate } from "../../machines/session/controls/find-element-by-locator.ts";
import { linkAddress, routeAction } from "../../machines/walk/map-route-step-to-action.ts";
import { maskWalkValues } from "../../machines/walk/redact-walk-values.ts";
import { type FormEntries, formEntries, missingText } from "../../machines/walk/required-fields-of-walk.ts";
import type {
  Edge,
  RouteInput,
  RouteOutput,
  StepInput,
  StepOutput,
  WalkContext,
} from "../../machines/walk/walk-context.ts";
import { walkLimits } from "../../machines/walk/walk-limits.ts";
import { walkMachine, walkStatus } from "../../machines/walk/walk-machine.ts";
import type { WalkProtocol } from "../../machines/walk/walk-protocol.ts";
import type { Removal, WalkedStep, WalkRequest } from "../../machines/walk/walk-schemas.ts";
import { isExpectedScreen } from "../../machines/walk/whether-walk-step-led-to-expected-screen.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import { defineKind, type EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { answeredQuestions, perform, snapshot, walkAction } from "./perform-walk-action.ts";
import { ObjectRemoval } from "./remove-object-in-session.ts";

type Scope = EffectScope<CairnServices>;

/** A screen of a route, and which of the screen's pages (instances) the route uses. */
interface Place {
  readonly screen_id: string;
  readonly instance_id?: string | null;
  /** True if the session shows the screen with an opened part, such as a section. */
  readonly part?: boolean;
}

/**
 * Returns the id by which the walk identifies what the session shows: the id of the page, or else that of the
 * screen. While a part such as a section is open, the id of the screen is used, because several parts may be
 * open at once.
 */
function placeId(place: Place | undefined): string {
  return (place?.part ? undefined : place?.instance_id) ?? place?.screen_id ?? "";
}

/** Asks the map for a route from the screen that the session shows. */
async function route({ request, avoid }: RouteInput, scope: Scope): Promise<RouteOutput> {
  if (request.task) return taskRoute(request.task);
  const shown = await shownIn(request, scope);
  const answer = await scope.query("knowledge", request.knowledge_id, "agent", {
    instruction_type: "navigate_to_screen",
    target: request.target,
    context: {
      current_url: shown.url,
      dom_summary: shown.dom_summary,
      avoid,
      ...(request.role === undefined ? {} : { role: request.role }),
    },
  });
  if (!answer.success) {
    const { code } = answer.metadata;
    return {
      ok: false,
      code: typeof code === "string" ? code : "walk.no_route",
      message: answer.error ?? "No route.",
    };
  }
  // The cast is needed, because the protocol gives no precise type for the waypoints, which the map actor has
  // written.
  const places = (answer.metadata.waypoints ?? []) as readonly Place[];
  const edges = (answer.metadata.transitions ?? []) as readonly Edge[];
  const end = answer.expected_result as unknown as Place;
  const goal = placeId(end);
  const stops = answer.actions.map((_, at) => (at === answer.actions.length - 1 ? end : places[at]));
  return {
    ok: true,
    screen_id: answer.actions.length === 0 ? goal : null,
    url: shown.url,
    route: {
      actions: answer.actions,
      screens: stops.map(placeId),
      shows_part: stops.map((stop) => stop?.part === true),
      edges: answer.actions.map((_, at) => edges[at] ?? null),
    },
  };
}

/** Converts the actions of a task to a route whose screens are not known. */
function taskRoute(task: NonNullable<WalkRequest["task"]>): RouteOutput {
  return {
    ok: true,
    screen_id: null,
    url: null,
    route: {
      actions: task.map(({ description, action, removal }) => ({
        tool_name: action.name,
        parameters: { action, ...(removal ? { removal } : {}) },
        description,
        confidence: 1,
        screen_id: null,
      })),
      screens: task.map(() => ANY_SCREEN),
      edges: task.map(() => null),
    },
  };
}

/** Stands for "any screen": the steps of a task do not state to which screen they lead. */
const ANY_SCREEN = "";

/** Performs one step of the route, and reports the screen that the session shows afterwards. */
async function step(input: StepInput, scope: Scope): Promise<StepOutput> {
  const { action, request, screen } = input;
  const base = { description: action.description, tool_name: action.tool_name };
  // In a walk for a task, `parseAction` has parsed the task's actions, so the cast is safe.
  const known = request.task ? (action.parameters.action as Action) : routeAction(action);
  if (!known) {
    const error = `${action.tool_name} is no step of a route.`;
    return { url: null, step: { ...base, outcome: "failed", screen_id: null, error } };
  }
  // `taskRoute` has taken the removal from the request, whose schema has validated it, so the cast is safe.
  const removal = request.task ? (action.parameters.removal as Removal | undefined) : undefined;
  if (removal) return await removalStep(known, removal, input, scope);
  if (await isPartShown(known, input, scope)) {
    const { screen_id, url } = await screenIn(request, scope);
    const description = `${action.description} (left out, because the part is already shown)`;
    return { url, step: { ...base, description, outcome: "done", screen_id, error: null } };
  }
  const form = request.task ? NO_ENTRIES : await entriesFor(known, input, scope);
  if (form.missing.length > 0) {
    const error = missingText(action.description, form.missing);
    const { screen_id, url } = await screenIn(request, scope);
    return { url, missing: form.missing, step: { ...base, outcome: "failed", screen_id, error } };
  }
  const fill: Action = { name: "fill_form", params: { fields: [...form.entries], submit: false } };
  const filled = form.entries.length > 0 ? await perform(fill, input, scope, "fill") : undefined;
  const tried = filled && !filled.success ? filled : await perform(known, input, scope);
  const answered = await answeredQuestions(tried, known, input, scope);
  if ("question" in answered) return await askingStep(base, answered.question, request, scope);
  const acted = answered.outcome;
  const clicked = acted.success ? await screenAfter(acted, input, scope) : undefined;
  const arrived = clicked !== undefined && isExpected(screen, clicked, acted);
  const linked = arrived ? undefined : await openLink(known, input, acted, scope);
  const asked = linked && (await answeredQuestions(linked.outcome, linked.action, input, scope));
  if (asked && "question" in asked) return await askingStep(base, asked.question, request, scope);
  const opened = asked?.outcome;
  const outcome = opened ?? acted;
  const byAddress = opened?.success === true;
  const shown = clicked && !opened ? clicked : await screenAfter(outcome, input, scope);
  const { url, screen_id: seen } = shown;
  const done = (given: Pick<WalkedStep, "outcome" | "error">): StepOutput => ({
    url,
    step: {
      ...base,
      ...(byAddress ? openedByAddress(action.description, acted.success) : {}),
      ...given,
      ...evidenceOf(outcome),
      screen_id: seen,
    },
    ...(byAddress ? { byAddress } : {}),
  });
  if (!outcome.success) return done({ outcome: "failed", error: outcome.error });
  if (isExpected(screen, shown, outcome)) return done({ outcome: "done", error: null });
  const error = `The page shows ${seen ?? "no screen of the map"} instead of ${screen}.`;
  return done({ outcome: "surprise", error });
}

/** Returns the failed result of a step after which the page asked a question that was answered with no. */
async function askingStep(
  base: Pick<WalkedStep, "description" | "tool_name">,
  question: string,
  request: WalkRequest,
  scope: Scope,
): Promise<StepOutput> {
  const error = questionError(question);
  const { screen_id, url } = await screenIn(request, scope);
  return { url, step: { ...base, outcome: "failed", screen_id, error, question } };
}

/** Performs a step that removes an object. */
async function removalStep(
  press: Action,
  removal: Removal,
  { action, action_id, request }: StepInput,
  scope: Scope,
): Promise<StepOutput> {
  await scope.ask("session", request.room_name, { type: "WAKE" });
  const result = await new ObjectRemoval(request.room_name, action_id, removal, scope).remove(press);
  const { url } = await scope.query("session", request.room_name, "context", null);
  const outcome = result.error === null ? "done" : "failed";
  const { description, tool_name } = action;
  return { url, step: { description, tool_name, outcome, screen_id: null, ...result } };
}

/** Returns the evidence of an action that has sent a form; empty for other actions. */
function evidenceOf({ data: { evidence, http_status } }: ActionOutcome) {
  if (typeof evidence !== "string") return {};
  return { evidence, ...(typeof http_status === "number" ? { http_status } : {}) };
}

/** Whether the session shows the expected screen after an action. */
function isExpected(
  screen: string,
  { screen_id, instance_id }: Awaited<ReturnType<typeof screenIn>>,
  outcome: ActionOutcome,
): boolean {
  return isExpectedScreen(screen, { screen_id, instance_id, isNewAddress: hasNewAddress(outcome) });
}

/**
 * Returns the screen that the session shows after an action. If the action leads to a state of a page, such
 * as a dialog, waits for this state, because its content may still be loading.
 */
async function screenAfter(outcome: ActionOutcome, { request, screen }: StepInput, scope: Scope) {
  const until = performance.now() + walkLimits.stateWithin;
  for (;;) {
    const shown = await screenIn(request, scope);
    const isFinal = !outcome.success || stateOfId(screen) === undefined;
    if (isFinal || isExpected(screen, shown, outcome) || performance.now() >= until) return shown;
    await pause(walkLimits.stateEvery);
  }
}

const hasNewAddress = ({ data }: ActionOutcome): boolean =>
  /^(navigated|address_changed)$/.test(String(data.effect));

/**
 * Whether a part of the screen, such as a section, is already open, so that its opening click must be
 * skipped. A second click would close the part. It is open if its control is expanded, or if the control of
 * the next step can be clicked.
 */
async function isPartShown(action: Action, input: StepInput, scope: Scope): Promise<boolean> {
  if (!input.shows_part) return false;
  const { url, highlightedElements } = await analysed(input, scope);
  const find = (one: Action | undefined) => {
    const locator = one?.name === "click" ? one.locators?.index : undefined;
    const found = locator && locate(locator, highlightedElements, url);
    return found && "index" in found
      ? highlightedElements.find(({ highlight_index }) => highlight_index === found.index)
      : undefined;
  };
  if (find(action)?.attributes["aria-expanded"] === "true") return true;
  const next = find(input.following && routeAction(input.following));
  return next !== undefined && next.covered === undefined && next.hidden !== true;
}

/** Returns the screen of the map that the session shows. */
async function screenIn(request: WalkRequest, scope: Scope) {
  const { url, dom_summary } = await shownIn(request, scope);
  const found = await scope.query("knowledge", request.knowledge_id, "agent", {
    instruction_type: "find_screen",
    target: "",
    context: { current_url: url, dom_summary },
  });
  const { screen_id, instance_id } = found.expected_result;
  return { url, screen_id: typeof screen_id === "string" ? screen_id : null, instance_id };
}

const NO_ENTRIES: FormEntries = { entries: [], missing: [] };

/**
 * Returns the values for the form of a button that the action clicks, and the list of missing values. For
 * other actions, both are empty.
 */
async function entriesFor(action: Action, input: StepInput, scope: Scope): Promise<FormEntries> {
  const locator = action.name === "click" ? action.locators?.index : undefined;
  if (!locator?.fingerprint || locator.fingerprint.tag === "a") return NO_ENTRIES;
  const { url, highlightedElements } = await analysed(input, scope);
  const found = locate(locator, highlightedElements, url);
  const button =
    "index" in found
      ? highlightedElements.find(({ highlight_index }) => highlight_index === found.index)
      : undefined;
  if (!button) return NO_ENTRIES;
  const given = Object.entries(input.request.parameters ?? {});
  return formEntries(
    button,
    highlightedElements,
    new Map(given.map(([name, value]) => [name.toLowerCase(), value])),
  );
}

/**
 * Returns a snapshot of the page. If a native dialog prevents the snapshot, the dialog is dismissed first.
 */
async function analysed({ request: { room_name }, action_id }: StepInput, scope: Scope) {
  try {
    return await snapshot(room_name, scope);
  } catch (error) {
    if (asCairnError(error).code !== "session.dialog_open") throw error;
    const action = { name: "handle_dialog", params: { accept: false } } as const;
    const id = `${action_id}-dialog`;
    await performInSession({ room: room_name, action, id, within: walkLimits.stepWithin }, scope);
    return await snapshot(room_name, scope);
  }
}

/** Error codes of a click for which no clickable element was found. Such a click had no effect. */
const NOT_CLICKABLE = new Set([
  "element_not_found",
  "element_ambiguous",
  "element_stale",
  "element_covered",
  "element_not_visible",
]);

/**
 * Opens the address of a link if the click on the link has not opened it. The link may not be clickable, as
 * in a closed menu, or a script may show something else, such as a dialog. Returns `undefined` if the element
 * is no link, if the step should lead to a state of a page, or if the click failed for another reason.
 */
async function openLink(
  action: Action,
  { request, action_id, screen }: StepInput,
  outcome: ActionOutcome,
  scope: Scope,
): Promise<{ readonly outcome: ActionOutcome; readonly action: Action } | undefined> {
  const { data, success } = outcome;
  const isUnclickable = !success && NOT_CLICKABLE.has(String(data.code)) && data.pressed !== true;
  const isIntercepted = success && !hasNewAddress(outcome) && stateOfId(screen) === undefined;
  if (!isUnclickable && !isIntercepted) return undefined;
  const { url } = await scope.query("session", request.room_name, "context", null);
  const address = linkAddress(action, url);
  if (address === undefined || (isIntercepted && address === url)) return undefined;
  const navigate: Action = { name: "navigate", params: { url: address } };
  return { action: navigate, outcome: await walkAction(request, navigate, `${action_id}-open`, scope) };
}

const openedByAddress = (description: string, wasClicked: boolean) => ({
  tool_name: "navigate",
  description: `${description} (opened by its address, because ${wasClicked ? "the click did not open it" : "the link could not be clicked"})`,
});

async function shownIn({ room_name }: WalkRequest, scope: Scope) {
  await scope.ask("session", room_name, { type: "WAKE" });
  const { dom_summary } = await scope.query("session", room_name, "content", null);
  const { url } = await scope.query("session", room_name, "context", null);
  return { url, dom_summary };
}

export const walk = defineKind<WalkProtocol, CairnServices, WalkContext>({
  kind: "walk",
  version: kinds.walk.version,
  machine: walkMachine,
  // A snapshot of version 1 needs no conversion, because version 2 has the same state.
  migrate: (snapshot) => snapshot,
  redact: maskWalkValues,
  redactEvent: maskWalkValues,
  effects: { route, step },
  queries: {
    result: async (_params, { context, value }) => {
      const status = walkStatus(value);
      if (!status) return null;
      const { walk_id, steps, reroutes, screen_id, url, error, missing } = context;
      return {
        walk_id,
        status,
        steps: [...steps],
        reroutes,
        screen_id,
        url,
        error,
        ...(missing ? { missing } : {}),
      };
    },
  },
});
