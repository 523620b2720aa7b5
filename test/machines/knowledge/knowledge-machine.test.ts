import { describe, expect, test } from "bun:test";
import { initialTransition, type SnapshotFrom, transition } from "xstate";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import {
  type KnowledgeEvent,
  knowledgeMachine,
  mapExists,
  mapIsGoing,
} from "../../../machines/knowledge/knowledge-machine.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { type Batch, emptyBatch } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import type { FoundState } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { Emitted, StoreWrite } from "../../../machines/machine-emissions.ts";

type Snapshot = SnapshotFrom<typeof knowledgeMachine>;

interface Stepped {
  readonly snapshot: Snapshot;
  readonly emitted: readonly Emitted[];
  /** The name and the input of each effect that was started. */
  readonly begun: readonly (readonly [string, unknown])[];
  readonly stopped: number;
  readonly delays: readonly number[];
}

type Event = KnowledgeEvent extends infer E ? (E extends unknown ? Omit<E, "at"> : never) : never;
interface Ended {
  readonly type: "xstate.done.actor.ingest" | "xstate.done.actor.erase" | "xstate.error.actor.ingest";
  readonly output?: null;
  readonly error?: { readonly code: string; readonly message: string };
}

function born(): Snapshot {
  return initialTransition(knowledgeMachine, { id: "map" })[0];
}

function step(snapshot: Snapshot, event: Event | Ended, at = 1_000): Stepped {
  // The cast is needed: the declared type of events lacks the results of effects, and the time that the
  // runtime adds.
  const [next, taken] = transition(knowledgeMachine, snapshot, { ...event, at } as KnowledgeEvent);
  // The state machine's own actions are applied already. The remaining actions are built into XState, which
  // has no types for them.
  const actions: readonly { readonly type: string; readonly params?: unknown }[] = taken;
  const emitted: Emitted[] = [];
  const begun: [string, unknown][] = [];
  const delays: number[] = [];
  let stopped = 0;
  for (const action of actions) {
    // The cast is needed: XState returns actions without types. `machine-actions-to-rows.ts` reads the same fields.
    const params = action.params as { event: Emitted; src: string; input: unknown; delay: number };
    if (action.type === "xstate.emit") emitted.push(params.event);
    if (action.type === "xstate.spawnChild") begun.push([params.src, params.input]);
    if (action.type === "xstate.stopChild") stopped += 1;
    if (action.type === "xstate.raise") delays.push(params.delay);
  }
  return { snapshot: next, emitted, begun, stopped, delays };
}

function after(...events: readonly (Event | Ended)[]): Snapshot {
  return events.reduce<Snapshot>((snapshot, event) => step(snapshot, event).snapshot, born());
}

const waits = (crawling: boolean, job_id = "job") => ({ type: "INGEST", job_id, crawling }) as const;
const done = { type: "xstate.done.actor.ingest", output: null } as const;
const batch = (rows: Partial<Batch> = {}) => ({ type: "BATCH", ...emptyBatch, ...rows }) as const;
function writesOf(emitted: readonly Emitted[]): readonly StoreWrite[] {
  return emitted.flatMap((event) => (event.type === "write" ? event.writes : []));
}

/**
 * Returns the state of a page after the controls in `path` were pressed; with an empty path, the page as it was opened.
 * The state has one button.
 */
const foundState = (path: readonly string[]): FoundState => ({
  website_id: "a.example",
  url: "https://a.example/users",
  key: urlKey("https://a.example/users"),
  path,
  name: "Users",
  texts: [],
  structure: "",
  controls: {
    buttons: [{ role: "button", name: path.at(-1) ?? "Ban", selector: "", xpath: "", attributes: {} }],
    inputs: [],
    forms: [],
  },
});

