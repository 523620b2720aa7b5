/**
 * Navigates a tab as the caller requests: to an address, through its history, or by a reload. Only http(s),
 * `about:blank` and `data:` addresses are opened. When the egress policy refuses an address, the error says
 * so.
 */

import type { DownloadRecord } from "../../../../machines/session/outputs/download-names.ts";
import { downloadLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { ActionFailure } from "../action-error.ts";
import type { Data, Permit } from "../actions/pointer-and-key-input.ts";
import { fileResultOf } from "../snapshot/save-pdf.ts";
import type { Downloads } from "../state/session-downloads.ts";
import type { Tab } from "./browser-tab.ts";
import { assertArrived, navigationFailureOf } from "./navigation-arrival-check.ts";
import { type TabHistory, tabHistoryOf } from "./tab-history.ts";

export class Navigation {
  readonly #tab: Tab;
  readonly #proxy: BrowserProxy | undefined;
  readonly #permit: Permit;
  readonly #downloads: Downloads | undefined;

  constructor(tab: Tab, proxy: BrowserProxy | undefined, permit: Permit, downloads: Downloads | undefined) {
    this.#tab = tab;
    this.#downloads = downloads;
    this.#proxy = proxy;
    this.#permit = permit;
  }

  async open(address: string): Promise<Data> {
    const tab = this.#tab;
    const url = addressOf(address, tab.url);
    await this.#assertAllowed(url);
    await this.#permit(sessionLimits.dispatchWithin);
    const known = new Set(this.#downloads?.all().map(({ id }) => id));
    const opening = tab.session.send("Page.navigate", { url });
    const { errorText, loaderId } = await tab.answer(opening, sessionLimits.loadWithin);
    if (errorText !== undefined) {
      const file = /ERR_ABORTED/.test(errorText) ? await this.#downloadStartedAfter(known) : undefined;
      if (file) return { url: tab.url, effect: "download_started", file: fileResultOf(file) };
      // Chromium now loads its own error page, and this code waits for the end of that load. Otherwise the
      // next navigation would mistake the load event of the error page for its own.
      const showsErrorPage = !/ERR_ABORTED/.test(errorText) && loaderId !== undefined;
      if (
        showsErrorPage &&
        (await tab.waitUntil(() => tab.frames.main.loaderId === loaderId, sessionLimits.errorPageWithin))
      )
        await tab.waitForLoad();
      // A redirect may have led to another address, so the error names the address of the tab.
      throw this.#failed(showsErrorPage ? tab.url : url, errorText);
    }
    if (loaderId !== undefined) {
      await tab.waitUntil(() => tab.frames.main.loaderId === loaderId, sessionLimits.loadWithin);
    }
    await tab.waitForLoad();
    return await this.#arrivalResult();
  }

  async traverse(steps: 1 | -1): Promise<Data> {
    const tab = this.#tab;
    const history = await tabHistoryOf(tab);
    const entry = steps < 0 ? history.before.at(-1) : history.after[0];
    if (!entry) {
      const savedUrl = steps < 0 ? history.past.at(-1) : history.future[0];
      if (savedUrl !== undefined) return await this.#reopen(savedUrl, steps, history);
      throw new ActionFailure(
        "navigation_failed",
        `There is no page to go ${steps < 0 ? "back" : "forward"} to.`,
      );
    }
    await this.#permit(sessionLimits.dispatchWithin);
    const { navigations, url } = tab;
    await tab.answer(tab.session.send("Page.navigateToHistoryEntry", { entryId: entry.id }));
    const moved = (): boolean => tab.navigations !== navigations || tab.url !== url || tab.url === entry.url;
    await tab.waitUntil(moved, sessionLimits.loadWithin);
    await tab.waitForLoad();
    return await this.#arrivalResult();
  }

  /**
   * Opens an address of the saved history of an earlier browser, which the present browser has never visited.
   */
  async #reopen(url: string, steps: 1 | -1, { past, future, after }: TabHistory): Promise<Data> {
    const tab = this.#tab;
    const previous = tab.url;
    const data = await this.open(url);
    await tab.answer(tab.session.send("Page.resetNavigationHistory"));
    tab.savedHistory =
      steps < 0
        ? { past: past.slice(0, -1), future: [previous, ...after.map((entry) => entry.url), ...future] }
        : { past: [...past, previous], future: future.slice(1) };
    return { ...data, reopened: true };
  }

  async refresh(): Promise<Data> {
    const tab = this.#tab;
    await this.#permit(sessionLimits.dispatchWithin);
    const { navigations } = tab;
    await tab.answer(tab.session.send("Page.reload"));
    await tab.waitUntil(() => tab.navigations !== navigations, sessionLimits.loadWithin);
    await tab.waitForLoad();
    return await this.#arrivalResult();
  }

  /** Returns the downloaded file, when the opened address has started a download and shows no page. */
  async #downloadStartedAfter(known: ReadonlySet<string>): Promise<DownloadRecord | undefined> {
    const until = performance.now() + downloadLimits.startsWithin;
    for (;;) {
      const found = this.#downloads?.all().find(({ id }) => !known.has(id));
      const remaining = until - performance.now();
      if (found || !this.#downloads || remaining <= 0) return found;
      await this.#downloads.nextChange(remaining);
    }
  }

  async #arrivalResult(): Promise<Data> {
    const { url, dialog } = this.#tab;
    if (dialog) return { url, effect: "dialog_opened", dialog };
    await assertArrived(this.#tab, this.#proxy);
    return { url, effect: "navigated" };
  }

  /**
   * Throws if the egress policy does not allow the address. It must be called before the tab leaves the
   * current page.
   */
  async #assertAllowed(url: string): Promise<void> {
    const refusal = /^https?:/.test(url) ? await this.#proxy?.refusalOf?.(url) : undefined;
    if (refusal) throw navigationFailureOf(url, refusal);
  }

  #failed(url: string, error: string): ActionFailure {
    const trouble = this.#proxy?.failureOf?.(url);
    if (trouble) return navigationFailureOf(url, trouble);
    if (/ERR_BLOCKED|ERR_UNSAFE_PORT/.test(error))
      return new ActionFailure("navigation_blocked", `${url} was not opened: ${error}.`, {
        url,
        reason: error,
      });
    if (/ERR_ABORTED/.test(error)) {
      return new ActionFailure(
        "navigation_failed",
        `${url} is no page: it is a download, or has no content.`,
        {
          url,
        },
      );
    }
    return new ActionFailure("navigation_failed", `${url} could not be opened: ${error}.`, { url });
  }
}

/** Returns the complete address. An address without a scheme is a host name, or relative to the page. */
function addressOf(address: string, base: string): string {
  const text = address.trim();
  const bare =
    /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?([/?#]|$)/i.test(text) || /^localhost(:\d+)?([/?#]|$)/i.test(text);
  const absolute = bare ? `https://${text}` : text;
  const parsed = URL.canParse(absolute)
    ? new URL(absolute)
    : URL.canParse(absolute, base)
      ? new URL(absolute, base)
      : undefined;
  if (!parsed) throw new ActionFailure("invalid_params", `"${address}" is no address.`, { url: address });
  const { protocol, href } = parsed;
  if (protocol === "http:" || protocol === "https:" || protocol === "data:" || href === "about:blank")
    return href;
  throw new ActionFailure("navigation_blocked", `${protocol} addresses are not opened; http and https are.`, {
    url: address,
    reason: "scheme",
  });
}
