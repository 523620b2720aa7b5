/** The service of dialogues for the gateway: start, answer, read. */

import type { DialogueMessage, DialogueView, Incoming } from "../../machines/dialogue/dialogue-schemas.ts";
import { Refused } from "../../machines/errors.ts";
import type { Store } from "../../store/index.ts";
import type { CairnSystem } from "../cairn-system.ts";

export interface StartDialogue {
  readonly task: string;
  readonly room_name: string;
  readonly dialogue_id?: string | undefined;
  readonly auto_approve: boolean;
}

/** Messages of one answer. */
const MOST_MESSAGES = 1_000;

export class DialogueService {
  readonly #system: CairnSystem;
  readonly #store: Store;

  constructor(system: CairnSystem, store: Store) {
    this.#system = system;
    this.#store = store;
  }

  /** Answers at once; the dialogue plans meanwhile. */
  async start(
    { dialogue_id = crypto.randomUUID(), ...task }: StartDialogue,
    commandId?: string,
  ): Promise<{ readonly dialogue_id: string; readonly status: string }> {
    const { phase } = await this.#system.query("session", task.room_name, "phase", { wait: false });
    if (phase === "absent" || phase === "closed") {
      throw new Refused(
        "session.not_found",
        `There is no session ${task.room_name}. start_browser_session starts one.`,
        { status: 404 },
      );
    }
    const id = commandId === undefined ? {} : { id: commandId };
    const { status } = await this.#system.ask("dialogue", dialogue_id, { type: "START_TASK", ...task }, id);
    return { dialogue_id, status };
  }

  /** Throws `dialogue.already_decided` for an answer that comes too late, or to another version of the plan. */
  async answer(
    dialogueId: string,
    incoming: Incoming,
    commandId?: string,
  ): Promise<{ readonly dialogue_id: string; readonly status: string }> {
    const { room_name } = await this.get(dialogueId);
    const command = commandOf(incoming, room_name);
    const id = commandId === undefined ? {} : { id: commandId };
    const { status } = await this.#system.ask("dialogue", dialogueId, command, id);
    return { dialogue_id: dialogueId, status };
  }

  async get(dialogueId: string): Promise<DialogueView> {
    const state = await this.#system.query("dialogue", dialogueId, "state", null);
    if (state.task !== null) return state;
    throw new Refused(
      "dialogue.not_found",
      `There is no dialogue ${dialogueId}. start_dialogue starts one.`,
      {
        status: 404,
      },
    );
  }

  async messages(dialogueId: string, since: number): Promise<{ readonly messages: DialogueMessage[] }> {
    await this.get(dialogueId);
    const rows = await this.#store.dialogueMessages.since(dialogueId, since, MOST_MESSAGES);
    return { messages: rows.map((body) => JSON.parse(body) as DialogueMessage) }; // Written by the dialogue machine.
  }
}

function commandOf(incoming: Incoming, room_name: string) {
  switch (incoming.action) {
    case "startTask":
      return { type: "START_TASK", task: incoming.task, room_name, auto_approve: false } as const;
    case "submitClarification": {
      const { questionId, answer } = incoming;
      return { type: "SUBMIT_CLARIFICATION", questionId, answer } as const;
    }
    case "correctAssumption":
      return { type: "CORRECT_ASSUMPTION", field: incoming.field, value: incoming.value } as const;
    case "approvePlan":
      return { type: "APPROVE_PLAN", planVersion: incoming.planVersion } as const;
    case "rejectPlan":
      return { type: "REJECT_PLAN", planVersion: incoming.planVersion, reason: incoming.reason } as const;
    case "editStep": {
      const { planVersion, stepIndex, step } = incoming;
      return { type: "EDIT_STEP", planVersion, stepIndex, step } as const;
    }
    case "midExecDecision":
      return { type: "MID_EXEC_DECISION", decision: incoming.decision } as const;
    case "pause":
      return { type: "PAUSE" } as const;
    case "cancel":
      return { type: "CANCEL" } as const;
  }
}
