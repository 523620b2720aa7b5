/** The protocol of the actor kind `walk`, which executes a route in a session. */
import { z } from "zod";
import { defineProtocol, noFields, noParams } from "../actor-kind-protocol.ts";
import { walkRequestSchema, walkResultSchema, walkStatusSchema } from "./walk-schemas.ts";

const accepted = z.object({ walk_id: z.string(), status: walkStatusSchema });

export const walkProtocol = defineProtocol({
  commands: {
    START: { fields: z.object({ request: walkRequestSchema }), reply: accepted },
    CANCEL: { fields: noFields, reply: accepted },
  },
  queries: {
    /** The state of the walk (the execution of a route); `null` when the walk does not exist. */
    result: { params: noParams, result: walkResultSchema.nullable() },
  },
});
export type WalkProtocol = typeof walkProtocol;
