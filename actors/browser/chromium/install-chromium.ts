/**
 * Installs a Chromium while Cairn runs. On Debian, the system's package manager is used, because its package
 * brings the needed libraries and is updated with the system. Elsewhere Playwright's installer is used; both
 * installers continue after Cairn has ended, so they write their output to a file.
 */
import { spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { browserLimits } from "../browser-limits.ts";
import { type FindOptions, findChromium } from "./find-chromium.ts";

export interface InstallOptions extends FindOptions {
  /** The folder in which the file `install.log` is written. */
  readonly folder: string;
  readonly log: (
    level: "info" | "warn" | "error",
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ) => void;
  /** The steps that install Chromium, tried in this order. The default depends on the operating system. */
  readonly steps?: readonly InstallStep[];
}

export interface InstallStep {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** Time limit of the installation step in milliseconds. */
  readonly within: number;
}

const APT = ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];

/**
 * Tries the installation steps in order until a Chromium is found. Returns a description of each step with
 * its result.
 */
export async function installChromium(options: InstallOptions): Promise<readonly string[]> {
  const { folder, log, steps = [...(await aptSteps()), playwrightStep()] } = options;
  await mkdir(folder, { recursive: true });
  const file = join(folder, "install.log");
  const tried: string[] = [];
  for (const step of steps) {
    log("info", "there is no Chromium yet: installing one behind the running Cairn", {
      by: step.name,
      output: file,
    });
    const end = await run(step, file);
    tried.push(`${step.name}: ${end}`);
    if (await findChromium(options)) break;
    if (!step.name.endsWith("update")) log("warn", "that did not bring a Chromium", { by: step.name, end });
  }
  return tried;
}

/**
 * Returns the installation steps for Debian's package manager, if Cairn runs there as root. Other systems
 * lack the package or name it differently.
 */
async function aptSteps(): Promise<readonly InstallStep[]> {
  if (process.getuid?.() !== 0) return [];
  // Without a file `/etc/os-release`, the system is not Debian.
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  if (!/^ID=debian$/m.test(release)) return [];
  const apt = (name: string, ...args: string[]): InstallStep => ({
    name,
    command: ["apt-get", ...APT, ...args],
    within: browserLimits.aptWithin,
  });
  const install = ["install", "--yes", "--no-install-recommends"];
  return [
    apt("apt-get update", "update"),
    apt("apt-get install chromium-headless-shell", ...install, "chromium-headless-shell"),
    apt("apt-get install chromium", ...install, "chromium"),
  ];
}

function playwrightStep(): InstallStep {
  const cli = fileURLToPath(new URL("cli.js", import.meta.resolve("playwright/package.json")));
  return {
    name: "playwright install",
    command: [process.execPath, cli, "install", "--only-shell", "chromium"],
    within: browserLimits.downloadWithin,
  };
}

/**
 * Runs an installation step and writes its output to the log file. Returns a text that describes the result.
 */
async function run({ command: [file, ...args], within }: InstallStep, output: string): Promise<string> {
  const log = await open(output, "a");
  try {
    return await new Promise((resolve) => {
      const child = spawn(file, args, {
        // The installer runs in its own process group, so Ctrl-C and the end of Cairn do not interrupt it.
        detached: true,
        stdio: ["ignore", log.fd, log.fd],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
      child.unref();
      const timer = setTimeout(() => {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
        resolve(`not done within ${within / 1_000} s`);
      }, within);
      timer.unref();
      const end = (how: string): void => {
        clearTimeout(timer);
        resolve(how);
      };
      child.once("error", (error) => end(error.message));
      child.once("exit", (code, signal) =>
        end(code === 0 ? "done" : `ended with ${signal ?? `code ${code}`}`),
      );
    });
  } finally {
    await log.close();
  }
}
