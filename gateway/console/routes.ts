/**
 * The pages of the console. Every view has its own address and is reached by a plain link from the first page.
 */
import { Elysia } from "elysia";
import type { Surface } from "../rest/operation.ts";
import { actorListPage } from "./actor-list.ts";
import { actorPage } from "./actor-page.ts";
import { pageScript, styleSheet } from "./assets.ts";
import type { Diagrams } from "./chart/diagrams.ts";
import { homePage } from "./home.ts";
import { SCRIPT_PATH, STYLE_PATH } from "./page.ts";

const hidden = { detail: { hide: true } } as const;

export function consoleRoutes(surface: Surface, diagrams: Diagrams) {
  const { system } = surface;
  return new Elysia({ name: "console" })
    .get("/", () => homePage(), hidden)
    .get("/actors", async ({ query }) => actorListPage(await system.available(), query), hidden)
    .get(
      "/actors/:kind/:id",
      async ({ params }) => actorPage(await system.available(), diagrams, params),
      hidden,
    )
    .get(STYLE_PATH, ({ request }) => styleSheet(request), hidden)
    .get(SCRIPT_PATH, ({ request }) => pageScript(request), hidden);
}
