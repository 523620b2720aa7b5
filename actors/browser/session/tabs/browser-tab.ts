/**
 * One tab of a session: its page, frames, dialogs, and the loading of its documents. An open dialog blocks every
 * request to the page, so each wait also ends when a dialog opens.
 */
import { Unavailable } from "../../../../machines/errors.ts";
import { logLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Connection, Session } from "../../chromium/devtools-connection.ts";
import { ActionFailure } from "../action-error.ts";
import type { AwaitedRequests } from "../journal/pending-requests-of-page.ts";
import { PageChangeTracker } from "../snapshot/page-change-tracker.ts";
import { TabSnapshots } from "../snapshot/tab-snapshots.ts";
import { type Frame, Frames } from "./tab-frames.ts";

export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor?: number;
  readonly mobile?: boolean;
}

export interface Dialog {
  readonly type: string;
  readonly message: string;
  readonly default_text: string;
}

export interface TabOptions {
  /** Id of a DevTools session that is already attached to the tab's page. The tab then uses this session. */
  readonly attachedSessionId?: string | undefined;
  /** True if the session has just created this page, so that the page has opened no address yet. */
  readonly empty: boolean;
  readonly viewport: Viewport;
  /** Called with the address of each document that the tab has loaded. */
  readonly onVisited: (url: string) => void;
  /** Called when the tab was closed or has crashed. */
  readonly onEnded: (tab: Tab, crashed: boolean) => void;
  readonly events: TabEvents;
  /**
   * The pending requests of the session's tabs. A new document is complete when no request of its tab is
   * pending any more.
   */
  readonly requests: AwaitedRequests;
  /**
   * Called when the tab begins to use a target, before Chromium sends events of this target. The target is
   * the tab's page, or a frame that has a process of its own.
   */
  readonly onFollowed: (session: Session, targetId: string) => void;
}

/** Receives the events of a tab: its navigations and load events. */
export interface TabEvents {
  arrived(tab: Tab, frame: Frame): void;
  navigated(tab: Tab, url: string, withinDocument: boolean): void;
  loaded(tab: Tab, url: string): void;
}

/** The error of a request to a page in which a dialog is open, because an open dialog blocks the page. */
export class DialogOpened extends Error {
  readonly dialog: Dialog;

  constructor(dialog: Dialog) {
    const article = /^[aeiou]/.test(dialog.type) ? "An" : "A";
    super(`${article} ${dialog.type} is open: "${dialog.message}"`);
    this.dialog = dialog;
  }
}

export class Tab {
  readonly targetId: string;
  readonly session: Session;
  readonly frames: Frames;
  readonly snapshots: TabSnapshots;
  readonly pageChanges: PageChangeTracker;
  readonly requests: AwaitedRequests;
  /** Position of the pointer in CSS pixels of the viewport. */
  pointer = { x: 0, y: 0 };
  /**
   * Addresses that the tab's history had when the session was saved. The restored browser has no history
   * entries for them. `past` lists the older addresses, and `future` the newer ones.
   */
  savedHistory: { readonly past: readonly string[]; readonly future: readonly string[] } = {
    past: [],
    future: [],
  };
  #viewport: Viewport;
  readonly #connection: Connection;
  readonly #crash: Promise<never>;
  #rejectCrash: (error: Error) => void = () => {};
  #unsubscribe: () => void = () => {};
  /**
   * Whether a dialog by which a page asks the user before it is left (`beforeunload`) stays open for the caller.
   * Otherwise, it is accepted, and values that are not saved are lost.
   */
  asksBeforeLeaving = false;
  #dialog: Dialog | undefined;
  #loading = false;
  /**
   * Number of load events of the tab. While it is 0, the tab may have loaded its document before Cairn was
   * attached.
   */
  #loadEvents = 0;
  readonly #waiters = new Set<() => void>();
  /** Number of times that the tab has navigated to another document. */
  navigations = 0;
  /** Number of times that a form with a password was stopped, because the browser would have sent it by GET. */
  stoppedPasswordForms = 0;
  /**
   * Number of times that a script of the page has tried to open an address with the password, and was stopped.
   */
  stoppedPasswordAddresses = 0;
  /** Whether the browser shows its error page, because it could not load the address of the tab. */
  showsErrorPage = false;
  /** Whether the document was requested by POST, such as the answer to a form. */
  isPosted = false;
  /** Number of windows that the page has opened or is about to open. */
  openedWindows = 0;

