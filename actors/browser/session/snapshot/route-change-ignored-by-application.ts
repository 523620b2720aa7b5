/**
 * Detects that an application ignores a navigation to another route of the same document. Many applications
 * keep a component when only an id in the route changes (`#/users/1` to `#/users/2`), and continue to show
 * the old item under the new address.
 */
import { routeOf } from "../../../../machines/exploration/crawl/normalise-url.ts";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";

/** What each tab showed before a navigation to another route of its document. */
const shownBefore = new WeakMap<Tab, string>();

/**
 * Must be called before each action. If the action leads to another route, remembers what the tab shows now.
 * A document that a form has requested by POST is left out, because loading it again would send the form
 * again.
 */
export async function rememberShownRoute(tab: Tab, action: Action): Promise<void> {
  shownBefore.delete(tab);
  if (action.name !== "navigate" || tab.dialog || tab.isPosted) return;
  if (!isOtherRoute(action.params.url, tab.url)) return;
  try {
    shownBefore.set(tab, await shownOn(tab));
  } catch (error) {
    // The page is being replaced or shows a dialog, so it cannot be read. Then nothing is stored, and the
    // next page is not compared.
    if (!(error instanceof DocumentGone) && !(error instanceof DialogOpened)) throw error;
  }
}

/**
 * Whether the tab shows after the navigation exactly what it showed before. Only the first call after a
 * navigation can return true.
 */
export async function hasIgnoredRoute(tab: Tab): Promise<boolean> {
  const before = shownBefore.get(tab);
  shownBefore.delete(tab);
  return before !== undefined && before !== "" && !tab.dialog && before === (await shownOn(tab));
}

function isOtherRoute(address: string, current: string): boolean {
  const [from, to] = [URL.parse(current), URL.parse(address, current)];
  if (!from || !to || routeOf(to.href) === "" || from.hash === to.hash) return false;
  return from.href.slice(0, -from.hash.length || undefined) === to.href.slice(0, -to.hash.length);
}

/** Returns the texts, names and values of the page as one text. Addresses of links are left out. */
async function shownOn(tab: Tab): Promise<string> {
  const { elements, texts } = await tab.answer(tab.snapshots.peek());
  const controls = elements.map((element) => `${nameOf(element)}\t${element.value ?? ""}`);
  return [...texts.map(({ text }) => text), ...controls].join("\n");
}
