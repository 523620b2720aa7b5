/**
 * Checks after a navigation that the tab shows a page of the requested site, and not an error page of the
 * egress proxy.
 */
import type { CairnError } from "../../../../machines/errors.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { ActionFailure } from "../action-error.ts";
import type { Data } from "../actions/pointer-and-key-input.ts";
import { retryOnNavigation } from "../snapshot/retry-on-navigation.ts";
import type { Tab } from "./browser-tab.ts";

/**
 * Checks that the tab shows the site of its address, and throws otherwise.
 * @param actionData data that the action has reported so far; when the check fails, the error contains it
 */
export async function assertArrived(
  tab: Tab,
  proxy: BrowserProxy | undefined,
  actionData: Data = {},
): Promise<void> {
  const { url, frames } = tab;
  const trouble = proxy?.failureOf?.(url);
  if (!trouble || tab.dialog) return;
  // Over plain http, the egress proxy answers with its error as plain text, so the text of a plain-text
  // document is read. Over https, the browser shows its own error page, which is recognised by its address.
  const expression = "document.contentType === 'text/plain' ? document.body?.textContent : document.URL";
  const text = await retryOnNavigation(tab, () => frames.evaluate(frames.main, expression));
  if (text !== trouble.message && !String(text).startsWith("chrome-error:")) return;
  const { code, message, data } = navigationFailureOf(url, trouble);
  throw new ActionFailure(code, message, { ...actionData, ...data });
}

/**
 * Returns why the tab does not show the page of its address. The result is empty if the tab shows the page.
 */
export async function loadFailureOf(
  tab: Tab,
  proxy: BrowserProxy | undefined,
): Promise<{ readonly load_failed?: string; readonly url?: string }> {
  try {
    await assertArrived(tab, proxy);
  } catch (error) {
    if (error instanceof ActionFailure) return { load_failed: error.message };
    throw error;
  }
  if (!tab.showsErrorPage) return {};
  // `tab.url` is the address that could not be loaded, and not the address of the error page.
  return { url: tab.url, load_failed: `the browser shows its own error page in place of ${tab.url}.` };
}

/** Converts an error that the egress proxy reports for a host to the failure of the navigation. */
export function navigationFailureOf(url: string, { code, message }: CairnError): ActionFailure {
  const blocked = code === "egress.refused";
  return new ActionFailure(blocked ? "navigation_blocked" : "navigation_failed", message, {
    url,
    reason: code,
  });
}
