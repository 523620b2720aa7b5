/**
 * Tests dialogues whose process is killed in each of their states. After a restart they continue in that
 * state, and the server receives no order twice.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../sites/scripted-site.ts";
import { Cairn, dataFolder } from "./cairn-process.ts";

const TIMEOUT = 180_000;
const ROOM = "kills";

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
/** Number of orders that the site's server has received. */
let orders = 0;
/** Resolves when the server has received an order. */
let received = Promise.withResolvers<void>();
/** The server answers an order only when this promise resolves. */
let release = Promise.resolve();

beforeAll(async () => {
  site = serveSite({
    "/": html(
      "Shop",
      `<h1>Shop</h1><form action="/order" method="post"><label>City <input name="city"></label><button>Finish order</button></form>
       <ul><li>Anna <button>Edit</button></li><li>Bert <button>Edit</button></li></ul>`,
    ),
    "/order": async () => {
      orders += 1;
      received.resolve();
      await release;
      return html("Ordered", "<p>Ordered</p>");
    },
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path });
}, TIMEOUT);

afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  site?.stop();
}, TIMEOUT);

const get = async (id: string) => (await cairn.get(`/api/dialogues/${id}`)).body;
const say = (id: string, message: object) => cairn.post(`/api/dialogues/${id}/messages`, { message });

async function begin(task: string): Promise<string> {
  orders = 0;
  received = Promise.withResolvers();
  release = Promise.resolve();
  await cairn.call("start_browser_session", { room_name: ROOM, initial_url: site.url("/") });
  await cairn.call("execute_action", {
    room_name: ROOM,
    action_type: "navigate",
    params: { url: site.url("/") },
  });
  const { body } = await cairn.post("/api/dialogues", { task, room_name: ROOM });
  return body.dialogue_id;
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

/** For each state in which a dialogue waits, a function that brings a new dialogue into this state. */
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
  ["assume_announce", () => begin("Click that order")],
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
    const done = orders;
    await killed();
    const after = await get(id);
    expect([after.status, after.currentPlan, after.dialogueState]).toEqual([
      state,
      before.currentPlan,
      before.dialogueState,
    ]);
    if (state === "assume_announce") await say(id, { action: "cancel" });
    expect(orders).toBe(done);
  },
  TIMEOUT,
);

test.each([
  ["planning", "awaiting_approval", () => begin(CLEAR)],
  [
    "refining",
    "awaiting_approval",
    async () => {
      const id = await begin("Click Edit");
      await until(id, "clarifying");
      await say(id, { action: "submitClarification", answer: "Edit for Bert" });
      return id;
    },
  ],
  [
    "replanning",
    "awaiting_approval",
    async () => {
      const id = await failing();
      await say(id, { action: "midExecDecision", decision: "replan" });
      return id;
    },
  ],
] as const)(
  "a dialogue whose process was killed in the state %s continues to the state %s after the restart",
  async (_, state, reach) => {
    const id = await reach();
    await killed();
    await until(id, state);
    expect(orders).toBe(0);
  },
  TIMEOUT,
);

test(
  "a dialogue whose process was killed before a step was sent runs each step once",
  async () => {
    const id = await begin(CLEAR);
    await planOf(id);
    await say(id, { action: "approvePlan", planVersion: 1 });
    await killed();
    const view = await until(id, "completed", "mid_exec_dialog");
    if (view.status === "mid_exec_dialog") expect(view.failure.mayHaveHappened || orders === 0).toBe(true);
    expect(orders).toBeLessThanOrEqual(1);
    if (view.status === "completed") expect(orders).toBe(1);
  },
  TIMEOUT,
);

test(
  "a dialogue whose process was killed after a step was sent asks what to do, and warns about a retry",
  async () => {
    const id = await begin(CLEAR);
    await planOf(id);
    const gate = Promise.withResolvers<void>();
    release = gate.promise;
    await say(id, { action: "approvePlan", planVersion: 1 });
    await received.promise;
    await killed();
    gate.resolve();
    const view = await until(id, "mid_exec_dialog", "completed");
    if (view.status === "mid_exec_dialog") {
      expect(view.failure).toMatchObject({ code: "interrupted", mayHaveHappened: true });
      expect(view.failure.suggestion).toContain("twice");
    }
    expect(orders).toBe(1);
  },
  TIMEOUT,
);
