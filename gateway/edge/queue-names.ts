/** Names and options of the queues, as defined in the protocol specification. */

export const BROWSER_COMMANDS = "browser_commands";
export const KNOWLEDGE_RETRIEVAL = "knowledge-retrieval";

/**
 * Completed commands are removed from the queue. Their results are not lost, because the event
 * `action_completed` contains the result and the `job_id`.
 */
export const commandOptions = {
  removeOnComplete: true,
  removeOnFail: false,
  attempts: 3,
  backoff: { type: "exponential", delay: 1_000 },
} as const;

/** Completed explorations stay in the queue, so that an operator can inspect them. */
export const explorationOptions = { removeOnComplete: false, removeOnFail: false } as const;

/** The prefix that BullMQ uses by default, and which the protocol specification assumes. */
const BULLMQ = "bull";

/** Returns the option `prefix` of BullMQ. `prefix` stands before all names that Cairn uses in Redis. */
export const queuePrefix = (prefix: string): string => `${prefix}${BULLMQ}`;

/** Returns the Redis key with which BullMQ stores a part of a queue, such as its list `active`. */
export const queueKey = (prefix: string, queue: string, part: string): string =>
  `${queuePrefix(prefix)}:${queue}:${part}`;
