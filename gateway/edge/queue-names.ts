/** Names and options of the queues, exactly as in the protocol specification. */

export const BROWSER_COMMANDS = "browser_commands";
export const KNOWLEDGE_RETRIEVAL = "knowledge-retrieval";

/** Completed commands vanish: their result is in the event `action_completed`, by `job_id`. */
export const commandOptions = {
  removeOnComplete: true,
  removeOnFail: false,
  attempts: 3,
  backoff: { type: "exponential", delay: 1_000 },
} as const;

/** Explorations stay for inspection. */
export const explorationOptions = { removeOnComplete: false, removeOnFail: false } as const;
