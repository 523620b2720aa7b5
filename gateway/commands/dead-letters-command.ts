/**
 * `cairn dead-letters`: lists, replays or discards commands that actors could not handle. It uses the gateway
 * that serves the data folder, or a Cairn in this process if no gateway runs.
 */
import { Refused } from "../../machines/errors.ts";
import type { DeadLetter, Replayed } from "../../machines/runtime/runtime-administration-schemas.ts";
import { listLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import { type DeadLetterOperations, openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import {
  atMost,
  type Command,
  type CommandContext,
  ExitCode,
  flag,
  gatewayUrl,
  integer,
  text,
} from "./cli-command-interface.ts";

function lines({ id, kind, actor_id, item, message, error, attempts, at }: DeadLetter): readonly string[] {
  return [
    `${id}  ${at}  ${kind}/${actor_id}`,
    `    ${item} failed ${attempts} ${attempts === 1 ? "time" : "times"}: ${error.code}: ${error.message}`,
    `    ${JSON.stringify(message)}`,
  ];
}

async function list(context: CommandContext, deadLetters: DeadLetterOperations): Promise<number> {
  const limit = integer(context, "limit", 1) ?? listLimits.defaultSize;
  const { dead_letters, next_cursor } = await deadLetters.deadLetters({
    limit,
    cursor: text(context, "cursor"),
  });
  const { out } = context.terminal;
  if (flag(context, "json")) out(JSON.stringify({ dead_letters, next_cursor }));
  else if (dead_letters.length === 0) out("There are no dead letters.");
  else for (const letter of dead_letters) for (const line of lines(letter)) out(line);
  if (!flag(context, "json") && next_cursor !== null) out(`… go on with --cursor ${next_cursor}`);
  return ExitCode.done;
}

function describe({ id, kind, actor_id, state, unparked, outcome }: Replayed): string {
  const came = !outcome
    ? "it does its work again"
    : outcome.ok
      ? `answered ${JSON.stringify(outcome.result ?? null)}`
      : `refused: ${outcome.error?.code}: ${outcome.error?.message}`;
  return `${id}: ${kind}/${actor_id} ${unparked ? "is back in service; " : ""}${came} (now ${state})`;
}

/**
 * Processes each dead letter (a command that an actor could not handle) separately, so that one failure does not stop
 * the others.
 */
async function each(
  context: CommandContext,
  ids: readonly string[],
  work: (id: string) => Promise<{ readonly line: string; readonly answer: unknown }>,
): Promise<number> {
  let failures = 0;
  for (const id of ids) {
    try {
      const { line, answer } = await work(id);
      context.terminal.out(flag(context, "json") ? JSON.stringify(answer) : line);
    } catch (thrown) {
      if (ids.length === 1) throw thrown;
      failures += 1;
      context.terminal.err(`${id}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  return failures === 0 ? ExitCode.done : ExitCode.failed;
}

/**
 * Returns the ids that the user has given; with --all, the ids of all current dead letters (commands that actors
 * could not handle).
 */
async function chosen(
  context: CommandContext,
  deadLetters: DeadLetterOperations,
): Promise<readonly string[]> {
  const [verb, ...ids] = context.positionals;
  if (!flag(context, "all")) {
    if (ids.length > 0) return ids;
    throw new Refused("usage.invalid", `Name the dead letters to ${verb}, or give --all.`);
  }
  if (ids.length > 0) throw new Refused("usage.invalid", "Name dead letters or give --all, not both.");
  const all: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await deadLetters.deadLetters({ limit: listLimits.maxSize, cursor });
    all.push(...page.dead_letters.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
    more = cursor !== undefined;
  }
  return all;
}

async function work(
  context: CommandContext,
  verb: string,
  deadLetters: DeadLetterOperations,
): Promise<number> {
  if (verb === "list") return await list(context, deadLetters);
  const ids = await chosen(context, deadLetters);
  if (verb === "replay") {
    return await each(context, ids, async (id) => {
      const answer = await deadLetters.replay(id);
      return { answer, line: describe(answer) };
    });
  }
  return await each(context, ids, async (id) => ({
    answer: await deadLetters.discard(id),
    line: `${id}: discarded`,
  }));
}

export const deadLetters: Command = {
  usage: "[list | replay <id>… | discard <id>…]",
  description:
    "A command that made its actor fail again and again is kept as a dead letter, and so is what parked an actor.\n" +
    "replay gives it to its actor once more, under the id it had, and brings a parked actor back into service;\n" +
    "one that fails again stays. discard throws it away.",
  options: {
    all: { type: "boolean", description: "replay or discard all there are, the oldest first" },
    limit: { type: "string", value: "n", description: `letters of a list (${listLimits.defaultSize})` },
    cursor: { type: "string", value: "id", description: "where a list goes on" },
    url: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    json: { type: "boolean", description: "the answers as JSON" },
  },
  async run(context) {
    const [verb = "list"] = context.positionals;
    if (!["list", "replay", "discard"].includes(verb)) {
      throw new Refused("usage.invalid", `"${verb}" is none of list, replay and discard.`);
    }
    if (verb === "list") atMost(context, 1);
    const loaded = loadConfig(context.env);
    const operator = await openCliClient(loaded, {
      command: "dead-letters",
      url: gatewayUrl(context),
    });
    try {
      return await work(context, verb, operator.deadLetters);
    } finally {
      await operator.close();
    }
  },
};
