/**
 * Defines an actor kind for the runtime (`defineActor`): its machine, the effects of its states, and its
 * queries.
 */
import type { AnyStateMachine } from "xstate";
import type {
  CommandOf,
  KindProtocol,
  QueryName,
  QueryParams,
  QueryResult,
  ReplyOf,
} from "../../machines/actor-kind-protocol.ts";
import type { Publish } from "../../machines/machine-emissions.ts";
import type { Address } from "./actor-address.ts";
import type { ActorSystem } from "./calls-to-actors.ts";

/**
 * The name and the help text of a metric that an actor kind defines. `ActorDefinition.tally` gives its
 * values.
 */
export interface Tally {
  readonly name: string;
  readonly help: string;
}

/** Any JSON value. Messages are encoded as JSON even inside one process. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

type AnyProtocols = Readonly<Record<string, KindProtocol>>;

/**
 * The protocols of the actor kinds to which an effect can send commands, as a type. They come from the type
 * of `actors` in the effect's services.
 */
export type ProtocolsOf<Services> = [Services] extends [{ readonly actors: ActorSystem<infer P> }]
  ? P
  : Readonly<Record<never, KindProtocol>>;

export interface EffectAskOptions {
  /**
   * The id of the command. By default it is derived from the effect and the command, so it is equal when the
   * effect runs again after a crash.
   */
  readonly id?: string;
  /**
   * Milliseconds to wait for the outcome. After the error `actor.timeout`, the call can be repeated with the id
   * in the error's details. The command is applied only once.
   */
  readonly timeout?: number;
}

