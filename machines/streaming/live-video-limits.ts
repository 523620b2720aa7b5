/**
 * Limits of the video of a session, which is published in a LiveKit room. Values are in milliseconds or bytes
 * unless a name says otherwise.
 */
import { SECOND } from "../time-and-size-units.ts";

export const videoLimits = {
  /**
   * JPEG quality (1 to 100) of the frames that Chromium makes. At 80, text is sharp; the H.264 encoder loses
   * more detail than that.
   */
  quality: 80,
  /**
   * Maximum width of the video in pixels. A larger viewport is scaled down, because OpenH264 cannot encode
   * larger pictures.
   */
  width: 3_840,
  /** Maximum height of the video in pixels, for the same reason as the maximum width. */
  height: 2_160,
  /**
   * Bits per pixel of each frame. It gives 2.5 Mbit/s for 1280x720 at 10 frames per second, so that text
   * stays sharp while scrolling.
   */
  bitsPerPixel: 0.27,
  /** Maximum bit rate in bits per second. Pictures of every size are sharp at this rate. */
  bitrate: 8_000_000,
  /**
   * Interval at which the picture of a page without changes is sent again. An encoder can make a key frame
   * for a new viewer only when it gets a frame. Sending a frame again costs about 10 ms of CPU time.
   */
  repeatEvery: SECOND,
  /**
   * For some seconds after a viewer has joined, the picture of an unchanged page is sent again at this shorter
   * interval.
   */
  repeatForNewEvery: 200,
  repeatForNewWithin: 3 * SECOND,
  /** Interval at which the publisher checks whether a picture must be sent again. */
  tick: 100,
  /** Interval at which the publisher checks whether LiveKit's client still has the video track. */
  trackCheckEvery: SECOND,
  /** A video without a track for this time connects again. */
  trackLostAfter: 3 * SECOND,
  /**
   * Interval at which the owner process reports to its publisher process that it is alive. Without such
   * reports, the publisher ends, because the owner then hangs or has ended.
   */
  signEvery: 2 * SECOND,
  silentAfter: 15 * SECOND,
  /** Time limit for connecting to a LiveKit server, including the client's own retries. */
  connectWithin: 15 * SECOND,
  /**
   * Time in which the publisher process must report that it is connected. Otherwise it is killed. In the worst case,
   * leaving the last LiveKit room, connecting and publishing take 32 s together.
   */
  answerWithin: 45 * SECOND,
  /** Time in which LiveKit's client may reconnect by itself. After it, a new connection is made. */
  reconnectWithin: 6 * SECOND,
  /** Pause before the next attempt to connect. The pause doubles with each attempt, up to `retryMost`. */
  retryFirst: 500,
  retryMost: 4 * SECOND,
  /**
   * Pause after the server has refused the connection, for example because of an expired token. It is longer
   * than the other pauses, because the next attempt rarely succeeds soon.
   */
  retryRefused: 30 * SECOND,
  /**
   * Time in which the publisher process must leave the LiveKit room. After it, the process is killed if the video has
   * ended; otherwise it connects again.
   */
  leaveWithin: 2 * SECOND,
  /**
   * A slow server may complete the join of an earlier connection only after that connection was closed. The
   * server then removes the current connection, because both have the same identity. A removal counts as caused
   * by the earlier connection if it is reported within this time after the earlier connection was closed.
   */
  lateRemovalWithin: 10 * SECOND,
  /**
   * Maximum size of a data message. LiveKit's limit for a reliable data message is 15 KiB including the
   * header.
   */
  dataLength: 15_000,
  /** Lifetime of an access token. The token is needed only while connecting. */
  tokenFor: "10m",
  /**
   * Interval in milliseconds at which the sender of frames checks whether there is a picture again. There is
   * none during a change of tabs, for example.
   */
  idlePause: 250,
} as const;

/** Topic of the LiveKit data messages that contain the browser's events. */
export const EVENTS_TOPIC = "browser:events";

/** Returns the bit rate for a picture of this size, in bits per second. */
export function bitrateOf({ width, height, fps }: VideoSize): number {
  return Math.min(videoLimits.bitrate, Math.round(width * height * fps * videoLimits.bitsPerPixel));
}

export interface VideoSize {
  readonly width: number;
  readonly height: number;
  /** Maximum number of frames per second. */
  readonly fps: number;
}

/**
 * Returns the largest size at which the picture of a viewport can be encoded, with even sides and the same
 * proportions.
 */
export function videoSizeOf(
  viewport: { readonly width: number; readonly height: number },
  fps: number,
): VideoSize {
  const scale = Math.min(1, videoLimits.width / viewport.width, videoLimits.height / viewport.height);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(viewport.width), height: even(viewport.height), fps };
}
