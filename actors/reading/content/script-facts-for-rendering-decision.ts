/**
 * Collects facts about the scripts of a page. `machines/exploration/crawl/rendering-decision.ts` decides from them
 * whether the page needs a browser.
 */

import { isRoute } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { PageSigns } from "../../../machines/exploration/crawl/rendering-decision.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { textOf } from "../parse/visible-text-of-html-element.ts";

/**
 * Matches the types of scripts that browsers run (HTML, "JavaScript MIME type essence match"). A script with
 * an empty type is run.
 */
const RUNNABLE_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script.*)$/i;
/**
 * Matches scripts that assign a framework's state to a global variable, such as `window.__NEXT_DATA__`. The
 * framework builds the page from this state.
 */
const FRAMEWORK_STATE = /window\.__[A-Z][A-Z_]+__\s*=|self\.__next_f|__NUXT__\s*=/;
/**
 * Minimum number of characters of a script that contains the state of a framework. A shorter script contains
 * only configuration.
 */
const MIN_STATE_LENGTH = 500;
/**
 * Number of levels below `body` in which empty elements are counted into which an application may render its page,
 * such as `<div id="root">`.
 */
const MOUNT_DEPTH = 3;
const NOSCRIPT_LENGTH = 200;

export function readRenderingSignals(
  document: HtmlDocument,
  { links, text }: Pick<PageSigns, "links" | "text">,
): PageSigns {
  const running = document.scripts.filter(({ attributes }) =>
    RUNNABLE_TYPE.test((attributes.type ?? "").trim()),
  );
  return {
    scripts: running.length,
    mounts: running.length === 0 ? 0 : countMounts(document.body, MOUNT_DEPTH),
    noscript: document.noscripts.reduce((sum, element) => sum + textOf(element, NOSCRIPT_LENGTH).length, 0),
    deadLinks: document.anchors.filter(({ attributes }) => isDead(attributes.href ?? "")).length,
    hydration: document.scripts.some(holdsState),
    links,
    text,
  };
}

function countMounts(element: HtmlElement, depth: number): number {
  let found = 0;
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const { tag, attributes, children } = child;
    const container = /^(?:div|main|section|article|body)$/.test(tag) && attributes.id !== undefined;
    const empty = children.every((part) => typeof part === "string" && part.trim() === "");
    if (empty && (container || tag.includes("-"))) found++;
    else if (depth > 1) found += countMounts(child, depth - 1);
  }
  return found;
}

function isDead(href: string): boolean {
  const target = href.trim();
  return target === "" || target === "#" || isRoute(target) || /^javascript:/i.test(target);
}

function holdsState({ attributes, children }: HtmlElement): boolean {
  const text = typeof children[0] === "string" ? children[0] : "";
  if (text.length < MIN_STATE_LENGTH) return false;
  return (
    /^application\/json\b/i.test(attributes.type ?? "") ||
    FRAMEWORK_STATE.test(text.slice(0, MIN_STATE_LENGTH))
  );
}
