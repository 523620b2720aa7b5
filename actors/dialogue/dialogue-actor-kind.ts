/**
 * The actor kind `dialogue/<id>`: plans a task with a person, and executes the plan in a session by asking
 * the session's actor.
 */
import { setTimeout as pause } from "node:timers/promises";
import { kinds } from "../../machines/actor-kinds.ts";
import { type DialogueContext, viewOf } from "../../machines/dialogue/dialogue-context.ts";
import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import { dialogueMachine } from "../../machines/dialogue/dialogue-machine.ts";
import type { DialogueProtocol } from "../../machines/dialogue/dialogue-protocol.ts";
import type { DialogueStatus } from "../../machines/dialogue/dialogue-states-that-accept-text.ts";
import { defineKind, type EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { migrateDialogue } from "./migrate-dialogue-of-earlier-version.ts";
import { act } from "./perform-plan-step.ts";
import { plan } from "./plan-task-on-session-page.ts";
import { previewPlan, refinePlan } from "./plan-without-dialogue.ts";

type Scope = EffectScope<CairnServices>;

export const dialogue = defineKind<DialogueProtocol, CairnServices, DialogueContext>({
  kind: "dialogue",
  version: kinds.dialogue.version,
  machine: dialogueMachine,
  migrate: migrateDialogue,
  effects: {
    plan,
    act,
    countdown: async (_input: null, { resumed, notify, signal }: Scope): Promise<null> => {
      // The process crashed while a person could still correct the announced plan. The plan is announced again, and
      // the person gets the full time for corrections again.
      if (resumed) await notify({ type: "ANNOUNCE_AGAIN" });
      await pause(dialogueLimits.announce, undefined, { signal });
      return null;
    },
  },
  queries: {
    state: async (_params, { context, value }) => viewOf(context, statusOf(value)),
    preview: previewPlan,
    refine: refinePlan,
  },
});

/** Returns the name of the dialogue's state. A nested state is reported as the state that contains it. */
function statusOf(value: unknown): DialogueStatus {
  const name = typeof value === "object" && value !== null ? Object.keys(value)[0] : value;
  // The cast is safe: `DialogueStatus` contains all states of the dialogue machine.
  return name as DialogueStatus;
}
