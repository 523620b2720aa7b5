/**
 * Whether a tab came to the page that its address names, or to what is shown in its place: the way out may have refused
 * it, or not have reached it, whatever led there.
 *
 * Neighbours: `navigation.ts` goes where its caller wants, `browser-session.ts` asks after acts that led elsewhere.
 */
import type { CairnError } from "../../../../machines/errors.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { ActionFailure } from "../action-failure.ts";
import type { Data } from "../actions/page-input.ts";
import { retryOnNavigation } from "../snapshot/retry-on-navigation.ts";
import type { Tab } from "./tab.ts";

/** @param done what the act did on the way, for who is told that it led nowhere */
export async function assertArrived(
  tab: Tab,
  proxy: BrowserProxy | undefined,
  done: Data = {},
): Promise<void> {
  const { url, frames } = tab;
  const trouble = proxy?.troubleWith?.(url);
  if (!trouble || tab.dialog) return;
  // Over plain http the proxy answers for itself, with the trouble as the document; else the browser shows an error.
  const look = "document.contentType === 'text/plain' ? document.body?.textContent : document.URL";
  const said = await retryOnNavigation(tab, () => frames.evaluate(frames.main, look));
  if (said !== trouble.message && !String(said).startsWith("chrome-error:")) return;
  const { code, message, data } = navigationFailureOf(url, trouble);
  throw new ActionFailure(code, message, { ...done, ...data });
}

/** What the way out has to say of a host. */
export function navigationFailureOf(url: string, { code, message }: CairnError): ActionFailure {
  const blocked = code === "egress.refused";
  return new ActionFailure(blocked ? "navigation_blocked" : "navigation_failed", message, {
    url,
    reason: code,
  });
}
