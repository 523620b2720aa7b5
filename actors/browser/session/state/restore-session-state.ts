/**
 * Restores a saved session into an empty browser context. Storage is filled before the first script of a page
 * runs, databases before the page opens, and form fields after the page has loaded. What could not be
 * restored is reported as text.
 */
import { setTimeout as pause } from "node:timers/promises";
import { lifecycleLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import type {
  Items,
  SavedDocument,
  SavedOrigin,
  SavedSession,
  SavedTab,
} from "../../../../machines/session/state/saved-session.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { putBackDatabases } from "../../page-script/indexeddb-storage.ts";
import {
  fillStorage,
  putBackFields,
  putBackScroll,
} from "../../page-script/save-and-restore-document-state.ts";
import { ActionFailure } from "../action-error.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { Navigation } from "../tabs/navigate-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import { originOf, pathOf } from "./capture-session-state.ts";
import type { OriginPage } from "./hidden-page-for-origin-storage.ts";

export interface RestoreContext {
  readonly root: Session;
  readonly contextId: string;
  readonly proxy: BrowserProxy | undefined;
  readonly openTab: () => Promise<Tab>;
  readonly openOriginPage: () => Promise<OriginPage>;
}

/** Returns the saved state of a session that has no tabs, with the given cookies and storage. */
export function storageOnly({ cookies, origins }: Pick<SavedSession, "cookies" | "origins">): SavedSession {
  return { saved_at: 0, shown: 0, tabs: [], cookies, origins, lost: [] };
}

/**
 * Restores the saved state into the browser context.
 * @returns the restored tabs in their order, and descriptions of what was lost
 */
export async function restore(
  saved: SavedSession,
  context: RestoreContext,
): Promise<{ readonly tabs: readonly Tab[]; readonly lost: string[] }> {
  const lost = [...saved.lost];
  const [tabs] = await Promise.all([
    Promise.all(saved.tabs.map(() => context.openTab())),
    restoreCookies(saved, context, lost),
    restoreOrigins(saved, context, lost),
  ]);
  await Promise.all(
    saved.tabs.map(async (savedTab, index) => {
      const tab = tabs[index];
      if (tab) await restoreTab(savedTab, tab, saved.origins, { proxy: context.proxy, lost });
    }),
  );
  return { tabs, lost };
}

async function restoreCookies(
  { cookies }: SavedSession,
  { root, contextId: browserContextId }: RestoreContext,
  lost: string[],
): Promise<void> {
  if (cookies.length === 0) return;
  try {
    await root.send("Storage.setCookies", { cookies: [...cookies], browserContextId });
  } catch {
    // When one cookie of a list is invalid, Chromium sets no cookie of the list. So each cookie is set by its
    // own command.
    for (const cookie of cookies) {
      await root
        .send("Storage.setCookies", { cookies: [cookie], browserContextId })
        .catch(() => lost.push(`the cookie ${cookie.name} of ${cookie.domain}`));
    }
  }
}

/**
 * Restores the databases of all origins. For an origin that no tab shows, it also restores the local storage.
 */
async function restoreOrigins(
  { origins, tabs }: SavedSession,
  context: RestoreContext,
  lost: string[],
): Promise<void> {
  const shown = new Set(tabs.map(({ url }) => originOf(url)));
  const needed = origins.filter(
    ({ top, local, databases }) => databases.length > 0 || (!shown.has(top) && local.length > 0),
  );
  if (needed.length === 0) return;
  const originPage = await context.openOriginPage();
  try {
    for (const { top, origin, local, databases } of needed) {
      if (top !== origin) {
        if (databases.length > 0) lost.push(`databases of ${origin} inside pages of ${top}`);
        continue;
      }
      const restored = await originPage.runAt(origin, async (run) => {
        await run(fillStorage, { [origin]: { local } });
        lost.push(...(await run(putBackDatabases, databases)));
        return true;
      });
      if (!restored) lost.push(`storage of ${origin}, which could not be reached`);
    }
  } finally {
    await originPage.close();
  }
}

async function restoreTab(
  saved: SavedTab,
  tab: Tab,
  origins: readonly SavedOrigin[],
  { proxy, lost }: { readonly proxy: BrowserProxy | undefined; readonly lost: string[] },
): Promise<void> {
  const { url, past, future, sent, documents, indices } = saved;
  tab.snapshots.resume(indices);
  tab.savedHistory = { past, future };
  if (url === "about:blank" || url === "") return;
  const storage: Record<string, { local?: Items; session?: Items }> = {};
  const top = originOf(url);
  for (const saved of origins) if (saved.top === top) storage[saved.origin] = { local: saved.local };
  for (const { origin, session } of documents)
    if (session.length > 0) storage[origin] = { ...storage[origin], session };
  const hasStorage = Object.values(storage).some(
    ({ local = [], session = [] }) => local.length + session.length > 0,
  );
  const stopFilling = hasStorage ? await tab.frames.runBeforeScripts(fillStorage, storage) : undefined;
  try {
    await new Navigation(tab, proxy, async () => {}, undefined).open(url);
    if (sent) lost.push(`${url} was the answer to a form; it was opened without sending it again`);
    await tab.answer(tab.session.send("Page.resetNavigationHistory"));
    await restoreDocuments(documents, tab, lost);
  } catch (error) {
    if (error instanceof DialogOpened) lost.push(`scroll and fields of ${url}, which shows a dialog`);
    else if (error instanceof ActionFailure) lost.push(`${url}: ${error.message}`);
    else if (error instanceof DocumentGone)
      lost.push(`scroll and fields of ${url}, which leads elsewhere by now`);
    else throw error;
  } finally {
    await stopFilling?.();
  }
}

async function restoreDocuments(
  documents: readonly SavedDocument[],
  tab: Tab,
  lost: string[],
): Promise<void> {
  const until = performance.now() + lifecycleLimits.fieldsWithin;
  for (const document of documents) {
    const { path, origin, scroll, scrolled } = document;
    let { fields } = document;
    const moved = scrolled.length > 0 || scroll[0] !== 0 || scroll[1] !== 0;
    if (fields.length === 0 && !moved) continue;
    for (;;) {
      const frame = tab.frames
        .all()
        .find(
          (candidate) =>
            pathOf(tab, candidate).join() === path.join() && (originOf(candidate.url) ?? origin) === origin,
        );
      if (frame && fields.length > 0) fields = await tab.answer(tab.frames.run(frame, putBackFields, fields));
      const canScroll = frame && moved;
      const position = canScroll
        ? await tab.answer(tab.frames.run(frame, putBackScroll, scroll, scrolled))
        : scroll;
      const isElsewhere = Math.abs(position[0] - scroll[0]) + Math.abs(position[1] - scroll[1]) > 1;
      const unfilled = fields.filter(({ files }) => files === undefined);
      if (unfilled.length === 0 && !isElsewhere && frame) break;
      if (performance.now() >= until) {
        if (isElsewhere || !frame) lost.push(`how ${frame?.url ?? `a frame of ${tab.url}`} was scrolled`);
        break;
      }
      await pause(sessionLimits.pollEvery);
    }
    for (const { label, name, id, tag, files } of fields) {
      const field = label || name || id || tag;
      lost.push(files === undefined ? `the value of ${field}` : `the files chosen in ${field}`);
    }
  }
}
