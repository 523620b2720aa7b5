/**
 * The state machine of a map, which ingests the pages of explorations. Only this machine writes screens,
 * actions and transitions of the map. The commit that adds rows also removes the ingested pages from the
 * queue, so each page is ingested exactly once.
 */
import { assign, emit, enqueueActions, setup } from "xstate";
import type { CommandOf } from "../actor-kind-protocol.ts";
import { effect } from "../effect-placeholder.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted, Occasion, StoreWrite } from "../machine-emissions.ts";
import type { JobId, KnowledgeId } from "../records/record-ids.ts";
import { documentWrites } from "./documents/ingested-document-part.ts";
import { importWrites } from "./formats/map-import-rows.ts";
import { inferenceWrites } from "./gaps/rows-of-inferred-steps.ts";
import type { KnowledgeProtocol } from "./knowledge-protocol.ts";
import { knowledgeLimits } from "./map-limits.ts";
import { type Batch, batchWrites, type SiteParts, textWrites } from "./rows-of-one-map-commit.ts";
import {
  addedTexts,
  pressTransition,
  stateActions,
  stateIdOf,
  stateScreen,
  stateText,
} from "./screens/page-states-to-map-instances.ts";
import { screenOfAction } from "./screens/page-to-screen.ts";
import {
  newOutcomes,
  type Travelled,
  travelledAfter,
} from "./transitions/transition-success-and-failure-counts.ts";

