/**
 * Tests the interfaces of dialogues: every field of the messages in both directions, answers that come too
 * late, and MCP with and without elicitation (asking the person by a form).
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);

let edits: string[] = [];

const site = siteOfTests({
  "/": html(
    "People",
    `<h1>People</h1><label>City <input name="city"></label>
       <ul><li>Anna <button onclick="fetch('/edit?who=anna')">Edit</button></li><li>Bert <button onclick="fetch('/edit?who=bert')">Edit</button></li></ul>
       <button onclick="fetch('/edit?who=saved')">Finish order</button>`,
  ),
  "/edit": (request) => {
    edits.push(new URL(request.url).searchParams.get("who") ?? "");
    return new Response("");
  },
});

const cairn = await cairnOfTests();

beforeAll(async () => {
  await cairn.call("start_browser_session", { room_name: "wire", initial_url: site.url("/") });
});

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** A simulated person who takes part in a dialogue over a WebSocket. */
class Person {
  readonly messages: Message[] = [];
  readonly #socket: WebSocket;
  #wake = (): void => undefined;

  constructor(id: string, query = "") {
    this.#socket = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/dialogues/${id}${query}`);
    this.#socket.onmessage = ({ data: text }) => {
      this.messages.push(JSON.parse(text));
      this.#wake();
    };
  }

  /** Resolves with the first message that matches. The message may have arrived before the call. */
  async message(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  of(type: string): Promise<Message> {
    return this.message((message) => message.type === type);
  }

  say(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.close();
  }
}

async function start(task: string, more: object = { room_name: "wire" }): Promise<string> {
  edits = [];
  const { status, body } = await cairn.post("/api/dialogues", { task, ...more });
  expect([status, body.status]).toEqual([200, "planning"]);
  return body.dialogue_id;
}

const confidence = {
  overall: expect.any(Number),
  breakdown: {
    intentClarity: expect.any(Number),
    targetMatch: expect.any(Number),
    valueConfidence: expect.any(Number),
  },
};

test("a dialogue over a WebSocket plans a clear task, runs it after approval, and refuses a late answer", async () => {
  const id = await start('Type "Vienna" into City and click "Finish order"');
  const person = new Person(id, "?since=0");
  const ready = await person.of("planReady");
  const envelope = { dialogue_id: id, seq: expect.any(Number), timestamp: expect.any(Number) };
  expect(ready).toMatchObject({ ...envelope, confidence, requiresApproval: true });
  expect(await person.of("confidenceReport")).toMatchObject({
    ...envelope,
    ...confidence,
    recommendation: "proceed",
  });
  expect(await person.of("stateChanged")).toMatchObject({
    ...envelope,
    state: "planning",
    inputEnabled: false,
    planVersion: 0,
  });
  person.say({ action: "approvePlan", planVersion: 1, id: "yes-1" });
  expect(await person.of("accepted")).toMatchObject({ id: "yes-1", status: "executing" });
  expect(await person.of("stepStarted")).toMatchObject({
    stepIndex: 0,
    step: { action: "input", value: "Vienna" },
  });
  expect(await person.of("stepCompleted")).toMatchObject({
    stepIndex: 0,
    outcome: "done",
    evidence: { value: "Vienna" },
  });
  expect(await person.of("taskCompleted")).toMatchObject({ completedSteps: [0, 1], failedSteps: [] });
  expect(edits).toEqual(["saved"]);
  // A client may send the same answer twice with one id, and Cairn accepts both. The second answer here has
  // a new id. It is refused, because the first answer has already approved the plan.
  person.say({ action: "approvePlan", planVersion: 1, id: "yes-1" });
  person.say({ action: "approvePlan", planVersion: 1, id: "yes-2" });
  const refused = await person.message(({ type, id: one }) => type === "refused" && one === "yes-2");
  expect(refused).toMatchObject({
    error: {
      code: "dialogue.already_decided",
      details: { state: "completed", planVersion: 1, decided: { action: "approvePlan" } },
    },
  });
  person.say({ action: "dance", id: "x" });
  expect(await person.message(({ id: one }) => one === "x")).toMatchObject({
    type: "refused",
    error: { code: "request.invalid" },
  });
  const stored = (await cairn.get(`/api/dialogues/${id}/messages`)).body.messages as Message[];
  const again = new Person(id, `?since=${stored.length - 2}`);
  await again.of("taskCompleted");
  expect(again.messages.map(({ seq }) => seq).slice(1)).toEqual([stored.length - 1, stored.length]);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1));
  const { body: view } = await cairn.get(`/api/dialogues/${id}`);
  expect(view).toMatchObject({
    status: "completed",
    tabId: expect.any(Number),
    conversationHistory: expect.arrayContaining([
      { role: "user", content: "approvePlan", timestamp: expect.any(Number), messageType: "approvePlan" },
    ]),
    executionState: {
      completedSteps: [0, 1],
      checkpoint: { beforeStepIndex: 1, pageState: { url: site.url("/") }, timestamp: expect.any(Number) },
    },
  });
  person.close();
  again.close();
});

