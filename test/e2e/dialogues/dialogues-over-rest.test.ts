/**
 * Tests dialogues over REST with a real browser: plans that are approved or only announced, clarification,
 * recovery after a failed step, and a killed process.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnThatFullTierStops } from "../support/own-test-cairn.ts";

const TIMEOUT = 90_000;
setDefaultTimeout(TIMEOUT);

/** The form values that the site's server has received. */
let saved: string[] = [];

const site = siteOfTests({
  "/": html(
    "Form",
    `<h1>Address</h1><form action="/save" method="post"><label>City <input name="city"></label><button>Save</button></form>
       <ul><li>Anna <button onclick="fetch('/edit?who=anna')">Edit</button></li><li>Bert <button onclick="fetch('/edit?who=bert')">Edit</button></li></ul>
       <button onclick="fetch('/delete')">Delete account</button>
       <a href="/studies">Studies</a>
       <button id="late" onclick="fetch('/edit?who=late')">Finish order</button>`,
  ),
  "/save": async (request) => {
    saved.push(new URLSearchParams(await request.text()).get("city") ?? "");
    return html("Saved", `<p>Saved</p><a href="/">Back</a>`);
  },
  "/order": html(
    "Order",
    `<form action="/save" method="post"><label>Board <select name="city"><option>Pine<option>Oak</select></label>
       <button>Create order</button></form>`,
  ),
  // On this page, the form appears some time after the click, as after a request to the server.
  "/studies": html(
    "Studies",
    `<h1>Studies</h1><button onclick="setTimeout(() => { document.querySelector('#new').hidden = false }, 400)">Create study</button>
       <button>Archive</button>
       <div id="new" role="dialog" hidden><form onsubmit="event.preventDefault(); fetch('/edit?who=' + this.elements.title.value)">
       <label>Name <input name="title"></label><button type="button">Cancel</button><button>Create</button></form></div>`,
  ),
  "/twice": html(
    "Twice",
    `<header><button>Refresh</button><form action="/find"><input type="search" name="q" aria-label="Quick search"></form></header>
       <aside><button>Refresh</button><form action="/find"><input type="search" name="q" aria-label="Quick search"></form></aside>`,
  ),
  "/preview": html(
    "Preview",
    `<label>View <select onchange="fetch('/edit?who=' + this.value)"><option>Desktop<option>Tablet<option>Mobile</select></label>
       <button>Publish</button>`,
  ),
  // On this page, the button is missing for a moment while the list is drawn again.
  "/redrawn": html(
    "Board",
    `<button onclick="const pin = document.querySelector('#pin'); pin.remove(); setTimeout(() => document.body.append(pin), 900)">Refresh</button>
       <button id="pin" onclick="fetch('/edit?who=pin')">Pin board</button>`,
  ),
  "/edit": (request) => {
    saved.push(`edit ${new URL(request.url).searchParams.get("who")}`);
    return new Response("");
  },
  "/delete": () => {
    saved.push("deleted");
    return new Response("");
  },
});

const own = await cairnThatFullTierStops();
let { cairn } = own;

async function begin(room_name: string, task: string, more: object = {}): Promise<string> {
  saved = [];
  await cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });
  await cairn.call("execute_action", { room_name, action_type: "navigate", params: { url: site.url("/") } });
  const { status, body } = await cairn.post("/api/dialogues", { task, room_name, ...more });
  expect([status, body.status]).toEqual([200, "planning"]);
  return body.dialogue_id;
}

const get = async (id: string) => (await cairn.get(`/api/dialogues/${id}`)).body;
const answer = (id: string, message: object) => cairn.post(`/api/dialogues/${id}/messages`, { message });
const types = async (id: string): Promise<readonly string[]> =>
  (await cairn.get(`/api/dialogues/${id}/messages`)).body.messages.map(({ type }: { type: string }) => type);

async function until(id: string, status: string) {
  const deadline = Date.now() + TIMEOUT / 3;
  for (;;) {
    const state = await get(id);
    if (state.status === status) return state;
    if (Date.now() > deadline) throw new Error(`${status} was not reached: ${JSON.stringify(state)}`);
    await Bun.sleep(20);
  }
}

