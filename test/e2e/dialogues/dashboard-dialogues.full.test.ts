/**
 * Tests dialogues on four third-party dashboards with their own servers. Each outcome of a dialogue is
 * confirmed by what the server has stored.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  type RunningForeignApp,
  startForeignApp,
} from "../../bench/support/third-party-apps-from-packages.ts";
import { Cairn, dataFolder, freePort } from "../support/cairn-test-process.ts";
import { type Dashboard, dashboards } from "../support/third-party-dashboards.ts";

const TIMEOUT = 120_000;
setDefaultTimeout(TIMEOUT);
/** The first run installs the dashboards from npm and PyPI. */
const INSTALL_TIMEOUT = 1_800_000;
/** Milliseconds after the announcement of a plan at which its countdown has certainly ended. */
const AFTER_COUNTDOWN = 4_000;

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let known: ReturnType<typeof dashboards>;
const running = new Map<Dashboard, RunningForeignApp>();

beforeAll(async () => {
  data = await dataFolder();
  known = dashboards(data.path);
  for (const one of Object.values(known)) running.set(one, await startForeignApp(one, await freePort()));
  cairn = await Cairn.start({ data: `${data.path}/cairn` });
}, INSTALL_TIMEOUT);

afterAll(async () => {
  await cairn?.stop();
  for (const app of running.values()) app.stop();
  await data?.remove();
});

const get = async (id: string) => (await cairn.get(`/api/dialogues/${id}`)).body;

/** A dialogue about a task on the page of a dashboard. */
class OnDashboard {
  readonly #dashboard: Dashboard;
  readonly #origin: string;
  #id = "";
  /** Names of the objects that the server had stored before the task. */
  #before: readonly string[] = [];

  constructor(dashboard: Dashboard) {
    this.#dashboard = dashboard;
    this.#origin = running.get(dashboard)?.origin ?? "";
  }

  /** Starts a session, opens the page and its form, and starts a dialogue about the task. */
  async begin(task: string, state: string, more: object = {}) {
    const { name, page, opens } = this.#dashboard;
    const room_name = name.replaceAll(/\W+/g, "-");
    const url = this.#origin + page;
    await cairn.call("start_browser_session", { room_name, initial_url: url });
    await cairn.call("execute_action", { room_name, action_type: "navigate", params: { url } });
    for (const button of opens) {
      const params = { role: "button", name: button };
      const { body } = await cairn.call("execute_action", { room_name, action_type: "click", params });
      expect([button, body.success, body.error]).toEqual([button, true, null]);
    }
    this.#before = await this.#dashboard.stored(this.#origin);
    const { body } = await cairn.post("/api/dialogues", { task, room_name, ...more });
    this.#id = body.dialogue_id;
    return await this.until(state);
  }

  async say(message: object, state: string) {
    const { status, body } = await cairn.post(`/api/dialogues/${this.#id}/messages`, { message });
    expect([message, status, body]).toEqual([message, 200, expect.anything()]);
    return await this.until(state);
  }

