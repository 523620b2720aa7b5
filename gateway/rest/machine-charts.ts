/** The statecharts of the kinds of actors: as JSON, and as SVG diagrams. */
import { Elysia } from "elysia";
import { z } from "zod";
import { chartSchema } from "../../machines/inspection/statechart-schema.ts";
import type { Diagrams } from "../console/chart/diagrams.ts";
import { asDocument } from "../console/chart/document.ts";
import type { Surface } from "../context.ts";
import { hidden } from "../security/route-scopes.ts";
import { documented, operation, outputSchemaOf } from "./openapi-operation.ts";

const tag = "Operations";
const kindsSchema = z.object({ kinds: z.array(z.string()) });
const machineSchema = z.object({ kind: z.string(), chart: chartSchema });
const kind = documented({ kind: { type: "string", description: "Kind of actor" } });

export function machineRoutes(surface: Surface, diagrams: Diagrams) {
  const machines = async () => (await surface.system.available()).machines;
  return new Elysia({ name: "machines" })
    .get("/api/machines", async () => Response.json({ kinds: (await machines()).kinds() }), {
      ...operation({
        operationId: "listMachines",
        summary: "List the kinds of actors",
        tag,
        scope: "read",
        answer: outputSchemaOf(kindsSchema),
        errors: [401, 403, 503],
      }),
    })
    .get(
      "/api/machines/:kind",
      async ({ params }) =>
        Response.json({ kind: params.kind, chart: await (await machines()).chart(params.kind ?? "") }),
      {
        params: kind,
        ...operation({
          operationId: "getMachine",
          summary: "The statechart of a kind of actor: states and transitions",
          tag,
          scope: "read",
          answer: outputSchemaOf(machineSchema),
          errors: [401, 403, 404, 503],
        }),
      },
    )
    .get(
      "/api/machines/:kind/diagram.svg",
      async ({ params }) =>
        asDocument(await diagrams.draw(await (await machines()).chart(params.kind ?? ""))),
      { params: kind, ...hidden("read") },
    );
}
