/**
 * Measures what many dialogues cost on one worker with a store on disk: memory while active and passivated,
 * durable events, the first answer to a passivated dialogue, and a step after a long conversation. Sessions
 * are stand-ins with one fixed page, so no figure contains the cost of a browser.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  ActorSystem,
  address,
  MemoryBus,
  MemoryLeases,
  systemClock,
  WorkerPool,
} from "../../actors/runtime/index.ts";
import { dialogueTopic } from "../../machines/dialogue/dialogue-context.ts";
import { leaseLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import { type OwnedStore, openStore } from "../../store/index.ts";
import type { DialogueWorkerSettings } from "./support/bench-dialogue-worker.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { heapBytes } from "./support/measure-heap-size.ts";

const DIALOGUES = 10_000;
/**
 * Number of dialogues that are active at the same time. A worker keeps at most 10,000 actors in memory, including the
 * session actors.
 */
const ACTIVE = 5_000;
const WARM = 500;
/** Number of session actors, which all dialogues share, so that their memory does not count. */
const ROOMS = 64;
const IN_FLIGHT = 256;
const ROUND = 4_000;
const ANSWERED = 300;
/** Lengths of the measured conversations, in messages. The cost of a step is measured for each length. */
const HISTORIES = [0, 50, 500] as const;
/** Number of dialogues for each length in `HISTORIES`. In each dialogue, `STEPS` steps are measured. */
const CONVERSATIONS = 20;
const STEPS = 10;
/**
 * Number of messages that one edit of a plan adds to a conversation: the edit, the new state and the new
 * plan.
 */
const MESSAGES_OF_EDIT = 3;
const HEAP_READINGS = 5;
const SECOND = 1_000;
const KB = 1_024;
const LONG = 600 * SECOND;
const SHORT = 5 * SECOND;

export const bench: Bench = {
  about:
    "many dialogues: memory, durable events/s, answers, long conversations [--dialogues 10000] [--rounds 5]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      dialogues: { type: "string", default: String(DIALOGUES) },
      rounds: { type: "string", default: "5" },
    },
  });
  const dialogues = Number(values.dialogues);
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-dialogues-"));
  const store = await openStore({ url: `rocksdb://${join(folder, "db")}` });
  try {
    console.log("a step after a long conversation …");
    const rows = [...(await onNode(store, LONG, stepCosts))];
    console.log("durable events …");
    rows.push(...(await onNode(store, LONG, (node) => throughput(node, Number(values.rounds)))));
    console.log("active dialogues …");
    rows.push(...(await onNode(store, LONG, activeMemory)));
    console.log("passivated dialogues …");
    rows.push(...(await onNode(store, SHORT, (node) => passivated(node, dialogues))));
    const date = new Date().toISOString().slice(0, 10);
    return {
      bench: "dialogue-scale",
      conditions: { dialogues, workers: 1, cores: cpus().length, date },
      rows,
    };
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * States in which a dialogue waits for an answer that the bench never sends. If a dialogue reaches one of
 * them, the bench fails.
 */
const UNEXPECTED: ReadonlySet<string> = new Set(["error", "mid_exec_dialog", "clarifying"]);

/** A call that waits until a dialogue reaches the state `state`. */
interface Waiting {
  readonly state: string;
  resolve(seq: number): void;
  reject(error: Error): void;
}

/** A node with one worker that runs dialogues. */
class DialogueNode {
  readonly #bus = new MemoryBus();
  readonly #system = new ActorSystem(this.#bus, systemClock, "bench");
  readonly #pool: WorkerPool;
  /** The calls that wait for an answer. The key is the id of the dialogue. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(store: OwnedStore, idle: number) {
    const settings: DialogueWorkerSettings = { idle };
    this.#pool = new WorkerPool({
      module: new URL("./support/bench-dialogue-worker.ts", import.meta.url),
      size: 1,
      node: "bench",
      bus: this.#bus,
      leases: new MemoryLeases(systemClock, leaseLimits.ttl),
      store: (bytes) => store.serve(bytes),
      clock: systemClock,
      leaseTtl: leaseLimits.ttl,
      settings,
      log: (level, message, fields) => console.error(level, message, fields),
      exhausted: () => process.exit(1),
    });
    this.#bus.subscribe(dialogueTopic(undefined, "stateChanged"), (event) => {
      // The cast is safe: the state machine of dialogues publishes `stateChanged` events with these three fields.
      const { dialogue_id, state, seq } = event as { dialogue_id: string; state: string; seq: number };
      const waiting = this.#waiting.get(dialogue_id);
      if (!waiting || (waiting.state !== state && !UNEXPECTED.has(state))) return;
      this.#waiting.delete(dialogue_id);
      if (waiting.state === state) waiting.resolve(seq);
      else waiting.reject(new Error(`${dialogue_id} is ${state} instead of ${waiting.state}.`));
    });
  }

  start(): Promise<void> {
    return this.#pool.start();
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
    this.#system.close();
  }

  /**
   * Starts a task of two steps. When the dialogue waits for approval, resolves with the number of its last
   * message.
   */
  async begin(id: string, number: number): Promise<number> {
    const place = {
      room_name: `room-${number % ROOMS}`,
      url: null,
      knowledge_id: null,
      auto_approve: false,
      auto_recover: false,
    };
    const task = `Type "Vienna ${number}" into City and click Save`;
    const planned = this.#reaches(id, "awaiting_approval");
    await this.#ask(id, { type: "START_TASK", task, place });
    return (await planned) + 1;
  }

  /** Edits the plan, which gives it a new version. The dialogue waits for approval again. */
  async edit(id: string, planVersion: number): Promise<void> {
    const step = { description: `Click Save, version ${planVersion}` };
    await this.#ask(id, { type: "EDIT_STEP", planVersion, stepIndex: 1, step });
  }

  /** Approves the plan. When the plan is executed, resolves with the number of the last message. */
  async complete(id: string, planVersion: number): Promise<number> {
    const completed = this.#reaches(id, "completed");
    await this.#ask(id, { type: "APPROVE_PLAN", planVersion });
    return (await completed) + 1;
  }

  /** Returns the total heap size of the main thread and the worker, in bytes. */
  async heap(): Promise<number> {
    return heapBytes() + Number(await this.#system.query(address("heap", "one"), "bytes"));
  }

  #ask(id: string, command: { readonly type: string; readonly [field: string]: unknown }): Promise<unknown> {
    return this.#system.ask(address("dialogue", id), command);
  }

  #reaches(id: string, state: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { state, resolve, reject });
    });
  }
}

