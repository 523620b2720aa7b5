/**
 * A reusable page of the browser: it opens a URL, waits until the document has settled, and serializes it.
 * Images, media and fonts are blocked by file name, because checking each request would cost more time than
 * loading most of these files. Style sheets are loaded, because scripts measure styled elements, and
 * applications from bundlers do not show a view whose style sheet has failed.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Refused } from "../../../machines/errors.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import { browserLimits } from "../browser-limits.ts";
import { type Connection, ProtocolError, type Session } from "../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../chromium/launch-chromium.ts";
import { loadingMarks } from "../loading-indicators.ts";
import { FrameDrawing } from "./draw-animation-frames-when-needed.ts";
import { type SerializedPage, serializePage, waitUntilQuiet } from "./functions-run-in-rendered-page.ts";
import { PageRequests, type PollingDetector } from "./network-requests-of-rendered-page.ts";
import {
  type FailedRender,
  failedRender,
  failedStatus,
  networkFailure,
  notRead,
  READ_TYPES,
  type RenderOutcome,
  skippedRender,
} from "./rendered-page-result.ts";

/**
 * URL patterns of files that contain neither links nor text. A pattern matches a file extension at the end of
 * the path, without a query or with a query that contains `=`. `logo.svg?import` is not matched, because
 * development servers return a script module for it.
 */
const NOT_NEEDED = (
  "png jpg jpeg gif webp avif svg ico bmp tif tiff apng jxl " +
  "mp4 m4v webm mov avi mkv mp3 m4a ogg oga ogv wav flac aac m3u8 mpd " +
  "woff woff2 ttf otf eot"
)
  .split(" ")
  .flatMap((ending) => [ending, ending.toUpperCase()])
  .flatMap((ending) => [`*.${ending}`, `*.${ending}?*=*`]);

const WORLD = "cairn";

export interface PageOptions {
  readonly contextId: string;
  readonly userAgent: string;
  readonly proxy?: BrowserProxy | undefined;
}

export interface VisitOptions {
  readonly signal: AbortSignal;
  readonly endless: PollingDetector;
  /** Maximum time in milliseconds for the whole visit of the page to a URL. */
  readonly within: number;
  /** Maximum number of characters of the document. A longer document is not returned. */
  readonly most: number;
}

/**
 * Share of the time limit after which the page is read, even when it is still changing. The rest of the time
 * limit is needed to serialize the page.
 */
const SETTLE_SHARE = 0.8;

/** The state of one visit: the URL that a page loads, the limits, and the navigations so far. */
interface Visit {
  readonly url: string;
  /** Time at which the visit started, as a `performance.now()` value. */
  readonly from: number;
  readonly most: number;
  /** Number of documents that the page had loaded before this visit began. */
  readonly documents: number;
}

class Crashed extends Error {}
class Late extends Error {}

export class Page {
  readonly targetId: string;
  readonly #connection: Connection;
  readonly #session: Session;
  readonly #mainFrame: string;
  readonly #proxy: BrowserProxy | undefined;
  readonly #requests: PageRequests;
  readonly #drawing: FrameDrawing;
  /** Rejects when the page's process crashes or the browser closes its pipe. */
  readonly #crash: Promise<never>;
  #loader = "";
  #commits = 0;
  #download: string | undefined;
  #opened: string[] = [];
  #renders = 0;
  #usable = true;
  #parked = true;
  #parking: Promise<unknown> = Promise.resolve();

