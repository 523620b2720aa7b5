#!/usr/bin/env bun
/**
 * Where the process begins and ends: the command line with this process's arguments, environment and streams.
 *
 * It ends with `process.exit`, since an embedded database keeps the event loop alive after it was closed.
 */
import { runCommandLine } from "./cli.ts";
import { processTerminal } from "./commands/command.ts";
import { settledEnvironment } from "./memory.ts";

const settled = settledEnvironment(Bun.env);
// Where a process cannot replace itself it runs as it is, and takes more memory.
if (settled && process.execve)
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...Bun.argv.slice(1)], settled);

process.exit(await runCommandLine(Bun.argv.slice(2), Bun.env, processTerminal()));
