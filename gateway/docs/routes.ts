/**
 * `/docs` and `/redoc`: what can be called, to try out and to read.
 */
import { Elysia } from "elysia";
import { hidden } from "../security/routes.ts";
import { ASSETS_PATH, assetResponse } from "./assets.ts";
import { readingPage, tryOutPage } from "./page.ts";

export function docsRoutes() {
  return new Elysia({ name: "docs" })
    .get("/docs", () => tryOutPage(), hidden("read"))
    .get("/redoc", () => readingPage(), hidden("read"))
    .get(
      `${ASSETS_PATH}/:name`,
      ({ params, request }) => assetResponse(params.name, request),
      hidden("read"),
    );
}
