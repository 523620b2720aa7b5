/**
 * What a session is, taken down from its live browser: tabs, their documents, cookies and what scripts keep.
 *
 * It only reads. Of origins whose pages were left it knows what they kept when it looked last, and looks once more,
 * through a page of its own, before the session rests. Neighbours: `restoring.ts` brings it back, `stand-in.ts` reaches
 * origins without a page, `injected/keeping.ts` is in the pages.
 */
import { lifecycleLimits } from "../../../../machines/session/limits.ts";
import type {
  SavedCookie,
  SavedDatabase,
  SavedDocument,
  SavedOrigin,
  SavedSession,
  SavedTab,
} from "../../../../machines/session/saved-session.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import { keepDocument } from "../../page-script/document-storage.ts";
import { keepDatabases } from "../../page-script/indexed-databases.ts";
import { DocumentGone, type Frame } from "../tabs/frames.ts";
import { DialogOpened, type Tab } from "../tabs/tab.ts";
import { tabHistoryOf } from "../tabs/tab-history.ts";
import type { OriginPage } from "./origin-page.ts";

/** Bounds for what runs in pages. */
const BOUNDS = {
  fields: lifecycleLimits.fields,
  fieldLength: lifecycleLimits.fieldLength,
  scrolled: lifecycleLimits.scrolled,
  storageLength: lifecycleLimits.storageLength,
};

export interface SavedState {
  readonly session: SavedSession;
  /** What a session must not be put to rest for; `undefined` when nothing is open in it. */
  readonly held: string | undefined;
  /** Bytes that scripts of its tabs hold together. */
  readonly heap: number;
}

/** What is saved of one document, and of the storage of its origin. */
interface SeenDocument {
  readonly document: SavedDocument;
  readonly storage: SavedOrigin | undefined;
  readonly unsaved: boolean;
  readonly lost: readonly string[];
}

export class StateCapture {
  readonly #root: Session;
  readonly #contextId: string;
  /** What scripts keep, by top origin and origin, as it was seen last. */
  readonly #origins = new Map<string, SavedOrigin>();
  /** Top origins that were visited. */
  readonly #visited = new Set<string>();
  /** What scripts keep that cannot be saved, likewise, in words. */
  readonly #behind = new Map<string, readonly string[]>();
  #databasesAt = Number.NEGATIVE_INFINITY;

  constructor(root: Session, contextId: string) {
    this.#root = root;
    this.#contextId = contextId;
  }

  visited(url: string): void {
    const origin = originOf(url);
    if (origin !== undefined) this.#visited.add(origin);
  }

  /** It came back with this: nobody has to look where nobody was since. */
  know(origins: readonly SavedOrigin[]): void {
    for (const one of origins) this.#origins.set(keyOf(one), one);
  }