async function onNode(
  store: OwnedStore,
  idle: number,
  measure: (node: DialogueNode) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const node = new DialogueNode(store, idle);
  await node.start();
  try {
    return await measure(node);
  } finally {
    await node.stop();
  }
}

/** Calls `call` with each number from 0 up to `count`, with several calls running at the same time. */
async function each(count: number, call: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
}

/** Measures the time of single steps in dialogues whose conversations have different lengths. */
async function stepCosts(node: DialogueNode): Promise<readonly Row[]> {
  const conversations = HISTORIES.flatMap((history) =>
    Array.from({ length: CONVERSATIONS }, (_, at) => ({ history, id: `talk-${history}-${at}`, version: 1 })),
  );
  await each(WARM, (number) => node.begin(`talk-warm-${number}`, number));
  await each(conversations.length, async (number) => {
    const one = conversations[number];
    if (!one) return;
    const last = await node.begin(one.id, number);
    for (let seq = last; seq < one.history; seq += MESSAGES_OF_EDIT) await node.edit(one.id, one.version++);
  });
  const times = new Map<number, number[]>(HISTORIES.map((history) => [history, []]));
  for (let step = 0; step < STEPS; step++)
    for (const one of conversations) {
      const started = performance.now();
      await node.edit(one.id, one.version++);
      times.get(one.history)?.push(performance.now() - started);
    }
  const costs = HISTORIES.map((history) => median(times.get(history) ?? []));
  const [none = 0, , many = 0] = costs;
  return [
    ...HISTORIES.map((history, at) => ({
      name: `a step after ${history === 0 ? "no" : history} messages, p50`,
      figure: costs[at] ?? 0,
      unit: "ms",
    })),
    {
      name: "a step after 500 messages / after none",
      figure: many / none,
      unit: "×",
      target: { bound: "at most", value: 1.25, label: "flat" },
    },
  ];
}

