/**
 * Records the console messages and network requests of a session, limited in number and without secrets. All
 * targets of a tab are recorded, frames in their own process included.
 */
import { MASK, maskText, namesSecret } from "../../../../machines/inspection/masking.ts";
import { logLimits } from "../../../../machines/session/limits.ts";
import type {
  ConsoleLevel,
  ConsoleLog,
  ConsoleMessage,
  ConsoleOptions,
  NetworkEntry,
  NetworkLog,
  NetworkOptions,
} from "../../../../machines/session/log-schemas.ts";
import type { Redactor } from "../../../../machines/session/secret-redaction.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { consoleText } from "./console-text.ts";

const logs = logLimits;

const LEVELS: readonly ConsoleLevel[] = ["debug", "log", "info", "warning", "error"];
/** Request types that stay open and never become idle. */
const LASTING: ReadonlySet<string> = new Set(["websocket", "eventsource", "webtransport"]);
/** Request types whose response may change what the page shows. */
const READ: ReadonlySet<string> = new Set(["fetch", "xhr", "script", "document"]);

type Headers = Readonly<Record<string, string>>;
type Kept<Entry> = { -readonly [Name in keyof Entry]: Entry[Name] };

interface Request extends Kept<NetworkEntry> {
  /** `performance.now()` at the start of the request. */
  readonly from: number;
}

interface Sent {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly type: string;
  readonly at: number;
  readonly headers: Headers;
}

export class Journal {
  readonly #redactor: Redactor;
  readonly #proxy: BrowserProxy | undefined;
  #messages: ConsoleMessage[] = [];
  #requests: Request[] = [];
  readonly #pending = new Map<string, Request>();
  #seq = 0;
  /** Number of dropped entries. */
  #lost = { messages: 0, requests: 0 };
  /** `performance.now()` when a request last started or ended, by tab. */
  readonly #stirred = new Map<string, number>();

  constructor(redactor: Redactor, proxy: BrowserProxy | undefined) {
    this.#redactor = redactor;
    this.#proxy = proxy;
  }

  /** Starts to record a target of a tab. The answers are not awaited: the target may be gone. */
  follow(session: Session, tab: string): void {
    this.#followConsole(session, tab);
    this.#followNetwork(session, tab);
    const told = [
      session.send("Runtime.enable"),
      session.send("Log.enable"),
      // Buffer size 0: response bodies are never read.
      session.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    ];
    for (const answer of told) answer.catch(() => {});
  }

  console({ since, limit, level }: ConsoleOptions): ConsoleLog {
    const least = LEVELS.indexOf(level);
    const found = this.#messages.filter((one) => one.seq > since && LEVELS.indexOf(one.level) >= least);
    const messages = found.slice(-limit);
    const lost = since === 0 ? this.#lost.messages : 0;
    return { messages, next_since: this.#seq, left_out: found.length - messages.length + lost };
  }

  network({ since, limit, url, type, failed, include_headers }: NetworkOptions, tab: string): NetworkLog {
    const found = this.#requests.filter(
      (one) =>
        one.seq > since &&
        (url === undefined || one.url.includes(url)) &&
        (type === undefined || one.type === type.toLowerCase()) &&
        (!failed || one.state === "failed" || (one.status ?? 0) >= 400),
    );
    const told = found.slice(-limit);
    const lost = since === 0 ? this.#lost.requests : 0;
    return {
      requests: told.map(({ from: _, request_headers, response_headers, ...one }) => ({
        ...one,
        ...(include_headers && request_headers ? { request_headers } : {}),
        ...(include_headers && response_headers ? { response_headers } : {}),
      })),
      next_since: this.#seq,
      pending: this.busy(tab),
      left_out: found.length - told.length + lost,
    };
  }

  /** Number of pending requests of a tab that are worth waiting for. */
  busy(tab: string): number {
    const now = performance.now();
    let count = 0;
    for (const one of this.#pending.values()) {
      if (one.tab === tab && !LASTING.has(one.type) && now - one.from < logs.longPollAfter) count++;
    }
    return count;
  }

