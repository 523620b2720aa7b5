/**
 * Restores a saved session into an empty context. Storage is filled before the first script of a page runs,
 * databases before the page opens, and form fields once the page has loaded. Losses are reported in words.
 */
import { setTimeout as pause } from "node:timers/promises";
import { lifecycleLimits, sessionLimits } from "../../../../machines/session/limits.ts";
import type {
  Items,
  SavedDocument,
  SavedOrigin,
  SavedSession,
  SavedTab,
} from "../../../../machines/session/saved-session.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { fillStorage, putBackFields, putBackScroll } from "../../page-script/document-storage.ts";
import { putBackDatabases } from "../../page-script/indexed-databases.ts";
import { ActionFailure } from "../action-failure.ts";
import { DocumentGone } from "../tabs/frames.ts";
import { Navigation } from "../tabs/navigation.ts";
import { DialogOpened, type Tab } from "../tabs/tab.ts";
import { originOf, pathOf } from "./capture-state.ts";
import type { OriginPage } from "./origin-page.ts";

export interface RestorePlace {
  readonly root: Session;
  readonly contextId: string;
  readonly proxy: BrowserProxy | undefined;
  readonly openTab: () => Promise<Tab>;
  readonly standIn: () => Promise<OriginPage>;
}

/** A saved session of cookies and storage alone. */
export function storageOnly({ cookies, origins }: Pick<SavedSession, "cookies" | "origins">): SavedSession {
  return { saved_at: 0, shown: 0, tabs: [], cookies, origins, lost: [] };
}

/** @returns the restored tabs in their order, and what was lost */
export async function restore(
  saved: SavedSession,
  place: RestorePlace,
): Promise<{ readonly tabs: readonly Tab[]; readonly lost: string[] }> {
  const lost = [...saved.lost];
  const [tabs] = await Promise.all([
    Promise.all(saved.tabs.map(() => place.openTab())),
    putBackCookies(saved, place, lost),
    putBackOrigins(saved, place, lost),
  ]);
  await Promise.all(
    saved.tabs.map(async (one, at) => {
      const tab = tabs[at];
      if (tab) await putBackTab(one, tab, saved.origins, { proxy: place.proxy, lost });
    }),
  );
  return { tabs, lost };
}

async function putBackCookies(
  { cookies }: SavedSession,
  { root, contextId: browserContextId }: RestorePlace,
  lost: string[],
): Promise<void> {
  if (cookies.length === 0) return;
  try {
    await root.send("Storage.setCookies", { cookies: [...cookies], browserContextId });
  } catch {
    // Chromium rejects all cookies if one is invalid, so set them one by one.
    for (const cookie of cookies) {
      await root
        .send("Storage.setCookies", { cookies: [cookie], browserContextId })
        .catch(() => lost.push(`the cookie ${cookie.name} of ${cookie.domain}`));
    }
  }
}

/** Restores databases, and the storage of origins that no tab shows. */
async function putBackOrigins(
  { origins, tabs }: SavedSession,
  place: RestorePlace,
  lost: string[],
): Promise<void> {
  const shown = new Set(tabs.map(({ url }) => originOf(url)));
  const needed = origins.filter(
    ({ top, local, databases }) => databases.length > 0 || (!shown.has(top) && local.length > 0),
  );
  if (needed.length === 0) return;
  const standIn = await place.standIn();
  try {
    for (const { top, origin, local, databases } of needed) {
      if (top !== origin) {
        if (databases.length > 0) lost.push(`databases of ${origin} inside pages of ${top}`);
        continue;
      }
      const back = await standIn.at(origin, async (run) => {
        await run(fillStorage, { [origin]: { local } });
        lost.push(...(await run(putBackDatabases, databases)));
        return true;
      });
      if (!back) lost.push(`storage of ${origin}, which could not be reached`);
    }
  } finally {
    await standIn.close();
  }
}

async function putBackTab(
  saved: SavedTab,
  tab: Tab,
  origins: readonly SavedOrigin[],
  { proxy, lost }: { readonly proxy: BrowserProxy | undefined; readonly lost: string[] },
): Promise<void> {
  const { url, past, future, sent, documents, indices } = saved;
  tab.looking.resume(indices);
  tab.former = { past, future };
  if (url === "about:blank" || url === "") return;
  const storage: Record<string, { local?: Items; session?: Items }> = {};
  const top = originOf(url);
  for (const one of origins) if (one.top === top) storage[one.origin] = { local: one.local };
  for (const { origin, session } of documents)
    if (session.length > 0) storage[origin] = { ...storage[origin], session };
  const kept = Object.values(storage).some(
    ({ local = [], session = [] }) => local.length + session.length > 0,
  );
  const done = kept ? await tab.frames.before(fillStorage, storage) : undefined;
  try {
    await new Navigation(tab, proxy, async () => {}, undefined).open(url);
    if (sent) lost.push(`${url} was the answer to a form; it was opened without sending it again`);
    await tab.answer(tab.session.send("Page.resetNavigationHistory"));
    await putBackDocuments(documents, tab, lost);
  } catch (error) {
    if (error instanceof DialogOpened) lost.push(`scroll and fields of ${url}, which shows a dialog`);
    else if (error instanceof ActionFailure) lost.push(`${url}: ${error.message}`);
    else if (error instanceof DocumentGone)
      lost.push(`scroll and fields of ${url}, which leads elsewhere by now`);
    else throw error;
  } finally {
    await done?.();
  }
}

async function putBackDocuments(
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
        .find((one) => pathOf(tab, one).join() === path.join() && (originOf(one.url) ?? origin) === origin);
      if (frame && fields.length > 0) fields = await tab.answer(tab.frames.run(frame, putBackFields, fields));
      const scrolls = frame && moved;
      const at = scrolls ? await tab.answer(tab.frames.run(frame, putBackScroll, scroll, scrolled)) : scroll;
      const short = Math.abs(at[0] - scroll[0]) + Math.abs(at[1] - scroll[1]) > 1;
      const open = fields.filter(({ files }) => files === undefined);
      if (open.length === 0 && !short && frame) break;
      if (performance.now() >= until) {
        if (short || !frame) lost.push(`how ${frame?.url ?? `a frame of ${tab.url}`} was scrolled`);
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
