/**
 * `defineActor`: everything that a kind provides to the runtime: its machine, the effects of its states, and
 * its queries.
 */
import type { AnyStateMachine } from "xstate";
import type { Publish } from "../../machines/emitted.ts";
import type {
  CommandOf,
  KindProtocol,
  QueryName,
  QueryParams,
  QueryResult,
  ReplyOf,
} from "../../machines/kind-protocol.ts";
import type { Address } from "./address.ts";
import type { Tally } from "./inspection/meter.ts";
import type { ActorSystem } from "./system.ts";

/** Any JSON value. Messages are encoded even inside one process. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

type AnyProtocols = Readonly<Record<string, KindProtocol>>;

/** The protocols that the effects of a kind can ask: those of the actor system among its services. */
export type ProtocolsOf<Services> = [Services] extends [{ readonly actors: ActorSystem<infer P> }]
  ? P
  : Readonly<Record<never, KindProtocol>>;

export interface EffectAskOptions {
  /** The command's identity. Without it the effect's own: the same after a crash, for the same command. */
  readonly id?: string;
  /** Milliseconds. Asking again with the id in the details of `actor.timeout` applies the command once. */
  readonly timeout?: number;
}

/** The ways of an effect to other actors, typed by the protocols of their kinds. */
export interface EffectQuestions<P extends AnyProtocols> {
  /**
   * Sends a command and waits until its effects are durable. Ends with the effect: a command of an effect whose
   * state was left is cancelled, one of an effect that moves to another owner is asked again there with the
   * same id and applied once. Rejects with `actor.ask_cycle` when the asked actor waits for this effect.
   */
  ask<K extends keyof P & string, C extends CommandOf<P[K]>>(
    kind: K,
    id: string,
    command: C,
    options?: EffectAskOptions,
  ): Promise<ReplyOf<P[K], C["type"]>>;
  /** Queries the committed state of another actor. */
  query<K extends keyof P & string, Q extends QueryName<P[K]>>(
    kind: K,
    id: string,
    query: Q,
    params: QueryParams<P[K], Q>,
    timeout?: number,
  ): Promise<QueryResult<P[K], Q>>;
}

/** The environment of a running effect. */
export interface EffectScope<Services> extends EffectQuestions<ProtocolsOf<Services>> {
  readonly address: Address;
  readonly services: Services;
  /** The effect was started before, by this or another owner: its actions may have happened. */
  readonly resumed: boolean;
  /** Milliseconds for which this owner is certain to hold the actor's shard. */
  leaseCertainFor(): number;
  /** Aborted when the state of the effect is left, or the shard is lost. */
  readonly signal: AbortSignal;
  /**
   * Sends an event to the effect's own actor and waits for the commit of its step. Rejects when it was not
   * applied (state left, shard lost): stop then.
   */
  notify(event: { readonly type: string; readonly [field: string]: unknown }): Promise<void>;
  /**
   * Registers work that this owner does before it gives up the actor, for a limited time. Effects that start
   * later start at the next owner.
   */
  beforeLeaving(work: () => Promise<void>): void;
  /** Publishes an event at once, outside any commit; lossy. */
  publish(topic: string, event: { readonly type: string; readonly [field: string]: unknown }): void;
}

/**
 * The work of an invoked state. It may run again after a crash, so it must be idempotent or check first
 * whether it is done.
 */
export type EffectHandler<Services> = (
  // biome-ignore lint/suspicious/noExplicitAny: inputs are typed by the machine's effect<In, Out>(); the registry erases them
  input: any,
  scope: EffectScope<Services>,
) => Promise<unknown>;

/** The environment of a query: the committed state and the services. A query commits nothing. */
export interface QueryScope<Services, Context> {
  readonly address: Address;
  readonly services: Services;
  /** False for an actor that never received a command; `context` is then the initial context. */
  readonly exists: boolean;
  readonly context: Context;
  /** The state value in XState's form. */
  readonly value: unknown;
  /** Why the actor is parked; `null` when it is not. */
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
  /** Version of the machine, stored with every snapshot. */
  readonly version: number;
  readonly machine: AnyStateMachine;
  readonly effects: Readonly<Record<string, EffectHandler<Services>>>;
  readonly queries: Readonly<Record<string, QueryHandler<Services, Context>>>;
  readonly limits?: Partial<ActorKindLimits>;
  /**
   * Growing numbers of the context, by result. The increase of each commit is counted under this name
   * (`cairn_exploration_pages_total{result="completed"}`). A number that decreases has been reset.
   */
  readonly tally?: Tally & { readonly of: (context: Context) => Readonly<Record<string, number>> };
  /** Completes an event after the commit with what only the owner has, such as a sequence number. */
  readonly publishing?: (
    event: Publish["event"],
    scope: { readonly address: Address; readonly services: Services },
  ) => Publish["event"];
  /**
   * Converts a persisted snapshot of an older version (from `getPersistedSnapshot()`). Its errors become
   * `actor.incompatible_snapshot`; the stored snapshot stays until the next step.
   */
  readonly migrate?: (snapshot: Json, fromVersion: number) => Json;
  /** The context for inspection. Fields named like secrets are masked anyway (`machines/inspection/masking.ts`). */
  readonly redact?: (context: Context) => unknown;
  /** Like `redact`, for commands and effect events. */
  readonly redactEvent?: (event: Readonly<Record<string, unknown>>) => unknown;
}

/** The queries of a kind, typed by its protocol. */
export type QueriesOf<P extends KindProtocol, Services, Context> = {
  readonly [Name in QueryName<P>]: (
    params: QueryParams<P, Name>,
    scope: QueryScope<Services, Context>,
  ) => Promise<QueryResult<P, Name>>;
};

/** The declaration of a kind: a definition with queries typed by the protocol and a machine of any type. */
export interface KindDefinition<P extends KindProtocol, Services, Context>
  extends Omit<ActorDefinition<Services, Context>, "machine" | "queries"> {
  readonly machine: object;
  readonly queries: QueriesOf<P, Services, Context>;
}

/** Declares actors without a protocol, with the types checked in place. */
export function defineActor<Services, Context>(
  definition: ActorDefinition<Services, Context>,
): ActorDefinition<Services, Context> {
  return definition;
}

/** Declares a kind by its protocol, with the types checked in place. */
export function defineKind<P extends KindProtocol, Services, Context>(
  definition: KindDefinition<P, Services, Context>,
): ActorDefinition<Services, Context> {
  // The only cast of machines: the runtime steps all of them alike. Events and context are typed where a
  // machine is defined.
  return definition as unknown as ActorDefinition<Services, Context>;
}

/** A definition with erased services and context, which the runtime passes through. */
export type AnyActorDefinition = ActorDefinition<never, never>;
