/**
 * Starts a browser for tests that run actor kinds in their own thread. The browser starts when the first page
 * is rendered.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "../../actors/browser/index.ts";
import { type SessionServices, sessionServices } from "../../actors/session/services-shared-by-sessions.ts";
import type { Store } from "../../store/index.ts";

const FOLDER = join(tmpdir(), "cairn-test-browser");

export const browser = createBrowser({
  folder: FOLDER,
  userAgent: "Cairn/test",
  log: () => {},
});

/**
 * Returns the services that a worker needs even if it runs no sessions. No secret can be stored with them, because
 * the data folder contains no encryption key.
 */
export function noSessions(store: Store): SessionServices {
  return sessionServices({
    store,
    dataDir: FOLDER,
    live: 1,
    environmentSecrets: {},
    video: { settings: {}, proxy: () => Promise.reject(new Error("no video here")) },
    proxyThrough: () => Promise.reject(new Error("No other proxy here.")),
    log: () => {},
  });
}
