/**
 * The messages between the process that publishes a session's video and its owner process. The owner sends
 * commands, frames and data as packets. The publisher sends its reports as lines of JSON.
 */
import type { VideoSize } from "./live-video-limits.ts";

/**
 * The kinds of packets that the owner process sends to the process that publishes a session's video. The first byte
 * of a packet is its kind.
 */
export const packets = { order: 1, frame: 2, data: 3 } as const;

export type PublisherOrder =
  | { readonly type: "connect"; readonly url: string; readonly token: string; readonly video: VideoSize }
  | { readonly type: "pause" | "resume" | "leave" | "alive" };

export type PublisherReport =
  /** The video track is published, for the first time or after a lost connection. */
  | { readonly type: "live" }
  /** The connection was lost, and the LiveKit client is reconnecting by itself. */
  | { readonly type: "reconnecting" }
  | { readonly type: "failed"; readonly code: VideoFailure; readonly message: string }
  /** The server has ended the connection for a permanent reason. The publisher does not connect again. */
  | { readonly type: "ended"; readonly code: VideoFailure; readonly message: string }
  /**
   * `count`: number of visible participants in the room besides the publisher. `subscribed`: whether at least
   * one of them receives the video track.
   */
  | { readonly type: "viewers"; readonly count: number; readonly subscribed: boolean }
  /** The publisher process has processed a frame and can receive the next frame. */
  | { readonly type: "done" };

export const videoFailures = [
  "video.not_installed",
  "video.unreachable",
  "video.refused",
  "video.disconnected",
  "video.publisher_lost",
  "video.replaced",
  "video.removed",
  "video.room_ended",
  "video.secret_unreadable",
] as const;
export type VideoFailure = (typeof videoFailures)[number];

export const videoStates = ["connecting", "live", "reconnecting", "failed", "ended"] as const;
export type VideoState = (typeof videoStates)[number];

export interface VideoStatus {
  readonly state: VideoState;
  readonly code?: VideoFailure;
  readonly error?: string;
}
