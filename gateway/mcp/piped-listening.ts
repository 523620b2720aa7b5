/**
 * What a client on standard input and output listens to in 2026's protocol, where this process is the Cairn itself.
 *
 * The protocol's own transport keeps the streams, which all end with the connection; it does not tell of them. So its
 * messages are looked at as they come in. Neighbours: `listening.ts` watches, `stdio.ts` serves.
 */
import type { JSONRPCMessage, McpServerFactory } from "@modelcontextprotocol/server";
import type { SystemSlot } from "../system-slot.ts";
import type { MessagePipe } from "./bridge.ts";
import { mcpLimits } from "./limits.ts";
import { LISTEN, Listening, listenedTo } from "./listening.ts";

type ServedBy = Awaited<ReturnType<McpServerFactory>>;
type Id = string | number;

/** The request that a message gives up. */
function cancelled(message: JSONRPCMessage): Id | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

export class PipedListening {
  readonly #listening: Listening;
  readonly #streams = new Map<Id, Promise<() => void>>();
  #changed: (uri: string) => void = () => {};

  constructor(system: SystemSlot) {
    this.#listening = new Listening(system, (uri) => this.#changed(uri));
  }

  /** Whom changes are told; the transport says which streams they go into. */
  tell(served: ServedBy): void {
    const server = "server" in served ? served.server : served;
    this.#changed = (uri) => {
      // A client that has gone is told by its connection's end.
      server.sendResourceUpdated({ uri }).catch(() => undefined);
    };
  }

  /** Looks at what comes in from now on, before it is handled. */
  before(pipe: MessagePipe): void {
    const { onmessage } = pipe;
    pipe.onmessage = (message) => {
      this.#notice(message);
      onmessage?.(message);
    };
  }

  close(): void {
    for (const id of [...this.#streams.keys()]) this.#end(id);
  }

  #notice(message: JSONRPCMessage): void {
    const given = cancelled(message);
    if (given !== undefined) this.#end(given);
    if (!("method" in message && "id" in message) || message.method !== LISTEN) return;
    const uris = listenedTo(message);
    this.#end(message.id);
    if (uris.length === 0 || this.#streams.size >= mcpLimits.subscriptions) return;
    // Where there is no Cairn nothing changes.
    this.#streams.set(
      message.id,
      this.#listening.follow(uris).catch(() => () => {}),
    );
  }

  #end(id: Id): void {
    void this.#streams.get(id)?.then((end) => end());
    this.#streams.delete(id);
  }
}
