/**
 * Liveness (`/health`, also before the store is open) and readiness (`/ready`). The body of `/health` is
 * fixed by the protocol specification, so a header carries the instance.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import type { Surface } from "../context.ts";
import { operation, outputSchemaOf } from "./openapi-operation.ts";

export const INSTANCE_HEADER = "x-cairn-instance";

const health = { status: "ok", service: "browser-automation-websocket" } as const;
const healthSchema = z.object({ status: z.literal(health.status), service: z.literal(health.service) });

export const readySchema = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
});

async function readiness({ system, pathRedaction }: Surface): Promise<z.infer<typeof readySchema>> {
  const cairn = system.current;
  const checks = cairn ? await cairn.ready() : { system: { ok: false, detail: system.detail } };
  const redacted = Object.entries(checks).map(([name, { ok, detail }]) => [
    name,
    { ok, detail: pathRedaction.hide(detail) },
  ]);
  const ready = Object.values(checks).every(({ ok }) => ok);
  return { status: ready ? "ready" : "not_ready", checks: Object.fromEntries(redacted) };
}

export function healthRoutes(surface: Surface) {
  return new Elysia({ name: "health" })
    .get("/health", () => Response.json(health, { headers: { [INSTANCE_HEADER]: surface.instance } }), {
      ...operation({
        operationId: "getHealth",
        summary: "Whether Cairn is alive",
        tag: "Service",
        scope: "open",
        answer: outputSchemaOf(healthSchema),
        errors: [403],
      }),
    })
    .get(
      "/ready",
      async () => {
        const state = await readiness(surface);
        return Response.json(state, { status: state.status === "ready" ? 200 : 503 });
      },
      {
        ...operation({
          operationId: "getReadiness",
          summary: "Whether Cairn can work, and what is missing; 503 while something is",
          tag: "Service",
          scope: "read",
          answer: outputSchemaOf(readySchema),
          errors: [401, 403],
          unready: outputSchemaOf(readySchema),
        }),
      },
    );
}