describe("the dialogue about a task", () => {
  test.if(isFull)(
    "reaches a control by word vectors if no word of the task is in the name or the options of the control",
    async () => {
      saved = [];
      const { body } = await cairn.post("/api/dialogues", {
        task: "Show the page the way it looks on a phone",
        url: site.url("/preview"),
      });
      const id: string = body.dialogue_id;
      const { currentPlan } = await until(id, "assume_announce");
      expect(currentPlan.steps).toMatchObject([{ action: "select_dropdown", value: "Mobile" }]);
      await until(id, "completed");
      expect(saved).toEqual(["edit Mobile"]);
    },
  );

  test("runs the plan of a clear task after its approval, and reports each step in a message", async () => {
    const id = await begin("clear", 'Type "Vienna" into City and click Save');
    const { currentPlan } = await until(id, "awaiting_approval");
    expect(currentPlan.confidence.overall).toBeGreaterThanOrEqual(0.9);
    expect(saved).toEqual([]);
    expect((await answer(id, { action: "approvePlan", planVersion: 7 })).status).toBe(409);
    expect((await answer(id, { action: "approvePlan", planVersion: 1 })).status).toBe(200);
    const done = await until(id, "completed");
    expect(done.executionState).toMatchObject({ completedSteps: [0, 1], totalSteps: 2, failedSteps: [] });
    expect(saved).toEqual(["Vienna"]);
    const reported = await types(id);
    expect(reported).toEqual(
      expect.arrayContaining(["planReady", "stepStarted", "stepCompleted", "taskCompleted"]),
    );
    const late = await cairn.get(`/api/dialogues/${id}/messages?since=${reported.length - 1}`);
    expect(late.body.messages).toMatchObject([
      { type: "taskCompleted", dialogue_id: id, seq: reported.length, notPressed: null },
    ]);
    expect((await answer(id, { action: "approvePlan", planVersion: 1 })).body.error.code).toBe(
      "dialogue.already_decided",
    );
  });

  test("announces a likely plan, and runs it if the person does not correct it", async () => {
    const id = await begin("likely", "Click that order");
    const heard: string[] = [];
    const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/dialogues/${id}`);
    socket.onmessage = ({ data: text }) => heard.push(JSON.parse(text).type);
    const { dialogueState } = await until(id, "assume_announce");
    expect(dialogueState.assumptions).toMatchObject([{ assumedValue: "Finish order" }]);
    expect(saved).toEqual([]);
    await until(id, "completed");
    expect(saved).toEqual(["edit late"]);
    expect(heard).toEqual(expect.arrayContaining(["hello", "stepCompleted", "taskCompleted"]));
    socket.close();
  });

  test.if(isFull)(
    "runs the corrected plan if the person corrects an announced plan before it starts",
    async () => {
      const id = await begin("corrected", "Click that order");
      const { dialogueState } = await until(id, "assume_announce");
      const { field } = dialogueState.assumptions[0];
      await answer(id, { action: "correctAssumption", field, newValue: "Save" });
      const { currentPlan } = await until(id, "awaiting_approval");
      expect(currentPlan.steps).toMatchObject([{ target: { name: "Save" } }]);
      await answer(id, { action: "approvePlan", planVersion: currentPlan.version });
      await until(id, "completed");
      expect(saved).toEqual([""]);
    },
  );

  test("asks which of several possible elements is meant, and uses the answer", async () => {
    const id = await begin("several", "Click Edit");
    const { dialogueState } = await until(id, "clarifying");
    const [question] = dialogueState.pendingQuestions;
    expect(question.options).toHaveLength(2);
    const bert = question.options.find(({ text }: { text: string }) => text.includes("Bert"));
    await answer(id, { action: "submitClarification", questionId: question.id, selectedOptionId: bert.id });
    await until(id, "awaiting_approval");
    await answer(id, { action: "cancel" });
    expect((await until(id, "idle")).status).toBe("idle");
    expect(saved).toEqual([]);
  });

  test("requires approval if the risk is high, even with auto_approve", async () => {
    const id = await begin("risky", "Delete account", { auto_approve: true });
    const { currentPlan } = await until(id, "awaiting_approval");
    expect(currentPlan.steps).toMatchObject([{ risk: "high" }]);
    await Bun.sleep(200);
    expect(saved).toEqual([]);
    await answer(id, { action: "approvePlan", planVersion: currentPlan.version });
    await until(id, "completed");
    expect(saved).toEqual(["deleted"]);
  });

  test.if(isFull)(
    "waits for an element that is missing for a moment while the page is drawn again",
    async () => {
      saved = [];
      const room_name = "redrawn";
      await cairn.call("start_browser_session", { room_name, initial_url: site.url("/redrawn") });
      const { body } = await cairn.post("/api/dialogues", { task: "Click Pin board", room_name });
      const { currentPlan } = await until(body.dialogue_id, "awaiting_approval");
      const params = { role: "button", name: "Refresh" };
      await cairn.call("execute_action", { room_name, action_type: "click", params });
      await answer(body.dialogue_id, { action: "approvePlan", planVersion: currentPlan.version });
      await until(body.dialogue_id, "completed");
      expect(saved).toEqual(["edit pin"]);
    },
  );

  test("reports why a step failed and continues as the person decides", async () => {
    const id = await begin("failing", 'Type "Graz" into City and click Save');
    const { currentPlan } = await until(id, "awaiting_approval");
    const step = { target: { role: "button", name: "Store" } };
    await answer(id, { action: "editStep", planVersion: currentPlan.version, stepIndex: 1, step });
    await answer(id, { action: "approvePlan", planVersion: currentPlan.version + 1 });
    const { failure } = await until(id, "mid_exec_dialog");
    expect(failure).toMatchObject({
      stepIndex: 1,
      code: "element_not_found",
      canReplan: true,
      mayHaveHappened: false,
    });
    await answer(id, { action: "midExecDecision", decision: "replan" });
    const again = await until(id, "awaiting_approval");
    await answer(id, { action: "approvePlan", planVersion: again.currentPlan.version });
    await until(id, "completed");
    expect(saved).toEqual(["Graz"]);
  });

  test.if(isFull)(
    "says at the end which button sends the form, if the task has only entered a value",
    async () => {
      const id = await begin("entered", 'Type "Vienna" into City', { auto_approve: true });
      await until(id, "completed");
      const { body } = await cairn.get(`/api/dialogues/${id}/messages`);
      expect(body.messages.at(-1)).toMatchObject({ type: "taskCompleted", notPressed: "Save" });
      expect(body.messages.at(-1).summary).toContain('"Save" was not pressed.');
      expect(saved).toEqual([]);
    },
  );

  test.if(isFull)("sends the form in which a task changes a value", async () => {
    const id = await begin("changed", "Change the city to Linz", { auto_approve: true });
    await until(id, "completed");
    expect(saved).toEqual(["Linz"]);
  });

  test.if(isFull)("is not completed before a person has decided about a form that is not sent", async () => {
    saved = [];
    const start = { task: "Change the board to Oak", room_name: "unsent", auto_approve: true };
    const { body } = await cairn.post("/api/dialogues", { ...start, url: site.url("/order") });
    const id: string = body.dialogue_id;
    const { failure } = await until(id, "mid_exec_dialog");
    expect(failure).toMatchObject({ code: "form_not_sent", recommendedAction: "retry" });
    expect(failure.error).toContain('"Create order" was not pressed');
    expect(saved).toEqual([]);
    await answer(id, { action: "midExecDecision", decision: "retry" });
    await until(id, "completed");
    expect(saved).toEqual(["Oak"]);
  });

  const tasks: [string, string[]][] = [
    ["Go to studies and create a study named beta", ["edit beta"]],
    ["Go to studies, click Create study and enter beta as the name", []],
  ];
  test.if(isFull).each(tasks.slice(0, isFull ? undefined : 1))(
    "fills a form that opens after a click: %s",
    async (task, expected) => {
      const id = await begin("opening", task, { auto_approve: true });
      const { executionState, currentPlan } = await until(id, "completed");
      expect(executionState.completedSteps).toHaveLength(currentPlan.steps.length);
      expect(saved).toEqual(expected);
      const { body } = await cairn.call("analyze_page", { room_name: "opening", query: "name" });
      expect(body.data.highlightedElements).toMatchObject([{ labelText: "Name", value: "beta" }]);
    },
  );

  test.if(isFull)("reports which value is not entered if its field never appears", async () => {
    const id = await begin("never", "Go to studies, click Archive and enter beta as the reason", {
      auto_approve: true,
    });
    const { failure } = await until(id, "mid_exec_dialog");
    expect(failure).toMatchObject({ code: "element_not_found", stepIndex: 2 });
    expect(failure.error).toContain('"beta" is not entered yet');
    await answer(id, { action: "midExecDecision", decision: "skip" });
    await until(id, "completed");
    const { body } = await cairn.get(`/api/dialogues/${id}/messages`);
    expect(body.messages.at(-1)).toMatchObject({ type: "taskCompleted", unusedValues: ["beta"] });
  });

  test.if(isFull)(
    "offers options that a person can distinguish, and asks nothing about elements that do the same",
    async () => {
      const planned = async (task: string) =>
        (await cairn.post("/api/plan-with-confidence", { task, url: site.url("/twice") })).body;
      const { questions } = await planned("Click Refresh");
      expect(questions[0].options.map(({ text }: { text: string }) => text)).toEqual([
        "Refresh, in the header",
        "Refresh, in the sidebar",
      ]);
      const search = await planned("Search for Ada");
      expect(search.questions).toEqual([]);
      expect(search.plan.steps).toMatchObject([{ action: "input", value: "Ada" }, { action: "send_keys" }]);
    },
  );

  test("is refused without a session", async () => {
    const { status, body } = await cairn.post("/api/dialogues", { task: "Click Save", room_name: "nowhere" });
    expect([status, body.error.code]).toEqual([404, "session.not_found"]);
  });
});

/**
 * The fields that the messages and the state must have by the protocol specification, and those that Cairn
 * adds. The fields of a nested object are listed below it. For an array, the fields of its first element are
 * listed.
 */
interface Fields {
  readonly [field: string]: Fields | null;
}
const leaf = (...names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, null]));
const ASSUMPTIONS = leaf("field", "assumedValue", "confidence");
const STEPS = leaf("action", "targetId", "value", "expectedResult", "risk", "reversible", "description");
const BREAKDOWN = leaf("intentClarity", "targetMatch", "valueConfidence");
const PLAN: Fields = {
  ...leaf("id", "version", "summary", "risks"),
  confidence: { ...leaf("overall"), breakdown: BREAKDOWN },
  steps: STEPS,
  assumptions: ASSUMPTIONS,
};
const MESSAGES: Readonly<Record<string, Fields>> = {
  assumeAnnounce: {
    ...leaf("autoExecuteDelay"),
    assumptions: ASSUMPTIONS,
    plan: { ...leaf("summary"), steps: STEPS },
  },
  clarifyWithOptions: {
    ...leaf("question", "allowFreeform"),
    options: leaf("id", "text", "confidence"),
  },
  midExecDialog: {
    ...leaf("options", "suggestedAction"),
    failedStep: leaf("stepIndex", "action", "targetDescription", "error"),
    analysis: leaf("cause", "suggestion", "canRetry", "canSkip", "canReplan", "recommendedAction"),
  },
  selfRefineUpdate: leaf("iteration", "maxIterations", "previousScore", "newScore", "improvements"),
  confidenceReport: { ...leaf("overall", "recommendation"), breakdown: BREAKDOWN },
  planReady: { ...leaf("requiresApproval"), plan: PLAN, confidence: null },
  stepStarted: { ...leaf("stepIndex"), step: STEPS },
  stepCompleted: leaf("stepIndex", "outcome", "evidence"),
  taskCompleted: leaf("summary", "completedSteps", "failedSteps"),
  stateChanged: leaf("state", "inputEnabled", "planVersion"),
};
const STATE: Fields = {
  ...leaf("status", "planHistory"),
  conversationHistory: leaf("role", "content", "timestamp", "messageType"),
  dialogueState: {
    ...leaf("clarificationRound", "maxClarificationRounds", "refineIteration", "maxRefineIterations"),
    ...leaf("pendingQuestions"),
    assumptions: ASSUMPTIONS,
  },
  executionState: {
    ...leaf("currentStepIndex", "totalSteps", "completedSteps"),
    failedSteps: leaf("stepIndex", "error", "retryCount", "resolution"),
    checkpoint: leaf("beforeStepIndex", "pageState", "timestamp"),
  },
  currentPlan: PLAN,
};

/** Returns the path of each field that is listed in `fields` and missing in the value. */
function missing(value: unknown, fields: Fields, path = ""): readonly string[] {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one !== "object" || one === null) return [`${path} is no object`];
  return Object.entries(fields).flatMap(([name, inner]) => {
    if (!(name in one)) return [`${path}${name}`];
    return inner === null ? [] : missing(one[name as keyof typeof one], inner, `${path}${name}.`);
  });
}

test("a dialogue has every field of the protocol specification in its messages and its state", async () => {
  const seen = new Map<string, readonly string[]>();
  const read = async (id: string) => {
    for (const message of (await cairn.get(`/api/dialogues/${id}/messages`)).body.messages) {
      const own = { ...MESSAGES[message.type], ...leaf("type", "dialogue_id", "seq", "timestamp") };
      if (MESSAGES[message.type]) seen.set(message.type, missing(message, own));
    }
  };
  const likely = await begin("fields-likely", "Click that order");
  await until(likely, "assume_announce");
  expect(missing(await get(likely), { dialogueState: { assumptions: ASSUMPTIONS } })).toEqual([]);
  await until(likely, "completed");
  await read(likely);

  const several = await begin("fields-several", "Click Edit");
  await until(several, "clarifying");
  await read(several);

  const failing = await begin("fields-failing", 'Type "Graz" into City and click Save');
  await until(failing, "awaiting_approval");
  const step = { target: { role: "button", name: "Store" } };
  await answer(failing, { action: "editStep", planVersion: 1, stepIndex: 1, step });
  await answer(failing, { action: "approvePlan", planVersion: 2 });
  const state = await until(failing, "mid_exec_dialog");
  const { assumptions: _, ...currentPlan } = PLAN;
  const { assumptions: __, ...dialogueState } = STATE.dialogueState ?? {};
  expect(missing(state, { ...STATE, currentPlan, dialogueState })).toEqual([]);
  await read(failing);
  const plans = await cairn.get(`/api/dialogues/${failing}/messages`);
  const ready = plans.body.messages.find(({ type }: { type: string }) => type === "planReady");
  expect(missing(ready, { ...MESSAGES.planReady, plan: currentPlan })).toEqual([]);

  // The list of assumptions in a plan may be empty. So the message `planReady` need not contain the fields of an
  // assumption.
  seen.set(
    "planReady",
    (seen.get("planReady") ?? []).filter((path) => !path.includes("assumptions")),
  );
  expect([...seen.keys()].sort()).toEqual(Object.keys(MESSAGES).sort());
  expect(Object.fromEntries([...seen].filter(([, paths]) => paths.length > 0))).toEqual({});
});

test.if(isFull)(
  "a restarted process announces the plan of a dialogue again before it runs the plan",
  async () => {
    const id = await begin("killed", "Click that order");
    await until(id, "assume_announce");
    await cairn.kill();
    cairn = await own.start();
    const announced = async () => (await types(id)).filter((type) => type === "assumeAnnounce").length;
    const deadline = Date.now() + 20_000;
    while ((await announced()) < 2 && Date.now() < deadline) await Bun.sleep(50);
    expect(await announced()).toBe(2);
    expect(saved).toEqual([]);
    await answer(id, { action: "cancel" });
    await until(id, "idle");
  },
);
