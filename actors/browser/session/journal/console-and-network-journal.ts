/**
 * Records the console messages and network requests of a session, up to a maximum number and without secrets.
 * Frames in a process of their own are recorded too.
 */

import { maskText } from "../../../../machines/inspection/mask-secrets-for-inspection.ts";
import { MASK, namesSecret } from "../../../../machines/inspection/names-of-secret-fields.ts";
import type {
  ConsoleLevel,
  ConsoleLog,
  ConsoleMessage,
  ConsoleOptions,
  NetworkEntry,
  NetworkLog,
  NetworkOptions,
} from "../../../../machines/session/outputs/console-and-network-log-schemas.ts";
import { logLimits } from "../../../../machines/session/session-limits.ts";
import type { Redactor } from "../../../../machines/session/state/secret-redaction.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { isLocal, isWorkerScript } from "./pending-requests-of-page.ts";
import { consoleText } from "./text-of-page-console-call.ts";

const limits = logLimits;

const LEVELS: readonly ConsoleLevel[] = ["debug", "log", "info", "warning", "error"];
/**
 * Types of requests that stay open, such as event streams, and of requests whose end Chromium does not report
 * (scripts of web workers). Such requests do not delay a wait for an idle network.
 */
const LONG_LIVED_TYPES: ReadonlySet<string> = new Set(["websocket", "eventsource", "webtransport", "worker"]);
/** Types of requests that may change what the page shows when their response arrives. */
const RENDERED_TYPES: ReadonlySet<string> = new Set(["fetch", "xhr", "script", "document"]);

type Headers = Readonly<Record<string, string>>;
type Mutable<Entry> = { -readonly [Name in keyof Entry]: Entry[Name] };

interface RecordedRequest extends Mutable<NetworkEntry> {
  /** Time at which the request was sent, as a `performance.now()` value. */
  readonly startedAt: number;
}

interface SentRequest {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly type: string;
  readonly at: number;
  readonly headers: Headers;
}

/**
 * Sizes in bytes of the buffers in which Chromium stores the bodies of responses. Only the errors of a GraphQL mutation
 * are read from them, directly after the response, so small buffers are enough.
 */
const STORED_BODIES = { maxTotalBufferSize: 512 * 1024, maxResourceBufferSize: 64 * 1024 } as const;

export class Journal {
  readonly #redactor: Redactor;
  readonly #proxy: BrowserProxy | undefined;
  #messages: ConsoleMessage[] = [];
  #requests: RecordedRequest[] = [];
  readonly #pending = new Map<string, RecordedRequest>();
  #seq = 0;
  /** Number of recorded messages and requests that were dropped, because the maximum number was exceeded. */
  #dropped = { messages: 0, requests: 0 };
  /** `performance.now()` of the last start or end of a request, by tab. */
  readonly #lastActivity = new Map<string, number>();

  constructor(redactor: Redactor, proxy: BrowserProxy | undefined) {
    this.#redactor = redactor;
    this.#proxy = proxy;
  }

  /**
   * Starts to record a tab's page, or a frame with its own process. The responses to the commands are not
   * awaited, because the target may be closed already.
   */
  follow(session: Session, tab: string): void {
    this.#followConsole(session, tab);
    this.#followNetwork(session, tab);
    const commands = [
      session.send("Runtime.enable"),
      session.send("Log.enable"),
      session.send("Network.enable", STORED_BODIES),
    ];
    for (const answer of commands) answer.catch(() => {});
  }

  console({ since, limit, level }: ConsoleOptions): ConsoleLog {
    const minimum = LEVELS.indexOf(level);
    const found = this.#messages.filter(
      (message) => message.seq > since && LEVELS.indexOf(message.level) >= minimum,
    );
    const messages = found.slice(-limit);
    const dropped = since === 0 ? this.#dropped.messages : 0;
    return { messages, next_since: this.#seq, left_out: found.length - messages.length + dropped };
  }

