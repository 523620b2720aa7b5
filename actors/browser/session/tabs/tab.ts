/**
 * One tab of a session: its target, frames, dialogs, and the loading of its documents. An open dialog blocks
 * every request to the page, so each wait also ends when a dialog opens.
 */
import { Unavailable } from "../../../../machines/errors.ts";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { Connection, Session } from "../../chromium/devtools-connection.ts";
import { ActionFailure } from "../action-failure.ts";
import { PageChanges } from "../snapshot/page-changes.ts";
import { TabSnapshots } from "../snapshot/tab-snapshots.ts";
import { type Frame, Frames } from "./frames.ts";

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
  /** Id of a debugging session that is already attached to the target. */
  readonly held?: string | undefined;
  /** True for a page that the session opened and that has no content yet. */
  readonly empty: boolean;
  readonly viewport: Viewport;
  /** Called with the address of each document that the tab shows. */
  readonly visited: (url: string) => void;
  /** Called when the tab is closed or has crashed. */
  readonly ended: (tab: Tab, crashed: boolean) => void;
  readonly told: TabEvents;
  /** Number of pending requests of the tab that are worth waiting for. */
  readonly busy: () => number;
  /** Called before a target is followed: the tab itself, or a frame in its own process. */
  readonly followed: (session: Session, targetId: string) => void;
}

/** Receives the navigations of a tab. */
export interface TabEvents {
  arrived(tab: Tab, frame: Frame): void;
  went(tab: Tab, url: string, withinDocument: boolean): void;
  loaded(tab: Tab, url: string): void;
}

/** A dialog opened while a request to the page was pending. */
export class DialogOpened extends Error {
  readonly dialog: Dialog;

  constructor(dialog: Dialog) {
    super(`A ${dialog.type} is open: ${dialog.message}`);
    this.dialog = dialog;
  }
}

export class Tab {
  readonly targetId: string;
  readonly session: Session;
  readonly frames: Frames;
  readonly looking: TabSnapshots;
  readonly telling: PageChanges;
  /** Number of pending requests that are worth waiting for. */
  readonly busy: () => number;
  /** Position of the pointer in CSS pixels of the viewport. */
  pointer = { x: 0, y: 0 };
  /** Addresses before and after the tab's own history, from an earlier browser. */
  former: { readonly past: readonly string[]; readonly future: readonly string[] } = { past: [], future: [] };
  readonly #connection: Connection;
  readonly #crash: Promise<never>;
  #crashed: (error: Error) => void = () => {};
  #forget: () => void = () => {};
  #dialog: Dialog | undefined;
  #loading = false;
  /** Number of load events. */
  #loads = 0;
  readonly #waiting = new Set<() => void>();
  /** Number of navigations to another document. */
  documents = 0;
  /** Number of windows that the page has opened or is about to open. */
  windows = 0;

