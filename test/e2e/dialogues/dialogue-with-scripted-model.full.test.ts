/**
 * Tests plans of a scripted model that has the HTTP APIs of OpenAI and Gemini: when Cairn calls the model,
 * what the prompt contains, which answers Cairn uses, and the reported reason when the model was not used.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { dialects, type Scripted, ScriptedModelServer } from "../../actors/models/scripted-model-server.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

const TIMEOUT = 90_000;
setDefaultTimeout(TIMEOUT);

let site: ScriptedSite;
const saved: string[] = [];
const model = new ScriptedModelServer();

beforeAll(() => {
  site = serveSite({
    "/": html(
      "Form",
      `<h1>Address</h1><form action="/save" method="post"><label>City <input name="city"></label><button>Save</button></form>
       <ul><li>Anna <button>Edit</button></li><li>Bert <button>Edit</button></li></ul>`,
    ),
    "/save": async (request) => {
      saved.push(new URLSearchParams(await request.text()).get("city") ?? "");
      return html("Saved", "<p>Saved</p>");
    },
  });
});
afterAll(async () => {
  model.stop();
  await site?.stop();
});

const elements = [
  { tagName: "input", interactionType: "input", labelText: "City", type: "text" },
  { tagName: "button", textContent: "Save" },
  { tagName: "button", textContent: "Delete account" },
];
const step = (action: string, targetId: number | null, value: string | null, description: string) => ({
  action,
  targetId,
  value,
  expectedResult: null,
  description,
  confidence: 1,
});
const planOf = (steps: readonly object[], questions: readonly object[] = []): Scripted => ({
  json: { summary: "Save the city", steps, assumptions: [], questions },
});
const feedback = (score: number): Scripted => ({
  json: { score, issues: ["One."], suggestions: ["Other."] },
});
/** A task with words that the page does not contain, so that Cairn asks the model for the plan. */
const TASK = "Note down that I reside at Vienna";
const CITY = step("input", 0, "Vienna", 'Type "Vienna" into City');
const SAVE = step("click", 1, null, "Click Save");

