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

/** Returns the Redis key with which BullMQ stores a part of a queue, such as its list `active`. */
export const queueKey = (queue: string, part: string): string => `bull:${queue}:${part}`;
