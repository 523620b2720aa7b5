/**
 * A browser session: one isolated context of the worker's Chromium with its tabs. Requests to a session run
 * one after another.
 */

import { CairnError } from "../../../machines/errors.ts";
import type { ActionOutcome } from "../../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type { Bindings } from "../../../machines/session/controls/element-of-fingerprint.ts";
import type { Located, Locators } from "../../../machines/session/controls/find-element-by-locator.ts";
import type {
  AnalysisData,
  AnalyzeRequest,
  PageAnalysis,
} from "../../../machines/session/page/page-snapshot.ts";
import { readAheadLimits, readyLimits, sessionLimits } from "../../../machines/session/session-limits.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
} from "../../../machines/session/session-protocol.ts";
import type { Restored } from "../../../machines/session/session-restore-report.ts";
import type { LoginRecipe } from "../../../machines/session/state/login-recipe.ts";
import { SECOND } from "../../../machines/time-and-size-units.ts";
import type { PageHead } from "../page-script/snapshot/raw-frame-snapshot.ts";
import { ActionFailure, tooManyTabs } from "./action-error.ts";
import { outcomeOf, readError } from "./action-error-results.ts";
import { Clipboard } from "./actions/clipboard-actions.ts";
import { type Data, PageInput, type Permit } from "./actions/pointer-and-key-input.ts";
import { maySendForm, withPasswordFormSentByScript } from "./actions/retry-after-stopped-password-form.ts";
import { type LoginDeadlines, type LoginSecrets, runLogin } from "./actions/run-login.ts";
import type { PageState } from "./actions/wait-for-responses-of-action.ts";
import { recordTimers, stopTimers } from "./actions/wait-for-timers-of-action.ts";
import type { BrowserSession, SessionBrowser, SessionOptions } from "./browser-session-interface.ts";
import { closeDialogsAndDownloads, withLost } from "./dismiss-dialogs-at-close.ts";
import {
  LiveUpdates,
  type PageEventFilter,
  type TimedContent,
} from "./journal/emit-page-events-to-followers.ts";
import { HttpAuthentication } from "./journal/hosts-that-received-http-credentials.ts";
import { LiveView } from "./live-view.ts";
import { type PageAction, performAction } from "./perform-action.ts";
import { RepetitionGuard } from "./repeated-action-guard.ts";
import { SessionResources } from "./session-logs-and-downloads.ts";
import { RequestQueue } from "./session-request-queue.ts";
import { contentOf, contextOf } from "./session-state-summary.ts";
import { outcomeAfterResponses } from "./snapshot/action-outcome-after-responses.ts";
import { type HtmlDocument, htmlDocuments } from "./snapshot/html-of-all-frames.ts";
import { listOmittedElements } from "./snapshot/list-omitted-elements.ts";
import { locateAll } from "./snapshot/locate-elements.ts";
import { PreparedAnswer } from "./snapshot/page-analysis-prepared-in-advance.ts";
import { recordPageBefore, withChangeOfFailure } from "./snapshot/page-changes-in-outcome.ts";
import { ReadAhead } from "./snapshot/prefetch-snapshots.ts";
import { bindAll, type IntendedElement, intendedElementOf } from "./snapshot/refind-elements.ts";
import { retryOnNavigation } from "./snapshot/retry-on-navigation.ts";
import { hasIgnoredRoute, rememberShownRoute } from "./snapshot/route-change-ignored-by-application.ts";
import { screenshotOf } from "./snapshot/screenshot.ts";
import { showOverlay } from "./snapshot/show-element-boxes.ts";
import { type ScreenPicture, screenPicture } from "./snapshot/take-picture-for-map.ts";
import {
  type Arrival,
  expectContent,
  expectRoute,
  waitUntilDrawn,
  waitUntilReady,
} from "./snapshot/wait-until-page-ready.ts";
import { type SavedState, StateCapture } from "./state/capture-session-state.ts";
import { type OriginStorage, readOriginStorage, writeOriginStorage } from "./state/origin-storage.ts";
import { type RestoreContext, restore, storageOnly } from "./state/restore-session-state.ts";
import { Environment } from "./tabs/apply-session-environment.ts";
import { PageVisibility } from "./tabs/background-tabs-of-idle-session.ts";
import { DialogOpened, Tab } from "./tabs/browser-tab.ts";
import { Navigation } from "./tabs/navigate-tab.ts";
import { assertArrived, loadFailureOf } from "./tabs/navigation-arrival-check.ts";
import { PageOpener } from "./tabs/open-pages-for-session.ts";
import { SessionTabs, type TabAttachment } from "./tabs/session-tabs.ts";