describe.each([...dialects])("a plan that a language model makes (HTTP API of %s)", (dialect) => {
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;

  beforeAll(async () => {
    data = await dataFolder();
    const env = { ...model.environment(dialect), CAIRN_WORKERS: "1" };
    cairn = await Cairn.start({ data: data.path, env });
  });
  afterAll(async () => {
    await cairn?.stop();
    await data?.remove();
  });

  async function planned(task: string, ...script: Scripted[]) {
    model.reset(...script);
    const { status, body } = await cairn.post("/api/plan-with-confidence", { task, elements });
    expect(status).toBe(200);
    return body;
  }

  test("is not requested if the words of the page suffice", async () => {
    const { plan } = await planned("Click Save", planOf([SAVE]));
    expect([plan.source, model.calls.length]).toEqual(["page", 0]);
  });

  test("is made from a prompt with four parts, then rated and improved by the model until the rating is good", async () => {
    const { plan } = await planned(TASK, planOf([CITY]), feedback(0.5), planOf([CITY, SAVE]), feedback(1));
    expect(plan).toMatchObject({ source: "model", steps: [{ value: "Vienna" }, { targetId: 1 }] });
    expect(plan.fallback).toBeUndefined();
    const [first = "", evaluated, refined] = model.calls.map(({ body }) => body);
    for (const layer of [
      "You plan tasks in a web page",
      "Answers of the person",
      "Examples",
      `Task: ${TASK}`,
    ])
      expect(first).toContain(layer);
    expect(first).toContain("Delete account");
    expect(evaluated).toContain("evaluate a plan");
    expect(refined).toContain("improve a plan");
    expect(model.calls).toHaveLength(4);
  });

  test("has the risk that Cairn computes, and asks about an element that does not exist on the page", async () => {
    const unknown = step("click", 77, null, "Click Archive");
    const risky = step("click", 2, null, "Tidy up");
    const { plan, questions, recommendation } = await planned(
      `${TASK}, and tidy up`,
      planOf([risky, unknown]),
      feedback(1),
    );
    expect(plan.steps).toMatchObject([{ risk: "high", reversible: false }]);
    expect(questions).toMatchObject([{ question: expect.stringContaining("Click Archive") }]);
    expect(recommendation).toBe("ask");
  });

  test("is replaced by a question if it does what the task forbids, or what the task wants only later", async () => {
    const remove = step("click", 2, null, "Tidy up");
    for (const task of [
      `${TASK}, but don't delete the account`,
      `${TASK}, but do not save yet`,
      "Preserve that I reside at Vienna tomorrow",
    ]) {
      const { plan, questions } = await planned(
        task,
        planOf(task.includes("delete") ? [CITY, remove] : [SAVE]),
        feedback(1),
      );
      expect([task, model.calls.length > 0, plan.steps, questions.length]).toEqual([task, true, [], 1]);
    }
  });

  test("is kept if it does nothing that the task forbids", async () => {
    const { plan } = await planned(`${TASK}, but don't delete my account`, planOf([CITY, SAVE]), feedback(1));
    expect(plan).toMatchObject({ source: "model", steps: [{ value: "Vienna" }, { targetId: 1 }] });
  });

  test('has a high risk if the task describes its only click in words of high risk ("pay")', async () => {
    const { plan } = await planned(
      "I reside at Vienna, note it down and pay for it",
      planOf([CITY, SAVE]),
      feedback(1),
    );
    expect(plan).toMatchObject({ source: "model", steps: [{ risk: "low" }, { risk: "high" }] });
  });

  test.each([
    ["an error of the server", [{ status: 400 }]],
    ["an answer that does not fit the schema", [{ json: { steps: "none" } }]],
    ["prose", [{ text: "I would click Save." }]],
  ] as const)("is replaced by the offline plan after %s, with the reason", async (failure, script) => {
    // Each case has a different task, because Cairn caches the answers of a model by the question.
    const { plan, questions } = await planned(`${TASK} (${failure})`, ...script);
    expect(plan.source).toBe("page");
    expect(plan.fallback).toMatch(/^(?:unavailable|out_of_schema): \S/);
    expect(questions).toHaveLength(1);
  });

  test("is improved by the model if the caller sends the plan back with feedback", async () => {
    const { plan } = await planned(`${TASK} only`, planOf([CITY]), feedback(1));
    model.reset(planOf([CITY, SAVE]));
    const { status, body } = await cairn.post("/api/refine-plan", {
      task: `${TASK} only`,
      plan,
      feedback: { issues: ["Nothing is saved."], suggestions: ["Click Save at the end."] },
      elements,
    });
    expect(status).toBe(200);
    expect(body.plan.steps.map(({ targetId }: { targetId: number }) => targetId)).toEqual([0, 1]);
    expect(body.iterations[0].issues).toEqual(["Nothing is saved."]);
    expect(model.calls[0]?.body).toContain("Click Save at the end.");
  });

  test("is made again after the person has answered its question, then executed after approval", async () => {
    saved.length = 0;
    const lineOf = (body: string, name: string) => {
      // The examples in the prompt contain elements with the same names as elements of the current page.
      // The current page follows the last line "Task: Note down", so only the text after that line is
      // searched.
      const lines = body.slice(body.lastIndexOf("Task: Note down"));
      return Number(new RegExp(`\\[(\\d+)[^\\]]*\\]<[^>]*>${name}`).exec(lines)?.[1] ?? -1);
    };
    const question = { question: "Which town is meant?", options: [{ targetId: null, text: "Vienna" }] };
    model.reset();
    model.answerTo = (body) => {
      if (body.includes("evaluate a plan")) return feedback(1);
      if (!body.includes("Which town is meant? Vienna")) return planOf([], [question]);
      const [city, save] = [lineOf(body, "City"), lineOf(body, "Save")];
      return planOf([step("input", city, "Vienna", "Type"), step("click", save, null, "Click Save")]);
    };
    try {
      const { body } = await cairn.post("/api/dialogues", {
        task: "Note down where I reside",
        url: site.url("/"),
      });
      const id: string = body.dialogue_id;
      const until = async (status: string) => {
        for (const deadline = Date.now() + TIMEOUT / 3; ; await Bun.sleep(20)) {
          const { body: view } = await cairn.get(`/api/dialogues/${id}`);
          if (view.status === status) return view;
          if (Date.now() > deadline) throw new Error(`${status} was not reached: ${JSON.stringify(view)}`);
        }
      };
      const answer = (message: object) => cairn.post(`/api/dialogues/${id}/messages`, { message });
      const { dialogueState } = await until("clarifying");
      const [asked] = dialogueState.pendingQuestions;
      expect(asked).toMatchObject({ question: "Which town is meant?", options: [{ text: "Vienna" }] });
      await answer({ action: "submitClarification", selectedOptionId: asked.options[0].id });
      const { currentPlan } = await until("awaiting_approval");
      expect(currentPlan.source).toBe("model");
      await answer({ action: "approvePlan", planVersion: currentPlan.version });
      await until("completed");
      expect(saved).toEqual(["Vienna"]);
    } finally {
      model.answerTo = undefined;
    }
  });
});
