/**
 * Proposes steps for a gap in a map or task, and checks proposals. A gap is an action that is not known.
 * Without a model, proposals come from links of other screens, labels, forms and addresses, and a model's
 * proposals are checked against the same facts.
 */

import { stem, wordsOf } from "../screens/screen-name-index.ts";
import type { GapContext, GapElement } from "./known-facts-around-map-gap.ts";
import { gapLimits } from "./map-gap-limits.ts";
import type {
  ExtrapolationRequest,
  InferredAction,
  InferredTransition,
  ModelProposal,
} from "./map-gap-schemas.ts";

/**
 * Steps that are proposed for a gap (a missing action), with a confidence. `element` of a step is set only if
 * the step's control is on the screen of the gap.
 */
export interface Proposal {
  readonly actions: readonly InferredAction[];
  readonly transitions: readonly InferredTransition[];
  readonly confidence: number;
  readonly reasoning: string;
  readonly element?: GapElement;
}

type Limits = Pick<ExtrapolationRequest, "include_screens" | "max_intermediate_steps">;

/**
 * Confidence (0 to 1) of a proposal to submit a form. The form is on the screen before the gap (an unknown
 * action), and is sent to the address of the screen after the gap.
 */
const FORM_TARGET = 0.9;
/** Confidence (0 to 1) of a proposed element whose label equals the name of the target screen. */
const SAME_NAME = 0.85;
/**
 * Confidence (0 to 1) of a proposed element whose label contains the words of the last path segment of the
 * target screen's address: "New order" for `/orders/new`.
 */
const ADDRESS_WORDS = 0.75;
/**
 * Confidence (0 to 1) that the click before a gap (an unknown action) already leads to the next screen,
 * because it has the name of this screen: "Click Login" before the screen "Login".
 */
const NAMED_BY_ACTION = 0.8;
/**
 * Confidence (0 to 1) of the proposal to open the screen after the gap by its address. It is so low that the proposal
 * is not stored, because a user may reach the screen in another way.
 */
const OPENED = 0.6;
/** Confidence (0 to 1) of the proposal to wait after an action that changes the screen. */
const WAITED = 0.65;
/**
 * If at least this number of other screens have a link to the screen after the gap (an unknown action), the link
 * belongs to the navigation of the site. The screen before the gap then probably has this link too.
 */
const NAVIGATION_FROM = 3;
/** Confidence (0 to 1) that a screen has a link that is part of the site navigation. */
const SHARED_NAVIGATION = 0.92;
/**
 * Confidence (0 to 1) that a screen has a link which only few other screens have. It is multiplied by the
 * share of the links to the target screen that have this link's name.
 */
const FEW_LINKS = 0.7;
/** Confidence (0 to 1) of a proposal to fill in fields of a form. */
const FIELD = 0.85;

/**
 * Proposes steps for a gap (an unknown action) without a model. Returns `undefined` if no proposal is likely.
 */
export function propose(context: GapContext, limits: Limits): Proposal | undefined {
  const found =
    fieldsProposal(context, limits.max_intermediate_steps) ??
    namedByAction(context) ??
    wayProposal(context) ??
    navigationProposal(context) ??
    formProposal(context) ??
    labelProposal(context) ??
    addressProposal(context);
  if (!found || found.actions.length > limits.max_intermediate_steps) return undefined;
  return limits.include_screens ? found : { ...found, transitions: [] };
}

/**
 * Proposes to fill in fields, for an instruction that names no field, such as "fill in the form". If there
 * are at most `most` fields, it proposes all of them. If there are more, it proposes the required ones, or
 * the first ones if none is required.
 */
function fieldsProposal({ fields = [], from_screen }: GapContext, most: number): Proposal | undefined {
  if (fields.length === 0) return undefined;
  const required = fields.filter(({ control }) => control?.constraints?.required === true);
  const chosen = fields.length <= most || required.length === 0 ? fields : required;
  const which = chosen.length < fields.length ? "these required fields" : "these fields";
  const reasoning = `${from_screen?.name ?? "The screen"} has a form with ${which}, in this order.`;
  const actions = chosen.slice(0, most).map(
    (field): InferredAction => ({
      action_type: field.action_type,
      target: field.label,
      description: `Fill in ${field.label}`,
      confidence: FIELD,
      reasoning,
      screen_id: field.screen_id,
    }),
  );
  return { actions, transitions: [], confidence: FIELD, reasoning };
}

