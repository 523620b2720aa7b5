/**
 * Tracks the pending requests that a document needs to be complete: scripts, styles, API calls and framed
 * documents. Sockets, event streams, polling, and calls that did not end in an earlier document are left out.
 */
import { isReadingMethod } from "../../../../machines/risk/http-methods-that-read.ts";
import { logLimits, readyLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Session } from "../../chromium/devtools-connection.ts";
import { GraphQlMutations, type ReportedWrite } from "./errors-in-graphql-mutation-responses.ts";
import { KnownPolls, pollKeyOf } from "./known-polling-requests-of-site.ts";

export interface AwaitedRequest {
  readonly tab: string;
  readonly url: string;
  readonly method: string;
  readonly key: string;
  /** A key that is the same for all requests of one poll (see `pollKeyOf`). */
  readonly pollKey: string;
  /** Whether the request goes to the host of the document that sent it, or to a host of the same domain. */
  readonly isOwnSite: boolean;
  /** Present if a script sent the request by a method that may change data. */
  readonly write?: { readonly body: string | undefined };
  /**
   * Whether a document counts as complete although this request is pending, because the request is polling or
   * never ends.
   */
  readonly isEndless: boolean;
  /** Whether it is the request for a document, which is no poll even if it takes long. */
  readonly isDocument: boolean;
  /** Whether the page has sent the request while no action was performed. */
  readonly isByItself: boolean;
  /** Time at which the request was sent, as a `performance.now()` value. */
  readonly startedAt: number;
}

/**
 * Share (0 to 1) of the maximum wait for an action's responses. A request that was pending for at least this part
 * of the wait, and is still pending at its end, is given up: later actions do not wait for requests like it. A
 * request that was sent later may be short, so it is not given up.
 */
const GIVEN_UP_AFTER = 0.5;

/**
 * A request that the page repeats by itself counts as a poll if it is pending for at least this time, in
 * milliseconds.
 */
const REPEATED_POLL = 5_000;

const AWAITED_TYPES: ReadonlySet<string> = new Set(["Document", "Stylesheet", "Script", "XHR", "Fetch"]);

interface TabRequests {
  /** For each request, by its key (see `callKey`): how often scripts of the current document have sent it. */
  started: Map<string, number>;
  /**
   * For each request, by its key: how often scripts of the current document have sent it while no action was
   * performed.
   */
  sentByItself: Map<string, number>;
  /** `performance.now()` of the last start or end of a request, or of the last message on a socket. */
  lastActivity: number;
  /** The requests that the current action has started. */
  action: ActionRequests | undefined;
  /**
   * Ids of what brings data to the document at any time: open sockets, event streams, and workers. Workers stay
   * until the tab shows another document.
   */
  readonly channels: Set<string>;
}

/** An answered request of a script that may change something, such as a POST. */
export interface AnsweredWrite extends ReportedWrite {
  /** HTTP status of the response. */
  readonly status: number;
}

interface PendingOfAction {
  readonly request: AwaitedRequest;
  /**
   * Whether the wait for a request like this has once reached its maximum. Actions do not wait for such a request
   * again.
   */
  readonly isGivenUp: boolean;
  /** `performance.now()` value of the moment at which the server has begun to answer. Absent before. */
  answeredAt?: number;
}

interface ActionRequests {
  /**
   * Keys (see `pollKeyOf`) of the requests that were already running when the action began. For a request that had run
   * for a long time, the key without its parameters is added.
   */
  readonly running: ReadonlySet<string>;
  /**
   * Keys (see `pollKeyOf`) of requests that had already run for a long time when the action began. If the page
   * sends such a request again, it counts as endless: the page is complete without its response. Empty after the
   * tab has loaded another document.
   */
  longRunning: ReadonlySet<string>;
  /** How often the page has sent each request since the action began. */
  readonly started: Map<string, number>;
  /** The pending requests, by their ids. */
  readonly pending: Map<string, PendingOfAction>;
  /**
   * Number of requests that the page has sent to its own site since the action began. Polls and repeated requests
   * are not included.
   */
  sent: number;
  /** Number of polls and repeated requests that the page has sent to its own site since the action began. */
  repeated: number;
  /** Whether the outcome of the action was reported. */
  isOver: boolean;
  /** Whether the page has sent any request since the action began, also one that is not awaited. */
  hasSent: boolean;
  /** The `performance.now()` value of the last end of a request; 0 when none has ended yet. */
  endedAt: number;
  readonly writes: AnsweredWrite[];
  /**
   * `performance.now()` value at which the wait for responses to the action ends; absent before this wait.
   */
  awaitedUntil?: number | undefined;
}

