/**
 * `GET /api/results/{result_id}`: a result that was too large to travel with its announcement.
 */
import { Elysia } from "elysia";
import { getResult } from "../tools/results.ts";
import { answer, documented, type Surface, toolOperation } from "./operation.ts";

const result = documented({ result_id: { type: "string", description: "Of a result_ready event" } });

export function resultRoutes(surface: Surface) {
  return new Elysia({ name: "results" }).get(
    "/api/results/:result_id",
    ({ request, params }) => answer(surface, request, getResult, { result_id: params.result_id }),
    { params: result, ...toolOperation(getResult, "getResult", "Sessions", [404, 422]) },
  );
}
