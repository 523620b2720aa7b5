/** A browser for tests, created as a worker creates it. If the machine has no Chromium, one is installed. */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserOptions,
  createBrowser,
  type RenderedDocument,
  type RenderOutcome,
} from "../../../actors/browser/index.ts";

interface TestBrowser {
  readonly browser: Browser;
  readonly folder: string;
}

/**
 * Returns a browser whose Chromium for render jobs is already running. The caller closes it and removes its
 * folder.
 */
export async function testBrowser(options: Partial<BrowserOptions> = {}): Promise<TestBrowser> {
  const made = await unstartedTestBrowser(options);
  await made.browser.ready();
  return made;
}

/**
 * Returns a browser that has not started Chromium. A test that only opens sessions uses it, because sessions
 * have a Chromium of their own.
 */
export async function unstartedTestBrowser(options: Partial<BrowserOptions> = {}): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
  const browser = createBrowser({ folder, userAgent: "Cairn/test", log: () => {}, ...options });
  return { browser, folder };
}

/** The options of a shared browser. Test files that need the same options share one browser. */
type SharedOptions = Pick<BrowserOptions, "flags" | "evaluate" | "uploads">;

const FOLDERS_OF_PROCESSES = join(tmpdir(), "cairn-shared-test-browsers");
/** The browsers that this process has created, by their options. */
const shared = new Map<string, Promise<Browser>>();

/**
 * Returns a browser for sessions that all test files of this process share, because the start of a Chromium
 * takes longer than most of these files. The sessions of the browser share nothing with each other. No test
 * closes the browser: Chromium ends when it is idle, and with this process.
 */
export function sharedTestBrowser(options: SharedOptions): Promise<Browser> {
  const key = JSON.stringify(options);
  const known = shared.get(key) ?? sharedBrowser(options);
  shared.set(key, known);
  return known;
}

async function sharedBrowser(options: SharedOptions): Promise<Browser> {
  await removeFoldersOfEndedProcesses();
  const folder = join(FOLDERS_OF_PROCESSES, String(process.pid));
  return createBrowser({ folder, userAgent: "Cairn/test", log: () => {}, ...options });
}

/** A test process cannot remove the folder of its Chromium when it ends, because Chromium still runs then. */
async function removeFoldersOfEndedProcesses(): Promise<void> {
  await mkdir(FOLDERS_OF_PROCESSES, { recursive: true });
  for (const pid of await readdir(FOLDERS_OF_PROCESSES)) {
    if (!isRunning(Number(pid))) await rm(join(FOLDERS_OF_PROCESSES, pid), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Signal 0 only checks whether the process exists. The call fails if it does not.
    return false;
  }
}

export function documentOf(outcome: RenderOutcome): RenderedDocument {
  if (outcome.kind === "document") return outcome;
  throw new Error(`It should have been a document: ${JSON.stringify(outcome)}`);
}

/** Returns the `href`s of links in the HTML. Links inside scripts are left out. */
export function linksOf(html: string): readonly string[] {
  const markup = html.replace(/<script>.*?<\/script>/gs, "");
  return [...markup.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? "");
}
