/** The routes of the documentation: `/docs` and `/redoc` for the API, `/guide` for the guide. */
import { Elysia } from "elysia";
import { hidden } from "../security/http-route-scopes.ts";
import { ASSETS_PATH, assetResponse } from "./docs-assets.ts";
import { GUIDE_PATH, guideResponse, pictureResponse } from "./guide-pages.ts";
import { readingPage, tryOutPage } from "./swagger-ui-and-redoc-pages.ts";

export function docsRoutes() {
  return new Elysia({ name: "docs" })
    .get("/docs", () => tryOutPage(), hidden("read"))
    .get("/redoc", () => readingPage(), hidden("read"))
    .get(GUIDE_PATH, () => guideResponse(), hidden("read"))
    .get(`${GUIDE_PATH}/:page`, ({ params }) => guideResponse(params.page), hidden("read"))
    .get(`${GUIDE_PATH}/images/:name`, ({ params }) => pictureResponse(params.name), hidden("read"))
    .get(
      `${ASSETS_PATH}/:name`,
      ({ params, request }) => assetResponse(params.name, request),
      hidden("read"),
    );
}