export interface KnowledgeContext {
  readonly knowledge_id: KnowledgeId;
  /** Time of the first `INGEST` in milliseconds since the epoch; `null` while the map does not exist. */
  readonly created_at: number | null;
  /** Version of the map. It increases with every batch, so that a cache can detect changes. */
  readonly version: number;
  /**
   * Running explorations that may still store pages. The value is the time of the last message from the
   * exploration, in milliseconds since the epoch.
   */
  readonly crawling: Readonly<Record<JobId, number>>;
  /** For each website, the start address of its first exploration. */
  readonly websites: Readonly<Record<string, string>>;
  /**
   * Recent outcomes of transitions, by the key that `edgeName` (transition-success-and-failure-counts.ts) returns; the newest is
   * last. Absent in maps of older releases.
   */
  readonly travelled?: Readonly<Record<string, Travelled>>;
  /** For each website, the title parts that all its pages share, such as the site's name. */
  readonly site_parts: Readonly<Record<string, SiteParts>>;
  /**
   * Whether pages were announced while the ingest effect is running. The effect may miss these pages, so it
   * runs again afterwards.
   */
  readonly more: boolean;
  /** Number of times in a row that an ingest (adding pages to the map) or a deletion of the map has failed. */
  readonly attempts: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type KnowledgeCommand = CommandOf<KnowledgeProtocol>;
type Ingest = CommandOf<KnowledgeProtocol, "INGEST">;
export type KnowledgeEvent = Occasion & (KnowledgeCommand | ({ readonly type: "BATCH" } & Batch));

export interface IngestInput {
  readonly version: number;
  /** Whether an exploration of the map is running. The ingest then pauses between batches. */
  readonly behind: boolean;
  readonly site_parts: KnowledgeContext["site_parts"];
}

/**
 * The result of an ingest. `embed` is true if a model for vectors of texts is configured; the map then computes
 * vectors next.
 */
export type IngestOutput = { readonly embed: true } | null;

export interface EraseInput {
  readonly version: number;
}

function crawlingAfter(context: KnowledgeContext, event: Ingest & Occasion): KnowledgeContext["crawling"] {
  const others = Object.entries(context.crawling).filter(
    ([jobId, heard]) => jobId !== event.job_id && heard > event.at - knowledgeLimits.crawlSilence,
  );
  return Object.fromEntries(event.crawling ? [...others, [event.job_id, event.at]] : others);
}

function crawlingNow(context: KnowledgeContext, at: number): readonly JobId[] {
  return Object.entries(context.crawling).flatMap(([jobId, heard]) =>
    heard > at - knowledgeLimits.crawlSilence ? [jobId] : [],
  );
}

function initialContext(knowledgeId: KnowledgeId): KnowledgeContext {
  return {
    knowledge_id: knowledgeId,
    created_at: null,
    version: 0,
    crawling: {},
    websites: {},
    site_parts: {},
    more: false,
    attempts: 0,
    error: null,
  };
}

/**
 * Returns the database write for the map's own row: its name, and the times of its creation and last change.
 */
function identityWrite(context: KnowledgeContext, at: number): StoreWrite {
  const { knowledge_id, created_at } = context;
  const row = { id: knowledge_id, name: knowledge_id, created_at: created_at ?? at, updated_at: at };
  return { op: "put", table: "knowledge", rows: [row] };
}

const machineSetup = setup({
  types: {
    context: {} as KnowledgeContext,
    events: {} as KnowledgeEvent,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    ingest: effect<IngestInput, IngestOutput>(),
    embed: effect<EraseInput, null>(),
    erase: effect<EraseInput, null>(),
  },
  delays: {
    backoff: ({ context }) =>
      Math.min(knowledgeLimits.retryPause * 2 ** (context.attempts - 1), knowledgeLimits.maxRetryPause),
  },
  actions: {
    /** Registers the pages that a job has announced. The first announcement creates the map. */
    announce: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "INGEST") return;
      // This message only reports that a job has ended. If the map was deleted during the job, the message
      // must not create the map again.
      if (context.created_at === null && !event.crawling) return;
      enqueue.assign({
        created_at: context.created_at ?? event.at,
        crawling: crawlingAfter(context, event),
        more: true,
      });
      if (context.created_at === null) {
        enqueue.emit({ type: "write", writes: [identityWrite(context, event.at)] });
      }
    }),
    commit: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "BATCH") return;
      // A website keeps the start address of its first exploration, even if later ones start elsewhere.
      const websites = { ...event.websites, ...context.websites };
      const fresh = Object.keys(websites).filter((id) => !Object.hasOwn(context.websites, id));
      enqueue.assign({
        version: context.version + 1,
        websites,
        site_parts: { ...context.site_parts, ...event.site_parts },
        attempts: 0,
        error: null,
      });
      enqueue.emit({ type: "write", writes: batchWrites(context.knowledge_id, event, fresh, event.at) });
      for (const [jobId, count] of Object.entries(event.searchable)) {
        enqueue.emit({
          type: "send",
          to: `exploration/${jobId}`,
          command: { type: "PAGES_SEARCHABLE", count },
        });
      }
    }),
    /**
     * Stores states of pages as instances of screens. An exploration shows such a state by pressing a
     * control, so the state has no stored page of its own.
     */
    keepStates: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "STATES" || context.created_at === null) return;
      const { knowledge_id, version } = context;
      const roles = event.role === undefined ? {} : { roles: [event.role] };
      const screens = event.states
        .filter(({ known }) => !known)
        .map((state) => stateScreen(knowledge_id, state, event.at));
      const transitions = event.transitions.map((found) => ({
        ...pressTransition(knowledge_id, found, event.at),
        ...roles,
      }));
      const writes: StoreWrite[] = [];
      // A control of a page gets the role of the account that has read the page, because other accounts may
      // lack it. A control of a state needs no role: the transitions to the state have roles, and each
      // account that can reach the state has the control.
      const ofStates = event.states.filter(({ path }) => path.length > 0);
      const ofPages = event.states.filter(({ path }) => path.length === 0);
      const actions = ofStates.flatMap((state) => stateActions(knowledge_id, state));
      const pageActions = ofPages.flatMap((state) =>
        stateActions(knowledge_id, state).map((action) => ({ ...action, ...roles })),
      );
      const offers = [...actions, ...pageActions].map(({ id }) => ({
        in: [knowledge_id, screenOfAction(id[1])] as const,
        out: id,
      }));
      if (screens.length > 0) writes.push({ op: "put", table: "screen", rows: screens });
      if (offers.length > 0) {
        // A press may show other controls than in an earlier exploration, so the earlier controls are
        // removed. In an exploration with a role, they stay, because accounts of other roles may still see
        // them.
        const replaced = [...new Set(offers.map(({ in: [, screenId] }) => screenId))];
        const from = replaced.map((screenId) => [knowledge_id, screenId] as const);
        if (event.role === undefined) writes.push({ op: "unrelate", edge: "offers", from });
        if (pageActions.length > 0)
          writes.push({ op: "put", table: "action", rows: pageActions, adds_roles: true });
        if (actions.length > 0) writes.push({ op: "put", table: "action", rows: actions });
        writes.push({ op: "relate", edge: "offers", rows: offers });
      }
      if (transitions.length > 0) writes.push({ op: "relate", edge: "transition", rows: transitions });
      const renewed = event.states.flatMap((state) => {
        const texts = addedTexts(state);
        const id = [knowledge_id, stateIdOf(state.key, state.path)] as const;
        return state.known && texts.added_texts !== undefined ? [{ id, ...texts }] : [];
      });
      if (renewed.length > 0) writes.push({ op: "merge", table: "screen", rows: renewed });
      writes.push(...textWrites(event.states.flatMap((state) => stateText(knowledge_id, state) ?? [])));
      enqueue.assign({ version: version + 1, more: true });
      enqueue.emit({ type: "write", writes });
    }),
    keepImport: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "IMPORT") return;
      const { knowledge_id, created_at, version } = context;
      const writes = [
        ...(created_at === null ? [identityWrite(context, event.at)] : []),
        ...importWrites(knowledge_id, event.part, event.at),
      ];
      const websites = Object.fromEntries(
        event.part.websites.map((site) => [site.website_id, site.base_url]),
      );
      enqueue.assign({
        created_at: created_at ?? event.at,
        version: version + 1,
        websites: { ...websites, ...context.websites },
        more: true,
      });
      enqueue.emit({ type: "write", writes });
      enqueue.emit({ type: "reply", body: { knowledge_id } });
    }),
    /**
     * Stores one part of a document. The ingest effect later links its passages to screens and makes them
     * searchable.
     */
    keepDocument: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "DOCUMENT") return;
      const { knowledge_id, created_at } = context;
      const writes = [
        ...(created_at === null ? [identityWrite(context, event.at)] : []),
        ...documentWrites(knowledge_id, event.part, event.at),
      ];
      enqueue.assign({ created_at: created_at ?? event.at, more: true });
      enqueue.emit({ type: "write", writes });
      enqueue.emit({ type: "reply", body: { knowledge_id } });
    }),
    forgetDocument: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "FORGET_DOCUMENT") return;
      const { knowledge_id } = context;
      enqueue.assign({ more: true });
      const row = { id: [knowledge_id, event.source_id] as const, status: "removed" as const };
      enqueue.emit({ type: "write", writes: [{ op: "merge", table: "source", rows: [row] }] });
      enqueue.emit({ type: "reply", body: { knowledge_id } });
    }),
    keepInference: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "INFERRED" || context.created_at === null) return;
      const { knowledge_id, version } = context;
      enqueue.assign({ version: version + 1 });
      enqueue.emit({ type: "write", writes: inferenceWrites(knowledge_id, event.part) });
      enqueue.emit({ type: "reply", body: { knowledge_id } });
    }),
    refuseDeleting: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "knowledge.deleting",
        message: `Map ${context.knowledge_id} is being deleted. Try again in a moment, or name another.`,
        status: 409,
      }),
    ),
    /** Counts successes and failures of transitions, so that routes avoid transitions that failed. */
    keepTravel: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "TRAVELLED" || context.created_at === null) return;
      const { at } = event;
      const outcomes = newOutcomes(context.travelled, event.outcomes, at);
      if (outcomes.length === 0) return;
      const refuted = outcomes.some(({ ok }) => !ok);
      enqueue.assign({
        travelled: travelledAfter(context.travelled, outcomes, at),
        // An inferred transition that failed is removed. This changes the map, so the version increases.
        version: refuted ? context.version + 1 : context.version,
      });
      const rows = outcomes.map(({ from, via, ok }) => ({
        in: [context.knowledge_id, from] as const,
        out: [context.knowledge_id, via] as const,
        ...(ok ? { successes: 1, failures: 0 } : { successes: 0, failures: 1 }),
        at,
      }));
      enqueue.emit({ type: "write", writes: [{ op: "tally", edge: "transition", rows }] });
    }),
    begin: assign({ more: false }),
    blame: assign((_, { error }: { readonly error: ErrorBody }) => ({
      error: { code: error.code, message: error.message },
    })),
    countFailure: assign({ attempts: ({ context }) => context.attempts + 1 }),
    /**
     * Resets the context after the map was deleted. Pages that were announced during the deletion belong to a
     * new map.
     */
    disown: enqueueActions(({ context, enqueue }) => {
      const { knowledge_id, version } = context;
      enqueue.assign({ ...initialContext(knowledge_id), version: version + 1 });
      enqueue.emit({ type: "write", writes: [{ op: "remove", table: "knowledge", ids: [knowledge_id] }] });
    }),
    /**
     * Pages may be announced while a map is being deleted. The map then exists again, so its own row, which
     * was deleted, is written again.
     */
    reinstate: enqueueActions(({ context, event, enqueue }) => {
      if (context.created_at === null) return;
      enqueue.emit({ type: "write", writes: [identityWrite(context, event.at)] });
    }),
    answerDeleting: emit(
      ({ context }): Emitted => ({
        type: "reply",
        body: { knowledge_id: context.knowledge_id, status: "deleting" },
      }),
    ),
    refuseUnknown: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "knowledge.not_found",
        message: `There is no map ${context.knowledge_id}. list_knowledge lists the maps.`,
        status: 404,
      }),
    ),
    refuseBusy: emit(({ context, event }): Emitted => {
      const jobs = crawlingNow(context, event.at);
      return {
        type: "refuse",
        code: "knowledge.busy",
        message: `Explorations are adding to ${context.knowledge_id}. Cancel or pause them first: ${jobs.join(", ")}.`,
        status: 409,
        details: { jobs },
      };
    }),
  },
  guards: {
    more: ({ context }) => context.more,
    unknown: ({ context }) => context.created_at === null,
    busy: ({ context, event }) => crawlingNow(context, event.at).length > 0,
    changesPace: ({ context, event }) => {
      if (event.type !== "INGEST") return false;
      const before = Object.keys(context.crawling).length > 0;
      return before !== Object.keys(crawlingAfter(context, event)).length > 0;
    },
  },
});

