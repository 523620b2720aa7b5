/**
 * Starts one Chromium, and ends its process, pipes and temporary folder without remains.
 * All its traffic, loopback included, goes through the given proxy, so the proxy's address policy holds for
 * redirects,
 * subresources, workers and sockets too.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type CairnError, Defect, Unavailable } from "../../../machines/errors.ts";
import { browserLimits } from "../limits.ts";
import { pageScripts } from "../page-script/bundle.ts";
import { Connection } from "./devtools-connection.ts";
import { PROFILE_PREFIX } from "./profiles.ts";

/** A forward proxy, as Cairn's own egress proxy describes itself. */
export interface BrowserProxy {
  /** For example `http://127.0.0.1:4000`. */
  readonly server: string;
  readonly username?: string;
  readonly password?: string;
  /** Why its last connection to the host of a URL failed, if it failed: Chromium reports only that it did. */
  failureOf?(url: string): CairnError | undefined;
  /** Why it refuses a URL; `undefined` if it does not. */
  refusalOf?(url: string): Promise<CairnError | undefined>;
}

export interface LaunchOptions {
  /** The file to run. */
  readonly path: string;
  /** The folder of the temporary profile. The profile is removed with the browser, or swept at the next start. */
  readonly folder: string;
  /** The proxy of all requests, loopback included. Without one Chromium connects directly. */
  readonly proxy?: BrowserProxy | undefined;
  /** Additional arguments. */
  readonly flags?: readonly string[] | undefined;
}

export interface Chromium {
  readonly pid: number;
  readonly connection: Connection;
  /** Resolves when the process has exited, with the reason. */
  readonly ended: Promise<string>;
  /** Closes it in order, kills it if that fails, and removes its folder. */
  close(): Promise<void>;
}

/** Whether Chromium runs in its sandbox, which it cannot create as root; a warning is logged then. */
export function sandboxed(): boolean {
  return process.getuid?.() !== 0;
}

const FLAGS = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--mute-audio",
  "--hide-scrollbars",
  `--window-size=${browserLimits.width},${browserLimits.height}`,
  // Chromium's own background traffic: updates, reports, usage statistics.
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-sync",
  "--metrics-recording-only",
  "--no-pings",
  "--password-store=basic",
  "--use-mock-keychain",
  "--disable-features=AutofillServerCommunication,BackForwardCache,CertificateTransparencyComponentUpdater," +
    "InterestFeedContentSuggestions,MediaRouter,OptimizationHints,RenderDocument,Translate",
  // A window with a mouse: otherwise pages serve their touch layout and `hover` rules do not apply.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  // Background pages run as fast as visible ones.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  // No graphics card is needed, and /dev/shm is small in containers.
  "--disable-gpu",
  "--disable-dev-shm-usage",
  // Traffic that bypasses a proxy: QUIC is UDP, and WebRTC tries every address it can.
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/** Environment variables that Chromium needs. Keys and tokens of Cairn are not passed on. */
const ENVIRONMENT =
  /^(PATH|HOME|USER|LANG|LANGUAGE|TZ|LD_LIBRARY_PATH|LC_.*|XDG_.*|FONTCONFIG_.*|SSL_CERT_.*)$/;

/** Chromium creates a socket in its temporary folder, and the path of a socket has at most 107 bytes. */
const LONGEST_TMPDIR = 60;

/** Starts Chromium and waits for its first response; `browser.unavailable` when it does not start. */
export async function launchChromium(options: LaunchOptions): Promise<Chromium> {
  const profile = await makeProfile(options.folder);
  // Bundled while Chromium starts, so that the first page need not wait; a failure is reported by that page.
  pageScripts().catch(() => undefined);
  const child = spawn(options.path, flagsFor(options, profile), {
    // A process group of its own: Ctrl-C in a terminal is for Cairn, which then closes its browsers in order.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: {
      ...environment(),
      ...(profile.length > LONGEST_TMPDIR ? {} : { TMPDIR: profile }),
    },
  });
  const said = lastWords(child);
  const ended = endOf(child);
  const [, , , toChromium, fromChromium] = child.stdio;
  if (!toChromium || !fromChromium)
    throw new Defect("browser.no_pipes", "Chromium was started without pipes.");
  // Chromium reads descriptor 3 and writes descriptor 4; Node types both as either.
  const connection = new Connection(toChromium as Writable, fromChromium as Readable);
  void ended.then(() => connection.close());
  const close = async (): Promise<void> => {
    await closeInOrder(child, connection, ended);
    await removeProfile(profile);
  };
  try {
    await answers(connection, ended);
  } catch (cause) {
    await close();
    throw new Unavailable("browser.unavailable", startProblem(options.path, said()), { cause });
  }
  // Chromium has responded, so the process exists.
  return { pid: child.pid ?? -1, connection, ended, close };
}

function environment(): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    ENVIRONMENT.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  const own = Object.fromEntries(kept);
  const letters = own.LC_ALL || own.LC_CTYPE || own.LANG || "";
  // In an ASCII locale Chromium gives all files with other letters in their names the same name.
  return /utf-?8/i.test(letters) ? own : { ...own, LC_ALL: "C.UTF-8" };
}

function flagsFor({ proxy, flags = [] }: LaunchOptions, profile: string): readonly string[] {
  return [
    ...FLAGS,
    `--user-data-dir=${profile}`,
    // `<-loopback>` removes the rule that loopback bypasses the proxy.
    ...(proxy
      ? [`--proxy-server=${proxy.server}`, "--proxy-bypass-list=<-loopback>"]
      : ["--no-proxy-server"]),
    ...(sandboxed() ? [] : ["--no-sandbox"]),
    ...flags,
  ];
}

async function makeProfile(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return await mkdtemp(join(folder, PROFILE_PREFIX));
}

async function removeProfile(profile: string): Promise<void> {
  // Children of Chromium may write for a moment after it exited.
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** The end of its error stream. */
function lastWords(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-4_000);
  });
  return () => text;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
  });
}

async function answers(connection: Connection, ended: Promise<string>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const { launchWithin } = browserLimits;
    timer = setTimeout(() => reject(new Error(`No answer within ${launchWithin} ms.`)), launchWithin);
  });
  const early = ended.then((how) => {
    throw new Error(`It ended at once: ${how}.`);
  });
  try {
    await Promise.race([connection.root.send("Browser.getVersion"), late, early]);
  } finally {
    clearTimeout(timer);
  }
}

async function closeInOrder(
  child: ChildProcess,
  connection: Connection,
  ended: Promise<string>,
): Promise<void> {
  // It closes the pipe instead of responding, or has exited already: both are fine.
  connection.root.send("Browser.close").catch(() => {});
  const timer = setTimeout(() => kill(child), browserLimits.closeWithin);
  await ended;
  clearTimeout(timer);
  // Its children are in the same process group, also one that hangs.
  kill(child);
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // ESRCH: the whole group has exited already.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function startProblem(path: string, said: string): string {
  const advice = /no usable sandbox|namespace|setuid sandbox/i.test(said)
    ? "It cannot make its sandbox: allow unprivileged user namespaces on this machine, or run Cairn as root in a container of its own."
    : /error while loading shared libraries|cannot open shared object/i.test(said)
      ? "It misses libraries of the system: run `npx playwright install-deps chromium` once, with the rights to install."
      : "Run it by hand to see why, or set CAIRN_CHROMIUM to another.";
  const last = said.trim().split("\n").slice(-3).join(" ").slice(0, 500);
  return `Chromium at ${path} does not start. ${advice}${last === "" ? "" : ` It said: ${last}`}`;
}
