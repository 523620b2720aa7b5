/**
 * The public interface of the folder `browser`: finds and starts Chromium, renders pages for explorations,
 * and runs sessions. A worker creates one `Browser`. A job opens a `JobRenderer` in it and calls `render`,
 * which returns the page as its scripts have built it.
 */

export {
  type ChromiumSource,
  type FindOptions,
  type FoundChromium,
  findChromium,
} from "./chromium/find-chromium.ts";
export { sandboxed } from "./chromium/launch-chromium.ts";
export { provideChromium } from "./chromium/provide-chromium.ts";
export { sweepProfiles } from "./chromium/temporary-browser-profiles.ts";
export { type Device, deviceNamed } from "./emulated-devices.ts";
export type { JobRenderer, RenderOptions } from "./render/page-renderer-of-job.ts";
export {
  type FailedRender,
  failedStatus,
  notRead,
  READ_TYPES,
  type RenderedDocument,
  type RenderedFrame,
  type RenderFacts,
  type RenderOutcome,
  type RenderSkipReason,
  type SkippedRender,
  servedMediaType,
} from "./render/rendered-page-result.ts";
export type { Permit } from "./session/actions/pointer-and-key-input.ts";
export type { LoginSecrets } from "./session/actions/run-login.ts";
export type { BrowserSession, SessionOptions } from "./session/browser-session.ts";
export { KnownPolls, withoutIds } from "./session/journal/known-polling-requests-of-site.ts";
export type { HtmlDocument } from "./session/snapshot/html-of-all-frames.ts";
export type { IntendedElement } from "./session/snapshot/refind-elements.ts";
export type { ScreenPicture } from "./session/snapshot/take-picture-for-map.ts";
export type { OriginStorage } from "./session/state/origin-storage.ts";
export { type FileChunk, FileFolder } from "./session/state/session-file-folder.ts";
export { type Browser, type BrowserLog, type BrowserOptions, createBrowser } from "./worker-browser.ts";
