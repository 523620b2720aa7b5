/**
 * The routes for liveness (`/health`, which answers before the store is open) and readiness (`/ready`). The
 * protocol specification fixes the body of `/health`, so a header contains the instance id.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { operation, outputSchemaOf } from "./openapi-operation.ts";

export const INSTANCE_HEADER = "x-cairn-instance";

const health = { status: "ok", service: "browser-automation-websocket" } as const;
const healthSchema = z.object({ status: z.literal(health.status), service: z.literal(health.service) });

export const readySchema = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.record(
    z.string(),
    z.object({
      ok: z.boolean(),
      detail: z.string(),
      degraded: z
        .literal(true)
        .optional()
        .describe("The part is optional and fails; the rest works without it"),
    }),
  ),
});
type Ready = z.infer<typeof readySchema>;

async function readiness({ system, pathRedaction, optional: parts }: Surface): Promise<Ready> {
  const cairn = system.current;
  const checks: Awaited<ReturnType<NonNullable<typeof cairn>["ready"]>> = cairn
    ? await cairn.ready()
    : { system: { ok: false, detail: system.detail } };
  const shown = Object.entries({ ...checks, ...(await parts.checks()) }).map(
    ([name, { ok, detail, optional = false }]): [string, Ready["checks"][string]] => [
      name,
      { ok, detail: pathRedaction.hide(detail), ...(optional && !ok ? { degraded: true } : {}) },
    ],
  );
  const ready = shown.every(([, { ok, degraded = false }]) => ok || degraded);
  return { status: ready ? "ready" : "not_ready", checks: Object.fromEntries(shown) };
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
          summary:
            "Whether Cairn can work, and what is missing; 503 while something needed is, 200 with degraded parts",
          tag: "Service",
          scope: "read",
          answer: outputSchemaOf(readySchema),
          errors: [401, 403],
          unready: outputSchemaOf(readySchema),
        }),
      },
    );
}
