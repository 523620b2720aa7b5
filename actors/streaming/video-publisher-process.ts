/**
 * The process that publishes one browser in a LiveKit room. It reads packets from stdin, and ends when stdin
 * ends or when its owner sends nothing for some time. LiveKit's client and the JPEG decoder are native code,
 * so a native crash ends only this process.
 */
import { writeSync } from "node:fs";
import process from "node:process";
import type { Room, VideoFrame, VideoSource } from "@livekit/rtc-node";
import {
  bitrateOf,
  EVENTS_TOPIC,
  type VideoSize,
  videoLimits,
} from "../../machines/streaming/live-video-limits.ts";
import {
  type PublisherOrder,
  type PublisherReport,
  packets,
  type VideoFailure,
} from "../../machines/streaming/video-publisher-process-messages.ts";
import { INSTALL, missingPackages } from "./check-livekit-packages-installed.ts";
import { PacketReader } from "./video-publisher-packets.ts";

/**
 * The file descriptor for reports to the owner. stdout and stderr are not used, because the native packages
 * write there.
 */
const REPORTS = 3;

function report(message: PublisherReport): void {
  writeSync(REPORTS, `${JSON.stringify(message)}\n`);
}

const packages = async () => {
  const [livekit, { default: sharp }] = await Promise.all([import("@livekit/rtc-node"), import("sharp")]);
  // The library sharp decodes one frame at a time here, and no image twice. So its concurrency and its cache
  // are turned off.
  sharp.concurrency(1);
  sharp.cache(false);
  return { livekit, sharp };
};
type Packages = Awaited<ReturnType<typeof packages>>;

class Publication {
  readonly #packages: Packages;
  readonly #url: string;
  readonly #token: string;
  readonly #video: VideoSize;
  readonly #source: VideoSource;
  readonly #room: Room;
  #last: VideoFrame | undefined;
  #captured = 0;
  /** Time at which LiveKit's client was last seen to have the video track, a `performance.now()` value. */
  #trackSeen = 0;
  /**
   * Until this time (a `performance.now()` value), the process assumes that a new viewer waits for its first
   * frame.
   */
  #expected = 0;
  #subscribed = false;
  #isLive = false;
  /** Whether `connect` is running. */
  #isJoining = false;
  #left = false;
  /** Settles when joining the room has succeeded or failed, which can be long after `connect` has given up. */
  #joined: Promise<unknown> = Promise.resolve();
  #leaving: Promise<void> | undefined;
  paused = false;

  constructor(
    { livekit, sharp }: Packages,
    { url, token, video }: Extract<PublisherOrder, { type: "connect" }>,
  ) {
    this.#packages = { livekit, sharp };
    this.#url = url;
    this.#token = token;
    this.#video = video;
    this.#source = new livekit.VideoSource(video.width, video.height);
    this.#room = new livekit.Room();
  }

  /** Whether this publication is joining the room, and was not ordered to leave it. */
  get isJoining(): boolean {
    return this.#isJoining && !this.#left;
  }

  async connect(): Promise<void> {
    this.#isJoining = true;
    try {
      await this.#connect();
    } finally {
      this.#isJoining = false;
    }
  }

