/** Converts presses to transitions of the map, and finds the element whose press undoes another press. */

import { normaliseUrl, routeOf, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import { isSelected, isTab, type PressStep } from "../../../machines/exploration/press/controls-to-press.ts";
import { nameOf } from "../../../machines/exploration/press/page-state-by-visible-controls.ts";
import {
  type FoundTransition,
  stateIdOf,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { Control } from "../../../machines/records/page-control-records.ts";
import { hidesNotice } from "../../../machines/risk/links-that-hide-notices.ts";
import { riskOf } from "../../../machines/risk/risk-classes.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import type { Shown } from "./control-press-session.ts";

/** Whether the element is a toggle. A second press of a toggle closes what the first press has opened. */
export function isToggle(shown: Shown | undefined, { name, role, xpath }: PressStep): boolean {
  const element = shown?.page.highlightedElements.find(
    (one) => one.xpath === xpath && nameOf(one) === name && (one.role ?? one.tagName) === role,
  );
  if (!element || element.covered !== undefined) return false;
  const { attributes, tagName } = element;
  return attributes["aria-expanded"] !== undefined || tagName.toLowerCase() === "summary";
}

/**
 * Returns the tab of the same tab list that was selected before the press. Returns `undefined` if the pressed
 * element is no tab.
 */
export function selectedTab({ page }: Shown, { xpath }: PressStep): PressStep | undefined {
  const pressed = page.highlightedElements.find((one) => one.xpath === xpath);
  if (!pressed || !isTab(pressed)) return undefined;
  const tab = page.highlightedElements.find(
    (one) => isTab(one) && isSelected(one) && one.xpath !== xpath && listOf(one) === listOf(pressed),
  );
  return tab && { kind: "click", name: nameOf(tab), role: tab.role ?? tab.tagName, xpath: tab.xpath };
}

/** Returns the path of an address, including the path of a client-side route, and without the query. */
export function pathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + (hash.split("?")[0] ?? "");
}

/** Returns the XPath of the list to which a tab belongs. Tabs with the same XPath belong to one list. */
function listOf({ xpath }: HighlightedElement): string {
  return xpath.slice(0, xpath.lastIndexOf("/")).replace(/\[\d+\]$/, "");
}

interface Ends {
  readonly key: string;
  readonly names: readonly string[];
}

export function ends(from: Ends, to: Ends) {
  return { from: stateIdOf(from.key, from.names), to: stateIdOf(to.key, to.names) };
}

export function transition(
  from: Ends,
  to: Ends,
  { element, step }: { readonly element: HighlightedElement; readonly step: PressStep },
): FoundTransition {
  const action = step.kind === "hover" ? ({ action_type: "hover" } as const) : {};
  return { ...ends(from, to), name: nameOf(element), control: controlOf(element), ...action };
}

/**
 * Returns the address of the page to which a click on a link leads. Returns `undefined` for other elements.
 * It also returns `undefined` for a link to a place on the same page, for a download, and for a link that may
 * change data.
 */
export function linkAddress(element: HighlightedElement, pageUrl: string): string | undefined {
  const { tagName, icon, attributes } = element;
  const { href, download } = attributes;
  if (tagName.toLowerCase() !== "a" || href === undefined || download !== undefined) return undefined;
  if (href.startsWith("#") && routeOf(href) === "") return undefined;
  if (riskOf({ name: nameOf(element), icon, attributes }) !== undefined) return undefined;
  if (hidesNotice(nameOf(element))) return undefined;
  return normaliseUrl(href, pageUrl);
}

/**
 * Returns a transition for each link in one state of a page. The crawl misses links in a tab, a step or an
 * open menu, because it reads only the initial state.
 *
 * @param isInternal whether an address belongs to the explored site
 */
export function linkTransitions(
  state: Ends,
  { page }: Shown,
  isInternal: (url: string) => boolean,
): readonly FoundTransition[] {
  const found: FoundTransition[] = [];
  const names = new Map<string, Set<string>>();
  for (const element of page.highlightedElements) {
    if (found.length >= explorationLimits.pressing.links) break;
    // An open dialog covers the links of the page under it. Covered and disabled links cannot be clicked, so
    // they are skipped.
    if (element.covered !== undefined || element.disabled) continue;
    const url = linkAddress(element, page.url);
    if (url === undefined || !isInternal(url)) continue;
    const key = urlKey(url);
    const known = names.get(key) ?? new Set();
    const name = nameOf(element);
    if (known.has(name) || known.size >= explorationLimits.pressing.linksToAddress) continue;
    names.set(key, known.add(name));
    found.push({ ...ends(state, { key, names: [] }), name, control: controlOf(element), url });
  }
  return found;
}

function controlOf(element: HighlightedElement): Control {
  const { role, tagName, selector, xpath, attributes } = element;
  return {
    role: role ?? tagName,
    name: nameOf(element),
    selector,
    xpath,
    attributes: { ...attributes, tag: tagName },
  };
}

export function controlOfStep({ name, role, xpath }: PressStep): Pick<FoundTransition, "name" | "control"> {
  return { name, control: { role, name, selector: "", xpath, attributes: {} } };
}
