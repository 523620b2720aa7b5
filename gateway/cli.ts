/**
 * Runs one command: selects it by name, parses its arguments, prints errors and returns the exit code. Exit
 * codes are 0 for done, 1 for failed, 2 for wrong usage or configuration, and 130 for interrupted.
 */
import { parseArgs } from "node:util";
import { asCairnError, Refused } from "../machines/errors.ts";
import { backup } from "./commands/backup-command.ts";
import {
  type Command,
  type CommandContext,
  ExitCode,
  type Terminal,
} from "./commands/cli-command-interface.ts";
import { config } from "./commands/config-command.ts";
import { deadLetters } from "./commands/dead-letters-command.ts";
import { doctor } from "./commands/doctor-command.ts";
import { explore } from "./commands/explore-command.ts";
import { ingest } from "./commands/ingest-command.ts";
import { mcp } from "./commands/mcp-command.ts";
import { navigate } from "./commands/navigate-command.ts";
import { query } from "./commands/query-command.ts";
import { restore } from "./commands/restore-command.ts";
import { serve } from "./commands/serve-command.ts";
import { task } from "./commands/task-command.ts";
import type { Environment } from "./config.ts";
import { version } from "./version.ts";

const commands: readonly Command[] = [
  serve,
  mcp,
  explore,
  ingest,
  navigate,
  task,
  query,
  doctor,
  deadLetters,
  backup,
  restore,
  config,
];

/**
 * Returns how the user starts commands: through npm or by `cairn`. Messages show commands in this form, so
 * that the user can copy them.
 */
function invocation(env: Environment): (command: string) => string {
  const script = env.npm_lifecycle_event;
  return script === undefined || script === "npx"
    ? (command) => `cairn ${command}`
    : (command) => (command === "serve" ? "npm start" : `npm run ${command} --`);
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `Cairn ${version}: explores web applications, keeps a map of them, and tells agents the way.`,
    "",
    "Usage: cairn <command> [arguments]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "`cairn <command> --help` tells more. Settings come from the environment: `cairn doctor` shows them.",
    "Exit codes: 0 done, 1 it failed, 2 wrong usage or configuration, 130 interrupted.",
  ].join("\n");
}

function help(command: Command): string {
  const options = Object.entries(command.options).map(([name, { type, value, description }]) => {
    const left = type === "string" ? `--${name} <${value ?? "value"}>` : `--${name}`;
    return `  ${left.padEnd(28)} ${description}`;
  });
  return [
    `Usage: cairn ${command.name}${command.usage === "" ? "" : ` ${command.usage}`}`,
    "",
    command.description,
    ...(options.length > 0 ? ["", "Options:", ...options] : []),
  ].join("\n");
}

function commandNamed(given: string): Command {
  const command = commands.find(({ name }) => name === given);
  if (command !== undefined) return command;
  throw new Refused("usage.invalid", `There is no command "${given}". \`cairn --help\` lists them.`);
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: {
        ...Object.fromEntries(
          Object.entries(command.options).map(([name, { type, multiple = false }]) => [
            name,
            { type, multiple },
          ]),
        ),
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refused("usage.invalid", `${reason}\nSee \`cairn ${command.name} --help\`.`, { cause });
  }
}

async function dispatch(args: readonly string[], env: Environment, terminal: Terminal): Promise<number> {
  const [first, ...rest] = args;
  if (first === "--version" || first === "-v") {
    terminal.out(version);
    return ExitCode.done;
  }
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    const [topic] = rest;
    terminal.out(topic === undefined ? overview() : help(commandNamed(topic)));
    return first === undefined ? ExitCode.usage : ExitCode.done;
  }
  const command = commandNamed(first);
  const { values, positionals } = parse(command, rest);
  if (values.help === true) {
    terminal.out(help(command));
    return ExitCode.done;
  }
  const context: CommandContext = { env, terminal, advise: invocation(env), values, positionals };
  return command.run(context);
}

/** Runs the command line and returns the exit code. It never throws. */
export async function runCommandLine(
  args: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  try {
    return await dispatch(args, env, terminal);
  } catch (thrown) {
    const error = asCairnError(thrown);
    terminal.err(`cairn: ${error.message}`);
    // An internal error is a defect in Cairn, so no advice can help the user. The error is therefore printed
    // with its stack.
    if (error.status === 500 && error.cause instanceof Error) terminal.err(error.cause.stack ?? "");
    return /^(usage|config|request)\./.test(error.code) ? ExitCode.usage : ExitCode.failed;
  }
}
