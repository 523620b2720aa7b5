/**
 * Limits of Chromium and of rendering. Durations are in milliseconds and sizes in bytes, unless the comment
 * gives another unit.
 */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const browserLimits = {
  /**
   * Maximum number of pages that one worker renders at the same time. More pages would only share the same
   * CPU cores.
   */
  pages: 4,
  /** Maximum number of renders that wait for a page. A further render is refused with `browser.busy`. */
  queued: 256,
  /**
   * Number of renders after which a page is replaced, so that memory which sites leave in it does not grow
   * without limit.
   */
  rendersPerPage: 200,
  /** Time in which a page must answer before it is used again. Otherwise it is replaced. */
  respondsWithin: SECOND,
  /**
   * Time without renders after which a page leaves its last document, so that the scripts of this document
   * stop.
   */
  parkAfter: SECOND,
  /** Time without work after which the browser is closed. */
  idle: 2 * MINUTE,
  /**
   * Maximum time from the start of Chromium's process to its first answer. Opening a new page may take as
   * long.
   */
  launchWithin: 20 * SECOND,
  /** Time for the request that gives a browser context the credentials of its proxy. */
  loginWithin: 5 * SECOND,
  /**
   * After a proxy has first requested credentials, requests are still intercepted for this time. The proxy
   * may have requested them for several pages at the same moment.
   */
  loginLingers: SECOND,
  /** Time that Chromium has to close by itself before it is killed. */
  closeWithin: 3 * SECOND,
  /**
   * Pause before Chromium is started again after a crash or a failed start. It doubles up to `maxBackoff`.
   */
  backoff: 250,
  maxBackoff: 30 * SECOND,
  /** A browser that has run for this time resets the pause before the next start. */
  steadyAfter: MINUTE,
  /** Maximum time from the request of a render to its result, including all waiting. */
  renderWithin: 45 * SECOND,
  /**
   * Time from the first byte of the document after which the page is read, even when it is still changing.
   */
  settleWithin: 10 * SECOND,
  /** A document has settled when it did not change for this time and no request is running. */
  quiet: 100,
  /**
   * Number of animation frames that a document whose frames are drawn must also draw without a change. A
   * browser draws them in `quiet`. On a busy machine it needs longer, and so do scripts that continue from
   * frame to frame.
   */
  quietFrames: 6,
  /** Like `quiet`, but for a document that has no text and links, or that shows a loading state. */
  emptyQuiet: SECOND,
  /**
   * Time after which a render no longer waits for a running script or request, because it may be a stream or
   * a long poll.
   */
  requestPatience: 4 * SECOND,
  /** Time to wait for the answer to a WebSocket message. Many messages are never answered. */
  socketPatience: SECOND,
  /**
   * A page that sends the same request more often than this is polling. Renders do not wait for polling
   * requests.
   */
  repeats: 2,
  /**
   * Number of changes of one text after which it counts as a clock or an animation. Renders do not wait for
   * its further changes.
   */
  textChanges: 8,
  /** Maximum number of documents in one render when scripts redirect. The last one is read. */
  documents: 5,
  /** Maximum number of same-origin frames whose documents are read with a page. */
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
  /**
   * Size of the browser window in CSS pixels, that of a common laptop. A taller window costs CPU time for
   * every page.
   */
  width: 1_280,
  height: 800,
  /** Time in which `chromium --version` must answer. Otherwise the file is not a Chromium that runs here. */
  versionWithin: 10 * SECOND,
  /**
   * Maximum time for an installation, separately for the package manager and for Playwright's installer. The
   * package manager gets long, because an interrupted one leaves the system half configured.
   */
  aptWithin: 10 * MINUTE,
  downloadWithin: MINUTE,
  /** Pause after a failed installation before another one is tried. */
  installAgainAfter: 10 * MINUTE,
} as const;
