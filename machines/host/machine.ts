/**
 * The statechart of a host. It has one state and stores nothing.
 * The lease of a host changes with every request and expires within seconds, so the owner keeps it in memory
 * (`actors/host/kind.ts`) and answers by queries, which commit nothing.
 */
import { setup } from "xstate";
import type { Emitted, Occasion } from "../emitted.ts";

export const hostMachine = setup({
  types: {
    context: {} as Record<string, never>,
    events: {} as Occasion & { readonly type: "POKE" },
    emitted: {} as Emitted,
  },
}).createMachine({ id: "host", context: {}, initial: "known", states: { known: {} } });
