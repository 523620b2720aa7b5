/**
 * A browser session: one isolated context of the worker's Chromium with its tabs. Requests to a session run
 * one after another.
 */

import type { ActionOutcome } from "../../../machines/session/action-outcome.ts";
import type { Action } from "../../../machines/session/actions.ts";
import type { Bindings } from "../../../machines/session/element-binding.ts";
import { sessionLimits } from "../../../machines/session/limits.ts";
import type { LoginRecipe } from "../../../machines/session/login-recipe.ts";
import { answerOf } from "../../../machines/session/page-answer.ts";
import type { AnalysisData, AnalyzeOptions, PageAnalysis } from "../../../machines/session/page-snapshot.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
} from "../../../machines/session/protocol.ts";
import type { Restored } from "../../../machines/session/restore-report.ts";
import type { PageHead } from "../page-script/snapshot/raw-snapshot.ts";
import { ActionFailure, tooManyTabs } from "./action-failure.ts";
import { Clipboard } from "./actions/clipboard.ts";
import { type Data, PageInput, type Permit } from "./actions/page-input.ts";
import { type LoginDeadlines, type LoginSecrets, signIn } from "./actions/sign-in.ts";
import { closeWhatIsOpen, withLost } from "./close-pages.ts";
import { lookError, outcomeOf } from "./error-results.ts";
import { LiveUpdates, type PageEvents, type ShownContent } from "./journal/live-updates.ts";
import { perform } from "./perform-action.ts";
import { RepetitionGuard } from "./repetition-guard.ts";
import { RequestQueue } from "./request-queue.ts";
import type { BrowserSession, SessionOptions, SessionPlace } from "./session-contract.ts";
import { SessionResources } from "./session-resources.ts";
import { contentOf, contextOf, tabAt } from "./session-view.ts";
import { showOverlay } from "./snapshot/box-overlay.ts";
import { type WrittenDocument, writtenDocuments } from "./snapshot/document-html.ts";
import { bindAll, type IntendedElement, intendedElementOf } from "./snapshot/element-binding.ts";
import { omittedElementsOf } from "./snapshot/omitted-elements.ts";
import { withChange, withSeen } from "./snapshot/page-changes.ts";
import { retryOnNavigation } from "./snapshot/retry-on-navigation.ts";
import { screenshotOf } from "./snapshot/screenshot.ts";
import { type SavedState, StateCapture } from "./state/capture-state.ts";
import { type RestorePlace, restore, storageOnly } from "./state/restore-state.ts";
import { assertArrived } from "./tabs/assert-arrived.ts";
import { Environment } from "./tabs/environment.ts";
import { PageOpener } from "./tabs/page-opener.ts";
import { DialogOpened, Tab, type TabOptions } from "./tabs/tab.ts";

export type { BrowserSession, SessionOptions, SessionPlace } from "./session-contract.ts";

export class ContextSession implements BrowserSession {
  readonly ended: Promise<void>;
  readonly beside: SessionResources;
  readonly #place: SessionPlace;
  readonly #options: SessionOptions;
  readonly #environment: Environment;
  readonly #clipboard = new Clipboard();
  readonly #progress = new RepetitionGuard();
  readonly #following: LiveUpdates;
  readonly #tabs: Tab[] = [];
  readonly #gone = new WeakSet<Tab>();
  #shown: Tab | undefined;
  #end: () => void = () => {};
  readonly #forget: () => void;
  readonly #queue = new RequestQueue();
  readonly #saving: StateCapture;
  readonly #holds = new Set<{ readonly why: string }>();
  readonly #openings: PageOpener;
  restored: Restored | undefined;
  /** The next response still has to report `restored`. */
  #untold = false;

