/**
 * Converts the result of a tool to an MCP result: one text, images, and `isError`. Structured content is left
 * out, because some clients would show the model both the text and the structured content. Image data is sent
 * only as image content, because base64 text would fill the model's context.
 */

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { CairnError } from "../../machines/errors.ts";
import { isRecord } from "../../machines/is-plain-object.ts";
import { publicBody } from "../rest/error-response.ts";
import type { PathRedaction } from "../security/file-path-redaction.ts";
import { documentText, JsonDocument } from "../tools/streamed-json-document.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

function pictureIn({ mime_type, data }: Fields): Picture | undefined {
  if (typeof mime_type !== "string" || !mime_type.startsWith("image/")) return undefined;
  return typeof data === "string" ? { mimeType: mime_type, data } : undefined;
}

/** Maximum depth to which a result is searched for images. `data.screenshot` has the depth 2. */
const PICTURE_DEPTH = 2;

/** Returns the result without its images, and appends the images to `pictures`. */
function takePictures(fields: Fields, pictures: Picture[], depth = PICTURE_DEPTH): Fields {
  const picture = pictureIn(fields);
  if (picture) {
    pictures.push(picture);
    const { data: _picture, ...rest } = fields;
    return rest;
  }
  if (depth === 0) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isRecord(value) ? takePictures(value, pictures, depth - 1) : value,
    ]),
  );
}

/**
 * Whether the result reports a failure. By the protocol specification, such a result has `success: false` or
 * `status: "error"`.
 */
function isFailure({ success, status }: Fields): boolean {
  return success === false || status === "error";
}

/**
 * Converts the result of a tool to the result of an MCP call.
 *
 * @param modelText returns the text that a model receives; without it, the model receives the complete result
 * as JSON
 */
export async function toolResult(
  output: unknown,
  signal: AbortSignal,
  modelText: (output: unknown) => string | undefined = () => undefined,
): Promise<CallToolResult> {
  const plain: unknown =
    output instanceof JsonDocument ? JSON.parse(await documentText(output, signal)) : output;
  const pictures: Picture[] = [];
  const structure = takePictures(isRecord(plain) ? plain : { result: plain }, pictures);
  const shown = pictures.length > 0 ? structure : plain;
  const content: ContentBlock[] = [
    { type: "text", text: modelText(shown) ?? JSON.stringify(structure) },
    ...pictures.map(({ mimeType, data }) => ({ type: "image" as const, mimeType, data })),
  ];
  return { content, ...(isFailure(structure) ? { isError: true } : {}) };
}

/** Returns the MCP result for a failed call. */
export function toolFailure(error: CairnError, redaction: PathRedaction): CallToolResult {
  const text = JSON.stringify({ error: publicBody(error, redaction) });
  return { isError: true, content: [{ type: "text", text }] };
}