  async #connect(): Promise<void> {
    const { RoomEvent, LocalVideoTrack, TrackPublishOptions, TrackSource, VideoCodec } =
      this.#packages.livekit;
    const room = this.#room;
    const viewersChanged = (): void => this.#viewersChanged();
    room
      .on(RoomEvent.ParticipantConnected, viewersChanged)
      .on(RoomEvent.ParticipantDisconnected, viewersChanged)
      .on(RoomEvent.LocalTrackSubscribed, () => {
        this.#subscribed = true;
        viewersChanged();
      })
      .on(RoomEvent.Reconnecting, () => {
        this.#isLive = false;
        this.#report({ type: "reconnecting" });
      })
      .on(RoomEvent.Reconnected, () => this.#live())
      .on(RoomEvent.Disconnected, (reason) => {
        this.#isLive = false;
        this.#report(this.#ended(reason));
      });
    try {
      const joined = room.connect(this.#url, this.#token, { autoSubscribe: false, dynacast: false });
      // The error of a failed join is reported below.
      this.#joined = joined.catch(() => {});
      await withinTime(joined, videoLimits.connectWithin);
      const track = LocalVideoTrack.createVideoTrack("browser", this.#source);
      const options = new TrackPublishOptions({
        source: TrackSource.SOURCE_SCREENSHARE,
        videoCodec: VideoCodec.H264,
        simulcast: false,
        videoEncoding: {
          maxBitrate: BigInt(bitrateOf(this.#video)),
          maxFramerate: this.#video.fps,
        },
      });
      if (!room.localParticipant) throw new Error("The room has no local participant.");
      await withinTime(room.localParticipant.publishTrack(track, options), videoLimits.connectWithin);
    } catch (error) {
      const message = this.#withoutToken(error);
      this.#report({
        type: "failed",
        code: /\b40[13]\b|unauthori[sz]ed|permission|token/i.test(message)
          ? "video.refused"
          : "video.unreachable",
        message,
      });
      await this.leave();
      return;
    }
    this.#live();
  }

  /** Decodes a JPEG and publishes it as the next frame of the video. */
  async frame(jpeg: Uint8Array): Promise<void> {
    if (!this.#isLive || this.paused) return;
    const { livekit, sharp } = this.#packages;
    const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    this.#last = new livekit.VideoFrame(data, info.width, info.height, livekit.VideoBufferType.RGB24);
    this.#capture();
  }

  /**
   * Publishes the last frame again when it was published too long ago. New viewers need a frame even if the
   * page does not change.
   */
  tick(): void {
    if (!this.#last || !this.#isWatched() || this.paused) return;
    const now = performance.now();
    const every = now < this.#expected ? videoLimits.repeatForNewEvery : videoLimits.repeatEvery;
    if (now - this.#captured >= every) this.#capture();
  }

  /**
   * Reports that the video has failed if LiveKit's client has lost the video track; the owner then orders a
   * new connection. This check is needed, because the client may reconnect to a restarted server without the
   * track, and then reports only that it is connected.
   */
  async checkTrack(): Promise<void> {
    if (!this.#isLive) return;
    const hasTrack = await sendsVideo(this.#room);
    const now = performance.now();
    if (hasTrack) this.#trackSeen = now;
    if (!this.#isLive || now - this.#trackSeen < videoLimits.trackLostAfter) return;
    this.#isLive = false;
    const message = "LiveKit's client has lost the video track.";
    this.#report({ type: "failed", code: "video.disconnected", message });
  }

  async data(content: Uint8Array): Promise<void> {
    if (this.#isLive)
      await this.#room.localParticipant?.publishData(content, { reliable: true, topic: EVENTS_TOPIC });
  }

  /**
   * Leaves the room, even if the join is still running. Waits at most `leaveWithin`, because a hanging server
   * would delay the next connection. All callers wait for the same leave.
   */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    this.#left = true;
    this.#isLive = false;
    const left = this.#joined.then(() => this.#room.disconnect());
    keepAsEarlier(this, left);
    // The error is ignored: the room was never joined, it has ended, or the server does not answer.
    await withinTime(left, videoLimits.leaveWithin).catch(() => {});
    // Leaving the room frees the video source only if the source was published, so it is closed here in every
    // case.
    await this.#source.close().catch(() => {});
  }

  #capture(): void {
    if (!this.#last || !this.#isLive) return;
    this.#captured = performance.now();
    this.#source.captureFrame(this.#last, BigInt(Math.round(this.#captured * 1_000)));
  }

  #live(): void {
    if (this.#left) return;
    this.#isLive = true;
    this.#trackSeen = performance.now();
    this.#report({ type: "live" });
    this.#viewersChanged();
  }

  /**
   * Sends a report to the owner process. A publication that has left its room sends no reports, because a
   * newer publication sends them.
   */
  #report(message: PublisherReport): void {
    if (!this.#left) report(message);
  }

  #viewersChanged(): void {
    this.#expected = performance.now() + videoLimits.repeatForNewWithin;
    this.#report({
      type: "viewers",
      count: this.#room.remoteParticipants.size,
      subscribed: this.#subscribed,
    });
  }

  #isWatched(): boolean {
    return this.#subscribed || this.#room.remoteParticipants.size > 0;
  }

  #ended(reason: unknown): PublisherReport {
    const { DisconnectReason } = this.#packages.livekit;
    if (reason === DisconnectReason.DUPLICATE_IDENTITY && earlier.size > 0)
      return {
        type: "failed",
        code: "video.disconnected",
        message: "An earlier connection of this browser has joined the room late.",
      };
    const final: readonly (readonly [unknown, VideoFailure, string])[] = [
      [
        DisconnectReason.DUPLICATE_IDENTITY,
        "video.replaced",
        "Another participant with the same identity has joined the room.",
      ],
      [DisconnectReason.PARTICIPANT_REMOVED, "video.removed", "The browser was removed from the room."],
      [DisconnectReason.ROOM_DELETED, "video.room_ended", "The room was ended."],
    ];
    const found = final.find(([known]) => known === reason);
    if (found)
      return { type: "ended", code: found[1], message: `${found[2]} recover_browser_session joins again.` };
    return {
      type: "failed",
      code: "video.disconnected",
      message: `The LiveKit server ended the connection (reason ${String(reason)}).`,
    };
  }

  #withoutToken(error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    return text
      .replaceAll(this.#token, "********")
      .replace(/(access_token=)[^&\s"]+/g, "$1********")
      .slice(0, 300);
  }
}

/** Returns whether a room's client has a stream for sending video, even if it currently sends no picture. */
async function sendsVideo(room: Room): Promise<boolean> {
  const { publisherStats } = await room.getRtcStats();
  return publisherStats.some(({ stats }) => stats.case === "outboundRtp");
}

async function withinTime<Result>(work: Promise<Result>, limit: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The LiveKit server did not answer in time.")), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Publications that were ordered to leave the room. A slow server may still complete the join of such a
 * publication. It then removes the current publication from the room, because both have the same identity.
 */
const earlier = new Set<Publication>();

function keepAsEarlier(publication: Publication, left: Promise<void>): void {
  earlier.add(publication);
  const forget = (): unknown => setTimeout(() => earlier.delete(publication), videoLimits.lateRemovalWithin);
  left.then(forget, forget);
}

let publication: Publication | undefined;
/** The latest order to connect to a room. It replaces an order that has not been carried out yet. */
let newest: PublisherOrder | undefined;
let paused = false;
let signed = performance.now();

async function follow(order: PublisherOrder): Promise<void> {
  switch (order.type) {
    case "alive":
      return;
    case "pause":
    case "resume":
      paused = order.type === "pause";
      if (publication) publication.paused = paused;
      return;
    case "leave":
      // The end of the process also ends a join that is still running.
      if (!publication?.isJoining) await publication?.leave();
      process.exit(0);
      return;
    case "connect": {
      // A join is already running, and it makes a new connection too. A second join would collide with it.
      if (publication?.isJoining) return;
      newest = order;
      await publication?.leave();
      const missing = missingPackages();
      if (missing.length > 0) {
        const message = `${missing.join(" and ")} not installed. Run \`${INSTALL}\` where this Cairn is installed.`;
        report({ type: "ended", code: "video.not_installed", message });
        return;
      }
      const loaded = await packages();
      if (newest !== order) return;
      publication = new Publication(loaded, order);
      publication.paused = paused;
      await publication.connect();
      return;
    }
  }
}

async function handle(kind: number, content: Uint8Array): Promise<void> {
  switch (kind) {
    case packets.order:
      // The owner sent this JSON, so the cast is safe.
      return await follow(JSON.parse(new TextDecoder().decode(content)) as PublisherOrder);
    case packets.data:
      return await publication?.data(content);
    case packets.frame:
      try {
        return await publication?.frame(content);
      } finally {
        report({ type: "done" });
      }
  }
}

const reader = new PacketReader((kind, content) => {
  signed = performance.now();
  // An error in one packet does not end the process. For example, a packet may contain data for a connection
  // that was just closed.
  handle(kind, content).catch((error) => process.stderr.write(`${String(error)}\n`));
});
process.stdin.on("data", (chunk: Uint8Array) => reader.push(chunk));
process.stdin.on("end", () => process.exit(0));
setInterval(() => {
  if (performance.now() - signed > videoLimits.silentAfter) process.exit(1);
  publication?.tick();
}, videoLimits.tick);
setInterval(() => {
  // The check fails if the connection ends during the check. Another event reports this end.
  publication?.checkTrack().catch((error) => process.stderr.write(`${String(error)}\n`));
}, videoLimits.trackCheckEvery);