  private constructor(
    connection: Connection,
    session: Session,
    targetId: string,
    { events, onFollowed, onVisited, requests, viewport }: TabOptions,
  ) {
    this.requests = requests;
    this.#viewport = viewport;
    this.#connection = connection;
    this.session = session;
    this.targetId = targetId;
    this.frames = new Frames(connection, targetId, {
      navigated: (url) => {
        this.navigations++;
        requests.documentChanged(targetId);
        onVisited(url);
        this.#notifyWaiters();
        events.navigated(this, url, false);
      },
      addressChanged: (url) => {
        this.#notifyWaiters();
        events.navigated(this, url, true);
      },
      arrived: (frame) => events.arrived(this, frame),
      followed: (target) => onFollowed(target, targetId),
      passwordFormStopped: (what) => {
        if (what === "form") this.stoppedPasswordForms++;
        else this.stoppedPasswordAddresses++;
        // The navigation was stopped. Chromium has announced its start and does not report its end.
        this.#setLoading(targetId, false);
      },
    });
    this.snapshots = new TabSnapshots(this.frames);
    this.pageChanges = new PageChangeTracker(this.snapshots, this.frames);
    this.#crash = new Promise((_, reject) => {
      this.#rejectCrash = reject;
    });
    // The tab may crash while no request awaits `#crash`. Without this handler, its rejection would be
    // unhandled.
    this.#crash.catch(() => {});
  }

  /**
   * Attaches to an existing page and prepares it as a tab. Its scripts may be paused; they continue after the
   * preparation.
   */
  static async attach(connection: Connection, targetId: string, options: TabOptions): Promise<Tab> {
    const sessionId = options.attachedSessionId ?? (await sessionWith(connection, targetId));
    const tab = new Tab(connection, connection.session(sessionId), targetId, options);
    // If the page crashes now, its process never answers the commands of the preparation.
    await Promise.race([tab.#prepare(options), tab.#crash]);
    tab.#catchUp(options.events);
    return tab;
  }

  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  /** The address of the tab's document, or `about:blank` while the tab is being prepared. */
  get url(): string {
    return this.frames.get(this.targetId)?.url ?? "about:blank";
  }

  /** Whether the document is being replaced or has not finished loading. */
  get loading(): boolean {
    return this.#loading;
  }

  /**
   * Returns the number of pending requests of the tab that may still change the page. Polling and long polls do not
   * count.
   */
  pendingRequests(): number {
    return this.requests.pending(this.targetId, logLimits.longPollAfter).length;
  }

  /** Waits for a call into the page. Rejects when a dialog opens, the page crashes, or the time is over. */
  async answer<Value>(work: Promise<Value>, within: number = sessionLimits.answerWithin): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let check = (): void => {};
    const interrupted = new Promise<never>((_, reject) => {
      check = () => {
        if (this.#dialog) reject(new DialogOpened(this.#dialog));
      };
      this.#waiters.add(check);
      check();
      timer = setTimeout(
        () => reject(new ActionFailure("timeout", `The page did not answer within ${within / 1_000} s.`)),
        within,
      );
    });
    // `work` may reject after this call has ended, for example because a dialog opened. Without this handler,
    // the rejection would be unhandled.
    work.catch(() => {});
    try {
      return await Promise.race([work, interrupted, this.#crash]);
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(check);
    }
  }

  /**
   * Checks the condition `reached` each time that a document or dialog changes. Resolves with true when
   * `reached` returns true, or with false after `within` milliseconds.
   */
  async waitUntil(reached: () => boolean, within: number): Promise<boolean> {
    if (reached()) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let check = (): void => {};
    const changed = new Promise<boolean>((resolve) => {
      check = () => {
        if (reached()) resolve(true);
      };
      this.#waiters.add(check);
      timer = setTimeout(() => resolve(false), within);
    });
    try {
      return await Promise.race([changed, this.#crash]);
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(check);
    }
  }

  /**
   * Waits until the document has loaded. It also resolves after the time limit; the document is then used as
   * far as it has loaded.
   */
  async waitForLoad(): Promise<void> {
    await this.waitUntil(() => !this.#loading || this.#dialog !== undefined, sessionLimits.loadWithin);
  }

  async handleDialog(accept: boolean, text: string | undefined): Promise<Dialog | undefined> {
    const dialog = this.#dialog;
    if (!dialog) return undefined;
    await this.session.send("Page.handleJavaScriptDialog", {
      accept,
      ...(text === undefined ? {} : { promptText: text }),
    });
    // When this response is handled, the page may already have opened its next dialog.
    if (this.#dialog === dialog) this.#dialog = undefined;
    // If the user stays on the page, no event reports the end of the navigation that has caused the dialog.
    if (dialog.type === "beforeunload" && !accept) this.#setLoading(this.targetId, false);
    return dialog;
  }

  /** Ends the use of a page, which stays open: removes the tab's listeners and its DevTools session. */
  release(): void {
    this.#unsubscribe();
    this.#connection.drop(this.session);
  }

  async close(): Promise<void> {
    this.release();
    // The error is ignored: the page may have been closed with its browser context.
    await this.#connection.root.send("Target.closeTarget", { targetId: this.targetId }).catch(() => {});
  }

  async #prepare({ viewport, onEnded, events, empty }: TabOptions): Promise<void> {
    const { session } = this;
    const end = (crashed: boolean): void => {
      this.#unsubscribe();
      this.#rejectCrash(new Unavailable("session.page_gone", "The page crashed or was closed."));
      onEnded(this, crashed);
    };
    session.on("Inspector.targetCrashed", () => end(true));
    session.on("Inspector.detached", () => end(false));
    this.#unsubscribe = this.#connection.whenClosed(() => end(false));
    session.on("Page.loadEventFired", () => {
      // While the tab is being prepared, load events are ignored. `#catchUp` reports them after the
      // preparation.
      if (!this.frames.get(this.targetId)) return;
      this.#loadEvents++;
      events.loaded(this, this.url);
    });
    let requestedBy = "GET";
    session.also("Network.requestWillBeSent", ({ type, frameId, request }) => {
      if (type === "Document" && frameId === this.targetId) requestedBy = request.method;
    });
    session.also("Page.frameNavigated", ({ frame }) => {
      if (frame.id !== this.targetId) return;
      this.showsErrorPage = frame.unreachableUrl !== undefined;
      this.isPosted = requestedBy === "POST";
    });
    session.on("Page.windowOpen", () => {
      this.openedWindows++;
    });
    session.on("Page.frameStartedLoading", ({ frameId }) => this.#setLoading(frameId, true));
    session.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (disposition === "currentTab") this.#setLoading(frameId, true);
    });
    session.on("Page.frameStoppedLoading", ({ frameId }) => this.#setLoading(frameId, false));
    session.on("Page.javascriptDialogOpening", ({ type, message, defaultPrompt = "" }) => {
      if (type === "beforeunload" && !this.asksBeforeLeaving) {
        session.send("Page.handleJavaScriptDialog", { accept: true }).catch(() => {});
        return;
      }
      this.#dialog = { type, message, default_text: defaultPrompt };
      this.#notifyWaiters();
    });
    session.on("Page.javascriptDialogClosed", () => {
      this.#dialog = undefined;
      this.#notifyWaiters();
    });
    await Promise.all([
      this.frames.follow(session, empty),
      session.send("Inspector.enable"),
      this.resize(viewport),
      // With these commands, a background page behaves as if it had the focus. Without the focus, a page may
      // react differently to the caller's actions.
      session.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    ]);
  }

  async resize(viewport: Viewport): Promise<void> {
    this.#viewport = viewport;
    await this.session.send("Emulation.setDeviceMetricsOverride", {
      deviceScaleFactor: 1,
      mobile: false,
      ...viewport,
    });
  }

  /** The size of the tab's viewport in CSS pixels. */
  get viewport(): Viewport {
    return this.#viewport;
  }

  /**
   * Reports the navigation of a window that happened before its tab was prepared. The tab has received no
   * event of it.
   */
  #catchUp(events: TabEvents): void {
    const { url } = this;
    if (this.navigations > 0 || url === "about:blank") return;
    events.navigated(this, url, false);
    this.frames
      .evaluate(this.frames.main, "document.readyState")
      .then((state) => {
        if (state === "complete" && this.#loadEvents === 0 && this.url === url) events.loaded(this, url);
      })
      // The error is ignored: the page has navigated to another document, and the event of that navigation
      // reports it.
      .catch(() => {});
  }

  #setLoading(frameId: string, loading: boolean): void {
    if (frameId !== this.targetId) return;
    this.#loading = loading;
    this.#notifyWaiters();
  }

  #notifyWaiters(): void {
    for (const check of [...this.#waiters]) check();
  }
}

async function sessionWith({ root }: Connection, targetId: string): Promise<string> {
  return (await root.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
}
