/**
 * `defineActor`: all that a kind brings to the runtime.
 *
 * A kind is a machine (pure, from `machines/`), the effects its states invoke, and the queries that read it.
 * Neighbours: `step.ts` runs the machine, `effects.ts` the effects, `activation.ts` the queries.
 */
import type { AnyStateMachine } from "xstate";
import type { Publish } from "../../machines/emitted.ts";
import type { Address } from "./address.ts";
import type { Tally } from "./inspection/meter.ts";

/** Anything that JSON carries; what crosses the bus is encoded even inside one process. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What an effect can reach while it runs. */
export interface EffectScope<Services> {
  readonly address: Address;
  readonly services: Services;
  /** It was begun before, by this owner or another: what it does in the world may have been done. */
  readonly resumed: boolean;
  /** Milliseconds for which this owner is sure to hold the actor's shard. */
  sureFor(): number;
  /** Aborted when the state that invoked the effect is left, or the shard is lost. */
  readonly signal: AbortSignal;
  /**
   * Hands an event to the effect's own actor and waits until the step it caused is committed.
   * Rejects when the event was not applied (the effect's state was left, the shard was lost): stop then.
   */
  notify(event: { readonly type: string; readonly [field: string]: unknown }): Promise<void>;
  /**
   * Has something done before this owner gives the actor up in good order, as when it stops or another owner is to have
   * it; he waits for that for a while. Effects that begin afterwards begin with the next owner.
   */
  beforeLeaving(work: () => Promise<void>): void;
  /** Publishes an event at once, outside any commit; lossy. */
  publish(topic: string, event: { readonly type: string; readonly [field: string]: unknown }): void;
}

/** The work of an invoked state. It may run again after a crash: idempotent, or guarded by a done-mark. */
export type EffectHandler<Services> = (
  // biome-ignore lint/suspicious/noExplicitAny: inputs are typed by the machine's effect<In, Out>(); the registry erases them
  input: any,
  scope: EffectScope<Services>,
) => Promise<unknown>;

/** What a query sees: the committed state of the actor and the node's services. It commits nothing. */
export interface QueryScope<Services, Context> {
  readonly address: Address;
  readonly services: Services;
  /** False for an actor that never took a command: `context` is then its initial one. */
  readonly exists: boolean;
  readonly context: Context;
  /** The state value, as XState gives it. */
  readonly value: unknown;
  /** Why it is out of service, if it is. */
  readonly parked: { readonly code: string; readonly message: string } | null;
}

export type QueryHandler<Services, Context> = (
  // biome-ignore lint/suspicious/noExplicitAny: parameters are validated by the kind's protocol before they are sent
  params: any,
  scope: QueryScope<Services, Context>,
) => Promise<unknown>;

export interface ActorKindLimits {
  readonly mailbox: number;
  readonly idle: number;
}

export interface ActorDefinition<Services, Context = unknown> {
  readonly kind: string;
  /** Of the machine: stored with every snapshot. */
  readonly version: number;
  readonly machine: AnyStateMachine;
  readonly effects: Readonly<Record<string, EffectHandler<Services>>>;
  readonly queries: Readonly<Record<string, QueryHandler<Services, Context>>>;
  readonly limits?: Partial<ActorKindLimits>;
  /**
   * Numbers in the context that only grow, by result: what each commit adds to them is counted under this name
   * (`cairn_exploration_pages_total{result="completed"}`). One that shrinks has begun anew.
   */
  readonly tally?: Tally & { readonly of: (context: Context) => Readonly<Record<string, number>> };
  /**
   * The last word on what its machine publishes, when that is durable: what only this owner knows, such as a number
   * among all that it publishes.
   */
  readonly publishing?: (
    event: Publish["event"],
    scope: { readonly address: Address; readonly services: Services },
  ) => Publish["event"];
  /**
   * A persisted snapshot of an older version (as `getPersistedSnapshot()` gave it then) as one of this version. What it
   * throws is told to callers as `actor.incompatible_snapshot`; what is stored stays as it was until the next step.
   */
  readonly migrate?: (snapshot: Json, fromVersion: number) => Json;
  /**
   * The context as it may be looked at. Fields that are named like secrets are masked anyhow
   * (`machines/inspection/masking.ts`); this is for what only the kind knows.
   */
  readonly redact?: (context: Context) => unknown;
  /** The same of what its machine is given: a command, or an event of an effect. */
  readonly redactEvent?: (event: Readonly<Record<string, unknown>>) => unknown;
}

/** Declares a kind; a plain function, so that its types are checked where it is written. */
export function defineActor<Services, Context>(
  definition: ActorDefinition<Services, Context>,
): ActorDefinition<Services, Context> {
  return definition;
}

/** A definition whose services and context the runtime need not know: it only passes them through. */
export type AnyActorDefinition = ActorDefinition<never, never>;
