/** Limits of the connection to Redis queues. Values are in milliseconds unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const edgeLimits = {
  /** Lifetime of the lease of the queues after its last renewal. When it ends, another node consumes the queues. */
  lease: 10 * SECOND,
  renewEvery: 3 * SECOND,
  /**
   * Interval at which a node that is starting checks whether its start has ended. Only then may the node take the
   * lease of the queues.
   */
  startedEvery: 100,
  /**
   * After its connection to Redis was lost and restored, a node waits until it holds the lease of the queues.
   * At this interval, it checks whether it holds the lease.
   */
  holderEvery: 100,
  /**
   * Maximum number of `browser_commands` jobs in progress. Jobs of one session still run one after another.
   */
  commands: 64,
  /** Maximum number of `knowledge-retrieval` jobs in progress. */
  explorations: 16,
  /** Maximum number of times that a job is delivered again after its consumer died. */
  takeovers: 100,
  /**
   * Maximum number of attempts for a command. A command is tried again only if it failed before it started.
   * The pause before the next attempt doubles each time.
   */
  tries: 3,
  /**
   * Maximum number of times that a command with an unknown outcome is sent, for example while its node
   * restarts. It is always sent with the same id, so it is executed at most once. All attempts together, with
   * the pauses between them, last five minutes.
   */
  unanswered: 30,
  /**
   * Interval at which a command checks whether the older commands have entered the queues of their sessions.
   */
  olderEvery: 5,
  backoff: SECOND,
  /**
   * Time for which the job of an exploration waits for an answer of Cairn. A restart of Cairn and a change of the
   * store take less time. After this time, the job fails. Its producer then sees the failure, and BullMQ can try the
   * job again.
   */
  answerWithin: 5 * MINUTE,
  /** Interval at which the status of an exploration is polled and its progress reported. */
  statusEvery: 500,
  /** Interval at which the list of channels with subscribers is polled. */
  channelsEvery: 500,
  /** Interval of pings to Redis. If Redis does not answer a ping, Cairn reconnects. */
  pingEvery: 10 * SECOND,
  longestBackoff: 10 * SECOND,
  /** Time within which a Redis Cluster must report its state to a check of Cairn's health. */
  checkWithin: 2 * SECOND,
  /** Interval at which the client reads the current list of a Redis Cluster's nodes. */
  nodesEvery: 5 * SECOND,
  /**
   * Maximum number of attempts to send a command to a Redis Cluster, one attempt a second (`backoff`). The
   * attempts must continue until a replica has replaced a failed node. This takes about twice the cluster's
   * node timeout (15 s by default).
   */
  clusterTries: 60,
  /** Time for which Redis stores a large result, and for which the URL of a result in the object storage is valid. */
  resultFor: 60 * MINUTE,
  /**
   * Maximum number of characters of a result that Redis keeps, if there is an object storage. Redis holds all its
   * data in memory.
   */
  redisResult: 256 * 1_024,
  /**
   * Time limit for storing a result in the object storage. When the limit is exceeded, the result is stored
   * in Redis instead.
   */
  storeWithin: 10 * SECOND,
} as const;
