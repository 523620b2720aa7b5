/**
 * Finds or installs a Chromium, once for all callers of this thread. Several workers or processes that
 * install at the same time wait for each other at the lock of the package manager.
 */
import { Unavailable } from "../../../machines/errors.ts";
import { browserLimits } from "../browser-limits.ts";
import { type FindOptions, type FoundChromium, findChromium } from "./find-chromium.ts";
import { type InstallOptions, installChromium } from "./install-chromium.ts";

/**
 * Options of `provideChromium`. When `chromium` (the value of `CAIRN_CHROMIUM`) is set, no browser is
 * installed.
 */
export interface ProvideOptions extends FindOptions, InstallOptions {
  /** Aborts the caller's wait for a Chromium. An installation that is running continues. */
  readonly signal: AbortSignal;
}

interface Installation {
  readonly done: Promise<FoundChromium>;
  /** Earliest time, as a `performance.now()` value, at which another installation may start. */
  again: number;
}

/** The installation that is running in this thread, or else the last one, which has failed. */
let installation: Installation | undefined;

/**
 * Finds or installs a Chromium, and returns it. Rejects with `browser.unavailable`, which says what to do, or
 * with the abort reason of `signal`.
 */
export async function provideChromium(options: ProvideOptions): Promise<FoundChromium> {
  const { signal } = options;
  const found = await findChromium(options);
  signal.throwIfAborted();
  if (found) return found;
  if (!installation || performance.now() >= installation.again) installation = begin(options);
  return await new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    installation?.done.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function begin(options: InstallOptions): Installation {
  const begun: Installation = { done: install(options), again: Number.POSITIVE_INFINITY };
  begun.done.then(
    () => {
      installation = undefined;
    },
    () => {
      begun.again = performance.now() + browserLimits.installAgainAfter;
    },
  );
  return begun;
}

async function install(options: InstallOptions): Promise<FoundChromium> {
  const tried = await installChromium(options);
  // Search again even after a failed installation, because another process may have installed a Chromium.
  const found = await findChromium(options);
  if (found) {
    options.log("info", "Chromium is installed", { version: found.version, path: found.path });
    return found;
  }
  throw new Unavailable(
    "browser.unavailable",
    `There is no Chromium, and none could be installed (${tried.join("; ")}). Install one by hand ` +
      "(`apt-get install chromium`, or `npx playwright install --with-deps --only-shell chromium`), or set " +
      "CAIRN_CHROMIUM to the path of one.",
  );
}