  private constructor(place: SessionPlace, options: SessionOptions) {
    this.#place = place;
    this.#options = options;
    this.beside = new SessionResources(place, options.downloads, () => this.#shown?.targetId);
    this.#environment = new Environment(options.environment, place.proxy);
    this.#openings = new PageOpener(place.connection, place.contextId, place.proxy);
    this.#saving = new StateCapture(place.connection.root, place.contextId);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#forget = place.connection.whenClosed(() => this.#end());
    this.#following = new LiveUpdates({
      tell: (event) => options.tell?.(this.beside.redactor.mask(event)),
      content: () => this.#queue.use(() => this.#shownContent()),
      numberOf: (tab) => this.#numberOf(tab),
    });
  }

  static async open(place: SessionPlace, options: SessionOptions): Promise<ContextSession> {
    const session = new ContextSession(place, options);
    await session.#environment.prepare(place.connection, place.contextId);
    const opening = options.former ? session.#comeBack(options.former) : session.#openFirst();
    // Sets the download behaviour while the first page is created, before that page loads any address.
    await Promise.all([opening, session.beside.takeFiles()]);
    return session;
  }

  async #comeBack({ saved, from }: NonNullable<SessionOptions["former"]>): Promise<void> {
    this.#saving.know(saved.origins);
    this.#clipboard.content = saved.clipboard;
    const { tabs, lost } = await restore(saved, this.#restorePlace());
    // Pages are attached in any order; the tabs keep their saved order.
    this.#tabs.sort((one, other) => tabs.indexOf(one) - tabs.indexOf(other));
    this.#shown = tabs[saved.shown] ?? this.#tabs.at(-1) ?? (await this.#openTab());
    this.restored = { from, saved_at: new Date(saved.saved_at).toISOString(), lost };
    this.#untold = true;
  }

  async #openFirst(): Promise<void> {
    this.#shown = await this.#openTab();
    const { storage } = this.#options;
    if (storage) await restore(storageOnly(storage), this.#restorePlace());
  }

  #restorePlace(): RestorePlace {
    const { connection, contextId, proxy } = this.#place;
    const [openTab, standIn] = [() => this.#openTab(), () => this.#openings.standIn()];
    return { root: connection.root, contextId, proxy, openTab, standIn };
  }

  async #openTab(): Promise<Tab> {
    return await this.#follow(await this.#openings.page(), { empty: true });
  }

  get idleSince(): number | undefined {
    return this.#queue.idleSince;
  }

  hold(why: string): () => void {
    const hold = { why };
    this.#holds.add(hold);
    return () => this.#holds.delete(hold);
  }

  async save(whole: boolean): Promise<SavedState> {
    const shown = this.#shown ? this.#tabs.indexOf(this.#shown) : 0;
    const how = { whole, standIn: () => this.#openings.standIn() };
    const save = (): Promise<SavedState> => this.#saving.save(this.#tabs, shown, how);
    const [hold] = this.beside.downloads?.busy ? [{ why: "a download" }] : this.#holds;
    const saved = this.#clipboard.savedWith(whole ? await this.#queue.after(save) : await save());
    return hold ? { ...saved, held: hold.why } : saved;
  }

  async part(): Promise<SavedState> {
    const lost = await closeWhatIsOpen(this.#tabs, this.beside.downloads);
    return withLost(await this.save(true), lost);
  }

  /**
   * Makes a tab of a window that a page opened. Returns false if the target is already known. `held`: id of
   * the debugging session in which the window waits.
   */
  async adopt(targetId: string, held?: string): Promise<boolean> {
    if ((await this.#openings.isOwn(targetId)) || this.has(targetId)) return false;
    if (this.#tabs.length >= sessionLimits.tabs) await this.#openings.refuse(targetId);
    else await this.#follow(targetId, { held, empty: false });
    return true;
  }

  async open(url: string): Promise<ActionOutcome> {
    return await this.act({ name: "navigate", params: { url } }, async () => {});
  }

  act(action: Action, permit: Permit): Promise<ActionOutcome> {
    return this.#settle(async (tab) => {
      await this.#progress.before(tab, action);
      return await this.#do(tab, action, permit);
    });
  }

  login(
    recipe: LoginRecipe,
    secrets: LoginSecrets,
    permit: Permit,
    deadlines?: LoginDeadlines,
  ): Promise<ActionOutcome> {
    const means = { proxy: this.#place.proxy, beside: this.beside, secrets, deadlines };
    return this.#settle((tab) => signIn(new PageInput(tab, permit, this.beside.journal), recipe, means));
  }

  #settle(work: (tab: Tab) => Promise<Data>): Promise<ActionOutcome> {
    return this.#queue.use(async () => {
      const outcome = await this.#attempt(work);
      this.#progress.after(outcome);
      this.#following.touched();
      return this.beside.redactor.mask({ ...outcome, data: { ...outcome.data, ...this.#news() } });
    });
  }

  async #attempt(work: (tab: Tab) => Promise<Data>): Promise<ActionOutcome> {
    const before = new Set(this.#tabs);
    const opened = () => this.#tabs.flatMap((one, at) => (before.has(one) ? [] : [at]));
    const { refused } = this.#openings;
    const brought = this.beside.noting();
    try {
      const [tab, windows] = [this.tab, this.tab.windows];
      const data = await work(tab);
      const shut = (): number => this.#openings.refused - refused;
      await this.#openings.until(() => opened().length + shut() >= tab.windows - windows);
      if (data.effect === "navigated") await assertArrived(tab, this.#place.proxy, data);
      if (shut() > 0) throw tooManyTabs(data);
      return {
        success: true,
        error: null,
        data: {
          ...(tab === this.#shown ? await withSeen(data, tab) : data),
          ...(opened().length > 0 ? { opened_tabs: opened() } : {}),
          ...brought(data),
        },
      };
    } catch (thrown) {
      const outcome = outcomeOf(thrown);
      return this.#shown ? await withChange(outcome, this.#shown) : outcome;
    }
  }

  analyze(options: AnalyzeOptions): Promise<AnalysisData> {
    return this.#looking(async () => {
      const since =
        options.since_revision === undefined ? undefined : this.tab.looking.analysis(options.since_revision);
      const look = await this.#look();
      const { tab } = this;
      if (options.overlay !== undefined) await showOverlay(tab, options.overlay ? look : undefined);
      const answer = { ...answerOf(look, options, since), ...this.#news() };
      const told = options.include_left_out
        ? await omittedElementsOf(tab, answer, options.max_tokens)
        : answer;
      if (!options.highlight) return told;
      const picture = { format: "png", full_page: false, highlight: true } as const;
      return { ...told, screenshot: await screenshotOf(tab, picture) };
    });
  }

  meantBy(action: Action): Promise<IntendedElement> {
    return this.#looking(() => intendedElementOf(this.tab, action));
  }

  bindAll(targets: IntendedElement["targets"], within: number): Promise<Bindings> {
    return this.#looking(() => bindAll(this.tab, targets, within));
  }

  context(): Promise<BrowserContextInfo> {
    return this.#looking(async () => this.#context(await this.#glance()));
  }

  content(): Promise<ScreenContent> {
    return this.#looking(() => this.#content());
  }

  screenshot(options: ScreenshotOptions): Promise<Screenshot> {
    return this.#looking(() => screenshotOf(this.tab, options));
  }

  follow(heard: PageEvents): void {
    this.#following.set(heard);
  }

  written(index: number | undefined): Promise<readonly WrittenDocument[]> {
    return this.#looking(() => writtenDocuments(this.tab, index));
  }

  /** Whether the frame belongs to one of this session's tabs. */
  has(frameId: string): boolean {
    return this.#tabs.some(({ targetId, frames }) => targetId === frameId || frames.get(frameId));
  }

  async close(): Promise<void> {
    this.#following.close();
    this.#end();
    this.#forget();
    for (const tab of this.#tabs) tab.release();
    await this.#place.leave();
  }

  get url(): string {
    return this.#shown?.url ?? "about:blank";
  }

  /** The active tab. Throws if the session has none. */
  get tab(): Tab {
    if (!this.#shown) throw new ActionFailure("failed", "The session has no tab that can be used.");
    return this.#shown;
  }

  /** Adds `restored` to the first response after a restore. */
  #news(): { readonly restored?: Restored } {
    if (!this.#untold || !this.restored) return {};
    this.#untold = false;
    return { restored: this.restored };
  }

  /** Runs a read-only request in its turn. A failure becomes an error for the caller. */
  async #looking<Result>(look: () => Promise<Result>): Promise<Result> {
    try {
      return this.beside.redactor.mask(await this.#queue.use(look));
    } catch (thrown) {
      throw lookError(thrown);
    }
  }

  async #follow(targetId: string, how: Pick<TabOptions, "held" | "empty">): Promise<Tab> {
    const prepared = this.#environment.standsBetween ? undefined : this.#openings.prepare(targetId);
    const attaching = Tab.attach(this.#place.connection, targetId, {
      ...how,
      viewport: this.#environment.metrics(this.#options.viewport),
      visited: (url) => this.#saving.visited(url),
      ended: (gone, crashed) => {
        if (crashed) this.#following.failed("session.page_gone", `The page ${gone.url} crashed.`);
        this.#left(gone);
      },
      told: this.#following,
      busy: () => this.beside.journal.busy(targetId),
      followed: (session, tab) => {
        this.#environment.tell(session);
        this.beside.journal.follow(session, tab);
      },
    });
    const [tab] = await Promise.all([attaching, prepared]);
    this.#tabs.push(tab);
    this.#following.add(tab);
    return tab;
  }

  #left(gone: Tab): void {
    this.#gone.add(gone);
    const at = this.#tabs.indexOf(gone);
    if (at < 0) return;
    this.#tabs.splice(at, 1);
    this.beside.journal.forget(gone.targetId);
    this.#following.leave(gone);
    if (this.#shown === gone) this.#shown = this.#tabs.at(-1);
    if (this.#tabs.length === 0) this.#end();
  }

  async #do(tab: Tab, action: Action, permit: Permit): Promise<Data> {
    switch (action.name) {
      case "handle_dialog": {
        const { accept, text } = action.params;
        const dialog = await tab.handleDialog(accept, text);
        if (!dialog) throw new ActionFailure("invalid_params", "No dialog is open.");
        await tab.loaded();
        return { dialog, accepted: accept, url: tab.url };
      }
      case "switch":
        return this.#switch(action.params.tab);
      case "close":
        return await this.#closeTab(action.params.tab);
      case "extract":
      case "login":
        throw new ActionFailure("failed", `${action.name} is asked of the session itself.`);
      default:
        if (tab.dialog) throw new DialogOpened(tab.dialog);
        return await perform(action, new PageInput(tab, permit, this.beside.journal), {
          ...this.#place,
          clipboard: this.#clipboard,
          beside: this.beside,
        });
    }
  }

  /**
   * Index of the tab, or -1 if it is closed. A tab that is being attached gets the next index, because it
   * already emits events.
   */
  #numberOf(tab: Tab): number {
    if (this.#gone.has(tab)) return -1;
    return this.#tabs.includes(tab) ? this.#tabs.indexOf(tab) : this.#tabs.length;
  }

  #switch(at: number): Data {
    const tab = tabAt(this.#tabs, at);
    this.#shown = tab;
    return { tab: at, url: tab.url, tabs: this.#tabs.length };
  }

  async #closeTab(at: number | undefined): Promise<Data> {
    const tab = at === undefined ? this.tab : tabAt(this.#tabs, at);
    if (this.#tabs.length === 1)
      throw new ActionFailure(
        "invalid_params",
        "It is the only tab. close_browser_session closes the session.",
      );
    await tab.close();
    this.#left(tab);
    return { closed: true, tab: this.#tabs.indexOf(this.tab), url: this.tab.url, tabs: this.#tabs.length };
  }

  async #content(): Promise<ScreenContent> {
    const analysis = await this.#look("peek");
    return contentOf(this.#context(analysis), analysis);
  }

  async #shownContent(): Promise<ShownContent> {
    const from = performance.now();
    const screen_content = await this.#content();
    return { tab: screen_content.tab, screen_content, took: performance.now() - from };
  }

  /** Takes a snapshot of the tab. With `peek`, no caller sees its indices. */
  #look(how: "look" | "peek" = "look"): Promise<PageAnalysis> {
    const { tab } = this;
    return retryOnNavigation(tab, () => tab.looking[how]());
  }

  /** The head of the page without a snapshot of its content; also of a page that is still loading. */
  #glance(): Promise<PageHead> {
    const { tab } = this;
    return retryOnNavigation(tab, () => tab.frames.call(tab.frames.main, "snapshots", "head"), false);
  }

  #context(page: PageHead): BrowserContextInfo {
    return contextOf(page, this.tab, this.#tabs, this.restored);
  }
}
