/**
 * Queries and operations that go directly to the owner of a shard, without the shard's queue. A query is
 * answered from the committed state. It commits nothing and does not keep the actor in memory.
 */
import { Refused, Unavailable } from "../../../machines/errors.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { type Address, formatAddress, parseAddress } from "../actor-address.ts";
import { failure, type Outcome } from "../actor-messages.ts";
import { mailboxLimits } from "../actor-runtime-limits.ts";
import type { Activation } from "../core/process-messages-of-one-actor.ts";
import type { AnyActorDefinition, QueryHandler } from "../define-actor.ts";
import type { Meter } from "../inspection/metrics-of-actor-kinds.ts";
import type { OperationRequest, QueryRequest } from "../requests-to-shard-owner-types.ts";
import { operate } from "./administrative-actor-operations.ts";
import { unknownKind } from "./unhandled-messages-to-dead-letters.ts";

/** The data and functions with which the owner of a shard answers queries and operations. */
export interface AnsweringOwner {
  readonly owner: string;
  readonly definitions: ReadonlyMap<string, AnyActorDefinition>;
  readonly services: unknown;
  readonly meter: Meter;
  /** Returns the actor in memory, or `undefined` when its shard is not hosted here. */
  activation(target: Address): Activation | undefined;
  fence(shard: number): number;
  now(): number;
  deadLetter(id: string): Promise<DeadLetterRow | undefined>;
}

export async function answerRequest(
  request: QueryRequest | OperationRequest,
  host: AnsweringOwner,
): Promise<Outcome> {
  try {
    const target = parseAddress(request.to);
    const definition = host.definitions.get(target.kind);
    if (!definition) throw unknownKind(target.kind);
    if (definition.load) await definition.load();
    if ("query" in request) return answerQuery(target, request, definition, host);
    const activation = activationOf(target, host);
    const body = await operate(activation, request.operation, {
      definition,
      owner: host.owner,
      fence: host.fence(activation.shard),
      capacity: definition.limits?.mailbox ?? mailboxLimits.capacity,
      now: host.now,
      deadLetter: host.deadLetter,
    });
    return { ok: true, body };
  } catch (error) {
    return failure(error);
  }
}

export function movingAway(name: string): Unavailable {
  return new Unavailable("actor.not_here", `${name} is moving to another owner.`);
}

function activationOf(target: Address, host: AnsweringOwner): Activation {
  const activation = host.activation(target);
  if (!activation) throw movingAway(formatAddress(target));
  return activation;
}

async function answerQuery(
  target: Address,
  { query, params }: QueryRequest,
  definition: AnyActorDefinition,
  host: AnsweringOwner,
): Promise<Outcome> {
  const meter = host.meter.kind(target.kind);
  const began = performance.now();
  try {
    const handler = handlerOf(definition, query);
    // A query does not count as activity of the actor, so the actor may leave memory right after it.
    const { state, exists } = await activationOf(target, host).committed();
    const scope = {
      address: target,
      // The casts are safe: the node gives the same services to all actor kinds, and this kind's own machine
      // created the context. The registry of actor kinds does not keep the two types.
      services: host.services as never,
      exists,
      context: state.snapshot.context as never,
      value: state.snapshot.value,
      parked: state.record.parked,
    };
    const body = (await handler(params, scope)) ?? null;
    meter.queries.add("ok");
    return { ok: true, body };
  } catch (error) {
    const outcome = failure(error);
    meter.queries.add(!outcome.ok && outcome.error.status < 500 ? "refused" : "failed");
    return outcome;
  } finally {
    meter.answers.add(performance.now() - began);
  }
}

function handlerOf({ kind, queries }: AnyActorDefinition, query: string): QueryHandler<never, never> {
  const handler = queries[query];
  if (handler) return handler;
  const known = Object.keys(queries).join(", ");
  throw new Refused("actor.unknown_query", `${kind} answers ${known}, not ${query}.`, { status: 404 });
}
