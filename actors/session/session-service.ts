/**
 * The gateway's interface to sessions: start, run actions, query, close. An action's command is acknowledged
 * when it is durable; its outcome is queried afterwards. A caller that lost the answer repeats the call with
 * the same id, and no action runs twice.
 */

import type {
  CommandOf,
  QueryName,
  QueryParams,
  QueryResult,
  ReplyOf,
} from "../../machines/actor-kind-protocol.ts";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { CairnError, Refused, TimedOut } from "../../machines/errors.ts";
import type { ActionOptions, ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import type { Bindings } from "../../machines/session/controls/element-of-fingerprint.ts";
import type { Located, Locators } from "../../machines/session/controls/find-element-by-locator.ts";
import {
  isListed,
  type ListedSession,
  type ListSessions,
  type SessionList,
} from "../../machines/session/list-sessions-schemas.ts";
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "../../machines/session/outputs/console-and-network-log-schemas.ts";
import type { DownloadRecord } from "../../machines/session/outputs/download-names.ts";
import type { Extracted, ExtractOptions } from "../../machines/session/outputs/extracted-content-schemas.ts";
import type {
  Control,
  FrameRequest,
  InputEvent,
  ViewFrame,
} from "../../machines/session/outputs/live-view-schemas.ts";
import { type LiveKitOptions, noticeKinds } from "../../machines/session/outputs/livekit-schemas.ts";
import type { AnalysisData, AnalyzeRequest } from "../../machines/session/page/page-snapshot.ts";
import type { PageWithTexts, SessionPage } from "../../machines/session/page/session-page-links-and-forms.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import { sessionNotFound } from "../../machines/session/session-not-found-error.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
  SessionOptions,
  SessionProtocol,
  SessionStatus,
} from "../../machines/session/session-protocol.ts";
import type { Restored } from "../../machines/session/session-restore-report.ts";
import type { Environment, StorageState } from "../../machines/session/state/session-start-options.ts";
import type { ActorHead, ActorStore } from "../../store/index.ts";
import type { IntendedElement } from "../browser/index.ts";
import { createDestinations } from "../egress/index.ts";
import type { AskOptions } from "../runtime/index.ts";
import type { Secrets } from "../secrets/secret-store.ts";
import { publisherIdentity, readWebhook } from "../streaming/index.ts";
import type { CairnSystem } from "../typed-actor-system.ts";
import { prepareStart, sealAction } from "./encrypt-action-secrets.ts";
import { crowdedError, HIBERNATED } from "./errors-of-sessions-without-browser.ts";
import {
  assertServerAllowed,
  keyOf,
  type LiveKitRequest,
  type LiveKitSettings,
  requestedAccess,
  sealAccess,
} from "./livekit-credentials.ts";

export interface SessionFile {
  readonly record: DownloadRecord;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Returns the options for a command with an id. A command that is repeated with the same id gets the same
 * answer.
 */
const withId = (id: string | undefined): { readonly id?: string } => (id === undefined ? {} : { id });

type SessionQuery = QueryName<SessionProtocol>;

/** Matches the name of an actor's state while its session is closed. */
const CLOSED = /(?:^|,)session\.closed(?:,|$)/;

export interface SessionServiceOptions {
  /** The store of actors; sessions are listed from it. */
  readonly actors: Pick<ActorStore, "list">;
  readonly egress: EgressPolicy;
  readonly secrets: Secrets;
  /** Returns whether all nodes have the same encryption key. */
  readonly oneKey: () => boolean;
  readonly livekit: LiveKitSettings;
}

export class SessionService {
  readonly #system: CairnSystem;
  readonly #actors: Pick<ActorStore, "list">;
  readonly #egress: EgressPolicy;

  readonly #secrets: Secrets;
  readonly #oneKey: () => boolean;
  readonly #livekit: LiveKitSettings;
  readonly #destinations: Destinations;

  constructor(system: CairnSystem, { actors, egress, secrets, oneKey, livekit }: SessionServiceOptions) {
    this.#system = system;
    this.#actors = actors;
    this.#egress = egress;
    this.#secrets = secrets;
    this.#oneKey = oneKey;
    this.#livekit = livekit;
    this.#destinations = createDestinations({ policy: egress });
  }

