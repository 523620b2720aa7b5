/**
 * Tests an effect that sends commands to another actor while its process is killed. Each command must be
 * applied exactly once and get one answer.
 */
import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFull } from "../../../test-run-tier-and-seed.ts";

const KILLS = isFull ? 100 : 2;
/** Options for Deno: all permissions, and no type check, because `npm run check` checks the types. */
const OPTIONS = process.versions.deno === undefined ? [] : ["run", "-A", "--no-check", "--no-lock"];
const SCRIPT = join(import.meta.dirname, "../support/effect-commands-test-process.ts");

const folder = await mkdtemp(join(tmpdir(), "cairn-asks-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Starts the process, and returns its output when it has ended. With `killAt`, the process is killed `after`
 * milliseconds after it has printed the text `line`.
 */
function run(
  url: string,
  rounds: number,
  killAt?: { readonly line: string; readonly after: number },
): Promise<string> {
  const child = spawn(process.execPath, [...OPTIONS, SCRIPT, url, String(rounds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const before = output.length;
    output += text;
    if (killAt && output.indexOf(killAt.line, before - killAt.line.length) >= 0)
      setTimeout(() => child.kill("SIGKILL"), killAt.after);
  });
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}

test(
  `${KILLS} kills of a process lose no command that effects of actors send to each other, and repeat none`,
  async () => {
    const url = `rocksdb://${join(folder, "db")}`;
    // In each round, one actor sends a command to another actor and waits for its answer. Rounds run one after
    // another. So each kill interrupts at most one command, and the next process sends an interrupted command
    // again.
    for (let kill = 0; kill < KILLS; kill++)
      await run(url, kill + 1, { line: kill % 3 === 2 ? "answered" : "asking", after: kill % 4 });
    const output = await run(url, KILLS);
    const ended = JSON.parse(output.trim().split("\n").at(-1) ?? "[]") as readonly {
      readonly applied: readonly string[];
      readonly answers: readonly unknown[];
    }[];
    expect(ended).toHaveLength(KILLS);
    for (const { applied, answers } of ended) {
      expect(applied).toHaveLength(1);
      expect(answers).toEqual([{ n: 1 }]);
    }
  },
  KILLS * 5_000 + 30_000,
);
