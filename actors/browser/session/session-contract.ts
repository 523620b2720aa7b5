/** The interface of a browser session for its owner, and the options that create a session. */

import type { ActionOutcome } from "../../../machines/session/action-outcome.ts";
import type { Action } from "../../../machines/session/actions.ts";
import type { Bindings } from "../../../machines/session/element-binding.ts";
import type { Located, Locators } from "../../../machines/session/element-locator.ts";
import type { LoginRecipe } from "../../../machines/session/login-recipe.ts";
import type { AnalysisData, AnalyzeRequest } from "../../../machines/session/page-snapshot.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
} from "../../../machines/session/protocol.ts";
import type { Restored } from "../../../machines/session/restore-report.ts";
import type { SavedSession } from "../../../machines/session/saved-session.ts";
import type { BrowserEnvironment } from "../../../machines/session/session-environment.ts";
import type { PageEvent } from "../../../machines/session/session-events.ts";
import type { Connection } from "../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../chromium/launch-chromium.ts";
import type { Permit } from "./actions/page-input.ts";
import type { LoginDeadlines, LoginSecrets } from "./actions/run-login.ts";
import type { PageEventFilter } from "./journal/live-updates.ts";
import type { LiveView } from "./live-view.ts";
import type { SessionResources } from "./session-resources.ts";
import type { IntendedElement } from "./snapshot/bind-elements.ts";
import type { HtmlDocument } from "./snapshot/html-documents.ts";
import type { SavedState } from "./state/capture-state.ts";
import type { RequestGuard } from "./tabs/environment.ts";
import type { Viewport } from "./tabs/tab.ts";

export interface SessionOptions {
  readonly viewport: Viewport;
  /** The environment that pages see, such as locale, time zone and user agent. */
  readonly environment?: BrowserEnvironment | undefined;
  /** The proxy of this session, instead of the browser's own. */
  readonly proxy?: BrowserProxy | undefined;
  /** Judges each request before it leaves; those that it refuses fail in the page. */
  readonly guard?: RequestGuard | undefined;
  /** Cookies and storage at the start. */
  readonly storage?: Pick<SavedSession, "cookies" | "origins"> | undefined;
  /** The folder for downloads. Without a folder, pages cannot download files. */
  readonly downloads?: string | undefined;
  /** Receives the events of the pages. Changes and contents are only sent as `follow` requests. */
  readonly emit?: ((event: PageEvent) => void) | undefined;
  /** Longest wait for a new document to show something, in seconds. */
  readonly readyWithin?: number | undefined;
  /** Milliseconds without a request, a follower or a viewer after which its pages go to the background. */
  readonly backgroundAfter?: number | undefined;
  /** The saved session to restore. */
  readonly restoreFrom?: { readonly saved: SavedSession; readonly from: Restored["from"] } | undefined;
}

/** What a session needs from the browser in which it runs. */
export interface SessionBrowser {
  readonly connection: Connection;
  readonly contextId: string;
  readonly proxy: BrowserProxy | undefined;
  /** Whether callers may run their own scripts in pages. */
  readonly evaluate: boolean;
  /** The only folder from which files may be uploaded. */
  readonly uploads: string | undefined;
  /** Disposes the context with all data that sites stored in it. */
  readonly dispose: () => Promise<void>;
}

export interface BrowserSession {
  /** The address of the active tab. */
  readonly url: string;
  /** Resolves when the session is gone: closed, or its browser crashed. */
  readonly ended: Promise<void>;
  /** `performance.now()` since when the session is idle; undefined while a request is queued or running. */
  readonly idleSince: number | undefined;
  /** Requests of the active tab without an answer so far. */
  readonly pendingRequests: number;
  /** What was restored; undefined for a new session. */
  readonly restored: Restored | undefined;
  /**
   * Saves the session so that it can be restored. `whole`: waits for all earlier requests and also reads what
   * is expensive to read; otherwise saves at once. Throws if a page does not answer. `held` in the result
   * says why the session must not hibernate.
   */
  save(whole: boolean): Promise<SavedState>;
  /**
   * Closes what is open, saves the whole session, and reports what was lost. For a session that its owner
   * gives up.
   */
  closeAndSave(): Promise<SavedState>;
  /** Keeps the session from hibernating until the returned function is called. */
  hold(why: string): () => void;
  /** Opens the first address. Returns the outcome of a navigation. */
  open(url: string): Promise<ActionOutcome>;
  /** Performs an action. Awaits `permit` immediately before each input to the page. Never rejects. */
  perform(action: Action, permit: Permit): Promise<ActionOutcome>;
  /** Signs in. Returns the outcome of an action. Never rejects. */
  login(
    recipe: LoginRecipe,
    secrets: LoginSecrets,
    permit: Permit,
    deadlines?: LoginDeadlines,
  ): Promise<ActionOutcome>;
  analyze(options: AnalyzeRequest): Promise<AnalysisData>;
  /** Fingerprints of the elements that an action refers to. */
  intendedElements(action: Action): Promise<IntendedElement>;
  /** Finds the elements of recorded fingerprints on the page, and waits up to `within` milliseconds for them. */
  bindAll(targets: IntendedElement["targets"], within: number): Promise<Bindings>;
  /** Finds the elements that locators mean, by path, and waits up to `within` milliseconds for them. */
  locateAll(locators: Locators, within: number): Promise<Readonly<Record<string, Located>>>;
  context(): Promise<BrowserContextInfo>;
  content(): Promise<ScreenContent>;
  screenshot(options: ScreenshotOptions): Promise<Screenshot>;
  /** The page as HTML, followed by its frames. With the index of an element, only that element. */
  documentHtml(index: number | undefined): Promise<readonly HtmlDocument[]>;
  readonly resources: SessionResources;
  /** Frames for viewers, and the input of a person. */
  readonly liveView: Pick<LiveView, "frame" | "input">;
  /** Selects the page events to emit. Other changes are not watched. */
  follow(events: PageEventFilter): void;
  /** Keeps the pages in front, as for a viewer, until the returned function is called. */
  keepInFront(): () => void;
  close(): Promise<void>;
}