describe("the state machine of a map", () => {
  test("replaces the controls of a state that the map already has, and keeps the screen of the state", () => {
    const states = [{ ...foundState(["New user"]), known: true } as const];
    const stored = (role?: string) => {
      const event = {
        type: "STATES",
        states,
        transitions: [],
        ...(role === undefined ? {} : { role }),
      } as const;
      return writesOf(step(after(waits(true)), event).emitted).map((write) =>
        "edge" in write ? `${write.op} ${write.edge}` : `${write.op} ${write.table}`,
      );
    };
    expect(stored()).toEqual(["unrelate offers", "put action", "relate offers"]);
    // For an exploration with the role "clerk", no control is removed: controls that are missing in it may exist
    // for other roles.
    expect(stored("clerk")).toEqual(["put action", "relate offers"]);
  });

  test("stores, for the role of the exploration, the controls that a press has shown on a page", () => {
    const states = [foundState([]), foundState(["New user"])];
    const { emitted } = step(after(waits(true)), { type: "STATES", states, transitions: [], role: "admin" });
    const rows = writesOf(emitted).flatMap((write) =>
      write.op === "put" && write.table === "action" ? write.rows : [],
    );
    // The control that opened the state, "New user", gets no role here. The transition to the state has the roles
    // instead.
    expect(rows.map(({ name, roles }) => [name, roles])).toEqual([
      ["Ban", ["admin"]],
      ["New user", undefined],
    ]);
  });

  test("adds the role of an exploration to controls of a page that other roles have seen", () => {
    const states = [{ ...foundState([]), known: true } as const];
    const event = { type: "STATES", states, transitions: [], role: "clerk" } as const;
    const writes = writesOf(step(after(waits(true)), event).emitted);
    expect(writes.map((write) => ("edge" in write ? write.edge : write.table))).toEqual(["action", "offers"]);
    expect(writes[0]).toMatchObject({
      op: "put",
      adds_roles: true,
      rows: [{ name: "Ban", roles: ["clerk"] }],
    });
  });

  test("makes the texts that a press has added searchable, even for a state that the map already has", () => {
    const state = { ...foundState(["New user"]), added: ["Invite a colleague", "Role"] };
    const stored = (states: readonly FoundState[]) =>
      writesOf(step(after(waits(true)), { type: "STATES", states, transitions: [] }).emitted);
    const text = { controls: "Invite a colleague\nRole", body: "", title: "Users" };
    const added_texts = "Invite a colleague\nRole";
    expect(stored([state])).toContainEqual(
      expect.objectContaining({ table: "page_text", rows: [expect.objectContaining(text)] }),
    );
    expect(stored([state])).toContainEqual(
      expect.objectContaining({
        op: "put",
        table: "screen",
        rows: [expect.objectContaining({ added_texts })],
      }),
    );
    const known = stored([{ ...state, known: true }]);
    expect(known).toContainEqual(
      expect.objectContaining({
        op: "merge",
        table: "screen",
        rows: [expect.objectContaining({ added_texts })],
      }),
    );
    expect(known).toContainEqual(expect.objectContaining({ op: "put", table: "page_text" }));
    // For the page itself (an empty path), no text is stored here, because the crawl has already made it
    // searchable.
    expect(stored([{ ...state, path: [] }])).not.toContainEqual(
      expect.objectContaining({ table: "page_text" }),
    );
  });

  test("is created by the first announcement of pages, and keeps the first address of each website", () => {
    const first = step(born(), waits(true), 5);
    expect(writesOf(first.emitted)).toEqual([
      { op: "put", table: "knowledge", rows: [{ id: "map", name: "map", created_at: 5, updated_at: 5 }] },
    ]);
    expect(mapExists(first.snapshot.context, first.snapshot.value)).toBe(true);
    const again = step(first.snapshot, waits(true), 9);
    expect(again.emitted).toEqual([]);
    expect(again.snapshot.context.created_at).toBe(5);
    const website = (base_url: string) =>
      step(again.snapshot, batch({ websites: { "a.example": base_url } }));
    const sited = website("https://a.example/");
    expect(writesOf(sited.emitted)).toContainEqual({
      op: "put",
      table: "website",
      rows: [
        {
          id: ["map", "a.example"],
          knowledge_id: "map",
          website_id: "a.example",
          base_url: "https://a.example/",
        },
      ],
    });
    const later = step(sited.snapshot, batch({ websites: { "a.example": "https://a.example/deep" } }));
    expect(writesOf(later.emitted).map((write) => "table" in write && write.table)).toEqual(["knowledge"]);
    expect(later.snapshot.context.websites).toEqual({ "a.example": "https://a.example/" });
  });

  test("reports that the map does not exist before the first announcement of pages", () => {
    expect(mapExists(born().context, born().value)).toBe(false);
    expect(step(born(), { type: "DELETE" }).emitted).toMatchObject([
      { type: "refuse", code: "knowledge.not_found", status: 404 },
    ]);
  });
});

