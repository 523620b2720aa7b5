/** Tests the notes of presses: which names found states get, even after a restart of the exploration. */
import { expect, test } from "bun:test";
import { PressNotes } from "../../../../actors/exploration/press/control-press-notes.ts";
import type { Shown } from "../../../../actors/exploration/press/control-press-session.ts";
import type { EffectScope } from "../../../../actors/runtime/index.ts";
import type { CairnServices } from "../../../../actors/worker-services.ts";
import { type FrontierState, PressFrontier } from "../../../../machines/exploration/next-control-to-press.ts";
import {
  type PressInput,
  pressNoteName,
} from "../../../../machines/exploration/press-phase-input-and-result.ts";
import type { FoundState } from "../../../../machines/knowledge/page-states-to-instances.ts";
import type { Store } from "../../../../store/index.ts";
import { memoryStore } from "../../../store/temporary-store.ts";

const JOB = "job";
const URL_OF_PAGE = "https://a.example/orders";
const COUNTS = { actions: 0, states: 0 };

/** The event with which notes are sent to the machine of the exploration. */
interface Sent {
  readonly notes: readonly object[];
  readonly from: number;
  readonly states: readonly FoundState[];
}

const shown = (...headings: string[]): Shown =>
  // The cast is safe: the notes read only these fields of a snapshot.
  ({ headings, page: { url: URL_OF_PAGE, title: "Store", highlightedElements: [] } }) as unknown as Shown;

const state = (...names: string[]): FrontierState => ({
  id: ["orders", ...names].join("/"),
  url: URL_OF_PAGE,
  key: "a.example/orders",
  path: names.map((name) => ({ kind: "click", name, role: "button", xpath: "/button" })),
  names,
  sketch: "",
  via: null,
  candidates: [],
});

/** Creates the notes of one run of presses. They are stored as the machine of an exploration stores them. */
function run(store: Store, sent: Sent[]): PressNotes {
  const request = {
    start_url: URL_OF_PAGE,
    website_id: "a.example",
    scope: "domain",
    include: [],
    exclude: [],
  };
  const scope = {
    services: { store },
    notify: async (event: Sent) => {
      sent.push(event);
      const rows = event.notes.map((note, at) => ({
        id: [JOB, pressNoteName(event.from + at)] as const,
        job_id: JOB,
        note: JSON.stringify(note),
      }));
      await store.write([{ op: "put", table: "crawl_note", rows }]);
    },
  };
  // The casts are safe: the notes read only these fields of the input and of the scope.
  const input = { job_id: JOB, request } as unknown as PressInput;
  return new PressNotes(input, scope as unknown as EffectScope<CairnServices>, new PressFrontier());
}

test("a page state is named after the heading of its page, also if an earlier run of presses has opened the page", async () => {
  const { store, close } = await memoryStore();
  const sent: Sent[] = [];
  const found = { transitions: [], results: [] };
  await run(store, sent).send({ ...found, states: [state()], shown: shown("Orders") }, COUNTS);
  const resumed = run(store, sent);
  await resumed.recall();
  await resumed.send(
    { ...found, states: [state("Statistics")], shown: shown("3 new messages", "Orders") },
    COUNTS,
  );
  expect(sent.flatMap(({ states }) => states.map(({ name }) => name))).toEqual([
    "Orders",
    "Orders: Statistics",
  ]);
  await close();
});
