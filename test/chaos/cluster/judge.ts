/**
 * What must be true of a cluster when it has come to rest, whatever struck it: read from what the clients were told,
 * from the store, from what each node did to the store, and from the world.
 */
import type { ActorStore } from "../../../store/index.ts";
import type { Asked, Client } from "./client.ts";
import type { ClockContext, CounterContext, HandContext } from "./kinds.ts";
import type { WitnessedLine } from "./witness.ts";

export interface Evidence {
  readonly clients: readonly Client[];
  readonly store: ActorStore;
  readonly testimony: readonly WitnessedLine[];
  /** Acts in the world by their ids. */
  readonly acts: ReadonlyMap<string, number>;
}

export interface Verdict {
  /** In words; empty when all is as it must be. */
  readonly faults: readonly string[];
  readonly figures: {
    readonly applied: number;
    readonly timers: number;
    readonly acts: number;
    readonly interrupted: number;
    readonly writes: number;
    readonly refusedWrites: number;
    readonly takeovers: number;
  };
}

/** More would not be read. */
const MOST_FAULTS = 20;
/** How many milliseconds two processes' notes of one moment may differ: each notes it after it has happened. */
const BLUR = 2;

export async function judge({ clients, store, testimony, acts }: Evidence): Promise<Verdict> {
  const faults = clients.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
  const claim = (holds: boolean, fault: () => string) => {
    if (!holds) faults.push(fault());
  };
  const asked = new Map<string, Asked & { readonly client: string }>();
  for (const { name, asked: all } of clients) {
    for (const one of all) asked.set(one.id, Object.assign(one, { client: name }));
  }

  // ——— commands of counters: exactly once, in order
  let applied = 0;
  const seen = new Set<string>();
  for await (const { name, context, parked } of actors<CounterContext>(store, "counter")) {
    claim(parked === null, () => `${name} is parked: ${JSON.stringify(parked)}`);
    const last = new Map<string, Asked>();
    for (const [i, id] of context.applied.entries()) {
      applied += 1;
      claim(!seen.has(id), () => `${id} was applied twice`);
      seen.add(id);
      const command = asked.get(id);
      claim(command?.to === name, () => `${name} applied ${id}, which nobody asked of it`);
      if (!command) continue;
      const told = (command.answer as { readonly n?: number } | undefined)?.n;
      claim(told === undefined || told === i + 1, () => `${id} was applied as ${i + 1} and told ${told}`);
      if (command.sent > 1) continue;
      const before = last.get(command.client);
      const late = before !== undefined && before.k > command.k;
      claim(!late, () => `${name} applied ${inWords(command)} after ${before ? inWords(before) : ""}`);
      if (!late) last.set(command.client, command);
    }
  }
  for (const { id, to, answer } of asked.values()) {
    if (!to.startsWith("counter/") || answer === undefined) continue;
    claim(seen.has(id), () => `${id} was acknowledged and is lost`);
  }

  // ——— timers: each once, none early
  let timers = 0;
  for await (const { name, context } of actors<ClockContext>(store, "clock")) {
    const times = new Map<string, number>();
    for (const { id, at } of context.rang) {
      timers += 1;
      times.set(id, (times.get(id) ?? 0) + 1);
      claim(at >= Math.floor(context.due[id] ?? 0), () => `timer ${id} of ${name} rang too early`);
    }
    for (const id of Object.keys(context.due)) {
      claim(times.get(id) === 1, () => `timer ${id} of ${name} rang ${times.get(id) ?? 0} times`);
    }
  }

  // ——— acts: none twice, none forgotten, none told done that was not
  let interrupted = 0;
  const outcomes = new Map<string, string>();
  for await (const { name, context } of actors<HandContext>(store, "hand")) {
    claim(context.waiting.length === 0 && context.act === null, () => `${name} has not come to rest`);
    for (const [id, outcome] of Object.entries(context.outcomes)) {
      outcomes.set(id, outcome);
      if (outcome === "interrupted") interrupted += 1;
      claim(
        outcome !== "done" || acts.get(id) === 1,
        () => `act ${id} is told done, and was done ${acts.get(id) ?? 0} times`,
      );
    }
  }
  for (const [id, times] of acts) claim(times === 1, () => `act ${id} was done ${times} times`);
  for (const { id, to, answer } of asked.values()) {
    if (!to.startsWith("hand/") || answer === undefined) continue;
    claim(outcomes.has(id), () => `act ${id} was accepted, and nothing is known of it`);
  }

  const places = judgePlaces(testimony);
  return {
    faults: [...faults, ...places.faults].slice(0, MOST_FAULTS),
    figures: { applied, timers, acts: acts.size, interrupted, ...places.figures },
  };
}

