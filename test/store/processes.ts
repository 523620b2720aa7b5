/** Runs scripts of this folder in processes of their own, on the runtime that the test itself runs on. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What Deno must be told, and Bun knows: that a script may do what it does, and that `npm run check` has read it. */
const OPTIONS = process.versions.deno === undefined ? [] : ["run", "-A", "--no-check", "--no-lock"];

/** Starts `<script>.ts`, its standard output piped; what it says of errors is kept for `ended`. */
export function startScript(script: string, ...args: readonly string[]) {
  return startScriptIn({}, script, ...args);
}

/** The same with more in its environment. */
export function startScriptIn(
  env: Readonly<Record<string, string>>,
  script: string,
  ...args: readonly string[]
) {
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
    /** Resolves when the process has ended; rejects when it did not end well. */
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

/** The JSON that `store-process.ts` printed: what one process says about a store that others use as well. */
export async function inProcess(
  what: string,
  url: string,
  argument = "",
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const child = startScriptIn(env, "store-process", what, url, argument);
  const [out] = await Promise.all([textOf(child.stdout), child.ended()]);
  return JSON.parse(out);
}

/** A process that holds the store open until it is killed. */
export async function holder(url: string): Promise<{ kill(): Promise<void> }> {
  const child = startScript("store-process", "hold", url);
  await once(child.stdout, "data");
  return child;
}
