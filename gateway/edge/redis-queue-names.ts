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

/**
 * A part of a name in braces (hash tag). A Redis Cluster stores all keys with the same hash tag on the same
 * node.
 */
const HASH_TAG = /\{[^{}]+\}/;

/**
 * Returns the value of BullMQ's setting `prefix`. For a Redis Cluster, the value contains a hash tag, which
 * keeps all keys of a queue on one node. BullMQ's scripts need this, because they use several of these keys.
 *
 * @param prefix the prefix of all names that Cairn uses in Redis
 */
export function queuePrefix(prefix: string, cluster: boolean): string {
  const name = `${prefix}${BULLMQ}`;
  return cluster && !HASH_TAG.test(name) ? `{${name}}` : name;
}

/**
 * Returns the Redis key under which BullMQ stores a part of a queue, such as the list `active`.
 *
 * @param prefix the value of BullMQ's setting `prefix`
 */
export const queueKey = (prefix: string, queue: string, part: string): string => `${prefix}:${queue}:${part}`;
