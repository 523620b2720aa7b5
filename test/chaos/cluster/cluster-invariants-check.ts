/**
 * Checks the invariants of an idle cluster after a round of faults. It reads the answers to clients, the
 * store, the journals of all writes, and how often the action server counted each action.
 */
import type { ActorStore } from "../../../store/index.ts";
import type { ActionContext, ClockContext, CounterContext } from "./chaos-actor-kinds.ts";
import type { ClientCommand, ClusterClient } from "./chaos-cluster-client.ts";
import type { JournalEntry } from "./chaos-write-journal.ts";

export interface Evidence {
  readonly clients: readonly ClusterClient[];
  readonly store: ActorStore;
  readonly journal: readonly JournalEntry[];
  /** How often each action ran, by the id of the action. */
  readonly actions: ReadonlyMap<string, number>;
}

export interface Verdict {
  /** Descriptions of the invariants that were violated. The list is empty when no invariant was violated. */
  readonly faults: readonly string[];
  readonly figures: {
    readonly applied: number;
    readonly timers: number;
    readonly actions: number;
    readonly interrupted: number;
    readonly writes: number;
    readonly refusedWrites: number;
    readonly takeovers: number;
  };
}

/** Maximum number of violations that are reported. */
const MAX_FAULTS = 20;
/**
 * Tolerance in milliseconds when times in the journals of two processes are compared. A process writes the
 * line of an event a moment after the event.
 */
const CLOCK_TOLERANCE = 2;

export async function checkInvariants({ clients, store, journal, actions }: Evidence): Promise<Verdict> {
  const faults = clients.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
  const claim = (holds: boolean, fault: () => string) => {
    if (!holds) faults.push(fault());
  };
  const sent = new Map<string, ClientCommand & { readonly client: string }>();
  for (const { name, commands } of clients) {
    for (const command of commands) sent.set(command.id, Object.assign(command, { client: name }));
  }

  // Checks that every command to a counter was applied exactly once, and the commands in order.
  let applied = 0;
  const seen = new Set<string>();
  for await (const { name, context, parked } of actors<CounterContext>(store, "counter")) {
    claim(parked === null, () => `${name} is parked: ${JSON.stringify(parked)}`);
    const last = new Map<string, ClientCommand>();
    for (const [i, id] of context.applied.entries()) {
      applied += 1;
      claim(!seen.has(id), () => `${id} was applied twice`);
      seen.add(id);
      const command = sent.get(id);
      claim(command?.to === name, () => `${name} applied ${id}, which no client sent`);
      if (!command) continue;
      const reported = (command.answer as { readonly n?: number } | undefined)?.n;
      claim(
        reported === undefined || reported === i + 1,
        () => `${id} was applied as ${i + 1} and reported as ${reported}`,
      );
      if (command.attempts > 1) continue;
      const before = last.get(command.client);
      const late = before !== undefined && before.position > command.position;
      claim(
        !late,
        () => `${name} applied ${describeCommand(command)} after ${before ? describeCommand(before) : ""}`,
      );
      if (!late) last.set(command.client, command);
    }
  }
  for (const { id, to, answer } of sent.values()) {
    if (!to.startsWith("counter/") || answer === undefined) continue;
    claim(seen.has(id), () => `${id} was acknowledged and is lost`);
  }

  // Checks that every timer has fired exactly once, and not before its time.
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

  // Checks the actions: no action ran twice, none is lost, and none is reported as done without having run.
  let interrupted = 0;
  const outcomes = new Map<string, string>();
  for await (const { name, context } of actors<ActionContext>(store, "action")) {
    claim(context.waiting.length === 0 && context.current === null, () => `${name} is not idle`);
    for (const [id, outcome] of Object.entries(context.outcomes)) {
      outcomes.set(id, outcome);
      if (outcome === "interrupted") interrupted += 1;
      claim(
        outcome !== "done" || actions.get(id) === 1,
        () => `action ${id} is reported as done and ran ${actions.get(id) ?? 0} times`,
      );
    }
  }
  for (const [id, times] of actions) claim(times === 1, () => `action ${id} ran ${times} times`);
  for (const { id, to, answer } of sent.values()) {
    if (!to.startsWith("action/") || answer === undefined) continue;
    claim(outcomes.has(id), () => `action ${id} was accepted and has no outcome`);
  }

  const places = checkOwnership(journal);
  return {
    faults: [...faults, ...places.faults].slice(0, MAX_FAULTS),
    figures: { applied, timers, actions: actions.size, interrupted, ...places.figures },
  };
}

function describeCommand({
  id,
  lastNode: via,
  firstSentAt: began = 0,
  answeredAt: ended = 0,
}: ClientCommand): string {
  return `${id} (sent to ${via} at ${new Date(began).toISOString().slice(11, -1)}, answered after ${ended - began} ms)`;
}

interface CommitAttempt {
  readonly owner: string;
  readonly at: number;
  readonly writes: Extract<JournalEntry, { what: "try" }>["writes"];
}

/**
 * Checks that no shard has two owners at once. Each fence (owner number) belongs to one owner. A commit of
 * the previous owner must be refused if it starts after the next owner has raised the fence. Such a commit
 * occurs when a process is paused between checking its lease and committing.
 */
function checkOwnership(journal: readonly JournalEntry[]): {
  readonly faults: readonly string[];
  readonly figures: Pick<Verdict["figures"], "writes" | "refusedWrites" | "takeovers">;
} {
  const faults: string[] = [];
  const raised = new Map<string, { readonly owner: string; readonly at: number }>();
  for (const line of journal) {
    if (line.what !== "fence") continue;
    const key = `${line.shard}#${line.fence}`;
    const other = raised.get(key);
    if (other)
      faults.push(`fence ${line.fence} of shard ${line.shard} was given to ${other.owner} and ${line.owner}`);
    raised.set(key, line);
  }
  const tried = new Map<string, CommitAttempt>();
  for (const line of journal) if (line.what === "try") tried.set(`${line.owner}#${line.n}`, line);
  let writes = 0;
  let refusedWrites = 0;
  for (const line of journal) {
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
      if (next && at > next.at + CLOCK_TOLERANCE) {
        faults.push(
          `${owner} wrote ${actor} ${at - next.at} ms after ${next.owner} had taken shard ${shard}`,
        );
      }
    }
  }
  return { faults, figures: { writes, refusedWrites, takeovers: raised.size } };
}

/** Returns all stored actors of a kind. */
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
