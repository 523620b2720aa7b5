/**
 * A JSON document of any size, whose fields may be async sequences. A tool returns it instead of an object.
 * HTTP streams it, and other interfaces read it into one text of limited size.
 */
import { Refused } from "../../machines/errors.ts";
import { gatewayLimits } from "../gateway-limits.ts";

export class JsonDocument {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/**
 * Yields the JSON text of the document in pieces. An async field becomes an array, and an `undefined` field
 * is omitted, as in JSON.
 */
async function* pieces(document: JsonDocument): AsyncGenerator<string> {
  let separator = "{";
  for (const [name, value] of Object.entries(document.fields)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    if (!isAsyncIterable(value)) {
      yield JSON.stringify(value);
      continue;
    }
    let before = "[";
    for await (const item of value) {
      yield `${before}${JSON.stringify(item)}`;
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  }
  yield separator === "{" ? "{}" : "}";
}

/** Yields the text in chunks of about `chunkBytes`. */
export async function* documentChunks(document: JsonDocument): AsyncGenerator<string> {
  let text = "";
  for await (const piece of pieces(document)) {
    text += piece;
    if (text.length >= gatewayLimits.chunkBytes) {
      yield text;
      text = "";
    }
  }
  if (text !== "") yield text;
}

/**
 * Returns the complete text of a document, for interfaces that cannot stream. Throws `result.too_large`.
 * Throws the reason of `signal` when the signal aborts.
 */
export async function documentText(document: JsonDocument, signal: AbortSignal): Promise<string> {
  let text = "";
  for await (const piece of pieces(document)) {
    signal.throwIfAborted();
    text += piece;
    if (text.length > gatewayLimits.documentText) throw tooLong();
  }
  return text;
}

function tooLong(): Refused {
  return new Refused(
    "result.too_large",
    "The answer is too large for one message. Ask for it in pieces: with limit, and next_cursor as cursor.",
    { status: 413 },
  );
}
