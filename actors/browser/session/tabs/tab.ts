/**
 * One tab of a session: its target, its frames, its dialogs, and how its documents come and go.
 *
 * A dialog holds up a page with everything that is asked of it, so nothing is awaited but against it. Neighbours:
 * `looking.ts` looks at the tab, `acts.ts` acts in it, `browser-session.ts` has the tabs.
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
  /** A conversation with its target that there is already. */
  readonly held?: string | undefined;
  /** It was opened by us, and nothing is in it. */
  readonly empty: boolean;
  readonly viewport: Viewport;
  /** It shows a document of this address. */
  readonly visited: (url: string) => void;
  /** It is closed or has crashed. */
  readonly ended: (tab: Tab, crashed: boolean) => void;
  readonly told: TabEvents;
  /** Requests of it under way. */
  readonly busy: () => number;
  /** A target of it is about to be followed: itself, or a frame in a process of its own. */
  readonly followed: (session: Session, targetId: string) => void;
}

/** Who is told where a tab goes. */
export interface TabEvents {
  arrived(tab: Tab, frame: Frame): void;
  went(tab: Tab, url: string, withinDocument: boolean): void;
  loaded(tab: Tab, url: string): void;
}

/** A dialog opened while something was awaited. */
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
  /** Requests under way that are worth waiting for. */
  readonly busy: () => number;
  /** Where the pointer is, in CSS pixels of the viewport. */
  pointer = { x: 0, y: 0 };
  /** Addresses before and after those of its own history: what it had in a browser that is gone. */
  former: { readonly past: readonly string[]; readonly future: readonly string[] } = { past: [], future: [] };
  readonly #connection: Connection;
  readonly #crash: Promise<never>;
  #crashed: (error: Error) => void = () => {};
  #forget: () => void = () => {};
  #dialog: Dialog | undefined;
  #loading = false;
  /** Documents that have loaded. */
  #loads = 0;
  readonly #waiting = new Set<() => void>();
  /** Documents that have come. */
  documents = 0;
  /** Windows that it has opened, or is about to. */
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
    // Nobody may be waiting for it when it happens.
    this.#crash.catch(() => {});
  }

  /** A tab of a target that is there; its scripts wait until it is followed, if they were told to. */
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

  /** Its document is being replaced, or has not come whole. */
  get loading(): boolean {
    return this.#loading;
  }

  /** Waits for the page, but not for one that shows a dialog, crashes, or does not answer in time. */
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
    // What comes of it when nobody waits any more concerns nobody.
    work.catch(() => {});
    try {
      return await Promise.race([work, hindered, this.#crash]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  /** Resolves when something of its documents or dialogs changed and `reached` says so; false: not in time. */
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

  /** Waits until the document that is coming is there whole; one that takes too long is taken as it is. */
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

  /** Nothing of it is kept. */
  release(): void {
    this.#forget();
    this.#connection.drop(this.session);
  }

  async close(): Promise<void> {
    this.release();
    // It may be gone with its context.
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
      // Of one that nothing is known of yet it is told when it has been caught up with.
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
      // A page that is not in front is not told so: whoever acts in it looks at it.
      session.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    ]);
  }

  /** A window that a page opened may have gone where it was meant to before it could be followed. */
  #catchUp(told: TabEvents): void {
    const { url } = this;
    if (this.documents > 0 || url === "about:blank") return;
    told.went(this, url, false);
    this.frames
      .evaluate(this.frames.main, "document.readyState")
      .then((state) => {
        if (state === "complete" && this.#loads === 0 && this.url === url) told.loaded(this, url);
      })
      // It has gone on, and tells that itself.
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
