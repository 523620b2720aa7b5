/**
 * `cairn task`: carries out a task in words together with the person at the terminal. The person answers
 * questions, approves plans and decides about failed steps.
 */
import { createInterface } from "node:readline";
import {
  type DialogueMessage,
  type DialogueView,
  type Incoming,
  startDialogueSchema,
} from "../../machines/dialogue/dialogue-schemas.ts";
import { asCairnError, Refused } from "../../machines/errors.ts";
import { type CliClient, openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import { createCommandLog } from "../log.ts";
import { formOf } from "../tools/person-form.ts";
import { type Command, type CommandContext, ExitCode, flag, text } from "./command.ts";

/** Interval at which the state of the dialogue is polled, in milliseconds. */
const POLL_EVERY = 200;
const ENDED: readonly string[] = ["idle", "completed", "error"];

function requestOf(context: CommandContext) {
  const [task, ...rest] = context.positionals;
  if (task === undefined || rest.length > 0)
    throw new Refused("usage.invalid", 'Say what to do in one argument: task "<task>" --url <page>.');
  const wish = {
    task,
    url: text(context, "url"),
    room_name: text(context, "room"),
    knowledge_id: text(context, "knowledge-id"),
    auto_approve: flag(context, "auto-approve"),
    auto_recover: flag(context, "auto-recover"),
  };
  const parsed = startDialogueSchema.safeParse(
    Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused(
    "usage.invalid",
    `${issue?.path.join(".") ?? "task"}: ${issue?.message ?? "is not valid"}`,
  );
}

/**
 * Converts a line that the person typed to an answer for the dialogue; `undefined` if the line is none of the
 * answers that it currently expects.
 */
export function answerOf(view: DialogueView, line: string): Incoming | undefined {
  const said = line.trim();
  if (/^(?:cancel|stop|quit)$/iu.test(said) && view.status !== "mid_exec_dialog") return { action: "cancel" };
  const planVersion = view.currentPlan?.version ?? 1;
  switch (view.status) {
    case "clarifying": {
      const [question] = view.dialogueState.pendingQuestions;
      if (said === "") return undefined;
      const questionId = question === undefined ? {} : { questionId: question.id };
      const option = question?.options[Number(said) - 1];
      return option
        ? { action: "submitClarification", ...questionId, selectedOptionId: option.id }
        : { action: "submitClarification", ...questionId, answer: said };
    }
    case "awaiting_approval":
      if (/^y(?:es)?$/iu.test(said)) return { action: "approvePlan", planVersion };
      return /^no?$/iu.test(said) ? { action: "rejectPlan", planVersion } : undefined;
    case "assume_announce": {
      const [assumption] = view.dialogueState.assumptions;
      if (!assumption || !/^c(?:orrect)?\b/iu.test(said)) return undefined;
      const newValue = said.replace(/^c(?:orrect)?\s*/iu, "");
      return {
        action: "correctAssumption",
        field: assumption.field,
        ...(newValue === "" ? {} : { newValue }),
      };
    }
    case "mid_exec_dialog": {
      const decisions = { r: "retry", s: "skip", p: "replan", a: "abort" } as const;
      const [letter = ""] = said.toLowerCase();
      return letter in decisions
        ? { action: "midExecDecision", decision: decisions[letter as keyof typeof decisions] }
        : undefined;
    }
    case "executing":
      return /^p(?:ause)?$/iu.test(said) ? { action: "pause" } : undefined;
    default:
      return undefined;
  }
}

/** Describes the inputs that the person can type in the dialogue's current state. */
export function promptOf(view: DialogueView): readonly string[] {
  const form = formOf(view);
  switch (view.status) {
    case "clarifying": {
      const options = view.dialogueState.pendingQuestions[0]?.options ?? [];
      return [
        form?.message ?? "",
        ...options.map(({ text: name }, at) => `  ${at + 1}. ${name}`),
        "  Type a number or your own words, or cancel.",
      ];
    }
    case "awaiting_approval":
      return [form?.message ?? "", "  yes, no or cancel"];
    case "mid_exec_dialog":
      return [
        form?.message ?? "",
        `  ${(view.failure?.recoveries ?? ["retry", "skip", "replan", "abort"]).join(", ")}`,
      ];
    case "assume_announce":
      return [
        "I continue with these assumptions:",
        ...view.dialogueState.assumptions.map(
          ({ field, assumedValue, confidence }) =>
            `  ${field}: ${assumedValue} (${Math.round(confidence * 100)} %)`,
        ),
        "  Starting in 3 s. Type: correct, correct <what is right>, or cancel.",
      ];
    default:
      return [];
  }
}

/** Formats a message of the dialogue as a line; `undefined` for a message whose content the prompt shows. */
function lineOf({ type, ...fields }: DialogueMessage): string | undefined {
  const { step, stepIndex, summary, error, newScore, iteration } = fields as Readonly<
    Record<string, unknown>
  >;
  switch (type) {
    case "stepStarted":
      return `${Number(stepIndex) + 1}. ${(step as { readonly description?: string } | null)?.description ?? ""}`;
    case "selfRefineUpdate":
      return `refined (${String(iteration)}): score ${String(newScore)}`;
    case "taskCompleted":
      return `Done: ${String(summary)}`;
    case "error":
      return `Failed: ${String(error)}`;
    default:
      return undefined;
  }
}

async function converse(client: CliClient, id: string, context: CommandContext): Promise<DialogueView> {
  const json = flag(context, "json");
  const { terminal } = context;
  const lines: string[] = [];
  const input = createInterface({ input: process.stdin });
  let isOpen = true;
  input.on("line", (line) => lines.push(line));
  input.on("close", () => {
    isOpen = false;
  });
  let seq = 0;
  let asked = "";
  try {
    for (;;) {
      const { messages } = await client.dialogueMessages(id, seq);
      for (const message of messages) {
        seq = message.seq;
        const line = json ? JSON.stringify(message) : lineOf(message);
        if (line !== undefined) terminal.out(line);
      }
      const view = await client.dialogue(id);
      if (ENDED.includes(view.status) && messages.length === 0) return view;
      const prompt = promptOf(view).join("\n");
      if (prompt !== "" && prompt !== asked && !json) terminal.err(prompt);
      asked = prompt;
      const line = lines.shift();
      const waits = formOf(view) !== undefined;
      if (line === undefined && waits && !isOpen)
        throw new Refused(
          "task.no_person",
          `The dialogue ${id} waits in ${view.status}, and the input has ended.`,
        );
      const answer = line === undefined ? undefined : answerOf(view, line);
      if (answer) await answerInTime(client, id, answer, context);
      else if (line !== undefined && waits) terminal.err("That is no answer to this.");
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
    }
  } finally {
    input.close();
  }
}

async function answerInTime(
  client: CliClient,
  id: string,
  answer: Incoming,
  { terminal }: CommandContext,
): Promise<void> {
  try {
    await client.answerDialogue(id, answer);
  } catch (thrown) {
    const { code, message } = asCairnError(thrown);
    if (code !== "dialogue.already_decided") throw thrown;
    terminal.err(message);
  }
}

export const task: Command = {
  name: "task",
  summary: "carry out a task in words, together with you",
  usage: '"<task>" --url <page> [options]',
  description:
    "Plans the task on the page, asks what is unclear, and executes the plan after your approval. When a step fails,\n" +
    "you decide how it continues.",
  options: {
    url: { type: "string", value: "page", description: "the page to begin at" },
    room: { type: "string", value: "name", description: "a session that runs, in place of a new one" },
    "knowledge-id": { type: "string", value: "id", description: "the map of the site" },
    "auto-approve": { type: "boolean", description: "run clear plans without high risk at once" },
    "auto-recover": { type: "boolean", description: "retry a step that nothing came of before asking" },
    gateway: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    json: { type: "boolean", description: "messages as JSON lines" },
  },
  async run(context) {
    const request = requestOf(context);
    const { config } = loadConfig(context.env);
    const client = await openCliClient(config, createCommandLog(config), {
      command: "task",
      url: text(context, "gateway"),
    });
    try {
      const { dialogue_id } = await client.startDialogue(request);
      const { status } = await converse(client, dialogue_id, context);
      return status === "completed" ? ExitCode.done : ExitCode.failed;
    } finally {
      await client.close();
    }
  },
};
