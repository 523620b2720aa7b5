/**
 * The video of a live session in its LiveKit room. It gives the frames of the live view to a publisher
 * process, and sends the session's events as data messages. Frames are made only while the room has a viewer,
 * and a failure of the video never ends the session.
 */
import { setTimeout as pause } from "node:timers/promises";
import { asCairnError } from "../../machines/errors.ts";
import type { UnnumberedEvent } from "../../machines/session/build-session-events.ts";
import type { BrowseOrder } from "../../machines/session/session-machine.ts";
import type { BrowserContextInfo } from "../../machines/session/session-protocol.ts";
import { type VideoSize, videoLimits, videoSizeOf } from "../../machines/streaming/live-video-limits.ts";
import type { VideoStatus } from "../../machines/streaming/video-publisher-process-messages.ts";
import type { BrowserSession } from "../browser/index.ts";
import type { EgressProxy } from "../egress/index.ts";
import type { Log } from "../runtime/index.ts";
import type { Secrets } from "../secrets/secret-store.ts";
import { Publisher } from "../streaming/index.ts";
import {
  type LiveKitAccess,
  type LiveKitSettings,
  openAccess,
  secretsOf,
  tokenFor,
} from "./livekit-credentials.ts";
import type { RoomEvents } from "./session-event-publisher.ts";

/** The services that all session videos of a worker use. */
export interface VideoServices {
  readonly settings: LiveKitSettings;
  /** Returns the proxy that checks the addresses of servers which callers named. */
  readonly proxy: () => Promise<EgressProxy>;
}

export interface RoomVideoParts {
  readonly room: string;
  readonly order: BrowseOrder;
  readonly session: BrowserSession;
  readonly events: RoomEvents;
  readonly secrets: Secrets;
  readonly video: VideoServices;
  readonly log: Log;
}

export class RoomVideo {
  readonly #parts: RoomVideoParts;
  readonly #size: VideoSize;
  #publisher: Publisher | undefined;
  #status: VideoStatus = { state: "connecting" };
  #paused: boolean;
  #hasStarted = false;
  #isClosed = false;
  /** The failure that was reported last by an event. It is cleared when the video is live again. */
  #reported: string | undefined;
  #unlisten: () => void = () => {};
  /** Wakes the loop that takes frames, because a viewer may need frames now. */
  #wake: () => void = () => {};

  private constructor(parts: RoomVideoParts, fps: number) {
    const { options, video_paused, restore } = parts.order;
    this.#parts = parts;
    this.#size = videoSizeOf({ width: options.viewport_width, height: options.viewport_height }, fps);
    this.#paused = video_paused;
    this.#hasStarted = restore !== null;
  }

  /**
   * Starts the video of a session, if the session has one. Joining the LiveKit room continues in the
   * background.
   */
  static start(parts: RoomVideoParts): RoomVideo | undefined {
    const { livekit } = parts.order.options;
    if (!livekit) return undefined;
    const video = new RoomVideo(parts, livekit.fps);
    void video.#begin();
    return video;
  }

  get report(): NonNullable<BrowserContextInfo["video"]> {
    return { ...this.#status, viewers: this.#publisher?.viewers ?? 0 };
  }

  reconnect(): void {
    if (this.#publisher) this.#publisher.reconnect();
    else if (!this.#isClosed) void this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unlisten();
    this.#wake();
    await this.#publisher?.close();
  }

  async #begin(): Promise<void> {
    const { room, events, session } = this.#parts;
    // The video listens to the session's events before the publisher starts, because the first events may
    // already pause the session. It replaces an earlier listener.
    this.#unlisten();
    this.#unlisten = events.listen(room, (event) => this.#heard(event));
    try {
      const access = await this.#access();
      session.resources.redactor.add(...secretsOf(access));
      const proxy = access.isForeign ? await this.#parts.video.proxy() : undefined;
      if (this.#isClosed) return;
      this.#publisher = new Publisher({
        url: access.url,
        token: () => tokenFor(room, access),
        video: this.#size,
        proxy,
        paused: this.#paused,
        changed: (status) => this.#changed(status),
        watched: () => this.#wake(),
      });
    } catch (error) {
      this.#changed({ state: "ended", code: "video.secret_unreadable", error: asCairnError(error).message });
      return;
    }
    await this.#showFrames(this.#publisher);
  }

  async #access(): Promise<LiveKitAccess> {
    const { room, order, video, secrets } = this.#parts;
    const access =
      order.options.livekit && (await openAccess(room, order.options.livekit, { ...video, secrets }));
    if (!access) throw new Error("LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET are no longer set.");
    return access;
  }

  /**
   * Passes frames to the publisher at the requested rate while there are viewers. When the publisher is slow,
   * frames are skipped.
   */
  async #showFrames(publisher: Publisher): Promise<void> {
    const { width, height, fps } = this.#size;
    const interval = 1_000 / fps;
    let after = 0;
    let showing: Promise<void> = Promise.resolve();
    while (!this.#isClosed) {
      if (!publisher.wantsFrames) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (publisher.wantsFrames || this.#isClosed) resolve();
        });
        continue;
      }
      const next = performance.now() + interval;
      try {
        const frame = await this.#parts.session.liveView.frame({
          after,
          max_width: width,
          max_height: height,
          quality: videoLimits.quality,
          fps,
        });
        if (frame) {
          after = frame.seq;
          // The previous frame is awaited only at this point. So Chromium makes the next frame while the
          // publisher encodes the previous one.
          await showing;
          showing = publisher.show(Buffer.from(frame.data, "base64"));
        }
      } catch {
        // No frame could be taken, because no tab is open or the shown tab is closing. The loop tries again
        // after a pause; when the session has ended, the session closes this video.
        await pause(videoLimits.idlePause);
      }
      await pause(Math.max(0, next - performance.now()));
    }
  }

  #changed(status: VideoStatus): void {
    const { room, events, log } = this.#parts;
    const before = this.#status;
    this.#status = status;
    if (this.#isClosed) return;
    const { state, code, error } = status;
    if (state === "live" && !this.#hasStarted) {
      this.#hasStarted = true;
      events.emit("presentation_started", room, { session_id: room });
    }
    // If several attempts in a row fail with the same error code, only the first failure causes an event.
    const isRepeated =
      (state === "failed" && this.#reported === code) ||
      (state === "reconnecting" && this.#reported !== undefined);
    if (isRepeated || (state === before.state && code === before.code && state !== "connecting")) return;
    if (state === "live") this.#reported = undefined;
    events.emit("video_state", room, { state, ...(code ? { code } : {}), ...(error ? { error } : {}) });
    if (code === undefined) return;
    this.#reported = code;
    log("warn", "the video of a session failed", { room, code, error });
    events.emit("browser_error", room, { error: error ?? code, code });
  }

  /**
   * Sends an event of the session as a data message. An event about a pause or its end also pauses or resumes
   * the video.
   */
  #heard(event: UnnumberedEvent): void {
    if (event.type === "presentation_paused" || event.type === "presentation_resumed") {
      this.#paused = event.type === "presentation_paused";
      this.#publisher?.setPaused(this.#paused);
    }
    this.#publisher?.tell(dataMessage(event));
  }
}

/** Returns an event as a data message. The payload is removed from an event that is too long. */
function dataMessage(event: UnnumberedEvent): Uint8Array {
  const { data: _, ...flat } = event;
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const whole = encode(flat);
  if (whole.length <= videoLimits.dataLength) return whole;
  const { type, room_name, event_id, seq, timestamp, command_id } = event;
  return encode({ type, room_name, event_id, seq, timestamp, command_id, truncated: true });
}
