/** Opens a session in the browser that all test files share, on a site whose pages the test writes. */
import type { Browser, BrowserSession, SessionOptions } from "../../../../actors/browser/index.ts";
import type { ContextSession } from "../../../../actors/browser/session/browser-session.ts";
import { runAction } from "../../../../actors/session/run-browser-action.ts";
import type { ActionOutcome } from "../../../../machines/session/actions/action-outcome.ts";
import { parseAction } from "../../../../machines/session/actions/parse-action.ts";
import type { PageEvent } from "../../../../machines/session/build-session-events.ts";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import {
  type AnalysisData,
  analyzeOptionsSchema,
  type HighlightedElement,
} from "../../../../machines/session/page/page-snapshot.ts";
import {
  html,
  type Route,
  type ScriptedSite,
  serveSite,
} from "../../../sites/test-site-with-given-routes.ts";
import { sharedTestBrowser } from "../test-browser.ts";

export interface SessionStage {
  readonly browser: Browser;
  readonly site: ScriptedSite;
  readonly session: BrowserSession;
  /** Opens a page with this HTML as its body, and returns its analysis. */
  show(body: string, head?: string): Promise<AnalysisData>;
  analyze(options?: Readonly<Record<string, unknown>>): Promise<AnalysisData>;
  act(name: string, params?: Readonly<Record<string, unknown>>): Promise<ActionOutcome>;
  /** Evaluates an expression in the page by the DevTools protocol, without an action of the session. */
  run(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function sessionStage(
  options: {
    readonly flags?: readonly string[];
    readonly evaluate?: boolean;
    readonly uploads?: string;
    readonly downloads?: string;
    readonly given?: Pick<
      SessionOptions,
      "environment" | "guard" | "storage" | "proxy" | "backgroundAfter" | "polls" | "responsesWithin"
    >;
    readonly routes?: Readonly<Record<string, Route>>;
    readonly tell?: (event: PageEvent) => void;
  } = {},
): Promise<SessionStage> {
  const site = serveSite({ ...options.routes });
  const browser = await sharedTestBrowser({
    flags: options.flags ?? [],
    evaluate: options.evaluate ?? false,
    uploads: options.uploads,
  });
  const session = await browser.openSession({
    viewport: { width: 1_280, height: 800 },
    emit: options.tell,
    downloads: options.downloads,
    ...options.given,
  });
  const analyze = (wanted: Readonly<Record<string, unknown>> = {}): Promise<AnalysisData> =>
    session.analyze(analyzeOptionsSchema.parse(wanted));
  const act = async (name: string, params: Readonly<Record<string, unknown>> = {}): Promise<ActionOutcome> =>
    (
      await runAction(session, { id: "act", action: parseAction(name, params) }, (action) =>
        session.perform(action, async () => {}),
      )
    ).outcome;
  let pages = 0;
  return {
    browser,
    site,
    session,
    analyze,
    act,
    async show(body, head = "") {
      const path = `/page-${++pages}`;
      // The pages of tests append a text to the array `did` when something happens. A test reads this array
      // by calling `run`.
      site.routes.set(path, html("Page", `<script>var did = [];</script>${body}`, head));
      const outcome = await session.open(site.url(path));
      if (!outcome.success) throw new Error(`It was not opened: ${outcome.error}`);
      return await analyze();
    },
    async run(expression) {
      // The cast is safe: the browser of this test opens only sessions of this class. The test needs their
      // tab for the DevTools call below.
      const { tab } = session as ContextSession;
      const { result, exceptionDetails } = await tab.session.send("Runtime.evaluate", {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    async close() {
      await session.close();
      site.stop();
    },
  };
}

/** Returns the element with this name. Throws if the page has none. */
export function called(data: AnalysisData, name: string): HighlightedElement {
  const found = data.highlightedElements.find((element) => nameOf(element) === name);
  if (found) return found;
  throw new Error(`There is no ${name} in\n${data.clickableElementsString}`);
}

/** Performs an action on the element with the given name. */
export async function actionOn(
  stage: SessionStage,
  name: string,
  element: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<ActionOutcome> {
  const data = await stage.analyze();
  return await stage.act(name, { index: called(data, element).highlight_index, ...params });
}

export function names(data: AnalysisData): readonly string[] {
  return data.highlightedElements.map((element) => nameOf(element));
}
