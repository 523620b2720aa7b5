/**
 * Makes plans from the knowledge map: the route to a known screen, and the form of a known task. No model is
 * needed.
 */

import { stepDescription } from "../../machines/dialogue/plan/build-plan-step.ts";
import type { PlanStep, StepTarget } from "../../machines/dialogue/plan/plan-schemas.ts";
import type { ReadOrder } from "../../machines/dialogue/planner/plan-by-imperatives.ts";
import { isGeneral } from "../../machines/dialogue/planner/plans-that-lead-to-thing.ts";
import { hasOwnName, type ThingOfTask } from "../../machines/dialogue/planner/thing-of-task.ts";
import { contentWords, plainWords } from "../../machines/dialogue/words/normalised-words.ts";
import type {
  AgentContext,
  AgentResponse,
  BrowserUseAction,
} from "../../machines/knowledge/knowledge-protocol.ts";
import { isHighRisk } from "../../machines/risk/risk-words.ts";
import type { ElementDescription } from "../../machines/session/controls/find-element-by-locator.ts";
import { implicitRole } from "../../machines/session/controls/implicit-aria-role.ts";

export interface MapQuestion {
  readonly instruction_type: "navigate_to_screen" | "execute_task";
  readonly target: string;
  readonly context: AgentContext;
}

export type AskMap = (question: MapQuestion) => Promise<AgentResponse>;

/**
 * Where the agent is, in the form that queries to the map need: the address and the DOM summary of its page.
 */
export interface Position {
  readonly url: string;
  readonly dom_summary: string;
}

/**
 * Minimum confidence (0 to 1) of a route from the map. When the confidence is lower, the planner searches for
 * the target on the current page instead.
 */
const MIN_ROUTE = 0.6;
/**
 * A task may name a place, such as "the billing page". The name of the screen for this place must contain at
 * least this share (0 to 1) of the place's words.
 */
const MIN_NAME_SHARE = 0.6;

/**
 * Finds the first place in the task to which the map has a route, such as "the billing page". Returns the
 * steps of this route, under the index of the imperative that names the place. Returns an empty object if
 * there is no route.
 */
export async function knownRoutes(
  orders: readonly ReadOrder[],
  position: Position,
  ask: AskMap,
): Promise<Readonly<Record<number, readonly PlanStep[]>>> {
  const known: Record<number, readonly PlanStep[]> = {};
  const context = { current_url: position.url, dom_summary: position.dom_summary };
  for (const { at, order } of orders) {
    // Only the first place that the task names gets a route. The map plans routes only from the current
    // screen, and the route to a later place would start at another one.
    if (!order?.isPlace || Object.keys(known).length > 0) continue;
    const answer = await ask({ instruction_type: "navigate_to_screen", target: order.target, context });
    const steps = answer.success ? routeSteps(answer, order.target) : undefined;
    if (steps) known[at] = steps;
  }
  return known;
}

/**
 * Minimum confidence (0 to 1) of a route to what the task is about, such as "the user Ada". It is low,
 * because the dialogue plans again on the reached page. If that page does not show the user, the person is
 * asked.
 */
const MIN_THING_ROUTE = 0.3;
/**
 * Matches words that the name of a list may contain besides the kind of its objects: "All users", "User
 * administration".
 */
const LIST_WORD = /^(?:all|lists?|overview|manage(?:ment)?|index|browse|admin\p{L}*)$/iu;

/**
 * Finds the page of the map that shows what a task is about, such as "the user Ada": the page of Ada, or the
 * list of users. Returns the steps of the route to this page. Returns `undefined` if the map has no such
 * page.
 */
