/** Limits of the video of a session in a LiveKit room. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const videoLimits = {
  /** Quality of the JPEG that Chromium makes of a frame. Text is sharp at 80, and H.264 is the next loss. */
  quality: 80,
  /** A larger viewport is scaled down: OpenH264 encodes no larger picture. */
  width: 3_840,
  height: 2_160,
  /** Bits for a pixel of a frame: 2.5 Mbit/s for 1280x720 at 10 frames a second, sharp text while scrolling. */
  bitsPerPixel: 0.27,
  /** Bits a second that are enough for any size. */
  bitrate: 8_000_000,
  /**
   * Repetition of the picture of a still page. An encoder makes a key frame for a new viewer only of a new
   * frame; a repeated one costs about 10 ms of CPU.
   */
  repeatEvery: SECOND,
  /** A viewer that has just joined gets repeated pictures at this interval, for this time. */
  repeatForNewEvery: 200,
  repeatForNewWithin: 3 * SECOND,
  /** Interval at which the publisher examines what it has to repeat. */
  tick: 100,
  /** The owner's sign of life; the publisher ends without one, in case its owner hangs or was stopped. */
  signEvery: 2 * SECOND,
  silentAfter: 15 * SECOND,
  /** The connection to a LiveKit server, with its retries inside of the client. */
  connectWithin: 15 * SECOND,
  /** A client that has not reconnected by itself after this long gets a new connection. */
  reconnectWithin: 6 * SECOND,
  /** Pause before another attempt: doubled each time, up to the second value. */
  retryFirst: 500,
  retryMost: 4 * SECOND,
  /** An attempt that was refused, such as for an expired token, is rarely better soon. */
  retryRefused: 30 * SECOND,
  /** Time to leave the room in good order before the publisher is killed. */
  leaveWithin: 2 * SECOND,
  /** LiveKit's limit for a reliable data message is 15 KiB, with its header. */
  dataLength: 15_000,
  /** Validity of an access token. It is needed to connect only. */
  tokenFor: "10m",
  /** Pause of the frame loop while there is nothing to show, such as between two tabs. */
  idlePause: 250,
} as const;

/** Topic of the data messages that carry the events of the browser. */
export const EVENTS_TOPIC = "browser:events";

/** Bits a second for a picture of this size. */
export function bitrateOf({ width, height, fps }: VideoSize): number {
  return Math.min(videoLimits.bitrate, Math.round(width * height * fps * videoLimits.bitsPerPixel));
}

export interface VideoSize {
  readonly width: number;
  readonly height: number;
  /** Frames a second at most. */
  readonly fps: number;
}

/** The largest picture of a viewport that can be encoded: even sides, the same proportions. */
export function videoSizeOf(
  viewport: { readonly width: number; readonly height: number },
  fps: number,
): VideoSize {
  const scale = Math.min(1, videoLimits.width / viewport.width, videoLimits.height / viewport.height);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(viewport.width), height: even(viewport.height), fps };
}
