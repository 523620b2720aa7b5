/**
 * Limits of Chromium and of rendering. Durations are in milliseconds and sizes in bytes, unless the comment
 * gives another unit.
 */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const browserLimits = {
  /**
   * Maximum number of pages that one worker renders at the same time. More pages would only share the same
   * CPU cores.
   */
  pages: 4,
  /** Maximum number of renders that wait for a page. A further render is refused with `browser.busy`. */
  queued: 256,
  /**
   * Number of renders after which a page is closed and replaced. Sites leave allocated memory in a page,
   * which is freed when the page closes.
   */
  rendersPerPage: 200,
  /**
   * Time in which an idle page must respond before it is given to the next render or session. A page that
   * does not respond is closed and replaced.
   */
  respondsWithin: SECOND,
  /**
   * Time from the last render in a page until the page loads an empty document. The empty document stops the
   * scripts of the last document.
   */
  parkAfter: SECOND,
  /**
   * Time from the start or end of a session until the page for the next session is prepared. The first navigation
   * of a new session begins earlier, so the preparation does not delay it. If a session is still running a
   * caller's request after this time, the preparation is postponed by this time again.
   */
  preparePageAfter: 250,
  /**
   * Time from the last start or end of a session until the page for the next session is closed. The process
   * of this page takes 25 to 45 MB. The time is equal to `idle`, after which the browser itself is closed.
   */
  preparedPageFor: 2 * MINUTE,
  /** Time without work after which the browser is closed. */
  idle: 2 * MINUTE,
  /**
   * Maximum time from the start of Chromium's process to its first answer. It is also the maximum time in
   * which a new page must open.
   */
  launchWithin: 20 * SECOND,
  /** Maximum time for the request by which a browser context gets the credentials of its proxy. */
  loginWithin: 5 * SECOND,
  /**
   * How long requests are still intercepted after a proxy has first requested credentials. The proxy may have
   * requested them for several pages at the same moment.
   */
  loginLingers: SECOND,
  /** Time in which Chromium must close by itself. After this time it is killed. */
  closeWithin: 3 * SECOND,
  /**
   * Pause before Chromium is started again after a crash or a failed start. The pause doubles with each
   * failure, up to `maxBackoff`.
   */
  backoff: 250,
  maxBackoff: 30 * SECOND,
  /**
   * After Chromium has run for this time, it counts as stable. If it crashes later, the first pause before a
   * restart is `backoff` again.
   */
  steadyAfter: MINUTE,
  /** Maximum time from the request of a render to its result, including all waiting. */
  renderWithin: 45 * SECOND,
  /**
   * Time after the first byte of the document at which the page is read, even when the page is still
   * changing.
   */
  settleWithin: 10 * SECOND,
  /** A document has settled when it did not change for this time and no request is running. */
  quiet: 100,
  /**
   * Number of animation frames that must be drawn without a change before a document counts as settled. It
   * applies only to documents whose frames are drawn. It is needed on a busy machine, which draws fewer
   * frames than this within the time `quiet`.
   */
  quietFrames: 6,
  /**
   * Time without a change after which an incomplete document counts as settled. A document is incomplete if
   * it shows a loading state, or neither text nor links. The time is long, because such a document usually
   * still changes.
   */
  emptyQuiet: SECOND,
  /**
   * Maximum time that a render waits for a running script or request. A request that takes longer may be a
   * stream or a long poll.
   */
  requestPatience: 4 * SECOND,
  /**
   * Maximum time that a render waits for the answer to a WebSocket message. The time is short, because many
   * messages are never answered.
   */
  socketPatience: SECOND,
  /**
   * A page that sends the same request more than this number of times is polling. Renders do not wait for
   * polling requests.
   */
  repeats: 2,
  /**
   * Number of changes of one text of the page after which the text counts as a clock or an animation. Renders
   * no longer wait for its changes.
   */
  textChanges: 8,
  /**
   * Maximum number of documents that one render loads, when scripts redirect from document to document. The
   * last document is read.
   */
  documents: 5,
  /** Maximum number of a page's same-origin frames whose documents are read. */
  frames: 20,
  /**
   * Maximum number of windows whose browser context is remembered, for later download events of these
   * windows. The oldest are removed first.
   */
  windows: 1_000,
  /**
   * Maximum number of requests that a render job remembers because they never ended, such as streams. Later
   * renders of the job do not wait for these requests.
   */
  endlessCalls: 100,
  /** Width of the browser window in CSS pixels, which is that of a common laptop. */
  width: 1_280,
  /**
   * Height of the browser window in CSS pixels, which is that of a common laptop. A taller window would cost CPU
   * time for each page.
   */
  height: 800,
  /** Time in which `chromium --version` must answer. Otherwise the file is not a Chromium that runs here. */
  versionWithin: 10 * SECOND,
  /**
   * Maximum time for an installation with the package manager. The time is long, because an interrupted
   * package manager leaves the system half configured.
   */
  aptWithin: 10 * MINUTE,
  downloadWithin: MINUTE,
  /** Pause after a failed installation of Chromium before the next attempt. */
  installAgainAfter: 10 * MINUTE,
} as const;
