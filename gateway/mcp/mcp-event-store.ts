/**
 * Stores the latest messages of one client's streams, so that a client can resume a broken stream. Number and
 * total size are limited, and the oldest messages are dropped first. An event id consists of the stream's id
 * and a sequence number.
 */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { mcpLimits } from "./mcp-limits.ts";

interface StoredMessage {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

export class BoundedEventStore implements EventStore {
  #messages: StoredMessage[] = [];
  #size = 0;
  #count = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#count += 1;
    const id = `${stream}.${this.#count}`;
    const size = JSON.stringify(message).length;
    this.#messages.push({ id, stream, message, size });
    this.#size += size;
    while (this.#messages.length > mcpLimits.replayMessages || this.#size > mcpLimits.replayCharacters) {
      this.#size -= this.#messages.shift()?.size ?? 0;
    }
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    const stream = id.slice(0, id.lastIndexOf("."));
    return stream === "" ? undefined : stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const separator = last.lastIndexOf(".");
    const stream = last.slice(0, separator);
    const received = Number(last.slice(separator + 1));
    for (const { id, stream: streamOfMessage, message } of [...this.#messages]) {
      if (streamOfMessage === stream && Number(id.slice(id.lastIndexOf(".") + 1)) > received)
        await send(id, message);
    }
    return stream;
  }
}
