/**
 * Races of two answers to one dialogue. Two persons send their answers at the same time, one over REST and
 * one over a WebSocket. Each race is checked against the state of the dialogue and of the server.
 */
import { expect } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import type { Cairn } from "../support/cairn-test-process.ts";

type Message = Readonly<Record<string, unknown>> & { readonly action: string };

interface Verdict {
  readonly message: Message;
  readonly accepted: boolean;
  readonly status: string | undefined;
  readonly code: string | undefined;
  readonly details: { readonly state?: unknown; readonly decided?: unknown } | undefined;
}

/** Time limit for a dialogue to reach a state, in milliseconds. */
const REACH_WITHIN = 30_000;
const TASK = {
  clarifying: "Click Edit",
  assume_announce: "Click that order",
  awaiting_approval: 'Click "Finish order"',
  mid_exec_dialog: 'Click "Finish order"',
} as const;
export type RacedState = keyof typeof TASK;
export const RACED_STATES = Object.keys(TASK) as readonly RacedState[];

/**
 * Returns pairs of answers to a dialogue that two persons send at the same time. The answers of the first
 * pair are of the same kind, those of the second pair of different kinds.
 */
function pairsOf(
  state: RacedState,
  version: number,
  field: string,
): readonly (readonly [Message, Message])[] {
  // The cancellation names the version of the plan that it cancels. It may arrive after the other answer of the race,
  // from which the dialogue has made a new plan. Without the version, it would cancel the new plan.
  const cancel = { action: "cancel", planVersion: version };
  switch (state) {
    case "clarifying": {
      const answer = (words: string) => ({ action: "submitClarification", answer: words });
      return [
        [answer("Edit for Anna"), answer("Edit for Bert")],
        [answer("Edit for Anna"), cancel],
      ];
    }
    case "assume_announce": {
      const correct = (newValue: string) => ({ action: "correctAssumption", field, newValue });
      return [
        [correct("Save"), correct("Edit for Bert")],
        [correct("Save"), cancel],
      ];
    }
    case "awaiting_approval": {
      const approve = { action: "approvePlan", planVersion: version };
      const step = { target: { role: "button", name: "Store it" } };
      return [
        [approve, approve],
        [approve, { action: "rejectPlan", planVersion: version }],
        [approve, { action: "editStep", planVersion: version, stepIndex: 0, step }],
      ];
    }
    case "mid_exec_dialog": {
      const decide = (decision: string) => ({ action: "midExecDecision", decision });
      return [
        [decide("retry"), decide("skip")],
        [decide("replan"), decide("abort")],
      ];
    }
  }
}

/**
 * A dialogue on two nodes: REST requests go to one node, and the WebSocket is connected to the other node.
 */
export class Raced {
  readonly #rest: Cairn;
  readonly #socketNode: Cairn;
  readonly #room: string;
  #site: ScriptedSite | undefined;
  /** The clicks that the server has received: the name of the page's button for each. */
  #clicks: string[] = [];
  #dialogue = "";
  #socket: WebSocket | undefined;
  readonly #answers = new Map<string, (answer: Readonly<Record<string, unknown>>) => void>();

  constructor(rest: Cairn, socketNode: Cairn, room: string) {
    this.#rest = rest;
    this.#socketNode = socketNode;
    this.#room = room;
  }

