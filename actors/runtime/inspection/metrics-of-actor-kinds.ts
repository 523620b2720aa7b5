/**
 * The counters of one owner of shards. They are plain numbers that each event increments. Durations are
 * measured for batches, transactions and queries, but not for each command.
 */

import type { MetricFamily } from "../../../machines/runtime/metric-counters.ts";
import { metricsLimits } from "../actor-runtime-limits.ts";
import type { ActorState, Item, StepResult } from "../core/actor-step.ts";
import type { AnyActorDefinition, Tally } from "../define-actor.ts";

/** A histogram of durations in seconds. */
export class Durations {
  readonly counts: number[] = Array.from({ length: metricsLimits.seconds.length + 1 }, () => 0);
  sum = 0;

  add(milliseconds: number): void {
    const seconds = milliseconds / 1_000;
    const bounds = metricsLimits.seconds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** A set of counters: one for each result, such as `ok` or `refused`. */
export class Results {
  readonly counts = new Map<string, number>();

  add(result: string, by = 1): void {
    this.counts.set(result, (this.counts.get(result) ?? 0) + by);
  }
}

/** The counters of one actor kind. */
export class KindMeter {
  /** Commands by result: ok, refused, failed, repeated (answered as before), cancelled or expired. */
  readonly commands = new Results();
  readonly queries = new Results();
  readonly effects = new Results();
  readonly sends = new Results();
  /** Counts that the actor kind itself reports, such as the number of pages that explorations have read. */
  readonly tally = new Results();
  readonly steps = new Durations();
  readonly turns = new Durations();
  readonly answers = new Durations();
  activated = 0;
  deadLetters = 0;
  parked = 0;

  /** Counts a message that an actor has processed. */
  countStep({ kind }: Item, result: Pick<StepResult, "applied" | "outcome">): void {
    if (kind === "command") this.commands.add(resultOf(result));
  }

  /** Counts a dead letter. With `parks` it also counts that the actor was parked (taken out of service). */
  countDeadLetter({ kind }: Item, parks: boolean): void {
    this.deadLetters += 1;
    if (kind === "command") this.commands.add("failed");
    if (parks) this.parked += 1;
  }
}

/**
 * Codes of errors with which the runtime refuses a command before the state machine gets it. Such an outcome
 * is not stored, so the command is processed again when it is sent again.
 */
const REFUSED_BY_RUNTIME: ReadonlySet<string> = new Set(["actor.parked", "actor.reserved_event"]);

/** Returns the `result` label of the metric that counts commands. */
function resultOf({ applied, outcome }: Pick<StepResult, "applied" | "outcome">): string {
  if (!outcome) return "expired";
  if (!outcome.ok && outcome.error.code === "actor.cancelled") return "cancelled";
  if (!outcome.ok && REFUSED_BY_RUNTIME.has(outcome.error.code)) return "refused";
  return !applied ? "repeated" : outcome.ok ? "ok" : "refused";
}

/**
 * Updates the counters of an actor kind after a commit. The actor's state has a number for each counter. The
 * counter grows by the increase of this number in the commit.
 */
export function count(
  meter: KindMeter,
  { tally }: AnyActorDefinition,
  before: ActorState | undefined,
  after: ActorState,
): void {
  if (!tally) return;
  // The cast is safe: a machine of this kind created the context. The list of actor kinds does not keep this
  // type.
  const old = before ? tally.of(before.snapshot.context as never) : {};
  for (const [result, value] of Object.entries(tally.of(after.snapshot.context as never))) {
    const grown = value - (old[result] ?? 0);
    if (grown > 0) meter.tally.add(result, grown);
  }
}

/** The fields of an actor in memory that the metrics need. */
interface Resident {
  readonly address: { readonly kind: string };
  readonly waiting: number;
}

export class Meter {
  readonly commits = new Durations();
  readonly #kinds = new Map<string, KindMeter>();

  kind(name: string): KindMeter {
    let meter = this.#kinds.get(name);
    if (!meter) {
      meter = new KindMeter();
      this.#kinds.set(name, meter);
    }
    return meter;
  }

  /** Returns the current values of all counters and gauges. */
  families(
    shards: number,
    residents: Iterable<Resident>,
    definitions: readonly AnyActorDefinition[],
  ): readonly MetricFamily[] {
    const kinds = [...this.#kinds];
    const activations = new Map<string, number>();
    const waiting = new Map<string, number>();
    for (const { address, waiting: items } of residents) {
      activations.set(address.kind, (activations.get(address.kind) ?? 0) + 1);
      waiting.set(address.kind, (waiting.get(address.kind) ?? 0) + items);
    }
    const counted = (name: string, help: string, of: (meter: KindMeter) => number): MetricFamily => ({
      name,
      help,
      type: "counter",
      samples: kinds.map(([kind, meter]) => ({ labels: { kind }, value: of(meter) })),
    });
    const results = (name: string, help: string, of: (meter: KindMeter) => Results): MetricFamily => ({
      name,
      help,
      type: "counter",
      samples: kinds.flatMap(([kind, meter]) =>
        [...of(meter).counts].map(([result, value]) => ({ labels: { kind, result }, value })),
      ),
    });
    const times = (name: string, help: string, of: (meter: KindMeter) => Durations): MetricFamily => ({
      name,
      help,
      type: "histogram",
      bounds: metricsLimits.seconds,
      samples: kinds.map(([kind, meter]) => ({ labels: { kind }, ...timesOf(of(meter)) })),
    });
    const gauge = (name: string, help: string, values: ReadonlyMap<string, number>): MetricFamily => ({
      name,
      help,
      type: "gauge",
      samples: [...values].map(([kind, value]) => ({ labels: { kind }, value })),
    });
    return [
      results("cairn_commands_total", "Commands to actors, by result", (m) => m.commands),
      results("cairn_queries_total", "Queries to actors, by result", (m) => m.queries),
      results("cairn_effects_total", "Finished effects of actors, by result", (m) => m.effects),
      results("cairn_sends_total", "Settled sends between actors, by result", (m) => m.sends),
      times("cairn_step_seconds", "Stepping one batch of an actor, in memory", (m) => m.steps),
      times(
        "cairn_command_seconds",
        "One batch of commands, from its first step until it was durable and answered",
        (m) => m.turns,
      ),
      times("cairn_query_seconds", "Answering one query", (m) => m.answers),
      {
        name: "cairn_commit_seconds",
        help: "One transaction of one or more actors",
        type: "histogram",
        bounds: metricsLimits.seconds,
        samples: [{ labels: {}, ...timesOf(this.commits) }],
      },
      counted("cairn_activations_total", "Activations of actors", (m) => m.activated),
      counted("cairn_dead_letters_total", "Messages that became dead letters", (m) => m.deadLetters),
      counted("cairn_parked_total", "Actors that were parked", (m) => m.parked),
      gauge("cairn_activations", "Actors in memory", activations),
      gauge("cairn_mailbox_depth", "Items waiting in the mailboxes of actors", waiting),
      {
        name: "cairn_shards_owned",
        help: "Shards that this node hosts",
        type: "gauge",
        samples: [{ labels: {}, value: shards }],
      },
      ...definitions.flatMap(({ kind, tally }) => (tally ? [tallied(tally, this.kind(kind).tally)] : [])),
    ];
  }
}

function timesOf({ counts, sum }: Durations) {
  return { counts: [...counts], sum };
}

function tallied({ name, help }: Tally, { counts }: Results): MetricFamily {
  const samples = [...counts].map(([result, value]) => ({ labels: { result }, value }));
  return { name, help, type: "counter", samples };
}
