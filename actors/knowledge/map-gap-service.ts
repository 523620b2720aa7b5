/**
 * Fills the gaps of a map: transitions and task steps whose action is unknown. Rules propose actions first,
 * then a model if one is configured; each proposal is checked against the map. A proposal with enough
 * confidence is stored as inferred, until an observation confirms or refutes it.
 */

import type { GapContext } from "../../machines/knowledge/gaps/known-facts-around-map-gap.ts";
import { gapLimits } from "../../machines/knowledge/gaps/map-gap-limits.ts";
import {
  type ExtrapolationRequest,
  type ExtrapolationResult,
  modelProposalSchema,
} from "../../machines/knowledge/gaps/map-gap-schemas.ts";
import { check, type Proposal, propose } from "../../machines/knowledge/gaps/propose-steps-for-map-gap.ts";
import {
  type InferredSteps,
  type InferredTransitionRow,
  inferenceOf,
  withSteps,
} from "../../machines/knowledge/gaps/rows-of-inferred-steps.ts";
import type { FoundGaps } from "../../machines/knowledge/knowledge-protocol.ts";
import type { TaskDefinition } from "../../machines/knowledge/tasks/task-definition.ts";
import type { Store } from "../../store/index.ts";
import { type Models, renderPrompt } from "../models/index.ts";
import type { CairnSystem } from "../typed-actor-system.ts";

/**
 * Milliseconds in which a model may be asked to fill gaps (unknown actions). Gaps that remain after this time
 * are filled by rules only.
 */
const MODEL_WITHIN = 90_000;
/** Maximum number of elements of a page in a prompt to a model. */
const PROMPT_ELEMENTS = 40;

