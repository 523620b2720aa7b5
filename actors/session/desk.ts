/**
 * Sessions as the gateway asks for them: start, act, look, close; each waits for what came of it.
 *
 * An act's command is answered once it is durable, and what came of it is asked for after: a caller who lost the answer
 * asks again with the same id, and nothing is done twice. Neighbours: `../session.ts` answers, `../node.ts` has a desk.
 */
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/policy.ts";
import { Refused, TimedOut } from "../../machines/errors.ts";
import { limits } from "../../machines/limits.ts";
import type { Action } from "../../machines/session/actions.ts";
import type { AnalysisData, AnalyzeOptions } from "../../machines/session/analysis.ts";
import type { DownloadRecord } from "../../machines/session/downloads.ts";
import type { Extracted, ExtractOptions } from "../../machines/session/extract.ts";
import type { ConsoleLog, ConsoleOptions, NetworkLog, NetworkOptions } from "../../machines/session/logs.ts";
import type { ActOptions, ActOutcome } from "../../machines/session/outcome.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
  SessionOptions,
} from "../../machines/session/protocol.ts";
import { type ActorSystem, address } from "../runtime/index.ts";
import type { FilePiece } from "./room-files.ts";

export interface SessionFile {
  readonly record: DownloadRecord;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Phase {
  readonly phase: "absent" | "closed" | "starting" | "live" | "failed";
  readonly opened: ActOutcome | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export class SessionDesk {
  readonly #system: ActorSystem;
  readonly #egress: EgressPolicy;

  constructor(system: ActorSystem, egress: EgressPolicy) {
    this.#system = system;
    this.#egress = egress;
  }

  /** Answers once the browser is up and the first address has loaded; what came of that. */
  async start(room: string, options: SessionOptions): Promise<ActOutcome> {
    const { initial_url } = options;
    if (initial_url !== null && initial_url !== "about:blank" && !initial_url.startsWith("data:")) {
      if (!URL.canParse(initial_url)) {
        throw new Refused("request.invalid", `initial_url is no address: "${initial_url.slice(0, 200)}".`, {
          status: 422,
        });
      }
      assertUrlAllowed(new URL(initial_url), this.#egress);
    }
    await this.#system.ask(address("session", room), { type: "START", options });
    const until = performance.now() + limits.session.startWithin;
    while (performance.now() < until) {
      const { phase, opened, error } = await this.#query<Phase>(room, "phase", { wait: true });
      if (opened) return opened;
      if (phase === "failed")
        throw new Refused("session.failed", error?.message ?? "The session failed.", { status: 409 });
      if (phase !== "starting")
        throw new Refused("session.closed", `Session ${room} was closed while it started.`, { status: 409 });
    }
    throw new TimedOut("session.timeout", `Session ${room} did not start in time.`);
  }

  async close(room: string): Promise<void> {
    await this.#system.ask(address("session", room), { type: "CLOSE" });
  }

  async act(
    room: string,
    action: Action,
    { id = crypto.randomUUID(), called, job_id }: ActOptions = {},
  ): Promise<ActOutcome> {
    await this.#system.ask(address("session", room), { type: "ACT", action, called, job_id }, { id });
    const until = performance.now() + limits.session.actWithin + limits.session.longestWait * 1_000;
    while (performance.now() < until) {
      const { outcome } = await this.#query<{ outcome: ActOutcome | null }>(room, "outcome", { id });
      if (outcome) return outcome;
    }
    throw new TimedOut("session.timeout", `It is still under way. Ask again with id ${id}.`, {
      details: { id },
    });
  }

  analyze(room: string, options: AnalyzeOptions): Promise<AnalysisData> {
    return this.#query(room, "analyze", options);
  }

  context(room: string): Promise<BrowserContextInfo> {
    return this.#query(room, "context", null);
  }

  content(room: string): Promise<ScreenContent> {
    return this.#query(room, "content", null);
  }

  screenshot(room: string, options: ScreenshotOptions): Promise<Screenshot> {
    return this.#query(room, "screenshot", options);
  }

  extract(room: string, options: ExtractOptions): Promise<Extracted> {
    return this.#query(room, "extract", options);
  }

  console(room: string, options: ConsoleOptions): Promise<ConsoleLog> {
    return this.#query(room, "console", options);
  }

  network(room: string, options: NetworkOptions): Promise<NetworkLog> {
    return this.#query(room, "network", options);
  }

  files(room: string): Promise<readonly DownloadRecord[]> {
    return this.#query(room, "files", null);
  }

  /** A file of a room: its record, and its bytes as they are read. */
  async file(room: string, id: string): Promise<SessionFile> {
    const first = await this.#query<FilePiece>(room, "file", { id, from: 0 });
    const rest = (from: number) => this.#query<FilePiece>(room, "file", { id, from });
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

  async #query<Answer>(room: string, query: string, params: unknown): Promise<Answer> {
    // The kind's own query made it; its shape is checked by the gateway's output schema.
    return (await this.#system.query(address("session", room), query, params)) as Answer;
  }
}
