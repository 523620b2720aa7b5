/** Limits of Chromium and its render pool. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const browserLimits = {
  /** Pages that one worker renders concurrently; more would only share the same cores. */
  pages: 4,
  /** Renders that wait for a page; one more is `browser.busy`. */
  queued: 256,
  /** Renders after which a page is replaced, so that nothing a site leaves in it grows for ever. */
  rendersPerPage: 200,
  /** A page that is to be used again answers in this time, or is replaced. */
  respondsWithin: SECOND,
  /** An idle page is emptied after this time, so that the scripts of its last document stop. */
  parkAfter: SECOND,
  /** A browser without work is closed after this. */
  idle: 2 * MINUTE,
  /** From the start of Chromium's process to its first answer; the same for a new page. */
  launchWithin: 20 * SECOND,
  /** Deadline for the request that gives a context the credentials of its proxy. */
  loginWithin: 5 * SECOND,
  /**
   * How long requests for proxy credentials are intercepted: pages that ask at the same time are answered
   * within it.
   */
  loginLingers: SECOND,
  /** How long Chromium may take to close by itself before it is killed. */
  closeWithin: 3 * SECOND,
  /** Pause before Chromium is started again after a crash or a failed start; doubles up to `maxBackoff`. */
  backoff: 250,
  maxBackoff: 30 * SECOND,
  /** A browser that lived this long resets that pause. */
  steadyAfter: MINUTE,
  /** From the request to the finished page, everything included. */
  renderWithin: 45 * SECOND,
  /** From the first byte of the document until the page is taken as it is, settled or not. */
  settleWithin: 10 * SECOND,
  /** A document has settled when it did not change for this long and has no pending requests. */
  quiet: 100,
  /** The same for a document without text and links, or one that shows a loading state. */
  emptyQuiet: SECOND,
  /** A script or a call that takes longer is not waited for: it may be a stream or a long poll. */
  requestPatience: 4 * SECOND,
  /** The same for the answer to a WebSocket message; many are never answered. */
  socketPatience: SECOND,
  /** A call made more often than this on one page is polling, and is not waited for. */
  repeats: 2,
  /** A text that changes more often than this is a clock or an animation, and does not delay settling. */
  textChanges: 8,
  /** Documents that one render may pass through when scripts redirect it; the last one is taken. */
  documents: 5,
  /** Documents in same-origin frames that are read with a page. */
  frames: 20,
  /** Windows whose context is remembered; the oldest are forgotten. */
  windows: 1_000,
  /** Calls of a job's pages that are remembered as never ending. */
  endlessCalls: 100,
  /** Size of the window in CSS pixels: a common laptop's. Taller ones cost CPU with every page. */
  width: 1_280,
  height: 800,
  /** `chromium --version` answers in this time, or the file is not a Chromium that runs here. */
  versionWithin: 10 * SECOND,
  /**
   * Deadlines of the two ways to install a browser. An interrupted package manager leaves the system half
   * configured,
   * so its deadline is long.
   */
  aptWithin: 10 * MINUTE,
  downloadWithin: MINUTE,
  /** Pause after an installation that failed, before the next need of a browser tries again. */
  installAgainAfter: 10 * MINUTE,
} as const;
