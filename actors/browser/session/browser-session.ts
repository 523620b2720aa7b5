/**
 * A browser session: one isolated context of the worker's Chromium with its tabs, looked at and acted in by turns.
 *
 * What is asked of it is done one after another. Neighbours: `tab.ts` is one tab, `acts.ts` acts, `looking.ts` looks;
 * `../sessions.ts` opens sessions in the running browser.
 */
import { limits } from "../../../machines/limits.ts";
import type { Action } from "../../../machines/session/actions.ts";
import type { AnalysisData, AnalyzeOptions, PageAnalysis } from "../../../machines/session/analysis.ts";
import { answerOf } from "../../../machines/session/answer.ts";
import type { PageEvent } from "../../../machines/session/events.ts";
import type { NetworkLog, NetworkOptions } from "../../../machines/session/logs.ts";
import type { ActOutcome } from "../../../machines/session/outcome.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
} from "../../../machines/session/protocol.ts";
import { summaryOf } from "../../../machines/session/summary.ts";
import type { Connection } from "../connection.ts";
import type { BrowserProxy } from "../launch.ts";
import { Beside } from "./beside.ts";
import { Clipboard } from "./clipboard.ts";
import { lookError, outcomeOf } from "./explained.ts";
import { ActFailure } from "./failure.ts";
import { Following, type Heard, type ShownContent } from "./following.ts";
import { DocumentGone } from "./frames.ts";
import type { Glance } from "./injected/raw.ts";
import { leftOutOf } from "./left-out.ts";
import { showOverlay } from "./overlay.ts";
import { perform } from "./performing.ts";
import { Progress } from "./progress.ts";
import { screenshotOf } from "./screenshot.ts";
import { DialogOpened, Tab, type Viewport } from "./tab.ts";
import { type Permit, Touch } from "./touch.ts";
import { type WrittenDocument, writtenDocuments } from "./written.ts";

export interface SessionOptions {
  readonly viewport: Viewport;
  /** Where files that its pages give are put; without one they give none. */
  readonly downloads?: string | undefined;
  /** Is told what its pages do; changes and contents only as `follow` says. */
  readonly tell?: ((event: PageEvent) => void) | undefined;
}

/** What a session has of the browser that it is in. */
export interface SessionPlace {
  readonly connection: Connection;
  readonly contextId: string;
  readonly proxy: BrowserProxy | undefined;
  /** Whether callers may run scripts of their own in pages. */
  readonly evaluate: boolean;
  /** The folder that files may be taken from. */
  readonly uploads: string | undefined;
  /** Ends the context with all that sites left in it. */
  readonly leave: () => Promise<void>;
}

export interface BrowserSession {
  /** The address of the tab that is shown. */
  readonly url: string;
  /** Resolves when it is gone: closed, or with a browser that crashed. */
  readonly ended: Promise<void>;
  /** Opens a first address; the outcome of a navigation. */
  open(url: string): Promise<ActOutcome>;
  /** Does what is wanted; `permit` is awaited immediately before anything is done in the world. Never rejects. */
  act(action: Action, permit: Permit): Promise<ActOutcome>;
  analyze(options: AnalyzeOptions): Promise<AnalysisData>;
  context(): Promise<BrowserContextInfo>;
  content(): Promise<ScreenContent>;
  screenshot(options: ScreenshotOptions): Promise<Screenshot>;
  /** The page as HTML, its frames after it; of an element of an analysis only that. */
  written(index: number | undefined): Promise<readonly WrittenDocument[]>;
  network(options: NetworkOptions): NetworkLog;
  readonly beside: Beside;
  /** What of its pages somebody hears of: nothing else is watched for. */
  follow(heard: Heard): void;
  close(): Promise<void>;
}

/** Times that a look is begun again because the page went to another document under it. */
const LOOKS = 5;

export class ContextSession implements BrowserSession {
  readonly ended: Promise<void>;
  readonly beside: Beside;
  readonly #place: SessionPlace;
  readonly #options: SessionOptions;
  readonly #clipboard = new Clipboard();
  readonly #progress = new Progress();
  readonly #following: Following;
  readonly #tabs: Tab[] = [];
  readonly #gone = new WeakSet<Tab>();
  #shown: Tab | undefined;
  #end: () => void = () => {};
  #last: Promise<unknown> = Promise.resolve();