/**
 * The click before the gap (an unknown action) may have the next screen's name, such as "Login". This click
 * then leads to the next screen, so the proposal is only to wait for this screen.
 */
function namedByAction(context: GapContext): Proposal | undefined {
  const { from, from_screen, to_screen } = context;
  if (!from_screen || !to_screen || from_screen.screen_id === to_screen.screen_id) return undefined;
  if (from.action_type !== "click" || share(to_screen.name, from.name) < 1) return undefined;
  const element = context.elements.find(({ label }) => same(label, from.name));
  const reasoning = `"${from.name}" names the screen ${to_screen.name}, which the next action is on.`;
  return {
    ...arrival(context, `Click "${from.name}"`, NAMED_BY_ACTION, reasoning),
    actions: [
      action(
        "navigate",
        to_screen.url,
        `Arrive at ${to_screen.name}`,
        NAMED_BY_ACTION,
        reasoning,
        to_screen.screen_id,
      ),
      action(
        "wait",
        to_screen.name,
        `Wait until ${to_screen.name} has loaded`,
        WAITED,
        reasoning,
        to_screen.screen_id,
      ),
    ],
    ...(element ? { element } : {}),
  };
}

/**
 * Proposes to submit a form of the current screen, if the form is submitted to the address of the next
 * screen.
 */
function formProposal(context: GapContext): Proposal | undefined {
  const { from_screen, to_screen, elements } = context;
  if (!from_screen || !to_screen) return undefined;
  const goal = pathOf(to_screen.url);
  // A form that is submitted to its own page sorts or filters that page, so it does not lead to another
  // screen.
  if (goal === pathOf(from_screen.url)) return undefined;
  const forms = elements.filter(
    ({ action_type, url }) => action_type === "submit_form" && pathOf(url) === goal,
  );
  const [form] = forms;
  if (!form || forms.length > 1) return undefined;
  return clicked(context, form, FORM_TARGET, `The form of ${from_screen.name} is sent to ${to_screen.url}.`);
}

/**
 * Proposes a link of the navigation. Other screens have links to the screen after the gap (an unknown action); the
 * proposed link has the most frequent name of these links.
 */
function navigationProposal(context: GapContext): Proposal | undefined {
  const { from_screen, to_screen, links_elsewhere, linking_screens } = context;
  if (!from_screen || !to_screen || links_elsewhere.length === 0) return undefined;
  const byLabel = Map.groupBy(
    links_elsewhere.filter(({ label }) => label !== ""),
    ({ label }) => label,
  );
  const [best] = [...byLabel.values()].sort((a, b) => b.length - a.length);
  const [element] = best ?? [];
  if (!best || !element) return undefined;
  const agreement = best.length / links_elsewhere.length;
  const confidence = agreement * (linking_screens >= NAVIGATION_FROM ? SHARED_NAVIGATION : FEW_LINKS);
  const reasoning = `${best.length} of ${links_elsewhere.length} links of other screens to ${to_screen.name} are named "${element.label}".`;
  return clicked(context, { ...element, screen_id: from_screen.screen_id }, confidence, reasoning);
}

/**
 * Proposes the only control whose label is the name of the next screen, or else has the words of the screen's
 * address; `undefined` if there is none or several.
 */
