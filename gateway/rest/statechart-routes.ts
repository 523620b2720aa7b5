/** Routes that return the state charts of actor kinds, as JSON and as SVG diagrams. */
import { Elysia } from "elysia";
import { z } from "zod";
import { type Kind, kinds } from "../../machines/actor-kinds.ts";
import { chartSchema } from "../../machines/inspection/statechart-schema.ts";
import type { Diagrams } from "../console/chart/statechart-drawing-cache.ts";
import { asDocument } from "../console/chart/statechart-svg-document.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { jsonSchema } from "../tools/define-tool.ts";
import { documented, operation, outputSchemaOf } from "./openapi-operation.ts";

const tag = "Operations";
const kindsSchema = z.object({ kinds: z.array(z.string()) });
const machineSchema = z.object({
  kind: z.string(),
  chart: chartSchema,
  commands: z
    .array(z.object({ type: z.string(), fields: z.record(z.string(), z.unknown()) }))
    .describe("The commands of its protocol, each with the JSON Schema of its fields"),
});

/** Returns the commands of an actor kind; empty for a kind that this node does not have. */
async function commandsOf(kind: string): Promise<z.infer<typeof machineSchema>["commands"]> {
  const known: Readonly<Record<string, Kind>> = kinds;
  const protocol = Object.hasOwn(known, kind) ? await known[kind]?.protocol() : undefined;
  return Object.entries(protocol?.commands ?? {}).map(([type, { fields }]) => ({
    type,
    fields: jsonSchema(fields, "input"),
  }));
}
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
      async ({ params: { kind = "" } }) =>
        Response.json({
          kind,
          chart: await (await machines()).chart(kind),
          commands: await commandsOf(kind),
        }),
      {
        params: kind,
        ...operation({
          operationId: "getMachine",
          summary: "The statechart of a kind of actor, and the commands of its protocol",
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