  /**
   * Returns a function that counts the requests started after this call and still pending. It counts requests
   * of scripts, not images or beacons.
   */
  asking(tab: string): () => number {
    const from = this.#seq;
    return () => {
      let count = 0;
      for (const one of this.#pending.values())
        if (one.tab === tab && one.seq > from && READ.has(one.type)) count++;
      return count;
    };
  }

  /** Milliseconds since a request of a tab last started or ended. */
  quietFor(tab: string): number {
    return performance.now() - (this.#stirred.get(tab) ?? Number.NEGATIVE_INFINITY);
  }

  /** Ends the pending requests of a tab that is gone. */
  forget(tab: string): void {
    this.#stirred.delete(tab);
    for (const [id, one] of this.#pending) {
      if (one.tab !== tab) continue;
      one.state = "failed";
      one.error = "The tab was closed.";
      this.#pending.delete(id);
    }
  }

  #followConsole(session: Session, tab: string): void {
    session.also("Runtime.consoleAPICalled", ({ type, args, stackTrace }) => {
      const [at] = stackTrace?.callFrames ?? [];
      const line = at ? at.lineNumber + 1 : undefined;
      this.#say({
        level: levelOf(type),
        source: "console",
        text: consoleText(args),
        url: at?.url,
        line,
        tab,
      });
    });
    session.also("Runtime.exceptionThrown", ({ exceptionDetails }) => {
      const { text, exception, url, lineNumber } = exceptionDetails;
      const said = exception?.description ?? (exception ? consoleText([exception]) : "");
      const line = lineNumber + 1;
      this.#say({ level: "error", source: "exception", text: `${text} ${said}`.trim(), url, line, tab });
    });
    session.also("Log.entryAdded", ({ entry }) => {
      const { source, level, text, url, lineNumber } = entry;
      const line = lineNumber === undefined ? undefined : lineNumber + 1;
      this.#say({ level: levelOf(level), source, text, url, line, tab });
    });
  }

  #say({
    text,
    url,
    line,
    ...rest
  }: Pick<ConsoleMessage, "level" | "source" | "text" | "tab"> & {
    readonly url: string | undefined;
    readonly line: number | undefined;
  }): void {
    this.#messages.push({
      seq: ++this.#seq,
      at: Date.now() / 1_000,
      ...rest,
      text: cut(this.#clean(text), logs.messageLength),
      ...(url ? { url: cut(this.#clean(url), logs.urlLength) } : {}),
      ...(line ? { line } : {}),
    });
    if (this.#messages.length < logs.messages * 2) return;
    this.#lost.messages += this.#messages.length - logs.messages;
    this.#messages = this.#messages.slice(-logs.messages);
  }

  #followNetwork(session: Session, tab: string): void {
    session.also("Network.requestWillBeSent", (event) => {
      const { requestId, request, type = "other", wallTime, redirectResponse } = event;
      if (request.url.startsWith("data:")) return;
      if (redirectResponse) {
        const { status, mimeType, headers } = redirectResponse;
        this.#answered(requestId, { status, mimeType, headers });
        this.#ended(requestId, redirectResponse.encodedDataLength);
      }
      const { url, method, headers } = request;
      this.#began({ id: requestId, url, method, type, at: wallTime, headers }, tab);
    });
    session.also("Network.responseReceived", ({ requestId, response }) =>
      this.#answered(requestId, response),
    );
    session.also("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
      this.#ended(requestId, encodedDataLength),
    );
    session.also("Network.loadingFailed", ({ requestId, errorText, canceled, blockedReason }) =>
      this.#failed(requestId, blockedReason ?? (canceled ? "canceled" : errorText)),
    );
    session.also("Network.webSocketCreated", ({ requestId, url }) => {
      const at = Date.now() / 1_000;
      this.#began({ id: requestId, url, method: "GET", type: "websocket", at, headers: {} }, tab);
    });
    session.also("Network.webSocketHandshakeResponseReceived", ({ requestId, response }) =>
      this.#answered(requestId, { ...response, mimeType: "" }),
    );
    session.also("Network.webSocketFrameError", ({ requestId, errorMessage }) =>
      this.#failed(requestId, errorMessage),
    );
    session.also("Network.webSocketClosed", ({ requestId }) => this.#ended(requestId, undefined));
  }

  #began({ id, url, method, type, at, headers }: Sent, tab: string): void {
    const entry: Request = {
      seq: ++this.#seq,
      at,
      method,
      url: cut(this.#clean(url), logs.urlLength),
      type: type.toLowerCase(),
      state: "pending",
      tab,
      request_headers: this.#headers(headers),
      from: performance.now(),
    };
    this.#requests.push(entry);
    this.#pending.set(id, entry);
    this.#stirred.set(tab, entry.from);
    if (this.#pending.size > logs.requests) {
      const oldest = this.#pending.keys().next();
      if (!oldest.done) this.#pending.delete(oldest.value);
    }
    if (this.#requests.length < logs.requests * 2) return;
    this.#lost.requests += this.#requests.length - logs.requests;
    this.#requests = this.#requests.slice(-logs.requests);
  }

  #answered(
    id: string,
    response: {
      readonly status: number;
      readonly mimeType: string;
      readonly headers: Headers;
      readonly fromDiskCache?: boolean | undefined;
    },
  ): void {
    const entry = this.#pending.get(id);
    if (!entry) return;
    entry.status = response.status;
    if (response.mimeType !== "") entry.mime_type = response.mimeType;
    if (response.fromDiskCache) entry.from_cache = true;
    entry.response_headers = this.#headers(response.headers);
    // The egress proxy answered instead of the host.
    const trouble = Object.entries(response.headers).find(([name]) => /^x-cairn-egress$/i.test(name));
    if (trouble) entry.code = trouble[1];
  }

  #ended(id: string, bytes: number | undefined): void {
    const entry = this.#settle(id);
    if (!entry) return;
    entry.state = entry.code === undefined ? "done" : "failed";
    if (bytes !== undefined && bytes >= 0) entry.bytes = bytes;
  }

  #failed(id: string, why: string): void {
    const entry = this.#settle(id);
    if (!entry) return;
    entry.state = "failed";
    const trouble = this.#proxy?.troubleWith?.(entry.url);
    entry.error = this.#clean(trouble?.message ?? why);
    if (trouble) entry.code = trouble.code;
  }

  #settle(id: string): Request | undefined {
    const entry = this.#pending.get(id);
    if (!entry) return undefined;
    this.#pending.delete(id);
    const now = performance.now();
    entry.ms = Math.round(now - entry.from);
    this.#stirred.set(entry.tab, now);
    return entry;
  }

  #headers(headers: Headers): Headers {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        namesSecret(name) ? MASK : cut(this.#clean(value), logs.headerLength),
      ]),
    );
  }

  #clean(text: string): string {
    return maskText(this.#redactor.text(text.slice(0, logs.messageLength * 2)));
  }
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function levelOf(level: string): ConsoleLevel {
  if (level === "verbose") return "debug";
  if (level === "assert") return "error";
  return LEVELS.find((one) => one === level) ?? "log";
}
