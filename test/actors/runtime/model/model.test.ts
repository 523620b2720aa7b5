/**
 * The model test of the runtime: with faults between any two events, no acknowledged command is lost, applied
 * twice or visible too early.
 */
import { test } from "bun:test";
import fc from "fast-check";
import { pause } from "../../../../actors/runtime/clock.ts";
import { parseAddress } from "../../../../actors/runtime/index.ts";
import { asCairnError } from "../../../../machines/errors.ts";
import { isFull } from "../../../tier.ts";
import { type Asked, Judge } from "./judge.ts";
import { type Fault, type Scenario, SHARDS, scenario } from "./scenario.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import { Simulation } from "./simulation.ts";

const {
  CAIRN_MODEL_RUNS: RUNS = isFull ? "600" : "150",
  CAIRN_MODEL_SEED: SEED = "20261",
  CAIRN_MODEL_PATH: PATH,
} = process.env;
/** A limit above the number of events that any case needs. A case that still has work by then never ends. */
const MAX_EVENTS = 50_000;
/**
 * Time after the last fault, in milliseconds, by which every shard has an owner and every message was
 * repeated.
 */
const SETTLED = 60_000;
/** A time in milliseconds that is longer than an idle actor stays in memory. */
const IDLE = 60_000;

/**
 * The real runtime (shard hosts behind real ports, memory bus, leases, store) runs random cases on a simulated
 * clock, one event at a time in a random order. Between any two events a worker or the whole process may die,
 * freeze, drain or lose its leases. Its store calls may arrive late, even after its death. The store may fail
 * before or after it has executed a call, or execute it after the caller has retried. Callers also cancel and
 * time out. `judge.ts` is the model.
 *
 * `CAIRN_MODEL_RUNS=20000 CAIRN_MODEL_SEED=7` runs more and other cases; `CAIRN_MODEL_PATH` runs the case that
 * a failure names.
 *
 * The test was checked with defects built into the runtime. It found each of these within 400 cases, most of
 * them within 20:
 * - acknowledging, replying, publishing or starting effects before the commit; acknowledging before replying;
 *   resolving `notify` before the commit;
 * - results of effects or timers accepted from another run; `cancel` ignored; rows of effects or timers kept;
 * - a store without fences; a fence that is not raised; a replaced owner that is not notified; nothing
 *   delivered again to a new owner; acknowledgements of a draining consumer dropped;
 * - answered commands forgotten, or fewer remembered than a batch holds;
 * - sends that their target does not remember, that are dropped by a full target, or that are sent all at once;
 * - due actors not woken; passivation during an effect; no passivation; mailboxes without a limit;
 * - a refused commit or a lost answer taken for a commit; a commit applied after its repetition;
 * - commands refused or effects failed because the store was away;
 * - a dead-lettered command not remembered or not stored, or its batch dropped with it.
 *
 * A cancelled command that is not remembered was found after 644 cases; the rest of cancelling has its own
 * tests. Commits after the end of a lease and late acknowledgements of a replaced owner are not found, because
 * the fence makes them harmless; they have their own tests, too.
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

/** A correct client, which sends the same command with the same id until it is answered. */
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
  // Only the first attempt can be cancelled, because the command may have run before its cancellation.
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

/** Marsaglia's xorshift generator. It mixes the order of events well enough, and equally on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % 65_536;
  };
}
