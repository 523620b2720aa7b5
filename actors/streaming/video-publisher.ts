/**
 * The owner's side of a publisher process: starts the process, passes frames to it, and restores the video
 * after a lost server or process. The process gets one frame at a time. A newer frame waits until the process
 * has taken the last frame.
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type VideoSize, videoLimits } from "../../machines/streaming/live-video-limits.ts";
import {
  type PublisherOrder,
  type PublisherReport,
  packets,
  type VideoStatus,
} from "../../machines/streaming/video-publisher-process-messages.ts";
import { packetHeader } from "./video-publisher-packets.ts";

/** An HTTP proxy for the connection to the LiveKit server. */
export interface PublisherProxy {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

export interface PublisherOptions {
  /** The URL of the LiveKit server. */
  readonly url: string;
  /** Returns a token for each attempt to join the room, because tokens expire. */
  readonly token: () => Promise<string>;
  readonly video: VideoSize;
  readonly proxy: PublisherProxy | undefined;
  readonly paused: boolean;
  readonly changed: (status: VideoStatus) => void;
  /** Called when the number of viewers in the room may have changed. */
  readonly watched: () => void;
}

/**
 * Environment variables that the process needs to find its packages and certificate authorities. It gets no
 * setting of Cairn.
 */
const KEPT = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LD_LIBRARY_PATH",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "LIVEKIT_PREFERRED_HW_ENCODER",
];

export class Publisher {
  readonly #options: PublisherOptions;
  #child: ChildProcess | undefined;
  #status: VideoStatus = { state: "connecting" };
  #viewers = 0;
  #attempts = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #signs: ReturnType<typeof setInterval> | undefined;
  #paused: boolean;
  #isClosed = false;
  #frameDone: (() => void) | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#paused = options.paused;
    this.#signs = setInterval(() => this.#order({ type: "alive" }), videoLimits.signEvery);
    void this.#connect();
  }

  get status(): VideoStatus {
    return this.#status;
  }

  /**
   * Whether the publisher needs frames: the video is live and not paused, and a participant of the room can
   * see it.
   */
  get wantsFrames(): boolean {
    return this.#status.state === "live" && !this.#paused && this.#viewers > 0;
  }

  get viewers(): number {
    return this.#viewers;
  }

  /** The process id of the publisher process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#order({ type: paused ? "pause" : "resume" });
    this.#options.watched();
  }

  /**
   * Sends a frame to the publisher's process. Resolves when the next frame may be sent. While there is no
   * viewer, frames are dropped.
   */
  async show(jpeg: Uint8Array): Promise<void> {
    if (!this.wantsFrames || this.#frameDone) return;
    await new Promise<void>((resolve) => {
      this.#frameDone = resolve;
      this.#send(packets.frame, jpeg);
    });
  }

  /** Sends a data message to the room while the publisher is in it. */
  tell(content: Uint8Array): void {
    if (this.#status.state === "live") this.#send(packets.data, content);
  }

  /** Joins the room again immediately with a new connection. */
  reconnect(): void {
    this.#attempts = 0;
    void this.#connect();
  }

  /** Leaves the room and ends the process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#signs);
    clearTimeout(this.#retry);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    this.#order({ type: "leave" });
    const timer = setTimeout(() => child.kill("SIGKILL"), videoLimits.leaveWithin);
    await ended;
    clearTimeout(timer);
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retry);
    const { url, token, video } = this.#options;
    this.#change({ state: this.#attempts === 0 ? "connecting" : "reconnecting" });
    try {
      const order: PublisherOrder = { type: "connect", url, token: await token(), video };
      if (this.#isClosed) return;
      this.#child ??= this.#spawn();
      if (this.#paused) this.#order({ type: "pause" });
      this.#order(order);
      // A publisher process that does not report in time is killed. The next attempt starts when the process
      // has ended.
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#child?.kill("SIGKILL"), videoLimits.answerWithin);
    } catch (error) {
      // No token could be created, or the process could not be started.
      this.#failed({ state: "failed", code: "video.unreachable", error: String(error) });
    }
  }

  #spawn(): ChildProcess {
    const module = fileURLToPath(new URL("./video-publisher-process.ts", import.meta.url));
    const child = spawn(process.execPath, [module], {
      // The process has its own process group. So Ctrl-C in a terminal stops only Cairn itself, which then
      // leaves the room in order.
      detached: true,
      stdio: ["pipe", "ignore", "ignore", "pipe"],
      env: this.#environment(),
    });
    // Frames that are written while the process ends are lost. The error is ignored.
    child.stdin?.on("error", () => {});
    child.on("error", () => this.#lost(child));
    child.on("exit", () => this.#lost(child));
    let rest = "";
    // The option `stdio` makes this file descriptor a pipe, so the cast is safe.
    const reports = child.stdio[3] as Readable;
    reports.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      // `video-publisher-process.ts` wrote this JSON, so the cast is safe.
      for (const line of lines) if (this.#child === child) this.#take(JSON.parse(line) as PublisherReport);
    });
    return child;
  }

  #environment(): Record<string, string> {
    const kept = KEPT.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const { proxy } = this.#options;
    if (!proxy) return Object.fromEntries(kept);
    const address = new URL(proxy.server);
    address.username = proxy.username;
    address.password = proxy.password;
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
    return Object.fromEntries([...kept, ...names.map((name) => [name, address.href] as const)]);
  }

  #take(report: PublisherReport): void {
    switch (report.type) {
      case "done":
        this.#finishFrame();
        return;
      case "viewers":
        this.#viewers = Math.max(report.count, report.subscribed ? 1 : 0);
        this.#options.watched();
        return;
      case "live":
        this.#attempts = 0;
        clearTimeout(this.#retry);
        this.#change({ state: "live" });
        this.#options.watched();
        return;
      case "reconnecting":
        this.#attempts += 1;
        this.#change({ state: "reconnecting" });
        this.#retryAfter(videoLimits.reconnectWithin);
        return;
      case "failed":
        this.#failed({ state: "failed", code: report.code, error: report.message });
        return;
      case "ended":
        this.#finishFrame();
        clearTimeout(this.#retry);
        this.#viewers = 0;
        this.#change({ state: "ended", code: report.code, error: report.message });
        return;
    }
  }

  #lost(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#finishFrame();
    this.#viewers = 0;
    if (this.#isClosed) return;
    this.#failed({
      state: "failed",
      code: "video.publisher_lost",
      error: `The publisher's process has ended (${child.signalCode ?? child.exitCode ?? "it could not be started"}).`,
    });
  }

  #failed(status: VideoStatus): void {
    this.#finishFrame();
    const pause = Math.min(videoLimits.retryMost, videoLimits.retryFirst * 2 ** this.#attempts);
    this.#attempts += 1;
    this.#change(status);
    this.#retryAfter(status.code === "video.refused" ? videoLimits.retryRefused : pause);
  }

  #retryAfter(pause: number): void {
    clearTimeout(this.#retry);
    if (!this.#isClosed) this.#retry = setTimeout(() => void this.#connect(), pause);
  }

  #finishFrame(): void {
    const done = this.#frameDone;
    this.#frameDone = undefined;
    done?.();
  }

  #change(status: VideoStatus): void {
    this.#status = status;
    if (!this.#isClosed) this.#options.changed(status);
  }

  #order(order: PublisherOrder): void {
    this.#send(packets.order, new TextEncoder().encode(JSON.stringify(order)));
  }

  #send(kind: number, content: Uint8Array): void {
    const input = this.#child?.stdin;
    if (!input?.writable) return;
    input.write(packetHeader(kind, content.length));
    input.write(content);
  }
}