test.if(isFull)(
  "a dialogue about an ambiguous task asks a question with options, and also accepts free text",
  async () => {
    const id = await start("Click Edit");
    const person = new Person(id, "?since=0");
    const asked = await person.of("clarifyWithOptions");
    expect(asked).toMatchObject({
      question: expect.any(String),
      options: [
        { id: expect.any(String), text: expect.stringContaining("Anna"), confidence: expect.any(Number) },
        { id: expect.any(String), text: expect.stringContaining("Bert"), confidence: expect.any(Number) },
      ],
      allowFreeform: true,
      round: 1,
      maxRounds: 3,
    });
    person.say({ action: "submitClarification", selectedOptionId: "99999", id: "wrong" });
    expect(await person.message(({ id: one }) => one === "wrong")).toMatchObject({ type: "refused" });
    person.say({ action: "submitClarification", answer: "Edit for Bert" });
    const ready = await person.of("planReady");
    expect(ready.plan).toMatchObject({ version: 2, steps: [{ target: { name: "Edit" } }] });
    person.say({ action: "approvePlan", planVersion: 2 });
    await person.of("taskCompleted");
    expect(edits).toEqual(["bert"]);
    person.close();
  },
);

test.if(isFull)(
  "a dialogue reports a step that fails, and skipping that step marks the steps that depend on it",
  async () => {
    const id = await start('Type "Graz" into City and click "Finish order"');
    const person = new Person(id, "?since=0");
    await person.of("planReady");
    person.say({
      action: "editStep",
      planVersion: 1,
      stepIndex: 0,
      step: { target: { role: "textbox", name: "Passport number" } },
    });
    await person.message(
      ({ type, plan }) => type === "planReady" && (plan as { version: number }).version === 2,
    );
    person.say({ action: "approvePlan", planVersion: 2 });
    const failed = await person.of("midExecDialog");
    expect(failed).toMatchObject({
      failedStep: {
        stepIndex: 0,
        action: "input",
        targetDescription: 'textbox "Passport number"',
        error: expect.any(String),
      },
      analysis: {
        cause: expect.any(String),
        suggestion: expect.any(String),
        canRetry: true,
        canSkip: true,
        canReplan: true,
        retryStrategy: null,
        suggestedTargetId: null,
        recommendedAction: "replan",
      },
      options: ["replan", "retry", "skip", "abort"],
      suggestedAction: "replan",
    });
    person.say({ action: "midExecDecision", decision: "skip" });
    await person.of("taskCompleted");
    const { body } = await cairn.get(`/api/dialogues/${id}`);
    expect(body.executionState).toMatchObject({ skippedSteps: [0], flaggedSteps: [1], completedSteps: [1] });
    person.close();
  },
);

test("a person's answer without a value, and an edit of a step with an unknown field, are refused, and the error names the field", async () => {
  const id = await start("Click Edit");
  const person = new Person(id, "?since=0");
  await person.of("clarifyWithOptions");
  const refused = async (message: object) => {
    const { status, body } = await cairn.post(`/api/dialogues/${id}/messages`, { message });
    return [status, body.error.code, body.error.message];
  };
  const invalid = (text: string) => [422, "request.invalid", expect.stringContaining(text)];
  expect(await refused({ action: "submitClarification" })).toEqual(invalid("message.answer"));
  const edit = { action: "editStep", planVersion: 1, stepIndex: 0 };
  for (const [step, text] of [
    [{ text: "x" }, 'Unrecognized key: "text"'],
    [{ description: "Click another" }, 'Unrecognized key: "description"'],
    [{ action: "evil" }, "message.step.action"],
    [{ targetId: 3 }, "message.step.target"],
    [{}, "name at least one of"],
  ] as const)
    expect(await refused({ ...edit, step })).toEqual(invalid(text));
  person.say({ action: "cancel" });
  await person.of("accepted");
  person.close();
});

