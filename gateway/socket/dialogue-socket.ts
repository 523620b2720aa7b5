/**
 * The socket `/ws/dialogues/{dialogue_id}`, which carries the messages of a dialogue in both directions. With
 * `?since=<seq>` it first sends the stored messages with higher numbers, so that a reconnecting caller misses
 * nothing. Writing needs the scope `act`, and each message counts as a request.
 */

import { Elysia } from "elysia";
import { z } from "zod";
import { dialogueTopic } from "../../machines/dialogue/dialogue-context.ts";
import { dialogueIdSchema } from "../../machines/dialogue/dialogue-schemas.ts";
import { asCairnError } from "../../machines/errors.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { publicBody } from "../rest/error-response.ts";
import type { Caller } from "../security/api-key-scopes.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { parseArguments } from "../tools/define-tool.ts";
import type { Following } from "./open-websockets.ts";
import { assertMessageSize } from "./socket-message-size.ts";
import type { Wire } from "./websocket-feed-connection.ts";

const requestSchema = z.object({
  dialogue_id: dialogueIdSchema,
  epoch: z.string().min(1).max(200).optional(),
  since: z.coerce.number().int().min(0).optional(),
});

interface Sender {
  readonly caller: Caller;
  readonly requestId: string;
}

/**
 * Passes a message of a person to the dialogue. Returns `accepted` with the new state, or the error with
 * which the message was refused.
 */
async function answered(surface: Surface, dialogue_id: string, message: unknown, sender: Sender) {
  const id = idOf(message);
  try {
    surface.countMessage(sender.caller);
    assertMessageSize(message);
    const tool = surface.registry.get("answer_dialogue");
    const result = await surface.calls.run(tool, { dialogue_id, message }, sender);
    // The cast is safe: the tool's output is an object.
    return { type: "accepted", ...id, ...(result as object) };
  } catch (thrown) {
    const error = asCairnError(thrown);
    if (error.status === 500)
      surface.log.error("a message of a dialogue failed", { code: error.code, error });
    return { type: "refused", ...id, dialogue_id, error: publicBody(error, surface.pathRedaction) };
  }
}

function idOf(message: unknown): { readonly id?: unknown } {
  return typeof message === "object" && message !== null && "id" in message ? { id: message.id } : {};
}

async function following(surface: Surface, request: object, sender: Sender): Promise<Following> {
  const cairn = await surface.system.available();
  const { dialogue_id, epoch, since } = parseArguments(requestSchema, request);
  const topic = dialogueTopic(dialogue_id);
  return {
    key: topic,
    from: epoch === undefined || since === undefined ? undefined : { epoch, seq: since },
    source: (take) => cairn.watch(topic, take),
    // The cast is safe: published events are objects.
    frame: (cursor, event) => ({ ...(event as object), cursor }),
    stored:
      since === undefined || epoch !== undefined
        ? undefined
        : {
            read: () => cairn.dialogues.storedMessages(dialogue_id, since),
            // The cast is safe: every message of a dialogue has a number.
            seqOf: (event) => (event as { readonly seq: number }).seq,
          },
    take: (message) => answered(surface, dialogue_id, message, sender),
  };
}

export function dialogueSocket(surface: Surface) {
  const { sockets } = surface;
  return new Elysia({ name: "dialogue-socket" }).ws("/ws/dialogues/:dialogue_id", {
    ...hidden("read"),
    beforeHandle({ params, query }) {
      parseArguments(requestSchema, { ...query, ...params });
      sockets.assertRoom();
    },
    async open(ws) {
      const { params, query, request } = ws.data;
      const { caller, id } = surface.requests.authenticated(request);
      // The cast is needed: `ws.raw` is Bun's socket, but Elysia declares a different type for `ws.raw`.
      const wire = ws.raw as unknown as Wire;
      const sender = { caller, requestId: id };
      await sockets.open(ws.id, wire, () => following(surface, { ...query, ...params }, sender));
    },
    message: (ws, message: unknown) => sockets.receive(ws.id, message),
    close: (ws) => sockets.closed(ws.id),
  });
}