/** Measures whole tasks: planned, approved, and executed in two steps, with many dialogues at the same time. */
async function throughput(node: DialogueNode, rounds: number): Promise<readonly Row[]> {
  const tasks: number[] = [];
  const events: number[] = [];
  const answers: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const whole = await wholeTasks(node, round);
    const edits = await edited(node, round);
    // The first round is not measured, because the engine compiles the code during it.
    if (round < 0) continue;
    tasks.push(whole.tasks);
    events.push(whole.events);
    answers.push(edits);
  }
  return [
    { name: "whole tasks of two steps", figure: median(tasks), unit: "tasks/s", runs: tasks },
    {
      name: "durable events of whole tasks",
      figure: median(events),
      unit: "events/s",
      runs: events,
      target: { bound: "at least", value: 2_000, label: "2,000/s" },
    },
    { name: "durable answers (edits of a plan)", figure: median(answers), unit: "answers/s", runs: answers },
    {
      name: "durable events of answers",
      figure: median(answers) * MESSAGES_OF_EDIT,
      unit: "events/s",
      target: { bound: "at least", value: 2_000, label: "2,000/s" },
    },
  ];
}

async function wholeTasks(node: DialogueNode, round: number) {
  const started = performance.now();
  const end = started + ROUND;
  let tasks = 0;
  let events = 0;
  const caller = async (number: number) => {
    for (let task = 0; performance.now() < end; task++) {
      const id = `task-${round}-${number}-${task}`;
      await node.begin(id, number);
      const messages = await node.complete(id, 1);
      events += messages;
      tasks += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, number) => caller(number)));
  const seconds = (performance.now() - started) / SECOND;
  return { tasks: tasks / seconds, events: events / seconds };
}

/** Returns the number of plan edits per second. Each edit is applied to the newest version of its plan. */
async function edited(node: DialogueNode, round: number): Promise<number> {
  const ids = Array.from({ length: IN_FLIGHT * 2 }, (_, number) => `edit-${round}-${number}`);
  await each(ids.length, (number) => node.begin(ids[number] ?? "", number));
  const started = performance.now();
  const end = started + ROUND;
  let done = 0;
  const caller = async (id: string) => {
    for (let version = 1; performance.now() < end; version++) {
      await node.edit(id, version);
      done += 1;
    }
  };
  await Promise.all(ids.map(caller));
  return done / ((performance.now() - started) / SECOND);
}

async function activeMemory(node: DialogueNode): Promise<readonly Row[]> {
  await each(WARM, (number) => node.begin(`warm-${number}`, number));
  const empty = await node.heap();
  await each(ACTIVE, (number) => node.begin(`active-${number}`, number));
  const full = await node.heap();
  return [
    {
      name: `memory of an active dialogue (${ACTIVE})`,
      figure: (full - empty) / ACTIVE / KB,
      unit: "KB",
      target: { bound: "at most", value: 60, label: "60 KB" },
    },
  ];
}

/**
 * Measures dialogues that were unloaded from memory: the memory that each still needs, and the time to its
 * first answer.
 */
async function passivated(node: DialogueNode, count: number): Promise<readonly Row[]> {
  await each(WARM, (number) => node.begin(`rest-warm-${number}`, number));
  // The bench reports an upper limit of the memory of the dialogues: the largest heap size with dialogues,
  // minus the smallest heap size without dialogues.
  const whenUnloaded = async (choose: (...heaps: number[]) => number) => {
    await Bun.sleep(SHORT * 4);
    const heaps: number[] = [];
    for (let reading = 0; reading < HEAP_READINGS; reading++) {
      heaps.push(await node.heap());
      await Bun.sleep(SECOND);
    }
    return { heap: choose(...heaps), rss: process.memoryUsage.rss() };
  };
  const empty = await whenUnloaded(Math.min);
  const started = performance.now();
  await each(count, (number) => node.begin(`rest-${number}`, number));
  const seconds = (performance.now() - started) / SECOND;
  const after = await whenUnloaded(Math.max);
  const times: number[] = [];
  for (let at = 0; at < ANSWERED; at++) {
    const before = performance.now();
    await node.edit(`rest-${Math.floor((at * count) / ANSWERED)}`, 1);
    times.push(performance.now() - before);
  }
  return [
    { name: `dialogues planned, until approval (${count})`, figure: count / seconds, unit: "dialogues/s" },
    {
      name: `memory of a passivated dialogue (${count})`,
      figure: (after.heap - empty.heap) / count / KB,
      unit: "KB",
      target: { bound: "at most", value: 1, label: "1 KB" },
    },
    {
      name: "the process with its database, per passivated dialogue",
      figure: (after.rss - empty.rss) / count / KB,
      unit: "KB",
    },
    {
      name: "answer of a passivated dialogue, p50",
      figure: median(times),
      unit: "ms",
      target: { bound: "at most", value: 20, label: "20 ms" },
    },
  ];
}
