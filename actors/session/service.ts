/**
 * Sessions as the gateway asks for them: start, act, look, close; each waits for what came of it.
 *
 * An act's command is answered once it is durable, and what came of it is asked for after: a caller who lost the answer
 * asks again with the same id, and nothing is done twice. Neighbours: `../session.ts` answers, `../node.ts` has a desk.
 */
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { CairnError, Refused, TimedOut } from "../../machines/errors.ts";
import type { QueryName, QueryParams, QueryResult } from "../../machines/kind-protocol.ts";
import type { ActionOptions, ActionOutcome } from "../../machines/session/action-outcome.ts";
import type { Action } from "../../machines/session/actions.ts";
import type { DownloadRecord } from "../../machines/session/download-names.ts";
import type { Bindings } from "../../machines/session/element-binding.ts";
import type { Extracted, ExtractOptions } from "../../machines/session/extract-schemas.ts";
import { sessionLimits } from "../../machines/session/limits.ts";
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "../../machines/session/log-schemas.ts";
import type { AnalysisData, AnalyzeOptions } from "../../machines/session/page-snapshot.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
  SessionOptions,
  SessionProtocol,
  SessionStatus,
} from "../../machines/session/protocol.ts";
import type { Restored } from "../../machines/session/restore-report.ts";
import type { Environment, StorageState } from "../../machines/session/session-environment.ts";
import type { Meant } from "../browser/index.ts";
import type { CairnSystem } from "../cairn-system.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { ASLEEP, crowded } from "./crowded-error.ts";
import { prepared, sealedAct } from "./seal-action.ts";

export interface SessionFile {
  readonly record: DownloadRecord;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** With an id, the same command asked for again is answered the same. */
const same = (id: string | undefined): { readonly id?: string } => (id === undefined ? {} : { id });

type SessionQuery = QueryName<SessionProtocol>;

export class SessionService {
  readonly #system: CairnSystem;
  readonly #egress: EgressPolicy;

  readonly #secrets: Secrets;
  readonly #oneKey: () => boolean;

  /** `oneKey`: whether every node can open what is sealed here. */
  constructor(system: CairnSystem, egress: EgressPolicy, secrets: Secrets, oneKey: () => boolean) {
    this.#system = system;
    this.#egress = egress;
    this.#secrets = secrets;
    this.#oneKey = oneKey;
  }

  /** Answers once the browser is up and the first address has loaded; what came of that. */
  async start(room: string, given: SessionOptions, environment: Environment = {}): Promise<ActionOutcome> {
    const options = await prepared(room, {
      options: given,
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
    await this.#system.ask("session", room, { type: "START", options });
    const { opened } = await this.#up(room, "start");
    return opened ?? { success: true, error: null, data: {} };
  }

  /** Answers once it is there again. */
  async recover(room: string): Promise<Restored | undefined> {
    await this.#system.ask("session", room, { type: "RECOVER" });
    return (await this.#up(room, "come back")).restored ?? undefined;
  }

  /** Whether its picture is shown; its acts go on. */
  async present(room: string, shown: boolean): Promise<void> {
    await this.#system.ask("session", room, { type: shown ? "RESUME" : "PAUSE" });
  }

  /** Waits until its browser is there. */
  async #up(room: string, what: "start" | "come back"): Promise<SessionStatus> {
    const until = performance.now() + sessionLimits.startWithin;
    let waiting: number | null = null;
    while (performance.now() < until) {
      const stands = await this.#query(room, "phase", { wait: true });
      const { phase, error, position } = stands;
      waiting = position;
      if (phase === "live" || phase === "hibernated") return stands;
      if (phase === "failed")
        throw new Refused("session.failed", error?.message ?? "The session failed.", { status: 409 });
      if (phase === "absent" || phase === "closed")
        throw new Refused("session.closed", `Session ${room} was closed before it was there.`, {
          status: 409,
        });
    }
    if (waiting !== null) throw crowded(room, waiting);
    throw new TimedOut("session.timeout", `Session ${room} did not ${what} in time.`);
  }

  async close(room: string): Promise<void> {
    await this.#system.ask("session", room, { type: "CLOSE" });
  }

  async act(
    room: string,
    action: Action,
    { id = crypto.randomUUID(), called, job_id, retry }: ActionOptions = {},
  ): Promise<ActionOutcome> {
    // It is stored before it is done.
    const kept = await sealedAct(room, action, { secrets: this.#secrets, oneKey: this.#oneKey() });
    await this.#system.ask("session", room, { type: "ACT", action: kept, called, job_id, retry }, { id });
    const until = performance.now() + sessionLimits.actionWithin + sessionLimits.longestWait * 1_000;
    let waiting: number | null | undefined;
    while (performance.now() < until) {
      const { outcome, position } = await this.#query(room, "outcome", { id });
      if (outcome) return outcome;
      waiting = position;
    }
    if (waiting) throw crowded(room, waiting, { id });
    throw new TimedOut("session.timeout", `It is still under way. Ask again with id ${id}.`, {
      details: { id },
    });
  }

  analyze(room: string, options: AnalyzeOptions): Promise<AnalysisData> {
    return this.#look(room, "analyze", options);
  }

  context(room: string): Promise<BrowserContextInfo> {
    return this.#look(room, "context", null);
  }

  content(room: string): Promise<ScreenContent> {
    return this.#look(room, "content", null);
  }

  screenshot(room: string, options: ScreenshotOptions): Promise<Screenshot> {
    return this.#look(room, "screenshot", options);
  }

  /** Wakes a session that is at rest. */
  async #look<Q extends SessionQuery>(
    room: string,
    query: Q,
    params: QueryParams<SessionProtocol, Q>,
  ): Promise<QueryResult<SessionProtocol, Q>> {
    const until = performance.now() + sessionLimits.startWithin;
    for (;;) {
      try {
        return await this.#query(room, query, params);
      } catch (error) {
        const rests = error instanceof CairnError && error.code === ASLEEP;
        if (!rests || performance.now() >= until) throw error;
        await this.#system.ask("session", room, { type: "WAKE" });
      }
    }
  }

  /** Its acts are recorded from now on; the recording's id, also of one that is under way. */
  async record(room: string, name: string, id?: string): Promise<string> {
    return (await this.#system.ask("session", room, { type: "RECORD", name }, same(id))).recording_id;
  }

  /** `null`: nothing was recorded. */
  async stopRecording(room: string, id?: string): Promise<string | null> {
    return (await this.#system.ask("session", room, { type: "STOP_RECORDING" }, same(id))).recording_id;
  }

  bind(room: string, targets: Meant["targets"]): Promise<Bindings> {
    return this.#look(room, "bind", { targets, within: sessionLimits.actionableWithin });
  }

  extract(room: string, options: ExtractOptions): Promise<Extracted> {
    return this.#look(room, "extract", options);
  }

  console(room: string, options: ConsoleOptions): Promise<ConsoleLog> {
    return this.#look(room, "console", options);
  }

  network(room: string, options: NetworkOptions): Promise<NetworkLog> {
    return this.#look(room, "network", options);
  }

  storageState(room: string, databases: boolean): Promise<StorageState> {
    return this.#look(room, "storageState", { databases });
  }

  files(room: string): Promise<readonly DownloadRecord[]> {
    return this.#query(room, "files", null);
  }

  /** A file of a room: its record, and its bytes as they are read. */
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

  #query<Q extends SessionQuery>(
    room: string,
    query: Q,
    params: QueryParams<SessionProtocol, Q>,
  ): Promise<QueryResult<SessionProtocol, Q>> {
    return this.#system.query("session", room, query, params);
  }
}
