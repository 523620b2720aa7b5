/** The actor kind `janitor/store`: deletes records whose retention has ended. */

import { kinds } from "../../machines/actor-kinds.ts";
import { janitorMachine, type Swept } from "../../machines/janitor/janitor-machine.ts";
import type { JanitorContext, JanitorProtocol } from "../../machines/janitor/janitor-protocol.ts";
import { retentionLimits } from "../../machines/janitor/retention-limits.ts";
import { defineKind } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

export const janitor = defineKind<JanitorProtocol, CairnServices, JanitorContext>({
  kind: "janitor",
  version: kinds.janitor.version,
  machine: janitorMachine,
  effects: {
    sweep: async ({ at }: { readonly at: number }, { services }): Promise<Swept> => {
      const retention = retentionLimits;
      const sweep = services.store.retention;
      return {
        removed: {
          endedJobs: await sweep.sweep("endedJobs", at - retention.endedJobs),
          deadLetters: await sweep.sweep("deadLetters", at - retention.deadLetters),
          results: await sweep.sweep("results", at - retention.results),
          audit: await sweep.sweep("audit", at - retention.audit),
          repeats: await sweep.sweep("repeats", at - retention.repeats),
          sessionStates: await sweep.sweep("sessionStates", at - retention.sessionStates),
          actionOutcomes: await sweep.sweep("actionOutcomes", at - retention.actionOutcomes),
          dialogueMessages: await sweep.sweep("dialogueMessages", at - retention.dialogueMessages),
          navigationArticles: await sweep.sweep("navigationArticles", at - retention.navigation),
          navigationDecisions: await sweep.sweep("navigationDecisions", at - retention.navigation),
          recordings: await sweep.sweep("recordings", at - retention.recordings),
        },
      };
    },
  },
  queries: {
    status: async (_params, { context }) => context,
  },
});
