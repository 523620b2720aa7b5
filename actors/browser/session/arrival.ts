/**
 * Whether a tab came to the page that its address names, or to what is shown in its place: the way out may have refused
 * it, or not have reached it, whatever led there.
 *
 * Neighbours: `navigation.ts` goes where its caller wants, `browser-session.ts` asks after acts that led elsewhere.
 */
import type { CairnError } from "../../../machines/errors.ts";
import type { BrowserProxy } from "../launch.ts";
import { ActFailure } from "./failure.ts";
import { steadyAnswer } from "./steady-answer.ts";
import type { Tab } from "./tab.ts";
import type { Data } from "./touch.ts";

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
  const said = await steadyAnswer(tab, () => frames.evaluate(frames.main, look));
  if (said !== trouble.message && !String(said).startsWith("chrome-error:")) return;
  const { code, message, data } = troubled(url, trouble);
  throw new ActFailure(code, message, { ...done, ...data });
}

/** What the way out has to say of a host. */
export function troubled(url: string, { code, message }: CairnError): ActFailure {
  const blocked = code === "egress.refused";
  return new ActFailure(blocked ? "navigation_blocked" : "navigation_failed", message, { url, reason: code });
}
