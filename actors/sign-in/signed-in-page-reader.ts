/**
 * Reads pages that need a sign-in, one after another in one browser session. If the session is signed out
 * meanwhile, it signs in again and reads the page again.
 */
import { CairnError, TimedOut } from "../../machines/errors.ts";
import { urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import { hasKeptPage, type ShownPage } from "../../machines/exploration/crawl/page-kept-by-route-guard.ts";
import { explorationLimits } from "../../machines/exploration/exploration-limits.ts";
import { WriteGuard } from "../../machines/exploration/press/write-request-guard.ts";
import type { NetworkEntry } from "../../machines/session/outputs/console-and-network-log-schemas.ts";
import type { SavedSession } from "../../machines/session/state/saved-session.ts";
import { type BrowserSession, servedMediaType } from "../browser/index.ts";
import type { VisitedDocument } from "../pages/page-reader.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { JobSlot } from "./browser-slot-of-job.ts";
import { SignedIn } from "./sign-in-for-job.ts";

/** The fields of an effect's scope that visiting a page needs. */
export type VisitScope = Pick<
  EffectScope<CairnServices>,
  "address" | "services" | "signal" | "query" | "ask"
>;

export interface SignInOptions {
  /**
   * The encrypted login recipe, and the purpose that was given at its encryption. It can be decrypted only
   * with the same purpose.
   */
  readonly sealed?: { readonly login: string; readonly purpose: string } | undefined;
  /**
   * Returns the cookies and the storage of a session that is signed in already. The new session starts with
   * them.
   */
  readonly storage?: ((scope: VisitScope) => Promise<Pick<SavedSession, "cookies" | "origins">>) | undefined;
  /**
   * Whether pages of a manual may be opened although their addresses name a command, such as `/docs/cli/enable`.
   * Such an address is otherwise not opened. A crawl decides before each visit, by the other pages in the folder,
   * whether the page belongs to a manual.
   */
  readonly readsManuals?: boolean;
}

export class SignedInReader {
  readonly #options: SignInOptions;
  readonly #guard = new WriteGuard(true);
  #session: Promise<BrowserSession> | undefined;
  #signedIn: SignedIn | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** The page that was read last. The next page is compared with it, because a route guard may keep the page. */
  #shown: ShownPage | undefined;

  #slot: JobSlot | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /**
   * Opens a page when all visits that were requested earlier have ended. Rejects with
   * `exploration.login_failed`.
   */
  visit(url: string, scope: VisitScope): Promise<VisitedDocument> {
    const visited = this.#turn.then(() => this.#visit(url, scope));
    this.#turn = visited.catch(() => undefined);
    return visited;
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.close();
    this.#slot?.release();
    this.#slot = undefined;
  }

  async #visit(url: string, scope: VisitScope): Promise<VisitedDocument> {
    if (this.#slot?.isWanted) await this.close();
    try {
      return await this.#read(url, scope);
    } catch (error) {
      if (!(error instanceof CairnError && error.code.startsWith("session."))) throw error;
      // The page hangs or has crashed. Other pages can be read in a new session, because a hanging page may
      // also block the next page of its tab.
      await this.close();
      return { kind: "failed", retryable: true, code: error.code, message: error.message };
    }
  }

  async #read(url: string, scope: VisitScope): Promise<VisitedDocument> {
    for (let again = false; ; again = true) {
      const session = await this.#open(scope);
      const { next_since } = session.resources.network({ ...DOCUMENTS, since: 0, limit: 1 });
      if (this.#options.readsManuals) this.#guard.page = url;
      const outcome = await session.open(url);
      if (!outcome.success) {
        const message = outcome.error ?? "The page did not open.";
        const { code } = outcome.data;
        if (code === "timeout" || code === "interrupted") throw new TimedOut("session.timeout", message);
        return { kind: "failed", retryable: false, code: "page.failed", message };
      }
      let page = await session.analyze(ELEMENTS);
      if (hasKeptPage(this.#shown, page, url)) {
        await session.perform({ name: "refresh", params: {} }, async () => {});
        // The guards of routes (Vue Router, React Router) that kept the earlier page have also restored its
        // address. So the address is opened again.
        if (urlKey(session.url) !== urlKey(url)) await session.open(url);
        page = await session.analyze(ELEMENTS);
      }
      this.#shown = page;
      if (!again && this.#signedIn?.isSignedOut(page)) {
        await this.#signedIn.signIn(session, this.#guard);
        continue;
      }
      const [own, ...frames] = await session.documentHtml(undefined);
      const { requests } = session.resources.network({ ...DOCUMENTS, since: next_since, limit: 20 });
      const answered = requests.findLast(({ status }) => status !== undefined);
      return {
        kind: "document",
        url: page.url,
        status: answered?.status ?? 200,
        mediaType: servedMediaType(own?.contentType ?? "text/html", answered && contentTypeOf(answered)),
        text: own?.html ?? "",
        frames: frames.map(({ url: at, html }) => ({ url: at, text: html })),
      };
    }
  }

  async #open(scope: VisitScope): Promise<BrowserSession> {
    this.#session ??= this.#start(scope);
    return await this.#session;
  }

  async #start(scope: VisitScope): Promise<BrowserSession> {
    const { services } = scope;
    const { sealed, storage } = this.#options;
    const stored = await storage?.(scope);
    // The indices of elements are only comparable within one session, so the page of the earlier session is
    // forgotten.
    this.#shown = undefined;
    this.#slot ??= await JobSlot.take(scope);
    if (sealed) this.#signedIn ??= await SignedIn.open(sealed.purpose, sealed.login, services);
    const session = await services.browser.openSession({
      viewport: explorationLimits.pressing.viewport,
      guard: (request) => this.#guard.permits(request),
      storage: stored,
    });
    const started = this.#session;
    void session.ended.then(() => {
      if (this.#session === started) this.#session = undefined;
    });
    try {
      await this.#signedIn?.signIn(session, this.#guard);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }
}

/** Returns the header `Content-Type` of a request in the log of a session. */
function contentTypeOf({ response_headers }: NetworkEntry): string | undefined {
  return Object.entries(response_headers ?? {}).find(([name]) => /^content-type$/i.test(name))?.[1];
}

const ELEMENTS = {
  viewport_only: false,
  include_left_out: false,
  highlight: false,
  include_text: false,
};
const DOCUMENTS = { type: "document", failed: false, include_headers: true } as const;
