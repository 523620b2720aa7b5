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
import { formOf } from "../tools/convert-dialogue-questions-to-form.ts";
import {
  type Command,
  type CommandContext,
  ExitCode,
  flag,
  gatewayUrl,
  text,
} from "./cli-command-interface.ts";
import {
  answerOf,
  isCancel,
  lineOf,
  progressOf,
  promptOf,
  QuestionRound,
} from "./dialogue-terminal-lines.ts";

/** Interval at which the state of the dialogue is polled, in milliseconds. */
const POLL_EVERY = 200;
const ENDED: readonly string[] = ["idle", "completed", "error"];

function requestOf(context: CommandContext) {
  const [task, page, ...rest] = context.positionals;
  if (task === undefined || rest.length > 0)
    throw new Refused("usage.invalid", 'Say what to do in one argument: task "<task>" <url>.');
  const room = text(context, "room");
  const { page: givenPage } = addressesOf(context, page, room);
  const wish = {
    task,
    url: givenPage,
    room_name: room,
    knowledge_id: text(context, "knowledge-id"),
    auto_approve: flag(context, "auto-approve"),
    auto_recover: flag(context, "auto-recover"),
  };
  const parsed = startDialogueSchema.safeParse(
    Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)),
  );
  if (parsed.success) return parsed.data;
  if (wish.url === undefined && wish.room_name === undefined)
    throw new Refused(
      "usage.invalid",
      "Say where: give a page as the second argument, or a running session with --room <name>.",
    );
  const [issue] = parsed.error.issues;
  throw new Refused(
    "usage.invalid",
    `${issue?.path.join(".") ?? "task"}: ${issue?.message ?? "is not valid"}`,
  );
}

/**
 * Returns the page on which the task begins, and the address of the gateway. `--url` is the address of the gateway if
 * the page is given as `page`, or if a room name is given and `--gateway` is not. Otherwise `--url` is the page, as
 * in earlier versions, and `--gateway` is the gateway.
 */
function addressesOf(
  context: CommandContext,
  page: string | undefined,
  room: string | undefined,
): { readonly page: string | undefined; readonly gateway: string | undefined } {
  const [url, gateway] = [text(context, "url"), text(context, "gateway")];
  if (page !== undefined && url !== undefined && gateway !== undefined)
    throw new Refused("usage.invalid", "Give the page once, and the gateway once with --url.");
  const isPage = page === undefined && (gateway !== undefined || room === undefined);
  if (isPage) return { page: url, gateway: gatewayUrl(context, "gateway") };
  return { page, gateway: gatewayUrl(context, gateway === undefined ? "url" : "gateway") };
}

/** A conversation at the terminal, from the start of the dialogue until it has ended. */
class Conversation {
  readonly #client: CliClient;
  readonly #id: string;
  readonly #context: CommandContext;
  readonly #typed: TypedLines;
  /**
   * Signal that is aborted when the person interrupts the command. The task is then cancelled as soon as its
   * state allows it.
   */
  readonly #interrupted: AbortSignal;
  readonly #started = performance.now();
  #seq = 0;
  #shown = "";
  #round: { readonly key: string; readonly questions: QuestionRound } | undefined;

  constructor(
    client: CliClient,
    id: string,
    context: CommandContext,
    { typed, interrupted }: { readonly typed: TypedLines; readonly interrupted: AbortSignal },
  ) {
    this.#client = client;
    this.#id = id;
    this.#context = context;
    this.#typed = typed;
    this.#interrupted = interrupted;
  }

  async run(): Promise<DialogueView> {
    for (;;) {
      const { messages } = await this.#client.dialogueMessages(this.#id, this.#seq);
      for (const message of messages) this.#print(message);
      const view = await this.#client.dialogue(this.#id);
      if (ENDED.includes(view.status) && messages.length === 0) return view;
      this.#show(view);
      await this.#answer(view);
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
    }
  }

  #print(message: DialogueMessage): void {
    this.#seq = message.seq;
    const line = flag(this.#context, "json") ? JSON.stringify(message) : lineOf(message);
    if (line !== undefined) this.#context.terminal.out(line);
  }