export async function routeToThing(
  thing: ThingOfTask,
  position: Position,
  ask: AskMap,
): Promise<readonly PlanStep[] | undefined> {
  const context = { current_url: position.url, dom_summary: position.dom_summary };
  const { kind, name } = thing;
  const whole = [...kind, ...name].join(" ");
  const ofKind = kind.join(" ");
  // A list is named in the plural: "Users" is the list, and "User" may be the page of one user.
  const list = contentWords(ofKind).join(" ");
  for (const target of new Set([whole, list === "" ? "" : `${list}s`, ofKind])) {
    if (target === "") continue;
    const answer = await ask({ instruction_type: "navigate_to_screen", target, context });
    if (!answer.success) continue;
    const { found_by, confidence, screen_name } = answer.metadata;
    if (typeof confidence === "number" && confidence < MIN_THING_ROUTE) continue;
    const words = contentWords(target);
    const screen = typeof screen_name === "string" ? contentWords(screen_name) : [];
    const link = targetOf(answer.actions.at(-1)?.parameters ?? {})?.name ?? "";
    const named = [...screen, ...contentWords(link)];
    const isWhole = target === whole && name.length > 0;
    // The name of a list has no further words: "All users" is a list of users, and "Edit user Ann" is not.
    const isList = screen.every((word) => words.includes(word) || LIST_WORD.test(word));
    const isNamed = words.every((word) => named.includes(word)) && (isWhole || isList);
    if (
      !(found_by === "content" ? isWhole && hasOwnName(thing) : isNamed) ||
      isAnyOf(words, answer.expected_result.parameters)
    )
      continue;
    const steps = stepsOf(answer);
    const way = steps && isGeneral(thing) && hasOwnName(thing) ? withoutShowLink(steps) : steps;
    if (way && way.length > 0) return way;
  }
  return undefined;
}

/**
 * Matches the name of a link in a row of a list that only shows the object of the row. Beside it, the row has a
 * link to edit the object.
 */
const SHOW_LINK = /^show$/i;

/**
 * Removes the last step of a route if it clicks the link "Show" in the row of a thing, so that the route ends
 * at the list with this row. In Flask-AppBuilder and in the lists that Rails generates, each row has "Show"
 * and "Edit", and the page behind "Show" may have no form.
 */
function withoutShowLink(steps: readonly PlanStep[]): readonly PlanStep[] {
  const isShow = SHOW_LINK.test(steps.at(-1)?.target?.name.trim() ?? "");
  return isShow && steps.length > 1 ? steps.slice(0, -1) : steps;
}

function routeSteps(answer: AgentResponse, wanted: string): readonly PlanStep[] | undefined {
  const { confidence, screen_name } = answer.metadata;
  if (typeof confidence === "number" && confidence < MIN_ROUTE) return undefined;
  const words = contentWords(wanted);
  const named = contentWords(typeof screen_name === "string" ? screen_name : "");
  const share = words.filter((word) => named.includes(word)).length / Math.max(1, words.length);
  if (share < MIN_NAME_SHARE || isAnyOf(words, answer.expected_result.parameters)) return undefined;
  return stepsOf(answer);
}

