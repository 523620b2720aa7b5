/**
 * Whether there is a Chromium: looked for behind the start of a Cairn that stays, installed when there is none, and
 * told to who asks. A Cairn without one works; only pages that need rendering wait or fail.
 *
 * Neighbours: `browser/` finds and installs, `node.ts` calls this once it has started, `cairn doctor` asks.
 */
import { asCairnError } from "../../machines/errors.ts";
import { findChromium, provideChromium, sandboxed } from "../browser/index.ts";
import type { Log } from "../runtime/index.ts";

export interface BrowserReadiness {
  /** `CAIRN_CHROMIUM`. */
  readonly chromium: string | undefined;
  readonly folder: string;
  readonly log: Log;
}

/** Finds or installs a Chromium and says so in the log. Never rejects: a browser is optional. */
export async function prepareBrowser({ chromium, folder, log }: BrowserReadiness): Promise<void> {
  if (!sandboxed()) {
    log(
      "warn",
      "Cairn runs as root, so Chromium renders pages without its sandbox: run it as another user",
      {},
    );
  }
  try {
    const { version, path, source } = await provideChromium({
      chromium,
      folder,
      log,
      // Nobody waits for it: what is not done at the end of Cairn goes on without it.
      signal: new AbortController().signal,
    });
    log("info", "browser found", { version, path, source });
  } catch (thrown) {
    const { code, message } = asCairnError(thrown, "browser.unavailable");
    log("warn", "pages cannot be rendered", { code, error: message });
  }
}

/** Which Chromium would be used. Not `ok` only when the one that was named is none. */
export async function checkBrowser(
  chromium: string | undefined,
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  try {
    const found = await findChromium({ chromium });
    if (!found) return { ok: true, detail: "none yet; `npm start` installs one behind its start" };
    const { version, path, source } = found;
    const sandbox = sandboxed() ? "" : "; without its sandbox, as root";
    return { ok: true, detail: `${version} at ${path}, from ${source}${sandbox}` };
  } catch (thrown) {
    return { ok: false, detail: asCairnError(thrown).message };
  }
}
