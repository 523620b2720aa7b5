/**
 * Resolves the steps of a task to actions of the map. Each step starts on the screen to which the previous
 * step leads. When the action of a step is on a different screen, known transitions between the two screens
 * are inserted.
 */

import {
  openUrl,
  translateAction,
  translateControl,
  translateTransition,
} from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import { isEntry } from "../../../machines/knowledge/gaps/propose-steps-for-map-gap.ts";
import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import { screenOfAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import type { TaskDefinition, TaskStep } from "../../../machines/knowledge/tasks/task-definition.ts";
import { PlannedRoute } from "./build-route-between-screens.ts";
import { OPENED_BY_ADDRESS } from "./find-map-route-for-agent.ts";
import { describedBy, elementsOf, fitting, type ScreenElement } from "./list-and-find-screen-elements.ts";
import type { OpenMap } from "./recognise-screen.ts";
import { findTarget, isUrl } from "./resolve-target-screen.ts";

export interface ResolvedStep {
  readonly step: TaskStep;
  /** The page (instance of a screen) on which the browser performs the step. */
  readonly screen: AtlasScreen | undefined;
  readonly action_id: string | null;
  /** The browser action that performs the step; `undefined` when the map knows none. */
  readonly action: BrowserUseAction | undefined;
  /**
   * Actions that lead from the previous step's screen to the screen of this step. Empty if both are the same.
   */
  readonly way: readonly BrowserUseAction[];
  /** Whether this step is on another screen than the one to which the previous step leads. */
  readonly apart: boolean;
  readonly leads_to: AtlasScreen | undefined;
}

/**
 * Confidence (0 to 1) of an element that has the step's label, but is on another screen than the step. The
 * step may mean a different element.
 */
const FOUND_ELSEWHERE = 0.7;
/**
 * Maximum number of screens that may have a label. A label that occurs on more screens does not identify a
 * screen.
 */
const RARE_LABEL = 3;

export class TaskResolver {
  readonly #map: OpenMap;
  #labels: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

  constructor(map: OpenMap) {
    this.#map = map;
  }

  async steps(task: TaskDefinition, start: AtlasScreen | undefined): Promise<readonly ResolvedStep[]> {
    const resolved: ResolvedStep[] = [];
    let here = start;
    for (const step of task.steps) {
      const found = await this.#resolve(step, here);
      resolved.push(found);
      here = found.leads_to ?? found.screen ?? here;
    }
    return resolved;
  }

  async #resolve(step: TaskStep, here: AtlasScreen | undefined): Promise<ResolvedStep> {
    const { action, control, url } = step;
    const { atlas } = this.#map;
    const nothing = { step, screen: here, action_id: null, way: [], apart: false, leads_to: undefined };
    if (action.action_type === "unknown") return { ...nothing, action: undefined };
    if (control || (url !== undefined && action.action_type !== "navigate")) {
      const screen = url === undefined ? here : (atlas.byUrl(url) ?? here);
      return await this.#placed(step, screen, here, await this.#recorded(step, screen));
    }
    const { url: address } = action.parameters;
    if (action.action_type === "navigate" && typeof address === "string" && isUrl(address)) {
      const screen = atlas.byUrl(address);
      const opened = openUrl(address, screen?.name ?? address, OPENED_BY_ADDRESS);
      return { ...nothing, action: opened, leads_to: screen };
    }
    if (action.action_type === "wait" || action.action_type === "scroll") {
      const parameters = action.action_type === "wait" ? { seconds: 1 } : { direction: "down" };
      return { ...nothing, action: translateAction({ ...base(step, here), parameters, name: "" }) };
    }
    const near = here && this.#fit(await elementsOf(this.#map, here.screen_id), step);
    if (near) return await this.#placed(step, here, here, this.#described(near, step));
    if (action.action_type === "navigate") return await this.#navigated(step, here, nothing);
    const elsewhere = await this.#elsewhere(step, here);
    if (!elsewhere) return { ...nothing, action: undefined };
    return await this.#placed(step, atlas.get(elsewhere.screen_id), here, this.#described(elsewhere, step));
  }

  /**
   * Adds to a step the action that performs it. If the browser is on another screen, the actions that lead to
   * the right screen precede this action.
   */
  async #placed(
    step: TaskStep,
    screen: AtlasScreen | undefined,
    here: AtlasScreen | undefined,
    found: Pick<ResolvedStep, "action_id" | "action" | "leads_to">,
  ): Promise<ResolvedStep> {
    const { atlas } = this.#map;
    const apart =
      screen !== undefined &&
      here !== undefined &&
      atlas.screenIdOf(screen.screen_id) !== atlas.screenIdOf(here.screen_id);
    const isFirst = screen !== undefined && here === undefined;
    const way = apart || isFirst ? await this.#way(here, screen) : [];
    return { step, screen, ...found, way, apart };
  }

  async #way(from: AtlasScreen | undefined, to: AtlasScreen): Promise<readonly BrowserUseAction[]> {
    const { atlas, source, knowledgeId } = this.#map;
    const planned = from && PlannedRoute.between(atlas, from.screen_id, to.screen_id, [], this.#map.hidden);
    const { steps } = planned
      ? await source.screens.routeData(knowledgeId, [], planned.unread)
      : { steps: [] };
    const way = planned?.describe(knowledgeId, steps, "click");
    return way?.actions ?? (to.url === "" ? [] : [openUrl(to.url, to.name, OPENED_BY_ADDRESS)]);
  }

  /**
   * Finds the screen for a step such as "Open Settings", and the route to it. Used if the current screen has
   * no element "Settings".
   */
  async #navigated(
    step: TaskStep,
    here: AtlasScreen | undefined,
    nothing: Omit<ResolvedStep, "action">,
  ): Promise<ResolvedStep> {
    const found = await findTarget(this.#map, step.action.target);
    if (!found) return { ...nothing, action: undefined };
    const [first, ...more] = await this.#way(here, found.screen);
    return {
      ...nothing,
      // The last click of the route performs the step itself. The clicks before it lead to the screen on
      // which it is done.
      way: first && more.length > 0 ? [first, ...more.slice(0, -1)] : [],
      action: more.at(-1) ?? first,
      apart: more.length > 0,
      leads_to: found.screen,
    };
  }

  /**
   * Finds the map's action on the element of a recorded step. If the map has no such action, the step acts on
   * the recorded element itself.
   */
  async #recorded(
    step: TaskStep,
    screen: AtlasScreen | undefined,
  ): Promise<Pick<ResolvedStep, "action_id" | "action" | "leads_to">> {
    const { action, control } = step;
    const { atlas } = this.#map;
    const element = control && screen && describedBy(await elementsOf(this.#map, screen.screen_id), control);
    // If a recorded control has no tag, only the caller's locator describes it. The map's description of the
    // same element is more precise, so it is used if there is one.
    const target = control?.attributes.tag === undefined ? (element?.control ?? control) : control;
    return {
      action_id: element?.action_id ?? null,
      leads_to: element?.leads_to === undefined ? undefined : atlas.get(element.leads_to),
      action: translateAction({
        ...base(step, screen),
        ...(target ? { target } : {}),
        parameters: action.parameters,
      }),
    };
  }

  #described(
    element: ScreenElement,
    step: TaskStep,
  ): Pick<ResolvedStep, "action_id" | "action" | "leads_to"> {
    const { atlas } = this.#map;
    const screenId = atlas.screenIdOf(element.screen_id);
    const leads = element.leads_to === undefined ? undefined : atlas.get(element.leads_to);
    const action =
      element.source.kind === "control"
        ? translateControl(element.source.record, screenId)
        : translateTransition(element.source.record, leads, "click");
    return {
      action_id: element.action_id,
      action: action && { ...action, description: step.description || action.description },
      leads_to: leads,
    };
  }

  #fit(elements: readonly ScreenElement[], { action }: TaskStep): ScreenElement | undefined {
    const entry = isEntry(action.action_type);
    const suitable = elements.filter(({ action_type, control }) => {
      const isField = isEntry(action_type);
      // A step that enters text needs a field. Other steps may use any element except a whole form.
      return entry ? isField : control !== null || action_type !== "submit_form";
    });
    const found = fitting(suitable, action.target);
    return found.find(({ action_type }) => !isEntry(action_type)) && !entry
      ? found.find(({ action_type }) => !isEntry(action_type))
      : found[0];
  }

  /**
   * Finds an element with exactly this label on another screen. Returns the element on the nearest such
   * screen, or `undefined` if many screens have this label.
   */
  async #elsewhere(step: TaskStep, here: AtlasScreen | undefined): Promise<ScreenElement | undefined> {
    const { atlas } = this.#map;
    this.#labels ??= this.#readLabels();
    const holders = (await this.#labels).get(wordsOf(step.action.target).join(" ")) ?? new Set<string>();
    const screens = new Set([...holders].map((id) => atlas.screenIdOf(id)));
    if (screens.size === 0 || screens.size > RARE_LABEL) return undefined;
    const distance = (id: string) =>
      here ? (atlas.routes.route(here.screen_id, id)?.length ?? Number.POSITIVE_INFINITY) : 0;
    const [nearest] = [...holders].sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1));
    if (nearest === undefined) return undefined;
    const found = this.#fit(await elementsOf(this.#map, nearest), step);
    return found && { ...found, screen_id: nearest };
  }

  /** Returns the screens on which each label of a control occurs. */
  async #readLabels(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { source, knowledgeId, atlas } = this.#map;
    const labels = new Map<string, Set<string>>();
    const ids = [...atlas.screens()].map(({ screen_id }) => screen_id).sort();
    for await (const actions of source.screens.offered(knowledgeId, ids)) {
      for (const { action_id, name } of actions) {
        const label = wordsOf(name).join(" ");
        if (label !== "") labels.set(label, (labels.get(label) ?? new Set()).add(screenOfAction(action_id)));
      }
    }
    return labels;
  }
}

function base(step: TaskStep, screen: AtlasScreen | undefined) {
  return {
    action_type: step.action.action_type,
    name: step.action.target,
    description: step.description,
    confidence: FOUND_ELSEWHERE,
    screen_id: screen?.screen_id ?? null,
  };
}
