/**
 * A child process that receives lines of text and prints lines of JSON. Compared tools and servers of benches
 * run in such processes.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { killTree } from "../../e2e/support/process-tree.ts";

export class JsonLineProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  /** @param env environment variables for the new process, in addition to those of this process */
  constructor(
    command: string,
    args: readonly string[],
    cwd?: string,
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#child = spawn(command, args, {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Resolves with the next line as parsed JSON. */
  async receive(): Promise<Readonly<Record<string, unknown>>> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("A peer of the bench ended.");
    // The cast is safe: every line is a JSON object.
    return JSON.parse(value) as Readonly<Record<string, unknown>>;
  }

  close(): void {
    if (this.#child.pid !== undefined) killTree(this.#child.pid);
  }
}
