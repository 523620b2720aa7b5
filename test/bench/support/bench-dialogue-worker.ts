/**
 * The worker of the bench of many dialogues: the real kind `dialogue` on the node's store. Its sessions are
 * stand-ins with one fixed page, because a browser for each of 10,000 dialogues would only measure browsers.
 */
import { emit, setup } from "xstate";
import { dialogue } from "../../../actors/dialogue/dialogue-actor-kind.ts";
import { createModels, noModels } from "../../../actors/models/index.ts";
import { type AnyActorDefinition, defineActor, runWorker } from "../../../actors/runtime/index.ts";
import type { CairnServices } from "../../../actors/worker-services.ts";
import type { Emitted } from "../../../machines/machine-emissions.ts";
import { openServedStore } from "../../../store/index.ts";
import { heapBytes } from "./measure-heap-size.ts";

export interface DialogueWorkerSettings {
  /** Time in milliseconds after which an idle dialogue is unloaded. */
  readonly idle: number;
}

const URL_OF_PAGE = "http://bench.test/people";
const PEOPLE = 40;

const element = (at: number, more: object) => ({
  highlight_index: at,
  type: "",
  interactionType: "click",
  selector: `#e${at}`,
  xpath: `//*[@id='e${at}']`,
  attributes: { id: `e${at}` },
  box: { x: 0, y: at * 30, width: 80, height: 24 },
  in_viewport: at < 20,
  frame: [],
  segment: null,
  ...more,
});

const PAGE = {
  revision: 1,
  document: "bench",
  url: URL_OF_PAGE,
  title: "People",
  highlightedElements: [
    element(0, { tagName: "input", type: "text", interactionType: "input", labelText: "City" }),
    element(1, { tagName: "button", textContent: "Save" }),
    ...Array.from({ length: PEOPLE }, (_, at) =>
      element(at + 2, { tagName: "a", textContent: `Person ${at}`, attributes: { href: `/people/${at}` } }),
    ),
  ],
};

/**
 * The fixed result of every action. Actions cost no time, so the measured cost of a step is that of the
 * dialogue and of the runtime.
 */
const DONE = { success: true, error: null, data: { effect: "changed", url: URL_OF_PAGE } };

const session = defineActor<unknown, Record<string, never>>({
  kind: "session",
  version: 1,
  machine: setup({ types: { events: {} as { readonly type: "WAKE" | "ACT" } } }).createMachine({
    on: {
      WAKE: { actions: emit((): Emitted => ({ type: "reply", body: { status: "awake" } })) },
      ACT: { actions: emit((): Emitted => ({ type: "reply", body: { id: "" } })) },
    },
  }),
  effects: {},
  queries: {
    analyze: async () => PAGE,
    phase: async () => ({ phase: "live", opened: null, error: null, restored: null, position: null }),
    context: async () => ({ url: URL_OF_PAGE, tab: 0 }),
    outcome: async () => ({ outcome: DONE }),
  },
});

const heap = defineActor<unknown, Record<string, never>>({
  kind: "heap",
  version: 1,
  machine: setup({}).createMachine({}),
  effects: {},
  queries: { bytes: async () => heapBytes() },
});

runWorker(async ({ bus, start }) => {
  // The cast is safe: only the bench starts this worker, with these settings.
  const { idle } = start.settings as DialogueWorkerSettings;
  const store = await openServedStore({ call: (bytes) => bus.store(bytes) });
  // The cast is needed, because the registry of actor kinds does not keep the types of their context and
  // services.
  const definitions = [
    { ...dialogue, limits: { idle } },
    session,
    heap,
  ] as unknown as readonly AnyActorDefinition[];
  // The cast is safe: the dialogues of this bench use no secrets, map or browser, so they need no other
  // services.
  const services = { models: createModels(noModels), store } as unknown as CairnServices;
  return { definitions, services, actorStore: store.actors, stop: () => store.close() };
});
