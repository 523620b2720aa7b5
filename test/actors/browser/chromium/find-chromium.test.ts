/** Tests which Chromium is used, and what happens if none is installed. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findChromium, provideChromium } from "../../../../actors/browser/index.ts";
import { asCairnError } from "../../../../machines/errors.ts";

const signal = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-find-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Creates a stand-in for Chromium: a program that prints the given text as its version. */
async function program(path: string, says = "Chromium 1.2.3.4", code = 0): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "${says}"\nexit ${code}\n`);
  await chmod(file, 0o755);
  return file;
}

const environment = () => ({
  PATH: `${join(folder, "first")}:${join(folder, "bin")}`,
  PLAYWRIGHT_BROWSERS_PATH: join(folder, "playwright"),
});
const find = (chromium?: string) => findChromium({ chromium, environment: environment() });

const SHELL = "playwright/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell";
const NEWER_SHELL =
  "playwright/chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell";
const BROWSER = "playwright/chromium-1255/chrome-linux64/chrome";

describe("the search for a Chromium", () => {
  test("finds the configured Chromium first, then that of the system, then one that Cairn installed", async () => {
    expect(await find()).toBeUndefined();
    for (const path of [
      "bin/microsoft-edge",
      "bin/google-chrome",
      "bin/chromium",
      "bin/chromium-headless-shell",
      BROWSER,
      SHELL,
      NEWER_SHELL,
    ]) {
      const file = await program(path);
      const source = path.startsWith("bin/") ? "the system" : "Playwright";
      expect(await find()).toEqual({ path: file, version: "Chromium 1.2.3.4", source });
    }
    const own = await program("own/build");
    expect(await find(own)).toEqual({ path: own, version: "Chromium 1.2.3.4", source: "CAIRN_CHROMIUM" });
    expect((await find("google-chrome"))?.path).toBe(join(folder, "bin/google-chrome"));
  });

  test("accepts a program only if it reports a Chromium version", async () => {
    await program("first/chromium", "Please install chromium from the store", 0);
    await program("bin/chromium-headless-shell", "Chromium 1.2.3.4", 1);
    await writeFile(join(folder, "bin/google-chrome"), "not a program");
    expect(await find()).toBeUndefined();
    const real = await program("bin/chromium");
    expect((await find())?.path).toBe(real);
  });

  test("never replaces the configured Chromium by another one", async () => {
    await program("bin/chromium");
    for (const name of [join(folder, "nothing"), "no-such-browser"]) {
      const error = asCairnError(await find(name).catch((thrown: unknown) => thrown));
      expect(error).toMatchObject({ code: "browser.unavailable", status: 503 });
      expect(error.message).toContain(`CAIRN_CHROMIUM is ${name}`);
    }
  });
});

describe("the installation of a missing Chromium", () => {
  const logged: string[] = [];
  const provide = (script: string, stop: AbortSignal = signal) =>
    provideChromium({
      environment: environment(),
      folder: join(folder, "data"),
      log: (_, message) => logged.push(message),
      signal: stop,
      steps: [{ name: "a script", command: ["/bin/sh", "-c", script], within: 10_000 }],
    });

  test("runs once for all simultaneous callers, and reports its progress", async () => {
    logged.length = 0;
    const ready = await program("ready/chromium");
    await mkdir(join(folder, "bin"));
    const script = `echo working; echo x >> ${folder}/runs; sleep 0.2; cp ${ready} ${folder}/bin/chromium`;
    const controller = new AbortController();
    const impatient = provide(script, controller.signal);
    const found = Promise.all([provide(script), provide(script)]);
    setTimeout(() => controller.abort(new Error("closing")), 50);
    await expect(impatient).rejects.toThrow("closing");
    for (const { path } of await found) expect(path).toBe(join(folder, "bin/chromium"));
    expect(await readFile(join(folder, "runs"), "utf8")).toBe("x\n");
    expect(await readFile(join(folder, "data/install.log"), "utf8")).toBe("working\n");
    expect(logged).toEqual([
      "there is no Chromium yet: installing one behind the running Cairn",
      "Chromium is installed",
    ]);
  });

  test("returns an error with advice if it fails, and is not tried again for every page", async () => {
    const script = `echo x >> ${folder}/runs; exit 3`;
    for (let round = 0; round < 2; round++) {
      const error = asCairnError(await provide(script).catch((thrown: unknown) => thrown));
      expect(error).toMatchObject({ code: "browser.unavailable", status: 503 });
      expect(error.message).toContain("a script: ended with code 3");
      expect(error.message).toContain("CAIRN_CHROMIUM");
    }
    expect(await readFile(join(folder, "runs"), "utf8")).toBe("x\n");
    // A Chromium that was installed by hand is found, although the earlier automatic installation failed.
    const byHand = await program("bin/chromium");
    expect((await provide(script)).path).toBe(byHand);
  });
});
