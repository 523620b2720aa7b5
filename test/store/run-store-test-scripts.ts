/** Runs scripts of this folder in separate processes, on the runtime of the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Deno's options: all permissions and no type check, because `npm run check` checks the types. */
const OPTIONS = process.versions.deno === undefined ? [] : ["run", "-A", "--no-check", "--no-lock"];

/**
 * Starts `<script>.ts` and pipes its standard output. If the script fails, `ended` rejects with its standard
 * error.
 */
export function startScript(script: string, ...args: readonly string[]) {
  return startScriptIn({}, script, ...args);
}

/** Starts a script with additional environment variables. */
function startScriptIn(env: Readonly<Record<string, string>>, script: string, ...args: readonly string[]) {
  const path = fileURLToPath(new URL(`./${script}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...OPTIONS, path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const closed = once(child, "close");
  return {
    stdout: child.stdout,
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
    /** Resolves when the process exits with code 0. Rejects when it exits with another code. */
    ended: async () => {
      await closed;
      if (child.exitCode !== 0) throw new Error(`${script} ${args[0]} ended badly: ${errors}`);
    },
  };
}

export type Script = ReturnType<typeof startScript>;

export async function textOf(stdout: NonNullable<ChildProcess["stdout"]>): Promise<string> {
  let text = "";
  for await (const part of stdout.setEncoding("utf8")) text += part;
  return text;
}

/** Runs a task of `task-on-store-test-process.ts` on a store in another process. Returns the JSON that the task prints. */
export async function inProcess(
  what: string,
  url: string,
  argument = "",
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const child = startScriptIn(env, "task-on-store-test-process", what, url, argument);
  const [out] = await Promise.all([textOf(child.stdout), child.ended()]);
  return JSON.parse(out);
}

/** Starts a process that opens the store and keeps it open until the process is killed. */
export async function holder(url: string): Promise<{ kill(): Promise<void> }> {
  const child = startScript("task-on-store-test-process", "hold", url);
  await once(child.stdout, "data");
  return child;
}
