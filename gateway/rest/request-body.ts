/**
 * Reads the body of a request as JSON, up to `gatewayLimits.bodyBytes`.
 * Elysia does not read it, so that a body that is too large, incomplete or not JSON gets an error in Cairn's
 * own form.
 */
import { Refused } from "../../machines/errors.ts";
import { gatewayLimits } from "../limits.ts";

function tooLarge(): Refused {
  return new Refused(
    "request.too_large",
    `The body is larger than ${gatewayLimits.bodyBytes} bytes, the limit. Send less at once.`,
    { status: 413 },
  );
}

/** The body as text. Throws `request.too_large` (413), or `request.bad_json` (400) when it is not UTF-8. */
export async function readText(request: Request): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > gatewayLimits.bodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > gatewayLimits.bodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return read(() => new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
}

/** The parsed body; an empty one is `{}`. Throws `request.too_large` (413) or `request.bad_json` (400). */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  return read(() => (text.trim() === "" ? {} : JSON.parse(text)));
}

function read<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refused("request.bad_json", `The body is not JSON in UTF-8: ${reason}.`, { cause });
  }
}
