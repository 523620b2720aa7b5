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
  /** How often a job whose consumer died is delivered again. */
  takeovers: 100,
  /** Maximum number of attempts for a command that was not started. The pause between them doubles. */
  tries: 3,
  backoff: SECOND,
  /** Interval at which the status of an exploration is polled and its progress reported. */
  statusEvery: 500,
  /** Interval at which the list of channels with subscribers is polled. */
  channelsEvery: 500,
  /** Interval of pings. A connection that does not answer is opened again. */
  pingEvery: 10 * SECOND,
  longestBackoff: 10 * SECOND,
  /** How long Redis keeps a large result. */
  resultFor: 60 * MINUTE,
} as const;