export const knowledgeMachine = machineSetup.createMachine({
  id: "knowledge",
  context: ({ input }) => initialContext(input.id),
  initial: "idle",
  on: {
    INGEST: { actions: "announce" },
    STATES: { actions: "keepStates" },
    TRAVELLED: { actions: "keepTravel" },
    IMPORT: { actions: "keepImport" },
    DOCUMENT: { actions: "keepDocument" },
    FORGET_DOCUMENT: { actions: "forgetDocument" },
    INFERRED: [{ guard: "unknown", actions: "refuseUnknown" }, { actions: "keepInference" }],
    DELETE: [
      { guard: "unknown", actions: "refuseUnknown" },
      { guard: "busy", actions: "refuseBusy" },
      { target: ".deleting", actions: ["answerDeleting", "disown"] },
    ],
  },
  states: {
    idle: {
      on: {
        INGEST: { target: "ingesting", actions: "announce" },
        // Imported screens are named and grouped in the same way as explored ones.
        IMPORT: { target: "ingesting", actions: "keepImport" },
        DOCUMENT: { target: "ingesting", actions: "keepDocument" },
        FORGET_DOCUMENT: { target: "ingesting", actions: "forgetDocument" },
      },
    },
    ingesting: {
      entry: "begin",
      invoke: {
        id: "ingest",
        src: "ingest",
        input: ({ context }) => ({
          version: context.version,
          behind: Object.keys(context.crawling).length > 0,
          site_parts: context.site_parts,
        }),
        onDone: [
          { guard: "more", target: "ingesting", reenter: true },
          { guard: ({ event }) => event.output?.embed === true, target: "embedding" },
          { target: "idle" },
        ],
        onError: {
          target: "resting",
          // The cast is safe: effects fail with the serialised form of an error.
          actions: [
            "countFailure",
            { type: "blame", params: ({ event }) => ({ error: event.error as ErrorBody }) },
          ],
        },
      },
      on: {
        // The ingest effect pauses between batches only while an exploration runs. It gets this fact as an
        // input when it starts. So when an exploration starts or ends, the effect is restarted.
        INGEST: [
          { guard: "changesPace", target: "ingesting", reenter: true, actions: "announce" },
          { actions: "announce" },
        ],
        BATCH: { actions: "commit" },
      },
    },
    resting: {
      after: { backoff: "ingesting" },
    },
    // Vectors are computed when the map has no other work, because a model may be slow. Any other event
    // interrupts this work until later.
    embedding: {
      invoke: {
        id: "embed",
        src: "embed",
        input: ({ context }) => ({ version: context.version }),
        onDone: "idle",
        // If the computation of embedding vectors fails, it is repeated only after the next ingest, and not
        // immediately.
        onError: "idle",
      },
      on: {
        INGEST: { target: "ingesting", actions: "announce" },
        IMPORT: { target: "ingesting", actions: "keepImport" },
        DOCUMENT: { target: "ingesting", actions: "keepDocument" },
        FORGET_DOCUMENT: { target: "ingesting", actions: "forgetDocument" },
      },
    },
    deleting: {
      invoke: {
        id: "erase",
        src: "erase",
        input: ({ context }) => ({ version: context.version }),
        onDone: [
          { guard: "more", target: "ingesting", actions: "reinstate" },
          { target: "idle", actions: "reinstate" },
        ],
        onError: {
          target: "deletion_resting",
          actions: [
            "countFailure",
            { type: "blame", params: ({ event }) => ({ error: event.error as ErrorBody }) },
          ],
        },
      },
      on: {
        DELETE: { actions: "answerDeleting" },
        IMPORT: { actions: "refuseDeleting" },
        DOCUMENT: { actions: "refuseDeleting" },
        FORGET_DOCUMENT: { actions: "refuseDeleting" },
      },
    },
    deletion_resting: {
      after: { backoff: "deleting" },
      on: {
        DELETE: { actions: "answerDeleting" },
        IMPORT: { actions: "refuseDeleting" },
        DOCUMENT: { actions: "refuseDeleting" },
        FORGET_DOCUMENT: { actions: "refuseDeleting" },
      },
    },
  },
});

/** Whether callers can use the map: it was created and is not being deleted. */
export function mapExists(context: KnowledgeContext, value: unknown): boolean {
  return context.created_at !== null && !mapIsGoing(value);
}

export function mapIsGoing(value: unknown): boolean {
  return value === "deleting" || value === "deletion_resting";
}