/** The calls of an effect to other actors, typed by the protocols of their kinds. */
export interface EffectQuestions<P extends AnyProtocols> {
  /**
   * Sends a command to another actor and waits for its durable outcome. The command is cancelled when the
   * machine leaves the effect's state. If the effect moves to another owner, that owner sends the command
   * again with the same id. Rejects with `actor.ask_cycle` if the other actor waits for this effect.
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
  ): Promise<QueryResult<P[K], Q>>;
}

/** The functions and data that the runtime provides to a running effect. */
export interface EffectScope<Services> extends EffectQuestions<ProtocolsOf<Services>> {
  readonly address: Address;
  readonly services: Services;
  /**
   * Whether the effect was started before, by this owner or an earlier one. If so, some of its work may be
   * done already.
   */
  readonly resumed: boolean;
  /** Returns for how many milliseconds this owner certainly holds the lease of the actor's shard. */
  leaseCertainFor(): number;
  /** This signal is aborted when the machine leaves the effect's state, or when the shard is lost. */
  readonly signal: AbortSignal;
  /**
   * Sends an event to the effect's own actor and waits until its step is committed. Rejects when the machine
   * did not take the event, because the state was left or the shard was lost. The effect must then stop.
   */
  notify(event: { readonly type: string; readonly [field: string]: unknown }): Promise<void>;
  /**
   * Registers work that this owner must do before it hands the actor over to another owner, such as saving a
   * session. The time for this work is limited. If an effect of the actor starts during the work, the next
   * owner runs the effect.
   */
  beforeLeaving(work: () => Promise<void>): void;
  /** Publishes an event at once, without a commit. The event may be lost. */
  publish(topic: string, event: { readonly type: string; readonly [field: string]: unknown }): void;
}

/**
 * The code of an effect: the work that runs while the machine is in the state that invokes it. It may run
 * again after a crash, so it must be idempotent or check first whether its work is done.
 */
export type EffectHandler<Services> = (
  // biome-ignore lint/suspicious/noExplicitAny: inputs are typed by the machine's effect<In, Out>(); the registry erases them
  input: any,
  scope: EffectScope<Services>,
) => Promise<unknown>;

/** The actor's committed state and services, as a query gets them. A query cannot change the state. */
export interface QueryScope<Services, Context> {
  readonly address: Address;
  readonly services: Services;
  /**
   * Whether the actor exists. It exists from its first command on; before, `context` is the initial context.
   */
  readonly exists: boolean;
  readonly context: Context;
  /** The state of the machine, as XState writes state values. */
  readonly value: unknown;
  /** Why the actor is parked, or `null` when it is not parked. */
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
  /** The version of the machine. It is stored with every snapshot. */
  readonly version: number;
  /**
   * Loads the code of a kind that is loaded on first use (see `definedOnFirstUse`). Before that, only `kind`,
   * `version` and `load` are defined. The runtime waits for `load` before it uses another required field.
   */
  readonly load?: () => Promise<void>;
  readonly machine: AnyStateMachine;
  readonly effects: Readonly<Record<string, EffectHandler<Services>>>;
  readonly queries: Readonly<Record<string, QueryHandler<Services, Context>>>;
  readonly limits?: Partial<ActorKindLimits>;
  /**
   * A metric of the actor kind, such as `cairn_exploration_pages_total{result="completed"}`. `of` computes
   * one number for each result (such as `completed`) from the context. After each commit, the metric grows by
   * the increase of this number; a decrease is ignored.
   */
  readonly tally?: Tally & { readonly of: (context: Context) => Readonly<Record<string, number>> };
  /**
   * Adds data of the actor's owner to an event, such as a sequence number. Called after the commit, before
   * the event is published.
   */
  readonly publishing?: (
    event: Publish["event"],
    scope: { readonly address: Address; readonly services: Services },
  ) => Publish["event"];
  /**
   * Converts a persisted snapshot of an older version of the machine. When it throws, loading the actor fails
   * with `actor.incompatible_snapshot`. The next step stores the converted snapshot.
   */
  readonly migrate?: (snapshot: Json, fromVersion: number) => Json;
  /**
   * Returns the part of the context that inspection may show. Fields with names like those of secrets are
   * masked anyway (`machines/inspection/mask-secrets-for-inspection.ts`).
   */
  readonly redact?: (context: Context) => unknown;
  /** Returns a command, or an event of an effect, without the parts that inspection must not show. */
  readonly redactEvent?: (event: Readonly<Record<string, unknown>>) => unknown;
}

/** The queries of an actor kind, with the types of the kind's protocol. */
export type QueriesOf<P extends KindProtocol, Services, Context> = {
  readonly [Name in QueryName<P>]: (
    params: QueryParams<P, Name>,
    scope: QueryScope<Services, Context>,
  ) => Promise<QueryResult<P, Name>>;
};

/**
 * The declaration of a kind. The types of its queries come from its protocol; its machine may have any type.
 */
export interface KindDefinition<P extends KindProtocol, Services, Context>
  extends Omit<ActorDefinition<Services, Context>, "machine" | "queries"> {
  readonly machine: object;
  readonly queries: QueriesOf<P, Services, Context>;
}

/**
 * Declares an actor kind without a protocol. The function returns its argument; it exists only for type
 * checking.
 */
export function defineActor<Services, Context>(
  definition: ActorDefinition<Services, Context>,
): ActorDefinition<Services, Context> {
  return definition;
}

/**
 * Declares an actor kind by its protocol. The function returns its argument; it exists only for type
 * checking.
 */
export function defineKind<P extends KindProtocol, Services, Context>(
  definition: KindDefinition<P, Services, Context>,
): ActorDefinition<Services, Context> {
  // The runtime handles all machines alike and does not need the types of their events and context. So this
  // cast drops the types. They are checked where the machine is defined.
  return definition as unknown as ActorDefinition<Services, Context>;
}

/**
 * The definition of an actor kind without the types of its services and context. The runtime only passes both
 * through.
 */
export type AnyActorDefinition = ActorDefinition<never, never>;

/**
 * Declares an actor kind whose code is loaded with its first actor. Until then, workers save the memory that
 * the code needs. If loading fails, the next use of the kind tries it again.
 */
export function definedOnFirstUse(
  kind: string,
  version: number,
  importDefinition: () => Promise<AnyActorDefinition>,
): AnyActorDefinition {
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    try {
      Object.assign(definition, await importDefinition());
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  const known: Pick<AnyActorDefinition, "kind" | "version" | "load"> = {
    kind,
    version,
    load: () => {
      loading ??= load();
      return loading;
    },
  };
  // The cast is safe, because `load` adds the missing fields, and the runtime calls `load` before it uses them.
  const definition = known as AnyActorDefinition;
  return definition;
}