  private constructor(
    connection: Connection,
    session: Session,
    targetId: string,
    { told, followed, visited, busy }: TabOptions,
  ) {
    this.busy = busy;
    this.#connection = connection;
    this.session = session;
    this.targetId = targetId;
    this.frames = new Frames(connection, targetId, {
      navigated: (url) => {
        this.documents++;
        visited(url);
        this.#tell();
        told.went(this, url, false);
      },
      moved: (url) => {
        this.#tell();
        told.went(this, url, true);
      },
      arrived: (frame) => told.arrived(this, frame),
      followed: (target) => followed(target, targetId),
    });
    this.looking = new TabSnapshots(this.frames);
    this.telling = new PageChanges(this.looking, this.frames);
    this.#crash = new Promise((_, reject) => {
      this.#crashed = reject;
    });
    // Prevents an unhandled rejection when the tab crashes while no request is pending.
    this.#crash.catch(() => {});
  }

  /** Attaches to an existing target. Scripts that wait for the debugger continue once the target is followed. */
  static async attach(connection: Connection, targetId: string, options: TabOptions): Promise<Tab> {
    const sessionId = options.held ?? (await sessionWith(connection, targetId));
    const tab = new Tab(connection, connection.session(sessionId), targetId, options);
    await tab.#prepare(options);
    tab.#catchUp(options.told);
    return tab;
  }

  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  get url(): string {
    return this.frames.main.url;
  }

  /** Whether the document is being replaced or has not finished loading. */
  get loading(): boolean {
    return this.#loading;
  }

  /** Waits for an answer of the page. Rejects if a dialog opens, the page crashes, or the time runs out. */
  async answer<Value>(work: Promise<Value>, within: number = sessionLimits.answerWithin): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let look = (): void => {};
    const hindered = new Promise<never>((_, reject) => {
      look = () => {
        if (this.#dialog) reject(new DialogOpened(this.#dialog));
      };
      this.#waiting.add(look);
      look();
      timer = setTimeout(
        () => reject(new ActionFailure("timeout", `The page did not answer within ${within / 1_000} s.`)),
        within,
      );
    });
    // A rejection after the race has ended is ignored.
    work.catch(() => {});
    try {
      return await Promise.race([work, hindered, this.#crash]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  /**
   * Resolves with true when a change of documents or dialogs makes `reached` true; with false after `within`
   * milliseconds.
   */
  async until(reached: () => boolean, within: number): Promise<boolean> {
    if (reached()) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let look = (): void => {};
    const done = new Promise<boolean>((resolve) => {
      look = () => {
        if (reached()) resolve(true);
      };
      this.#waiting.add(look);
      timer = setTimeout(() => resolve(false), within);
    });
    try {
      return await Promise.race([done, this.#crash]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  /** Waits until the document has loaded. After the limit, the document is used as it is. */
  async loaded(): Promise<void> {
    await this.until(() => !this.#loading || this.#dialog !== undefined, sessionLimits.loadWithin);
  }

  async handleDialog(accept: boolean, text: string | undefined): Promise<Dialog | undefined> {
    const dialog = this.#dialog;
    if (!dialog) return undefined;
    await this.session.send("Page.handleJavaScriptDialog", {
      accept,
      ...(text === undefined ? {} : { promptText: text }),
    });
    this.#dialog = undefined;
    return dialog;
  }

  /** Detaches from the target and drops its listeners. */
  release(): void {
    this.#forget();
    this.#connection.drop(this.session);
  }

  async close(): Promise<void> {
    this.release();
    // The target may be gone with its context.
    await this.#connection.root.send("Target.closeTarget", { targetId: this.targetId }).catch(() => {});
  }

  async #prepare({ viewport, ended, told, empty }: TabOptions): Promise<void> {
    const { session } = this;
    const end = (crashed: boolean): void => {
      this.#forget();
      this.#crashed(new Unavailable("session.page_gone", "The page crashed or was closed."));
      ended(this, crashed);
    };
    session.on("Inspector.targetCrashed", () => end(true));
    session.on("Inspector.detached", () => end(false));
    this.#forget = this.#connection.whenClosed(() => end(false));
    session.on("Page.loadEventFired", () => {
      // A tab that is not followed yet: `#catchUp` reports its load.
      if (!this.frames.get(this.targetId)) return;
      this.#loads++;
      told.loaded(this, this.url);
    });
    session.on("Page.windowOpen", () => {
      this.windows++;
    });
    session.on("Page.frameStartedLoading", ({ frameId }) => this.#load(frameId, true));
    session.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (disposition === "currentTab") this.#load(frameId, true);
    });
    session.on("Page.frameStoppedLoading", ({ frameId }) => this.#load(frameId, false));
    session.on("Page.javascriptDialogOpening", ({ type, message, defaultPrompt = "" }) => {
      if (type === "beforeunload") {
        session.send("Page.handleJavaScriptDialog", { accept: true }).catch(() => {});
        return;
      }
      this.#dialog = { type, message, default_text: defaultPrompt };
      this.#tell();
    });
    session.on("Page.javascriptDialogClosed", () => {
      this.#dialog = undefined;
      this.#tell();
    });
    await Promise.all([
      this.frames.follow(session, empty),
      session.send("Inspector.enable"),
      session.send("Emulation.setDeviceMetricsOverride", {
        deviceScaleFactor: 1,
        mobile: false,
        ...viewport,
      }),
      // A background page behaves as if it had the focus, because its caller interacts with it.
      session.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    ]);
  }

  /** Reports the navigation of a window that reached its address before it could be followed. */
  #catchUp(told: TabEvents): void {
    const { url } = this;
    if (this.documents > 0 || url === "about:blank") return;
    told.went(this, url, false);
    this.frames
      .evaluate(this.frames.main, "document.readyState")
      .then((state) => {
        if (state === "complete" && this.#loads === 0 && this.url === url) told.loaded(this, url);
      })
      // The page has navigated; the navigation event reports it, so this error is ignored.
      .catch(() => {});
  }

  #load(frameId: string, loading: boolean): void {
    if (frameId !== this.targetId) return;
    this.#loading = loading;
    this.#tell();
  }

  #tell(): void {
    for (const look of [...this.#waiting]) look();
  }
}

async function sessionWith({ root }: Connection, targetId: string): Promise<string> {
  return (await root.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
}