  private constructor(place: SessionPlace, options: SessionOptions) {
    this.#place = place;
    this.#options = options;
    this.beside = new Beside(place, options.downloads);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    void place.connection.closed.then(() => this.#end());
    this.#following = new Following({
      tell: (event) => options.tell?.(this.beside.redactor.mask(event)),
      content: () => this.#inTurn(() => this.#shownContent()),
      numberOf: (tab) => this.#numberOf(tab),
    });
  }

  static async open(place: SessionPlace, options: SessionOptions): Promise<ContextSession> {
    const session = new ContextSession(place, options);
    await session.beside.downloads?.accept();
    const { targetId } = await place.connection.root.send("Target.createTarget", {
      url: "about:blank",
      browserContextId: place.contextId,
      // A tab behind another is not drawn by the full browser.
      newWindow: true,
    });
    session.#shown = await session.#follow(targetId);
    return session;
  }

  /** A window that a page opened becomes a tab, which is told and shown when it is switched to. */
  async adopt(targetId: string): Promise<void> {
    if (this.#tabs.some((tab) => tab.targetId === targetId)) return;
    if (this.#tabs.length >= limits.session.tabs) {
      await this.#place.connection.root.send("Target.closeTarget", { targetId });
      return;
    }
    await this.#follow(targetId);
  }

  async open(url: string): Promise<ActOutcome> {
    return await this.act({ name: "navigate", params: { url } }, async () => {});
  }

  act(action: Action, permit: Permit): Promise<ActOutcome> {
    return this.#inTurn(async () => {
      const outcome = await this.#attempt(action, permit);
      this.#progress.after(outcome);
      this.#following.touched();
      return this.beside.redactor.mask(outcome);
    });
  }

  async #attempt(action: Action, permit: Permit): Promise<ActOutcome> {
    const before = new Set(this.#tabs);
    const brought = this.beside.noting();
    try {
      const { tab } = this;
      await this.#progress.before(tab, action);
      const data = await this.#do(tab, action, permit);
      const opened = this.#tabs.flatMap((one, at) => (before.has(one) ? [] : [at]));
      return {
        success: true,
        error: null,
        data: { ...data, ...(opened.length > 0 ? { opened_tabs: opened } : {}), ...brought(data) },
      };
    } catch (thrown) {
      return outcomeOf(thrown);
    }
  }

  analyze(options: AnalyzeOptions): Promise<AnalysisData> {
    return this.#looking(async () => {
      const since =
        options.since_revision === undefined ? undefined : this.tab.looking.analysis(options.since_revision);
      const look = await this.#look();
      const { tab } = this;
      if (options.overlay !== undefined) await showOverlay(tab, options.overlay ? look : undefined);
      const answer = answerOf(look, options, since);
      const told = options.include_left_out ? await leftOutOf(tab, answer, options.max_tokens) : answer;
      if (!options.highlight) return told;
      const picture = { format: "png", full_page: false, highlight: true } as const;
      return { ...told, screenshot: await screenshotOf(tab, picture) };
    });
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

  follow(heard: Heard): void {
    this.#following.set(heard);
  }

  written(index: number | undefined): Promise<readonly WrittenDocument[]> {
    return this.#looking(() => writtenDocuments(this.tab, index));
  }

  network(options: NetworkOptions): NetworkLog {
    return this.beside.network(options, this.#shown?.targetId ?? "");
  }

  /** Whether a frame is one of this session's tabs. */
  has(frameId: string): boolean {
    return this.#tabs.some(({ targetId, frames }) => targetId === frameId || frames.get(frameId));
  }

  async close(): Promise<void> {
    this.#following.close();
    this.#end();
    await this.#place.leave();
  }

  get url(): string {
    return this.#shown?.url ?? "about:blank";
  }

  /** The tab that is shown. */
  get tab(): Tab {
    if (!this.#shown) throw new ActFailure("failed", "The session has no tab that can be used.");
    return this.#shown;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** A look in its turn; what keeps it from being one is told as an error. */
  async #looking<Result>(look: () => Promise<Result>): Promise<Result> {
    try {
      return this.beside.redactor.mask(await this.#inTurn(look));
    } catch (thrown) {
      throw lookError(thrown);
    }
  }

  async #follow(targetId: string): Promise<Tab> {
    const tab = await Tab.attach(this.#place.connection, targetId, {
      viewport: this.#options.viewport,
      ended: (gone, crashed) => {
        if (crashed) this.#following.failed("session.page_gone", `The page ${gone.url} crashed.`);
        this.#left(gone);
      },
      told: this.#following,
      followed: (session, tab) => this.beside.journal.follow(session, tab),
    });
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

  async #do(tab: Tab, action: Action, permit: Permit): Promise<Readonly<Record<string, unknown>>> {
    const { dialog: blocking } = tab;
    const { proxy, evaluate, uploads } = this.#place;
    switch (action.name) {
      case "handle_dialog": {
        const { accept, text } = action.params;
        const dialog = await tab.handleDialog(accept, text);
        if (!dialog) throw new ActFailure("invalid_params", "No dialog is open.");
        await tab.loaded();
        return { dialog, accepted: accept, url: tab.url };
      }
      case "switch":
        return this.#switch(action.params.tab);
      case "close":
        return await this.#closeTab(action.params.tab);
      case "extract":
        throw new ActFailure("failed", "What is taken out of a page is asked of the session itself.");
      default:
        if (blocking) throw new DialogOpened(blocking);
        return await perform(action, new Touch(tab, permit), {
          proxy,
          evaluate,
          uploads,
          clipboard: this.#clipboard,
          beside: this.beside,
        });
    }
  }

  /** Below 0: it is gone. One that is being attached tells already where it goes. */
  #numberOf(tab: Tab): number {
    if (this.#gone.has(tab)) return -1;
    const at = this.#tabs.indexOf(tab);
    return at < 0 ? this.#tabs.length : at;
  }

  #tabAt(at: number): Tab {
    const tab = this.#tabs[at];
    if (tab) return tab;
    throw new ActFailure(
      "invalid_params",
      `There is no tab ${at}; there are ${this.#tabs.length}, from 0 on.`,
      {
        tabs: this.#tabs.map(({ url }, index) => ({ tab: index, url })),
      },
    );
  }

  #switch(at: number): Readonly<Record<string, unknown>> {
    const tab = this.#tabAt(at);
    this.#shown = tab;
    return { tab: at, url: tab.url, tabs: this.#tabs.length };
  }

  async #closeTab(at: number | undefined): Promise<Readonly<Record<string, unknown>>> {
    const tab = at === undefined ? this.tab : this.#tabAt(at);
    if (this.#tabs.length === 1)
      throw new ActFailure("invalid_params", "It is the only tab. close_browser_session closes the session.");
    await tab.close();
    this.#left(tab);
    return { closed: true, tab: this.#tabs.indexOf(this.tab), url: this.tab.url, tabs: this.#tabs.length };
  }

  async #content(): Promise<ScreenContent> {
    const analysis = await this.#look("peek");
    const { ready_state: _, ...context } = this.#context(analysis);
    return {
      ...context,
      dom_summary: summaryOf(analysis),
      visible_elements_count: analysis.elements.filter(({ in_viewport }) => in_viewport).length,
    };
  }

  async #shownContent(): Promise<ShownContent> {
    const from = performance.now();
    const screen_content = await this.#content();
    return { tab: screen_content.tab, screen_content, took: performance.now() - from };
  }

  /** A look at the tab, again when it went to another document under it. A peek shows nobody any indices. */
  async #look(how: "look" | "peek" = "look"): Promise<PageAnalysis> {
    const { tab } = this;
    for (let tries = 1; ; tries++) {
      if (tab.loading) await tab.loaded();
      try {
        return await tab.answer(tab.looking[how]());
      } catch (error) {
        if (!(error instanceof DocumentGone) || tries === LOOKS) throw error;
        await tab.until(() => !tab.loading, limits.session.loadWithin);
      }
    }
  }

  /** The head of the page, without a look at what is in it. */
  async #glance(): Promise<Glance> {
    const { tab } = this;
    for (let tries = 1; ; tries++) {
      try {
        return await tab.answer(tab.frames.call(tab.frames.main, "walker", "glance"));
      } catch (error) {
        if (!(error instanceof DocumentGone) || tries === LOOKS) throw error;
        await tab.until(() => !tab.loading, limits.session.loadWithin);
      }
    }
  }

  #context(page: Glance): BrowserContextInfo {
    const { pointer } = this.tab;
    const { url, title, ready_state, scroll } = page;
    return {
      url,
      title,
      ready_state,
      scroll_x: scroll.x,
      scroll_y: scroll.y,
      viewport_width: scroll.viewport_width,
      viewport_height: scroll.viewport_height,
      cursor_x: Math.round(pointer.x),
      cursor_y: Math.round(pointer.y),
      tab: this.#tabs.indexOf(this.tab),
      tabs: this.#tabs.map((tab) => ({ url: tab.url })),
    };
  }
}
