/**
 * The interface through which a session's owner uses the session's browser, and the options with which a
 * session is created.
 */

import type { ActionOutcome } from "../../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type { PageEvent } from "../../../machines/session/build-session-events.ts";
import type { Bindings } from "../../../machines/session/controls/element-of-fingerprint.ts";
import type { Located, Locators } from "../../../machines/session/controls/find-element-by-locator.ts";
import type { AnalysisData, AnalyzeRequest } from "../../../machines/session/page/page-snapshot.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
} from "../../../machines/session/session-protocol.ts";
import type { Restored } from "../../../machines/session/session-restore-report.ts";
import type { LoginRecipe } from "../../../machines/session/state/login-recipe.ts";
import type { SavedSession } from "../../../machines/session/state/saved-session.ts";
import type { BrowserEnvironment } from "../../../machines/session/state/session-start-options.ts";
import type { Connection } from "../chromium/devtools-connection.ts";
import type { PreparedPage } from "../chromium/empty-page-for-next-session.ts";
import type { BrowserProxy } from "../chromium/launch-chromium.ts";
import type { Permit } from "./actions/pointer-and-key-input.ts";
import type { LoginDeadlines, LoginSecrets } from "./actions/run-login.ts";
import type { PageEventFilter } from "./journal/emit-page-events-to-followers.ts";
import type { RequestWaitOptions } from "./journal/pending-requests-of-page.ts";
import type { LiveView } from "./live-view.ts";
import type { SessionResources } from "./session-logs-and-downloads.ts";
import type { HtmlDocument } from "./snapshot/html-of-all-frames.ts";
import type { IntendedElement } from "./snapshot/refind-elements.ts";
import type { ScreenPicture } from "./snapshot/take-picture-for-map.ts";
import type { SavedState } from "./state/capture-session-state.ts";
import type { OriginStorage } from "./state/origin-storage.ts";
import type { RequestGuard } from "./tabs/apply-session-environment.ts";
import type { Viewport } from "./tabs/browser-tab.ts";

export interface SessionOptions extends RequestWaitOptions {
  readonly viewport: Viewport;
  /** The environment that pages see, such as locale, time zone and user agent. */
  readonly environment?: BrowserEnvironment | undefined;
  /** The proxy of this session, which replaces the browser's proxy. */
  readonly proxy?: BrowserProxy | undefined;
  /**
   * Decides for each request of the pages whether it may be sent. A request that is refused fails in the
   * page.
   */
  readonly guard?: RequestGuard | undefined;
  /** Cookies and storage with which the session starts. */
  readonly storage?: Pick<SavedSession, "cookies" | "origins"> | undefined;
  /** The folder for downloads. Without it, pages cannot download files. */
  readonly downloads?: string | undefined;
  /**
   * Called with each event of the session's pages. Events about changes and contents of pages must be
   * selected by `follow` first.
   */
  readonly emit?: ((event: PageEvent) => void) | undefined;
  /** Maximum wait for a new document to show something, in seconds. */
  readonly readyWithin?: number | undefined;
  /**
   * When a session has had no request, subscriber or viewer for this number of milliseconds, its tabs go to
   * the background, where they draw nothing.
   */
  readonly backgroundAfter?: number | undefined;
  /** The saved session from which this session is restored; absent for a new session. */
  readonly restoreFrom?: { readonly saved: SavedSession; readonly from: Restored["from"] } | undefined;
}

/** The parts of the worker's browser that a session uses, and what the session allows its callers. */
export interface SessionBrowser {
  readonly connection: Connection;
  readonly contextId: string;
  /** An empty page of the browser context, which was opened before the session started. */
  readonly preparedPage: PreparedPage | undefined;
  readonly proxy: BrowserProxy | undefined;
  /** Whether callers may run their own scripts in pages. */
  readonly evaluate: boolean;
  /** The only folder from which files may be uploaded. */
  readonly uploads: string | undefined;
  /** Closes the browser context and deletes all data that sites have stored in it. */
  readonly dispose: () => Promise<void>;
}

