/**
 * The REST routes of operating Cairn: actors, dead letters, nodes.
 *
 * Each is a call of the tool of the same meaning in `tools/operations.ts`.
 */
import { Elysia } from "elysia";
import {
  discardDeadLetter,
  getActor,
  listActors,
  listDeadLetters,
  listNodes,
  replayDeadLetter,
  unparkActor,
} from "../tools/operations.ts";
import { answer, documented, repeatable, type Surface, toolOperation } from "./operation.ts";

const tag = "Operations";
const page = {
  limit: { type: "integer", minimum: 1, description: "Entries of this answer, at most" },
  cursor: { type: "string", description: "next_cursor of the answer before" },
} as const;
const actor = documented({
  kind: { type: "string", description: "Kind of actor" },
  id: { type: "string", description: "The actor's id, percent-encoded" },
});
const actorsQuery = documented({
  kind: { type: "string", description: "Only actors of this kind" },
  state: {
    type: "string",
    description: "Only actors in this state or one within it; parked: out of service",
  },
  ...page,
});
const letter = documented({ id: { type: "string", description: "The dead letter's id" } });

export function operationsRoutes(surface: Surface) {
  return new Elysia({ name: "operations" })
    .get("/api/actors", ({ request, query }) => answer(surface, request, listActors, query), {
      query: actorsQuery,
      ...toolOperation(listActors, "listActors", tag, [422]),
    })
    .get(
      "/api/actors/:kind/:id",
      ({ request, params }) => answer(surface, request, getActor, { kind: params.kind, id: params.id }),
      { params: actor, ...toolOperation(getActor, "getActor", tag, [400, 404, 422, 504]) },
    )
    .post(
      "/api/actors/:kind/:id/unpark",
      ({ request, params }) => answer(surface, request, unparkActor, { kind: params.kind, id: params.id }),
      {
        parse: "none",
        ...repeatable,
        params: actor,
        ...toolOperation(unparkActor, "unparkActor", tag, [400, 404, 504]),
      },
    )
    .get("/api/dead-letters", ({ request, query }) => answer(surface, request, listDeadLetters, query), {
      query: documented(page),
      ...toolOperation(listDeadLetters, "listDeadLetters", tag, [422]),
    })
    .post(
      "/api/dead-letters/:id/replay",
      ({ request, params }) => answer(surface, request, replayDeadLetter, { id: params.id }),
      {
        parse: "none",
        ...repeatable,
        params: letter,
        ...toolOperation(replayDeadLetter, "replayDeadLetter", tag, [400, 404, 422, 504]),
      },
    )
    .delete(
      "/api/dead-letters/:id",
      ({ request, params }) => answer(surface, request, discardDeadLetter, { id: params.id }),
      {
        params: letter,
        ...toolOperation(discardDeadLetter, "discardDeadLetter", tag, [404, 422]),
      },
    )
    .get("/api/nodes", ({ request }) => answer(surface, request, listNodes, {}), {
      ...toolOperation(listNodes, "listNodes", tag, []),
    });
}
