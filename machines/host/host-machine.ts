/**
 * The state machine of a host (`host:port` of a visited site), whose requests are limited. It has a single state and
 * stores nothing. Its leases (permissions for a worker to send requests) expire within seconds, so they are kept in
 * memory (`actors/host/host-actor-kind.ts`) and are granted by queries, which commit nothing.
 */
import { setup } from "xstate";
import type { Emitted, Occasion } from "../machine-emissions.ts";

export const hostMachine = setup({
  types: {
    context: {} as Record<string, never>,
    events: {} as Occasion & { readonly type: "POKE" },
    emitted: {} as Emitted,
  },
}).createMachine({ id: "host", context: {}, initial: "known", states: { known: {} } });
