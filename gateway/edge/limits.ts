/** Limits of the edge. Milliseconds unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const edgeLimits = {
  /** How long a lease of the edge lasts without renewal: the time to a takeover. */
  lease: 10 * SECOND,
  renewEvery: 3 * SECOND,
  /** Jobs of `browser_commands` under way. Those of one room run one after another. */
  commands: 64,
  /** Jobs of `knowledge-retrieval` under way. */
  explorations: 16,
  /** Times that a job whose consumer died is delivered again. */
  takeovers: 100,
  /** Tries of a command that was not done; the pause doubles. */
  tries: 3,
  backoff: SECOND,
  /** Interval of questions for the state of an exploration, and of its progress. */
  statusEvery: 500,
  /** Interval of questions for the channels that have subscribers. */
  channelsEvery: 500,
  /** Interval of pings; a connection without an answer is made again. */
  pingEvery: 10 * SECOND,
  longestBackoff: 10 * SECOND,
  /** How long Redis keeps a heavy result. */
  resultFor: 60 * MINUTE,
} as const;
