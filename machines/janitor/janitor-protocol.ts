/** The protocol of the actor kind `janitor`: a command that starts it, and a query for its last sweep. */
import { z } from "zod";
import { defineProtocol, noFields, noParams, typed } from "../actor-kind-protocol.ts";

export interface JanitorContext {
  readonly last_sweep: { readonly at: number; readonly removed: Readonly<Record<string, number>> } | null;
  readonly last_error: string | null;
}

export const janitorProtocol = defineProtocol({
  commands: { POKE: { fields: noFields, reply: z.null() } },
  queries: { status: { params: noParams, result: typed<JanitorContext>() } },
});
export type JanitorProtocol = typeof janitorProtocol;
