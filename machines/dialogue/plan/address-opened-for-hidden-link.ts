/** Finds the address that a step of a plan opens if the link of the step is not shown, as in a closed menu. */
import { isWritingAddressOfSession } from "../../risk/risk-classes.ts";
import type { PlanStep } from "./plan-schemas.ts";

/**
 * Returns the absolute address of the link that a step clicks. Returns `undefined` if the step clicks no link,
 * if the link leads to another origin, or if opening the address may change something.
 */
export function addressOfHiddenLink(
  { action, risk, target }: Pick<PlanStep, "action" | "risk" | "target">,
  pageUrl: string,
): string | undefined {
  const href = target?.attributes?.href;
  if (action !== "click" || risk === "high" || target?.role !== "link" || !href) return undefined;
  const [url, page] = [URL.parse(href, pageUrl), URL.parse(pageUrl)];
  const isOnSite = url !== null && url.origin === page?.origin && !href.startsWith("#");
  return isOnSite && !isWritingAddressOfSession(url.href) ? url.href : undefined;
}
