/**
 * The stored form of an actor: one JSON document that each step replaces.
 * It holds the machine's snapshot and the rows of running work: timers, effects, outbox, answered commands.
 * `run` numbers identify them: a result or timer of another run is dropped.
 */
import { Defect, Unavailable } from "../../../machines/errors.ts";
import type { ActorRow } from "../../../store/index.ts";
import type { Address } from "../address.ts";
import type { CommandBody } from "../message.ts";
import { RecentCommands, type StoredCommand } from "./recent-commands.ts";

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
  /** The actors whose effects asked for the command that led to this effect. Absent when there are none. */
  readonly askers?: readonly string[];
}

export interface OutboxRow {
  readonly seq: number;
  readonly to: string;
  readonly command: CommandBody;
}

export interface ActorRecord {
  /** XState's persisted snapshot; `undefined` until the first step. */
  readonly snapshot: unknown;
  readonly timers: readonly TimerRow[];
  readonly effects: readonly EffectRow[];
  readonly outbox: readonly OutboxRow[];
  readonly remembered: RecentCommands;
  /** The last applied send of each sending actor. */
  readonly heard: Readonly<Record<string, number>>;
  /** The last run number of a timer or effect, and the last number of a send. */
  readonly run: number;
  readonly seq: number;
  /** Number of commits: no two rows of an actor are equal. */
  readonly turn: number;
  /** Why the actor is parked; commands are refused until a dead letter is replayed. */
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

/** When the actor must be active: at once while work is running, else at its earliest timer. */
export function wakeAt(record: ActorRecord, now: number): number | null {
  // Sends of a parked actor were promised before and still go out.
  if (record.parked) return record.outbox.length > 0 ? now : null;
  if (record.effects.length > 0 || record.outbox.length > 0) return now;
  let earliest: number | null = null;
  for (const timer of record.timers) if (earliest === null || timer.at < earliest) earliest = timer.at;
  return earliest;
}

/** The row for the store. */
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

/** The record of a row; throws `actor.corrupt_snapshot` when it cannot be read. */
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
  // The store returns what a step wrote; missing parts were added by newer versions.
  const { remembered = [], ...record } = parsed as StoredRecord;
  return { ...emptyRecord, ...record, remembered: RecentCommands.of(remembered) };
}

/** Checks that this version of the machine can read the row. */
export function checkVersion(row: ActorRow, version: number): void {
  if (row.version > version) {
    throw new Unavailable(
      "actor.newer_version",
      `${row.kind}/${row.id} was stored by version ${row.version} of its machine; this Cairn knows ${version}. Update it.`,
    );
  }
}