function labelProposal(context: GapContext): Proposal | undefined {
  const { to_screen, elements } = context;
  if (!to_screen) return undefined;
  const pressed = elements.filter(({ action_type, label }) => isPress(action_type) && label !== "");
  const named = pressed.filter(({ label }) => same(label, to_screen.name));
  const [only] = named;
  if (only && named.length === 1)
    return clicked(context, only, SAME_NAME, `"${only.label}" is the name of the screen.`);
  const folders = addressWords(to_screen.url);
  const fitting = pressed.filter(({ label }) => {
    const words = wordsOf(label).map(stem);
    return (
      words.length > 0 &&
      words.every((word) => folders.includes(word)) &&
      words.includes(folders.at(-1) ?? "")
    );
  });
  const [one] = fitting;
  if (!one || fitting.length > 1) return undefined;
  return clicked(
    context,
    one,
    ADDRESS_WORDS,
    `"${one.label}" has the words of the address ${to_screen.url}.`,
  );
}

/**
 * Proposes the transitions of the map that lead from the screen before the gap (an unknown action) to the
 * screen after it.
 */
function wayProposal({ way = [], to_screen }: GapContext): Proposal | undefined {
  if (way.length === 0) return undefined;
  const confidence = way.reduce((product, step) => product * step.confidence, 1);
  const reasoning = `The map knows this way to ${to_screen?.name ?? "the next step"}.`;
  return {
    confidence,
    reasoning,
    actions: way.map((step) =>
      action(
        step.action_type,
        step.label || step.url,
        `Click "${step.label}"`,
        confidence,
        reasoning,
        step.screen_id,
      ),
    ),
    transitions: way.map((step) => ({
      from_screen_id: step.screen_id,
      to_screen_id: step.to_screen_id,
      trigger_action: `Click "${step.label}"`,
    })),
  };
}

function addressProposal(context: GapContext): Proposal | undefined {
  const { to_screen } = context;
  if (!to_screen || to_screen.url === "") return undefined;
  const reasoning = `Nothing that leads to ${to_screen.name} is known; its address can be opened.`;
  return {
    ...arrival(context, `Open ${to_screen.url}`, OPENED, reasoning),
    actions: [
      action("navigate", to_screen.url, `Open ${to_screen.name}`, OPENED, reasoning, to_screen.screen_id),
    ],
  };
}

/**
 * Checks that the map has the elements and screens in a model's proposal. Throws an error that states what is
 * wrong.
 */
export function check(
  { actions, transitions, confidence, reasoning }: ModelProposal,
  context: GapContext,
  screens: ReadonlySet<string>,
  limits: Limits,
): Proposal {
  if (actions.length === 0) throw new Error("the model proposes no action");
  if (actions.length > limits.max_intermediate_steps)
    throw new Error(
      `the model proposes ${actions.length} actions, more than ${limits.max_intermediate_steps}`,
    );
  let element: GapElement | undefined;
  const overall = confidence ?? gapLimits.unstated;
  const checked = actions.map((given): InferredAction => {
    const { action_type, target, screen_id } = given;
    if (screen_id != null && !screens.has(screen_id)) throw new Error(`the map has no screen ${screen_id}`);
    const known = isPress(action_type) || isEntry(action_type) ? elementOf(target ?? "", context) : undefined;
    if ((isPress(action_type) || isEntry(action_type)) && !known)
      throw new Error(`the map has no element "${target ?? ""}" there`);
    if (action_type === "navigate" && !isAddressOnMap(target ?? "", context))
      throw new Error(`${target ?? "the address"} is not on the map`);
    if (known && isPress(action_type)) element = known;
    return {
      action_type,
      target: target ?? "",
      description: given.description ?? `${action_type} ${target ?? ""}`.trim(),
      confidence: given.confidence ?? overall,
      reasoning: given.reasoning ?? reasoning ?? "",
      screen_id: screen_id ?? known?.screen_id ?? context.from_screen?.screen_id ?? null,
    };
  });
  for (const { from_screen_id, to_screen_id } of transitions)
    for (const id of [from_screen_id, to_screen_id])
      if (!screens.has(id)) throw new Error(`the map has no screen ${id}`);
  const presses = checked.filter(({ action_type }) => isPress(action_type)).length;
  const cause = presses === 0 ? pressBefore(context, checked) : presses === 1 ? element : undefined;
  return {
    actions: checked,
    transitions: limits.include_screens
      ? transitions.map(({ trigger_action, ...ends }) => ({ ...ends, trigger_action: trigger_action ?? "" }))
      : [],
    confidence: overall,
    reasoning: reasoning ?? "",
    ...(cause ? { element: cause } : {}),
  };
}

