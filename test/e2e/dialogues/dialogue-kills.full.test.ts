/**
 * Tests dialogues whose process is killed in each of their states. After a restart they continue in that
 * state, and the server receives no order twice.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

const TIMEOUT = 180_000;
setDefaultTimeout(TIMEOUT);
const ROOM = "kills";
/** Time in seconds in which a person can correct a plan before it is executed. */
const COUNTDOWN = 3;

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
/** The orders that the site's server has received, with the time in seconds. */
let orders: { readonly what: string; readonly at: number }[] = [];
/** Resolves when the server has received an order. */
let received = Promise.withResolvers<void>();
/** The server answers requests that place an order only after this promise has resolved. */
let release = Promise.resolve();
/**
 * Resolves when a page has sent the request `/hold`. The server answers this request only after `free`
 * resolves.
 */
let held = Promise.withResolvers<void>();
let free = Promise.withResolvers<void>();

const order = (what: string): void => {
  orders.push({ what, at: Date.now() / 1_000 });
  received.resolve();
};
const names = (): readonly string[] => orders.map(({ what }) => what);

beforeAll(async () => {
  const edit = (who: string) => `<button onclick="fetch('/edit?who=${who}')">Edit</button>`;
  site = serveSite({
    "/": html(
      "Shop",
      `<h1>Shop</h1><form action="/order" method="post"><label>City <input name="city"></label><button>Finish order</button></form>
       <ul><li>Anna ${edit("Anna")}</li><li>Bert ${edit("Bert")}</li></ul><button onclick="setTimeout(hold, 100)">Pin</button>
       <script>function hold() { const request = new XMLHttpRequest(); request.open("GET", "/hold", false); request.send(); }</script>`,
    ),
    "/order": async (request) => {
      order(new URLSearchParams(await request.text()).get("city") ?? "");
      await release;
      return html("Ordered", "<p>Ordered</p>");
    },
    "/edit": (request) => {
      order(new URL(request.url).searchParams.get("who") ?? "");
      return new Response("");
    },
    "/hold": async () => {
      held.resolve();
      await free.promise;
      return new Response("");
    },
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path });
});

afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  site?.stop();
});

const get = async (id: string) => (await cairn.get(`/api/dialogues/${id}`)).body;
const say = (id: string, message: object) => cairn.post(`/api/dialogues/${id}/messages`, { message });
const messages = async (id: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await cairn.get(`/api/dialogues/${id}/messages`)).body.messages;

async function openPage(): Promise<void> {
  orders = [];
  received = Promise.withResolvers();
  release = Promise.resolve();
  held = Promise.withResolvers();
  free = Promise.withResolvers();
  // A session is saved some time after its last action. A test that kills the process earlier would restore
  // the page of the test before. So each test starts a new session, whose saved state (if any) contains a
  // page of this test.
  await cairn.call("close_browser_session", { room_name: ROOM });
  await cairn.call("start_browser_session", { room_name: ROOM, initial_url: site.url("/") });
}

async function begin(task: string): Promise<string> {
  await openPage();
  return await startTask(task);
}

async function startTask(task: string): Promise<string> {
  const { body } = await cairn.post("/api/dialogues", { task, room_name: ROOM });
  return body.dialogue_id;
}

/**
 * Blocks the scripts of the page, so that it cannot be read. A dialogue that needs the page stays in its
 * state until the process is killed.
 */
async function holdPage(): Promise<void> {
  // The process is killed before it answers, so the answer is not awaited and the error is ignored.
  cairn
    .call("execute_action", {
      room_name: ROOM,
      action_type: "click",
      params: { role: "button", name: "Pin" },
    })
    .catch(() => undefined);
  await held.promise;
}

async function until(id: string, ...states: readonly string[]) {
  const deadline = Date.now() + TIMEOUT / 3;
  for (;;) {
    const view = await get(id);
    if (states.includes(view.status)) return view;
    if (Date.now() > deadline) throw new Error(`${states} was not reached: ${JSON.stringify(view)}`);
    await Bun.sleep(20);
  }
}

async function killed(): Promise<void> {
  await cairn.kill();
  free.resolve();
  cairn = await Cairn.start({ data: data.path });
}

const CLEAR = 'Type "Vienna" into City and click "Finish order"';
const planOf = (id: string) => until(id, "awaiting_approval");
const missing = { target: { role: "button", name: "Nowhere" } };

async function failing(): Promise<string> {
  const id = await begin(CLEAR);
  await planOf(id);
  await say(id, { action: "editStep", planVersion: 1, stepIndex: 1, step: missing });
  await say(id, { action: "approvePlan", planVersion: 2 });
  await until(id, "mid_exec_dialog");
  return id;
}

/**
 * The states in which a dialogue waits. For each one, a function that starts a dialogue and leads it to this
 * state.
 */
