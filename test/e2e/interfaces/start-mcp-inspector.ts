/** Starts the command line program of the MCP Inspector once, and keeps it running for several tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { Readable } from "node:stream";

export interface Inspected {
  /**
   * Exit code of the MCP Inspector: 0 for success, 5 if the tool has reported an error, 6 if some clients do not
   * accept a schema.
   */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export class Inspector {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #lines: AsyncIterator<string>;
  readonly #home: string;

  private constructor(child: Bun.Subprocess<"pipe", "pipe", "inherit">, lines: Interface, home: string) {
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
    this.#home = home;
  }

  static async start(): Promise<Inspector> {
    // The home folder is temporary, because the Inspector may write a list of servers into it.
    const home = await mkdtemp(join(tmpdir(), "cairn-inspector-"));
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "run-mcp-inspector-many-times.ts")], {
      env: { PATH: process.env.PATH, HOME: home },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    return new Inspector(child, createInterface({ input: Readable.from(child.stdout) }), home);
  }

  async run(args: readonly string[]): Promise<Inspected> {
    this.#child.stdin.write(`${JSON.stringify(args)}\n`);
    await this.#child.stdin.flush();
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The Inspector ended at ${args.join(" ")}`);
    return JSON.parse(value);
  }

  async stop(): Promise<void> {
    await this.#child.stdin.end();
    await this.#child.exited;
    await rm(this.#home, { recursive: true, force: true });
  }
}