/**
 * Returns the element of the click before a gap (an unknown action), if this click already leads to the next
 * screen. This is assumed if the model only proposes to open the next screen, or to wait for it.
 */
function pressBefore(
  { from, from_screen, to_screen, elements }: GapContext,
  actions: readonly InferredAction[],
): GapElement | undefined {
  if (!isPress(from.action_type) || !from_screen || !to_screen) return undefined;
  const arrives = actions.some(
    ({ action_type, target }) => action_type === "navigate" && pathOf(target) === pathOf(to_screen.url),
  );
  const onlyWaits = actions.every(({ action_type }) => action_type === "navigate" || action_type === "wait");
  return arrives && onlyWaits ? elements.find(({ label }) => same(label, from.name)) : undefined;
}

/**
 * Finds the known element that a model's proposal names, by its selector or else by its label; `undefined` if
 * there is none.
 */
function elementOf(target: string, context: GapContext): GapElement | undefined {
  const { elements, links_elsewhere, fields = [], way = [] } = context;
  const all = [...elements, ...fields, ...way, ...links_elsewhere];
  return (
    all.find(({ control }) => control !== null && control.selector !== "" && control.selector === target) ??
    all.find(({ label }) => same(label, target))
  );
}

function isAddressOnMap(target: string, { to_screen, from_screen, way = [] }: GapContext): boolean {
  const known = [to_screen?.url, from_screen?.url, ...way.map(({ url }) => url)];
  return known.some(
    (url) => url !== undefined && url !== "" && (url === target || pathOf(url) === pathOf(target)),
  );
}

function clicked(context: GapContext, element: GapElement, confidence: number, reasoning: string): Proposal {
  const description =
    element.action_type === "submit_form" ? `Submit "${element.label}"` : `Click "${element.label}"`;
  const type = element.action_type === "submit_form" ? "submit_form" : "click";
  return {
    ...arrival(context, description, confidence, reasoning),
    actions: [action(type, element.label, description, confidence, reasoning, element.screen_id)],
    element,
  };
}

function arrival(
  { from_screen, to_screen }: GapContext,
  trigger: string,
  confidence: number,
  reasoning: string,
) {
  const transitions: readonly InferredTransition[] =
    from_screen && to_screen && from_screen.screen_id !== to_screen.screen_id
      ? [
          {
            from_screen_id: from_screen.screen_id,
            to_screen_id: to_screen.screen_id,
            trigger_action: trigger,
          },
        ]
      : [];
  return { transitions, confidence, reasoning };
}

function action(
  action_type: string,
  target: string,
  description: string,
  confidence: number,
  reasoning: string,
  screen_id: string | null,
): InferredAction {
  return { action_type, target, description, confidence, reasoning, screen_id };
}

export function isPress(type: string): boolean {
  return type === "click" || type === "submit_form" || type === "press";
}

export function isEntry(type: string): boolean {
  return type === "type" || type === "input" || type === "select_dropdown" || type === "upload_file";
}

function same(a: string, b: string): boolean {
  return a !== "" && wordsOf(a).map(stem).join(" ") === wordsOf(b).map(stem).join(" ");
}

/** Returns the share of the words in `wanted` that `text` contains. */
function share(wanted: string, text: string): number {
  const words = wordsOf(wanted).map(stem);
  const own = new Set(wordsOf(text).map(stem));
  return words.length === 0 ? 0 : words.filter((word) => own.has(word)).length / words.length;
}

function addressWords(url: string): readonly string[] {
  const { pathname = "" } = URL.parse(url) ?? {};
  return wordsOf(pathname.replace(/\.[a-z0-9]{1,5}$/i, "")).map(stem);
}

function pathOf(url: string): string {
  const { pathname = url } = URL.parse(url, "http://map.invalid") ?? {};
  return pathname.replace(/\/$/, "") || "/";
}
