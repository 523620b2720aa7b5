/** Limits of the actor runtime: bus, mailboxes, steps, sends, activations, timers, workers, asks. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const busLimits = {
  /** The oldest nats-server that has everything that is needed. */
  oldestServer: "2.9.0",
  /** Bytes that it must take as one message: the largest pieces of replies and of the store's bytes, and what is about them. */
  smallestPayload: 513 * 1_024,
  /** A start waits this long for a NATS server that does not answer yet … */
  startPatience: 10 * SECOND,
  /** … and, once its workers run, so long for one that went away meanwhile, to be known to the other nodes … */
  joinPatience: 60 * SECOND,
  /** … and a connection that was lost is tried again this often, for ever. */
  reconnectEvery: 250,
  /** A silent connection is asked for a sign of life this often; the second one missed ends it. */
  pingEvery: 5 * SECOND,
  /** How long an answer of JetStream may take before it is asked again. */
  jetStreamPatience: 5 * SECOND,
  /** A stream or bucket that another node makes at the same moment is looked for again so long … */
  makePatience: 5 * SECOND,
  /** … and this often. */
  makeAgain: 100,
  /** A command that finds no broker waits this long for it before its sender is told. */
  enqueuePatience: 10 * SECOND,
  /** Within this the broker takes a command's id for a repetition; the actors remember for longer. */
  dedupe: MINUTE,
  /**
   * The shards share so many streams. nats-server 2.9 has each consumer of a stream look at all that waits in it, and
   * each stream costs a little of its own: with 8 it spends about half of what it does with one.
   */
  streams: 8,
  /** Commands of one shard that its owner has and has not acknowledged; the rest wait at the broker. */
  unacknowledged: 512,
  /**
   * The broker gives an unacknowledged command again after this. Never needed (whoever takes a shard is given
   * everything anew), so it is far longer than a command may wait for a store that is away.
   */
  acknowledgeWithin: 60 * MINUTE,
  /** The broker says this often of an idle shard that it still serves it … */
  heartbeatEvery: 3 * SECOND,
  /** … and one of which it has said nothing for so many of these times is read anew, as after the broker was away. */
  heartbeatsMissed: 2,
  /** Actors whose subjects a sender of commands keeps, some 200 bytes each; beyond that it begins anew. */
  knownSubjects: 10_000,
  /** A reply of more bytes is kept where it was made and fetched … */
  inlineBytes: 16 * 1_024,
  /** … in pieces of this … */
  pieceBytes: 512 * 1_024,
  /** … within this … */
  keptFor: 30 * SECOND,
  /** … and when all that is kept is more than this, the oldest is dropped. */
  keptBytes: 64 * 1_024 * 1_024,
  /** Who is silent about what it has subscribed to for three times this hears no events any more. */
  tellInterestEvery: 20 * SECOND,
  /** Until then a new member of the bus does not know what others hear, and sends everything. */
  learnInterestWithin: 2 * SECOND,
  /** Replies kept for a broker that is away; more are lost, and their askers ask again. */
  heldReplies: 10_000,
} as const;

export const bytesLimits = {
  /** Bytes of one message of a larger request or answer; a broker carries a megabyte. */
  pieceBytes: 512 * 1_024,
  /** Calls of one client that are on their way or being answered … */
  underWay: 64,
  /** … and calls that wait for that; more are refused. */
  waiting: 4_096,
  /** A call without an answer fails after this. */
  answerWithin: MINUTE,
  /** A request that is not complete after this never will be. */
  piecesWithin: 10 * SECOND,
  /** A server that holds so many bytes of requests refuses more. */
  heldBytes: 64 * 1_024 * 1_024,
} as const;

export const mailboxLimits = {
  /** Commands waiting for one actor; one more is `actor.mailbox_full`. */
  capacity: 1_024,
  /** Commands cancelled before they came that an actor knows. */
  cancelledAhead: 128,
  /** Characters kept of what came over a bus and is no message. */
  unreadableKept: 10_000,
  /** Commands of one actor taken into one step batch, hence one commit. */
  batch: 32,
} as const;

export const stepLimits = {
  /** Times a message may make its step throw before it goes to the dead letters. */
  attempts: 3,
  /**
   * Command ids (with their replies) an actor remembers, so that a retry gets the first answer. Several times
   * `mailbox.batch`: after a crash whole batches that were committed are delivered again.
   */
  rememberedCommands: 128,
  /** Sending actors whose last send an actor remembers; the longest silent are forgotten first. */
  rememberedSenders: 256,
} as const;

export const sendLimits = {
  /** A send of one actor to another that nobody answered is repeated after this. */
  repeatAfter: 30 * SECOND,
  /** Tries of a send whose target was stored by a newer Cairn before its sender is told: about half a minute. */
  newerVersionAttempts: 12,
} as const;

export const activationLimits = {
  /** An idle actor is passivated after this. */
  idle: 60 * SECOND,
  /** Actors one worker keeps in memory; over it the longest idle go first … */
  resident: 10_000,
  /** … this share of them at once, since choosing them means looking at all. */
  evictedAtOnce: 1 / 10,
  /** Events of its own that an actor in memory can show. */
  recentEvents: 20,
  /** Crashes of one actor before it is parked … */
  maxCrashes: 5,
  /** … within this. */
  crashWindow: MINUTE,
} as const;

export const timerLimits = {
  /** Timers further away stay in the store only; the store is read again this often. */
  horizon: 30 * SECOND,
} as const;

export const workerLimits = {
  /** Respawns of a worker before the node gives up … */
  maxCrashes: 5,
  /** … within this. */
  crashWindow: MINUTE,
  /** First pause before a respawn; doubles, up to `maxBackoff`. */
  backoff: 100,
  maxBackoff: 10 * SECOND,
  /** A worker that does not report ready in this time is started again. */
  readyWithin: 30 * SECOND,
  /** How long one waits for what a worker says of itself. */
  reportWithin: 2 * SECOND,
  /** How long a worker may finish what is under way when it is told to stop … */
  grace: 10 * SECOND,
  /** … and how often it looks whether it has. */
  drainPoll: 5,
} as const;

export const metricsLimits = {
  /** Upper bounds of the buckets of durations, in seconds: from a step in memory to a store that is slow. */
  seconds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
} as const;

export const askLimits = {
  /** The caller's patience when it names none. */
  timeout: 30 * SECOND,
  /** A command is run this much after its caller's patience ended, at most: the clocks of nodes differ. */
  lateBy: SECOND,
  /** How long somebody is looked for who can still cancel a command. */
  cancelWithin: 2 * SECOND,
  /** Between two looks at work that goes on after its command was acknowledged. */
  lookAgain: 20,
} as const;
