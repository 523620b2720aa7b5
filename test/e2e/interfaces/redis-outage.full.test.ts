/** Tests a Redis that is unavailable for a minute: requests are answered, and all jobs are delivered afterwards. */
import { setDefaultTimeout, test } from "bun:test";
import { redisBinary } from "../../support/test-redis-server.ts";
import { redisOutage } from "./redis-outage-scenario.ts";

const AWAY = 60_000;
setDefaultTimeout(3 * AWAY + 120_000);
const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the test of an unavailable Redis is skipped.");

test.skipIf(binary === undefined)(
  "requests are answered while Redis is unavailable for a minute, and all jobs are delivered afterwards",
  async () => {
    await redisOutage(binary ?? "", AWAY);
  },
);
