/**
 * Finds the gaps of a map: transitions whose action is unknown, and steps of tasks that no known action
 * performs. Each gap is returned with the known facts about its screens.
 */

import type {
  GapContext,
  GapElement,
  GapEnd,
  GapScreen,
  GapStep,
} from "../../machines/knowledge/gaps/known-facts-around-map-gap.ts";
import { gapLimits } from "../../machines/knowledge/gaps/map-gap-limits.ts";
import type { ActionGap, ExtrapolationRequest } from "../../machines/knowledge/gaps/map-gap-schemas.ts";
import { isEntry } from "../../machines/knowledge/gaps/propose-steps-for-map-gap.ts";
import type { AtlasScreen } from "../../machines/knowledge/in-memory-map.ts";
import type { FoundGaps } from "../../machines/knowledge/knowledge-protocol.ts";
import { screenOfAction, type TransitionAction } from "../../machines/knowledge/screens/page-to-screen.ts";
import type { TaskDefinition } from "../../machines/knowledge/tasks/task-definition.ts";
import type { TransitionRecord } from "../../machines/records/map-records.ts";
import { PlannedRoute } from "./answers/build-route-between-screens.ts";
import { elementsOf, type ScreenElement } from "./answers/list-and-find-screen-elements.ts";
import type { OpenMap } from "./answers/recognise-screen.ts";
import { type ResolvedStep, TaskResolver } from "./answers/task-steps-to-map-actions.ts";

/** Maximum number of elements of a screen in the description of one gap (an unknown action). */
const MOST_ELEMENTS = 100;
/** Maximum number of links from other screens in the description of one gap. */
const MOST_LINKS = 50;

export async function findGaps(map: OpenMap, request: ExtrapolationRequest): Promise<FoundGaps> {
  const finder = new GapFinder(map, request.website_id);
  const gaps = request.gaps
    ? await Promise.all(request.gaps.map((gap) => finder.given(gap)))
    : [...(await finder.transitions()), ...(await finder.tasks())].slice(0, gapLimits.gaps);
  const screens = map.atlas.screenIds();
  const own = [...map.atlas.screens()].filter(
    ({ website_id, is_actionable }) => is_actionable && website_id === request.website_id,
  );
  return {
    gaps,
    screen_ids: [...new Set([...screens, ...[...map.atlas.screens()].map(({ screen_id }) => screen_id)])],
    screen_names: [...new Set(own.map(({ name }) => name))].slice(0, gapLimits.namedScreens),
  };
}

class GapFinder {
  readonly #map: OpenMap;
  readonly #websiteId: string;
  readonly #elements = new Map<string, Promise<readonly ScreenElement[]>>();

  constructor(map: OpenMap, websiteId: string) {
    this.#map = map;
    this.#websiteId = websiteId;
  }

