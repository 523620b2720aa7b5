/**
 * Measures how well Cairn infers actions. In maps of fixture applications, the actions of a fifth of the transitions
 * between screens are hidden. Cairn infers them, and the results are compared with the hidden actions.
 */

import { GapService } from "../../../actors/knowledge/map-gap-service.ts";
import { createModels, noModels } from "../../../actors/models/index.ts";
import { extrapolationRequestSchema } from "../../../machines/knowledge/gaps/map-gap-schemas.ts";
import type { TransitionAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import type { TransitionRecord } from "../../../machines/records/map-records.ts";
import { Town } from "../../actors/knowledge/explorations-and-maps-with-memory-store.ts";
import { appNames, startApp } from "../../sites/apps/start-fixture-app.ts";
import { randomFrom } from "../../support/seeded-random.ts";

export interface GapScore {
  readonly hidden: number;
  readonly stored: number;
  readonly right: number;
  /**
   * Number of stored inferences with a confidence of 0.6 or less. It must be 0, because Cairn stores only
   * inferences with enough confidence.
   */
  readonly weak: number;
}

const SHARE = 0.2;
/** Maximum number of hidden actions (actions that the map lacks) that one request asks Cairn to infer. */
const AT_ONCE = 40;
/** Maximum number of transitions that are used from the map of each application. */
const MOST = 120;
const SEED = 7;

export async function scoreGaps(by: "offline" | "scripted model"): Promise<GapScore> {
  const town = await Town.start();
  const model = new GuessingModel();
  const models = by === "offline" ? createModels(noModels) : createModels(model.settings);
  const score = { hidden: 0, stored: 0, right: 0, weak: 0 };
  try {
    for (const name of appNames) {
      const app = startApp(name);
      await town.explore(`${name}-job`, app.url, name, { max_pages: 150, max_depth: 6 });
      const known = await transitionsOf(town, name);
      const random = randomFrom(SEED);
      const chosen = known.filter(() => random() < SHARE).slice(0, MOST);
      for (let at = 0; at < chosen.length; at += AT_ONCE) {
        const some = chosen.slice(at, at + AT_ONCE);
        await town.store.write([{ op: "relate", edge: "transition", rows: some.map(withoutAction) }]);
        model.truth = some.map(({ action }) => labelOf(action));
        const request = extrapolationRequestSchema.parse({ knowledge_id: name, website_id: "site" });
        await new GapService(town.cairn, town.store, models).fill(request);
        const found = await transitionsOf(town, name);
        for (const truth of some) {
          const now = found.find(
            ({ in: [, from], out: [, to] }) => from === truth.in[1] && to === truth.out[1],
          );
          score.hidden += 1;
          if (!now?.inferred) continue;
          score.stored += 1;
          if (now.confidence <= 0.6) score.weak += 1;
          if (same(labelOf(now.action), labelOf(truth.action))) score.right += 1;
        }
        await town.store.write([{ op: "relate", edge: "transition", rows: some }]);
      }
      await app.stop();
    }
    return score;
  } finally {
    model.stop();
    await town.stop();
  }
}

/** Returns the transitions of a map whose action is on an element that has a name. */
async function transitionsOf(town: Town, map: string): Promise<readonly TransitionRecord[]> {
  const rows: TransitionRecord[] = [];
  for (const { screen_id } of await town.store.screens.outlines(map))
    rows.push(...(await town.store.screens.transitionsFrom(map, screen_id)));
  return rows.filter(({ action }) => labelOf(action) !== "");
}

function withoutAction(row: TransitionRecord): TransitionRecord {
  const action: TransitionAction = { action_type: "click", name: "", target: null, url: "" };
  return { ...row, action: JSON.stringify(action) };
}

function labelOf(action: string): string {
  // The cast is safe: the map and `withoutAction` write each action as JSON of a `TransitionAction`.
  const { name, target } = JSON.parse(action) as TransitionAction;
  return target ? name || target.name : "";
}

function same(a: string, b: string): boolean {
  return wordsOf(a).join(" ") === wordsOf(b).join(" ");
}

/**
 * A simulated model. Of each five answers, three are right, and one names an element that does not exist. The
 * fifth answer is right, but has a low confidence.
 */
class GuessingModel {
  truth: readonly string[] = [];
  #answers = 0;
  readonly #random = randomFrom(SEED);
  readonly #server = Bun.serve({ port: 0, fetch: (request) => this.#answer(request) });

  get settings() {
    return { secrets: [], geminiKey: "scripted", geminiUrl: this.#server.url.origin };
  }

  stop(): void {
    this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const body = await request.text();
    const labels = [...body.matchAll(/(?:click|submit_form) \\"([^"\\]+)\\"/g)].map(
      ([, label]) => label ?? "",
    );
    const links = [...body.matchAll(/end screen: ((?:\\"[^"\\]*\\"(?:, )?)+)/g)].flatMap(([, list = ""]) =>
      [...list.matchAll(/\\"([^"\\]*)\\"/g)].map(([, label]) => label ?? ""),
    );
    const guess = this.#random();
    this.#answers += 1;
    const right = links[0] ?? this.truth[this.#answers % Math.max(1, this.truth.length)] ?? "";
    const target = guess < 0.6 ? right : guess < 0.8 ? `Invented ${this.#answers}` : (labels[0] ?? "");
    const confidence = guess < 0.8 ? 0.9 : 0.5;
    const actions = [{ action_type: "click", target, confidence, reasoning: "guessed" }];
    const text = JSON.stringify({ actions, transitions: [], confidence });
    return Response.json({
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text }] } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    });
  }
}