export interface BrowserSession {
  /** The address of the page in the active tab. */
  readonly url: string;
  /** Resolves when the session has ended: it was closed, or its browser crashed. */
  readonly ended: Promise<void>;
  /**
   * Time at which the session became idle, as a `performance.now()` value. Undefined while a request is
   * waiting or running.
   */
  readonly idleSince: number | undefined;
  /** Addresses of the active tab's pending requests whose responses may change what the page shows. */
  readonly pendingAddresses: readonly string[];
  /** Report about what was restored from the saved session; undefined for a new session. */
  readonly restored: Restored | undefined;
  /**
   * Returns the state from which a session can be restored. Rejects if a page does not answer. `holdReason`
   * in the result says why the session must not hibernate.
   *
   * @param whole true to wait for earlier requests and to read slow parts too, such as databases
   */
  save(whole: boolean): Promise<SavedState>;
  /**
   * Closes dialogs and downloads, saves the complete session, and reports what could not be saved. Called
   * when the worker gives up the session.
   */
  closeAndSave(): Promise<SavedState>;
  /** Returns what the active page's origin has stored; `undefined` if it has no storage. */
  originStorage(): Promise<OriginStorage | undefined>;
  /** Restores what an origin had stored, if the active page belongs to this origin. */
  restoreOriginStorage(storage: OriginStorage): Promise<void>;
  /** Prevents the hibernation of the session until the returned function is called. */
  hold(why: string): () => void;
  /** Opens the session's first address. Returns the outcome of the navigation. */
  open(url: string): Promise<ActionOutcome>;
  /**
   * Performs an action. Before each input to the page, it waits for `permit`, which checks that the session still
   * belongs to this worker. The promise never rejects, because a failure is an outcome too.
   *
   * @param asksBeforeLeaving whether a dialog by which a page asks the user before it is left (`beforeunload`)
   * stays open for the caller; otherwise, it is accepted
   */
  perform(action: Action, permit: Permit, asksBeforeLeaving?: boolean): Promise<ActionOutcome>;
  /**
   * Signs in by a login recipe, the description of the site's login form. It never rejects: a failure is an
   * outcome too.
   */
  login(
    recipe: LoginRecipe,
    secrets: LoginSecrets,
    permit: Permit,
    deadlines?: LoginDeadlines,
  ): Promise<ActionOutcome>;
  analyze(options: AnalyzeRequest): Promise<AnalysisData>;
  /**
   * Returns fingerprints (descriptions for recognition) of the elements to which an action refers. With these
   * fingerprints, `bindAll` can find the elements again later.
   */
  intendedElements(action: Action): Promise<IntendedElement>;
  /**
   * Finds the elements on the page whose fingerprints (texts for recognition) were recorded earlier. It waits
   * up to `within` milliseconds for them.
   */
  bindAll(targets: IntendedElement["targets"], within: number): Promise<Bindings>;
  /**
   * Finds the elements of locators, and waits up to `within` milliseconds for missing ones. The key of each
   * result is the path of its locator in the parameters of the action.
   */
  locateAll(locators: Locators, within: number): Promise<Readonly<Record<string, Located>>>;
  context(): Promise<BrowserContextInfo>;
  content(): Promise<ScreenContent>;
  screenshot(options: ScreenshotOptions): Promise<Screenshot>;
  /**
   * Takes a small picture of the shown page, in which filled fields are covered. Returns `undefined` when the
   * page shows a secret of the session.
   */
  picture(): Promise<ScreenPicture | undefined>;
  /**
   * Returns the HTML of the page and then the HTML of its frames. With an element index, returns only the
   * HTML of this element.
   */
  documentHtml(index: number | undefined): Promise<readonly HtmlDocument[]>;
  readonly resources: SessionResources;
  /** The live view: returns frames for viewers, and takes the input of a person. */
  readonly liveView: Pick<LiveView, "frame" | "input">;
  /** Selects which page events are emitted. Changes of pages are observed only for selected events. */
  follow(events: PageEventFilter): void;
  /**
   * Keeps the pages in the foreground until the returned function is called. It is used while a person views
   * the session.
   */
  keepInFront(): () => void;
  close(): Promise<void>;
}
