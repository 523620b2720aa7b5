/** The tools to administrate actors, dead letters (commands that actors could not handle) and nodes. */

import { z } from "zod";
import { kinds } from "../../machines/actor-kinds.ts";
import { Refused } from "../../machines/errors.ts";
import type { Chart } from "../../machines/inspection/statechart-schema.ts";
import {
  actorDetailSchema,
  actorListSchema,
  actorRefSchema,
  commandSentSchema,
  deadLetterRefSchema,
  deadLettersSchema,
  discardedSchema,
  type ListActors,
  listActorsSchema,
  listDeadLettersSchema,
  nodesSchema,
  replayedSchema,
  sendCommandSchema,
  unparkedSchema,
} from "../../machines/runtime/runtime-administration-schemas.ts";
import type { Cairn } from "../actor-system-interface.ts";
import { type AuditSubject, defineTool } from "./define-tool.ts";
import { changesData, readsData } from "./tool-annotations.ts";

/** Name of the state of an actor that is out of service, for every actor kind. */
const PARKED = "parked";
const isName = (value: unknown): value is string => typeof value === "string" && value !== "";
const letterSubject: AuditSubject = ({ id }) => (isName(id) ? `dead_letter/${id}` : undefined);

/**
 * Returns the names of all states inside the root of a state machine, as `list_actors` prints them: `active`,
 * `active.queued`.
 */
function stateNames({ states: [root, ...states] }: Chart): readonly string[] {
  const names = new Map<string, string>();
  for (const { id, key, parent } of states) {
    const outer = parent === null || parent === root?.id ? undefined : names.get(parent);
    names.set(id, outer === undefined ? key : `${outer}.${key}`);
  }
  return [...names.values()];
}

/**
 * Throws an error if no actor of this kind can have a state with this name. Without the error, the empty list
 * would look like a valid answer.
 */
async function assertState({ machines }: Cairn, { kind, state }: ListActors): Promise<void> {
  if (state === undefined || state === PARKED) return;
  const charts = await Promise.all(
    (kind === undefined ? machines.kinds() : [kind]).map((name) => machines.chart(name)),
  );
  const known = new Set(charts.flatMap(stateNames));
  // The state name of a state machine with parallel regions contains one part for each region. The parts are
  // separated by commas.
  if (state.split(",").every((part) => known.has(part))) return;
  const whose = kind === undefined ? "No kind of actor" : `The kind ${kind}`;
  const has =
    kind === undefined
      ? "Give a kind as well to get the names of its states."
      : `It has ${[...known].join(", ")}, ${PARKED}.`;
  throw new Refused("request.invalid", `${whose} has a state "${state.slice(0, 100)}". ${has}`, {
    status: 422,
  });
}

/** Throws an error for an unknown kind of actor. Without it, a query for that kind would find nothing forever. */
export function assertKind(kind: string): void {
  if (Object.hasOwn(kinds, kind)) return;
  const known = Object.keys(kinds).join(", ");
  throw new Refused("request.invalid", `There is no kind "${kind.slice(0, 100)}". There are ${known}.`, {
    status: 422,
  });
}

const listActors = defineTool({
  name: "list_actors",
  scope: "read",
  description: "List the actors of this Cairn by kind and state; actors in state parked are out of service",
  sets: ["operations"],
  http: {
    method: "GET",
    path: "/api/actors",
    operationId: "listActors",
    tag: "Operations",
    errors: [422],
    query: ["kind", "state", "order", "limit", "cursor"],
  },
  input: listActorsSchema,
  output: actorListSchema,
  annotations: readsData,
  async handle(cairn, request) {
    if (request.kind !== undefined) assertKind(request.kind);
    if (request.order === "updated" && request.cursor !== undefined) {
      throw new Refused("request.invalid", "order=updated has one page. Leave cursor out, or raise limit.", {
        status: 422,
      });
    }
    await assertState(cairn, request);
    return await cairn.operations.actors(request);
  },
});

