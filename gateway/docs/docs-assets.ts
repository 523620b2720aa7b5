/** The scripts and styles of `/docs` and `/redoc`, read from their packages when they are requested. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Refused } from "../../machines/errors.ts";

export const ASSETS_PATH = "/docs/assets";

interface Asset {
  readonly type: string;
  readonly read: () => Promise<string>;
}

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

function ofPackage(specifier: string): Promise<string> {
  return readFile(fileURLToPath(import.meta.resolve(specifier)), "utf8");
}

/** Redoc loads a logo from its vendor's host. An empty image replaces it. */
async function redoc(): Promise<string> {
  const text = await ofPackage("redoc/bundles/redoc.standalone.js");
  return text.replaceAll("https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,");
}

/** `validatorUrl: null` prevents Swagger UI from sending the URL of the document to its vendor. */
const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const assets: Readonly<Record<string, Asset>> = {
  "swagger-ui.css": { type: style, read: () => ofPackage("swagger-ui-dist/swagger-ui.css") },
  "swagger-ui.js": { type: script, read: () => ofPackage("swagger-ui-dist/swagger-ui-bundle.js") },
  "docs.js": { type: script, read: async () => start },
  "docs.css": {
    type: style,
    read: () => readFile(new URL("./assets/docs.css", import.meta.url), "utf8"),
  },
  "redoc.js": { type: script, read: redoc },
};

/** Returns the script or style with that name, or status 304 when the client already has it. */
export async function assetResponse(name: string, request: Request): Promise<Response> {
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (!asset) {
    throw new Refused("request.not_found", "The documentation has no such part. Open /docs or /redoc.", {
      status: 404,
    });
  }
  const text = await asset.read();
  const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 20)}"`;
  const headers = { etag: tag, "cache-control": "no-cache", "x-content-type-options": "nosniff" };
  if (request.headers.get("if-none-match") === tag) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": asset.type } });
}
