/**
 * The browser: Chromium found, started and owned, and pages rendered for explorations.
 *
 * The public face of this folder. A worker makes one `Browser`; a job opens a `RenderJob` in it and calls `render`,
 * which answers what an HTTP read would if the server had sent the page as its scripts leave it. Chromium starts with
 * the first render. DevTools' protocol and Playwright are spoken in this folder only.
 */
export { type Browser, type BrowserLog, type BrowserOptions, createBrowser } from "./browser.ts";
export {
  type ChromiumSource,
  type FindOptions,
  type FoundChromium,
  findChromium,
} from "./chromium/find-chromium.ts";
export { sandboxed } from "./chromium/launch-chromium.ts";
export { sweepProfiles } from "./chromium/profiles.ts";
export { provideChromium } from "./chromium/provide-chromium.ts";
export { type Device, deviceNamed } from "./devices.ts";
export type { RenderJob, RenderOptions } from "./render/render-job.ts";
export {
  type FailedRender,
  failedStatus,
  type RenderedDocument,
  type RenderedFrame,
  type RenderFacts,
  type RenderOutcome,
  type RenderSkipReason,
  type SkippedRender,
} from "./render/render-outcome.ts";
export type { Permit } from "./session/actions/page-input.ts";
export type { LoginSecrets } from "./session/actions/run-login.ts";
export type { BrowserSession, SessionOptions } from "./session/browser-session.ts";
export type { IntendedElement } from "./session/snapshot/bind-elements.ts";
export type { HtmlDocument } from "./session/snapshot/html-documents.ts";
export { type FileChunk, FileFolder } from "./session/state/file-folder.ts";