export interface RequestWaitOptions {
  /** The polls that earlier sessions on the same site have found. */
  readonly polls?: KnownPolls | undefined;
  /** Maximum wait in milliseconds for all responses to the requests of an action. */
  readonly responsesWithin?: number | undefined;
}

export class AwaitedRequests {
  readonly #pending = new Map<string, AwaitedRequest>();
  readonly #tabs = new Map<string, TabRequests>();
  /**
   * Keys of requests that ran too long in an earlier document of the tab. They are ignored when Cairn waits
   * for later documents.
   */
  readonly #endless = new Set<string>();
  /**
   * Keys in `#endless` that turned out to be no long polls: a later request with the same key ended sooner than a
   * long poll does. Such requests are only slow, so actions wait for them.
   */
  readonly #slow = new Set<string>();
  /**
   * For each poll key: how many requests with this key the page has sent by itself that were then pending for a
   * long time.
   */
  readonly #longByItself = new Map<string, number>();
  readonly #polls: KnownPolls;
  /** Maximum wait in milliseconds for all responses to the requests of an action. */
  readonly responsesWithin: number;

  constructor({
    polls = new KnownPolls(),
    responsesWithin = sessionLimits.responsesWithin,
  }: RequestWaitOptions = {}) {
    this.#polls = polls;
    this.responsesWithin = responsesWithin;
  }

