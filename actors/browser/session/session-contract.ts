/**
 * A browser session as who holds it sees it, and what it is made with. Neighbour: `browser-session.ts` is one.
 */

import type { ActionOutcome } from "../../../machines/session/action-outcome.ts";
import type { Action } from "../../../machines/session/actions.ts";
import type { Bindings } from "../../../machines/session/element-binding.ts";
import type { LoginRecipe } from "../../../machines/session/login-recipe.ts";
import type { AnalysisData, AnalyzeOptions } from "../../../machines/session/page-snapshot.ts";
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
import type { LoginDeadlines, LoginSecrets } from "./actions/sign-in.ts";
import type { PageEvents } from "./journal/live-updates.ts";
import type { SessionResources } from "./session-resources.ts";
import type { WrittenDocument } from "./snapshot/document-html.ts";
import type { IntendedElement } from "./snapshot/element-binding.ts";
import type { SavedState } from "./state/capture-state.ts";
import type { Viewport } from "./tabs/tab.ts";

export interface SessionOptions {
  readonly viewport: Viewport;
  /** What it is to show of its surroundings. */
  readonly environment?: BrowserEnvironment | undefined;
  /** In place of the browser's own way out. */
  readonly proxy?: BrowserProxy | undefined;
  /** Cookies and storage that it begins with. */
  readonly storage?: Pick<SavedSession, "cookies" | "origins"> | undefined;
  /** Where files that its pages give are put; without one they give none. */
  readonly downloads?: string | undefined;
  /** Is told what its pages do; changes and contents only as `follow` says. */
  readonly tell?: ((event: PageEvent) => void) | undefined;
  /** What it was before, when it is to go on from there. */
  readonly former?: { readonly saved: SavedSession; readonly from: Restored["from"] } | undefined;
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
  /** `performance.now()` since when nothing was asked of it; `undefined` while something is. */
  readonly idleSince: number | undefined;
  /** Of one that came back: what came with it. */
  readonly restored: Restored | undefined;
  /**
   * What it is now, to be brought back from. `whole`: after all that was asked of it before, with what is dear to read;
   * else at once. Throws where a page does not answer; `held` says why it must not be put to rest.
   */
  save(whole: boolean): Promise<SavedState>;
  /** The same, whole, of one that is given up: what is open in it is closed, and told as lost. */
  part(): Promise<SavedState>;
  /** It must not be put to rest until the answer is called. */
  hold(why: string): () => void;
  /** Opens a first address; the outcome of a navigation. */
  open(url: string): Promise<ActionOutcome>;
  /** Does what is wanted; `permit` is awaited immediately before anything is done in the world. Never rejects. */
  act(action: Action, permit: Permit): Promise<ActionOutcome>;
  /** Signs in; the outcome of an act. Never rejects. */
  login(
    recipe: LoginRecipe,
    secrets: LoginSecrets,
    permit: Permit,
    deadlines?: LoginDeadlines,
  ): Promise<ActionOutcome>;
  analyze(options: AnalyzeOptions): Promise<AnalysisData>;
  /** What an action means, by what it can be known again. */
  meantBy(action: Action): Promise<IntendedElement>;
  /** Elements of now that were meant once, waiting so many milliseconds for them to come. */
  bindAll(targets: IntendedElement["targets"], within: number): Promise<Bindings>;
  context(): Promise<BrowserContextInfo>;
  content(): Promise<ScreenContent>;
  screenshot(options: ScreenshotOptions): Promise<Screenshot>;
  /** The page as HTML, its frames after it; of an element of an analysis only that. */
  written(index: number | undefined): Promise<readonly WrittenDocument[]>;
  readonly beside: SessionResources;
  /** What of its pages somebody hears of: nothing else is watched for. */
  follow(heard: PageEvents): void;
  close(): Promise<void>;
}
