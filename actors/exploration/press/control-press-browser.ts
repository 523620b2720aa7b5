/**
 * The browser of an exploration that presses controls. It is opened when it is first needed, signed in, and
 * replaced after a crash. It opens pages no faster than the site allows.
 */
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type {
  PressInput,
  PressOutput,
} from "../../../machines/exploration/press/press-phase-input-and-result.ts";
import { WriteGuard } from "../../../machines/exploration/press/write-request-guard.ts";
import type { AnalysisData } from "../../../machines/session/page/page-snapshot.ts";
import { KnownPolls } from "../../browser/index.ts";
import type { EffectScope } from "../../runtime/index.ts";
import { JobSlot } from "../../sign-in/browser-slot-of-job.ts";
import type { SignedIn } from "../../sign-in/sign-in-for-job.ts";
import type { CairnServices } from "../../worker-services.ts";
import { PressSession, type Shown } from "./control-press-session.ts";

const { pressing } = explorationLimits;

/**
 * Thrown to end the presses of an exploration early, for example at the maximum number of actions. `by` is
 * the reason.
 */
export class Ended extends Error {
  readonly by: PressOutput["stopped_by"];

  constructor(by: PressOutput["stopped_by"]) {
    super(by);
    this.by = by;
  }
}

interface OpenOptions {
  /**
   * The expected sketch (hashes of features) of the page, from an earlier visit. As soon as the page has this
   * sketch, it counts as settled.
   */
  readonly expected?: string | undefined;
  /** Whether to take a picture of the page after the page has settled. */
  readonly takesPicture?: boolean;
  /** True if this page has already caused one new sign-in of the session. It does not cause another. */
  readonly again?: boolean;
}

export class PressBrowser {
  readonly guard: WriteGuard;
  /** Number of pages in a row that could not be opened. */
  refused = 0;
  readonly #input: PressInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #signedIn: SignedIn | undefined;
  /**
   * Requests that the site's pages repeat periodically (polls). A session that replaces a lost one gets this
   * list, so that it does not wait for polls.
   */
  readonly #polls = new KnownPolls();
  /**
   * Called when the browser was closed. The page state to which presses had led, such as an open dialog, is then
   * lost.
   */
  readonly #onClosed: () => void;
  #session: PressSession | undefined;
  #slot: JobSlot | undefined;
  #lost = 0;

  constructor(
    input: PressInput,
    scope: EffectScope<CairnServices>,
    { signedIn, onClosed }: { readonly signedIn: SignedIn | undefined; readonly onClosed: () => void },
  ) {
    this.#input = input;
    this.#scope = scope;
    this.#signedIn = signedIn;
    this.guard = new WriteGuard(signedIn !== undefined);
    this.#onClosed = onClosed;
  }

  /**
   * Whether a person's session waits for the browser slot of this job. The browser must then be closed soon.
   */
  get isWanted(): boolean {
    return this.#slot?.isWanted === true;
  }

  get isRefused(): boolean {
    return this.#session?.isRefused === true;
  }

  isSignedOut(page: AnalysisData): boolean {
    return this.#signedIn?.isSignedOut(page) === true;
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#onClosed();
    await session?.browser.close();
    this.#slot?.release();
    this.#slot = undefined;
  }

  /** Opens a page. Returns `undefined` when it could not be loaded or was refused. */
  async open(
    url: string,
    { expected, takesPicture = false, again = false }: OpenOptions = {},
  ): Promise<Shown | undefined> {
    const { reader } = this.#scope.services;
    const { signal } = this.#scope;
    const session = await this.session();
    const opened = await reader.visitPolitely(
      url,
      { signal, inScope: () => true, respectRobots: this.#input.request.respect_robots },
      async () => ({ kind: "opened" as const, shown: await session.open(url, { expected, takesPicture }) }),
    );
    const shown = opened.kind === "opened" && !session.isRefused ? opened.shown : undefined;
    if (shown && !again && this.isSignedOut(shown.page)) {
      await this.signInAgain();
      return await this.open(url, { expected, takesPicture, again: true });
    }
    if (shown) this.refused = 0;
    else if (opened.kind !== "skipped") this.refused += 1;
    return shown;
  }

  async signInAgain(): Promise<void> {
    await this.#signedIn?.signIn((await this.session()).browser, this.guard);
  }

  /** Returns the session. A new session is opened when the browser or its last tab was closed. */
  async session(): Promise<PressSession> {
    if (this.#session) return this.#session;
    if (this.#lost >= pressing.lostBrowsers) throw new Ended("browser_lost");
    this.#slot ??= await JobSlot.take(this.#scope);
    const { guard } = this;
    const browser = await this.#scope.services.browser.openSession({
      viewport: pressing.viewport,
      guard: (request) => guard.permits(request),
      polls: this.#polls,
      // An action waits for responses no longer than the exploration itself waits for the page after a press.
      responsesWithin: pressing.settleWithin,
    });
    try {
      await this.#signedIn?.signIn(browser, guard);
    } catch (error) {
      await browser.close();
      throw error;
    }
    const session = new PressSession(browser, {
      guard,
      signal: this.#scope.signal,
      isSignedIn: this.#signedIn !== undefined,
    });
    this.#session = session;
    void browser.ended.then(() => {
      if (this.#session !== session) return;
      this.#lost += 1;
      this.#session = undefined;
      this.#onClosed();
    });
    return session;
  }
}