export class GapService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #models: Models;

  constructor(system: CairnSystem, store: Store, models: Models) {
    this.#system = system;
    this.#store = store;
    this.#models = models;
  }

  async fill(request: ExtrapolationRequest): Promise<ExtrapolationResult> {
    const { knowledge_id } = request;
    const found = await this.#system.query("knowledge", knowledge_id, "gaps", request);
    const until = performance.now() + MODEL_WITHIN;
    const filled: { readonly context: GapContext; readonly proposal: Proposal }[] = [];
    const errors: string[] = [];
    for (const context of found.gaps) {
      const offline = propose(context, request);
      const asked = this.#models.configured && performance.now() < until;
      const proposal = asked ? await this.#ask(context, found, request, errors, until) : undefined;
      const chosen = proposal && offline && isSurer(offline, proposal) ? offline : (proposal ?? offline);
      if (chosen) filled.push({ context, proposal: chosen });
      else if (!asked)
        errors.push(`${nameOf(context)}: nothing on the map suggests what happens between them`);
    }
    const stored = await this.#keep(knowledge_id, filled);
    return {
      gaps_filled: filled.length,
      inferred_actions: filled.flatMap(({ proposal }) => [...proposal.actions]),
      inferred_transitions: filled.flatMap(({ proposal }) => [...proposal.transitions]),
      confidence_scores: Object.fromEntries(
        filled.map(({ context, proposal }) => [context.gap.from_action_id, proposal.confidence]),
      ),
      errors,
      gaps_found: found.gaps.length,
      stored,
    };
  }

  /**
   * Asks a model which action fills a gap (a transition or a step whose action is unknown). When the map does
   * not support the model's answer, a text is added to `errors` and the result is `undefined`.
   */
  async #ask(
    context: GapContext,
    found: FoundGaps,
    request: ExtrapolationRequest,
    errors: string[],
    until: number,
  ): Promise<Proposal | undefined> {
    const { outputSchema } = await import("../models/model-output-schema.ts");
    const { from, to } = context;
    const prompt = await renderPrompt("extrapolate_actions", {
      from_action_id: from.action_id,
      from_action_type: from.action_type,
      to_action_id: to.action_id,
      to_action_type: to.action_type,
      max_steps: String(request.max_intermediate_steps),
    });
    const answer = await this.#models.complete({
      tier: "strong",
      prompt: { ...prompt, untrusted: [{ label: "map", text: knownText(context, found) }] },
      schema: outputSchema(modelProposalSchema),
      temperature: gapLimits.temperature,
      maxOutputTokens: gapLimits.outputTokens,
      within: Math.max(1, until - performance.now()),
      signal: AbortSignal.timeout(MODEL_WITHIN),
    });
    if (!answer.ok) {
      errors.push(`${nameOf(context)}: ${answer.message}`);
      return undefined;
    }
    try {
      return check(answer.value, context, new Set(found.screen_ids), request);
    } catch (error) {
      errors.push(`${nameOf(context)}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /**
   * Stores the proposed actions whose confidence is high enough. Returns the number of gaps (unknown actions)
   * that are now filled.
   */
  async #keep(
    knowledgeId: string,
    filled: readonly { readonly context: GapContext; readonly proposal: Proposal }[],
  ): Promise<number> {
    const transitions: InferredTransitionRow[] = [];
    const steps: InferredSteps[] = [];
    for (const { context, proposal } of filled) {
      const inference = inferenceOf(context, proposal);
      if (inference.transition) transitions.push(inference.transition);
      if (inference.steps) steps.push(inference.steps);
    }
    if (transitions.length + steps.length === 0) return 0;
    const byTask = Map.groupBy(steps, ({ task_id }) => task_id);
    const rows = await this.#store.documents.tasks(knowledgeId);
    const tasks = rows.flatMap(({ task_id, body }) => {
      const inferred = byTask.get(task_id);
      if (!inferred) return [];
      // `ingested-document-part.ts` wrote the task as JSON of `TaskDefinition`, so the cast is safe.
      return [{ task_id, body: JSON.stringify(withSteps(JSON.parse(body) as TaskDefinition, inferred)) }];
    });
    await this.#system.ask("knowledge", knowledgeId, { type: "INFERRED", part: { transitions, tasks } });
    return transitions.length + steps.length;
  }
}

/**
 * Whether the map's proposal is preferred to the model's. Both must have one action, with different targets,
 * and the map's proposal must have the higher confidence.
 */
function isSurer(offline: Proposal, model: Proposal): boolean {
  const [[one, ...more], [other, ...others]] = [offline.actions, model.actions];
  if (!one || !other || more.length + others.length > 0) return false;
  return one.target !== other.target && offline.confidence > model.confidence;
}

function nameOf({ gap }: GapContext): string {
  return `Gap ${gap.from_action_id} -> ${gap.to_action_id}`;
}

/**
 * Builds the part of the prompt that describes a gap, as the protocol specification defines it. It contains
 * the two actions around the gap with their screens, and the screens and elements of the site.
 */
function knownText(context: GapContext, { screen_names }: FoundGaps): string {
  const { from, to, from_screen, to_screen, elements, fields = [], links_elsewhere, way = [] } = context;
  const screen = (one: GapContext["from_screen"]) =>
    one ? `${one.name} (${one.screen_id}) ${one.url}` : "Unknown";
  return [
    `Start action name: ${from.name || "N/A"}`,
    `Start action target: ${from.target || "N/A"}`,
    `Start screen: ${screen(from_screen)}`,
    `End action name: ${to.name || "N/A"}`,
    `End action target: ${to.target || "N/A"}`,
    `End screen: ${screen(to_screen)}`,
    `Available screens: ${screen_names.join(", ")}`,
    `Elements of the start screen: ${[...fields, ...elements]
      .slice(0, PROMPT_ELEMENTS)
      .map(({ action_type, label }) => `${action_type} "${label}"`)
      .join(", ")}`,
    `Links of other screens to the end screen: ${[...new Set(links_elsewhere.map(({ label }) => `"${label}"`))].slice(0, PROMPT_ELEMENTS).join(", ")}`,
    ...(way.length > 0 ? [`Known way: ${way.map(({ label }) => `click "${label}"`).join(", ")}`] : []),
  ].join("\n");
}