  /**
   * Starts a session. Resolves when the browser runs and the first address has loaded, with the outcome of
   * loading it. If the session runs already, and could not sign in when it started, it signs in again.
   */
  async start(
    room: string,
    given: SessionOptions,
    environment: Environment = {},
    video?: LiveKitRequest,
  ): Promise<ActionOutcome> {
    const livekit = video && (await this.#livekitOptions(room, video));
    const options = await prepareStart(room, {
      options: { ...given, ...(livekit ? { livekit } : {}) },
      environment,
      egress: this.#egress,
      secrets: this.#secrets,
    });
    const { initial_url } = options;
    if (initial_url !== null && initial_url !== "about:blank" && !initial_url.startsWith("data:")) {
      if (!URL.canParse(initial_url)) {
        throw new Refused("request.invalid", `initial_url is no address: "${initial_url.slice(0, 200)}".`, {
          status: 422,
        });
      }
      assertUrlAllowed(new URL(initial_url), this.#egress);
    }
    const earlier = await this.#query(room, "phase", { wait: false });
    const { existing } = await this.#system.ask("session", room, { type: "START", options });
    const { opened } = await this.#waitForBrowser(room, "start");
    const { login } = environment;
    if (existing && login && earlier.opened?.data.code === "login_failed") {
      const signedIn = await this.runAction(room, { name: "login", params: { login } });
      if (!signedIn.success || initial_url === null) return signedIn;
      return await this.runAction(room, { name: "navigate", params: { url: initial_url } });
    }
    return opened ?? { success: true, error: null, data: {} };
  }

  /**
   * Returns the LiveKit parameters of a start in the form in which they are stored. Returns `undefined` for a
   * session without LiveKit.
   */
  async #livekitOptions(room: string, request: LiveKitRequest): Promise<LiveKitOptions | undefined> {
    const access = requestedAccess(request, this.#livekit);
    if (!access) return undefined;
    await assertServerAllowed(access, this.#destinations);
    return await sealAccess(room, { access, fps: request.fps, settings: this.#livekit }, this.#secrets);
  }

  /**
   * Restores a session whose browser was lost. Resolves when the restore has ended. A live session has then
   * also joined its LiveKit room again.
   */
  async recover(room: string): Promise<Restored | undefined> {
    await this.#command(room, { type: "RECOVER" });
    const { phase, restored } = await this.#waitForBrowser(room, "come back");
    if (phase === "live") await this.#query(room, "rejoin", null);
    return restored ?? undefined;
  }

  /**
   * Handles a webhook of the LiveKit server: when a participant joins or leaves a room, the room's session
   * emits an event.
   *
   * @throws Refused `livekit.not_configured` (404), `livekit.bad_signature` (401)
   */
  async webhook(body: string, authorization: string | undefined): Promise<void> {
    const key = keyOf(this.#livekit);
    if (!key)
      throw new Refused(
        "livekit.not_configured",
        "Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET to receive webhooks.",
        {
          status: 404,
        },
      );
    const { event, room, identity, name } = await readWebhook(body, authorization, key);
    const notice = noticeKinds.find((kind) => kind === event);
    // The session's own publisher joins the room too. It is not a viewer, so its event is ignored.
    if (!notice || room === "" || identity === publisherIdentity(room)) return;
    const { phase } = await this.#query(room, "phase", { wait: false });
    if (phase === "absent") return;
    const participant = {
      ...(identity === undefined ? {} : { identity }),
      ...(name === undefined ? {} : { name }),
    };
    await this.#system.ask("session", room, { type: "LIVEKIT", notice, ...participant });
  }

  /** Turns the video stream of the session on or off. Its actions continue in both cases. */
  async setStreaming(room: string, on: boolean): Promise<void> {
    await this.#command(room, { type: on ? "RESUME" : "PAUSE" });
  }

  /** Waits until the session has a live browser or hibernates. Returns the session's status. */
  async #waitForBrowser(room: string, what: "start" | "come back"): Promise<SessionStatus> {
    const until = performance.now() + sessionLimits.startWithin;
    let waiting: number | null = null;
    while (performance.now() < until) {
      const status = await this.#query(room, "phase", { wait: true });
      const { phase, error, position } = status;
      waiting = position;
      if (phase === "live" || phase === "hibernated") return status;
      if (phase === "failed")
        throw new Refused("session.failed", error?.message ?? "The session failed.", { status: 409 });
      if (phase === "absent" || phase === "closed")
        throw new Refused("session.closed", `Session ${room} was closed before its browser was ready.`, {
          status: 409,
        });
    }
    if (waiting !== null) throw crowdedError(room, waiting);
    throw new TimedOut("session.timeout", `Session ${room} did not ${what} in time.`);
  }

  /** Lists the sessions that are not closed, sorted by room name. A hibernated session is not woken. */
  async list({ limit, cursor }: ListSessions): Promise<SessionList> {
    const sessions: ListedSession[] = [];
    let after = cursor;
    for (;;) {
      const heads = await this.#actors.list({
        kind: "session",
        limit,
        ...(after === undefined ? {} : { after: { kind: "session", id: after } }),
      });
      const found = await Promise.all(heads.map((head) => this.#listed(head)));
      sessions.push(...found.filter((session) => session !== undefined));
      after = heads.at(-1)?.id;
      const isLast = heads.length < limit;
      if (!isLast && sessions.length <= limit) continue;
      const shown = sessions.slice(0, limit);
      const hasMore = sessions.length > limit;
      return { sessions: shown, next_cursor: hasMore ? (shown.at(-1)?.room_name ?? null) : null };
    }
  }

  /** Returns the entry of a session in the list of sessions, or `undefined` for a closed session. */
  async #listed({ id, state, updated_at }: ActorHead): Promise<ListedSession | undefined> {
    // Closed sessions remain in the store for some time. The actor's state name shows that a session is
    // closed, so the actor is not queried.
    if (CLOSED.test(state)) return undefined;
    const last_used_at = new Date(updated_at).toISOString();
    if (state === "parked") {
      const message = "The session is out of service. An operator can unpark its actor.";
      const error = { code: "actor.parked", message };
      return { room_name: id, state: "failed", url: null, last_used_at, error };
    }
    const { phase, url, error } = await this.#query(id, "phase", { wait: false });
    if (!isListed(phase)) return undefined;
    return { room_name: id, state: phase, url, last_used_at, ...(error === null ? {} : { error }) };
  }

  async close(room: string): Promise<void> {
    await this.#command(room, { type: "CLOSE" });
  }

  async runAction(
    room: string,
    action: Action,
    { id = crypto.randomUUID(), called, job_id, retry, when_held, asks_before_leaving }: ActionOptions = {},
  ): Promise<ActionOutcome> {
    await this.#assertStarted(room);
    // Secret parameters are encrypted, because the command is stored before it runs.
    const sealed = await sealAction(room, action, { secrets: this.#secrets, oneKey: this.#oneKey() });
    const command = {
      type: "ACT",
      action: sealed,
      called,
      job_id,
      retry,
      when_held,
      asks_before_leaving,
    } as const;
    await this.#system.ask("session", room, command, { id });
    const until = performance.now() + sessionLimits.actionWithin + sessionLimits.longestWait * 1_000;
    let waiting: number | null | undefined;
    while (performance.now() < until) {
      const { outcome, position } = await this.#query(room, "outcome", { id });
      if (outcome) return outcome;
      waiting = position;
    }
    if (waiting) throw crowdedError(room, waiting, { id });
    throw new TimedOut("session.timeout", `It is still under way. Ask again with id ${id}.`, {
      details: { id },
    });
  }

  analyze(room: string, options: AnalyzeRequest): Promise<AnalysisData> {
    return this.wakeAndQuery(room, "analyze", options);
  }

  context(room: string): Promise<BrowserContextInfo> {
    return this.wakeAndQuery(room, "context", null);
  }

  content(room: string): Promise<ScreenContent> {
    return this.wakeAndQuery(room, "content", null);
  }

  screenshot(room: string, options: ScreenshotOptions): Promise<Screenshot> {
    return this.wakeAndQuery(room, "screenshot", options);
  }

  /**
   * Returns the next frame of the live view after the viewer's last frame, or `null` while the page does not
   * change.
   */
  frame(room: string, request: FrameRequest): Promise<ViewFrame | null> {
    return this.wakeAndQuery(room, "frame", request);
  }

  /**
   * Sends the input of the person who controls the browser. Throws `session.not_held` for any other caller.
   */
  input(room: string, holder: string, events: readonly InputEvent[]): Promise<{ readonly applied: number }> {
    return this.#query(room, "input", { holder, events: [...events] });
  }

  /**
   * Gives a person control of the browser, or extends the time of the control. Throws `session.held` while
   * another person has control.
   */
  async takeControl(room: string, { holder, name }: Control): Promise<void> {
    await this.#command(room, { type: "TAKE_CONTROL", holder, name });
  }

  async releaseControl(room: string, holder: string): Promise<void> {
    await this.#command(room, { type: "RELEASE_CONTROL", holder });
  }

  /** Queries a session. A hibernated session is woken first. */
  async wakeAndQuery<Q extends SessionQuery>(
    room: string,
    query: Q,
    params: QueryParams<SessionProtocol, Q>,
  ): Promise<QueryResult<SessionProtocol, Q>> {
    const until = performance.now() + sessionLimits.startWithin;
    for (;;) {
      try {
        return await this.#query(room, query, params);
      } catch (error) {
        const isHibernated = error instanceof CairnError && error.code === HIBERNATED;
        if (!isHibernated || performance.now() >= until) throw error;
        await this.#system.ask("session", room, { type: "WAKE" });
      }
    }
  }

  /**
   * Starts a recording and returns its id. When a recording is running already, the id of that recording is
   * returned.
   */
  async record(room: string, name: string, id?: string): Promise<string> {
    return (await this.#command(room, { type: "RECORD", name }, withId(id))).recording_id;
  }

  /** Stops the recording. Returns `null` when none was running. */
  async stopRecording(room: string, id?: string): Promise<string | null> {
    return (await this.#command(room, { type: "STOP_RECORDING" }, withId(id))).recording_id;
  }

  bind(room: string, targets: IntendedElement["targets"]): Promise<Bindings> {
    return this.wakeAndQuery(room, "bind", { targets, within: sessionLimits.actionableWithin });
  }

  /**
   * Finds the elements that locators match on the session's current page. Each key is the path of a parameter
   * of the action, such as `fields.0.index`. The result has the same keys.
   */
  locate(room: string, locators: Locators): Promise<Readonly<Record<string, Located>>> {
    return this.wakeAndQuery(room, "locate", { locators, within: 0 });
  }

  extract(room: string, options: ExtractOptions): Promise<Extracted> {
    return this.wakeAndQuery(room, "extract", options);
  }

  /** Reads the links, controls and forms of the session's page. */
  page(room: string): Promise<SessionPage> {
    return this.wakeAndQuery(room, "page", null);
  }

  /** Reads the short texts of the session's page, and the rows of its lists. */
  texts(room: string): Promise<PageWithTexts> {
    return this.wakeAndQuery(room, "texts", null);
  }

  console(room: string, options: ConsoleOptions): Promise<ConsoleLog> {
    return this.wakeAndQuery(room, "console", options);
  }

  network(room: string, options: NetworkOptions): Promise<NetworkLog> {
    return this.wakeAndQuery(room, "network", options);
  }

  storageState(room: string, databases: boolean): Promise<StorageState> {
    return this.wakeAndQuery(room, "storageState", { databases });
  }

  files(room: string): Promise<readonly DownloadRecord[]> {
    return this.#query(room, "files", null);
  }

  /** Returns a downloaded file of a session: its record and a stream of its bytes. */
  async file(room: string, id: string): Promise<SessionFile> {
    const first = await this.#query(room, "file", { id, from: 0 });
    const rest = (from: number) => this.#query(room, "file", { id, from });
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (let piece = first; ; piece = await rest(piece.next)) {
        yield new Uint8Array(Buffer.from(piece.data, "base64"));
        if (piece.next === null) return;
      }
    }
    return { record: first.record, bytes: bytes() };
  }

  async removeFile(room: string, id: string): Promise<void> {
    await this.#query(room, "removeFile", { id });
  }

  /**
   * Throws `session.not_found` if the room never had a session. A command would otherwise create an actor for the
   * room in the store, which would contain nothing but the refusal.
   */
  async #assertStarted(room: string): Promise<void> {
    const { phase } = await this.#query(room, "phase", { wait: false });
    if (phase === "absent") throw sessionNotFound(room);
  }

  /** Sends a command to a session that was started. */
  async #command<C extends CommandOf<SessionProtocol>>(
    room: string,
    command: C,
    options?: AskOptions,
  ): Promise<ReplyOf<SessionProtocol, C["type"]>> {
    await this.#assertStarted(room);
    return await this.#system.ask("session", room, command, options);
  }

  #query<Q extends SessionQuery>(
    room: string,
    query: Q,
    params: QueryParams<SessionProtocol, Q>,
  ): Promise<QueryResult<SessionProtocol, Q>> {
    return this.#system.query("session", room, query, params);
  }
}
