/**
 * Limits of the actor runtime: bus, mailboxes, steps, sends, activations, timers, workers, asks. Milliseconds
 * and bytes unless a name says otherwise.
 */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const busLimits = {
  /** The oldest nats-server with all required features. */
  oldestServer: "2.9.0",
  /** Minimum `max_payload` of the broker: the largest piece of a reply or of store bytes, plus overhead. */
  smallestPayload: 513 * 1_024,
  /** How long a start waits for a NATS server that does not answer. */
  startPatience: 10 * SECOND,
  /** How long a node whose workers run waits for NATS before it joins the others. */
  joinPatience: 60 * SECOND,
  /** Interval of attempts to reconnect to NATS. They never end. */
  reconnectEvery: 250,
  /** Ping interval on a silent connection to NATS. The second missed answer ends the connection. */
  pingEvery: 5 * SECOND,
  /** Deadline for an answer of JetStream before the request is repeated. */
  jetStreamPatience: 5 * SECOND,
  /** How long the creation of a stream or bucket is repeated while another node creates it. */
  createPatience: 5 * SECOND,
  /** Interval at which that creation is repeated. */
  createAgainEvery: 100,
  /** How long a command waits for an absent broker before its sender gets an error. */
  enqueuePatience: 10 * SECOND,
  /** Deduplication window of the broker for command ids. Actors remember ids for longer. */
  dedupe: MINUTE,
  /**
   * Number of streams that the shards share. nats-server 2.9 lets each consumer examine everything that waits
   * in its stream, and each stream has a cost of its own: eight cost about half as much as one.
   */
  streams: 8,
  /** Unacknowledged commands of one shard at its owner. Further ones wait at the broker. */
  unacknowledged: 512,
  /**
   * Redelivery time of an unacknowledged command at the broker. A new owner gets all commands at once anyway,
   * so it is longer than any outage of the store.
   */
  acknowledgeWithin: 60 * MINUTE,
  /** Interval of the broker's heartbeats for an idle shard. */
  heartbeatEvery: 3 * SECOND,
  /** Number of missed heartbeats after which the shard's consumer is created again. */
  heartbeatsMissed: 2,
  /** Cached subjects of actors, about 200 bytes each. Beyond it the cache is cleared. */
  knownSubjects: 10_000,
  /** Replies with more bytes are stored by their sender and fetched. */
  inlineBytes: 16 * 1_024,
  /** Size of one piece of a stored reply. */
  pieceBytes: 512 * 1_024,
  /** How long a stored reply can be fetched. */
  largeReplyFor: 30 * SECOND,
  /** Total size of stored replies at one node. Beyond it the oldest reply is dropped. */
  largeReplyBytes: 64 * 1_024 * 1_024,
  /**
   * Interval at which a node repeats its subscriptions. A node that was silent for three intervals counts as
   * having none.
   */
  announceEvery: 20 * SECOND,
  /** How long a new node sends all events, because it does not know the subscriptions of other nodes yet. */
  learnPatternsWithin: 2 * SECOND,
  /** Maximum number of replies held while the broker is away. Further ones are lost, and their callers ask again. */
  heldReplies: 10_000,
} as const;

export const bytesLimits = {
  /** Size of one message of a larger request or answer. A broker accepts one megabyte. */
  pieceBytes: 512 * 1_024,
  /** Concurrent calls of one client. */
  concurrentCalls: 64,
  /** Maximum number of waiting calls of one client. Further ones are refused. */
  waitingCalls: 4_096,
  /** Deadline of a call. */
  answerWithin: MINUTE,
  /** Deadline for all pieces of a request to arrive at the server. */
  piecesWithin: 10 * SECOND,
  /** Total size of requests that a server holds. Beyond it further requests are refused. */
  heldBytes: 64 * 1_024 * 1_024,
} as const;

export const mailboxLimits = {
  /** Maximum number of waiting commands of one actor. One more is `actor.mailbox_full`. */
  capacity: 1_024,
  /** Number of cancellations that an actor remembers before their commands arrive. */
  cancelledAhead: 128,
  /** Characters stored of an unreadable message. */
  unreadableLength: 10_000,
  /** Commands of one actor in one batch, that is in one commit. */
  batch: 32,
} as const;

export const stepLimits = {
  /** Attempts of a step that throws before its message becomes a dead letter. */
  attempts: 3,
  /**
   * Command ids with replies that an actor remembers, so that a retry gets the first reply. Several times
   * `mailboxLimits.batch`, because a crash redelivers whole committed batches.
   */
  rememberedCommands: 128,
  /** Maximum number of senders whose last number an actor remembers. The longest silent are forgotten first. */
  rememberedSenders: 256,
} as const;

export const sendLimits = {
  /** Time after which an unanswered send between actors is repeated. */
  repeatAfter: 30 * SECOND,
  /** Attempts of a send whose target needs a newer Cairn before the sender is notified: about half a minute. */
  newerVersionAttempts: 12,
} as const;

export const activationLimits = {
  /** Idle time after which an actor is passivated. */
  idle: 60 * SECOND,
  /** Maximum number of actors that one worker keeps in memory. Beyond it the longest idle are passivated. */
  resident: 10_000,
  /** Share of the actors in memory that is passivated at once, because selecting the longest idle examines all. */
  evictedAtOnce: 1 / 10,
  /** Recent events that an actor in memory keeps for inspection. */
  recentEvents: 20,
  /** Crashes of one actor within `crashWindow` before it is parked. */
  maxCrashes: 5,
  /** Period in which the crashes of an actor are counted. */
  crashWindow: MINUTE,
} as const;

export const timerLimits = {
  /** Timers beyond this horizon stay in the store, which is read at this interval. */
  horizon: 30 * SECOND,
} as const;

export const workerLimits = {
  /** Restarts of a worker within `crashWindow` before the node gives up. */
  maxCrashes: 5,
  /** Period in which the restarts of a worker are counted. */
  crashWindow: MINUTE,
  /** First pause before a worker's restart. It doubles up to `maxBackoff`. */
  backoff: 100,
  maxBackoff: 10 * SECOND,
  /** Deadline for a worker to report ready, before it is restarted. */
  readyWithin: 30 * SECOND,
  /** Deadline for a worker's report for the operator. */
  reportWithin: 2 * SECOND,
  /** How long a worker may finish running work when it stops. */
  grace: 10 * SECOND,
  /** Poll interval for running work while a worker stops. */
  drainPoll: 5,
} as const;

export const metricsLimits = {
  /** Upper bounds of the duration buckets in seconds, from an in-memory step to a slow store. */
  seconds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
} as const;

export const askLimits = {
  /** Default timeout of a caller. */
  timeout: 30 * SECOND,
  /** Tolerance for running a command after its caller's timeout, because clocks of nodes differ. */
  clockTolerance: SECOND,
  /** How long a cancellation searches the owner of its command. */
  cancelWithin: 2 * SECOND,
  /** Poll interval for work that continues after its command was acknowledged. */
  pollEvery: 20,
} as const;