  network({ since, limit, url, type, failed, include_headers }: NetworkOptions, tab: string): NetworkLog {
    const found = this.#requests.filter(
      (request) =>
        request.seq > since &&
        (url === undefined || request.url.includes(url)) &&
        (type === undefined || request.type === type.toLowerCase()) &&
        (!failed || request.state === "failed" || (request.status ?? 0) >= 400),
    );
    const entries = found.slice(-limit);
    const dropped = since === 0 ? this.#dropped.requests : 0;
    return {
      requests: entries.map(({ startedAt: _, request_headers, response_headers, ...entry }) => ({
        ...entry,
        ...(include_headers && request_headers ? { request_headers } : {}),
        ...(include_headers && response_headers ? { response_headers } : {}),
      })),
      next_since: this.#seq,
      pending: this.pendingCount(tab),
      left_out: found.length - entries.length + dropped,
    };
  }

  /** Returns the number of a tab's pending requests whose responses may still change the page. */
  pendingCount(tab: string): number {
    const now = performance.now();
    let count = 0;
    for (const request of this.#pending.values()) {
      if (
        request.tab === tab &&
        !LONG_LIVED_TYPES.has(request.type) &&
        !isLocal(request.url) &&
        now - request.startedAt < limits.longPollAfter
      )
        count++;
    }
    return count;
  }

  /** Returns the addresses of a tab's pending requests whose responses may change what the page shows. */
  pendingAddresses(tab: string): readonly string[] {
    return [...this.#pending.values()].flatMap(({ tab: of, type, url }) =>
      of === tab && RENDERED_TYPES.has(type) && !isLocal(url) ? [url] : [],
    );
  }

  /** Returns the number of milliseconds since the last start or end of a request in this tab. */
  quietFor(tab: string): number {
    return performance.now() - (this.#lastActivity.get(tab) ?? Number.NEGATIVE_INFINITY);
  }

  /** Marks the pending requests of a closed tab as failed. */
  closeTab(tab: string): void {
    this.#lastActivity.delete(tab);
    for (const [id, request] of this.#pending) {
      if (request.tab !== tab) continue;
      request.state = "failed";
      request.error = "The tab was closed.";
      this.#pending.delete(id);
    }
  }

  #followConsole(session: Session, tab: string): void {
    session.also("Runtime.consoleAPICalled", ({ type, args, stackTrace }) => {
      const [callFrame] = stackTrace?.callFrames ?? [];
      const line = callFrame ? callFrame.lineNumber + 1 : undefined;
      this.#addMessage({
        level: levelOf(type),
        source: "console",
        text: consoleText(args),
        url: callFrame?.url,
        line,
        tab,
      });
    });
    session.also("Runtime.exceptionThrown", ({ exceptionDetails }) => {
      const { text, exception, url, lineNumber } = exceptionDetails;
      const description = exception?.description ?? (exception ? consoleText([exception]) : "");
      const line = lineNumber + 1;
      this.#addMessage({
        level: "error",
        source: "exception",
        text: `${text} ${description}`.trim(),
        url,
        line,
        tab,
      });
    });
    session.also("Log.entryAdded", ({ entry }) => {
      const { source, level, text, url, lineNumber } = entry;
      const line = lineNumber === undefined ? undefined : lineNumber + 1;
      this.#addMessage({ level: levelOf(level), source, text, url, line, tab });
    });
  }

  #addMessage({
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
      text: cut(this.#clean(text), limits.messageLength),
      ...(url ? { url: cut(this.#clean(url), limits.urlLength) } : {}),
      ...(line ? { line } : {}),
    });
    if (this.#messages.length < limits.messages * 2) return;
    this.#dropped.messages += this.#messages.length - limits.messages;
    this.#messages = this.#messages.slice(-limits.messages);
  }

  #followNetwork(session: Session, tab: string): void {
    session.also("Network.requestWillBeSent", (event) => {
      const { requestId, request, wallTime, redirectResponse } = event;
      const type = isWorkerScript(event) ? "worker" : (event.type ?? "other");
      if (request.url.startsWith("data:")) return;
      if (redirectResponse) {
        const { status, mimeType, headers } = redirectResponse;
        this.#responseReceived(requestId, { status, mimeType, headers });
        this.#requestFinished(requestId, redirectResponse.encodedDataLength);
      }
      const { url, method, headers } = request;
      this.#requestStarted({ id: requestId, url, method, type, at: wallTime, headers }, tab);
    });
    session.also("Network.responseReceived", ({ requestId, response }) =>
      this.#responseReceived(requestId, response),
    );
    session.also("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
      this.#requestFinished(requestId, encodedDataLength),
    );
    session.also("Network.loadingFailed", ({ requestId, errorText, canceled, blockedReason }) =>
      this.#requestFailed(requestId, blockedReason ?? (canceled ? "canceled" : errorText)),
    );
    // For the script of a web worker, Chromium reports these headers, but not the end of the request. So the
    // request ends here. A script from the cache has no such headers, and its request ends when the worker is
    // attached.
    session.also("Network.responseReceivedExtraInfo", ({ requestId, statusCode, headers }) => {
      if (this.#pending.get(requestId)?.type !== "worker") return;
      this.#responseReceived(requestId, { status: statusCode, mimeType: "", headers });
      this.#requestFinished(requestId, undefined);
    });
    session.also("Target.attachedToTarget", ({ targetInfo: { type, targetId } }) => {
      if (type === "worker" || type === "shared_worker") this.#requestFinished(targetId, undefined);
    });
    session.also("Network.webSocketCreated", ({ requestId, url }) => {
      const at = Date.now() / 1_000;
      this.#requestStarted({ id: requestId, url, method: "GET", type: "websocket", at, headers: {} }, tab);
    });
    session.also("Network.webSocketHandshakeResponseReceived", ({ requestId, response }) =>
      this.#responseReceived(requestId, { ...response, mimeType: "" }),
    );
    session.also("Network.webSocketFrameError", ({ requestId, errorMessage }) =>
      this.#requestFailed(requestId, errorMessage),
    );
    session.also("Network.webSocketClosed", ({ requestId }) => this.#requestFinished(requestId, undefined));
  }

  #requestStarted({ id, url, method, type, at, headers }: SentRequest, tab: string): void {
    const entry: RecordedRequest = {
      seq: ++this.#seq,
      at,
      method,
      url: cut(this.#clean(url), limits.urlLength),
      type: type.toLowerCase(),
      state: "pending",
      tab,
      request_headers: this.#headers(headers),
      startedAt: performance.now(),
    };
    this.#requests.push(entry);
    this.#pending.set(id, entry);
    this.#lastActivity.set(tab, entry.startedAt);
    if (this.#pending.size > limits.requests) {
      const oldest = this.#pending.keys().next();
      if (!oldest.done) this.#pending.delete(oldest.value);
    }
    if (this.#requests.length < limits.requests * 2) return;
    this.#dropped.requests += this.#requests.length - limits.requests;
    this.#requests = this.#requests.slice(-limits.requests);
  }

  #responseReceived(
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
    // Only the egress proxy sends this header. A response with this header was created by the proxy itself,
    // because it has refused the host or could not reach it.
    const egressCode = Object.entries(response.headers).find(([name]) => /^x-cairn-egress$/i.test(name));
    if (egressCode) entry.code = egressCode[1];
  }

  #requestFinished(id: string, bytes: number | undefined): void {
    const entry = this.#removePending(id);
    if (!entry) return;
    entry.state = entry.code === undefined ? "done" : "failed";
    if (bytes !== undefined && bytes >= 0) entry.bytes = bytes;
  }

  #requestFailed(id: string, why: string): void {
    const entry = this.#removePending(id);
    if (!entry) return;
    entry.state = "failed";
    const egressError = this.#proxy?.failureOf?.(entry.url);
    entry.error = this.#clean(egressError?.message ?? why);
    if (egressError) entry.code = egressError.code;
  }

  #removePending(id: string): RecordedRequest | undefined {
    const entry = this.#pending.get(id);
    if (!entry) return undefined;
    this.#pending.delete(id);
    const now = performance.now();
    entry.ms = Math.round(now - entry.startedAt);
    this.#lastActivity.set(entry.tab, now);
    return entry;
  }

  #headers(headers: Headers): Headers {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        namesSecret(name) ? MASK : cut(this.#clean(value), limits.headerLength),
      ]),
    );
  }

  #clean(text: string): string {
    return maskText(this.#redactor.text(text.slice(0, limits.messageLength * 2)));
  }
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

function levelOf(level: string): ConsoleLevel {
  if (level === "verbose") return "debug";
  if (level === "assert") return "error";
  return LEVELS.find((known) => known === level) ?? "log";
}
