/**
 * Tests which page states an exploration sends to the map when it presses controls: their names, controls and
 * texts.
 */
import { expect, test } from "bun:test";
import { PressNotes } from "../../../../actors/exploration/press/control-press-notes.ts";
import type { Shown } from "../../../../actors/exploration/press/control-press-session.ts";
import type { EffectScope } from "../../../../actors/runtime/index.ts";
import type { CairnServices } from "../../../../actors/worker-services.ts";
import {
  type FrontierState,
  PressFrontier,
} from "../../../../machines/exploration/press/next-control-to-press.ts";
import {
  type PressInput,
  pressNoteName,
} from "../../../../machines/exploration/press/press-phase-input-and-result.ts";
import type { FoundState } from "../../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { Store } from "../../../../store/index.ts";
import { frontierRow } from "../../../store/sample-store-rows.ts";
import { memoryStore } from "../../../store/temporary-store.ts";

const JOB = "job";
const URL_OF_PAGE = "https://a.example/orders";
const COUNTS = { actions: 0, states: 0 };

/** The message by which pressed controls and found states reach the state machine of the exploration. */
interface Sent {
  readonly notes: readonly object[];
  readonly from: number;
  readonly states: readonly FoundState[];
}

const shown = (...headings: string[]): Shown =>
  // The cast is safe: the tested code reads only the headings and these three fields of the page.
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

/**
 * Creates the object that records one run of pressing controls. Its records are stored in the same way as by the
 * state machine of an exploration.
 */
function run(store: Store, sent: Sent[], role?: string): PressNotes {
  const request = {
    start_url: URL_OF_PAGE,
    website_id: "a.example",
    scope: "domain",
    include: [],
    exclude: [],
    role,
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
  // The casts are safe: `PressNotes` reads only these fields of its two arguments.
  const input = { job_id: JOB, request } as unknown as PressInput;
  return new PressNotes(input, scope as unknown as EffectScope<CairnServices>, new PressFrontier());
}

test("a page state is named after the heading of its page, even if an earlier run of presses has opened the page", async () => {
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

test("a page is not named after a heading that most opened pages have, such as the one of a menu", async () => {
  const { store, close } = await memoryStore();
  const sent: Sent[] = [];
  const notes = run(store, sent);
  for (const name of ["Users", "Groups", "Sessions", "Events"]) {
    const key = `a.example/${name}` as const;
    const page = { ...state(), id: name, key, url: `https://${key}` };
    await notes.send({ transitions: [], results: [], states: [page], shown: shown("Manage", name) }, COUNTS);
  }
  const names = sent.flatMap(({ states }) => states.map(({ name }) => name));
  expect(names.slice(2)).toEqual(["Sessions", "Events"]);
  await close();
});

const controls = {
  buttons: [{ role: "button", name: "Ban", selector: "", xpath: "", attributes: {} }],
  inputs: [],
  forms: [],
};

/**
 * Reports that a press of the exploration has opened a page that the map already has. Returns the states that are
 * sent to the map.
 */
async function sendKnownPage(
  role: string | undefined,
  crawled: "done" | "queued" | undefined,
): Promise<readonly FoundState[]> {
  const { store, close } = await memoryStore();
  const page = state();
  if (crawled) {
    const row = frontierRow(page.key, 1, { id: [JOB, page.key], job_id: JOB, state: crawled });
    await store.write([{ op: "put", table: "frontier", rows: [row] }]);
  }
  const sent: Sent[] = [];
  const notes = run(store, sent, role);
  notes.addKnown([page.id], []);
  const found = { transitions: [], results: [], states: [page], shown: shown("Orders"), controls };
  await notes.send(found, COUNTS);
  await close();
  return sent.flatMap(({ states }) => states);
}

test("if a press opens a page that the map knows, the page's controls are sent to the map for the role of the exploration's account", async () => {
  const found = [expect.objectContaining({ known: true, controls })];
  expect(await sendKnownPage("clerk", undefined)).toEqual(found);
  expect(await sendKnownPage("clerk", "queued")).toEqual(found);
});

test("if a press opens a page that the map knows, the page's controls are not sent if the crawl has read the page or the exploration has no role", async () => {
  expect(await sendKnownPage("clerk", "done")).toEqual([]);
  expect(await sendKnownPage(undefined, undefined)).toEqual([]);
});

test("the texts that a press has added to a state are stored, even if the map already has the state", async () => {
  const { store, close } = await memoryStore();
  const sent: Sent[] = [];
  const notes = run(store, sent);
  const found = { transitions: [], results: [], shown: shown("Orders"), texts: ["Refund the order"] };
  await notes.send({ ...found, states: [state("Refund")] }, COUNTS);
  await notes.send({ ...found, states: [state("Refund")] }, COUNTS);
  expect(sent.flatMap(({ states }) => states.map(({ added, known }) => [added, known]))).toEqual([
    [["Refund the order"], undefined],
    [["Refund the order"], true],
  ]);
  await close();
});
