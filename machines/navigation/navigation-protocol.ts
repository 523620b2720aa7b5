/** The protocol of the actor kind `navigation`: start a run, cancel it, read its results. */
import { z } from "zod";
import { defineProtocol, noFields, noParams } from "../actor-kind-protocol.ts";
import {
  navigationRequestSchema,
  navigationResultSchema,
  navigationStartedSchema,
} from "./navigation-run-schemas.ts";

export { navigationEventSchema } from "./navigation-run-event-schemas.ts";

export const navigationProtocol = defineProtocol({
  commands: {
    START: { fields: z.object({ request: navigationRequestSchema }), reply: navigationStartedSchema },
    CANCEL: { fields: noFields, reply: navigationStartedSchema },
  },
  queries: {
    /** The result of the run; `null` when the run does not exist. */
    result: { params: noParams, result: navigationResultSchema.nullable() },
  },
});
export type NavigationProtocol = typeof navigationProtocol;
