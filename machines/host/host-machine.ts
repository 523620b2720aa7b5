/**
 * The state machine of a host. It has a single state and stores nothing. Leases change with every request and
 * expire within seconds, so they are kept in memory (`actors/host/host-actor-kind.ts`) and are granted by queries, which
 * commit nothing.
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
