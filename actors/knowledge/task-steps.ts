/**
 * Resolves the steps of a task to actions of the map, from the screen where each leaves the browser to the next. A step
 * on another screen than the one before is a gap, which known transitions may bridge.
 */
import type { AtlasScreen } from "../../machines/knowledge/atlas.ts";
import {
  openUrl,
  translateAction,
  translateControl,
  translateTransition,
} from "../../machines/knowledge/browser-actions.ts";
import { isEntry } from "../../machines/knowledge/extrapolation.ts";
import { wordsOf } from "../../machines/knowledge/name-index.ts";
import { screenOfAction } from "../../machines/knowledge/page-screen.ts";
import type { BrowserUseAction } from "../../machines/knowledge/protocol.ts";
import type { TaskDefinition, TaskStep } from "../../machines/knowledge/task-definition.ts";
import { PlannedRoute } from "./build-route.ts";
import type { OpenMap } from "./recognise-screen.ts";
import { findTarget, isUrl } from "./resolve-target.ts";
import { elementsOf, fitting, type ScreenElement } from "./screen-elements.ts";

export interface ResolvedStep {
  readonly step: TaskStep;
  /** The instance that the step is done on. */
  readonly screen: AtlasScreen | undefined;
  readonly action_id: string | null;
  /** `undefined`: the map does not know how to do it. */
  readonly action: BrowserUseAction | undefined;
  /** What leads to the screen of the step, when the step before leaves the browser elsewhere. */
  readonly way: readonly BrowserUseAction[];
  /** The step is on another screen than the one before leads to. */
  readonly apart: boolean;
  readonly leads_to: AtlasScreen | undefined;
}

/** Confidence of opening an address, which may need state that a click would provide. */
const OPENED_BY_ADDRESS = 0.9;
/** Confidence that a label found on another screen is the one of the step. */
const FOUND_ELSEWHERE = 0.7;
/** A label on more screens does not say which one is meant. */
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
      return await this.#placed(step, screen, here, {
        action_id: null,
        leads_to: undefined,
        action: this.#recorded(step, screen),
      });
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

  /** A step on a screen, with the way to it where the browser is elsewhere. */
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
    const planned = from && PlannedRoute.between(atlas, from.screen_id, to.screen_id);
    const { steps } = planned
      ? await source.screens.routeData(knowledgeId, [], planned.unread)
      : { steps: [] };
    const way = planned?.describe(knowledgeId, steps, "click");
    return way?.actions ?? (to.url === "" ? [] : [openUrl(to.url, to.name, OPENED_BY_ADDRESS)]);
  }

  /** "Open Settings": no element of this screen, but a screen of the map. */
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
      // The last click is the step; those before it lead there.
      way: first && more.length > 0 ? [first, ...more.slice(0, -1)] : [],
      action: more.at(-1) ?? first,
      apart: more.length > 0,
      leads_to: found.screen,
    };
  }

  #recorded(step: TaskStep, screen: AtlasScreen | undefined): BrowserUseAction | undefined {
    const { action, control } = step;
    return translateAction({
      ...base(step, screen),
      ...(control ? { target: control } : {}),
      parameters: action.parameters,
    });
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
      // Fields can be clicked, and lists chosen from; nothing is typed into a button.
      return entry ? isField : control !== null || action_type !== "submit_form";
    });
    const found = fitting(suitable, action.target);
    return found.find(({ action_type }) => !isEntry(action_type)) && !entry
      ? found.find(({ action_type }) => !isEntry(action_type))
      : found[0];
  }

  /** An element with exactly this label on few other screens; of several the nearest. */
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

  /** The screens of each label of a control. */
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
