/** A browser for tests, as a worker uses it. A Chromium is installed if the machine has none. */
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

/** The `href`s as they are in the HTML, without those in scripts. */
export function linksOf(html: string): readonly string[] {
  const markup = html.replace(/<script>.*?<\/script>/gs, "");
  return [...markup.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? "");
}