function stepsOf({ actions, metadata, expected_result }: AgentResponse): readonly PlanStep[] | undefined {
  const { waypoints } = metadata;
  // The cast is needed: the map actor has written the waypoints, but the protocol does not declare their
  // type.
  const places = (Array.isArray(waypoints) ? waypoints : []) as readonly { readonly screen_id?: string }[];
  const goal = typeof expected_result.screen_id === "string" ? expected_result.screen_id : null;
  const steps = actions.map((action, at) =>
    mapStep(action, at === actions.length - 1 ? goal : (places[at]?.screen_id ?? null)),
  );
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/**
 * Whether the words leave open which of several similar pages is the goal. For example, the goal is the page
 * of ticket 2, but the words are only "the ticket".
 *
 * @param parameters the values that distinguish the address of the goal from those of other pages of its kind
 */
function isAnyOf(words: readonly string[], parameters: unknown): boolean {
  if (typeof parameters !== "object" || parameters === null) return false;
  const kinds = Object.keys(parameters).flatMap((kind) => contentWords(kind));
  return kinds.length > 0 && words.every((word) => kinds.includes(word));
}

/**
 * A value in the task, and the possible names of its field. In "Enter Ada as the name", the value is "Ada"
 * and the field is "name".
 */
export interface TaskValue {
  readonly fields: readonly string[];
  readonly value: string;
}

/**
 * Returns the steps for a form that is on another screen of the map. Returns `undefined` if the form has no
 * field for one of the values.
 *
 * @param thing the kind of object that the task creates, such as "customer"; a form for another kind is not
 * used
 */
export async function knownForm(
  task: string,
  values: readonly TaskValue[],
  position: Position,
  ask: AskMap,
  thing = "",
): Promise<readonly PlanStep[] | undefined> {
  const parameters = Object.fromEntries(
    values.flatMap(({ fields, value }) => fields.map((field) => [field, value])),
  );
  const context = { current_url: position.url, dom_summary: position.dom_summary, parameters };
  const answer = await ask({ instruction_type: "execute_task", target: task, context });
  if (!answer.success) return undefined;
  const entered = answer.actions.filter(isEntry);
  if (entered.length < values.length || !isFormFor(thing, answer)) return undefined;
  // Steps for fields that get no value from the task are dropped.
  const wanted = answer.actions.filter(
    (action) => action.tool_name === "navigate" || action.tool_name === "click" || isEntry(action),
  );
  const steps = wanted.map((action) => mapStep(action, null));
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/**
 * Matches a text about a new object, such as "Create page". In such a text, a word like "page" is the kind of
 * object. In other texts, such as "User page", this word is ignored.
 */
const MAKES_NEW =
  /(?<!\p{L})(?:create|new|add|neue?[nrs]?|erstellen|anlegen|créer|nouve(?:au|lle)|crear|nuev[oa]|crea|nuov[oa])(?!\p{L})/iu;

/**
 * Whether a form is for a kind of object, such as "user". The kind must be in the name of the form's screen,
 * in the clicks that lead to it, or in its address. Names of fields do not count, because a form for users
 * may have a field "May edit drawers".
 */
function isFormFor(thing: string, { actions, metadata, expected_result }: AgentResponse): boolean {
  const words = contentWords(thing);
  const way = actions.slice(0, actions.findIndex(isEntry));
  const texts = [
    metadata.screen_name,
    expected_result.success_criteria,
    ...way.flatMap(({ description, parameters }) => [description, targetOf(parameters)?.name]),
  ];
  const named = texts.flatMap((text) =>
    typeof text !== "string"
      ? []
      : MAKES_NEW.test(text)
        ? plainWords(text).flatMap((word) => contentWords(word))
        : contentWords(text),
  );
  return words.filter((word) => named.includes(word)).length >= MIN_NAME_SHARE * words.length;
}

/**
 * Whether an action enters or selects a value: its parameter `text` is then this value. For other actions,
 * `text` names an element.
 */
function isEntry({ tool_name, parameters }: BrowserUseAction): boolean {
  return /^(?:input|select_dropdown)$/u.test(tool_name) && typeof parameters.text === "string";
}

function mapStep(action: BrowserUseAction, screen: string | null): PlanStep | undefined {
  const { tool_name, parameters, description, confidence } = action;
  const { url, text } = parameters;
  const base = {
    targetId: null,
    secret: null,
    expectedResult:
      screen === null
        ? ({ type: "effect", expected: null } as const)
        : ({ type: "screen", expected: screen } as const),
    description,
    risk: "low" as const,
    reversible: true,
    confidence,
    deferred: false,
    dependsOn: [],
  };
  if (tool_name === "navigate" && typeof url === "string")
    return { ...base, action: "navigate", target: null, value: url };
  const target = targetOf(parameters);
  if (!target) return undefined;
  if ((tool_name === "input" || tool_name === "select_dropdown") && typeof text === "string") {
    return {
      ...base,
      action: tool_name,
      // The map's description of the step names only the field. The value is added, because the person who
      // approves the step must see it.
      description: stepDescription({ action: tool_name, name: target.name, value: text, secret: null }),
      target,
      value: text,
      expectedResult: { type: "value", expected: text },
    };
  }
  if (tool_name !== "click") return undefined;
  const isRisky = isHighRisk(`${target.name} ${description}`);
  return {
    ...base,
    action: "click",
    target,
    value: null,
    risk: isRisky ? "high" : "low",
    reversible: !isRisky,
  };
}

function targetOf({ fingerprint, text }: BrowserUseAction["parameters"]): StepTarget | undefined {
  // The cast is safe: the map stores each fingerprint as an `ElementDescription`.
  const { role = "", name, tag, attributes } = (fingerprint ?? {}) as ElementDescription;
  const called = name ?? (typeof text === "string" ? text : "");
  if (called === "") return undefined;
  // If an exploration has pressed an element without the attribute `role`, the map contains the element's tag
  // as its role. The role is then derived from the tag.
  const known = tag !== undefined && role === tag ? implicitRole({ tag, type: attributes?.type }) : role;
  return { role: known, name: called, ...(attributes ? { attributes: { ...attributes } } : {}) };
}