  /**
   * Prints what the person can answer now. If no answer is expected, prints what the dialogue is doing. A
   * text is not printed twice in succession.
   */
  #show(view: DialogueView): void {
    const { terminal } = this.#context;
    if (flag(this.#context, "json")) return;
    if (view.status === "clarifying") this.#startRound(view);
    const prompt = (view.status === "clarifying" ? this.#round?.questions.prompt : promptOf(view)) ?? [];
    const progress = progressOf(view);
    const text = progress ?? prompt.join("\n");
    if (progress !== undefined && terminal.live) {
      const seconds = Math.round((performance.now() - this.#started) / 1_000);
      terminal.overwrite(`${progress} … ${seconds} s`.slice(0, terminal.columns - 1));
    } else if (text !== "" && text !== this.#shown && view.status !== "executing") {
      // While a plan is executed, only the messages about its steps are printed, and not this text.
      terminal.err(text);
    }
    this.#shown = text;
  }

  #startRound({ dialogueState, currentPlan }: DialogueView): void {
    const key = `${dialogueState.clarificationRound} ${currentPlan?.version}`;
    if (this.#round?.key === key) return;
    this.#round = { key, questions: new QuestionRound(dialogueState.pendingQuestions) };
  }

  /**
   * Sends a line that the person typed. Lines from a pipe wait until the dialogue expects an answer. A line
   * that is typed at a terminal before the dialogue asks is dropped.
   */
  async #answer(view: DialogueView): Promise<void> {
    const { terminal } = this.#context;
    if (this.#interrupted.aborted) return await this.#cancel(view);
    const waits = formOf(view) !== undefined;
    const line = this.#typed.next;
    if (line === undefined) {
      if (!waits || this.#typed.isOpen) return;
      throw new Refused(
        "task.no_person",
        `The dialogue ${this.#id} waits in ${view.status}, and the input has ended.`,
      );
    }
    const isRound = view.status === "clarifying" && !isCancel(line);
    if (isRound) this.#startRound(view);
    const answer = isRound ? this.#round?.questions.add(line) : answerOf(view, line);
    if (!answer && !waits && !this.#typed.isTerminal) return;
    this.#typed.take();
    if (answer) await answerInTime(this.#client, this.#id, answer, this.#context);
    else if (!isRound && waits) terminal.err("That is no answer to this.");
  }

  async #cancel({ status }: DialogueView): Promise<void> {
    const message = CANCELLED_BY[status];
    if (message) await answerInTime(this.#client, this.#id, message, this.#context);
  }
}

const CANCELLED_BY: Readonly<Record<string, Incoming>> = {
  clarifying: { action: "cancel" },
  assume_announce: { action: "cancel" },
  awaiting_approval: { action: "cancel" },
  executing: { action: "cancel" },
  mid_exec_dialog: { action: "midExecDecision", decision: "abort" },
};

/** Lines that the person has typed and that the command has not used yet. */
class TypedLines {
  readonly #lines: string[] = [];
  readonly #input = createInterface({ input: process.stdin });
  #isOpen = true;

  constructor() {
    this.#input.on("line", (line) => this.#lines.push(line));
    this.#input.on("close", () => {
      this.#isOpen = false;
    });
  }

  readonly isTerminal = process.stdin.isTTY === true;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get next(): string | undefined {
    return this.#lines[0];
  }

  take(): void {
    this.#lines.shift();
  }

  close(): void {
    this.#input.close();
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
  usage: '"<task>" <url> [options]',
  description:
    "Plans the task on the page, asks what is unclear, and executes the plan after your approval. When a step fails,\n" +
    "you decide how it continues. Ctrl-C cancels the task.",
  options: {
    room: { type: "string", value: "name", description: "a session that runs, in place of a new one" },
    "knowledge-id": { type: "string", value: "id", description: "the map of the site" },
    "auto-approve": { type: "boolean", description: "run clear plans without high risk at once" },
    "auto-recover": { type: "boolean", description: "retry a step that nothing came of before asking" },
    url: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    gateway: { type: "string", value: "gateway", description: "the earlier name of --url" },
    json: { type: "boolean", description: "messages as JSON lines" },
  },
  async run(context) {
    const request = requestOf(context);
    const { gateway } = addressesOf(context, context.positionals[1], text(context, "room"));
    const loaded = loadConfig(context.env);
    const client = await openCliClient(loaded, {
      command: "task",
      url: gateway,
    });
    const typed = new TypedLines();
    const interruption = new AbortController();
    const interrupt = () => interruption.abort();
    process.once("SIGINT", interrupt);
    try {
      const { dialogue_id } = await client.startDialogue(request);
      const { signal: interrupted } = interruption;
      const conversation = new Conversation(client, dialogue_id, context, { typed, interrupted });
      const { status } = await conversation.run();
      if (interrupted.aborted) return ExitCode.interrupted;
      return status === "completed" ? ExitCode.done : ExitCode.failed;
    } finally {
      process.off("SIGINT", interrupt);
      typed.close();
      await client.close();
    }
  },
};