export type { BrowserSession, SessionBrowser, SessionOptions } from "./browser-session-interface.ts";

/** Report about the restored session; empty if an earlier response has already contained it. */
type RestoreReport = { readonly restored?: Restored };

export class ContextSession implements BrowserSession {
  readonly ended: Promise<void>;
  readonly resources: SessionResources;
  readonly liveView: LiveView;
  readonly #browser: SessionBrowser;
  readonly #options: SessionOptions;
  readonly #environment: Environment;
  readonly #clipboard = new Clipboard();
  readonly #repetitionGuard = new RepetitionGuard();
  readonly #liveUpdates: LiveUpdates;
  readonly #tabs: SessionTabs;
  #resolveEnded: () => void = () => {};
  readonly #unsubscribe: () => void;
  readonly #queue: RequestQueue;
  readonly #visibility: PageVisibility;
  readonly #stateCapture: StateCapture;
  readonly #httpAuthentication: HttpAuthentication;
  readonly #holds = new Set<{ readonly why: string }>();
  readonly #pageOpener: PageOpener;
  readonly #readAhead: ReadAhead;
  readonly #preparedAnswer = new PreparedAnswer();
  /**
   * Whether a caller has requested a snapshot of this session. From then on, snapshots are also taken in
   * advance.
   */
  #isAnalyzed = false;
  restored: Restored | undefined;
  #releaseFollowed: () => void = () => {};
  /** True if the session was restored, and no response has yet reported what was restored. */
  #isRestoreUnreported = false;

