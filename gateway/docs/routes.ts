/**
 * `/docs` and `/redoc`: what can be called, to try out and to read.
 */
import { Elysia } from "elysia";
import { ASSETS_PATH, assetResponse } from "./assets.ts";
import { readingPage, tryOutPage } from "./page.ts";

const hidden = { detail: { hide: true } } as const;

export function docsRoutes() {
  return new Elysia({ name: "docs" })
    .get("/docs", () => tryOutPage(), hidden)
    .get("/redoc", () => readingPage(), hidden)
    .get(`${ASSETS_PATH}/:name`, ({ params, request }) => assetResponse(params.name, request), hidden);
}
