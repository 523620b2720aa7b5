/**
 * A JSON document of any size, written as it is read.
 *
 * Its fields may be async sequences; each becomes an array whose items are taken only as fast as the caller
 * reads. A tool answers one (`tools/explorations.ts`) and the surface decides: HTTP streams it.
 */
import { Refused } from "../../machines/errors.ts";
import { gatewayLimits } from "../limits.ts";

export class JsonDocument {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The text of the document, piece by piece. Fields that are `undefined` are left out, as in JSON. */
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

async function* chunks(document: JsonDocument): AsyncGenerator<string> {
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

/** The whole document as one text, for surfaces that cannot stream; a signal ends it between two pieces. */
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

/**
 * The document as a response. Its first chunk is read before anything is answered, so an early failure is
 * still an ordinary error; a later one breaks the connection off, which the caller sees as an incomplete body.
 */
export async function documentResponse(
  document: JsonDocument,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  const source = chunks(document);
  let next = await source.next();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (next.done) {
            controller.close();
            return;
          }
          controller.enqueue(encoder.encode(next.value));
          next = await source.next();
        } catch (error) {
          onBroken(error);
          controller.error(error);
        }
      },
      async cancel() {
        await source.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}
