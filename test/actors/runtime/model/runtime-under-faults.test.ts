/**
 * The model test of the runtime. With faults between any two events, no acknowledged command may be lost,
 * applied twice or visible too early.
 */
import { test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "../../../../actors/runtime/index.ts";
import { pause } from "../../../../actors/runtime/runtime-clock.ts";
import { asCairnError } from "../../../../machines/errors.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { Simulation } from "./runtime-simulation.ts";
import { type Asked, Judge } from "./runtime-simulation-judge.ts";
import { type Fault, type Scenario, SHARDS, scenario } from "./runtime-simulation-scenario.ts";
import { SimulatedClock } from "./simulated-clock.ts";

const {
  CAIRN_MODEL_RUNS: RUNS = isFull ? "600" : "30",
  CAIRN_MODEL_SEED: SEED = "20261",
  CAIRN_MODEL_PATH: PATH,
} = process.env;
/**
 * Maximum number of events of a case. No case needs so many, so a case that reaches this number would never
 * end.
 */
const MAX_EVENTS = 50_000;
/**
 * Milliseconds after the last fault until every shard must have an owner, and every lost message must have
 * been sent again.
 */
const SETTLED = 60_000;
/** Time in milliseconds after which an idle actor has certainly left memory. */
const IDLE = 60_000;

/**
 * Runs the real runtime (shard hosts, message ports, memory bus, leases, store) in random cases on a
 * simulated clock. Events run one at a time in a random order, with faults between any two events:
 * - A worker or the whole process dies, freezes, drains or loses its leases.
 * - A worker's calls to the store arrive late, even after the death of the worker.
 * - The store fails before or after it has executed a call, or executes a call after the caller has retried
 *   it.
 * - Callers cancel or time out.
 *
 * The model in `runtime-simulation-judge.ts` checks each case. `CAIRN_MODEL_RUNS=20000 CAIRN_MODEL_SEED=7` runs more
 * and other cases. `CAIRN_MODEL_PATH` runs the case that a failure names.
 *
 * To test this test, the following defects were built into the runtime. The test found each of them within
 * 400 cases, and most within 20:
 * - Order: acknowledging, replying, publishing or starting effects before the commit; acknowledging before
 *   replying; resolving `notify` before the commit.
 * - Effects and timers: accepting results from another run; ignoring `cancel`; keeping rows after the end.
 * - Owners: a store without fences (owner numbers); a fence that is not raised; an owner that is not notified
 *   of its replacement; delivering nothing again to a new owner; dropping acknowledgements of a draining
 *   consumer.
 * - Commands: forgetting answered commands, or remembering fewer than a batch contains; not remembering or
 *   not storing a dead-lettered command; dropping the batch of a dead-lettered command.
 * - Messages between actors: a target does not remember them; a full target drops them; all are sent at once.
 * - Memory: not waking due actors; unloading an actor during an effect; unloading no actor; mailboxes without
 *   a limit.
 * - Store: taking a refused commit or a lost answer for a commit; applying a commit after its repetition;
 *   refusing commands or failing effects because the store was unavailable.
 *
 * A runtime that forgets a cancelled command was found only after 644 cases. Two defects are not found,
 * because the fence makes them harmless: commits after the end of a lease, and late acknowledgements of a
 * replaced owner. These defects, and other defects of cancelling, have their own tests.
 */
test("the runtime applies every acknowledged command once and in order, with faults between any two events", async () => {
  const parameters = { numRuns: Number(RUNS), seed: Number(SEED), ...(PATH ? { path: PATH } : {}) };
  await fc.assert(fc.asyncProperty(scenario, play), parameters);
  console.log(`model: ${RUNS} cases with seed ${SEED}`);
}, 3_600_000);

async function play({ clients, burst, patience, hosts, mailbox, faults, order }: Scenario): Promise<void> {
  const clock = new SimulatedClock();
  const judge = new Judge();
  const choose = order === 0 ? () => 0 : randomNumbers(order);
  const simulation = new Simulation({ clock, judge, choose, shards: SHARDS, mailbox });
  for (const name of hosts) simulation.start(name);

  const work = clients.map(async ({ pause: between, commands }, c) => {
    for (const [i, { actor, body, cancelAfter }] of commands.entries()) {
      const id = `c${c}.${i + 1}`;
      const asked = { client: `c${c}`, number: i + 1, id, actor, body, ordered: true };
      await send(simulation, judge, asked, patience, cancelAfter);
      await pause(clock, between);
    }
  });
  for (let i = 1; i <= burst.size; i++) {
    const body = { type: i === burst.poison ? "poison" : "add" };
    const asked = { client: "burst", number: i, id: `burst.${i}`, actor: "counter/a", body, ordered: false };
    work.push(send(simulation, judge, asked, patience));
  }
  let answered = false;
  void Promise.all(work).then(() => {
    answered = true;
  });

  const coming = [...faults];
  let events = 0;
  let since = 0;
  const fail = (what: string) => new Error(`${what}\n${simulation.log.slice(-100).join("\n")}`);
  while (!(answered && coming.length === 0 && (await simulation.isIdle()))) {
    events += 1;
    since += 1;
    const [next] = coming;
    if (next && since > next.after) {
      injectFault(simulation, next.fault);
      coming.shift();
      since = 0;
    }
    await simulation.turn();
    if (judge.faults.length > 0) throw fail(judge.faults.join("\n"));
    if (events > MAX_EVENTS) throw fail("the simulation does not end");
  }
  await simulation.idleFor(IDLE);
  await judge.conclude(simulation.inner);
  if (judge.faults.length > 0) throw fail(judge.faults.join("\n"));
  if (simulation.resident > 0) throw fail(`${simulation.resident} idle actors are still in memory`);
}

/** Sends a command as a client that behaves correctly does: with the same id until it is answered. */
async function send(
  simulation: Simulation,
  judge: Judge,
  asked: Asked,
  timeout: number,
  cancelAfter: number | null = null,
): Promise<void> {
  const { id, actor, body } = asked;
  judge.asked(asked);
  const abort = new AbortController();
  if (cancelAfter !== null) simulation.clock.after(cancelAfter, () => abort.abort());
  // Only the first attempt can be cancelled, because later attempts repeat a command that may already have
  // run.
  let first: { readonly signal?: AbortSignal } = { signal: abort.signal };
  while (true) {
    const { disturbances } = simulation;
    const calm = timeout > SETTLED && simulation.calmSince < simulation.clock.monotonic() - SETTLED;
    try {
      judge.answered(asked, {
        ok: true,
        body: await simulation.system.ask(parseAddress(actor), body, { id, timeout, ...first }),
      });
      return;
    } catch (thrown) {
      const { status, code } = asCairnError(thrown);
      if (status !== 429 && status !== 503 && status !== 504) {
        judge.answered(asked, { ok: false, code });
        return;
      }
      if (status === 504 && calm && disturbances === simulation.disturbances)
        judge.unanswered(asked, timeout);
    }
    first = {};
    await pause(simulation.clock, 100);
  }
}

function injectFault(simulation: Simulation, fault: Fault): void {
  switch (fault.kind) {
    case "kill":
      simulation.kill(fault.host, fault);
      break;
    case "restart":
      simulation.restart(fault);
      break;
    case "steal":
      simulation.steal(fault.host);
      break;
    case "freeze":
      simulation.freeze(fault.host, fault.ms);
      break;
    case "stall":
      simulation.stall(fault.host, fault.ms);
      break;
    case "drain":
      simulation.drain(fault.host, 5_000);
      break;
    case "store":
      simulation.breakStore(fault.away, fault.ms);
  }
}

/**
 * Returns Marsaglia's xorshift generator. It varies the order of events sufficiently, and gives the same order on
 * every machine.
 */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % 65_536;
  };
}
