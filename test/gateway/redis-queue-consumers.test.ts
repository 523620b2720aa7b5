/**
 * Tests the consumers of the queues with a real Redis and scripted tool calls: the ids of retried commands,
 * the order of a session's jobs after a lost connection, and the end of exploration jobs.
 */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { EdgeProducers } from "../../gateway/edge/index.ts";
import { connectRedis } from "../../gateway/edge/redis-connection.ts";
import { QueueConsumers } from "../../gateway/edge/redis-queue-consumers.ts";
import { BROWSER_COMMANDS, KNOWLEDGE_RETRIEVAL, queueKey } from "../../gateway/edge/redis-queue-names.ts";
import { Overloaded, Refused, TimedOut, Unavailable } from "../../machines/errors.ts";
import { RedisServer, redisBinary } from "../support/test-redis-server.ts";
import { isFull } from "../test-run-tier-and-seed.ts";

setDefaultTimeout(60_000);
/**
 * Milliseconds for which a test waits before it checks that a consumer has not run a job. A wrong consumer would
 * have run the job by then.
 */
const WAITED = 100;
const DONE = { success: true, error: null, data: {} };
const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the tests of the consumers are skipped.");
const testWithRedis = test.skipIf(binary === undefined);

let server: RedisServer;
let client: Redis;
let producers: EdgeProducers;
let consumers: QueueConsumers;
let periods: number;
/** Ids of the commands and explorations for which a tool was called, in the order of the calls. */
let requested: string[];
/** The arguments of the tool calls, in order. */
let sent: Readonly<Record<string, unknown>>[];
/** Ids of the commands whose failure the consumers have published. */
let refused: string[];
/** The scripted tool: returns the result of the command with this id, or throws the error of the tool. */
let respond: (id: string, tool: string) => unknown;

beforeAll(async () => {
  if (binary === undefined) return;
  server = await RedisServer.start(binary);
  client = new Redis(server.url);
  producers = new EdgeProducers(server.url);
});

afterAll(async () => {
  await producers?.close();
  client?.disconnect();
  await server?.remove();
});

beforeEach(async () => {
  if (binary === undefined) return;
  periods = 0;
  requested = [];
  sent = [];
  refused = [];
  respond = () => DONE;
  consumers = consumersThatWait();
  await until(() => periods === 1);
});

/** @param answerWithin milliseconds for which a job waits for an answer of Cairn */
function consumersThatWait(answerWithin?: number): QueueConsumers {
  return new QueueConsumers({
    answerWithin,
    connect: () => connectRedis({ url: server.url, cluster: false }, () => {}),
    prefix: "bull",
    calls: {
      run: async (tool, args) => {
        const { id, job_id } = args;
        sent.push(args);
        const called = String(id ?? job_id);
        requested.push(called);
        return await respond(called, tool);
      },
    },
    isHolder: () => true,
    failed: () => {},
    refused: ({ job_id }) => refused.push(job_id),
    started: () => {
      periods += 1;
    },
  });
}

