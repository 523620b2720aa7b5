/** Tests the state machine of a navigation run: its limits, and the rows that each visit stores. */
import { describe, expect, test } from "bun:test";
import { type AnyEventObject, initialTransition, transition } from "xstate";
import type { Emitted } from "../../../machines/machine-emissions.ts";
import { navigationMachine } from "../../../machines/navigation/navigation-machine.ts";
import {
  noModelUsage,
  type PendingPage,
  type VisitOutput,
} from "../../../machines/navigation/navigation-run-context.ts";
import type { NavigationRequest } from "../../../machines/navigation/navigation-run-schemas.ts";

const AT = 1_000_000;
const request: NavigationRequest = {
  prompt: "tea",
  seed_links: ["https://a.example/"],
  max_articles: 2,
  max_depth: 3,
  max_links_per_page: 20,
  max_llm_calls: 5,
  max_seconds: 60,
  max_cost_usd: 0.15,
  render: "http",
  use_smart_navigation: true,
  respect_robots: true,
  preview: false,
};
const intent = {
  topic: "tea",
  target_section: "",
  time_range_days: null,
  entities: [],
  max_articles: null,
  output: "summary",
};

const link = (path: string, depth = 1): PendingPage => ({
  url: `https://a.example/${path}`,
  depth,
  seed: "https://a.example/",
  path: [],
  about: "",
  further: 0,
});
const visit = (more: Partial<VisitOutput> = {}): VisitOutput => ({
  read: [],
  fetched: 1,
  decision: {
    url: "https://a.example/",
    depth: 0,
    action: "EXTRACT_LINKS",
    page_type: "other",
    confidence: 0.9,
    reasoning: "",
    target_url: null,
    decided_by: "structure",
  },
  article: null,
  irrelevant: null,
  pages: [],
  redirects: [],
  links: [],
  rejected: [],
  failure: null,
  usage: noModelUsage,
  ...more,
});
// The cast is safe: the machine only counts and stores articles, and does not read their fields.
const article = { url: "https://a.example/x", title: "x" } as unknown as VisitOutput["article"];

class Driver {
  #snapshot = initialTransition(navigationMachine, { id: "run" })[0];
  emitted: Emitted[] = [];

  send(event: AnyEventObject, at = AT): this {
    // The test adds the field `at` (the time) to each event, as the runtime does.
    const [next, actions] = transition(navigationMachine, this.#snapshot, { at, ...event } as never);
    this.#snapshot = next;
    // The cast is needed, because XState's type lists only the machine's own actions, and `xstate.emit` is an
    // action of XState itself.
    this.emitted = (actions as readonly { readonly type: string; readonly params?: unknown }[]).flatMap(
      (action) => (action.type === "xstate.emit" ? [(action.params as { event: Emitted }).event] : []),
    );
    if (next.status === "error") throw next.error;
    return this;
  }
  start(more: Partial<NavigationRequest> = {}): this {
    return this.send({ type: "START", request: { ...request, ...more } }).send({
      type: "xstate.done.actor.intent",
      output: { intent, usage: noModelUsage },
    });
  }
  visited(output: VisitOutput, at = AT): this {
    return this.send({ type: "xstate.done.actor.visit", output }, at);
  }
  get state() {
    return this.#snapshot.value;
  }
  get context() {
    return this.#snapshot.context;
  }
}

describe("a navigation run (which answers a question from web pages)", () => {
  test("visits the newest links first (depth first), and no page twice", () => {
    const run = new Driver()
      .start()
      .visited(visit({ read: ["https://a.example/"], links: [link("a"), link("b"), link("a")] }));
    expect(run.context.pending.map(({ url }) => url)).toEqual(["https://a.example/a", "https://a.example/b"]);
    run.visited(visit({ read: ["https://a.example/a"], links: [link("c", 2), link("", 2)] }));
    expect(run.context.pending.map(({ url }) => url)).toEqual(["https://a.example/c", "https://a.example/b"]);
  });

  test.each([
    ["max_articles", visit({ article, links: [link("a"), link("b")] }), 2, AT],
    ["no_more_pages", visit(), 1, AT],
    ["budget_calls", visit({ links: [link("a")], usage: { ...noModelUsage, calls: 5 } }), 1, AT],
    [
      "budget_cost",
      visit({ links: [link("a")], usage: { ...noModelUsage, calls: 1, cost_usd: 0.2 } }),
      1,
      AT,
    ],
    ["budget_seconds", visit({ links: [link("a")] }), 1, AT + 60_000],
    [
      "low_confidence",
      visit({ decision: { ...(visit().decision as NonNullable<VisitOutput["decision"]>), confidence: 0.3 } }),
      1,
      AT,
    ],
  ] as const)("ends with the reason %p", (reason, output, times, at) => {
    const run = new Driver().start();
    for (let time = 0; time < times; time++) run.visited(output, at);
    expect([run.state, run.context.stopped_reason]).toEqual(["summarising", reason]);
    run.send({ type: "xstate.done.actor.digest", output: { kept: [0], summary: null } });
    expect(run.state).toBe("completed");
  });

  test("stores decisions and articles as rows together with the visit", () => {
    const run = new Driver().start().visited(visit({ article, links: [link("a")] }));
    expect(run.emitted.filter(({ type }) => type === "write")).toMatchObject([
      {
        writes: [
          { table: "navigation_decision", rows: [{ id: ["run", 0] }] },
          { table: "navigation_article", rows: [{ id: ["run", 0] }] },
        ],
      },
    ]);
    expect(run.context).toMatchObject({ articles: 1, decisions: 1 });
  });

  test("reports refused links, and follows no link in a preview", () => {
    const run = new Driver()
      .start({ preview: true })
      .visited(visit({ links: [link("a")], rejected: ["https://made.up/"] }));
    expect(run.emitted).toContainEqual(
      expect.objectContaining({
        type: "publish",
        event: expect.objectContaining({ type: "nav:link_rejected", url: "https://made.up/" }),
      }),
    );
    expect(run.state).toBe("summarising");
  });

  test("fails if no page could be read, and keeps its results if it is cancelled", () => {
    const failure = { code: "reading.http_404", message: "no" };
    expect(new Driver().start().visited(visit({ decision: null, failure })).state).toBe("failed");
    const run = new Driver()
      .start()
      .visited(visit({ article, links: [link("a")] }))
      .send({ type: "CANCEL" });
    expect([run.state, run.context.stopped_reason, run.context.articles]).toEqual([
      "cancelled",
      "cancelled",
      1,
    ]);
  });

  test("returns the same answer to the same request, and refuses a different one with the same id", () => {
    const run = new Driver().start().send({ type: "START", request });
    expect(run.emitted).toMatchObject([{ type: "reply", body: { status: "running" } }]);
    run.send({ type: "START", request: { ...request, prompt: "coffee" } });
    expect(run.emitted).toMatchObject([{ type: "refuse", code: "job.exists" }]);
  });
});
