/**
 * Runs one command: selects it by name, parses its arguments, prints errors and returns the exit code. Exit
 * codes are 0 for done, 1 for failed, 2 for wrong usage or configuration, and 130 for interrupted.
 */
import { parseArgs } from "node:util";
import { asCairnError, Refused } from "../machines/errors.ts";
import {
  type Command,
  type CommandContext,
  ExitCode,
  type Terminal,
} from "./commands/cli-command-interface.ts";
import type { Environment } from "./config.ts";
import { version } from "./version.ts";

/** A command in the overview of all commands. */
interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  /** Loads the command's module. Only the given command is loaded, because most modules are large. */
  readonly load: () => Promise<Command>;
}

const commands: readonly ListedCommand[] = [
  {
    name: "serve",
    summary: "start the gateway and everything behind it",
    load: async () => (await import("./commands/serve-command.ts")).serve,
  },
  {
    name: "mcp",
    summary: "serve an MCP client over standard input and output",
    load: async () => (await import("./commands/mcp-command.ts")).mcp,
  },
  {
    name: "explore",
    summary: "explore a website and keep a map of it",
    load: async () => (await import("./commands/explore-command.ts")).explore,
  },
  {
    name: "ingest",
    summary: "add documents to a map",
    load: async () => (await import("./commands/ingest-command.ts")).ingest,
  },
  {
    name: "navigate",
    summary: "put a question to the web",
    load: async () => (await import("./commands/navigate-command.ts")).navigate,
  },
  {
    name: "task",
    summary: "carry out a task in words, together with you",
    load: async () => (await import("./commands/task-command.ts")).task,
  },
  {
    name: "query",
    summary: "ask a map the way, or search what it holds",
    load: async () => (await import("./commands/query-command.ts")).query,
  },
  {
    name: "doctor",
    summary: "show every setting and check what is reachable",
    load: async () => (await import("./commands/doctor-command.ts")).doctor,
  },
  {
    name: "dead-letters",
    summary: "show, replay or discard what actors could not handle",
    load: async () => (await import("./commands/dead-letters-command.ts")).deadLetters,
  },
  {
    name: "backup",
    summary: "write everything the store holds into a file",
    load: async () => (await import("./commands/backup-command.ts")).backup,
  },
  {
    name: "restore",
    summary: "bring a backup back into the data folder",
    load: async () => (await import("./commands/restore-command.ts")).restore,
  },
  {
    name: "config",
    summary: "show what can be set, and write it into a document",
    load: async () => (await import("./commands/config-command.ts")).config,
  },
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

async function help({ name, load }: ListedCommand): Promise<string> {
  const command = await load();
  const options = Object.entries(command.options).map(([name, { type, value, description }]) => {
    const left = type === "string" ? `--${name} <${value ?? "value"}>` : `--${name}`;
    return `  ${left.padEnd(28)} ${description}`;
  });
  return [
    `Usage: cairn ${name}${command.usage === "" ? "" : ` ${command.usage}`}`,
    "",
    command.description,
    ...(options.length > 0 ? ["", "Options:", ...options] : []),
  ].join("\n");
}

function commandNamed(given: string): ListedCommand {
  const command = commands.find(({ name }) => name === given);
  if (command !== undefined) return command;
  throw new Refused("usage.invalid", `There is no command "${given}". \`cairn --help\` lists them.`);
}

function parse(name: string, command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: {
        ...Object.fromEntries(
          Object.entries(command.options).map(([option, { type, multiple = false }]) => [
            option,
            { type, multiple },
          ]),
        ),
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refused("usage.invalid", `${reason}\nSee \`cairn ${name} --help\`.`, { cause });
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
    terminal.out(topic === undefined ? overview() : await help(commandNamed(topic)));
    return first === undefined ? ExitCode.usage : ExitCode.done;
  }
  const listed = commandNamed(first);
  const command = await listed.load();
  const { values, positionals } = parse(listed.name, command, rest);
  if (values.help === true) {
    terminal.out(await help(listed));
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
