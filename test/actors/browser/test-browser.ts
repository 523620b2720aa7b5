/** A browser for tests, created as a worker creates it. If the machine has no Chromium, one is installed. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserOptions,
  createBrowser,
  type RenderedDocument,
  type RenderOutcome,
} from "../../../actors/browser/index.ts";

export async function testBrowser(
  options: Partial<BrowserOptions> = {},
): Promise<{ readonly browser: Browser; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
  const browser = createBrowser({ folder, userAgent: "Cairn/test", log: () => {}, ...options });
  await browser.ready();
  return { browser, folder };
}

export function documentOf(outcome: RenderOutcome): RenderedDocument {
  if (outcome.kind === "document") return outcome;
  throw new Error(`It should have been a document: ${JSON.stringify(outcome)}`);
}

/** Returns the `href`s of links in the HTML. Links inside scripts are left out. */
export function linksOf(html: string): readonly string[] {
  const markup = html.replace(/<script>.*?<\/script>/gs, "");
  return [...markup.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? "");
}
