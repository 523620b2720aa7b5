/**
 * The browser of a person who uses the console. It collects errors, requests to other hosts and violations of
 * the content policy, and checks accessibility.
 */
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { findChromium } from "../../../actors/browser/index.ts";

/** Time limit in milliseconds for a page to show a change. */
export const SEEN = { timeout: 60_000 };

/**
 * Time limit in milliseconds within which a page must show the result of an exploration that presses
 * controls. On a busy machine such an exploration takes half a minute.
 */
export const EXPLORED = { timeout: 180_000 };

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

export class ConsoleBrowser {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  /** Problems that the pages have reported since the last call of `takeProblems`. */
  #problems: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<ConsoleBrowser> {
    const found = await findChromium({});
    if (!found) throw new Error("There is no Chromium for the test's own browser.");
    const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
    return new ConsoleBrowser(browser);
  }

  /** @param prepare is called with the page before its first navigation */
  async open(
    base: string,
    path: string,
    options: ContextOptions = {},
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1_360, height: 850 }, ...options });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(SEEN.timeout);
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !/^(data|blob):/.test(url)) this.#problems.push(`requests ${url}`);
    });
    page.on("websocket", (socket) => {
      if (new URL(socket.url()).host !== new URL(base).host) this.#problems.push(`opens ${socket.url()}`);
    });
    // Chromium reports a violation of the page's content policy as a console error, so it is found among
    // these errors.
    page.on("console", (message) => {
      if (message.type() === "error") this.#problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#problems.push(`${page.url()}: ${error.stack ?? error}`));
    await prepare(page);
    await page.goto(base + path);
    return page;
  }

  /** Returns the problems that were found since the last call of this method. */
  takeProblems(): readonly string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

interface AxeWindow {
  readonly axe: { run(options: unknown): Promise<{ readonly violations: readonly AxeViolation[] }> };
}
interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Returns the serious and critical violations of WCAG 2 A and AA in the visible part of the page. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    // The cast is safe: the script above has defined `axe` on the window.
    const { axe: checker } = window as unknown as AxeWindow;
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
    const result = await checker.run({ runOnly: tags, resultTypes: ["violations"] });
    return result.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
    }));
  });
  const { pathname, search } = new URL(page.url());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, impact, nodes }) => `${pathname}${search}: ${id} (${impact}) ${nodes.slice(0, 3).join(" | ")}`,
    );
}
