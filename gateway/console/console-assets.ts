/** Serves the console's style sheet and script. A hash of the text is the ETag. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { consoleBundle } from "./console-bundle.ts";

interface Asset {
  readonly text: string;
  readonly type: string;
  readonly tag: string;
}

function asset(text: string, type: string): Asset {
  return { text, type, tag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 20)}"` };
}

const style = readFile(new URL("./assets/console.css", import.meta.url), "utf8").then((text) =>
  asset(text, "text/css; charset=utf-8"),
);
let script: Asset | undefined;

function answer({ text, type, tag }: Asset, request: Request): Response {
  const headers = { etag: tag, "cache-control": "no-cache", "x-content-type-options": "nosniff" };
  if (request.headers.get("if-none-match") === tag) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": type } });
}

export async function styleSheet(request: Request): Promise<Response> {
  return answer(await style, request);
}

export async function consoleScript(request: Request): Promise<Response> {
  script ??= asset(await consoleBundle(), "text/javascript; charset=utf-8");
  return answer(script, request);
}
