/** Refuses messages of WebSocket clients that are too large, with an error that leaves the socket open. */
import { Refused } from "../../machines/errors.ts";
import { socketLimits } from "./websocket-limits.ts";

/**
 * Returns the size of a message in bytes. Elysia has parsed a JSON message already, so the white space between
 * its values does not count.
 */
function sizeOf(message: unknown): number {
  if (ArrayBuffer.isView(message)) return message.byteLength;
  return Buffer.byteLength(typeof message === "string" ? message : JSON.stringify(message));
}

/** Throws `socket.message_too_large` when a message is larger than `socketLimits.messageBytes`. */
export function assertMessageSize(message: unknown): void {
  const size = sizeOf(message);
  const { messageBytes } = socketLimits;
  if (size <= messageBytes) return;
  throw new Refused(
    "socket.message_too_large",
    `The message has ${size} bytes, but a message of a socket may have ${messageBytes}. Send less, or send it over REST.`,
    { status: 413, details: { bytes: size, max_bytes: messageBytes } },
  );
}
