/**
 * The statechart of a host: it is known, and that is all that lasts.
 *
 * What is agreed about a host (`manners.ts`) changes with every lease and is worthless a minute later, so it is
 * kept in memory by the actor's owner (`actors/host.ts`) and asked by queries, which commit nothing.
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
