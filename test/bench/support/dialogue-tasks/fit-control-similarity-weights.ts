/**
 * Fits the weights in `machines/dialogue/clauses/control-choice-by-similarity.ts` to labelled tasks, and prints them. Usage:
 * `bun test/bench/support/dialogue-tasks/write-material-for-labelling-tasks.ts pages`, then
 * `bun test/bench/support/dialogue-tasks/fit-control-similarity-weights.ts pages`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { wordVectors } from "../../../../actors/dialogue/load-word-vectors.ts";
import {
  type Choice,
  similarElements,
} from "../../../../machines/dialogue/clauses/control-choice-by-similarity.ts";
import {
  hasSeveral,
  mayBeOneStep,
  similarStep,
} from "../../../../machines/dialogue/planner/plan-by-similar-meaning.ts";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import type { PlanRequest } from "../../../../machines/dialogue/planner/plan-steps-of-imperative.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import firstQuestions from "./first-questions.json";
import { type LabelledTask, labelledTasksSchema } from "./labelled-task-format.ts";

const [folder = "pages"] = process.argv.slice(2);
/**
 * Names of the sets of labelled tasks from which the weights are computed. The sets in `HELD` only show how good
 * the weights are.
 */
const FITTED =
  "known blind blind-second blind-third blind-fourth blind-fifth blind-sixth blind-seventh blind-eighth";
const HELD = "blind-ninth blind-tenth";
/**
 * When the weights of the features are fitted, a task that led to a question counts this number of times as much as
 * another task.
 */
const ASKED = 10;
/**
 * When the weights of the odds are computed, a task of a set that was already used to improve the planner has this
 * weight. The weight is low, because the planner now asks only about few tasks of such a set, and mostly with reason.
 */
const IMPROVED = 0.2;
/**
 * Strength of the regularisation: the square of each weight, multiplied by this number, is added to the cost.
 */
const REGULARISATION = { scores: 0.004, odds: 0.005 } as const;
const ROUNDS = { scores: 2_000, odds: 6_000 } as const;
const RATE = { scores: 0.5, odds: 0.3 } as const;

type Numbers = Readonly<Record<string, number>>;

/** A task, and what the planner knows about it. */
interface Sample {
  readonly isHeld: boolean;
  /**
   * Whether the planner asked about this task when the task was new, before anyone had improved the planner with
   * it.
   */
  readonly isFirst: boolean;
  readonly isAsked: boolean;
  /** Index of the wanted control among the candidates; -1 if the task needs a question or several steps. */
  readonly wanted: number;
  /** The features of each candidate. */
  readonly candidates: readonly Float64Array[];
  readonly choice: Choice;
  /** Whether a step on the best candidate passes all checks of the planner. */
  readonly isAllowed: boolean;
}

const vectors = await wordVectors();
if (!vectors) throw new Error("The word vectors are missing.");
const samples: Sample[] = [];
for (const name of `${FITTED} ${HELD}`.split(" ")) {
  const tasks = labelledTasksSchema.parse(
    JSON.parse(await readFile(join(import.meta.dir, `${name}.json`), "utf8")),
  );
  for (const label of tasks) samples.push(await sampleOf(name, label));
}
const fitted = samples.filter(({ isHeld }) => !isHeld);
const scores = fitScores(fitted);
console.log("WEIGHTS", rounded(scores));
const odds = fitOdds(fitted);
console.log("CHANCE", rounded(odds));
for (const isHeld of [false, true])
  for (const least of [0.4, 0.5, 0.6]) {
    const own = samples.filter((one) => one.isHeld === isHeld && isOpen(one) && chanceOf(one) >= least);
    const right = own.filter(isRight).length;
    console.log(isHeld ? "held out" : "fitted", `chance ${least}:`, right, "right of", own.length);
  }

