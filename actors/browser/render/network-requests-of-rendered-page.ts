/**
 * Tracks the network requests of a page: the response to the document itself, and the pending requests for
 * which a render waits. Pages that poll or stream always have pending requests. So a render waits only for
 * scripts, API calls and framed documents, for a limited time, and not for repeated or endless calls.
 */

import { browserLimits } from "../browser-limits.ts";
import type { Session } from "../chromium/devtools-connection.ts";
import { servedMediaType } from "./rendered-page-result.ts";

/** The response to the request for the document itself, not for one of its resources. */
export interface DocumentResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string;
}

interface Call {
  readonly key: string;
  /**
   * Time, as a `performance.now()` value, from which the render no longer waits for this request, even when
   * it is still pending.
   */
  readonly until: number;
  /**
   * Whether the request loads a script of the page's own origin. Such a script may be late, but it always
   * ends.
   */
  readonly isOwnScript: boolean;
}

const WAITED_FOR = new Set(["Document", "Script", "XHR", "Fetch"]);

/**
 * Remembers the requests of a job that did not end in time, by their keys (see `callKey`). Later renders of
 * the job do not wait for requests with these keys. Their maximum number is `browserLimits.endlessCalls`.
 */
export class PollingDetector {
  readonly #keys = new Set<string>();

