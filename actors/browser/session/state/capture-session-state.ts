/**
 * Captures the state of a live session: tabs, documents, cookies and storage. It changes nothing. The storage of
 * sites that the tabs have left is saved as it was last read; before hibernation, it is read once more in a hidden
 * page at the site's origin (`OriginPage`).
 */

import { lifecycleLimits } from "../../../../machines/session/session-limits.ts";
import type {
  SavedCookie,
  SavedDatabase,
  SavedDocument,
  SavedOrigin,
  SavedSession,
  SavedTab,
} from "../../../../machines/session/state/saved-session.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import { keepDatabases } from "../../page-script/indexeddb-storage.ts";
import { keepDocument } from "../../page-script/save-and-restore-document-state.ts";
import {
  type HttpAuthentication,
  hostWithPassword,
} from "../journal/hosts-that-received-http-credentials.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, type Frame } from "../tabs/tab-frames.ts";
import { tabHistoryOf } from "../tabs/tab-history.ts";
import type { OriginPage } from "./hidden-page-for-origin-storage.ts";

/** Maximum sizes of a document's saved state. They are passed to the functions that run in the page. */
const PAGE_LIMITS = {
  fields: lifecycleLimits.fields,
  fieldLength: lifecycleLimits.fieldLength,
  scrolled: lifecycleLimits.scrolled,
  storageLength: lifecycleLimits.storageLength,
};

export interface SavedState {
  readonly session: SavedSession;
  /**
   * Why the session must not hibernate, such as a form with typed text that was not sent; `undefined` when
   * nothing prevents it.
   */
  readonly holdReason: string | undefined;
  /** Size of the JavaScript heaps of all tabs together, in bytes. */
  readonly heapBytes: number;
}

/** The saved state of one document, and the storage of the document's origin. */
interface SeenDocument {
  readonly document: SavedDocument;
  readonly storage: SavedOrigin | undefined;
  readonly unsaved: boolean;
  readonly lost: readonly string[];
}

export class StateCapture {
  readonly #root: Session;
  readonly #contextId: string;
  readonly #httpAuthentication: HttpAuthentication;
  /**
   * For each origin, the storage that was read last. A key consists of the origin of the tab and the origin
   * of the storage, because browsers separate storage by both.
   */
  readonly #origins = new Map<string, SavedOrigin>();
  /** Origins whose pages were open since their storage was last read, and may have changed it. */
  readonly #visited = new Set<string>();
  /**
   * For each key of `#origins`: descriptions of stored data that the session's saved state cannot contain.
   */
  readonly #unsavable = new Map<string, readonly string[]>();
  #databasesReadAt = Number.NEGATIVE_INFINITY;

  constructor(root: Session, contextId: string, httpAuthentication: HttpAuthentication) {
    this.#root = root;
    this.#contextId = contextId;
    this.#httpAuthentication = httpAuthentication;
  }

  visited(url: string): void {
    const origin = originOf(url);
    if (origin !== undefined) this.#visited.add(origin);
  }

  /**
   * Takes over the stored data of sites from a restored session. It is valid for an origin until a tab visits
   * the origin; after that, the browser has newer data.
   */
  setOrigins(origins: readonly SavedOrigin[]): void {
    for (const origin of origins) this.#origins.set(keyOf(origin), origin);
  }

