/**
 * Follows an agent's clicks on the HTML of a site, like a browser without scripts. Elements are found by
 * XPath, with parse5 and a CSS engine that Cairn does not use, so a wrong or ambiguous selector fails.
 */
import { load } from "cheerio";
import type { BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";

/**
 * Follows the clicks of a route, as an agent does, and returns the address to which they lead. Throws if an
 * action does not match its page.
 */
export async function walk(start: string, actions: readonly BrowserUseAction[]): Promise<string> {
  let here = start;
  for (const [number, action] of actions.entries()) {
    if (action.tool_name !== "click") continue;
    const { selector, xpath } = action.parameters;
    const where = `step ${number + 1} (${action.description}) on ${here}`;
    if (typeof selector !== "string")
      throw new Error(`${where} names no selector: ${JSON.stringify(action)}`);
    const $ = load(await (await fetch(here)).text());
    const found = $(selector);
    if (found.length !== 1) throw new Error(`${where}: ${found.length} elements match ${selector}`);
    const href = found.attr("href");
    if (href === undefined) throw new Error(`${where}: ${selector} is a ${found.prop("tagName")}, no link`);
    if (typeof xpath === "string" && $(selectorOf(xpath)).get(0) !== found.get(0)) {
      throw new Error(`${where}: ${xpath} is not the element of ${selector}`);
    }
    here = new URL(href, $("base[href]").length > 0 ? new URL($("base").attr("href") ?? "", here) : here)
      .href;
  }
  return here;
}

/**
 * Converts `/html/body/div[2]/a[1]` or `//*[@id="x"]/p[3]` to CSS. Other forms of XPath are not supported.
 */
function selectorOf(xpath: string): string {
  const anchored = /^\/\/\*\[@id=(?:"([^"]*)"|'([^']*)')\](\/.*)?$/.exec(xpath);
  const start = anchored ? [`[id=${JSON.stringify(anchored[1] ?? anchored[2])}]`] : [];
  const steps = (anchored ? (anchored[3] ?? "") : xpath).split("/").filter((step) => step !== "");
  const path = steps.map((step) => {
    const [, tag, position] = /^([\w-]+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    if (tag === undefined) throw new Error(`XPath step not understood: ${step} of ${xpath}`);
    return `${tag}:nth-of-type(${position ?? 1})`;
  });
  return [...start, ...path].join(" > ");
}
