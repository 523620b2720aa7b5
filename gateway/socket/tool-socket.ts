/**
 * The socket `/ws/tools`: calls of tools over one open socket, answered in the order in which they end. A
 * message `{ id, tool, arguments }` gets `{ type: "result", id, result }` or `{ type: "error", id, error }`.
 * Each call has the scope, limits and audit entry of a REST call.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import { asCairnError, Overloaded } from "../../machines/errors.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { publicBody } from "../rest/error-response.ts";
import { streamedAnswer } from "../rest/tool-routes.ts";
import type { Caller } from "../security/api-key-scopes.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { parseArguments } from "../tools/define-tool.ts";
import { IDEMPOTENCY_KEY_FORM } from "../tools/idempotent-tool-calls.ts";
import { JsonDocument } from "../tools/streamed-json-document.ts";
import { assertMessageSize } from "./socket-message-size.ts";
import type { Wire } from "./websocket-feed-connection.ts";
import { socketLimits } from "./websocket-limits.ts";

const callSchema = z.object({
  id: z.union([z.string().min(1).max(200), z.number().int()], {
    error: "a text or a whole number, which the answer repeats",
  }),
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
  idempotency_key: z.string().regex(IDEMPOTENCY_KEY_FORM).optional(),
});

interface Sender {
  readonly caller: Caller;
  readonly requestId: string;
}

/** Runs the tool calls of one socket. */
class SocketCalls {
  readonly #surface: Surface;
  readonly #sender: Sender;
  #running = 0;

  constructor(surface: Surface, sender: Sender) {
    this.#surface = surface;
    this.#sender = sender;
  }

  /** Sends the answer to a call. It never rejects. */
  async answer(message: unknown): Promise<unknown> {
    const id = idOf(message);
    try {
      return { type: "result", id, result: await this.#run(message) };
    } catch (thrown) {
      const error = asCairnError(thrown);
      if (error.status === 500) {
        this.#surface.log.error("a tool failed", { code: error.code, error });
      }
      return { type: "error", id, error: publicBody(error, this.#surface.pathRedaction) };
    }
  }

  async #run(message: unknown): Promise<unknown> {
    const surface = this.#surface;
    // Every message counts, even one that is refused, because reading it costs the gateway time.
    surface.countMessage(this.#sender.caller);
    assertMessageSize(message);
    const { tool: name, arguments: args, idempotency_key: key } = parseArguments(callSchema, message);
    if (this.#running >= socketLimits.callsAtOnce) {
      throw new Overloaded(
        "socket.too_many_calls",
        `${this.#running} calls of this socket are running, as many as there may be. Wait for an answer first.`,
      );
    }
    this.#running++;
    try {
      const tool = surface.registry.get(name);
      const result = await surface.calls.run(tool, args, { ...this.#sender, key });
      if (!(result instanceof JsonDocument)) return result;
      return await (await streamedAnswer(surface, tool, result)).json();
    } finally {
      this.#running--;
    }
  }
}

function idOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "id" in message ? message.id : null;
}

export function toolSocket(surface: Surface) {
  const { sockets } = surface;
  return new Elysia({ name: "tool-socket" }).ws("/ws/tools", {
    // The route itself needs only the scope `read`. Each tool checks its own scope.
    ...hidden("read"),
    beforeHandle() {
      sockets.assertRoom();
    },
    open(ws) {
      const { caller, id: requestId } = surface.requests.authenticated(ws.data.request);
      const calls = new SocketCalls(surface, { caller, requestId });
      // The cast is needed: `ws.raw` is Bun's socket, but Elysia declares a different type for `ws.raw`.
      sockets.serve(ws.id, ws.raw as unknown as Wire, (message) => calls.answer(message));
    },
    message: (ws, message: unknown) => sockets.receive(ws.id, message),
    close: (ws) => sockets.closed(ws.id),
  });
}