  /**
   * @param whole also what is dear to read: databases, and origins that were left
   * @throws `DialogOpened` where a tab shows one, `DocumentGone` where one went to another document meanwhile
   */
  async save(
    tabs: readonly Tab[],
    shown: number,
    { whole, standIn }: { readonly whole: boolean; readonly standIn: () => Promise<OriginPage> },
  ): Promise<SavedState> {
    const now = performance.now();
    const databases = whole || now - this.#databasesAt >= lifecycleLimits.databasesEvery;
    if (databases) this.#databasesAt = now;
    const lost: string[] = [];
    const [cookies, ...seen] = await Promise.all([
      this.#cookies(),
      ...tabs.map((tab) => this.#saveTab(tab, databases, lost)),
    ]);
    const open = new Set(tabs.map((tab) => originOf(tab.url)));
    const left = [...this.#visited].filter((origin) => !open.has(origin));
    if (whole) {
      if (left.length > 0) await this.#lookBack(left, standIn, lost);
      // What was left is known by now, until somebody goes there again.
      this.#visited.clear();
      for (const origin of open) if (origin !== undefined) this.#visited.add(origin);
    }
    const drafts = seen.some(({ unsaved }) => unsaved);
    return {
      session: {
        saved_at: Date.now(),
        shown,
        tabs: seen.map(({ tab }) => tab),
        cookies,
        origins: [...this.#origins.values()],
        lost: [...new Set([...lost, ...[...this.#behind.values()].flat()])],
      },
      held: drafts ? "a form that is not sent" : undefined,
      heap: seen.reduce((sum, { heap }) => sum + heap, 0),
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
    const [trail, { usedSize }, ...seen] = await Promise.all([
      tabHistoryOf(tab),
      tab.answer(tab.session.send("Runtime.getHeapUsage")),
      ...frames.map((frame) => this.#saveDocument(tab, frame, top, databases)),
    ]);
    const { history } = lifecycleLimits;
    const documents: SavedDocument[] = [];
    for (const one of seen) {
      if (!one) continue;
      lost.push(...one.lost);
      documents.push(one.document);
      const { storage } = one;
      if (storage) this.#origins.set(keyOf(storage), storage);
    }
    return {
      tab: {
        url: tab.url,
        past: [...trail.past, ...trail.before.map(({ url }) => url)].slice(-history),
        future: [...trail.after.map(({ url }) => url), ...trail.future].slice(0, history),
        sent: trail.current?.transitionType === "form_submit",
        documents,
        indices: tab.looking.indices(),
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
      const [kept, held] = await tab.answer(
        Promise.all([
          frames.run(frame, keepDocument, BOUNDS),
          databases && frame.url.startsWith("http")
            ? frames.run(frame, keepDatabases, lifecycleLimits.databaseBytes)
            : undefined,
        ]),
      );
      const { origin, scroll, scrolled, fields, unsaved, local, session = [] } = kept;
      const known = this.#origins.get(keyOf({ top, origin }))?.databases ?? [];
      if (held) this.#behind.set(keyOf({ top, origin }), held.lost);
      const storage: SavedOrigin | undefined =
        local && origin !== "null" ? { top, origin, local, databases: held?.databases ?? known } : undefined;
      return {
        document: { path: pathOf(tab, frame), origin, scroll, scrolled, fields, session },
        storage,
        unsaved,
        lost: kept.lost,
      };
    } catch (error) {
      // A frame that goes meanwhile is as if it had not been there; the page itself is not.
      if (error instanceof DocumentGone && frame.parent !== undefined) return undefined;
      throw error;
    }
  }

  async #cookies(): Promise<readonly SavedCookie[]> {
    const { cookies } = await this.#root.send("Storage.getCookies", { browserContextId: this.#contextId });
    return cookies.map(({ session, expires, size: _, partitionKeyOpaque: __, ...cookie }) => ({
      ...cookie,
      ...(session ? {} : { expires }),
    }));
  }

  async #lookBack(
    left: readonly string[],
    standIn: () => Promise<OriginPage>,
    lost: string[],
  ): Promise<void> {
    const most = lifecycleLimits.origins;
    for (const origin of left.slice(most)) lost.push(`storage of ${origin}: too many sites were visited`);
    const there = await standIn();
    try {
      for (const origin of left.slice(0, most)) {
        const kept = await there.at(origin, async (run) => {
          const { local = [] } = await run(keepDocument, BOUNDS);
          const databases: {
            readonly databases: readonly SavedDatabase[];
            readonly lost: readonly string[];
          } = await run(keepDatabases, lifecycleLimits.databaseBytes);
          this.#behind.set(keyOf({ top: origin, origin }), databases.lost);
          return { top: origin, origin, local, databases: databases.databases };
        });
        if (kept) this.#origins.set(keyOf(kept), kept);
        else lost.push(`storage of ${origin}, which could not be reached`);
      }
    } finally {
      await there.close();
    }
  }
}

const keyOf = ({ top, origin }: Pick<SavedOrigin, "top" | "origin">): string => `${top} ${origin}`;

/** Of http and https: others keep nothing. */
export function originOf(url: string): string | undefined {
  if (!/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}

/** Ordinals of a frame among its siblings, from the page inwards. */
export function pathOf(tab: Tab, frame: Frame): readonly number[] {
  const path: number[] = [];
  const all = tab.frames.all();
  for (let at: Frame | undefined = frame; at?.parent !== undefined; at = tab.frames.get(at.parent)) {
    const { parent } = at;
    path.unshift(all.filter((other) => other.parent === parent).indexOf(at));
  }
  return path;
}
