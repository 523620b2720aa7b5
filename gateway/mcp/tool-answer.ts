/**
 * What a tool answered, as the Model Context Protocol tells it: text, structure, pictures, and whether it failed.
 *
 * Text and structure say the same, since not every client reads both. Pictures go out as images and nowhere else: their
 * letters would fill a model's context. A failure is a result, too (`isError`), so that the model reads its code and
 * what to do. Neighbour: `../rest/failure.ts` decides what of an error may leave.
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { CairnError } from "../../machines/errors.ts";
import { publicBody } from "../rest/error-response.ts";
import type { PathRedaction } from "../security/path-redaction.ts";
import type { Tool } from "../tools/define-tool.ts";
import { documentText, JsonDocument } from "../tools/json-document.ts";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

function pictureIn({ mime_type, data }: Fields): Picture | undefined {
  if (typeof mime_type !== "string" || !mime_type.startsWith("image/")) return undefined;
  return typeof data === "string" ? { mimeType: mime_type, data } : undefined;
}

/** How deep in an answer a picture may be: `data.screenshot` of an analysis. */
const PICTURE_DEPTH = 2;

/** The answer with its pictures taken out of it and into `pictures`. */
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
      isFields(value) ? takePictures(value, pictures, depth - 1) : value,
    ]),
  );
}

/** The seeds' two ways to say that what was asked did not work. */
function isFailure({ success, status }: Fields): boolean {
  return success === false || status === "error";
}

export async function toolResult(answer: unknown, signal: AbortSignal): Promise<CallToolResult> {
  const plain: unknown =
    answer instanceof JsonDocument ? JSON.parse(await documentText(answer, signal)) : answer;
  const pictures: Picture[] = [];
  const structure = takePictures(isFields(plain) ? plain : { result: plain }, pictures);
  const content: ContentBlock[] = [
    { type: "text", text: JSON.stringify(structure) },
    ...pictures.map(({ mimeType, data }) => ({ type: "image" as const, mimeType, data })),
  ];
  return {
    content,
    structuredContent: structure,
    ...(isFailure(structure) ? { isError: true } : {}),
  };
}

/** A tool that failed: its code and advice as text, and the seed's own shape beside where there is one. */
export function toolFailure(tool: Tool, error: CairnError, places: PathRedaction): CallToolResult {
  const body = publicBody(error, places);
  let shape: unknown;
  try {
    shape = tool.failure(error, body);
  } catch {
    shape = undefined; // it has none: the error's own body says everything
  }
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ error: body }) }],
    ...(isFields(shape) ? { structuredContent: shape } : {}),
  };
}
