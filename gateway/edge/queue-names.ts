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

/** Prefix of the Redis keys with which BullMQ stores the commands. */
export const COMMANDS_PREFIX = `bull:${BROWSER_COMMANDS}:`;

/** Redis list with the ids of the commands that a consumer has taken, the newest first. */
export const ACTIVE_COMMANDS = `${COMMANDS_PREFIX}active`;