  private constructor(
    connection: Connection,
    session: Session,
    targetId: string,
    drawing: FrameDrawing,
    proxy: BrowserProxy | undefined,
  ) {
    this.#connection = connection;
    this.#session = session;
    this.targetId = targetId;
    this.#drawing = drawing;
    this.#proxy = proxy;
    // Chromium gives the main frame of a page the same id as the page's DevTools target.
    this.#mainFrame = targetId;
    this.#requests = new PageRequests(session, targetId);
    this.#crash = new Promise((_, reject) => {
      const crashed = (): void => {
        this.#usable = false;
        reject(new Crashed());
      };
      session.on("Inspector.targetCrashed", crashed);
      session.on("Inspector.detached", crashed);
      void connection.closed.then(crashed);
    });
    // The page may crash while no call awaits `#crash`. Without this handler, its rejection would be
    // unhandled.
    this.#crash.catch(() => {});
    this.#listen();
  }

  static async open(connection: Connection, { contextId, userAgent, proxy }: PageOptions): Promise<Page> {
    const { root } = connection;
    const { targetId } = await root.send("Target.createTarget", {
      url: "about:blank",
      browserContextId: contextId,
      // A full browser (not a headless shell) does not draw a tab in the background, so the page would get no
      // animation frames. Each page therefore gets a window of its own.
      newWindow: true,
    });
    const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
    const session = connection.session(sessionId);
    const drawing = await FrameDrawing.of(root, session, targetId, WORLD);
    const page = new Page(connection, session, targetId, drawing, proxy);
    await Promise.all([
      session.send("Page.enable"),
      session.send("Inspector.enable"),
      session.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send("Network.setBlockedURLs", { urls: NOT_NEEDED }),
      session.send("Network.setBypassServiceWorker", { bypass: true }),
      session.send("Emulation.setUserAgentOverride", { userAgent }),
    ]);
    return page;
  }

  /**
   * Whether the page may be used for another render. It may not be used after a crash, a hang, an interrupted
   * render, or its maximum number of renders.
   */
  get usable(): boolean {
    return this.#usable && this.#renders < browserLimits.rendersPerPage;
  }

  /** Opens the URL and waits for its document. Rejects only when `signal` aborts, with its reason. */
  async visit(url: string, options: VisitOptions): Promise<RenderOutcome> {
    const { signal, within } = options;
    signal.throwIfAborted();
    let stop = (_: unknown): void => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = reject;
    });
    const abort = (): void => stop(signal.reason);
    const timer = setTimeout(() => stop(new Late()), within);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([this.#open(url, options), stopped, this.#crash]);
    } catch (thrown) {
      // Scripts of the interrupted visit may still be running in the page. So the page must not be used for
      // another render.
      this.#usable = false;
      if (signal.aborted) throw signal.reason;
      return this.#explained(url, thrown, within);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  /** Whether the page still responds. It does not respond when its scripts are in an endless loop. */
  async responds(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), browserLimits.respondsWithin);
    });
    const answer = this.#session.send("Runtime.evaluate", { expression: "0" }).then(
      () => true,
      // The command fails if the page has crashed, so the page is not usable.
      () => false,
    );
    try {
      return (await Promise.race([answer, late])) && this.#usable;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens an empty document, so that the scripts of the last document stop. */
  park(): void {
    if (this.#parked || !this.#usable) return;
    this.#parked = true;
    this.#parking = this.#session.send("Page.navigate", { url: "about:blank" }).catch(() => {
      this.#usable = false;
    });
  }

  async close(): Promise<void> {
    this.#usable = false;
    this.#connection.drop(this.#session);
    // The error is ignored: when the browser or the browser context was closed, the page is closed already.
    await this.#connection.root.send("Target.closeTarget", { targetId: this.targetId }).catch(() => {});
  }

  #listen(): void {
    const session = this.#session;
    session.on("Page.frameNavigated", ({ frame }) => {
      // Chromium's own error page does not belong to the site, so it is not the document of the visit.
      if (frame.id !== this.#mainFrame || frame.unreachableUrl !== undefined) return;
      this.#loader = frame.loaderId;
      this.#requests.committed(frame.loaderId);
      this.#commits++;
    });
    session.on("Page.javascriptDialogOpening", ({ type }) => {
      // A dialog that asks the user whether to leave the page is accepted, so that the page can open the next
      // URL. All other dialogs are dismissed.
      session.send("Page.handleJavaScriptDialog", { accept: type === "beforeunload" }).catch(() => {});
    });
    session.on("Page.windowOpen", ({ url }) => {
      if (this.#opened.length < browserLimits.frames && url !== "") this.#opened.push(url);
    });
    session.on("Page.downloadWillBegin", ({ url, suggestedFilename }) => {
      this.#download = suggestedFilename || url;
    });
  }

  async #open(url: string, { endless, most, within }: VisitOptions): Promise<RenderOutcome> {
    await this.#parking;
    this.#renders++;
    this.#parked = false;
    this.#download = undefined;
    this.#opened = [];
    this.#requests.begin(endless);
    this.#drawing.begin();
    const from = performance.now();
    const visit: Visit = { url, from, most, documents: this.#commits };
    const { errorText, loaderId } = await this.#navigate(url);
    if (errorText !== undefined || loaderId === undefined) return this.#unopened(url, errorText ?? "");
    const refused = this.#proxyTrouble(url);
    if (refused) return refused;
    const { mediaType = "text/html" } = this.#requests.response(loaderId) ?? {};
    if (!READ_TYPES.has(mediaType)) return notRead(url, mediaType);
    const now = performance.now();
    return await this.#settle(
      visit,
      Math.min(now + browserLimits.settleWithin, from + within * SETTLE_SHARE),
    );
  }

  /** Opens the URL as a new document, even if it differs from the current URL only in the fragment. */
  async #navigate(url: string) {
    const opened = await this.#session.send("Page.navigate", { url });
    if (opened.loaderId !== undefined || opened.errorText !== undefined) return opened;
    await this.#session.send("Page.navigate", { url: "about:blank" });
    return await this.#session.send("Page.navigate", { url });
  }

  /**
   * Waits until the page no longer changes. When scripts navigate to another document, waits until the new
   * document no longer changes.
   */
  async #settle(visit: Visit, until: number): Promise<RenderOutcome> {
    const { documents } = browserLimits;
    for (let passed = 1; ; passed++) {
      const commit = this.#commits;
      try {
        const quiet = await this.#quiet(until, passed >= documents);
        const written = await this.#run(serializePage, {
          hiddenMark: readingLimits.hiddenMark,
          filledMark: readingLimits.filledMark,
          most: visit.most,
          mostFrames: browserLimits.frames,
        });
        return this.#document(visit, written, quiet);
      } catch (error) {
        // The error is ignored: the document was replaced during the call, and the loop waits for the new
        // document.
        if (!(error instanceof ProtocolError)) throw error;
        if (this.#commits === commit) await pause(browserLimits.quiet);
        if (this.#commits === commit || performance.now() > until) throw error;
      }
    }
  }

  async #quiet(until: number, enough: boolean): Promise<boolean> {
    const { quiet, quietFrames, emptyQuiet, textChanges } = browserLimits;
    for (;;) {
      const within = until - performance.now();
      if (within <= 0 || enough) return false;
      const drawn = this.#drawing.on;
      const became = await this.#run(waitUntilQuiet, {
        quiet,
        quietFrames,
        emptyQuiet,
        textChanges,
        within,
        drawn,
        marks: loadingMarks,
      });
      if (became === "late") return false;
      if (became === "framed") this.#drawing.want();
      // If the page requested animation frames for the first time during the wait, `#drawing.on` has changed.
      // The first frame that is drawn may change the page, so the loop then waits once more.
      const startedDrawing = drawn !== this.#drawing.on;
      if (this.#requests.busy) await this.#requests.idle(until - performance.now());
      else if (!startedDrawing) return true;
    }
  }

  /** Runs a function of `functions-run-in-rendered-page.ts` in the document, in an isolated world. */
  async #run<Argument, Result>(
    code: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result> {
    const { executionContextId } = await this.#session.send("Page.createIsolatedWorld", {
      frameId: this.#mainFrame,
      worldName: WORLD,
    });
    const { result, exceptionDetails } = await this.#session.send("Runtime.callFunctionOn", {
      functionDeclaration: code.toString(),
      executionContextId,
      arguments: [{ value: argument }],
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    // Chromium returned the function's result as a JSON value, so it has the function's result type and the
    // cast is safe.
    return result.value as Result;
  }

  #document(visit: Visit, written: SerializedPage, quiet: boolean): RenderOutcome {
    const { url: asked, from, most, documents } = visit;
    const { url, html, contentType, frames, tooLarge } = written;
    if (this.#download !== undefined) return downloads(asked, this.#download);
    if (!/^https?:/.test(url)) {
      return skippedRender("left_http", `${asked} leads to ${url.slice(0, 200)}, which is no web page.`, url);
    }
    if (tooLarge) {
      return skippedRender("too_large", `${asked} is larger than ${Math.round(most / 1_024 / 1_024)} MiB.`);
    }
    if (!READ_TYPES.has(contentType)) return notRead(asked, contentType);
    const response = this.#requests.response(this.#loader);
    if (response && response.status >= 400 && html === "") return failedStatus(asked, response.status);
    const headers = response?.headers ?? {};
    return {
      kind: "document",
      url,
      // A document that a script has written was not loaded, so it has no response. Its status is reported as
      // 200.
      status: response?.status ?? 200,
      mediaType: contentType,
      language: headers["content-language"],
      headers,
      bytes: Buffer.byteLength(html),
      text: html,
      frames: frames.map((frame) => ({ url: frame.url, text: frame.html })),
      opened: this.#opened,
      facts: {
        settled: quiet ? "quiet" : "bounded",
        took: Math.round(performance.now() - from),
        requests: this.#requests.count,
        documents: this.#commits - documents,
      },
    };
  }

  /** Returns the outcome of a navigation after which no new document was loaded, with the reason. */
  #unopened(url: string, error: string): RenderOutcome {
    const response = this.#requests.latest;
    const trouble = this.#proxyTrouble(url);
    if (trouble) return trouble;
    if (this.#download !== undefined) return downloads(url, this.#download);
    if (response && (response.status === 204 || response.status === 205)) {
      return skippedRender("no_content", `${url} answered ${response.status}, without content.`);
    }
    if (response && response.status >= 400) return failedStatus(url, response.status);
    if (/ERR_ABORTED/.test(error) && response) return downloads(url, response.mediaType);
    return networkFailure(url, error);
  }

  /**
   * If the proxy could not reach the host of the last document request, returns the failure. After redirects,
   * this is the host of the last redirect.
   */
  #proxyTrouble(url: string): FailedRender | undefined {
    const { latest, asked = url } = this.#requests;
    // A successful response proves that the proxy has reached the host, so there is no failure. An error
    // status proves nothing, because the proxy itself may have sent it. If the proxy cannot reach an https
    // host, there is no response at all.
    if (latest?.url === asked && latest.status < 400) return undefined;
    const trouble = this.#proxy?.failureOf?.(asked);
    return trouble && failedRender(trouble.code, !(trouble instanceof Refused), trouble.message);
  }

  #explained(url: string, thrown: unknown, within: number): RenderOutcome {
    if (thrown instanceof Crashed || !this.#connection.open) {
      return this.#connection.open
        ? failedRender("browser.page_crashed", true, `The page of ${url} crashed while it was rendered.`)
        : failedRender("browser.crashed", true, `The browser ended while ${url} was rendered.`);
    }
    if (thrown instanceof Late) {
      return this.#requests.latest
        ? failedRender("browser.stuck", true, `${url} did not let itself be read within ${within / 1_000} s.`)
        : failedRender(
            "reading.timeout",
            true,
            `${new URL(url).host} did not answer within ${within / 1_000} s.`,
          );
    }
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return failedRender("browser.failed", true, `${url} could not be rendered: ${message.split("\n")[0]}`);
  }
}

function downloads(url: string, what: string): RenderOutcome {
  return skippedRender("download", `${url} is a download (${what.slice(0, 200)}), not a page.`);
}