  /**
   * Starts to track the requests of a target: a tab's page, or a frame that has a process of its own. The
   * target's network events must be enabled, which the session's journal does.
   */
  follow(session: Session, tab: string): void {
    const mutations = new GraphQlMutations(session);
    session.also("Network.requestWillBeSent", (event) => {
      const { requestId, request, type, documentURL } = event;
      const { action, channels } = this.#of(tab);
      if (action) action.hasSent = true;
      if (isWorkerScript(event)) channels.add(requestId);
      if (!AWAITED_TYPES.has(type ?? "") || isLocal(request.url) || isWorkerScript(event)) return;
      // Chromium reports a redirect as a second request with the same id. The request is already recorded, so
      // the second report is ignored.
      if (this.#pending.has(requestId)) return;
      const isDocument = type === "Document";
      const isWrite = !isDocument && !isReadingMethod(request.method);
      const write = isWrite ? { write: { body: request.postData } } : {};
      const { url, method } = request;
      const isOwnSite = isSameDomain(url, documentURL);
      const keys = { key: callKey(request), pollKey: pollKeyOf(request) };
      this.#begin(requestId, { tab, url, method, ...keys, isOwnSite, isDocument, ...write });
    });
    session.also("Network.responseReceived", ({ requestId, response }) => {
      const { action } = this.#of(tab);
      const pending = action?.pending.get(requestId);
      if (pending) pending.answeredAt ??= performance.now();
      const write = pending?.request.write;
      if (write && action) {
        const answered: AnsweredWrite = { status: response.status, ...write };
        action.writes.push(answered);
        mutations.add(requestId, answered);
      }
      // The rest of this listener is for server-sent events. They arrive in one response that does not end,
      // so their request is not awaited.
      if (response.mimeType !== "text/event-stream") return;
      this.#of(tab).channels.add(requestId);
      this.#end(requestId);
    });
    const end = ({ requestId }: { readonly requestId: string }): void => {
      this.#of(tab).channels.delete(requestId);
      this.#end(requestId);
    };
    session.also("Network.loadingFinished", (event) => {
      const { requestId } = event;
      this.#noteAnswered(requestId);
      // The request of a mutation stays pending until its response is read, so that an action waits for the errors in it.
      if (mutations.has(requestId)) void mutations.read(requestId).then(() => end(event));
      else end(event);
    });
    session.also("Network.loadingFailed", (event) => {
      mutations.forget(event.requestId);
      end(event);
    });
    session.also("Network.webSocketCreated", ({ requestId }) => {
      this.#of(tab).channels.add(requestId);
    });
    session.also("Network.webSocketClosed", end);
    session.also("Target.attachedToTarget", ({ targetInfo: { type, targetId } }) => {
      if (type === "worker") this.#of(tab).channels.add(targetId);
    });
    session.also("Network.webSocketFrameReceived", () => {
      this.#of(tab).lastActivity = performance.now();
    });
  }

  /** Drops the pending requests of the tab's previous document. Call it when a tab shows another document. */
  documentChanged(tab: string): void {
    const requests = this.#of(tab);
    requests.started = new Map();
    requests.sentByItself = new Map();
    requests.channels.clear();
    if (requests.action) {
      requests.action.pending.clear();
      requests.action.longRunning = new Set();
      requests.action.awaitedUntil = undefined;
    }
    for (const [id, request] of this.#pending) {
      if (request.tab !== tab) continue;
      this.#notePoll(request);
      this.#pending.delete(id);
    }
  }

  closeTab(tab: string): void {
    this.documentChanged(tab);
    this.#tabs.delete(tab);
  }

  /**
   * Returns the addresses of the tab's requests that are pending for less than `patience` milliseconds. The
   * document is complete when none of these is left; requests that are pending for longer are ignored.
   *
   * @param giveUp true to ignore the longer requests even when later documents of the tab send them again
   */
  pending(tab: string, patience: number, giveUp = false): readonly string[] {
    const now = performance.now();
    const found: string[] = [];
    for (const request of this.#pending.values()) {
      if (request.tab !== tab || request.isEndless) continue;
      if (now - request.startedAt < patience) found.push(request.url);
      else if (giveUp && this.#endless.size < readyLimits.endlessCalls) this.#endless.add(request.key);
    }
    return found;
  }

  /**
   * Returns the `performance.now()` value of the last network activity of a tab, or 0 when there was none.
   */
  lastActivity(tab: string): number {
    return this.#tabs.get(tab)?.lastActivity ?? 0;
  }

  /**
   * Must be called before an action on a tab. Later requests then count as started by the action. This
   * excludes requests that ran before and are sent again, such as long polls, and requests that the page
   * sends many times.
   */
  actionBegins(tab: string): void {
    const running = new Set<string>();
    const longRunning = new Set<string>();
    const now = performance.now();
    for (const request of this.#pending.values()) {
      const { key, pollKey, startedAt } = request;
      if (request.tab !== tab) continue;
      running.add(pollKey);
      // Some libraries add a random parameter to each long poll, which changes its key. So a request that
      // runs for a long time is also recorded without its parameters.
      if (now - startedAt > readyLimits.patience.withControls) {
        running.add(withoutParameters(key));
        longRunning.add(pollKey);
      }
      if (now - startedAt > logLimits.longPollAfter) this.#addPoll(request);
    }
    this.#of(tab).action = {
      running,
      longRunning,
      started: new Map(),
      pending: new Map(),
      sent: 0,
      repeated: 0,
      isOver: false,
      hasSent: false,
      endedAt: 0,
      writes: [],
    };
  }

  /** Must be called when the outcome of an action is reported. Later requests are those of the page itself. */
  actionEnds(tab: string): void {
    const action = this.#tabs.get(tab)?.action;
    if (action) action.isOver = true;
  }

  /** Returns the pending requests that the last action in the tab has started, oldest first. */
  pendingOfAction(tab: string): readonly AwaitedRequest[] {
    return [...(this.#tabs.get(tab)?.action?.pending.values() ?? [])].map(({ request }) => request);
  }

  /**
   * Whether a response to a request of the tab's last action is worth waiting for. The page's own server gets more
   * time until it begins to answer than another site. A response that has begun and does not end may be a stream.
   */
  isAwaitedOfAction(tab: string): boolean {
    const now = performance.now();
    const { requestWithin } = sessionLimits;
    return [...(this.#tabs.get(tab)?.action?.pending.values() ?? [])].some((pending) => {
      const { request, answeredAt, isGivenUp } = pending;
      if (isGivenUp) return false;
      if (answeredAt !== undefined) return now - answeredAt < requestWithin;
      return now - request.startedAt < (request.isOwnSite ? this.responsesWithin : requestWithin);
    });
  }

  /**
   * Returns how many requests the page has sent to its own site since the tab's last action began. Requests that the
   * page also sends repeatedly without an action do not count.
   */
  sentOfAction(tab: string): number {
    return this.#tabs.get(tab)?.action?.sent ?? 0;
  }

  /** Returns how many polls and repeated requests the page has sent to its own site since the tab's last action began. */
  repeatedOfAction(tab: string): number {
    return this.#tabs.get(tab)?.action?.repeated ?? 0;
  }

  /**
   * Must be called when the wait for the responses to the tab's last action has taken its maximum time. Later actions
   * do not wait for requests like those that were pending for most of this time, because these may be long polls.
   */
  giveUpAction(tab: string): void {
    const now = performance.now();
    for (const { request } of this.#tabs.get(tab)?.action?.pending.values() ?? [])
      if (now - request.startedAt >= this.responsesWithin * GIVEN_UP_AFTER)
        this.#polls.giveUp(request.pollKey);
  }

  /** Whether a request that the tab's last action has started ended at the given time or later. */
  endedOfAction(tab: string, since: number): boolean {
    return (this.#tabs.get(tab)?.action?.endedAt ?? 0) >= since;
  }

  /** Returns the answered writes of the tab's last action, oldest first. */
  writesOfAction(tab: string): readonly AnsweredWrite[] {
    return this.#tabs.get(tab)?.action?.writes ?? [];
  }

  /**
   * Whether data may still arrive because of the tab's last action: the page has sent a request, waits for a
   * response, has an open socket or event stream, or uses a worker.
   */
  mayReceive(tab: string): boolean {
    const { action, channels } = this.#of(tab);
    if (!action || action.hasSent || channels.size > 0) return true;
    return [...this.#pending.values()].some((request) => request.tab === tab);
  }

  /**
   * Returns the `performance.now()` value at which all waits for responses to the tab's last action end. The
   * value is the same for all waits in one document, so further requests cannot prolong the answer.
   *
   * @param within the time limit in milliseconds, counted from the first call for the action
   */
  awaitedUntil(tab: string, within: number): number {
    const until = performance.now() + within;
    const { action } = this.#of(tab);
    if (!action) return until;
    action.awaitedUntil ??= until;
    return action.awaitedUntil;
  }

  #of(tab: string): TabRequests {
    let requests = this.#tabs.get(tab);
    if (!requests) {
      requests = {
        started: new Map(),
        sentByItself: new Map(),
        lastActivity: 0,
        action: undefined,
        channels: new Set(),
      };
      this.#tabs.set(tab, requests);
    }
    return requests;
  }

  #begin(id: string, request: Omit<AwaitedRequest, "isByItself" | "isEndless" | "startedAt">): void {
    const { tab, key, pollKey } = request;
    const requests = this.#of(tab);
    const times = (requests.started.get(key) ?? 0) + 1;
    requests.started.set(key, times);
    const { action, sentByItself } = requests;
    const isKnown = this.#endless.has(key) || this.#polls.has(pollKey);
    const isSentAgain = action?.longRunning.has(pollKey) === true;
    const isEndless = times > readyLimits.repeats || isKnown || isSentAgain;
    const startedAt = performance.now();
    if (!isEndless) requests.lastActivity = startedAt;
    const isByItself = !action || action.isOver;
    const pending = { ...request, isEndless, isByItself, startedAt };
    this.#pending.set(id, pending);
    const timesByItself = sentByItself.get(key) ?? 0;
    if (isByItself) sentByItself.set(key, timesByItself + 1);
    if (!action) return;
    const timesInAction = (action.started.get(key) ?? 0) + 1;
    action.started.set(key, timesInAction);
    const isLongPoll = action.running.has(pollKey) || action.running.has(withoutParameters(key));
    // A request that writes data stays among the requests that the outcome names, even if a request like it once
    // took too long: it may be slow and no poll, such as the request that creates a report.
    const isGivenUp = this.#polls.isGivenUp(pollKey) || (this.#endless.has(key) && !this.#slow.has(key));
    const isNamed = request.write !== undefined && timesByItself === 0;
    const isRepeated = timesInAction > readyLimits.repeats || isLongPoll;
    if (request.isOwnSite) {
      if (isRepeated || isGivenUp || timesByItself > readyLimits.repeats) action.repeated++;
      else action.sent++;
    }
    if (isRepeated || (isGivenUp && !isNamed)) return;
    action.pending.set(id, { request: pending, isGivenUp });
  }

  /** Must be called when a request has ended with its complete response, and not because it was cancelled. */
  #noteAnswered(id: string): void {
    const request = this.#pending.get(id);
    if (!request || !this.#endless.has(request.key)) return;
    if (performance.now() - request.startedAt < logLimits.longPollAfter) this.#slow.add(request.key);
  }

  #addPoll({ isDocument, pollKey }: AwaitedRequest): void {
    if (!isDocument) this.#polls.add(pollKey);
  }

  /** Decides whether an ended request was a poll, by the time for which it was pending. */
  #notePoll(request: AwaitedRequest): void {
    const { pollKey, isByItself, startedAt } = request;
    const duration = performance.now() - startedAt;
    if (duration >= logLimits.longPollAfter) this.#addPoll(request);
    if (!isByItself || duration < REPEATED_POLL) return;
    const times = (this.#longByItself.get(pollKey) ?? 0) + 1;
    if (times >= readyLimits.repeats) this.#addPoll(request);
    if (this.#longByItself.size < readyLimits.endlessCalls) this.#longByItself.set(pollKey, times);
  }

  #end(id: string): void {
    const request = this.#pending.get(id);
    if (!request) return;
    this.#pending.delete(id);
    this.#notePoll(request);
    const requests = this.#of(request.tab);
    if (requests.action?.pending.delete(id)) requests.action.endedAt = performance.now();
    if (!request.isEndless) requests.lastActivity = performance.now();
  }
}

/**
 * Whether a request is for the script of a web worker. Its `loaderId` is empty, because it does not belong to
 * the document. Chromium does not report the end of the request to the page, so a wait for it would never
 * end.
 */
export function isWorkerScript({
  type,
  loaderId,
}: {
  readonly type?: string;
  readonly loaderId: string;
}): boolean {
  return type === "Script" && loaderId === "";
}

/** Whether an address needs no network, because the browser itself has the data. */
export function isLocal(url: string): boolean {
  return /^(?:data|blob):/i.test(url);
}

/**
 * Whether two addresses have the same host, or hosts of the same domain, such as `app.example.org` and
 * `api.example.org`. Ports do not count, because an application may have its server at another port.
 */
function isSameDomain(url: string, other: string): boolean {
  const domainOf = (address: string): string => {
    const host = URL.parse(address)?.hostname ?? "";
    return /^[\d.]+$|:/.test(host) ? host : host.split(".").slice(-2).join(".");
  };
  return domainOf(url) === domainOf(other);
}

/**
 * Returns a key by which repeated calls (requests that scripts send) are recognised. Polling calls often
 * differ only in a time stamp or a random value, and must get the same key. Therefore, long numbers and
 * parameter values that contain a digit are left out.
 */
function callKey(request: {
  readonly method: string;
  readonly url: string;
  readonly postData?: string;
}): string {
  const [path = "", query = ""] = request.url.split(/\?(.*)/s);
  const body = request.postData?.slice(0, 500) ?? "";
  const parameters = query.replace(/=[^&]*\d[^&]*/g, "=#");
  return `${request.method} ${path}?${parameters} ${body}`.replace(/\d{8,}/g, "#");
}

/**
 * Returns the key of a request without parameters and numbers. The body stays in the key, because some
 * servers have one address for all calls, such as `/graphql`.
 */
const withoutParameters = (key: string): string => key.replace(/\?\S*/, "").replace(/\d+/g, "#");
