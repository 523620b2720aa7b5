/**
 * Converts the actions of a machine's transition to rows that are stored, such as timers and effects. Throws for an
 * action that cannot be stored. Only this file reads XState's action objects.
 */
import type { AnyMachineSnapshot } from "xstate";
import { Defect } from "../../../machines/errors.ts";
import type { Emitted, StoreWrite } from "../../../machines/machine-emissions.ts";
import { parseAddress } from "../actor-address.ts";
import type { CommandBody } from "../actor-messages.ts";
import type { ActorRecord, EffectRow, OutboxRow, TimerRow } from "./actor-record.ts";

/** An action as XState's `transition()` returns it. */
interface PlainAction {
  readonly type: string;
  readonly params?: unknown;
}

export interface Interpretation {
  readonly timers: readonly TimerRow[];
  readonly effects: readonly EffectRow[];
  readonly outbox: readonly OutboxRow[];
  readonly run: number;
  readonly seq: number;
  readonly answer: Extract<Emitted, { type: "reply" | "refuse" }> | undefined;
  readonly writes: readonly StoreWrite[];
  readonly publishes: readonly Extract<Emitted, { type: "publish" }>[];
}

/**
 * Applies the actions of one step to the previous rows.
 *
 * - `emit` becomes a reply or refusal, a write to the store, a message to another actor, or a published
 * event.
 *
 * - A delayed `raise` adds a timer row, and `cancel` deletes it.
 *
 * - `spawnChild` (an invoke) adds an effect row, and `stopChild` deletes it.
 *
 * @param askers the actors whose effects caused the step; the effects of the step inherit them
 */
export function interpret(
  actions: readonly PlainAction[],
  before: ActorRecord,
  now: number,
  askers: readonly string[] = [],
): Interpretation {
  let timers = [...before.timers];
  let effects = [...before.effects];
  const outbox = [...before.outbox];
  let { run, seq } = before;
  let answer: Interpretation["answer"];
  const writes: StoreWrite[] = [];
  const publishes: Extract<Emitted, { type: "publish" }>[] = [];

  for (const action of actions) {
    switch (action.type) {
      case "xstate.emit": {
        // The cast is safe: machines emit only events of the type `Emitted`, but XState passes them without a
        // type.
        const { event } = action.params as { event: Emitted };
        switch (event.type) {
          case "reply":
          case "refuse":
            answer = event;
            break;
          case "write":
            writes.push(...event.writes);
            break;
          case "send":
            // The address of the target is validated here. A wrong address then fails the step of the sending
            // actor, and the message is never committed.
            parseAddress(event.to);
            seq += 1;
            outbox.push({ seq, to: event.to, command: event.command });
            break;
          case "publish":
            publishes.push(event);
            break;
          default:
            throw new Defect(
              "actor.unknown_emit",
              `A machine emitted ${JSON.stringify(event)}, which means nothing.`,
            );
        }
        break;
      }
      case "xstate.raise": {
        const { event, id, delay } = action.params as { event: CommandBody; id?: string; delay?: number };
        // A raised event without a delay needs no timer row, because XState has already processed it in the
        // same transition.
        if (delay === undefined) break;
        run += 1;
        const timer = { id: id ?? `timer-${run}`, run, at: now + delay, event };
        timers = [...timers.filter((other) => other.id !== timer.id), timer];
        break;
      }
      case "xstate.cancel": {
        const { sendId } = action.params as { sendId: string };
        timers = timers.filter((timer) => timer.id !== sendId);
        break;
      }
      case "xstate.spawnChild": {
        const { id, src, input } = action.params as { id: string; src: unknown; input: unknown };
        if (typeof src !== "string") {
          throw new Defect(
            "actor.inline_effect",
            `Effect ${id} has no name: declare it in setup({ actors }).`,
          );
        }
        run += 1;
        const effect = { id, run, src, input: input ?? null, ...(askers.length > 0 ? { askers } : {}) };
        effects = [...effects.filter((other) => other.id !== id), effect];
        break;
      }
      case "xstate.stopChild": {
        const child = action.params as { id?: string } | undefined;
        effects = effects.filter((effect) => effect.id !== child?.id);
        break;
      }
      default:
        throw new Defect(
          "actor.effectful_action",
          `Action ${action.type} cannot be made durable: use emit, raise, cancel or invoke.`,
        );
    }
  }
  return { timers, effects, outbox, run, seq, answer, writes, publishes };
}

/**
 * Returns the state value as one name for lists and messages, such as `idle`, `active.queued` or
 * `left.on,right.off`.
 */
export function stateName({ value }: Pick<AnyMachineSnapshot, "value">): string {
  if (typeof value === "string") return value;
  return Object.entries(value)
    .map(([region, within]) => {
      const name = within === undefined ? "" : stateName({ value: within });
      return name === "" ? region : `${region}.${name}`;
    })
    .join(",");
}
