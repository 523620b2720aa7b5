/**
 * Reads the body of a request as JSON, up to `gatewayLimits.bodyBytes` or the limit of its route. Elysia does not
 * read the body: for a body that is too large, incomplete or not JSON, Elysia would send an error of its own.
 */
import { Refused } from "../../machines/errors.ts";
import { gatewayLimits } from "../gateway-limits.ts";

function tooLarge(most: number): Refused {
  return new Refused(
    "request.too_large",
    `The body is larger than ${most} bytes, the limit. Send less at once.`,
    { status: 413 },
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the body as bytes, up to `most`. Throws `request.too_large` (413). */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > most) throw tooLarge(most);
  // The HTTP server reads as many bytes as the header `Content-Length` declares. A body without this header
  // may be endless, so it is read in parts.
  if (length !== null && !request.headers.has("transfer-encoding")) {
    const body = new Uint8Array(await request.arrayBuffer());
    if (body.byteLength > most) throw tooLarge(most);
    return body;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the body as text. Throws `request.too_large` (413), or `request.bad_json` (400) when it is not UTF-8.
 */
export async function readText(request: Request, most: number = gatewayLimits.bodyBytes): Promise<string> {
  const bytes = await readBytes(request, most);
  return read(() => decoder.decode(bytes));
}

/**
 * Parses the body. An empty body is `{}`. Throws `request.too_large` (413), `request.not_json` (415) or
 * `request.bad_json` (400).
 *
 * @param most the maximum size of the body in bytes; `gatewayLimits.bodyBytes` by default
 */
export async function readJson(request: Request, most?: number): Promise<unknown> {
  const text = await readText(request, most);
  if (text.trim() === "") return {};
  assertJsonType(request);
  return read(() => JSON.parse(text));
}

/**
 * Pages of other sites can send some content types without a preflight request, but not JSON. So only a body
 * with a JSON content type is read as JSON.
 */
function assertJsonType(request: Request): void {
  const given = request.headers.get("content-type") ?? "";
  if (/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(given.trim())) return;
  throw new Refused(
    "request.not_json",
    `The body must be JSON, and its content type is ${given === "" ? "missing" : `"${given.slice(0, 100)}"`}. Send the header "content-type: application/json".`,
    { status: 415 },
  );
}

function read<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refused("request.bad_json", `The body is not JSON in UTF-8: ${reason}.`, { cause });
  }
}