function inWords({ id, via, began = 0, ended = 0 }: Asked): string {
  return `${id} (asked of ${via} at ${new Date(began).toISOString().slice(11, -1)}, answered after ${ended - began} ms)`;
}

interface Tried {
  readonly owner: string;
  readonly at: number;
  readonly writes: Extract<WitnessedLine, { what: "try" }>["writes"];
}

/**
 * No shard in two places: each fence belongs to one owner, and nothing that was begun when the next owner had its own
 * was written. (A process may be stopped between its look at its lease and its write, which the store then refuses.)
 */
function judgePlaces(testimony: readonly WitnessedLine[]): {
  readonly faults: readonly string[];
  readonly figures: Pick<Verdict["figures"], "writes" | "refusedWrites" | "takeovers">;
} {
  const faults: string[] = [];
  const raised = new Map<string, { readonly owner: string; readonly at: number }>();
  for (const line of testimony) {
    if (line.what !== "fence") continue;
    const key = `${line.shard}#${line.fence}`;
    const other = raised.get(key);
    if (other)
      faults.push(`fence ${line.fence} of shard ${line.shard} was given to ${other.owner} and ${line.owner}`);
    raised.set(key, line);
  }
  const tried = new Map<string, Tried>();
  for (const line of testimony) if (line.what === "try") tried.set(`${line.owner}#${line.n}`, line);
  let writes = 0;
  let refusedWrites = 0;
  for (const line of testimony) {
    if (line.what !== "outcome") continue;
    const { owner, n, ok } = line;
    const { at = 0, writes: units = [] } = tried.get(`${owner}#${n}`) ?? {};
    for (const [i, { actor, shard, fence }] of units.entries()) {
      if (ok[i] !== true) {
        refusedWrites += 1;
        continue;
      }
      writes += 1;
      const mine = raised.get(`${shard}#${fence}`);
      if (mine?.owner !== owner)
        faults.push(`${owner} wrote ${actor} with fence ${fence}, which is not its own`);
      const next = raised.get(`${shard}#${fence + 1}`);
      if (next && at > next.at + BLUR) {
        faults.push(
          `${owner} wrote ${actor} ${at - next.at} ms after ${next.owner} had taken shard ${shard}`,
        );
      }
    }
  }
  return { faults, figures: { writes, refusedWrites, takeovers: raised.size } };
}

/** All actors of a kind as they are stored. */
async function* actors<Context>(
  store: ActorStore,
  kind: string,
): AsyncIterable<{ readonly name: string; readonly context: Context; readonly parked: unknown }> {
  let after: { readonly kind: string; readonly id: string } | undefined;
  for (;;) {
    const page = await store.list({ kind, limit: 500, ...(after ? { after } : {}) });
    const rows = await Promise.all(page.map(({ id }) => store.load({ kind, id })));
    for (const { id, data } of rows.filter((row) => row !== undefined)) {
      const { snapshot, parked } = JSON.parse(data);
      yield { name: `${kind}/${id}`, context: snapshot.context as Context, parked };
    }
    const last = page.at(-1);
    if (!last) return;
    after = { kind, id: last.id };
  }
}
