/**
 * `POST /webhooks/livekit`: the LiveKit server reports who joins and leaves a room. The signature of the
 * request replaces an API key.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { operation, outputSchemaOf } from "./openapi-operation.ts";
import { readText } from "./request-body.ts";

const receivedSchema = z.object({ received: z.literal(true) });

export function livekitWebhook({ system }: Surface) {
  return new Elysia({ name: "livekit-webhook" }).post(
    "/webhooks/livekit",
    async ({ request }) => {
      const body = await readText(request);
      await (await system.available()).sessions.webhook(
        body,
        request.headers.get("authorization") ?? undefined,
      );
      return Response.json({ received: true } satisfies z.infer<typeof receivedSchema>);
    },
    {
      // The body is not parsed here, because the signature is computed over the unchanged body.
      parse: "none",
      ...operation({
        operationId: "livekitWebhook",
        summary:
          "Receive a webhook of the LiveKit server, signed with LIVEKIT_API_KEY and LIVEKIT_API_SECRET; who joins and leaves becomes an event of the room",
        tag: "Service",
        scope: "open",
        answer: outputSchemaOf(receivedSchema),
        errors: [400, 401, 404, 413],
      }),
    },
  );
}
