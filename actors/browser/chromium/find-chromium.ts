/**
 * Finds a Chromium on this machine: the configured one, else Playwright's, else the system's. A file is
 * accepted only when it answers `--version`, because a file with a browser's name may only print where to
 * download the browser. A headless shell is preferred to a full browser: the shell starts in a third of the
 * time and needs a quarter of the memory.
 */
import { execFile } from "node:child_process";
import { access, constants, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Unavailable } from "../../../machines/errors.ts";
import { browserLimits } from "../browser-limits.ts";

export type ChromiumSource = "CAIRN_CHROMIUM" | "Playwright" | "the system";

export interface FoundChromium {
  readonly path: string;
  /** The version that the browser reports, such as `Chromium 156.0.8078.79`. */
  readonly version: string;
  readonly source: ChromiumSource;
}

export interface FindOptions {
  /**
   * The value of `CAIRN_CHROMIUM`: a path, or a name on the PATH. When it is set, no other browser is
   * considered.
   */
  readonly chromium?: string | undefined;
  /**
   * The environment variables by which browsers are found: `PATH`, `PLAYWRIGHT_BROWSERS_PATH`,
   * `XDG_CACHE_HOME`.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const SYSTEM = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "microsoft-edge-stable",
];

/** Paths of browsers on macOS, where they are not on the PATH. */
const MAC_APPLICATIONS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/**
 * The folders that Playwright's installer creates, and the possible browser files in each of them. The number
 * in a folder name is its revision; the newest revision is tried first.
 */
const PLAYWRIGHT: readonly (readonly [folder: RegExp, files: readonly string[]])[] = [
  [
    /^chromium_headless_shell-(\d+)$/,
    [
      "chrome-headless-shell-linux64/chrome-headless-shell",
      "chrome-linux/headless_shell",
      "chrome-headless-shell-mac-arm64/chrome-headless-shell",
      "chrome-headless-shell-mac-x64/chrome-headless-shell",
      "chrome-mac/headless_shell",
    ],
  ],
  [
    /^chromium-(\d+)$/,
    [
      "chrome-linux64/chrome",
      "chrome-linux/chrome",
      "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
      "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
      "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    ],
  ],
];

/**
 * Returns the first Chromium that runs on this machine, or `undefined`. Throws `browser.unavailable` if the
 * operator has configured a Chromium that does not run. In this case, no other Chromium is tried.
 */
export async function findChromium(options: FindOptions = {}): Promise<FoundChromium | undefined> {
  // `process.env` is read directly, because these variables are settings of the system and of Playwright and
  // not of Cairn.
  const environment = options.environment ?? process.env;
  if (options.chromium !== undefined) return await named(options.chromium, environment);
  for (const [source, candidates] of [
    ["Playwright", await playwrightCandidates(environment)],
    ["the system", systemCandidates(environment)],
  ] as const) {
    for (const path of candidates) {
      const version = await versionOf(path);
      if (version !== undefined) return { path, version, source };
    }
  }
  return undefined;
}

async function named(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundChromium> {
  const candidates = /[\\/]/.test(name) ? [resolve(name)] : onPath(name, environment);
  for (const path of candidates) {
    const version = await versionOf(path);
    if (version !== undefined) return { path, version, source: "CAIRN_CHROMIUM" };
  }
  throw new Unavailable(
    "browser.unavailable",
    `CAIRN_CHROMIUM is ${name}, which is no Chromium that runs here. Set it to the path of one, or unset it and ` +
      "Cairn looks for one by itself.",
  );
}

function onPath(name: string, environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const folders = (environment.PATH ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name));
}

function systemCandidates(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const inPath = SYSTEM.flatMap((name) => onPath(name, environment));
  return process.platform === "darwin" ? [...inPath, ...MAC_APPLICATIONS] : inPath;
}

async function playwrightCandidates(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const registry = playwrightRegistry(environment);
  // The error is ignored and the list is empty: the folder is missing when Playwright has installed no
  // browser.
  const folders = await readdir(registry).catch((): string[] => []);
  return PLAYWRIGHT.flatMap(([pattern, files]) =>
    folders
      .map((folder) => ({ folder, revision: Number(pattern.exec(folder)?.[1] ?? Number.NaN) }))
      .filter(({ revision }) => !Number.isNaN(revision))
      .sort((a, b) => b.revision - a.revision)
      .flatMap(({ folder }) => files.map((file) => join(registry, folder, file))),
  );
}

/**
 * Returns Playwright's registry folder, as its documentation describes it (playwright.dev/docs/browsers,
 * "Managing browser binaries").
 */
function playwrightRegistry(environment: Readonly<Record<string, string | undefined>>): string {
  const chosen = environment.PLAYWRIGHT_BROWSERS_PATH;
  if (chosen !== undefined && chosen !== "" && chosen !== "0") return resolve(chosen);
  const caches =
    process.platform === "darwin"
      ? join(homedir(), "Library", "Caches")
      : (environment.XDG_CACHE_HOME ?? join(homedir(), ".cache"));
  return join(caches, "ms-playwright");
}

/**
 * Returns the output of the file for `--version`. Returns `undefined` when the file is missing, not
 * executable, or not a Chromium.
 */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      timeout: browserLimits.versionWithin,
    });
    const line = stdout.trim().split("\n").at(-1) ?? "";
    return /(chrom|edge)\S*.*\d+\.\d+/i.test(line) ? line : undefined;
  } catch {
    // The file is missing, is not executable, or cannot run, for example because a library is missing. The
    // caller then tries the next file.
    return undefined;
  }
}
