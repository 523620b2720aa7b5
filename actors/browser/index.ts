/**
 * The browser: Chromium found, started and owned, and pages rendered for explorations.
 *
 * The public face of this folder. A worker makes one `Browser`; a job opens a `RenderJob` in it and calls `render`,
 * which answers what an HTTP read would if the server had sent the page as its scripts leave it. Chromium starts with
 * the first render. DevTools' protocol and Playwright are spoken in this folder only.
 */
export { type Browser, type BrowserLog, type BrowserOptions, createBrowser } from "./browser.ts";
export { type Device, deviceNamed } from "./devices.ts";
export { type ChromiumSource, type FindOptions, type FoundChromium, findChromium } from "./find.ts";
export type { RenderJob, RenderOptions } from "./job.ts";
export { sandboxed } from "./launch.ts";
export {
  type FailedRender,
  failedStatus,
  type RenderedDocument,
  type RenderedFrame,
  type RenderFacts,
  type RenderOutcome,
  type RenderSkipReason,
  type SkippedRender,
} from "./outcome.ts";
export { sweepProfiles } from "./profiles.ts";
export { provideChromium } from "./provide.ts";
export type { Meant } from "./session/bindings.ts";
export type { BrowserSession, SessionOptions } from "./session/browser-session.ts";
export type { LoginSecrets } from "./session/login.ts";
export { type FileChunk, Shelf } from "./session/shelf.ts";
export type { Permit } from "./session/touch.ts";
export type { WrittenDocument } from "./session/written.ts";
