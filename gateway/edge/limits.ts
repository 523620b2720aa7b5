/** Limits of the connection to Redis queues. In milliseconds unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const edgeLimits = {
  /** Lifetime of the lease without renewal. After it, another node takes over. */
  lease: 10 * SECOND,
  renewEvery: 3 * SECOND,
  /** Maximum number of `browser_commands` jobs in progress. Those of one session run one after another. */
  commands: 64,
  /** Maximum number of `knowledge-retrieval` jobs in progress. */
  explorations: 16,
  /** Maximum number of times that a job is delivered again after its consumer died. */
  takeovers: 100,
  /**
   * Maximum number of attempts for a command that could not be started. The pause doubles after each attempt.
   */
  tries: 3,
  /** Interval at which a command checks whether all older commands have begun to wait for their turn. */
  olderEvery: 5,
  backoff: SECOND,
  /** Interval at which the status of an exploration is polled and its progress reported. */
  statusEvery: 500,
  /** Interval at which the list of channels with subscribers is polled. */
  channelsEvery: 500,
  /** Interval of pings to Redis. If one is not answered, the connection is opened again. */
  pingEvery: 10 * SECOND,
  longestBackoff: 10 * SECOND,
  /** How long Redis keeps a large result. */
  resultFor: 60 * MINUTE,
} as const;