afterEach(async () => {
  await consumers?.close();
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(10);
}

const send = (id: string, room_name = "room") =>
  producers.send_command({ action_type: "click", params: { index: 1 }, room_name }, id);
const explorationKey = (id: string) => queueKey("bull", KNOWLEDGE_RETRIEVAL, id);
const exists = async (id: string) => (await client.exists(queueKey("bull", BROWSER_COMMANDS, id))) === 1;
const failure = (id: string, queue: string = BROWSER_COMMANDS) =>
  client.hget(queueKey("bull", queue, id), "failedReason");

testWithRedis("requests a click under the same id while its session waits for a browser", async () => {
  respond = () => {
    if (requested.length < 3) throw new Unavailable("session.crowded", "The session waits for a browser.");
    return DONE;
  };
  await send("press");
  await until(async () => !(await exists("press")));
  expect(requested).toEqual(["press", "press", "press"]);
});

testWithRedis("requests a click under the same id when its outcome is unknown", async () => {
  respond = () => {
    if (requested.length === 1) throw new Unavailable("bus.unavailable", "The bus is not available.");
    return DONE;
  };
  await send("press");
  await until(async () => !(await exists("press")));
  expect(requested).toEqual(["press", "press"]);
});

if (isFull)
  testWithRedis(
    "requests a click under a new id when its session has refused it, at most three times",
    async () => {
      respond = () => {
        throw new Refused("session.busy", "100 actions wait.", { status: 429 });
      };
      await send("press");
      await until(async () => (await failure("press")) !== null);
      expect(requested).toEqual(["press", "press#2", "press#3"]);
      expect(await failure("press")).toContain("session.busy");
    },
  );

testWithRedis("publishes no failure of a job that another node will run, when it stops", async () => {
  // The job waits for an older job, which no consumer has. Redis is in this state if its answer to the
  // consumer was lost.
  const active = queueKey("bull", BROWSER_COMMANDS, "active");
  await client.lpush(active, "older");
  await send("newer");
  await until(async () => (await client.llen(active)) === 2);
  await Bun.sleep(WAITED);
  await consumers.close();
  await Bun.sleep(WAITED);
  await client.del(active);
  expect(requested).toEqual([]);
  expect(refused).toEqual([]);
});

testWithRedis(
  "runs a job whose delivery was lost with the connection before the newer jobs of its session",
  async () => {
    // Redis marks the queue as paused, so the consumers fetch no jobs yet.
    const paused = queueKey("bull", BROWSER_COMMANDS, "meta");
    await client.hset(paused, "paused", 1);
    for (const id of ["first", "second", "third"]) await send(id);
    // The test moves the first job to the list of active jobs. This is the state of Redis if its answer to
    // the consumer was lost.
    await client.rpoplpush(
      queueKey("bull", BROWSER_COMMANDS, "wait"),
      queueKey("bull", BROWSER_COMMANDS, "active"),
    );
    await client.hdel(paused, "paused");
    await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await until(async () => !(await exists("third")));
    expect(periods).toBeGreaterThan(1);
    expect(requested.filter((id, at) => requested.indexOf(id) === at)).toEqual(["first", "second", "third"]);
  },
);

testWithRedis("delivers a job again that was in progress when the connection was lost", async () => {
  const answers: (() => void)[] = [];
  respond = () => new Promise((resolve) => answers.push(() => resolve(DONE)));
  await send("held");
  await until(() => requested.length === 1);
  await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  await until(() => requested.length === 2);
  for (const answer of answers) answer();
  await until(async () => !(await exists("held")));
  expect(requested).toEqual(["held", "held"]);
});

/**
 * Returns a scripted answer of `start_knowledge_exploration` or `get_exploration_status`, the two tools that a job
 * of an exploration calls.
 */
const explorationAnswer = (job_id: string, tool: string, status: object): unknown =>
  tool === "start_knowledge_exploration"
    ? { job_id }
    : { job_id, error: null, progress: { completed: 1, queued: 0, failed: 0, searchable: 1 }, ...status };

if (isFull)
  testWithRedis("follows an exploration further after Cairn could not answer", async () => {
    /** One entry for each call of a tool: the error that it throws, or `undefined` if the call succeeds. */
    const problems = [
      new Unavailable("store.unavailable", "The store is away."),
      undefined,
      new TimedOut("call.timed_out", "The outcome is unknown."),
      new Overloaded("actor.mailbox_full", "Too much waits."),
    ];
    respond = (id, tool) => {
      const problem = problems.shift();
      if (problem) throw problem;
      return explorationAnswer(id, tool, { status: "completed" });
    };
    await producers.add_exploration_job({ start_url: "https://example.com", job_id: "patient" });
    await until(async () => (await client.hget(explorationKey("patient"), "finishedOn")) !== null);
    expect(problems).toEqual([]);
    expect(await failure("patient", KNOWLEDGE_RETRIEVAL)).toBeNull();
    expect(JSON.parse((await client.hget(explorationKey("patient"), "returnvalue")) ?? "null")).toMatchObject(
      {
        status: "completed",
      },
    );
  });

testWithRedis("ends the job of an exploration that failed with its code and its reason", async () => {
  const error = { code: "exploration.unreachable", message: "The site does not answer." };
  respond = (id, tool) => explorationAnswer(id, tool, { status: "failed", error });
  await producers.add_exploration_job({ start_url: "https://example.com", job_id: "hopeless" });
  await until(async () => (await failure("hopeless", KNOWLEDGE_RETRIEVAL)) !== null);
  expect(await failure("hopeless", KNOWLEDGE_RETRIEVAL)).toBe(
    "exploration.failed: exploration.unreachable: The site does not answer.",
  );
});

testWithRedis("ends the job of an exploration that Cairn refuses with the code of the error", async () => {
  respond = () => {
    throw new Refused("job.exists", "Another job has this id.", { status: 409 });
  };
  await producers.add_exploration_job({ start_url: "https://example.com", job_id: "taken" });
  await until(async () => (await failure("taken", KNOWLEDGE_RETRIEVAL)) !== null);
  expect(await failure("taken", KNOWLEDGE_RETRIEVAL)).toBe("job.exists: Another job has this id.");
});

describe("the job of an exploration for which Cairn gives no answer in time", () => {
  const NO_TIME = 0;
  const away = new Unavailable("store.unavailable", "The store is away.");

  beforeEach(async () => {
    if (binary === undefined) return;
    await consumers.close();
    consumers = consumersThatWait(NO_TIME);
    await until(() => periods === 2);
  });

  testWithRedis("fails with a reason that says what to do, and keeps its progress", async () => {
    let isAway = false;
    respond = (id, tool) => {
      if (isAway) throw away;
      isAway = tool === "get_exploration_status";
      return explorationAnswer(id, tool, { status: "running" });
    };
    await producers.add_exploration_job({ start_url: "https://example.com", job_id: "left-alone" });
    await until(async () => (await failure("left-alone", KNOWLEDGE_RETRIEVAL)) !== null);
    const reason = await failure("left-alone", KNOWLEDGE_RETRIEVAL);
    expect(reason).toStartWith("store.unavailable: The store is away.");
    expect(reason).toContain("retry this job");
    const progress = await client.hget(explorationKey("left-alone"), "progress");
    expect(JSON.parse(progress ?? "null")).toMatchObject({ job_id: "left-alone", completed: 1 });
  });

  testWithRedis("is completed by a further attempt of BullMQ, with the same exploration", async () => {
    respond = (id, tool) => {
      if (requested.length === 1) throw away;
      return explorationAnswer(id, tool, { status: "completed" });
    };
    const queue = new Queue(KNOWLEDGE_RETRIEVAL, { connection: { url: server.url } });
    await queue.add("explore", { start_url: "https://example.com" }, { jobId: "again", attempts: 2 });
    await until(async () => (await client.hget(explorationKey("again"), "finishedOn")) !== null);
    await queue.close();
    expect(requested).toEqual(["again", "again", "again"]);
    expect(await client.hget(explorationKey("again"), "returnvalue")).not.toBeNull();
  });
});

testWithRedis("a flat command with an action type has its other fields as parameters", async () => {
  const queue = new Queue(BROWSER_COMMANDS, { connection: { url: server.url } });
  await queue.add(
    "command",
    { action_type: "scroll", direction: "up", room_name: "room" },
    { jobId: "flat" },
  );
  await until(async () => !(await exists("flat")));
  await queue.close();
  expect(sent).toEqual([expect.objectContaining({ action_type: "scroll", params: { direction: "up" } })]);
});

testWithRedis(
  "a command with fields beside its parameters is refused with the names of the fields",
  async () => {
    const queue = new Queue(BROWSER_COMMANDS, { connection: { url: server.url } });
    const command = { action_type: "scroll", params: {}, direction: "up", room_name: "room" };
    await queue.add("command", command, { jobId: "mixed" });
    await until(async () => (await failure("mixed")) !== null);
    await queue.close();
    expect(await failure("mixed")).toMatch(/^request\.invalid: .*: direction\. Put parameters/);
    expect(requested).toEqual([]);
  },
);

testWithRedis("an exploration is added under a new id if its id is null", async () => {
  const id = await producers.add_exploration_job({ start_url: "https://example.com", job_id: null });
  expect(id).toEqual(expect.any(String));
  const data = await client.hget(queueKey("bull", KNOWLEDGE_RETRIEVAL, id), "data");
  expect(JSON.parse(data ?? "null")).toEqual({ start_url: "https://example.com", job_id: id });
});
