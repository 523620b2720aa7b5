/** Tests that a killed Cairn or a killed test leaves no process behind. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { dataFolder } from "../support/cairn-test-process.ts";
import { killTree } from "../support/process-tree.ts";

setDefaultTimeout(60_000);

const data = await dataFolder();
afterAll(() => data.remove());

/** Returns the pids of the processes whose command line contains a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, "utf8").includes(text);
    } catch {
      // The process has ended after the folder `/proc` was listed.
      return false;
    }
  });
}

test.if(isFull)(
  "a killed process leaves no child behind, even if it creates children all the time",
  async () => {
    for (let round = 0; round < 10; round++) {
      // No other process sleeps for this number of seconds, so `sleep` processes with it are the children of this
      // loop. If the test fails, they end after these 20 seconds.
      const marker = `20.${process.pid}${round}`;
      const parent = spawn("sh", ["-c", `while :; do sleep ${marker} & done`], { stdio: "ignore" });
      const ended = new Promise((resolve) => parent.on("close", resolve));
      while (processesWith(`sleep\0${marker}`).length < 20) await Bun.sleep(1);
      killTree(parent.pid ?? 0);
      await ended;
      // A killed process without a parent has an empty command line until the system has removed it.
      await Bun.sleep(50);
      expect(processesWith(`sleep\0${marker}`)).toEqual([]);
    }
  },
);

test.skipIf(Bun.which("setpriv") === null)(
  "a Cairn ends with the process of its test, even if that process is killed",
  async () => {
    const helper = join(import.meta.dir, "../support/cairn-test-process.ts");
    const script = `const { Cairn } = await import("${helper}");
      const cairn = await Cairn.launch({ data: "${data.path}" });
      console.log(cairn.pid);
      await new Promise(() => {});`;
    const owner = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    const { value } = await owner.stdout.getReader().read();
    const pid = Number(new TextDecoder().decode(value));
    expect(existsSync(`/proc/${pid}/stat`)).toBe(true);
    owner.kill("SIGKILL");
    await owner.exited;
    const runs = (): boolean => processesWith("main.ts\0serve").includes(String(pid));
    try {
      for (let wait = 0; wait < 400 && runs(); wait++) await Bun.sleep(50);
      expect(runs()).toBe(false);
    } finally {
      if (runs()) process.kill(pid, "SIGKILL");
    }
  },
);
