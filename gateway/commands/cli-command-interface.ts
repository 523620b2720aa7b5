/**
 * The interface of a subcommand of `cairn`: its options, its usage text and its context. Results go to
 * stdout, everything else to stderr.
 */
import { readFileSync } from "node:fs";
import { Refused } from "../../machines/errors.ts";
import type { Environment } from "../config.ts";

export const ExitCode = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export interface CommandOption {
  readonly type: "string" | "boolean";
  /** Whether the user may give the option several times. */
  readonly multiple?: boolean;
  /** The placeholder for the option's value in the help text. */
  readonly value?: string;
  readonly description: string;
}

/** The output of a command. */
export interface Terminal {
  /** Prints a line of the command's result to the standard output. */
  out(line: string): void;
  /** Prints a line about the command's progress. */
  err(line: string): void;
  /** Whether `err` writes to a terminal, on which a line can be overwritten. */
  readonly live: boolean;
  /** Replaces the last line on the terminal by the given line, to show progress. */
  overwrite(line: string): void;
  readonly columns: number;
}

export interface CommandContext {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Returns a command as the user must type it: `npm run explore --` or `cairn explore`. */
  readonly advise: (command: string) => string;
  readonly values: Readonly<Record<string, string | boolean | undefined | (string | boolean)[]>>;
  readonly positionals: readonly string[];
}

export interface Command {
  /** The text after the command's name in the usage line, such as `[--url <gateway>]`. */
  readonly usage: string;
  readonly description: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Runs the command. Resolves with its exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}

export function text(context: CommandContext, name: string): string | undefined {
  const value = context.values[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns the address of a gateway, from an option. Throws `usage.invalid` for a value that is no address, such as
 * `localhost:8000`.
 */
export function gatewayUrl(context: CommandContext, name = "url"): string | undefined {
  const value = text(context, name);
  if (value === undefined || (/^https?:\/\//i.test(value) && URL.canParse(value))) return value;
  throw new Refused(
    "usage.invalid",
    `--${name} takes the whole address of a gateway, such as http://127.0.0.1:8000, not "${value}".`,
  );
}

/** Returns all values of an option that the user may give several times. */
export function texts(context: CommandContext, name: string): readonly string[] {
  const value = context.values[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function flag(context: CommandContext, name: string): boolean {
  return context.values[name] === true;
}

/**
 * Returns the value of an option as a whole number. Throws `usage.invalid` for any other value, and for a
 * number less than `least`.
 */
export function integer(context: CommandContext, name: string, least: number): number | undefined {
  const value = text(context, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least) return number;
  throw new Refused("usage.invalid", `--${name} takes a whole number of at least ${least}, not "${value}".`);
}

/**
 * Reads a login recipe from a file. The recipe is validated later, together with the request that contains
 * it.
 */
export function recipeOf(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Refused("usage.invalid", `--login ${file} is no file with JSON: ${String(cause)}`);
  }
}

/** Throws if the command line has more than `count` arguments besides its options. */
export function atMost(context: CommandContext, count: number): void {
  const extra = context.positionals[count];
  if (extra !== undefined)
    throw new Refused("usage.invalid", `"${extra}" is one argument too many. Try --help.`);
}

const ERASE_LINE = "\r\u001b[2K";

export function processTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${process.stderr.isTTY ? ERASE_LINE : ""}${line}\n`),
    live: process.stderr.isTTY === true,
    overwrite: (line) => void process.stderr.write(`${ERASE_LINE}${line}`),
    get columns() {
      return process.stderr.columns ?? 80;
    },
  };
}
