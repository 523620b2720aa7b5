/** Limits of Chromium and its render pool. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const browserLimits = {
  /** Pages that one worker renders at once: more of them only share the same cores. */
  pages: 4,
  /** Renders that wait for a page; one more is `browser.busy`. */
  queued: 256,
  /** Renders after which a page is replaced, so that nothing a site leaves in it grows for ever. */
  rendersPerPage: 200,
  /** A page that is to be used again answers in this time, or is replaced. */
  respondsWithin: SECOND,
  /** A page that nobody needed for this long is emptied, so that what was shown in it stops working. */
  parkAfter: SECOND,
  /** A browser without work is closed after this. */
  idle: 2 * MINUTE,
  /** From the start of Chromium's process to its first answer; the same for a new page. */
  launchWithin: 20 * SECOND,
  /** For the one request that tells a context the credentials of its proxy. */
  loginWithin: 5 * SECOND,
  /** Pages that ask for a session's proxy at the same time are all answered in this time. */
  loginLingers: SECOND,
  /** How long Chromium may take to close by itself before it is killed. */
  closeWithin: 3 * SECOND,
  /** Pause before Chromium is started again after a crash or a failed start; doubles, up to `maxBackoff` … */
  backoff: 250,
  maxBackoff: 30 * SECOND,
  /** … and begins anew when it has lived this long. */
  steadyAfter: MINUTE,
  /** From the request to the finished page, everything included. */
  renderWithin: 45 * SECOND,
  /** From the first byte of the document until it is taken as it is, settled or not. */
  settleWithin: 10 * SECOND,
  /** No change of the document for this long, and nothing that it asked for under way: it has settled. */
  quiet: 100,
  /** The same for a document that shows neither a text nor a link yet, or that says that it is loading. */
  emptyQuiet: SECOND,
  /** A script or a call of a page that takes longer is not waited for: it may be held open for news. */
  requestPatience: 4 * SECOND,
  /** An answer to what a page says over a WebSocket; much of that is never answered. */
  socketPatience: SECOND,
  /** The same call made more often than this on one page is polling, and not waited for. */
  repeats: 2,
  /** A text that changes more often than this is a clock or an animation: it keeps nothing from settling. */
  textChanges: 8,
  /** Documents that one render may pass through when scripts send it on; the last is taken. */
  documents: 5,
  /** Documents in frames, of the same origin, that come with a page. */
  frames: 20,
  /** Windows of which it is remembered whose they were, the newest. */
  windows: 1_000,
  /** Calls of a job's pages that are remembered as never ending. */
  endlessCalls: 100,
  /** Size of the window in CSS pixels: a common laptop's. Taller ones cost CPU with every page. */
  width: 1_280,
  height: 800,
  /** `chromium --version` answers in this time, or the file is not a Chromium that runs here. */
  versionWithin: 10 * SECOND,
  /** Bounds of the two ways to install one. A package manager must not be cut off in its work, so its is long. */
  aptWithin: 10 * MINUTE,
  downloadWithin: MINUTE,
  /** Pause after an installation that failed, before the next need of a browser tries again. */
  installAgainAfter: 10 * MINUTE,
} as const;
