/**
 * Limits of the actor runtime. Durations are in milliseconds and sizes in bytes, unless the comment gives
 * another unit.
 */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const busLimits = {
  /** The oldest version of nats-server that has all features which Cairn needs. */
  oldestServer: "2.9.0",
  /**
   * Minimum `max_payload` (bytes per message) that the NATS server must allow. It fits the largest part of a
   * reply or of a store request, and its header.
   */
  smallestPayload: 513 * 1_024,
  /**
   * Maximum wait at the start for a NATS server that does not answer. A restarted server first reads its
   * stored streams.
   */
  startPatience: 30 * SECOND,
  /**
   * Maximum time that a worker at its start waits for the NATS server, on a connection of its own. After this
   * time, the worker uses the connection of its node. The time is shorter than `workerLimits.readyWithin`.
   */
  workerStartPatience: 10 * SECOND,
  /**
   * Maximum time in which a node tries to join the cluster while NATS is unreachable. The workers of the node
   * are already running at this point.
   */
  joinPatience: 60 * SECOND,
  /** Interval between attempts to reconnect to NATS. They are repeated without end. */
  reconnectEvery: 250,
  /**
   * Interval between two pings on an idle NATS connection. If two pings in a row get no answer, the
   * connection is closed.
   */
  pingEvery: 5 * SECOND,
  /** Time to wait for an answer of JetStream before the request is repeated. */
  jetStreamPatience: 5 * SECOND,
  /**
   * Time for which a failed creation of a stream or bucket is repeated. The creation fails while another node
   * creates the same stream or bucket.
   */
  createPatience: 5 * SECOND,
  /** Interval between attempts to create a stream or bucket. */
  createAgainEvery: 100,
  /** Maximum time that a command waits for an unreachable broker before its sender gets an error. */
  enqueuePatience: 10 * SECOND,
  /**
   * Time in which the broker drops a command with a known id. Actors remember the ids of commands for longer.
   */
  dedupe: MINUTE,
  /**
   * Number of streams over which the shards are distributed. With nats-server 2.9, each consumer examines all
   * waiting commands of its stream, so more streams reduce this work. Each stream also has a fixed cost. The
   * total cost with eight streams is about half of the cost with one.
   */
  streams: 8,
  /**
   * Maximum number of unacknowledged commands of one shard at its owner. Further commands wait at the broker.
   */
  unacknowledged: 512,
  /**
   * Time after which the broker delivers an unacknowledged command again to the same owner. It is longer than
   * an outage of the store; a new owner gets unacknowledged commands at once.
   */
  acknowledgeWithin: 60 * MINUTE,
  /** Interval of the broker's heartbeats for a shard without commands. */
  heartbeatEvery: 3 * SECOND,
  /** Number of missed heartbeats of a shard's consumer after which the consumer is created again. */
  heartbeatsMissed: 2,
  /** Maximum number of cached subjects of actors, about 200 bytes each. A full cache is cleared. */
  knownSubjects: 10_000,
  /**
   * Maximum size of a reply that is sent in one message. A larger reply is stored by its sender and then
   * fetched.
   */
  inlineBytes: 16 * 1_024,
  /** Size of one piece of a large reply that is fetched from its sender. */
  pieceBytes: 512 * 1_024,
  /** Time during which a stored reply can be fetched. */
  largeReplyFor: 30 * SECOND,
  /**
   * Maximum total size in bytes of the replies that a node stores. Beyond it, the oldest reply is dropped.
   */
  largeReplyBytes: 64 * 1_024 * 1_024,
  /**
   * Interval at which a node repeats its subscriptions. When a node has been silent for three intervals, its
   * subscriptions are removed.
   */
  announceEvery: 20 * SECOND,
  /**
   * How long a new node sends all its events to all nodes, because it does not know the other nodes'
   * subscriptions yet.
   */
  learnPatternsWithin: 2 * SECOND,
  /**
   * Maximum number of replies that are kept for later while the broker is unreachable. Further replies are
   * dropped, and the callers send their requests again.
   */
  heldReplies: 10_000,
} as const;

