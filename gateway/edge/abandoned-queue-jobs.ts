/**
 * Jobs of a queue that an earlier consumer started but did not finish, because its node, its Redis or its
 * connection was lost.
 */

import type { RedisClient } from "./redis-connection.ts";
import { queueKey } from "./redis-queue-names.ts";

/**
 * A Redis script that moves the job ids of the list `active` (KEYS[1]) to the end of the list `wait` (KEYS[2]), from
 * which consumers take jobs. In `active`, the oldest job is the last one. So it is also the last one in `wait`, and
 * is taken first.
 */
const RETURN_JOBS = `
  local ids = redis.call("LRANGE", KEYS[1], 0, -1)
  for _, id in ipairs(ids) do
    redis.call("RPUSH", KEYS[2], id)
    redis.call("DEL", ARGV[1] .. id .. ":lock")
    redis.call("SREM", KEYS[3], id)
  end
  redis.call("DEL", KEYS[1])
  return #ids
`;

/**
 * Returns abandoned jobs to the front of the queue in their order, and resolves with their number. BullMQ
 * itself would return them only after half a minute. By then, the next consumer would have taken newer
 * commands of the same sessions. The caller must hold the lease of the queue, so that no other consumer works
 * on these jobs.
 */
export async function returnAbandonedJobs(
  redis: RedisClient,
  queue: string,
  prefix: string,
): Promise<number> {
  const keys = ["active", "wait", "stalled"].map((name) => queueKey(prefix, queue, name));
  // The cast is safe: the Redis script `RETURN_JOBS` returns the number of ids.
  return (await redis.eval(RETURN_JOBS, keys.length, ...keys, queueKey(prefix, queue, ""))) as number;
}
