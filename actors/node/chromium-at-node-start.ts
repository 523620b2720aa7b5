/**
 * Finds or installs a Chromium when a Cairn node starts. Without a Chromium, only the rendering of pages
 * fails.
 */
import { asCairnError } from "../../machines/errors.ts";
import { findChromium, provideChromium, sandboxed } from "../browser/index.ts";
import type { Log } from "../runtime/index.ts";

export interface BrowserReadiness {
  /** Path of the Chromium that `CAIRN_CHROMIUM` names. */
  readonly chromium: string | undefined;
  readonly folder: string;
  readonly log: Log;
}

/** Finds or installs a Chromium and logs the result. Never rejects, because a browser is optional. */
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
      // This signal never aborts, because the installation must continue when Cairn stops.
      signal: new AbortController().signal,
    });
    log("info", "browser found", { version, path, source });
  } catch (thrown) {
    const { code, message } = asCairnError(thrown, "browser.unavailable");
    log("warn", "pages cannot be rendered", { code, error: message });
  }
}

/** Reports which Chromium would be used. The check fails only when `CAIRN_CHROMIUM` names an invalid one. */
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
