#!/usr/bin/env bun
/**
 * Where the process begins and ends: the command line with this process's arguments, environment and streams.
 *
 * It ends with `process.exit`, since an embedded database keeps the event loop alive after it was closed.
 */
import { settledEnvironment } from "./memory.ts";

const settled = settledEnvironment(Bun.env);
// Where a process cannot replace itself it runs as it is, and takes more memory.
if (settled && process.execve)
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...Bun.argv.slice(1)], settled);

// Only now: what a process that is replaced has loaded is loaded twice.
const [{ runCommandLine }, { processTerminal }] = await Promise.all([
  import("./cli.ts"),
  import("./commands/command.ts"),
]);
process.exit(await runCommandLine(Bun.argv.slice(2), Bun.env, processTerminal()));
