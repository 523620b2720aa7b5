/**
 * The stored form of an actor: one JSON document, which each step (processed message) replaces. It contains
 * the machine's snapshot and the rows of running work: timers, effects, messages to other actors, and
 * answered commands. Each start of a timer or effect has a run number, so that a late result of an earlier
 * run is recognised and dropped.
 */
import { Defect, Unavailable } from "../../../machines/errors.ts";
import type { ActorRow } from "../../../store/index.ts";
import type { Address } from "../actor-address.ts";
import type { CommandBody } from "../actor-messages.ts";
import { RecentCommands, type StoredCommand } from "./outcomes-of-recent-commands.ts";

export interface TimerRow {
  readonly id: string;
  readonly run: number;
  readonly at: number;
  readonly event: CommandBody;
}

export interface EffectRow {
  readonly id: string;
  readonly run: number;
  readonly src: string;
  readonly input: unknown;
  /**
   * Addresses of the actors that wait for the result of this effect. An effect of such an actor has sent a
   * command that started this effect, directly or through further actors. Absent when no actor waits.
   */
  readonly askers?: readonly string[];
}

export interface OutboxRow {
  readonly seq: number;
  readonly to: string;
  readonly command: CommandBody;
}

export interface ActorRecord {
  /** The snapshot of the state machine that XState has persisted; `undefined` before the first step. */
  readonly snapshot: unknown;
  readonly timers: readonly TimerRow[];
  readonly effects: readonly EffectRow[];
  readonly outbox: readonly OutboxRow[];
  readonly remembered: RecentCommands;
  /** For each actor that sends messages to this actor, the number of the last applied message. */
  readonly heard: Readonly<Record<string, number>>;
  /** Number of the last run. Each run of a timer or effect gets the next number. */
  readonly run: number;
  readonly seq: number;
  /**
   * Number of commits of this actor. No two stored rows have the same number, so a changed row is always
   * recognised.
   */
  readonly turn: number;
  /**
   * Why the actor is parked (out of service). It then refuses commands until an operator puts it back in
   * service.
   */
  readonly parked: { readonly code: string; readonly message: string; readonly at: number } | null;
}

export const emptyRecord: ActorRecord = {
  snapshot: undefined,
  timers: [],
  effects: [],
  outbox: [],
  remembered: RecentCommands.none,
  heard: {},
  run: 0,
  seq: 0,
  turn: 0,
  parked: null,
};

type StoredRecord = Partial<Omit<ActorRecord, "remembered">> & {
  readonly remembered?: readonly StoredCommand[];
};

/**
 * Returns the time at which the actor must be in memory: now if it has running work, otherwise the time of
 * its next timer. `null` if it has neither.
 */
export function wakeAt(record: ActorRecord, now: number): number | null {
  // A parked actor still delivers its messages to other actors, because they were committed before it was
  // parked.
  if (record.parked) return record.outbox.length > 0 ? now : null;
  if (record.effects.length > 0 || record.outbox.length > 0) return now;
  let earliest: number | null = null;
  for (const timer of record.timers) if (earliest === null || timer.at < earliest) earliest = timer.at;
  return earliest;
}

export function toRow(
  target: Address,
  shard: number,
  version: number,
  record: ActorRecord,
  state: string,
  now: number,
): ActorRow {
  return {
    kind: target.kind,
    id: target.id,
    shard,
    version,
    data: toJson(record),
    wake_at: wakeAt(record, now),
    state,
    updated_at: now,
  };
}

function toJson({ remembered, ...record }: ActorRecord): string {
  return `${JSON.stringify(record).slice(0, -1)},"remembered":[${remembered.text}]}`;
}

/** Parses the actor record in a row. Throws `actor.corrupt_snapshot` when it cannot be parsed. */
export function fromRow(row: ActorRow): ActorRecord {
  let parsed: unknown;
  try {
    parsed = JSON.parse(row.data);
  } catch (cause) {
    throw new Defect("actor.corrupt_snapshot", `The stored state of ${row.kind}/${row.id} is not JSON.`, {
      cause,
    });
  }
  if (typeof parsed !== "object" || parsed === null || !("snapshot" in parsed)) {
    throw new Defect("actor.corrupt_snapshot", `The stored state of ${row.kind}/${row.id} is not a record.`);
  }
  // The cast is safe: only the runtime writes these rows. `emptyRecord` fills in fields that rows of older
  // versions lack.
  const { remembered = [], ...record } = parsed as StoredRecord;
  return { ...emptyRecord, ...record, remembered: RecentCommands.of(remembered) };
}

/** Throws when a newer version of the machine has stored the row, because this version cannot read it. */
export function checkVersion(row: ActorRow, version: number): void {
  if (row.version > version) {
    throw new Unavailable(
      "actor.newer_version",
      `${row.kind}/${row.id} was stored by version ${row.version} of its machine; this Cairn knows ${version}. Update it.`,
    );
  }
}