  add(key: string): void {
    if (this.#keys.size < browserLimits.endlessCalls) this.#keys.add(key);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /**
   * Must be called when a request that counted as endless has ended after all. Later renders then wait for
   * requests with this key again.
   */
  remove(key: string): void {
    this.#keys.delete(key);
  }
}

export class PageRequests {
  readonly #mainFrame: string;
  #endless = new PollingDetector();
  #pending = new Map<string, Call>();
  /**
   * The running requests for which the render does not wait, because they count as endless. Maps the id of a
   * request to its key (see `callKey`).
   */
  #unawaited = new Map<string, string>();
  #started = new Map<string, number>();
  #responses = new Map<string, DocumentResponse>();
  #asked: string | undefined;
  #count = 0;
  #changed: () => void = () => {};

  constructor(session: Session, mainFrame: string) {
    this.#mainFrame = mainFrame;
    session.on("Network.requestWillBeSent", ({ requestId, request, type, frameId }) => {
      this.#count++;
      if (type === "Document" && frameId === this.#mainFrame) this.#asked = request.url;
      // Chromium reports a redirect as a new request with the same id. The request is already recorded as
      // pending, so the redirect is not recorded.
      if (this.#pending.has(requestId) || !WAITED_FOR.has(type ?? "")) return;
      const own = type === "Document" && frameId === this.#mainFrame;
      const isOwnScript = type === "Script" && originOf(request.url) === originOf(this.#asked ?? "");
      this.#begin(requestId, callKey(request), browserLimits.requestPatience, { always: own, isOwnScript });
    });
    session.on("Network.webSocketCreated", ({ requestId, url }) => {
      this.#count++;
      this.#begin(requestId, `socket ${url}`, browserLimits.socketPatience);
    });
    session.on("Network.webSocketFrameSent", ({ requestId, response: { payloadData } }) => {
      if (this.#pending.has(requestId)) return;
      const said = payloadData.slice(0, 500).replace(/\d+/g, "#");
      this.#begin(requestId, `socket ${said}`, browserLimits.socketPatience);
    });
    session.on("Network.webSocketHandshakeResponseReceived", ({ requestId }) => this.#end(requestId));
    session.on("Network.webSocketFrameReceived", ({ requestId }) => this.#end(requestId));
    session.on("Network.webSocketClosed", ({ requestId }) => this.#end(requestId));
    session.on("Network.responseReceived", ({ requestId, response, type, frameId, loaderId }) => {
      // Server-sent events arrive in one response that does not end, so the request is not awaited.
      if (response.mimeType === "text/event-stream") this.#end(requestId);
      if (type !== "Document" || frameId !== this.#mainFrame) return;
      const { url, status, mimeType } = response;
      const headers = lowerCased(response.headers);
      const mediaType = servedMediaType(mimeType, headers["content-type"]);
      this.#responses.set(loaderId, { url, status, headers, mediaType });
    });
    session.on("Network.loadingFinished", ({ requestId }) => {
      this.#endless.remove(this.#unawaited.get(requestId) ?? "");
      this.#end(requestId);
    });
    session.on("Network.loadingFailed", ({ requestId }) => this.#end(requestId));
  }

  /** Removes all recorded requests. It must be called before the page opens another URL. */
  begin(endless: PollingDetector): void {
    this.#endless = endless;
    this.#pending = new Map();
    this.#unawaited = new Map();
    this.#started = new Map();
    this.#responses = new Map();
    this.#asked = undefined;
    this.#count = 0;
  }

  /**
   * Must be called when the page shows a new document. It drops the requests of the previous document,
   * because Chromium may never report their end.
   */
  committed(loader: string): void {
    for (const id of this.#pending.keys()) if (id !== loader) this.#pending.delete(id);
  }

  /** The last address from which a document was requested, after redirects. */
  get asked(): string | undefined {
    return this.#asked;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the response to the navigation that has this loader id of Chromium. */
  response(loader: string): DocumentResponse | undefined {
    return this.#responses.get(loader);
  }

  /**
   * The response to the newest navigation. The navigation may have created no document, for example because
   * it started a download.
   */
  get latest(): DocumentResponse | undefined {
    return [...this.#responses.values()].at(-1);
  }

  /** Whether at least one request is pending for which the render waits. */
  get busy(): boolean {
    return this.#patience() > 0;
  }

  /** Resolves when no request is left for which the render waits, or after `within` milliseconds. */
  async idle(within: number): Promise<void> {
    const until = performance.now() + within;
    for (;;) {
      const patience = Math.min(this.#patience(), until - performance.now());
      if (patience <= 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /**
   * Records a call (a request that a script sends) for which the render waits. The render does not wait for a
   * call that is repeated too often, or that is known not to end. With `always`, it waits for every call.
   */
  #begin(
    requestId: string,
    key: string,
    patience: number,
    { always, isOwnScript } = { always: false, isOwnScript: false },
  ): void {
    const times = (this.#started.get(key) ?? 0) + 1;
    this.#started.set(key, times);
    if (!always && this.#endless.has(key)) this.#unawaited.set(requestId, key);
    if (!always && (times > browserLimits.repeats || this.#endless.has(key))) return;
    this.#pending.set(requestId, { key, until: performance.now() + patience, isOwnScript });
  }

  /**
   * Returns for how many milliseconds the render must still wait for pending requests. A request over its
   * time limit is no longer pending. Its key is stored as endless, so that later pages do not wait for it.
   * The key of a script of the page's own origin is not stored, because later pages show nothing until such a
   * script has run.
   */
  #patience(): number {
    const now = performance.now();
    let longest = 0;
    for (const [id, { key, until, isOwnScript }] of this.#pending) {
      const left = until - now;
      if (left > 0) {
        longest = Math.max(longest, left);
      } else {
        this.#pending.delete(id);
        if (isOwnScript) continue;
        this.#endless.add(key);
        this.#unawaited.set(id, key);
      }
    }
    return longest;
  }

  #end(requestId: string): void {
    if (!this.#pending.delete(requestId)) return;
    if (this.#pending.size === 0) this.#changed();
  }
}

/**
 * Returns the key of a request that a script sends. Repeated requests have the same key, even if they differ
 * in a time stamp or another long number, as polling requests often do.
 */
function callKey(request: {
  readonly method: string;
  readonly url: string;
  readonly postData?: string;
}): string {
  const body = request.postData?.slice(0, 500) ?? "";
  return `${request.method} ${request.url} ${body}`.replace(/\d{8,}/g, "#");
}

/** Returns the origin of an address, or "" when it has none. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
