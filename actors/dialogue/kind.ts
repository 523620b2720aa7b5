/** The kind `dialogue/<id>`: plans a task with a person and executes it in a session, by asking the session's actor. */
import { setTimeout as pause } from "node:timers/promises";
import {
  type DialogueContext,
  type PlanInput,
  type PlanOutput,
  type StepInput,
  type StepOutput,
  viewOf,
} from "../../machines/dialogue/dialogue-context.ts";
import type { DialogueStatus } from "../../machines/dialogue/dialogue-state.ts";
import { analyseFailure } from "../../machines/dialogue/failure-analysis.ts";
import { dialogueLimits } from "../../machines/dialogue/limits.ts";
import { dialogueMachine } from "../../machines/dialogue/machine.ts";
import { planOffline } from "../../machines/dialogue/offline-planner.ts";
import type { DialogueProtocol } from "../../machines/dialogue/protocol.ts";
import { stepAction } from "../../machines/dialogue/step-action.ts";
import { kinds } from "../../machines/kinds.ts";
import { defineKind, type EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";
import { performInSession } from "../session-action.ts";

type Scope = EffectScope<CairnServices>;

/** Reads the page of the session and plans the task on it. */
async function plan({ task, room_name, answers, version }: PlanInput, scope: Scope): Promise<PlanOutput> {
  // A hibernated session has no page to read.
  await scope.ask("session", room_name, { type: "WAKE" });
  const { highlightedElements } = await scope.query("session", room_name, "analyze", {
    viewport_only: false,
    include_left_out: false,
    highlight: false,
    include_text: false,
  });
  const id = `${scope.address.id}-${version}`;
  return planOffline({ task, elements: highlightedElements, answers, id, version });
}

/** Performs one step as an action of the session. Its id makes it happen once, also after a crash. */
async function act({ room_name, step, stepIndex, action_id }: StepInput, scope: Scope): Promise<StepOutput> {
  const asked = {
    room: room_name,
    action: stepAction(step),
    id: action_id,
    within: dialogueLimits.stepWithin,
  };
  const outcome = await performInSession(asked, scope);
  if (!outcome.success) return { ok: false, failure: analyseFailure(stepIndex, outcome) };
  const { effect, value, url } = outcome.data;
  if (step.value !== null && typeof value === "string" && value !== step.value) {
    const error = `The field holds "${value}" instead of "${step.value}".`;
    return { ok: false, failure: analyseFailure(stepIndex, { error, data: { code: "form_invalid" } }) };
  }
  return { ok: true, evidence: { effect, value, url } };
}

export const dialogue = defineKind<DialogueProtocol, CairnServices, DialogueContext>({
  kind: "dialogue",
  version: kinds.dialogue.version,
  machine: dialogueMachine,
  effects: {
    plan,
    act,
    countdown: async (_input: null, { resumed, notify, signal }: Scope): Promise<null> => {
      // The earlier announcement was cut off: it is made again, with its full time.
      if (resumed) await notify({ type: "ANNOUNCE_AGAIN" });
      await pause(dialogueLimits.announce, undefined, { signal });
      return null;
    },
  },
  queries: {
    state: async (_params, { context, value }) => viewOf(context, statusOf(value)),
  },
});

/** The state without what is inside of it. */
function statusOf(value: unknown): DialogueStatus {
  const name = typeof value === "object" && value !== null ? Object.keys(value)[0] : value;
  return name as DialogueStatus; // The machine has these states only.
}
