/**
 * The actor kind `exploration/<job_id>`: its state machine, and the effects that crawl and press controls.
 */

import { kinds } from "../../machines/actor-kinds.ts";
import { heldBack } from "../../machines/exploration/crawl/skipped-url-counts-by-reason.ts";
import type { ExplorationContext } from "../../machines/exploration/exploration-context.ts";
import {
  type CrawlInput,
  explorationMachine,
  jobStatus,
} from "../../machines/exploration/exploration-machine.ts";
import type {
  ExplorationProtocol,
  ExplorationStatus,
} from "../../machines/exploration/exploration-protocol.ts";
import type { PressInput } from "../../machines/exploration/press/press-phase-input-and-result.ts";
import type { JobStatus } from "../../machines/records/exploration-records.ts";
import { defineKind } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { Crawl } from "./crawl/crawl.ts";
import { pressPages } from "./press/control-press-phase.ts";

const ENDED: readonly JobStatus[] = ["completed", "cancelled", "failed"];

function outOfService({ message }: { readonly message: string }) {
  return { code: "actor.parked", message: `The job was taken out of service: ${message}` };
}

export const exploration = defineKind<ExplorationProtocol, CairnServices, ExplorationContext>({
  kind: "exploration",
  version: kinds.exploration.version,
  machine: explorationMachine,
  // A snapshot of version 1 needs no conversion, because version 2 has the same state.
  migrate: (snapshot) => snapshot,
  effects: {
    crawl: (input: CrawlInput, scope) => new Crawl(input, scope).run(),
    press: (input: PressInput, scope) => pressPages(input, scope),
    erase: async ({ job_id }: { readonly job_id: string }, { services }) => {
      await services.store.jobs.delete(job_id);
      return null;
    },
  },
  tally: {
    name: "cairn_exploration_pages_total",
    help: "Pages of explorations, by what became of them",
    of: ({ counts: { completed, failed, skipped } }) => ({ completed, failed, skipped }),
  },
  queries: {
    /** Returns the state of the job, or `null` when there is no such job. */
    status: async (_params, { context, value, parked }): Promise<ExplorationStatus | null> => {
      const reached = jobStatus(value);
      const { request, counts } = context;
      if (!reached || !request) return null;
      // A parked (out of service) job continues only after an operator intervenes. It is reported as failed,
      // so that callers do not wait for its end.
      const status = parked && !ENDED.includes(reached) ? "failed" : reached;
      const trouble =
        context.error ?? (parked && status === "failed" ? outOfService(parked) : context.map_trouble);
      return {
        job_id: context.job_id,
        status,
        progress: {
          completed: counts.completed,
          queued: counts.queued,
          failed: counts.failed,
          current_url: context.current_url,
          searchable: context.searchable,
          skipped: counts.skipped,
          external_links: context.external_links,
          nofollow_links: context.nofollow_links ?? 0,
        },
        knowledge_id: request.knowledge_id,
        website_id: request.website_id,
        start_url: request.start_url,
        started_at: new Date(context.started_at).toISOString(),
        updated_at: new Date(context.updated_at).toISOString(),
        error: trouble ? { code: trouble.code, message: trouble.message } : null,
        interactive: context.press_end ?? context.pressed ?? null,
        traps: context.traps.map((trap) => ({ ...trap, examples: [...trap.examples] })),
        held_back: heldBack({
          skips: context.skips ?? {},
          nofollow: context.nofollow_links ?? 0,
          crawlDelay: context.crawl_delay ?? 0,
        }),
      };
    },
  },
});