  async open(): Promise<void> {
    const button = (name: string, click: string) =>
      `<button onclick="clicks.textContent = Number(clicks.textContent) + 1; fetch('/click?button=${click}')">${name}</button>`;
    this.#site = serveSite({
      "/": html(
        "Orders",
        `<h1>Orders</h1><p id="clicks">0</p><ul><li>Anna ${button("Edit", "anna")}</li><li>Bert ${button("Edit", "bert")}</li></ul>
         ${button("Finish order", "order")} ${button("Save", "save")}`,
      ),
      "/click": (request) => {
        this.#clicks.push(new URL(request.url).searchParams.get("button") ?? "");
        return new Response("");
      },
    });
    const started = await this.#rest.call("start_browser_session", {
      room_name: this.#room,
      initial_url: this.#site.url("/"),
    });
    expect(started.status).toBe(200);
  }

  async close(): Promise<void> {
    this.#socket?.close();
    await this.#site?.stop();
  }

  /**
   * Sends two answers to a dialogue in the given state at the same time. Checks that the dialogue accepts one
   * answer and refuses the other.
   */
  async race(state: RacedState, number: number): Promise<void> {
    await this.#reach(state);
    const view = await this.#view();
    const [assumption] = view.dialogueState.assumptions;
    const pairs = pairsOf(state, view.currentPlan.version, assumption?.field ?? "");
    const pair = pairs[number % pairs.length] ?? pairs[0];
    if (!pair) throw new Error(`no answers for ${state}`);
    // In every second pair of races, the two answers are exchanged. So each answer is sent over REST in half
    // of the races and over the WebSocket in the other half.
    const [byRest, bySocket] = number % 4 < 2 ? pair : ([pair[1], pair[0]] as const);
    const verdicts = await Promise.all([this.#sendByRest(byRest), this.#sendBySocket(bySocket, number)]);
    const won = verdicts.filter(({ accepted }) => accepted);
    const lost = verdicts.filter(({ accepted }) => !accepted);
    const race = `race ${number} in ${state}: ${JSON.stringify(verdicts)}`;
    expect([race, won.length, lost.map(({ code }) => code)]).toEqual([race, 1, ["dialogue.already_decided"]]);
    const [{ message: winner } = { message: { action: "none" } }] = won;
    expect([race, lost[0]?.details?.decided]).toEqual([race, expect.objectContaining(winner)]);
    await this.#checkOutcome(state, winner, race);
  }

  /**
   * Brings the dialogue to its end after a race between two answers. Checks that only the winning answer had
   * an effect.
   */
  async #checkOutcome(state: RacedState, { action, ...winner }: Message, race: string): Promise<void> {
    if (state === "awaiting_approval") {
      const after = await this.#until(
        action === "approvePlan" ? "completed" : action === "rejectPlan" ? "idle" : state,
      );
      const expected = action === "approvePlan" ? ["order"] : [];
      expect([race, this.#clicks, after.currentPlan.steps[0].description]).toEqual([
        race,
        expected,
        action === "editStep" ? 'Click "Store it"' : expect.not.stringMatching("Store it"),
      ]);
    } else if (state === "mid_exec_dialog") {
      const next = {
        retry: "mid_exec_dialog",
        skip: "completed",
        replan: "awaiting_approval",
        abort: "idle",
      };
      const decision = String(winner.decision) as keyof typeof next;
      const after = await this.#until(next[decision]);
      expect([race, after.executionState.failedSteps.length, this.#clicks]).toEqual([
        race,
        decision === "retry" ? 2 : decision === "replan" ? expect.any(Number) : 1,
        [],
      ]);
    } else if (action === "cancel") {
      await this.#until("idle");
      expect([race, this.#clicks]).toEqual([race, []]);
    } else {
      const words = String(winner.answer ?? winner.newValue);
      const { currentPlan } = await this.#until("awaiting_approval");
      const [step] = currentPlan.steps;
      const bert = words.includes("Bert") ? "Bert" : "Anna";
      const target = words === "Save" ? { name: "Save" } : { around: expect.stringContaining(bert) };
      expect([race, step.target]).toEqual([race, expect.objectContaining(target)]);
    }
  }

  /** Brings the dialogue from its current state into the given state, in which it waits for an answer. */
  async #reach(state: RacedState): Promise<void> {
    await this.#end();
    this.#clicks = [];
    const task = TASK[state];
    if (this.#dialogue === "") {
      const { status, body } = await this.#rest.post("/api/dialogues", { task, room_name: this.#room });
      expect(status).toBe(200);
      this.#dialogue = body.dialogue_id;
      await this.#connect();
    } else await this.#say({ action: "startTask", task });
    if (state !== "mid_exec_dialog") {
      await this.#until(state);
      return;
    }
    const { currentPlan } = await this.#until("awaiting_approval");
    const step = { target: { role: "button", name: "Nowhere" } };
    await this.#say({ action: "editStep", planVersion: currentPlan.version, stepIndex: 0, step });
    await this.#say({ action: "approvePlan", planVersion: currentPlan.version + 1 });
    await this.#until(state);
  }

  /** Ends the task that the previous race has left in the dialogue. */
  async #end(): Promise<void> {
    if (this.#dialogue === "") return;
    const { status } = await this.#view();
    if (status === "mid_exec_dialog") await this.#say({ action: "midExecDecision", decision: "abort" });
    else if (status !== "idle" && status !== "completed") await this.#say({ action: "cancel" });
  }

  async #say(message: Message): Promise<void> {
    const verdict = await this.#sendByRest(message);
    expect([message, verdict.accepted]).toEqual([message, true]);
  }

  async #view() {
    return (await this.#rest.get(`/api/dialogues/${this.#dialogue}`)).body;
  }

  async #until(state: string) {
    const deadline = Date.now() + REACH_WITHIN;
    for (;;) {
      const view = await this.#view();
      if (view.status === state) return view;
      if (Date.now() > deadline) throw new Error(`${state} was not reached: ${JSON.stringify(view)}`);
      await Bun.sleep(5);
    }
  }

  async #sendByRest(message: Message): Promise<Verdict> {
    const { body } = await this.#rest.post(`/api/dialogues/${this.#dialogue}/messages`, { message });
    return verdictOf(message, body);
  }

  async #sendBySocket(message: Message, number: number): Promise<Verdict> {
    const id = `race-${number}`;
    const answer = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    this.#answers.set(id, answer.resolve);
    this.#socket?.send(JSON.stringify({ ...message, id }));
    const body = await answer.promise;
    this.#answers.delete(id);
    return verdictOf(message, body);
  }

  async #connect(): Promise<void> {
    const origin = this.#socketNode.url.replace("http", "ws");
    const socket = new WebSocket(`${origin}/ws/dialogues/${this.#dialogue}`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      if (answer.type === "accepted" || answer.type === "refused") this.#answers.get(answer.id)?.(answer);
    };
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
  }
}

function verdictOf(message: Message, body: Readonly<Record<string, unknown>>): Verdict {
  // The casts are safe: an answer has either a state or an error, and the test fails on anything else.
  const { status, error } = body as { readonly status?: string; readonly error?: Verdict };
  return {
    message,
    accepted: error === undefined && status !== undefined,
    status,
    code: error?.code,
    details: error?.details,
  };
}
