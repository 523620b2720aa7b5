/**
 * Secrets over REST: set, listed by name, removed. No answer holds a value.
 */
import { Elysia } from "elysia";
import { listSecrets, removeSecret, setSecret } from "../tools/secrets.ts";
import { readJson } from "./body.ts";
import { answer, documented, repeatable, type Surface, toolOperation } from "./operation.ts";

const tag = "Sessions";
const params = documented({ name: { type: "string" } });

/** The body with the name of the path; something else than a record is refused by the tool. */
async function named(request: Request, name: string | undefined): Promise<unknown> {
  const body = await readJson(request);
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body, name } : body;
}

export function secretRoutes(surface: Surface) {
  return new Elysia({ name: "secrets" })
    .get("/api/secrets", ({ request }) => answer(surface, request, listSecrets, {}), {
      ...toolOperation(listSecrets, "listSecrets", tag, []),
    })
    .put(
      "/api/secrets/:name",
      async ({ request, params: { name } }) =>
        answer(surface, request, setSecret, await named(request, name)),
      {
        parse: "none",
        params,
        ...toolOperation(setSecret, "setSecret", tag, [400, 413, 422], {
          body: true,
          without: ["name"],
        }),
      },
    )
    .post(
      "/api/secrets",
      async ({ request }) => answer(surface, request, setSecret, await readJson(request)),
      {
        parse: "none",
        ...repeatable,
        ...toolOperation(setSecret, "addSecret", tag, [400, 413, 422], { body: true }),
      },
    )
    .delete(
      "/api/secrets/:name",
      ({ request, params: { name } }) => answer(surface, request, removeSecret, { name }),
      {
        params,
        ...toolOperation(removeSecret, "removeSecret", tag, [404, 422]),
      },
    );
}
