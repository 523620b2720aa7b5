/**
 * Waits until a new document shows something. An application may be empty for seconds after its load event,
 * while its scripts and data are on their way.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readyLimits } from "../../../../machines/session/limits.ts";
import { Frames } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";
import { retryOnNavigation } from "./retry-on-navigation.ts";

/** What was still on its way when the wait ended without anything to act on. */
export interface StillLoading {
  readonly pending_requests: number;
}

/** The document of each tab that was waited for: a page that was shown once is not waited for again. */
const waitedFor = new WeakMap<Tab, string>();

/** Returns at once for a document with an element. Polling and animation cannot extend the wait. */
export async function waitForContent(tab: Tab): Promise<StillLoading | undefined> {
  const startedAt = performance.now();
  let restSince = startedAt;
  for (;;) {
    if (tab.dialog || !/^https?:/.test(tab.url)) return undefined;
    if (waitedFor.get(tab) === Frames.documentKey(tab.frames.main)) return undefined;
    const { elements, texts, document } = await retryOnNavigation(tab, () => tab.snapshots.peek());
    const now = performance.now();
    const pending = tab.pendingRequests();
    if (pending > 0) restSince = now;
    const hasText = texts.length > 0;
    const limit = hasText ? readyLimits.withTextOnly : readyLimits.whileEmpty;
    const atRest = pending === 0 && (hasText || now - restSince >= readyLimits.emptyRest);
    const isLate = now - startedAt >= limit;
    if (elements.length > 0 || atRest || isLate) {
      waitedFor.set(tab, document);
      return isLate && elements.length === 0 && pending > 0 ? { pending_requests: pending } : undefined;
    }
    await pause(readyLimits.every);
  }
}
