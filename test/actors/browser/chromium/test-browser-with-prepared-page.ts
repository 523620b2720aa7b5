/** A browser that prepares a page for its next session when the test advances the time. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserLimits } from "../../../../actors/browser/browser-limits.ts";
import { launchChromium } from "../../../../actors/browser/chromium/launch-chromium.ts";
import { RunningChromium } from "../../../../actors/browser/chromium/running-chromium.ts";
import { provideChromium, type SessionOptions } from "../../../../actors/browser/index.ts";
import type { ContextSession } from "../../../../actors/browser/session/browser-session.ts";
import { SimulatedClock } from "../../runtime/model/simulated-clock.ts";

/**
 * Starts a Chromium.
 * @param closing receives the functions that close it and remove its folder, which are called in reverse order
 */
export async function startedBrowser(
  closing: (() => unknown)[],
  { preparesPage = true }: { readonly preparesPage?: boolean } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const { path } = await provideChromium({ folder, signal: new AbortController().signal, log: () => {} });
  const chromium = await launchChromium({ path, folder });
  closing.push(() => chromium.close());
  const timers = new SimulatedClock();
  const given = { userAgent: "Cairn/test", proxy: undefined, evaluate: false, uploads: undefined };
  const browser = new RunningChromium(chromium, { ...given, preparesPage, timers });
  await browser.prepare();
  const { root } = chromium.connection;
  const contexts = async () => (await root.send("Target.getBrowserContexts")).browserContextIds;
  return {
    browser,
    chromium,
    timers,
    contexts,
    open: (options: Partial<SessionOptions> = {}): Promise<ContextSession> =>
      browser.openSession({ viewport: { width: 1_280, height: 800 }, ...options }),
    /** Returns the target ids of all pages, including pages that belong to no session. */
    pages: async () =>
      (await root.send("Target.getTargets")).targetInfos
        .filter(({ type }) => type === "page")
        .map(({ targetId }) => targetId),
    /** Lets the browser prepare a page, and returns its target id when the page exists. */
    prepared: async (sessions: readonly ContextSession[]): Promise<string> => {
      await timers.advance(browserLimits.preparePageAfter);
      for (;;) {
        const { targetInfos } = await root.send("Target.getTargets");
        const contextOf = (id: string) =>
          targetInfos.find(({ targetId }) => targetId === id)?.browserContextId;
        const own = sessions.map(({ tab }) => contextOf(tab.targetId));
        const page = targetInfos.find(
          ({ attached, type, browserContextId }) =>
            type === "page" && attached && !own.includes(browserContextId),
        );
        if (page) return page.targetId;
        await Bun.sleep(5);
      }
    },
    async until(reached: () => Promise<boolean>): Promise<void> {
      while (!(await reached())) await Bun.sleep(5);
    },
  };
}

export type StartedBrowser = Awaited<ReturnType<typeof startedBrowser>>;