describe("the ingest of pages into a map", () => {
  test("starts when pages wait, and runs at reduced speed during a crawl", () => {
    expect(step(born(), waits(true)).begun).toEqual([
      ["ingest", { version: 0, behind: true, site_parts: {} }],
    ]);
    expect(step(born(), waits(false)).begun).toEqual([
      ["ingest", { version: 0, behind: false, site_parts: {} }],
    ]);
  });

  test("uses full speed as soon as the last crawl has ended", () => {
    const two = after(waits(true, "one"), waits(true, "two"));
    const oneLeft = step(two, waits(false, "one"));
    expect(oneLeft.begun).toEqual([]);
    const none = step(oneLeft.snapshot, waits(false, "two"));
    expect([none.stopped, none.begun]).toEqual([
      1,
      [["ingest", { version: 0, behind: false, site_parts: {} }]],
    ]);
  });

  test("runs at full speed if the only crawl has sent no message for long", () => {
    const lost = step(born(), waits(true, "lost"), 0).snapshot;
    const later = step(lost, waits(false, "other"), knowledgeLimits.crawlSilence + 1);
    expect(later.begun).toEqual([["ingest", { version: 0, behind: false, site_parts: {} }]]);
  });

  test("continues if pages were announced during a batch, and otherwise pauses", () => {
    const again = step(after(waits(true), waits(true)), done);
    expect(again.snapshot.value).toBe("ingesting");
    expect(again.begun).toHaveLength(1);
    expect(step(again.snapshot, done).snapshot.value).toBe("idle");
    expect(step(after(waits(true)), done).snapshot.value).toBe("idle");
  });

  test("commits a batch completely: it removes old rows first, and removes the ingested pages from the queue", () => {
    const stepped = step(
      after(waits(true)),
      batch({
        replaced: [["map", "s"]],
        gone: [["map", "s.old"]],
        screens: [
          {
            id: ["map", "s"],
            knowledge_id: "map",
            website_id: "a.example",
            screen_id: "s",
            name: "S",
            content_type: "web_ui",
            is_actionable: true,
            url: "https://a.example/s",
            page_key: "https://a.example/s",
            url_patterns: [],
            state_signature: "{}",
            trail: "",
            updated_at: 1,
          },
        ],
        shows: [{ in: ["map", "https://a.example/s"], out: ["map", "s"] }],
        mapped: [["map", "job", "https://a.example/s"]],
        taken: [["map", "job", "https://a.example/t"]],
      }),
      77,
    );
    expect(
      writesOf(stepped.emitted).map((write) => [write.op, "table" in write ? write.table : write.edge]),
    ).toEqual([
      ["unrelate", "transition"],
      ["unrelate", "offers"],
      ["remove", "action"],
      ["put", "screen"],
      ["relate", "shows"],
      ["merge", "ingest"],
      ["remove", "ingest"],
      ["merge", "knowledge"],
    ]);
    expect(stepped.emitted.filter((event) => event.type === "write")).toHaveLength(1);
    expect(stepped.snapshot.context.version).toBe(1);
  });

  test("reports to each exploration how many of its pages became searchable", () => {
    const { emitted } = step(after(waits(true)), batch({ searchable: { one: 3, two: 1 } }));
    expect(emitted.filter((event) => event.type === "send")).toEqual([
      { type: "send", to: "exploration/one", command: { type: "PAGES_SEARCHABLE", count: 3 } },
      { type: "send", to: "exploration/two", command: { type: "PAGES_SEARCHABLE", count: 1 } },
    ]);
  });

  test("keeps the common parts of a site's titles for the next run", () => {
    const known = after(
      waits(false),
      batch({ site_parts: { "a.example": { parts: ["Acme"], screens: 9 } } }),
      done,
    );
    expect(step(known, waits(false)).begun).toEqual([
      ["ingest", { version: 1, behind: false, site_parts: { "a.example": { parts: ["Acme"], screens: 9 } } }],
    ]);
  });

  test("ignores a batch that arrives after its end", () => {
    const idle = after(waits(true), done);
    expect(step(idle, batch()).emitted).toEqual([]);
    expect(step(idle, batch()).snapshot.context.version).toBe(0);
  });

  test("retries after a failure with growing but limited pauses, and with a short pause again after a success", () => {
    const failed = {
      type: "xstate.error.actor.ingest",
      error: { code: "store.unavailable", message: "down" },
    } as const;
    // The event that XState sends to the machine at the end of a delay.
    const wake = { type: "xstate.after.backoff.knowledge.resting" } as unknown as Event;
    let snapshot = after(waits(true));
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const stepped = step(snapshot, failed);
      expect(stepped.snapshot.value).toBe("resting");
      expect(stepped.snapshot.context.error).toEqual({ code: "store.unavailable", message: "down" });
      pauses.push(...stepped.delays);
      snapshot = step(stepped.snapshot, wake).snapshot;
      expect(snapshot.value).toBe("ingesting");
    }
    expect(pauses.slice(0, 3)).toEqual([1, 2, 4].map((times) => times * knowledgeLimits.retryPause));
    expect(Math.max(...pauses)).toBe(knowledgeLimits.maxRetryPause);
    const recovered = step(snapshot, batch()).snapshot;
    expect(recovered.context).toMatchObject({ attempts: 0, error: null });
  });
});