async function sampleOf(name: string, label: LabelledTask): Promise<Sample> {
  const page = z
    .array(z.custom<HighlightedElement>())
    .parse(JSON.parse(await readFile(join(folder, `${label.page}.json`), "utf8")));
  const request: PlanRequest = {
    id: "fit",
    version: 1,
    task: label.task,
    answers: {},
    elements: page,
    pageUrl: "http://localhost/",
  };
  const planned = planRefined(request);
  const isFirst = (firstQuestions as Readonly<Record<string, readonly string[]>>)[name]?.includes(label.id);
  const [step, another] = label.steps;
  const isOne = label.kind === "clear" || label.kind === "risky";
  if (!vectors) throw new Error("The word vectors are missing.");
  const choice = similarElements(label.task, page, vectors, hasSeveral(planned));
  const wanted = choice.scored.findIndex(
    ({ candidate: { element, option } }) =>
      step?.targets.includes(element.selector) &&
      (step.action === "click" ? option === undefined : option === step.value),
  );
  return {
    isHeld: HELD.split(" ").includes(name),
    isFirst: isFirst ?? false,
    isAsked: planned.questions.length > 0 || isFirst === true,
    wanted: isOne && !another ? wanted : -1,
    candidates: choice.scored.map(({ candidate }) => Float64Array.from(Object.values(candidate.features))),
    choice,
    isAllowed: mayBeOneStep(request, planned) && similarStep(request, planned, choice) !== undefined,
  };
}

/** Fits the scores, so that the softmax of the scores is the probability of the wanted control. */
function fitScores(own: readonly Sample[]): Numbers {
  const used = own.filter(({ wanted }) => wanted >= 0);
  const total = used.reduce((sum, { isAsked }) => sum + (isAsked ? ASKED : 1), 0);
  const [best] = used[0]?.choice.scored ?? [];
  return descent(Object.keys({ ...best?.candidate.features }), "scores", (weights, gradient) => {
    for (const { candidates, wanted, isAsked } of used) {
      const powers = candidates.map((features) => Math.exp(product(features, weights)));
      const sum = powers.reduce((all, one) => all + one, 0);
      const weight = (isAsked ? ASKED : 1) / total;
      for (const [at, features] of candidates.entries())
        add(gradient, features, weight * ((powers[at] ?? 0) / sum - (at === wanted ? 1 : 0)));
    }
  });
}

/**
 * Fits the weights of the odds by logistic regression. The odds state how likely the best control is the
 * wanted one.
 */
function fitOdds(own: readonly Sample[]): Numbers {
  const used = own.filter(isOpen);
  const weightOf = ({ isFirst }: Sample): number => (isFirst ? 1 : IMPROVED);
  const total = used.reduce((sum, one) => sum + weightOf(one), 0);
  return descent(Object.keys({ ...used[0]?.choice.evidence }), "odds", (weights, gradient) => {
    for (const one of used) {
      const error = logistic(product(evidenceOf(one), weights)) - (isRight(one) ? 1 : 0);
      add(gradient, evidenceOf(one), (weightOf(one) / total) * error);
    }
  });
}

/** Finds the weights with the lowest cost by gradient descent. */
function descent(
  names: readonly string[],
  model: keyof typeof ROUNDS,
  addGradient: (weights: Float64Array, gradient: Float64Array) => void,
): Numbers {
  const weights = new Float64Array(names.length);
  for (let round = 0; round < ROUNDS[model]; round++) {
    const gradient = weights.map((weight) => REGULARISATION[model] * weight);
    addGradient(weights, gradient);
    add(weights, gradient, -RATE[model]);
  }
  return Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0]));
}

/** Adds the numbers, multiplied by a factor, to a sum. */
function add(sum: Float64Array, numbers: Float64Array, factor: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + factor * (numbers[at] ?? 0);
}

function evidenceOf({ choice }: Sample): Float64Array {
  return Float64Array.from(Object.values({ ...choice.evidence }));
}

function isOpen({ isAsked, isAllowed }: Sample): boolean {
  return isAsked && isAllowed;
}
/**
 * Whether the wanted control is the best candidate. The candidates are sorted, best first, by the weights that the
 * planner uses now.
 */
function isRight({ wanted }: Sample): boolean {
  return wanted === 0;
}
function chanceOf(one: Sample): number {
  return logistic(product(evidenceOf(one), Float64Array.from(Object.values(odds))));
}
function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
function product(numbers: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (numbers[at] ?? 0);
  return sum;
}
function rounded(weights: Numbers): Numbers {
  return Object.fromEntries(
    Object.entries(weights).map(([name, value]) => [name, Math.round(value * 100) / 100]),
  );
}