const getActor = defineTool({
  name: "get_actor",
  scope: "read",
  description: "Inspect one actor: state, context without secrets, mailbox, timers, effects, last events",
  sets: ["operations"],
  http: {
    method: "GET",
    path: "/api/actors/:kind/:id",
    operationId: "getActor",
    tag: "Operations",
    errors: [400, 404, 422, 504],
  },
  input: actorRefSchema,
  output: actorDetailSchema,
  annotations: readsData,
  handle: (cairn, { kind, id }) => cairn.operations.actor(kind, id),
});

const unparkActor = defineTool({
  name: "unpark_actor",
  scope: "admin",
  description: "Bring an actor back into service that was parked because it kept failing",
  sets: ["operations"],
  http: {
    method: "POST",
    path: "/api/actors/:kind/:id/unpark",
    operationId: "unparkActor",
    tag: "Operations",
    errors: [400, 404, 504],
  },
  input: actorRefSchema,
  output: unparkedSchema,
  annotations: changesData,
  subject: ({ kind, id }) => (isName(kind) && isName(id) ? `${kind}/${id}` : undefined),
  handle: (cairn, { kind, id }) => cairn.operations.unpark(kind, id),
});

const sendCommand = defineTool({
  name: "send_command",
  scope: "admin",
  description: "Send a command of its protocol to an actor that exists, for debugging",
  sets: "operator",
  http: {
    method: "POST",
    path: "/api/actors/:kind/:id/commands",
    operationId: "sendCommand",
    tag: "Operations",
    errors: [400, 404, 409, 504],
  },
  input: sendCommandSchema,
  output: commandSentSchema,
  annotations: { ...changesData, destructiveHint: true, idempotentHint: false },
  subject: ({ kind, id }) => (isName(kind) && isName(id) ? `${kind}/${id}` : undefined),
  handle: (cairn, command, { commandId }) => cairn.operations.send(command, commandId),
});

const listDeadLetters = defineTool({
  name: "list_dead_letters",
  scope: "admin",
  description:
    "List the dead letters: messages that actors could not handle, oldest first, each with its error",
  sets: ["operations"],
  http: {
    method: "GET",
    path: "/api/dead-letters",
    operationId: "listDeadLetters",
    tag: "Operations",
    errors: [422],
    query: ["limit", "cursor"],
  },
  input: listDeadLettersSchema,
  output: deadLettersSchema,
  annotations: readsData,
  handle: (cairn, request) => cairn.operations.deadLetters(request),
});

const replayDeadLetter = defineTool({
  name: "replay_dead_letter",
  scope: "admin",
  description:
    "Deliver a dead letter to its actor again, at most once; a parked actor returns to service. If it fails again, it " +
    "stays a dead letter",
  sets: ["operations"],
  http: {
    method: "POST",
    path: "/api/dead-letters/:id/replay",
    operationId: "replayDeadLetter",
    tag: "Operations",
    errors: [400, 404, 422, 504],
  },
  input: deadLetterRefSchema,
  output: replayedSchema,
  annotations: { ...changesData, idempotentHint: false },
  subject: letterSubject,
  handle: (cairn, { id }) => cairn.operations.replay(id),
});

const discardDeadLetter = defineTool({
  name: "discard_dead_letter",
  scope: "admin",
  description: "Discard a dead letter; its message will not be handled",
  sets: ["operations"],
  http: {
    method: "DELETE",
    path: "/api/dead-letters/:id",
    operationId: "discardDeadLetter",
    tag: "Operations",
    errors: [404, 422],
  },
  input: deadLetterRefSchema,
  output: discardedSchema,
  annotations: { ...changesData, destructiveHint: true },
  subject: letterSubject,
  handle: (cairn, { id }) => cairn.operations.discard(id),
});

const listNodes = defineTool({
  name: "list_nodes",
  scope: "read",
  description: "List the nodes of this Cairn with their workers and the shards that each owns",
  sets: ["operations"],
  http: { method: "GET", path: "/api/nodes", operationId: "listNodes", tag: "Operations" },
  input: z.object({}),
  output: nodesSchema,
  annotations: readsData,
  handle: (cairn) => cairn.operations.nodes(),
});

export const operationsTools = [
  listActors,
  getActor,
  unparkActor,
  sendCommand,
  listDeadLetters,
  replayDeadLetter,
  discardDeadLetter,
  listNodes,
];