  /**
   * Returns the state of the session.
   * @param whole whether to read slow parts too: databases, and the storage of origins that no tab shows any
   * more
   * @throws `DialogOpened` when a tab shows a dialog; `DocumentGone` when a tab navigates during the call
   */
  async save(
    tabs: readonly Tab[],
    shown: number,
    {
      whole,
      openOriginPage,
    }: { readonly whole: boolean; readonly openOriginPage: () => Promise<OriginPage> },
  ): Promise<SavedState> {
    const now = performance.now();
    const databases = whole || now - this.#databasesReadAt >= lifecycleLimits.databasesEvery;
    if (databases) this.#databasesReadAt = now;
    const lost: string[] = [];
    const [cookies, ...seen] = await Promise.all([
      this.#cookies(),
      ...tabs.map((tab) => this.#saveTab(tab, databases, lost)),
    ]);
    const open = new Set(tabs.map((tab) => originOf(tab.url)));
    const leftOrigins = [...this.#visited].filter((origin) => !open.has(origin));
    if (whole) {
      if (leftOrigins.length > 0) await this.#readLeftOrigins(leftOrigins, openOriginPage, lost);
      // From now on, only the origins that tabs still show can change their storage. The saved storage of all
      // other origins stays valid.
      this.#visited.clear();
      for (const origin of open) if (origin !== undefined) this.#visited.add(origin);
    }
    const hasUnsaved = seen.some(({ unsaved }) => unsaved);
    return {
      session: {
        saved_at: Date.now(),
        shown,
        tabs: seen.map(({ tab }) => tab),
        cookies,
        origins: [...this.#origins.values()],
        lost: [
          ...new Set([...lost, ...[...this.#unsavable.values()].flat(), ...this.#lostAuthentication(tabs)]),
        ],
      },
      holdReason: hasUnsaved ? "a form that is not sent" : undefined,
      heapBytes: seen.reduce((sum, { heap }) => sum + heap, 0),
    };
  }

  async #saveTab(
    tab: Tab,
    databases: boolean,
    lost: string[],
  ): Promise<{ readonly tab: SavedTab; readonly unsaved: boolean; readonly heap: number }> {
    if (tab.dialog) throw new DialogOpened(tab.dialog);
    const top = originOf(tab.url) ?? "";
    const frames = tab.frames.all();
    const [tabHistory, { usedSize }, ...seen] = await Promise.all([
      tabHistoryOf(tab),
      tab.answer(tab.session.send("Runtime.getHeapUsage")),
      ...frames.map((frame) => this.#saveDocument(tab, frame, top, databases)),
    ]);
    const { history } = lifecycleLimits;
    const documents: SavedDocument[] = [];
    for (const document of seen) {
      if (!document) continue;
      lost.push(...document.lost);
      documents.push(document.document);
      const { storage } = document;
      if (storage) this.#origins.set(keyOf(storage), storage);
    }
    return {
      tab: {
        url: tab.url,
        past: [...tabHistory.past, ...tabHistory.before.map(({ url }) => url)].slice(-history),
        future: [...tabHistory.after.map(({ url }) => url), ...tabHistory.future].slice(0, history),
        sent: tabHistory.current?.transitionType === "form_submit",
        documents,
        indices: tab.snapshots.savedIndices(),
      },
      unsaved: seen.some((one) => one?.unsaved),
      heap: usedSize,
    };
  }

  async #saveDocument(
    tab: Tab,
    frame: Frame,
    top: string,
    databases: boolean,
  ): Promise<SeenDocument | undefined> {
    const { frames } = tab;
    try {
      const [kept, indexedDb] = await tab.answer(
        Promise.all([
          frames.run(frame, keepDocument, PAGE_LIMITS),
          databases && frame.url.startsWith("http")
            ? frames.run(frame, keepDatabases, lifecycleLimits.databaseBytes)
            : undefined,
        ]),
      );
      const { origin, scroll, scrolled, fields, unsaved, local, session = [] } = kept;
      const known = this.#origins.get(keyOf({ top, origin }))?.databases ?? [];
      if (indexedDb) this.#unsavable.set(keyOf({ top, origin }), indexedDb.lost);
      const storage: SavedOrigin | undefined =
        local && origin !== "null"
          ? { top, origin, local, databases: indexedDb?.databases ?? known }
          : undefined;
      return {
        document: { path: pathOf(tab, frame), origin, scroll, scrolled, fields, session },
        storage,
        unsaved,
        lost: kept.lost,
      };
    } catch (error) {
      // If the frame is a child frame that was removed in the meantime, it is left out. For the main frame,
      // this is an error.
      if (error instanceof DocumentGone && frame.parent !== undefined) return undefined;
      throw error;
    }
  }

  /**
   * Returns descriptions of the HTTP sign-ins that a restored session lacks. A tab whose address contains the
   * user name and password does not count, because the restored tab sends them again.
   */
  #lostAuthentication(tabs: readonly Tab[]): readonly string[] {
    const kept = new Set(tabs.map(({ url }) => hostWithPassword(url)));
    return this.#httpAuthentication.hosts.filter((host) => !kept.has(host)).map(lostAuthentication);
  }

  async #cookies(): Promise<readonly SavedCookie[]> {
    const { cookies } = await this.#root.send("Storage.getCookies", { browserContextId: this.#contextId });
    return cookies.map(({ session, expires, size: _, partitionKeyOpaque: __, ...cookie }) => ({
      ...cookie,
      ...(session ? {} : { expires }),
    }));
  }

  async #readLeftOrigins(
    leftOrigins: readonly string[],
    openOriginPage: () => Promise<OriginPage>,
    lost: string[],
  ): Promise<void> {
    const maxOrigins = lifecycleLimits.origins;
    for (const origin of leftOrigins.slice(maxOrigins))
      lost.push(`storage of ${origin}: too many sites were visited`);
    const page = await openOriginPage();
    try {
      for (const origin of leftOrigins.slice(0, maxOrigins)) {
        const kept = await page.runAt(origin, async (run) => {
          const { local = [] } = await run(keepDocument, PAGE_LIMITS);
          const databases: {
            readonly databases: readonly SavedDatabase[];
            readonly lost: readonly string[];
          } = await run(keepDatabases, lifecycleLimits.databaseBytes);
          this.#unsavable.set(keyOf({ top: origin, origin }), databases.lost);
          return { top: origin, origin, local, databases: databases.databases };
        });
        if (kept) this.#origins.set(keyOf(kept), kept);
        else lost.push(`storage of ${origin}, which could not be reached`);
      }
    } finally {
      await page.close();
    }
  }
}

const lostAuthentication = (host: string): string =>
  `the HTTP authentication of ${host}: give the user name and password again, in http_auth of start_browser_session or in the address`;

const keyOf = ({ top, origin }: Pick<SavedOrigin, "top" | "origin">): string => `${top} ${origin}`;

/** Returns the origin of an http or https address. Documents with other schemes have no storage. */
export function originOf(url: string): string | undefined {
  if (!/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}

/**
 * Returns the path to a frame in the tree of frames, from the page inwards. For each level, the path contains
 * the index of a frame among the frames with the same parent.
 */
export function pathOf(tab: Tab, frame: Frame): readonly number[] {
  const path: number[] = [];
  const all = tab.frames.all();
  for (let at: Frame | undefined = frame; at?.parent !== undefined; at = tab.frames.get(at.parent)) {
    const { parent } = at;
    path.unshift(all.filter((other) => other.parent === parent).indexOf(at));
  }
  return path;
}