  async approve(state = "completed") {
    const { currentPlan } = await get(this.#id);
    return await this.say({ action: "approvePlan", planVersion: currentPlan.version }, state);
  }

  /**
   * Replaces the target of a step by an element that the page does not have, and executes the plan until this
   * step fails.
   */
  async fail(stepIndex: number, target: { readonly role: string; readonly name: string }) {
    const { currentPlan } = await get(this.#id);
    const edit = { action: "editStep", planVersion: currentPlan.version, stepIndex, step: { target } };
    await this.say(edit, "awaiting_approval");
    const view = await this.approve("mid_exec_dialog");
    expect(view.failure).toMatchObject({ stepIndex, code: "element_not_found", mayHaveHappened: false });
    return view;
  }

  async until(state: string) {
    const deadline = Date.now() + TIMEOUT / 3;
    for (;;) {
      const view = await get(this.#id);
      if (view.status === state) return view;
      if (Date.now() > deadline) throw new Error(`${state} was not reached: ${JSON.stringify(view)}`);
      await Bun.sleep(50);
    }
  }

  /**
   * Waits until the server has stored the given objects in addition to the earlier ones. Fails if it has
   * stored anything else.
   */
  async expectStored(...added: readonly string[]): Promise<void> {
    const expected = [...this.#before, ...added].sort();
    const deadline = Date.now() + TIMEOUT / 6;
    let now = await this.#stored();
    while (now.length < expected.length && Date.now() < deadline) {
      await Bun.sleep(100);
      now = await this.#stored();
    }
    expect(now).toEqual(expected);
  }

  async #stored(): Promise<readonly string[]> {
    return [...(await this.#dashboard.stored(this.#origin))].sort();
  }
}

const on = (name: keyof ReturnType<typeof dashboards>) => new OnDashboard(known[name]);
const insert = (name: string) => `Type "${name}" into the name there and click the Insert button for it`;
const CONFIRM = 'Click "Confirm changes to this tiddler"';

describe("a dialogue on a third-party dashboard", () => {
  test.each([
    ["cities", 'Type "Vienna" into name and click the Insert button', "Vienna, "],
    ["studies", 'Type "alpha" into Study name and click Create', "alpha"],
    ["notes", CONFIRM, "New Tiddler"],
    ["files", 'Type "docs" into New directory and click OK', "docs"],
  ] as const)(
    "runs the plan of a clear task after its approval, on the dashboard of %s",
    async (name, task, added) => {
      const dialogue = on(name);
      // With `auto_recover`, a failed step is repeated. It is needed here, because the button of a form may still
      // be disabled for a moment after its fields are filled.
      const { currentPlan } = await dialogue.begin(task, "awaiting_approval", { auto_recover: true });
      expect(currentPlan.confidence.overall).toBeGreaterThanOrEqual(0.9);
      await dialogue.expectStored();
      await dialogue.approve();
      await dialogue.expectStored(added);
    },
  );

  test.each([
    ["cities", insert("Linz"), "Linz, "],
    ["studies", 'Type "beta" into that title and click Create', "beta"],
  ] as const)(
    "runs an announced plan after three seconds, on the dashboard of %s",
    async (name, task, added) => {
      const dialogue = on(name);
      await dialogue.begin(task, "assume_announce");
      await dialogue.expectStored();
      await dialogue.until("completed");
      await dialogue.expectStored(added);
    },
  );

  test("runs the corrected plan if the person corrects an assumption before the plan starts", async () => {
    const dialogue = on("cities");
    const { dialogueState } = await dialogue.begin(insert("Austria"), "assume_announce");
    const [{ field }] = dialogueState.assumptions;
    await dialogue.say({ action: "correctAssumption", field, newValue: "country" }, "awaiting_approval");
    await dialogue.approve();
    await dialogue.expectStored(", Austria");
  });

  test.each([
    ["cities", insert("Wels")],
    ["studies", 'Type "gamma" into that title and click Create'],
  ] as const)(
    "does nothing if an announced plan is cancelled, on the dashboard of %s",
    async (name, task) => {
      const dialogue = on(name);
      await dialogue.begin(task, "assume_announce");
      await dialogue.say({ action: "cancel" }, "idle");
      await Bun.sleep(AFTER_COUNTDOWN);
      await dialogue.until("idle");
      await dialogue.expectStored();
    },
  );

  test("asks with options about a vague task, and accepts free text in place of an option", async () => {
    const dialogue = on("cities");
    const view = await dialogue.begin('Type "Wels" into name and open the table', "clarifying");
    const [question] = view.dialogueState.pendingQuestions;
    expect(question.options.length).toBeGreaterThanOrEqual(2);
    const answer = { action: "submitClarification", questionId: question.id, answer: "the Insert button" };
    await dialogue.say(answer, "awaiting_approval");
    await dialogue.approve();
    await dialogue.expectStored("Wels, ");
  });

  test("retries a failed step with a similar element", async () => {
    const dialogue = on("studies");
    await dialogue.begin('Type "delta" into Study name and click Create', "awaiting_approval");
    const { failure } = await dialogue.fail(1, { role: "button", name: "Create study" });
    expect(failure).toMatchObject({ recommendedAction: "retry", suggestedTargetId: expect.any(Number) });
    await dialogue.say({ action: "midExecDecision", decision: "retry" }, "completed");
    await dialogue.expectStored("delta");
  });

  test("skips a failed step and runs the other steps", async () => {
    const dialogue = on("cities");
    const task = 'Type "Steyr" into name, type "Austria" into country and click the Insert button';
    await dialogue.begin(task, "awaiting_approval");
    await dialogue.fail(1, { role: "textbox", name: "Region" });
    await dialogue.say({ action: "midExecDecision", decision: "skip" }, "completed");
    await dialogue.expectStored("Steyr, ");
  });

  test("plans again after a failed step", async () => {
    const dialogue = on("files");
    await dialogue.begin('Type "plans" into New directory and click OK', "awaiting_approval");
    await dialogue.fail(1, { role: "button", name: "Proceed" });
    await dialogue.say({ action: "midExecDecision", decision: "replan" }, "awaiting_approval");
    await dialogue.approve();
    await dialogue.expectStored("plans");
  });

  test("does nothing more after a failed step is aborted", async () => {
    const dialogue = on("files");
    await dialogue.begin('Type "never" into New directory and click OK', "awaiting_approval");
    await dialogue.fail(1, { role: "button", name: "Proceed" });
    await dialogue.say({ action: "midExecDecision", decision: "abort" }, "idle");
    await dialogue.expectStored();
  });
});
