/**
 * Limits of the video of a session in a LiveKit room. In milliseconds and bytes unless a name says otherwise.
 */
import { SECOND } from "../units.ts";

export const videoLimits = {
  /**
   * Quality of the JPEG of each frame that Chromium makes. At 80, text is sharp, and the H.264 encoder loses
   * more.
   */
  quality: 80,
  /**
   * Maximum size of the picture. A larger viewport is scaled down, because OpenH264 encodes no larger
   * picture.
   */
  width: 3_840,
  height: 2_160,
  /**
   * Bit rate for each pixel of a frame. It gives 2.5 Mbit/s for 1280x720 at 10 frames per second, with sharp
   * text while scrolling.
   */
  bitsPerPixel: 0.27,
  /** Maximum bit rate in bits per second. It suffices for any size. */
  bitrate: 8_000_000,
  /**
   * Interval at which the picture of a still page is repeated. An encoder makes a key frame for a new viewer
   * only from a new frame, and a repeated frame costs about 10 ms of CPU time.
   */
  repeatEvery: SECOND,
  /** For some seconds after a viewer has joined, the picture is repeated at this shorter interval. */
  repeatForNewEvery: 200,
  repeatForNewWithin: 3 * SECOND,
  /** Interval at which the publisher checks whether it has to repeat a picture. */
  tick: 100,
  /**
   * Interval at which the owner notifies its publisher that it runs. Without it the publisher ends, in case
   * its owner hangs or was stopped.
   */
  signEvery: 2 * SECOND,
  silentAfter: 15 * SECOND,
  /** Time limit for connecting to a LiveKit server, including the client's own retries. */
  connectWithin: 15 * SECOND,
  /** A client that has not reconnected by itself after this time gets a new connection. */
  reconnectWithin: 6 * SECOND,
  /** Pause before another attempt to connect. It doubles each time, up to the second value. */
  retryFirst: 500,
  retryMost: 4 * SECOND,
  /**
   * Longer pause after an attempt that was refused, for example for an expired token, because it rarely
   * succeeds soon after.
   */
  retryRefused: 30 * SECOND,
  /** Time for leaving the room properly, before the publisher is killed. */
  leaveWithin: 2 * SECOND,
  /** Maximum size of a data message. LiveKit's limit for a reliable one is 15 KiB including its header. */
  dataLength: 15_000,
  /** Validity of an access token. The token is only needed to connect. */
  tokenFor: "10m",
  /** Pause of the loop that sends frames while there is nothing to show, such as between two tabs. */
  idlePause: 250,
} as const;

/** Topic of the data messages that contain the events of the browser. */
export const EVENTS_TOPIC = "browser:events";

/** The bit rate for a picture of this size, in bits per second. */
export function bitrateOf({ width, height, fps }: VideoSize): number {
  return Math.min(videoLimits.bitrate, Math.round(width * height * fps * videoLimits.bitsPerPixel));
}

export interface VideoSize {
  readonly width: number;
  readonly height: number;
  /** Maximum number of frames per second. */
  readonly fps: number;
}

/** The largest size of a viewport's picture that can be encoded, with even sides and the same proportions. */
export function videoSizeOf(
  viewport: { readonly width: number; readonly height: number },
  fps: number,
): VideoSize {
  const scale = Math.min(1, videoLimits.width / viewport.width, videoLimits.height / viewport.height);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(viewport.width), height: even(viewport.height), fps };
}
