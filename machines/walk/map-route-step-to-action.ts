/** Converts steps of a route, such as a click, to actions of a browser session. */
import type { BrowserUseAction } from "../knowledge/knowledge-protocol.ts";
import type { Action } from "../session/actions/browser-action-parameters.ts";
import type { ElementDescription } from "../session/controls/find-element-by-locator.ts";

/**
 * Converts a step of a route to an action of a session. Returns `undefined` for a step other than a
 * navigation or a click.
 */
export function routeAction({ tool_name, parameters }: BrowserUseAction): Action | undefined {
  const { url, fingerprint, selector, index } = parameters;
  if (tool_name === "navigate" && typeof url === "string") return { name: "navigate", params: { url } };
  if (tool_name !== "click") return undefined;
  if (typeof index === "number") return { name: "click", params: { index } };
  // The cast is safe: the map wrote this description of the element.
  if (fingerprint) {
    const index = { fingerprint: fingerprint as ElementDescription };
    const locators = { index: typeof selector === "string" ? { ...index, selector } : index };
    return { name: "click", params: { index: 0 }, locators };
  }
  if (typeof selector !== "string") return undefined;
  return { name: "click", params: { index: 0 }, locators: { index: { selector } } };
}

/**
 * Returns the absolute address of the link that an action clicks. Returns `undefined` if the action clicks no
 * link, or if the link leads to another origin.
 */
export function linkAddress(action: Action, pageUrl: string): string | undefined {
  const locator = action.name === "click" ? action.locators?.index : undefined;
  const href = locator?.fingerprint?.attributes?.href;
  if (!href || href.startsWith("#")) return undefined;
  const url = URL.parse(href, pageUrl);
  return url && url.origin === URL.parse(pageUrl)?.origin ? url.href : undefined;
}
