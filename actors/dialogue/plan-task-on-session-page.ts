/**
 * Plans a task on the page of a session. If the dialogue was started with an address, that address is opened
 * first.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { PlanInput, PlanOutput } from "../../machines/dialogue/dialogue-context.ts";
import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import { dialogOfOutcome } from "../../machines/dialogue/plan/question-before-leaving.ts";
import {
  elementsToContinue,
  isPageOfTask,
} from "../../machines/dialogue/planner/task-parts-left-open-by-plan.ts";
import { Refused } from "../../machines/errors.ts";
import type { AnalysisData } from "../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import { areValuesOfFailedTasks } from "../detect-values-of-failed-tasks.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { answerDialogs, readBehindDialogs } from "./answer-page-dialogs.ts";
import { makePlan } from "./make-plan.ts";
import type { PlanSources } from "./planning-input.ts";
import { readPage } from "./session-page-for-dialogue.ts";

type Scope = EffectScope<CairnServices>;

export async function plan(input: PlanInput, scope: Scope): Promise<PlanOutput> {
  const { room_name, url, version } = input;
  await openRoom(room_name, url, version, scope);
  const room = { room: room_name, id: `dialogue-${scope.address.id}-plan-${version}` };
  const read = () => readBehindDialogs(room, scope, () => readPage(room_name, scope));
  let page = await read();
  let planned = await planOn(page, input, scope);
  // A page that is still loading may soon show what the task names. So the person is asked only if it does not. An
  // unchanged page is not planned again, because a plan may call the model.
  const until = performance.now() + (page.loading ? dialogueLimits.loadingWithin : 0);
  while (planned.questions.length > 0 && performance.now() < until) {
    await sleep(dialogueLimits.loadingPause, undefined, { signal: scope.signal });
    const next = await read();
    if (next.revision === page.revision) continue;
    page = next;
    planned = await planOn(page, input, scope);
  }
  return planned;
}

async function planOn(page: AnalysisData, input: PlanInput, scope: Scope): Promise<PlanOutput> {
  const { version, task, answers, asked, done, reached } = input;
  // Planning blocks the thread for some milliseconds. The worker's timers, which renew its shard leases, get
  // a chance to run before each plan.
  await nextTurn();
  const state = { url: page.url, revision: page.revision };
  const isFirst = Object.keys(answers).length === 0;
  if (reached && isFirst && isPageOfTask(task, page, reached.plan.open ?? []))
    return { isDone: true, plan: reached.plan, questions: [], iterations: [], page: state };
  const planned = await makePlan(
    {
      id: `${scope.address.id}-${version}`,
      version,
      task,
      answers,
      asked,
      done,
      elements: reached ? elementsToContinue(page, reached.pressed) : page.highlightedElements,
      open: reached?.plan.open ?? [],
      pageUrl: page.url,
      title: page.title,
    },
    sourcesOf(input, scope),
  );
  const { plan: made, questions, iterations } = planned;
  return { plan: made, questions, iterations, page: state };
}

function sourcesOf({ knowledge_id, room_name, version }: PlanInput, scope: Scope): PlanSources {
  const { signal, services } = scope;
  if (knowledge_id === null) return { models: services.models, signal };
  const place = { room: room_name, id: `dialogue-${scope.address.id}-place-${version}` };
  const read = async () => {
    const { dom_summary } = await scope.query("session", room_name, "content", null);
    const { url } = await scope.query("session", room_name, "context", null);
    return { url, dom_summary };
  };
  const map = {
    position: () => readBehindDialogs(place, scope, read),
    ask: (question: object) =>
      scope.query("knowledge", knowledge_id, "agent", { target: "", context: {}, ...question }),
  };
  return { models: services.models, signal, map };
}

const KEPT =
  "The page of the session has values that are not saved, so it was not left. Save them, or open another page in the session, which discards them. Then start the task again.";

/** Opens the address in the session. A session that does not run is started with this address. */
async function openRoom(room: string, url: string | null, version: number, scope: Scope): Promise<void> {
  if (url === null) return;
  const { phase } = await scope.query("session", room, "phase", { wait: false });
  if (phase !== "absent" && phase !== "closed" && phase !== "failed") {
    const { id } = scope.address;
    // A dialog that a timer of the page has opened would block the navigation.
    await readBehindDialogs({ room, id: `dialogue-${id}-before-${version}` }, scope, () =>
      scope.query("session", room, "context", null),
    );
    const action = { name: "navigate", params: { url } } as const;
    const within = sessionLimits.actionWithin;
    const opening = `dialogue-${id}-open-${version}`;
    const open = { room, action, id: opening, within };
    let outcome = await performInSession({ ...open, asksBeforeLeaving: true }, scope);
    if (dialogOfOutcome(outcome)) {
      const own = `dialogue/${id}`;
      const isAccepted = await areValuesOfFailedTasks(room, scope, own);
      await answerDialogs({ room, id: opening, decide: () => isAccepted }, scope);
      if (!isAccepted) throw new Refused("dialogue.page_not_opened", KEPT);
      outcome = await performInSession({ ...open, id: `${opening}-left` }, scope);
    }
    const { success, error } = outcome;
    if (!success) throw new Refused("dialogue.page_not_opened", error ?? `${url} could not be opened.`);
    return;
  }
  const { width: viewport_width, height: viewport_height } = sessionLimits.viewport;
  const options = { initial_url: url, viewport_width, viewport_height };
  await scope.ask("session", room, { type: "START", options });
  const until = performance.now() + sessionLimits.startWithin;
  while (performance.now() < until) {
    const status = await scope.query("session", room, "phase", { wait: true });
    if (status.phase === "failed")
      throw new Refused("dialogue.page_not_opened", status.error?.message ?? "The session failed.");
    if (status.phase !== "live" && status.phase !== "hibernated") continue;
    if (status.opened && !status.opened.success)
      throw new Refused("dialogue.page_not_opened", status.opened.error ?? `${url} could not be opened.`);
    return;
  }
  throw new Refused("dialogue.page_not_opened", `The session ${room} did not start in time.`);
}
