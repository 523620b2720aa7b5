#!/usr/bin/env node
/**
 * The `cairn` command: a launcher that needs only Node.
 *
 * It finds the Bun that was installed with Cairn, runs `main.ts` with it in the caller's folder, passes signals
 * on, and ends as Bun ended.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Bun's executable, from the package that `package.json` names. */
function findBun() {
  try {
    const manifest = createRequire(import.meta.url).resolve("bun/package.json");
    const executable = join(dirname(manifest), "bin", "bun.exe");
    if (existsSync(executable)) return executable;
  } catch {
    // The package is not installed. The message below states that.
  }
  console.error("cairn: Bun is not installed beside Cairn. Run `npm install` in Cairn's folder.");
  process.exit(1);
}

const main = join(dirname(fileURLToPath(import.meta.url)), "main.ts");
const child = spawn(findBun(), [main, ...process.argv.slice(2)], { stdio: "inherit" });

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`cairn: Bun did not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