export const bytesLimits = {
  /**
   * Size of the pieces into which a larger request or answer on the byte bus is split. A broker accepts
   * messages of one megabyte.
   */
  pieceBytes: 512 * 1_024,
  /** Maximum number of calls that one client of the byte bus runs at the same time. */
  concurrentCalls: 64,
  /** Maximum number of calls that wait in one client of the byte bus. Further calls are refused. */
  waitingCalls: 4_096,
  /** Time to wait for the answer to a call over the byte bus. */
  answerWithin: MINUTE,
  /** Time in which all pieces of a request on the byte bus must arrive at the server. */
  piecesWithin: 10 * SECOND,
  /**
   * Maximum total size of the requests that a server on the byte bus holds. When it is reached, further
   * requests are refused.
   */
  heldBytes: 64 * 1_024 * 1_024,
} as const;

export const mailboxLimits = {
  /**
   * Maximum number of waiting commands of one actor. A further command is refused with `actor.mailbox_full`.
   */
  capacity: 1_024,
  /** Maximum number of cancelled commands that an actor remembers before the commands arrive. */
  cancelledAhead: 128,
  /** Maximum number of characters of an unreadable message that are stored in its dead letter. */
  unreadableLength: 10_000,
  /** Maximum number of messages of one actor in one commit. */
  batch: 32,
} as const;

export const stepLimits = {
  /**
   * Number of attempts to process a message whose processing throws. After the last attempt, the message
   * becomes a dead letter.
   */
  attempts: 3,
  /**
   * Number of commands whose outcomes an actor remembers, so that a repeated command gets the first answer.
   * It is several times `mailboxLimits.batch`, because after a crash whole committed batches are delivered
   * again.
   */
  rememberedCommands: 128,
  /**
   * Maximum number of senders whose last message number an actor remembers. The senders that have sent
   * nothing for the longest time are forgotten first.
   */
  rememberedSenders: 256,
} as const;

export const sendLimits = {
  /** Time to wait for the outcome of a message to another actor, before the message is sent again. */
  repeatAfter: 30 * SECOND,
  /**
   * Number of failed attempts to send a message to an actor that needs a newer Cairn. After the last attempt,
   * the sender's machine is informed. All attempts together take about half a minute.
   */
  newerVersionAttempts: 12,
} as const;

export const activationLimits = {
  /** Time without work after which an actor leaves memory. */
  idle: 60 * SECOND,
  /**
   * Maximum number of actors that one worker keeps in memory. Beyond it, the actors that have been idle
   * longest leave memory.
   */
  resident: 10_000,
  /**
   * Share (0 to 1) of the actors in memory that is removed at once when there are too many. So the search for
   * the longest idle actors runs rarely.
   */
  evictedAtOnce: 1 / 10,
  /** Number of an actor's latest events that are kept in memory for inspection. */
  recentEvents: 20,
  /** Number of crashes of one actor within `crashWindow` milliseconds after which the actor is parked. */
  maxCrashes: 5,
  /** Time in which the crashes of an actor are counted. */
  crashWindow: MINUTE,
} as const;

export const timerLimits = {
  /**
   * Timers that are due within this time are kept in memory; later timers are only in the store. At this
   * interval, the store is searched for timers that are due soon.
   */
  horizon: 30 * SECOND,
} as const;

export const workerLimits = {
  /** Number of restarts of a worker within `crashWindow` after which the node gives up. */
  maxCrashes: 5,
  /** Time in which the restarts of a worker are counted. */
  crashWindow: MINUTE,
  /** First pause before a worker is restarted. It doubles up to `maxBackoff`. */
  backoff: 100,
  maxBackoff: 10 * SECOND,
  /** Time in which a worker must report that it is ready. Otherwise it is restarted. */
  readyWithin: 30 * SECOND,
  /** Time to wait for a worker's report to an operator. */
  reportWithin: 2 * SECOND,
  /** Time that a worker has to finish running work when it stops. */
  grace: 10 * SECOND,
  /** Interval at which a stopping worker checks whether its work is finished. */
  drainPoll: 5,
} as const;

export const metricsLimits = {
  /**
   * Upper bounds of the buckets of duration histograms, in seconds. The lowest fits a step in memory, and the
   * highest a slow store.
   */
  seconds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
} as const;

export const askLimits = {
  /** Default time that a caller waits for an outcome. */
  timeout: 30 * SECOND,
  /**
   * After the caller has stopped waiting, its command may still start within this time. It is not 0, because
   * the clocks of nodes differ.
   */
  clockTolerance: SECOND,
  /** Maximum time for which the cancellation of a command searches for the owner of the actor. */
  cancelWithin: 2 * SECOND,
  /**
   * Interval at which a waiting call checks for changes that are not announced, such as a new owner of a
   * shard.
   */
  pollEvery: 20,
} as const;
