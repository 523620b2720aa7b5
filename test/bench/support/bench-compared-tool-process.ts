/**
 * Runs a compared tool of the crawl bench as a child process. It prints `ready` when its packages are loaded,
 * receives `go`, and prints `done <pages>`.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { killTree } from "../../e2e/support/process-tree.ts";
import { type Measured, ProcessMeter } from "./bench-process-meter.ts";

export async function runPeerProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (child.pid === undefined) throw new Error(`${command} could not be started`);
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await nextLine(lines, "ready");
    const meter = new ProcessMeter(child.pid);
    child.stdin.write("go\n");
    const pages = Number(await nextLine(lines, "done"));
    return meter.stop(pages);
  } finally {
    killTree(child.pid);
  }
}

async function nextLine(lines: AsyncIterator<string>, word: string): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the peer ended before it printed "${word}"`);
    if (value.startsWith(word)) return value.slice(word.length).trim();
  }
}
