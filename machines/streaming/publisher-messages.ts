/**
 * The messages between a process that publishes video and its owner. Orders, frames and data are sent to the
 * process as packets. Its reports are sent back as lines of JSON.
 */
import type { VideoSize } from "./limits.ts";

/** The kinds of packets. The first byte of a packet is its kind. */
export const packets = { order: 1, frame: 2, data: 3 } as const;

export type PublisherOrder =
  | { readonly type: "connect"; readonly url: string; readonly token: string; readonly video: VideoSize }
  | { readonly type: "pause" | "resume" | "leave" | "alive" };

export type PublisherReport =
  /** The video track is published, for the first time or after a lost connection. */
  | { readonly type: "live" }
  /** The connection is lost, and the client reconnects by itself. */
  | { readonly type: "reconnecting" }
  | { readonly type: "failed"; readonly code: VideoFailure; readonly message: string }
  /**
   * The server ended the connection for a permanent reason, so the publisher does not try to connect again.
   */
  | { readonly type: "ended"; readonly code: VideoFailure; readonly message: string }
  /** The other visible participants of the room, and whether any of them has subscribed to the track. */
  | { readonly type: "viewers"; readonly count: number; readonly subscribed: boolean }
  /** The frame was processed, so the next one may be sent. */
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
