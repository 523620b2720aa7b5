/**
 * `GET /api/knowledge/{knowledge_id}/screens/{screen_id}/picture`: the small picture of a screen, which an
 * exploration has taken.
 */
import { Elysia } from "elysia";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { documented, operation } from "./openapi-operation.ts";

const screen = {
  knowledge_id: { type: "string", description: "Id of the map" },
  screen_id: { type: "string", description: "`picture` of a screen in the graph of the map" },
};

async function pictureResponse(surface: Surface, map: string, screenId: string): Promise<Response> {
  const { knowledge } = await surface.system.available();
  const { data } = await knowledge.picture(map, screenId);
  return new Response(Buffer.from(data, "base64"), {
    headers: {
      "content-type": "image/jpeg",
      // A later exploration may replace the picture, so a cached picture must be checked before it is used.
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}

export function screenPictureRoute(surface: Surface) {
  return new Elysia({ name: "screen-pictures" }).get(
    "/api/knowledge/:knowledge_id/screens/:screen_id/picture",
    ({ params: { knowledge_id = "", screen_id = "" } }) => pictureResponse(surface, knowledge_id, screen_id),
    {
      params: documented(screen),
      ...operation({
        operationId: "getScreenPicture",
        summary: "The picture of a screen, with covered fields, as an exploration has taken it",
        tag: "Knowledge",
        scope: "read",
        answer: () => ({ type: "string", format: "binary" }),
        answerType: "image/jpeg",
        errors: [400, 401, 403, 404, 500, 503],
      }),
    },
  );
}
