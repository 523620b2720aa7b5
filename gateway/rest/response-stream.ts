/** Response bodies that are produced only as fast as the client reads them. */
import { documentChunks, type JsonDocument } from "../tools/streamed-json-document.ts";

/**
 * Returns a body that reads one chunk at a time. If an error occurs, the connection is closed early, so the client
 * notices that the body is incomplete.
 */
export function streamedBody(
  source: AsyncIterator<Uint8Array, unknown>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await source.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onError(error);
          controller.error(error);
        }
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}

/**
 * The first chunk is read before the response starts. If reading it fails, the caller still receives an error
 * response with its own status.
 */
export async function documentResponse(
  document: JsonDocument,
  onError: (error: unknown) => void,
): Promise<Response> {
  const source = documentChunks(document);
  const first = await source.next();
  const encoder = new TextEncoder();
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      if (!first.done) yield encoder.encode(first.value);
      for await (const chunk of source) yield encoder.encode(chunk);
    } finally {
      await source.return(undefined);
    }
  }
  return new Response(streamedBody(bytes(), onError), {
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}