test("a plan for a task can be requested with its confidence, and refined, without executing anything", async () => {
  const task = "Click Edit for Anna";
  const { status, body } = await cairn.post("/api/plan-with-confidence", { task, room_name: "wire" });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    plan: { steps: [{ action: "click", target: { name: "Edit" } }] },
    confidence,
    recommendation: expect.stringMatching(/^(proceed|assume_announce)$/),
    assumptions: expect.any(Array),
    questions: [],
  });
  const gap = { ...body.plan, steps: [] };
  const refined = await cairn.post("/api/refine-plan", { task, plan: gap, room_name: "wire" });
  expect(refined.status).toBe(200);
  expect(refined.body).toMatchObject({
    plan: { steps: [{ action: "click" }] },
    iterations: [
      { score: expect.any(Number), issues: expect.any(Array), improvements: [expect.any(String)] },
    ],
    score: expect.any(Number),
  });
  const url = await cairn.post("/api/plan-with-confidence", { task, url: site.url("/") });
  expect(url.body.plan.steps).toHaveLength(1);
  const elements = [{ tagName: "button", textContent: "Save" }];
  const given = await cairn.post("/api/plan-with-confidence", { task: "Click Save", elements });
  expect(given.body.confidence.overall).toBe(1);
  const secret = await cairn.post("/api/plan-with-confidence", {
    task: "Sign in as ada with password hunter2",
    room_name: "wire",
  });
  expect([secret.status, secret.body.error.code]).toEqual([422, "dialogue.secret_in_chat"]);
});

test("a dialogue refuses a message that is too large for a WebSocket, and the socket stays open", async () => {
  const person = new Person(crypto.randomUUID());
  await person.of("hello");
  person.say({ action: "startTask", id: "large", task: "x".repeat(70_000) });
  expect(await person.of("refused")).toMatchObject({
    id: "large",
    error: { code: "socket.message_too_large", details: { max_bytes: 65_536 } },
  });
  person.say({ type: "ping" });
  await person.of("heartbeat");
  person.close();
});

test.each([
  ["start_dialogue", { url: "/" }],
  ["plan_with_confidence", { elements: [{ name: "Orders", tagName: "a", type: "link" }] }],
])("%s refuses a map that does not exist, and names it", async (tool, place) => {
  const given = { task: "Open the orders", ...place, ...("url" in place ? { url: site.url("/") } : {}) };
  const { status, body } = await cairn.call(tool, { ...given, knowledge_id: "no-such-map" });
  expect([status, body.error]).toEqual([
    404,
    expect.objectContaining({
      code: "knowledge.not_found",
      message: expect.stringContaining("no-such-map"),
    }),
  ]);
});

async function clientWith(answers: ((message: string) => object) | undefined): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answers ? { elicitation: {} } : {} },
  );
  if (answers)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: "accept" as const,
      content: answers(params.message) as Record<string, string>,
    }));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${cairn.url}/mcp`)));
  return client;
}

async function called(client: Client, name: string, args: object): Promise<Readonly<Record<string, never>>> {
  const { content } = await client.callTool({ name, arguments: { ...args } });
  return JSON.parse((content as { text: string }[])[0]?.text ?? "null");
}

test("a dialogue asks by a form if the MCP client supports forms, and otherwise in the tool's result", async () => {
  const asked: string[] = [];
  const eliciting = await clientWith((message) => {
    asked.push(message);
    return message.startsWith("Carry out") ? { approve: true } : { answer: "Edit for Anna" };
  });
  const dialogue_id = await start("Click Edit");
  expect(await called(eliciting, "wait_for_dialogue", { dialogue_id })).toMatchObject({
    status: "completed",
  });
  expect(asked).toEqual([
    expect.stringContaining("is meant"),
    expect.stringContaining("Carry out this plan?"),
  ]);
  expect(edits).toEqual(["anna"]);
  await eliciting.close();

  const plain = await clientWith(undefined);
  const other = { dialogue_id: await start("Click Edit") };
  const waiting = await called(plain, "wait_for_dialogue", other);
  expect(waiting).toMatchObject({ status: "clarifying" });
  const answer = (message: object) => called(plain, "answer_dialogue", { ...other, message });
  await answer({ action: "submitClarification", answer: "Edit for Bert" });
  expect(await called(plain, "wait_for_dialogue", other)).toMatchObject({ status: "awaiting_approval" });
  await answer({ action: "approvePlan", planVersion: 2 });
  expect(await called(plain, "wait_for_dialogue", other)).toMatchObject({ status: "completed" });
  expect(edits).toEqual(["bert"]);
  await plain.close();
});