  private constructor(browser: SessionBrowser, options: SessionOptions) {
    this.#browser = browser;
    this.#options = options;
    this.resources = new SessionResources(browser, options, () => this.#tabs.active?.targetId);
    this.#environment = new Environment(options.environment, browser.proxy, options.guard);
    this.#pageOpener = new PageOpener(browser.connection, browser.contextId, browser.proxy);
    this.#httpAuthentication = new HttpAuthentication((url) => this.#environment.authenticates(url));
    this.#tabs = new SessionTabs({
      pageOpener: this.#pageOpener,
      preparedPage: browser.preparedPage,
      attach: (targetId, attachment) => this.#attachTab(targetId, attachment),
      onAdded: (tab) => {
        this.#visibility.restart();
        this.#liveUpdates.add(tab);
      },
      onRemoved: (tab) => {
        this.resources.journal.closeTab(tab.targetId);
        this.resources.requests.closeTab(tab.targetId);
        this.#liveUpdates.remove(tab);
      },
      onEmpty: () => this.#resolveEnded(),
    });
    this.#stateCapture = new StateCapture(
      browser.connection.root,
      browser.contextId,
      this.#httpAuthentication,
    );
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#readAhead = new ReadAhead(() => this.#queue.runAfter(() => this.#peekAhead()));
    this.#unsubscribe = browser.connection.whenClosed(() => this.#resolveEnded());
    this.#queue = new RequestQueue(() => this.#visibility.hold());
    this.#visibility = new PageVisibility({
      root: browser.connection.root,
      tabs: () => this.#tabs.all,
      backgroundAfter: options.backgroundAfter ?? sessionLimits.backgroundAfter,
      runAfter: (work) => this.#queue.runAfter(work),
    });
    this.#liveUpdates = new LiveUpdates({
      emit: (event) => options.emit?.(this.resources.redactor.mask(event)),
      content: () => this.#run(() => this.#timedContent()),
      indexOf: (tab) => this.#tabs.indexOf(tab),
    });
    this.liveView = new LiveView({
      tab: () => this.tab,
      hold: (why) => {
        const releases = [this.hold(why), this.keepInFront()];
        return () => {
          for (const release of releases) release();
        };
      },
      touched: () => this.#liveUpdates.contentMayHaveChanged(),
      resize: (size) => this.#resize(size),
    });
  }

  /** Sets the size of the viewport of every tab. */
  async #resize(size: { readonly width: number; readonly height: number }): Promise<void> {
    await Promise.all(this.#tabs.all.map((tab) => tab.resize({ ...tab.viewport, ...size })));
  }

  static async open(browser: SessionBrowser, options: SessionOptions): Promise<ContextSession> {
    const session = new ContextSession(browser, options);
    await session.#environment.prepare(browser.connection, browser.contextId);
    const opening = options.restoreFrom
      ? session.#restoreSaved(options.restoreFrom)
      : session.#openFirstTab();
    // The first tab and the download settings are prepared at the same time, which is faster. The session is
    // returned only after both, so no page loads before the settings apply.
    await Promise.all([opening, session.resources.acceptDownloads()]);
    return session;
  }

  async #restoreSaved({ saved, from }: NonNullable<SessionOptions["restoreFrom"]>): Promise<void> {
    this.#stateCapture.setOrigins(saved.origins);
    this.#clipboard.content = saved.clipboard;
    const { tabs, lost } = await restore(saved, this.#restoreContext());
    await this.#tabs.arrange(tabs, saved.shown);
    this.restored = { from, saved_at: new Date(saved.saved_at).toISOString(), lost };
    this.#isRestoreUnreported = true;
  }

  async #openFirstTab(): Promise<void> {
    await this.#tabs.openActive();
    const { storage } = this.#options;
    if (storage) await restore(storageOnly(storage), this.#restoreContext());
  }

  #restoreContext(): RestoreContext {
    const { connection, contextId, proxy } = this.#browser;
    return {
      root: connection.root,
      contextId,
      proxy,
      openTab: () => this.#tabs.open(),
      openOriginPage: () => this.#pageOpener.openOriginPage(),
    };
  }

  get idleSince(): number | undefined {
    return this.#queue.idleSince;
  }

  get pendingAddresses(): readonly string[] {
    const { active } = this.#tabs;
    return active ? this.resources.journal.pendingAddresses(active.targetId) : [];
  }

  async originStorage(): Promise<OriginStorage | undefined> {
    const { active } = this.#tabs;
    return active && (await readOriginStorage(active));
  }

  async restoreOriginStorage(storage: OriginStorage): Promise<void> {
    const { active } = this.#tabs;
    if (active) await writeOriginStorage(active, storage);
  }

  hold(why: string): () => void {
    const hold = { why };
    this.#holds.add(hold);
    return () => this.#holds.delete(hold);
  }

  async save(whole: boolean): Promise<SavedState> {
    const { all, active } = this.#tabs;
    const shown = active ? all.indexOf(active) : 0;
    const saveOptions = { whole, openOriginPage: () => this.#pageOpener.openOriginPage() };
    const save = (): Promise<SavedState> => this.#stateCapture.save(all, shown, saveOptions);
    const [hold] = this.resources.downloads?.busy ? [{ why: "a download" }] : this.#holds;
    try {
      const saved = this.#clipboard.savedWith(whole ? await this.#queue.runAfter(save) : await save());
      return hold ? { ...saved, holdReason: hold.why } : saved;
    } catch (thrown) {
      throw readError(thrown);
    }
  }

  async closeAndSave(): Promise<SavedState> {
    this.#readAhead.stop();
    const lost = await closeDialogsAndDownloads(this.#tabs.all, this.resources.downloads);
    return withLost(await this.save(true), lost);
  }

  /** Makes a window that a page has opened into a tab of the session (see `SessionTabs.adopt`). */
  async adopt(targetId: string, attachedSessionId?: string): Promise<boolean> {
    return await this.#tabs.adopt(targetId, attachedSessionId);
  }

  async open(url: string): Promise<ActionOutcome> {
    return await this.perform({ name: "navigate", params: { url } }, async () => {});
  }

  async perform(action: Action, permit: Permit, asksBeforeLeaving = false): Promise<ActionOutcome> {
    let asking: Tab | undefined;
    try {
      return await this.#runAction(
        async (tab) => {
          asking = tab;
          tab.asksBeforeLeaving = asksBeforeLeaving;
          await this.#repetitionGuard.before(tab, action);
          await recordPageBefore(tab, action);
          recordTimers(tab, action);
          await rememberShownRoute(tab, action);
          return await this.#dispatch(tab, action, permit);
        },
        action.name === "navigate" ? action.params.ready_within : undefined,
      );
    } finally {
      if (asking) asking.asksBeforeLeaving = false;
    }
  }

  login(
    recipe: LoginRecipe,
    secrets: LoginSecrets,
    permit: Permit,
    deadlines?: LoginDeadlines,
  ): Promise<ActionOutcome> {
    const context = { proxy: this.#browser.proxy, resources: this.resources, secrets, deadlines };
    return this.#runAction((tab) => runLogin(new PageInput(tab, permit), recipe, context));
  }

  /**
   * Runs an action on the active tab, after all earlier requests.
   * @param readyWithin maximum wait for a new document, in seconds; by default, the session's `readyWithin`
   */
  #runAction(work: (tab: Tab) => Promise<Data>, readyWithin?: number): Promise<ActionOutcome> {
    return this.#run(async () => {
      const outcome = await this.#attempt(work, readyWithin);
      this.#repetitionGuard.after(outcome);
      this.#liveUpdates.contentMayHaveChanged();
      if (this.#isAnalyzed) this.#readAhead.extend();
      return this.resources.redactor.mask({
        ...outcome,
        data: { ...outcome.data, ...this.#unreportedRestore() },
      });
    });
  }

  async #attempt(work: (tab: Tab) => Promise<Data>, readyWithin: number | undefined): Promise<ActionOutcome> {
    const before = new Set(this.#tabs.all);
    const openedTabs = () => this.#tabs.indicesWithout(before);
    const { refused } = this.#pageOpener;
    const addedFiles = this.resources.trackFiles();
    let acted: Tab | undefined;
    try {
      const [tab, windows] = [this.tab, this.tab.openedWindows];
      const pageBefore: PageState = { url: tab.url, navigations: tab.navigations };
      tab.requests.actionBegins(tab.targetId);
      acted = tab;
      const data = await work(tab);
      const refusedNow = (): number => this.#pageOpener.refused - refused;
      await this.#pageOpener.waitUntil(
        () => openedTabs().length + refusedNow() >= tab.openedWindows - windows,
      );
      const arrive = (now: Data) => this.#waitForArrival(tab, now, readyWithin);
      const isShown = tab === this.#tabs.active;
      const completed = isShown ? await outcomeAfterResponses(data, tab, pageBefore, arrive) : data;
      if (refusedNow() > 0) throw tooManyTabs(data);
      return {
        success: true,
        error: null,
        data: {
          ...completed,
          ...(openedTabs().length > 0 ? { opened_tabs: openedTabs() } : {}),
          ...addedFiles(data),
        },
      };
    } catch (thrown) {
      const outcome = outcomeOf(thrown);
      const { active } = this.#tabs;
      return active ? await withChangeOfFailure(outcome, active) : outcome;
    } finally {
      if (acted) {
        stopTimers(acted);
        acted.requests.actionEnds(acted.targetId);
      }
    }
  }

  analyze(options: AnalyzeRequest): Promise<AnalysisData> {
    return this.#read(async () => {
      const since =
        options.since_revision === undefined
          ? undefined
          : this.tab.snapshots.ofRevision(options.since_revision);
      const { loading } = await this.#waitUntilReady();
      const snapshot = await this.#takeSnapshot();
      this.#isAnalyzed = true;
      this.#readAhead.extend();
      const { tab } = this;
      if (options.overlay !== undefined) await showOverlay(tab, options.overlay ? snapshot : undefined);
      const answer = {
        ...this.#preparedAnswer.answer(snapshot, options, since),
        ...this.#unreportedRestore(),
        ...loading,
        ...(await loadFailureOf(tab, this.#browser.proxy)),
      };
      const data = options.include_left_out
        ? await listOmittedElements(tab, answer, options.max_tokens)
        : answer;
      if (!options.highlight) return data;
      const screenshotOptions = { format: "png", full_page: false, highlight: true } as const;
      return { ...data, screenshot: await screenshotOf(tab, screenshotOptions) };
    });
  }

  intendedElements(action: Action): Promise<IntendedElement> {
    return this.#read(() => intendedElementOf(this.tab, action));
  }

  bindAll(targets: IntendedElement["targets"], within: number): Promise<Bindings> {
    return this.#read(() => bindAll(this.tab, targets, within));
  }

  locateAll(locators: Locators, within: number): Promise<Readonly<Record<string, Located>>> {
    return this.#read(() => locateAll(this.tab, locators, within));
  }

  context(): Promise<BrowserContextInfo> {
    return this.#read(async () => this.#context(await this.#pageHead(), this.#unreportedRestore()));
  }

  content(): Promise<ScreenContent> {
    return this.#read(async () => {
      await this.#waitUntilReady();
      return await this.#content(this.#unreportedRestore());
    });
  }

  screenshot(options: ScreenshotOptions): Promise<Screenshot> {
    return this.#read(() => screenshotOf(this.tab, options));
  }

  picture(): Promise<ScreenPicture | undefined> {
    return this.#read(() => screenPicture(this.tab, this.resources.redactor));
  }

  follow(filter: PageEventFilter): void {
    this.#liveUpdates.setFilter(filter);
    this.#releaseFollowed();
    this.#releaseFollowed = filter.changes || filter.content ? this.keepInFront() : () => {};
  }

  keepInFront(): () => void {
    const release = this.#visibility.hold();
    // The result is not awaited. If the page cannot be brought to the foreground, the next request to the
    // page fails and reports the error.
    void this.#queue.runAfter(() => this.#visibility.show());
    return release;
  }

  documentHtml(index: number | undefined): Promise<readonly HtmlDocument[]> {
    return this.#read(async () => {
      await this.#waitUntilReady();
      return await htmlDocuments(this.tab, index);
    });
  }

  /** Whether one of this session's tabs contains the frame. */
  ownsFrame(frameId: string): boolean {
    return this.#tabs.ownsFrame(frameId);
  }

  async close(): Promise<void> {
    this.#readAhead.stop();
    this.#liveUpdates.close();
    this.liveView.close();
    this.#visibility.close();
    this.#resolveEnded();
    this.#unsubscribe();
    for (const tab of this.#tabs.all) tab.release();
    await this.#browser.dispose();
  }

  get url(): string {
    return this.#tabs.active?.url ?? "about:blank";
  }

  /** Waits until the tab shows content. Later calls for the same document return at once. */
  async #waitUntilReady(tab = this.tab, seconds?: number): Promise<Arrival> {
    return await waitUntilReady(tab, this.#readyWithin(seconds));
  }

  /** Returns the maximum wait for a page in milliseconds. */
  #readyWithin(seconds = this.#options.readyWithin): number {
    return (seconds ?? readyLimits.within) * SECOND;
  }

  /**
   * Waits for the page to which an action has led: a new document, or a new address of the present document.
   * Throws when the tab shows an error page instead of a new document.
   */
  async #waitForArrival(tab: Tab, data: Data, seconds: number | undefined): Promise<Arrival> {
    const { effect } = data;
    if (effect === "navigated") await assertArrived(tab, this.#browser.proxy, data);
    if (tab !== this.#tabs.active || (effect !== "navigated" && effect !== "address_changed")) return {};
    if (effect === "address_changed") expectContent(tab);
    else expectRoute(tab);
    try {
      const arrival = await this.#waitUntilReady(tab, seconds);
      if (effect !== "navigated" || !(await hasIgnoredRoute(tab))) return arrival;
      // The page shows the old content under the new address. So the document is loaded again, as if the
      // address were opened in a new tab.
      await new Navigation(tab, this.#browser.proxy, async () => {}, undefined).refresh();
      return await waitUntilDrawn(tab, this.#readyWithin(seconds));
    } catch (error) {
      // The action has succeeded. An error while reading the page afterwards is ignored, because the next
      // snapshot reports it.
      if (error instanceof CairnError || error instanceof DialogOpened) return {};
      throw error;
    }
  }

  /** The active tab. Throws when the session has no tab. */
  get tab(): Tab {
    return this.#tabs.activeOrFail();
  }

  /** Returns the report about the restored session. Only the first response after a restore contains it. */
  #unreportedRestore(): RestoreReport {
    if (!this.#isRestoreUnreported || !this.restored) return {};
    this.#isRestoreUnreported = false;
    return { restored: this.restored };
  }

  /** Brings the tabs to the foreground and runs a request. It waits for all earlier requests first. */
  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(async () => {
      await this.#visibility.show();
      return await work();
    });
  }

  /**
   * Runs a request that only reads, after all earlier requests. When the request fails, the promise rejects
   * with the error for the caller.
   */
  async #read<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return this.resources.redactor.mask(await this.#run(work));
    } catch (thrown) {
      throw readError(thrown);
    }
  }

  async #attachTab(targetId: string, attachment: TabAttachment): Promise<Tab> {
    const prepared = this.#environment.interceptsRequests ? undefined : this.#pageOpener.prepare(targetId);
    const attaching = Tab.attach(this.#browser.connection, targetId, {
      ...attachment,
      viewport: this.#environment.metrics(this.#options.viewport),
      onVisited: (url) => this.#stateCapture.visited(url),
      onEnded: (closedTab, crashed) => {
        if (crashed) this.#liveUpdates.failed("session.page_gone", `The page ${closedTab.url} crashed.`);
        this.#tabs.remove(closedTab);
      },
      events: this.#liveUpdates,
      requests: this.resources.requests,
      onFollowed: (session, tab) => {
        this.#environment.applyTo(session);
        this.resources.journal.follow(session, tab);
        this.resources.requests.follow(session, tab);
        this.#httpAuthentication.follow(session);
      },
    });
    const [tab] = await Promise.all([attaching, prepared]);
    return tab;
  }

  async #dispatch(tab: Tab, action: Action, permit: Permit): Promise<Data> {
    switch (action.name) {
      case "handle_dialog": {
        const { accept, text } = action.params;
        const dialog = await tab.handleDialog(accept, text);
        if (!dialog) throw new ActionFailure("invalid_params", "No dialog is open.");
        await tab.waitForLoad();
        return { dialog, accepted: accept, url: tab.url };
      }
      case "switch":
        return this.#tabs.switchTo(action.params.tab);
      case "close":
        return await this.#tabs.close(action.params.tab);
      case "extract":
      case "login":
        throw new ActionFailure("failed", `${action.name} is an action of the session, not of a page.`);
      default:
        if (tab.dialog) throw new DialogOpened(tab.dialog);
        return await this.#performOnPage(action, new PageInput(tab, permit));
    }
  }

  #performOnPage(action: PageAction, input: PageInput): Promise<Data> {
    const context = { ...this.#browser, clipboard: this.#clipboard, resources: this.resources };
    const perform = () => performAction(action, input, context);
    return maySendForm(action.name, action.params)
      ? withPasswordFormSentByScript(input, perform, { isByKey: action.name === "send_keys" })
      : perform();
  }

  async #content(restore: RestoreReport): Promise<ScreenContent> {
    const analysis = await this.#takeSnapshot("peek");
    return contentOf(this.#context(analysis, restore), analysis);
  }

  async #timedContent(): Promise<TimedContent> {
    const startedAt = performance.now();
    const screen_content = await this.#content({});
    return { tab: screen_content.tab, screen_content, duration: performance.now() - startedAt };
  }

  /**
   * Takes a snapshot of the tab. With `take`, the snapshot is for the caller, and later actions compare
   * elements with it. With `peek`, it is only for Cairn and changes nothing for later actions.
   */
  #takeSnapshot(mode: "take" | "peek" = "take"): Promise<PageAnalysis> {
    const { tab } = this;
    return retryOnNavigation(tab, () => tab.snapshots[mode]());
  }

  async #peekAhead(): Promise<void> {
    const tab = this.#tabs.active;
    // No snapshot is taken in advance while a request runs, because the request itself reads the page.
    if (!tab || tab.dialog || this.#queue.idleSince === undefined) return;
    const next = await tab.answer(tab.snapshots.takeAhead(), readAheadLimits.answerWithin);
    this.#preparedAnswer.prepare(next, tab.snapshots.last);
  }

  /**
   * Returns the page's address, title and scroll position. Unlike a snapshot, this is also possible while the
   * page is loading.
   */
  #pageHead(): Promise<PageHead> {
    const { tab } = this;
    return retryOnNavigation(tab, () => tab.frames.call(tab.frames.main, "snapshots", "head"), false);
  }

  #context(page: PageHead, restore: RestoreReport): BrowserContextInfo {
    return { ...contextOf(page, this.tab, this.#tabs.all), ...restore };
  }
}
