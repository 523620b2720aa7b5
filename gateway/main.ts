#!/usr/bin/env bun
/**
 * The entry of the process: runs the command line with the process's arguments, environment and streams. It
 * ends with `process.exit`, because an embedded database keeps the event loop alive after it was closed.
 */
import { engineEnvironment } from "./environment-that-limits-engine-memory.ts";

// Files that may contain data of signed-in sites (database, backups, downloads) are created so that only this
// user can read them.
process.umask(0o077);

const settled = engineEnvironment(Bun.env);
// Some runtimes cannot replace the running process. Then Cairn continues without the memory settings.
if (settled && process.execve)
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...Bun.argv.slice(1)], settled);

// `cli.ts` is imported only here, after the restart. An import at the top of this file would load all modules
// twice.
const [{ runCommandLine }, { processTerminal }] = await Promise.all([
  import("./cli.ts"),
  import("./commands/cli-command-interface.ts"),
]);
process.exit(await runCommandLine(Bun.argv.slice(2), Bun.env, processTerminal()));
