/**
 * Measures the quality of plans for labelled tasks on real third-party pages. A label is the plan that a
 * person expects. The tasks of the set `known` were written by authors who knew the planner, and all other
 * tasks by authors who did not.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import type { HighlightedElement } from "../../machines/session/page/page-snapshot.ts";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { randomFrom } from "../support/seeded-random.ts";
import type { Bench, Report, Row, Target } from "./support/bench-module-interface.ts";
import {
  bootstrapInterval,
  calibrationError,
  clarificationF1,
  type PlanAnswer,
  type ScoredPlan,
  scorePlan,
} from "./support/dialogue-tasks/compare-plans-with-labels.ts";
import { serveTaskPages, type TaskPage } from "./support/dialogue-tasks/dialogue-bench-pages.ts";
import { type LabelledTask, labelledTasksSchema } from "./support/dialogue-tasks/labelled-task-format.ts";

const FOLDER = join(import.meta.dir, "support/dialogue-tasks");
const SEED = 24;

export const bench: Bench = {
  about:
    "plans on third-party pages against labels [--labels known,blind,blind-second,blind-third,blind-fourth,blind-fifth,blind-sixth,blind-seventh,blind-eighth,blind-ninth,blind-tenth,blind-eleventh,blind-twelfth,blind-thirteenth,blind-fourteenth] [--wrong]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      labels: {
        type: "string",
        default:
          "known,blind,blind-second,blind-third,blind-fourth,blind-fifth,blind-sixth,blind-seventh,blind-eighth,blind-ninth,blind-tenth,blind-eleventh,blind-twelfth,blind-thirteenth,blind-fourteenth",
      },
      wrong: { type: "boolean", default: false },
    },
  });
  const sets = await Promise.all(
    values.labels.split(",").map(async (name) => ({ name, tasks: await labels(name) })),
  );
  const scored = await planAll(sets.flatMap(({ tasks }) => tasks));
  const rows = sets.flatMap(({ name, tasks }) => {
    const own = scored.filter(({ label }) => tasks.includes(label));
    if (values.wrong) printWrong(name, own);
    return rowsOf(name, own);
  });
  const pages = new Set(scored.map(({ label }) => label.page));
  return {
    bench: "dialogue",
    conditions: {
      tasks: scored.length,
      pages: pages.size,
      libraries: new Set([...pages].map((page) => page.replace(/-[a-z]+$/u, ""))).size,
      date: new Date().toISOString().slice(0, 10),
    },
    rows,
  };
}

async function labels(name: string): Promise<readonly LabelledTask[]> {
  return labelledTasksSchema.parse(await Bun.file(join(FOLDER, `${name}.json`)).json());
}

async function planAll(tasks: readonly LabelledTask[]): Promise<readonly ScoredPlan[]> {
  const site = await serveTaskPages();
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path });
  try {
    const scored: ScoredPlan[] = [];
    for (const [page, own] of Map.groupBy(tasks, (task) => task.page)) {
      await cairn.call("start_browser_session", { room_name: page, initial_url: site.url(page as TaskPage) });
      const { body } = await cairn.call("analyze_page", { room_name: page, viewport_only: false });
      const elements: readonly HighlightedElement[] = body.data.highlightedElements;
      const selectors = new Map(elements.map((one) => [one.highlight_index, one.selector]));
      for (const label of own) {
        const answer = await cairn.post("/api/plan-with-confidence", { task: label.task, room_name: page });
        if (answer.body.error?.code === "dialogue.secret_in_chat") {
          // The labelled task contains a password, so Cairn has made no plan. It asks the caller to store the
          // password as a secret.
          scored.push(scorePlan(label, refusedPlan(answer.body.error.message), selectors));
          continue;
        }
        if (answer.status !== 200) throw new Error(`${label.id}: ${JSON.stringify(answer.body)}`);
        scored.push(scorePlan(label, answer.body as PlanAnswer, selectors));
      }
      await cairn.call("close_browser_session", { room_name: page });
    }
    return scored;
  } finally {
    await cairn.stop();
    await data.remove();
    await site.stop();
  }
}

function refusedPlan(question: string): PlanAnswer {
  const breakdown = { intentClarity: 0, targetMatch: 0, valueConfidence: 0 };
  return {
    plan: {
      id: "refused",
      version: 1,
      summary: "",
      confidence: { overall: 0, breakdown },
      steps: [],
      assumptions: [],
      risks: [],
      source: "page",
    },
    questions: [{ id: "secret", type: "freeform", question, options: [], allowFreeform: true }],
  };
}

function rowsOf(name: string, scored: readonly ScoredPlan[]): Row[] {
  const clear = scored.filter(({ label }) => label.kind === "clear");
  const share = (count: number): number => count / Math.max(1, clear.length);
  const plain = scored.map(({ confidence, isRight }) => ({ confidence: confidence.plain, isRight }));
  const overall = scored.map(({ confidence, isRight }) => ({ confidence: confidence.overall, isRight }));
  const [low, high] = bootstrapInterval(plain, calibrationError, randomFrom(SEED));
  const at = (bound: Target["bound"], value: number): Target => ({ bound, value, label: String(value) });
  const right = clear.filter(({ isRight }) => isRight).length;
  const questions = clear.reduce((sum, one) => sum + one.questions, 0);
  const unapproved = scored.reduce((sum, one) => sum + one.unapproved, 0);
  const risky = scored.filter(({ label }) => label.kind === "risky");
  return [
    { name: `${name}: tasks`, figure: scored.length, unit: "tasks" },
    {
      name: `${name}: right target of clear tasks`,
      figure: share(right),
      unit: "",
      target: at("at least", 0.9),
    },
    {
      name: `${name}: calibration error`,
      figure: calibrationError(plain),
      unit: "",
      target: at("at most", 0.1),
    },
    { name: `${name}: calibration error, 95 % from`, figure: low, unit: "" },
    { name: `${name}: calibration error, 95 % to`, figure: high, unit: "" },
    {
      name: `${name}: calibration error with the factor for risk`,
      figure: calibrationError(overall),
      unit: "",
    },
    {
      name: `${name}: clarification F1`,
      figure: clarificationF1(scored),
      unit: "",
      target: at("at least", 0.8),
    },
    {
      name: `${name}: questions per clear task`,
      figure: share(questions),
      unit: "",
      target: at("at most", 0.15),
    },
    {
      name: `${name}: risky steps without approval`,
      figure: unapproved,
      unit: "steps",
      target: at("at most", 0),
    },
    {
      name: `${name}: right target of risky tasks`,
      figure: risky.filter(({ isRight }) => isRight).length / Math.max(1, risky.length),
      unit: "",
    },
  ];
}

function printWrong(name: string, scored: readonly ScoredPlan[]): void {
  for (const { label, isRight, asks, planned, confidence, unapproved } of scored) {
    const needs = label.kind === "ambiguous" || label.kind === "vague";
    if (unapproved === 0 && (needs ? asks : isRight)) continue;
    const missing = unapproved > 0 ? ", without approval" : "";
    console.log(
      `${name} ${label.id} (${label.page}, ${label.kind}, ${confidence.overall}${missing}): ${label.task}`,
    );
    for (const line of planned) console.log(`    ${line}`);
    for (const { action, targets, value } of label.steps)
      console.log(`    wanted: ${action} ${value ?? ""} <${targets.join(" or ")}>`);
  }
}
