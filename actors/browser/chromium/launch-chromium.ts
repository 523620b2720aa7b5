/**
 * Starts one Chromium, and later ends its process, closes its pipes and removes its temporary folder. All its
 * traffic, including that to loopback, goes through the given proxy. So the address policy of the proxy
 * applies to redirects, subresources, workers and sockets too.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type CairnError, Defect, Unavailable } from "../../../machines/errors.ts";
import { browserLimits } from "../browser-limits.ts";
import { pageScripts } from "../page-script/page-script-bundle.ts";
import { Connection } from "./devtools-connection.ts";
import { PROFILE_PREFIX } from "./temporary-browser-profiles.ts";

/** A forward proxy for the browser, such as Cairn's egress proxy. */
export interface BrowserProxy {
  /** Address of the proxy, such as `http://127.0.0.1:4000`. */
  readonly server: string;
  readonly username?: string;
  readonly password?: string;
  /**
   * Returns the error with which the proxy's last connection to the host of this URL failed, or `undefined`
   * when it succeeded. Chromium itself does not report the reason of a failed connection.
   */
  failureOf?(url: string): CairnError | undefined;
  /** Returns the error with which the proxy refuses a URL, or `undefined` when the URL is allowed. */
  refusalOf?(url: string): Promise<CairnError | undefined>;
}

export interface LaunchOptions {
  /** Path of the Chromium executable that is started. */
  readonly path: string;
  /**
   * The folder in which the temporary browser profile is created. The profile is removed when the browser
   * ends. A profile that was left behind is removed when Cairn starts again.
   */
  readonly folder: string;
  /** The proxy for all requests, including those to loopback. Without it, Chromium connects directly. */
  readonly proxy?: BrowserProxy | undefined;
  /** Command-line arguments for Chromium, in addition to those that Cairn always sets. */
  readonly flags?: readonly string[] | undefined;
}

export interface Chromium {
  readonly pid: number;
  readonly connection: Connection;
  /** Resolves when the process has exited, with a text that says why. */
  readonly ended: Promise<string>;
  /** Closes Chromium, or kills the process if closing fails. Then removes its temporary folder. */
  close(): Promise<void>;
}

/**
 * True if Chromium can run in its sandbox. As root it cannot, so Cairn starts it without a sandbox and logs a
 * warning.
 */
export function sandboxed(): boolean {
  return process.getuid?.() !== 0;
}

/**
 * With this flag, timers of hidden pages fire as often as those of visible pages, instead of once a second.
 */
export const UNTHROTTLED_TIMERS = "--disable-background-timer-throttling";

const FLAGS = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--mute-audio",
  "--hide-scrollbars",
  `--window-size=${browserLimits.width},${browserLimits.height}`,
  // These flags turn off Chromium's own background traffic: updates, reports and usage statistics.
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
  // These flags make pages behave as in a window with a mouse. Otherwise pages would show their touch layout,
  // and `hover` rules would not apply.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  // These flags give renderer processes of hidden pages the priority of visible ones.
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  // Cairn needs no graphics card, so Chromium does not use one. It also does not use the memory at /dev/shm,
  // which is small in containers.
  "--disable-gpu",
  "--disable-dev-shm-usage",
  // These flags turn off traffic that would bypass the proxy: QUIC uses UDP, and WebRTC tries every address
  // that it finds.
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/**
 * Matches the names of environment variables that Chromium needs. Only these are passed on, so Chromium gets
 * no keys and tokens of Cairn.
 */
const ENVIRONMENT =
  /^(PATH|HOME|USER|LANG|LANGUAGE|TZ|LD_LIBRARY_PATH|LC_.*|XDG_.*|FONTCONFIG_.*|SSL_CERT_.*)$/;

/**
 * Maximum length in bytes of a profile path that Chromium also gets as its temporary folder. Chromium creates a
 * socket in this folder, and the whole path of a socket has at most 107 bytes.
 */
const LONGEST_TMPDIR = 60;

/** Starts Chromium and waits for its first response. Throws `browser.unavailable` when it does not start. */
export async function launchChromium(options: LaunchOptions): Promise<Chromium> {
  const profile = await makeProfile(options.folder);
  // The page scripts are bundled while Chromium starts, so that the first page need not wait for them. When
  // this fails, the first page reports the error.
  pageScripts().catch(() => undefined);
  const child = spawn(options.path, flagsFor(options, profile), {
    // Chromium gets a process group of its own. Ctrl-C in a terminal then reaches only Cairn, which closes
    // its browsers in order.
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
  // Chromium reads from its file descriptor 3 and writes to its file descriptor 4. Node's type says that both
  // streams can be read and written, so each is cast to its direction.
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
  // The process has an id, because Chromium has responded. The value -1 only satisfies the type.
  return { pid: child.pid ?? -1, connection, ended, close };
}

function environment(): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    ENVIRONMENT.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  const own = Object.fromEntries(kept);
  const letters = own.LC_ALL || own.LC_CTYPE || own.LANG || "";
  // In an ASCII locale, Chromium gives one name to all downloads whose names contain non-ASCII letters. So a
  // UTF-8 locale is set.
  return /utf-?8/i.test(letters) ? own : { ...own, LC_ALL: "C.UTF-8" };
}

function flagsFor({ proxy, flags = [] }: LaunchOptions, profile: string): readonly string[] {
  return [
    ...FLAGS,
    `--user-data-dir=${profile}`,
    // By default, Chromium sends requests to loopback past the proxy. `<-loopback>` makes it send them
    // through the proxy too.
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
  // Child processes of Chromium may write files for a moment after it has exited, so the removal is retried.
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * Collects the output that Chromium writes to its error stream. The returned function returns the last lines
 * of it.
 */
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
  // Chromium may close the pipe instead of responding, or may have exited already. In both cases the command
  // fails, and its error is ignored.
  connection.root.send("Browser.close").catch(() => {});
  const timer = setTimeout(() => kill(child), browserLimits.closeWithin);
  await ended;
  clearTimeout(timer);
  // Chromium's child processes are in the same process group, so hanging child processes are killed too.
  kill(child);
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // ESRCH: no process of the group exists any more, so there is nothing to kill.
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