  #elementsOf(screenId: string): Promise<readonly ScreenElement[]> {
    const known = this.#elements.get(screenId) ?? elementsOf(this.#map, screenId);
    this.#elements.set(screenId, known);
    return known;
  }

  async transitions(): Promise<readonly GapContext[]> {
    const { source, knowledgeId, atlas } = this.#map;
    const rows = await source.screens.withoutAction(knowledgeId, gapLimits.gaps);
    const found: GapContext[] = [];
    for (const row of rows) {
      const [from, to] = [atlas.get(row.in[1]), atlas.get(atlas.routes.resolve(row.out[1]) ?? row.out[1])];
      if (!from || !to || from.website_id !== this.#websiteId) continue;
      const gap: ActionGap = {
        from_action_id: (await this.#end(from.screen_id, "last")).action_id,
        to_action_id: (await this.#end(to.screen_id, "first")).action_id,
        from_screen_id: from.screen_id,
        to_screen_id: to.screen_id,
        context: { reason: "transition_without_action" },
      };
      found.push({
        ...(await this.#context(gap, from, to)),
        transition: { from: row.in[1], to: row.out[1], action: row.action },
      });
    }
    return found;
  }

  /**
   * Returns the known action on one side of a gap (an unknown action). By the protocol specification, it is
   * the last element of the screen before the gap, or the first element of the screen after the gap.
   */
  async #end(screenId: string, which: "first" | "last"): Promise<GapEnd> {
    const elements = (await this.#elementsOf(screenId)).filter(({ control }) => control !== null);
    const element = which === "first" ? elements[0] : elements.at(-1);
    return element
      ? endOf(element)
      : {
          action_id: screenId,
          action_type: "navigate",
          name: this.#map.atlas.get(screenId)?.name ?? "",
          target: "",
        };
  }

  async tasks(): Promise<readonly GapContext[]> {
    const { source, knowledgeId } = this.#map;
    const resolver = new TaskResolver(this.#map);
    const found: GapContext[] = [];
    for (const { body } of await source.documents.tasks(knowledgeId)) {
      // `ingested-document-part.ts` wrote the task as JSON of `TaskDefinition`, so the cast is safe.
      const task = JSON.parse(body) as TaskDefinition;
      const steps = await resolver.steps(task, undefined);
      for (const [at, step] of steps.entries()) {
        const before = steps[at - 1];
        const gap =
          (before && (await this.#between(task, before, step))) ??
          (await this.#fields(task, step, steps[at + 1]));
        if (gap) found.push(gap);
      }
    }
    return found;
  }

  /**
   * Returns the gap (an unknown action) between two steps on different screens. Returns `undefined` if the
   * first step leads to the screen of the second one.
   */
  async #between(
    task: TaskDefinition,
    before: ResolvedStep,
    next: ResolvedStep,
  ): Promise<GapContext | undefined> {
    const from = before.leads_to ?? before.screen;
    const to = next.screen;
    if (!next.apart || !from || !to || before.step.inferred || next.step.inferred) return undefined;
    const gap: ActionGap = {
      from_action_id: before.action_id ?? `${task.task_id}#${before.step.order}`,
      to_action_id: next.action_id ?? `${task.task_id}#${next.step.order}`,
      from_screen_id: from.screen_id,
      to_screen_id: to.screen_id,
      context: { reason: "steps_apart", task_id: task.task_id, step: next.step.description },
    };
    const context = await this.#context(gap, from, to);
    const way = await this.#way(from, to);
    return {
      ...context,
      from: stepEnd(before, gap.from_action_id),
      to: stepEnd(next, gap.to_action_id),
      ...(way.length > 0 ? { way } : {}),
      task: { task_id: task.task_id, after: before.step.order },
    };
  }

  /**
   * Finds a gap (an unknown action) at a step such as "Fill in the form". Such a step names a form but not
   * its fields.
   */
  async #fields(
    task: TaskDefinition,
    step: ResolvedStep,
    next: ResolvedStep | undefined,
  ): Promise<GapContext | undefined> {
    const { screen } = step;
    const vague = step.action === undefined && step.step.action.action_type === "type";
    if (!vague || !screen || step.step.inferred || next?.step.inferred) return undefined;
    const elements = await this.#elementsOf(screen.screen_id);
    const form = elements.find(({ action_type }) => action_type === "submit_form");
    const names = (form?.control?.attributes.fields ?? "").split(", ").filter((name) => name !== "");
    const entries = elements.filter(({ action_type }) => isEntry(action_type));
    // The attribute `fields` of the control that sends the form has the names of the form's fields, in the order of the
    // inputs.
    const fields =
      names.length === 0
        ? entries
        : names.flatMap((name) => entries.find(({ control }) => control?.attributes.name === name) ?? []);
    if (fields.length === 0) return undefined;
    const to = next?.action_id ? next.action_id : (form?.action_id ?? `${task.task_id}#${step.step.order}`);
    const gap: ActionGap = {
      from_action_id: `${task.task_id}#${step.step.order}`,
      to_action_id: to,
      from_screen_id: screen.screen_id,
      to_screen_id: screen.screen_id,
      context: { reason: "unknown_fields", task_id: task.task_id, step: step.step.description },
    };
    return {
      ...(await this.#context(gap, screen, screen)),
      from: stepEnd(step, gap.from_action_id),
      fields: fields.map(plain),
      task: { task_id: task.task_id, after: step.step.order },
    };
  }

  /**
   * Returns what the map knows around a gap (an unknown action). The gap is given by the ids of the actions
   * before and after it.
   */
  async given(gap: ActionGap): Promise<GapContext> {
    const { atlas } = this.#map;
    const screenOf = (id: string, named: string | null): AtlasScreen | undefined =>
      atlas.get(named ?? "") ??
      atlas.get(atlas.group(named ?? "")?.example ?? "") ??
      atlas.get(id.includes(">") ? (id.split(">")[0] ?? "") : screenOfAction(id)) ??
      atlas.get(id);
    const [from, to] = [
      screenOf(gap.from_action_id, gap.from_screen_id),
      screenOf(gap.to_action_id, gap.to_screen_id),
    ];
    const context = await this.#context(gap, from, to);
    const row = from && to && (await this.#transitionBetween(from, to));
    const way = from && to && !row ? await this.#way(from, to) : [];
    return {
      ...context,
      ...(row && isWithoutAction(row)
        ? { transition: { from: row.in[1], to: row.out[1], action: row.action } }
        : {}),
      ...(way.length > 0 ? { way } : {}),
    };
  }

  async #transitionBetween(from: AtlasScreen, to: AtlasScreen): Promise<TransitionRecord | undefined> {
    const { source, knowledgeId } = this.#map;
    const rows = await source.screens.transitionsFrom(knowledgeId, from.screen_id);
    return rows.find((row) => row.out[1] === to.screen_id);
  }

  async #context(
    gap: ActionGap,
    from: AtlasScreen | undefined,
    to: AtlasScreen | undefined,
  ): Promise<GapContext> {
    const own = from ? await this.#elementsOf(from.screen_id) : [];
    const next = to ? await this.#elementsOf(to.screen_id) : [];
    const { links, screens } = to ? await this.#linksTo(to, from) : { links: [], screens: 0 };
    const end = (id: string, elements: readonly ScreenElement[]): GapEnd => {
      const element = elements.find(({ action_id }) => action_id === id);
      return element ? endOf(element) : { action_id: id, action_type: "unknown", name: "", target: "" };
    };
    return {
      gap,
      from: end(gap.from_action_id, own),
      to: end(gap.to_action_id, next),
      from_screen: screenPart(from),
      to_screen: screenPart(to),
      elements: own
        .filter(({ control }) => control !== null)
        .slice(0, MOST_ELEMENTS)
        .map(plain),
      links_elsewhere: links.slice(0, MOST_LINKS),
      linking_screens: screens,
    };
  }

  /** Returns the links on other screens that lead to this screen. */
  async #linksTo(to: AtlasScreen, from: AtlasScreen | undefined) {
    const { source, knowledgeId } = this.#map;
    const rows = await source.screens.transitionsTo(knowledgeId, to.screen_id);
    const links = rows.flatMap((row): GapElement[] => {
      // The map wrote the action as JSON of `TransitionAction`, so the cast is safe.
      const { name, target, url, action_type } = JSON.parse(row.action) as TransitionAction;
      if (!target || row.inferred || row.in[1] === from?.screen_id) return [];
      return [{ screen_id: row.in[1], action_type, label: name || target.name, control: target, url }];
    });
    return { links, screens: links.length };
  }

  async #way(from: AtlasScreen, to: AtlasScreen): Promise<readonly GapStep[]> {
    const { atlas, source, knowledgeId } = this.#map;
    const planned = PlannedRoute.between(atlas, from.screen_id, to.screen_id);
    if (!planned) return [];
    const { steps } = await source.screens.routeData(knowledgeId, [], planned.unread);
    const way = planned.describe(knowledgeId, steps, "click");
    return (way?.hops ?? []).map((hop, at) => {
      const action = way?.actions[at];
      const { text } = action?.parameters ?? {};
      return {
        screen_id: hop.from,
        to_screen_id: hop.to,
        action_type: action?.tool_name ?? "click",
        label: typeof text === "string" ? text : "",
        control: null,
        url: atlas.get(hop.to)?.url ?? "",
        confidence: action?.confidence ?? 0,
      };
    });
  }
}

/**
 * Whether the action of a transition is unknown. A redirect counts as known, because the server causes it and
 * no action is needed.
 */
function isWithoutAction({ action }: Pick<TransitionRecord, "action">): boolean {
  // The map wrote the action as JSON of `TransitionAction`, so the cast is safe.
  const { target, action_type } = JSON.parse(action) as TransitionAction;
  return target === null && action_type !== "redirect";
}

function plain({ screen_id, action_type, label, control, url }: ScreenElement): GapElement {
  return { screen_id, action_type, label, control, url };
}

function endOf({ action_id, action_type, label, control }: ScreenElement): GapEnd {
  return { action_id, action_type, name: label, target: control?.selector ?? "" };
}

function stepEnd({ step, action_id }: ResolvedStep, id: string): GapEnd {
  return {
    action_id: action_id ?? id,
    action_type: step.action.action_type,
    name: step.action.target,
    target: step.description,
  };
}

function screenPart(screen: AtlasScreen | undefined): GapScreen | null {
  return screen ? { screen_id: screen.screen_id, name: screen.name, url: screen.url } : null;
}
