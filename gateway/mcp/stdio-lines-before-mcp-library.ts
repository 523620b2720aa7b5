/**
 * Splits the input of an MCP server: a reader may handle a complete line itself, and the MCP library receives
 * all other bytes unchanged.
 */
import { Readable } from "node:stream";

const NEWLINE = 0x0a;

/**
 * Maximum size in bytes of a line that is passed to `take`. Such lines call tools that read a page, and their
 * arguments are short. A longer line goes directly to the MCP library, so it is parsed only once.
 */
const MAX_LINE_BYTES = 4_096;

/**
 * Returns the stream from which the MCP library reads. When this stream is destroyed, the input is no longer read.
 *
 * @param take receives a complete line that arrives in one chunk, if the library has already received all earlier
 * bytes. It returns true if it has handled the line. The library then does not receive the line.
 */
export function withoutTakenLines(input: Readable, take: (line: Buffer) => boolean): Readable {
  const rest = new Readable({ read: () => {} });
  /** True if the bytes that the MCP library has received so far end with a line break. */
  let isLineStart = true;
  const divide = (chunk: Buffer): void => {
    const isLine = chunk.length <= MAX_LINE_BYTES && chunk.indexOf(NEWLINE) === chunk.length - 1;
    if (isLine && isLineStart && rest.readableLength === 0 && take(chunk)) return;
    isLineStart = chunk.at(-1) === NEWLINE;
    rest.push(chunk);
  };
  input.on("data", divide);
  input.on("end", () => rest.push(null));
  input.on("error", (error) => rest.destroy(error));
  input.on("close", () => {
    if (!input.readableEnded) rest.destroy();
  });
  rest.on("close", () => {
    input.off("data", divide);
    input.pause();
  });
  return rest;
}