describe("deleting a map", () => {
  test("is refused while explorations add to it, and the error lists them", () => {
    expect(step(after(waits(true)), { type: "DELETE" }).emitted).toMatchObject([
      { type: "refuse", code: "knowledge.busy", status: 409, details: { jobs: ["job"] } },
    ]);
  });

  test("hides the map from readers immediately, and its id is free when its rows are deleted", () => {
    const going = step(after(waits(true), waits(false), done), { type: "DELETE" });
    expect(going.emitted).toContainEqual({
      type: "reply",
      body: { knowledge_id: "map", status: "deleting" },
    });
    expect(writesOf(going.emitted)).toEqual([{ op: "remove", table: "knowledge", ids: ["map"] }]);
    expect(going.begun.map(([src]) => src)).toEqual(["erase"]);
    expect(mapExists(going.snapshot.context, going.snapshot.value)).toBe(false);
    expect(mapIsGoing(going.snapshot.value)).toBe(true);
    const gone = step(going.snapshot, { type: "xstate.done.actor.erase", output: null });
    expect(gone.snapshot.value).toBe("idle");
    expect(gone.snapshot.context).toMatchObject({ created_at: null, websites: {}, version: 1 });
    expect(gone.emitted).toEqual([]);
  });

  test("is not undone by an exploration that reports its end afterwards", () => {
    const { snapshot, emitted } = step(after(), waits(false));
    expect(snapshot.context.created_at).toBeNull();
    expect(emitted).toEqual([]);
  });

  test("stops a running ingest", () => {
    const going = step(after(waits(true), waits(false)), { type: "DELETE" });
    expect([going.stopped, going.snapshot.value]).toEqual([1, "deleting"]);
  });

  test("keeps pages that are announced during the deletion, in a new map", () => {
    const known = after(
      waits(true),
      waits(false),
      batch({ websites: { "a.example": "https://a.example/" } }),
      done,
    );
    const going = step(step(known, { type: "DELETE" }).snapshot, waits(true), 50).snapshot;
    expect(mapIsGoing(going.value)).toBe(true);
    const recreated = step(going, { type: "xstate.done.actor.erase", output: null });
    expect(recreated.snapshot.value).toBe("ingesting");
    expect(writesOf(recreated.emitted)).toMatchObject([
      { op: "put", table: "knowledge", rows: [{ created_at: 50 }] },
    ]);
    expect(recreated.snapshot.context.websites).toEqual({});
  });
});