const WAITING: readonly (readonly [string, () => Promise<string>])[] = [
  [
    "idle",
    async () => {
      const id = await begin(CLEAR);
      await planOf(id);
      await say(id, { action: "cancel" });
      return id;
    },
  ],
  ["clarifying", () => begin("Click Edit")],
  ["awaiting_approval", () => begin(CLEAR)],
  ["mid_exec_dialog", failing],
  [
    "completed",
    async () => {
      const id = await begin(CLEAR);
      await planOf(id);
      await say(id, { action: "approvePlan", planVersion: 1 });
      return id;
    },
  ],
  [
    "error",
    async () => {
      orders = [];
      const { body } = await cairn.post("/api/dialogues", { task: CLEAR, url: "http://127.0.0.1:1/" });
      return body.dialogue_id;
    },
  ],
];

test.each(WAITING)(
  "a dialogue whose process was killed in the state %s is in that state again after the restart",
  async (state, reach) => {
    const id = await reach();
    const before = await until(id, state);
    const stored = await messages(id);
    const done = names();
    await killed();
    expect(await get(id)).toEqual(before);
    expect(await messages(id)).toEqual(stored);
    expect(names()).toEqual(done);
  },
);

test("a dialogue whose process was killed while a plan is announced announces the plan again, with the full time for corrections", async () => {
  const id = await begin("Click that order");
  await until(id, "assume_announce");
  // The kill comes when two thirds of the countdown have passed. The restarted process must start a new
  // countdown. With the rest of the old countdown, the plan would run too early.
  await Bun.sleep((COUNTDOWN * 1_000 * 2) / 3);
  await killed();
  await until(id, "completed");
  const announced = (await messages(id)).filter(({ type }) => type === "assumeAnnounce");
  expect(announced).toHaveLength(2);
  expect(names()).toEqual([""]);
  // The countdown lasts at least `COUNTDOWN`, as the protocol specification requires. It may last longer.
  const waited = (orders[0]?.at ?? 0) - Number(announced[1]?.timestamp);
  expect(waited).toBeGreaterThanOrEqual(COUNTDOWN);
});

/**
 * For each state of a dialogue in which a plan is made: a function that starts a dialogue and leads it to
 * this state.
 */
const PLANNING: readonly (readonly [string, readonly string[], () => Promise<string>])[] = [
  [
    "planning",
    [],
    async () => {
      await openPage();
      await holdPage();
      return await startTask(CLEAR);
    },
  ],
  [
    "refining",
    ["clarifying"],
    async () => {
      const id = await begin("Click Edit");
      await until(id, "clarifying");
      await holdPage();
      await say(id, { action: "submitClarification", answer: "Edit for Bert" });
      return id;
    },
  ],
  [
    "replanning",
    ["mid_exec_dialog"],
    async () => {
      const id = await failing();
      await holdPage();
      await say(id, { action: "midExecDecision", decision: "replan" });
      return id;
    },
  ],
];

test.each(PLANNING)(
  "a dialogue whose process was killed in the state %s continues to make its plan after the restart",
  async (state, before, reach) => {
    const id = await reach();
    expect((await get(id)).status).toBe(state);
    await killed();
    await until(id, "awaiting_approval");
    const states = (await messages(id)).flatMap((one) => (one.type === "stateChanged" ? [one.state] : []));
    expect(states.slice(-2 - before.length)).toEqual([...before, state, "awaiting_approval"]);
    expect(names()).toEqual([]);
  },
);

test.each([
  [CLEAR, "Vienna"],
  ["Click Edit for Bert", "Bert"],
])(
  'a dialogue with the task "%s" whose process was killed before a step was sent runs the step once',
  async (task, ordered) => {
    const id = await begin(task);
    const { currentPlan } = await until(id, "awaiting_approval", "assume_announce");
    await holdPage();
    await say(id, { action: "approvePlan", planVersion: currentPlan.version });
    const view = await until(id, "executing");
    expect(view.executionState).toMatchObject({ currentStepIndex: 0, completedSteps: [] });
    await killed();
    const { executionState } = await until(id, "completed", "mid_exec_dialog");
    expect(executionState).toMatchObject({ failedSteps: [], totalSteps: currentPlan.steps.length });
    expect(names()).toEqual([ordered]);
  },
);

test("a dialogue whose process was killed after a step was sent asks the person what to do, and warns about a retry", async () => {
  const id = await begin(CLEAR);
  await planOf(id);
  const gate = Promise.withResolvers<void>();
  release = gate.promise;
  await say(id, { action: "approvePlan", planVersion: 1 });
  await received.promise;
  await killed();
  gate.resolve();
  const { failure } = await until(id, "mid_exec_dialog", "completed");
  expect(failure).toMatchObject({ stepIndex: 1, code: "interrupted", mayHaveHappened: true });
  expect(failure.suggestion).toContain("twice");
  await say(id, { action: "midExecDecision", decision: "skip" });
  await until(id, "completed");
  expect(names()).toEqual(["Vienna"]);
});
