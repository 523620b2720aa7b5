/**
 * Tests filling the gaps (unknown actions and transitions) of a map: the three use cases of the protocol
 * specification, without a model and with a scripted Gemini.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DocumentService } from "../../../actors/knowledge/ingested-document-service.ts";
import { GapService } from "../../../actors/knowledge/map-gap-service.ts";
import { createModels, type Models, noModels } from "../../../actors/models/index.ts";
import { createReader } from "../../../actors/reading/index.ts";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { extrapolationRequestSchema } from "../../../machines/knowledge/gaps/map-gap-schemas.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { ScriptedModelServer } from "../models/scripted-model-server.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

const SITE = "https://app.example.com";
const control = (role: string, name: string, attributes: Record<string, string> = {}) => ({
  role,
  name,
  selector: `[data-name="${name}"]`,
  attributes: { tag: role === "link" ? "a" : "input", ...attributes },
});
const screen = (id: string, name: string, path: string) => ({
  screen_id: id,
  name,
  url: `${SITE}${path}`,
  website_id: "app",
});
const offer = (
  screen_id: string,
  action_type: string,
  name: string,
  attributes: Record<string, string> = {},
) => ({
  screen_id,
  action_id: `${screen_id}.${action_type}_${name.toLowerCase().replace(/\W+/g, "_")}`,
  action_type,
  name,
  target: control(action_type === "click" ? "button" : "textbox", name, attributes),
});
const link = (from: string, to: string, name: string) => ({
  from,
  to,
  action: { action_type: "click", name, target: control("link", name), url: "" },
});

/**
 * A map of a small application without some of its transitions. For example, it has no transition from the
 * start to the sign-in.
 */
const MAP = mapFileSchema.parse({
  format: "cairn-map",
  version: 1,
  websites: [{ website_id: "app", base_url: SITE }],
  screens: [
    screen("home", "Start", "/"),
    screen("login", "Login", "/login"),
    screen("contact", "Contact", "/contact"),
    screen("dashboard", "Dashboard", "/dashboard"),
    screen("reports", "Reports", "/reports"),
    screen("report", "Report", "/reports/latest"),
    screen("help", "Help", "/help"),
  ],
  actions: [
    offer("home", "click", "Login"),
    offer("login", "input", "Username", { name: "user" }),
    offer("contact", "input", "Your email", { name: "mail", type: "email" }),
    offer("contact", "input", "Message", { name: "text" }),
    offer("contact", "submit_form", "Form", { fields: "mail, text", method: "post", action: "/contact" }),
    offer("contact", "click", "Send"),
    offer("report", "click", "Download report"),
    offer("help", "click", "Ask"),
  ],
  transitions: [
    link("dashboard", "reports", "Reports"),
    link("reports", "report", "Latest"),
    link("dashboard", "help", "Help"),
    link("reports", "help", "Help"),
    link("report", "help", "Help"),
    link("login", "help", "Help"),
    { from: "contact", to: "help", action: { action_type: "click", target: null } },
  ],
});

describe("gaps of a map (unknown actions and fields)", () => {
  let town: Town;
  /** Id of the map of the current test. Each test imports its own map. */
  let app = "";
  let maps = 0;
  const model = new ScriptedModelServer();
  const reader = createReader({ userAgent: "Cairn/test", destinations });
  const gemini = createModels(model.settings("gemini"));

  beforeAll(async () => {
    town = await Town.start();
  });
  afterAll(async () => {
    reader.close();
    model.stop();
    await town.stop();
  });
  beforeEach(async () => {
    maps += 1;
    app = `app-${maps}`;
    model.answerTo = undefined;
    await town.cairn.ask("knowledge", app, { type: "IMPORT", part: MAP });
    await until(async () => (await town.mapStatus(app)).state === "idle");
  });

  const fill = (models: Models = createModels(noModels)) =>
    new GapService(town.cairn, town.store, models).fill(
      extrapolationRequestSchema.parse({ knowledge_id: app, website_id: "app" }),
    );
  const ingest = async (name: string, text: string) => {
    const service = new DocumentService(
      town.cairn,
      town.store,
      { loopback: true, allowPrivate: [] },
      reader,
      async () => undefined,
    );
    await service.upload({ knowledge_id: app, name, bytes: new TextEncoder().encode(text) });
  };
  const transition = async (from: string, to: string) =>
    (await town.store.screens.transitionsFrom(app, from)).find(({ out }) => out[1] === to);
  /**
   * Fills the gaps of the map with a scripted Gemini model. The model proposes an action only for the gap
   * between the two given screens. Returns the result, and the text of the question about this gap.
   */
  const fillByGemini = async (from: string, to: string, proposal: unknown) => {
    model.reset();
    const isAbout = (body: string) =>
      new RegExp(`Start screen: [^\\\\]*\\(${from}\\)`).test(body) &&
      new RegExp(`End screen: [^\\\\]*\\(${to}\\)`).test(body);
    model.answerTo = (body) => ({ json: isAbout(body) ? proposal : {} });
    // Each test uses another model name, because Cairn caches a model's answers to the same question.
    const result = await fill(createModels(model.settings("gemini", { strong: `gemini-${app}` })));
    const calls = model.calls.filter(({ body }) => isAbout(body));
    expect(calls).toHaveLength(1);
    expect(calls[0]?.path).toContain(`gemini-${app}:generateContent`);
    const body = JSON.parse(calls[0]?.body ?? "{}");
    expect(body.generationConfig).toMatchObject({
      temperature: 0.3,
      maxOutputTokens: 2_000,
      responseMimeType: "application/json",
    });
    expect(body.systemInstruction.parts[0].text).toStartWith(
      "You are analyzing a website automation workflow.",
    );
    return { result, question: String(body.contents[0].parts[0].text) };
  };
  const travelled = async (from: string, to: string, ok: boolean) => {
    await town.cairn.ask("knowledge", app, { type: "TRAVELLED", outcomes: [{ from, via: to, ok }] });
  };
  const clicks = async (from: string, to: string) =>
    (await town.agent(app, "navigate_to_screen", to, { current_screen_id: from })).actions.map(
      ({ tool_name, parameters }) => [tool_name, parameters.text],
    );
  const video =
    "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nClick Login, then type your name into the Username field.\n";

  test("between two steps of a video are filled with a page load, that is, a transition to the next screen", async () => {
    await ingest("tour.vtt", video);
    const result = await fill();
    expect(result.errors).toEqual([]);
    expect(result.inferred_actions).toMatchObject([
      { action_type: "click", target: "Help", screen_id: "contact" },
      { action_type: "navigate", target: `${SITE}/login`, screen_id: "login" },
      { action_type: "wait", screen_id: "login" },
    ]);
    expect(result.inferred_transitions).toContainEqual({
      from_screen_id: "home",
      to_screen_id: "login",
      trigger_action: 'Click "Login"',
    });
    expect(await transition("home", "login")).toMatchObject({ inferred: true, confidence: 0.8 });
    expect(await clicks("home", "login")).toEqual([["click", "Login"]]);
  });

  test.if(isFull)(
    "that were filled count as confirmed after the inferred transition has worked, and are gaps again after it has failed",
    async () => {
      await ingest("tour.vtt", video);
      await fill();
      await travelled("home", "login", true);
      expect(await transition("home", "login")).toMatchObject({
        inferred: false,
        confidence: 0.95,
        successes: 1,
      });
      await travelled("home", "login", false);
      expect(await transition("home", "login")).toMatchObject({ inferred: false, failures: 1 });
      // This transition had no action before the inference. When its inferred action fails, it has no action
      // again.
      expect(await transition("contact", "help")).toMatchObject({ inferred: true });
      await travelled("contact", "help", false);
      expect(await transition("contact", "help")).toMatchObject({ inferred: false });
      await ingest("tour.vtt", `${video}\n00:00:05.000 --> 00:00:06.000\nClick Ask.\n`);
      await fill();
      await town.store.write([
        {
          op: "relate",
          edge: "transition",
          rows: [
            {
              in: [app, "home"],
              out: [app, "report"],
              knowledge_id: app,
              action: "{}",
              successes: 0,
              failures: 0,
              inferred: true,
              confidence: 0.7,
            },
          ],
        },
      ]);
      await travelled("home", "report", false);
      expect(await transition("home", "report")).toBeUndefined();
    },
  );

  test.if(isFull)(
    "include the fields of a screen's form that the written instructions do not name",
    async () => {
      await ingest(
        "howto.md",
        "# Write to us\n1. Open the Contact page.\n2. Fill in the form.\n3. Click Send.\n",
      );
      const { inferred_actions, confidence_scores } = await fill();
      expect(
        inferred_actions.filter(
          ({ screen_id, action_type }) => screen_id === "contact" && action_type !== "click",
        ),
      ).toMatchObject([
        { action_type: "input", target: "Your email" },
        { action_type: "input", target: "Message" },
      ]);
      expect(Object.values(confidence_scores).every((score) => score > 0.6)).toBe(true);
      const answer = await town.agent(app, "execute_task", "Write to us", {
        parameters: { "your email": "a@b.example", message: "Hello" },
      });
      expect(answer.actions.map(({ tool_name, parameters }) => [tool_name, parameters.text])).toEqual([
        ["navigate", undefined],
        ["input", "a@b.example"],
        ["input", "Hello"],
        ["click", "Send"],
      ]);
      expect(answer.metadata.missing_parameters).toEqual([]);
      // The first call of `fill` has filled all gaps, so a second call stores nothing.
      expect((await fill()).stored).toBe(0);
    },
  );

  test("between two steps of a workflow are filled with a route of known transitions", async () => {
    await ingest("report.md", "# Fetch the report\n1. Go to the Dashboard.\n2. Click **Download report**.\n");
    const { inferred_actions, inferred_transitions } = await fill();
    expect(
      inferred_actions.filter(({ screen_id }) => screen_id !== "contact").map(({ target }) => target),
    ).toEqual(["Reports", "Latest"]);
    expect(inferred_transitions).toContainEqual(
      expect.objectContaining({ from_screen_id: "reports", to_screen_id: "report" }),
    );
  });

  test.if(isFull)(
    "are filled by a model for a recorded video: a click and the page load after it become a transition",
    async () => {
      await ingest("tour.vtt", video);
      const { result, question } = await fillByGemini("home", "login", {
        actions: [
          { action_type: "navigate", target: `${SITE}/login`, description: "Arrive", confidence: 0.9 },
          { action_type: "wait", target: "Login", description: "Wait for the page", confidence: 0.7 },
        ],
        transitions: [{ from_screen_id: "home", to_screen_id: "login", trigger_action: "Click Login" }],
        confidence: 0.9,
        reasoning: "The field Username is on the page Login.",
      });
      expect(question).toContain("Start action name: Login");
      expect(question).toContain("End action name: Username");
      expect(question).toContain("- Action Type: click");
      expect(question).toContain("- Action Type: type");
      expect(result.inferred_actions).toContainEqual({
        action_type: "navigate",
        target: `${SITE}/login`,
        description: "Arrive",
        confidence: 0.9,
        reasoning: "The field Username is on the page Login.",
        screen_id: "home",
      });
      expect(await transition("home", "login")).toMatchObject({
        inferred: true,
        confidence: 0.9,
        reasoning: "The field Username is on the page Login.",
      });
      expect(await clicks("home", "login")).toEqual([["click", "Login"]]);
    },
  );

  test.if(isFull)(
    "of incomplete instructions are filled by a model with the fields of the form",
    async () => {
      await ingest(
        "howto.md",
        "# Write to us\n1. Open the Contact page.\n2. Fill in the form.\n3. Click Send.\n",
      );
      const field = (target: string) => ({
        action_type: "type",
        target,
        confidence: 0.8,
        screen_id: "contact",
      });
      const { question } = await fillByGemini("contact", "contact", {
        actions: [field("Your email"), field("Message")],
        confidence: 0.8,
      });
      expect(question).toContain("Start action target: Fill in the form");
      expect(question).toContain('input "Your email", input "Message"');
      const answer = await town.agent(app, "execute_task", "Write to us", {
        parameters: { message: "Hello" },
      });
      expect(answer.actions.map(({ tool_name, parameters }) => [tool_name, parameters.text])).toEqual([
        ["navigate", undefined],
        ["input", undefined],
        ["input", "Hello"],
        ["click", "Send"],
      ]);
      expect(answer.metadata.missing_parameters).toEqual(["your_email"]);
    },
  );

  test("between two steps of a workflow are filled with the clicks that a model proposes", async () => {
    await ingest("report.md", "# Fetch the report\n1. Go to the Dashboard.\n2. Click **Download report**.\n");
    const { result, question } = await fillByGemini("dashboard", "report", {
      actions: [
        { action_type: "click", target: "Reports", confidence: 0.9, screen_id: "dashboard" },
        { action_type: "click", target: "Latest", confidence: 0.9, screen_id: "reports" },
      ],
      transitions: [
        { from_screen_id: "dashboard", to_screen_id: "reports", trigger_action: "Click Reports" },
        { from_screen_id: "reports", to_screen_id: "report", trigger_action: "Click Latest" },
      ],
    });
    expect(question).toContain('Known way: click "Reports", click "Latest"');
    expect(result.inferred_transitions).toHaveLength(2 + 1);
    // The answer of the model states no confidence for the sequence of steps, so the default 0.7 is used.
    expect(Object.values(result.confidence_scores)).toContain(0.7);
    const { actions } = await town.agent(app, "execute_task", "Fetch the report");
    expect(actions.map(({ tool_name, parameters }) => [tool_name, parameters.text])).toEqual([
      ["navigate", undefined],
      ["click", "Reports"],
      ["click", "Latest"],
      ["click", "Download report"],
    ]);
  });

  test.if(isFull)("are described to a model with at most ten names of screens", async () => {
    const screens = Array.from({ length: 20 }, (_, at) =>
      screen(`extra-${at}`, `Extra ${at}`, `/extra/${at}`),
    );
    const part = mapFileSchema.parse({ format: "cairn-map", version: 1, screens });
    await town.cairn.ask("knowledge", app, { type: "IMPORT", part });
    await until(async () => (await town.mapStatus(app)).state === "idle");
    const { question } = await fillByGemini("contact", "help", {});
    const [, names = ""] = /Available screens: (.*)/.exec(question) ?? [];
    expect(names.split(", ")).toHaveLength(10);
  });

  test("are described to a model as specified, and the model's answer is checked against the map", async () => {
    const proposal = {
      actions: [
        {
          action_type: "click",
          target: "Help",
          description: "Open the help",
          confidence: 0.9,
          reasoning: "In the menu",
          screen_id: "contact",
        },
      ],
      transitions: [{ from_screen_id: "contact", to_screen_id: "help", trigger_action: "Click Help" }],
    };
    model.reset({ text: `Here you are:\n\`\`\`json\n${JSON.stringify(proposal)}\n\`\`\`\n` });
    const result = await fill(gemini);
    expect(result).toMatchObject({
      gaps_filled: 1,
      stored: 1,
      errors: [],
      inferred_transitions: proposal.transitions,
    });
    expect(result.confidence_scores).toEqual({ "contact.submit_form_form": 0.7 });
    expect(await transition("contact", "help")).toMatchObject({ inferred: true, confidence: 0.7 });
    const body = JSON.parse(model.calls[0]?.body ?? "{}");
    expect(body.generationConfig).toMatchObject({ temperature: 0.3, maxOutputTokens: 2_000 });
    const [{ text }] = body.contents[0].parts;
    expect(text).toContain("KNOWN START ACTION");
    expect(text).toContain("Limit to maximum 5 intermediate actions");
    const [, names = ""] = /Available screens: (.*)/.exec(text) ?? [];
    expect(names.split(", ").length).toBeLessThanOrEqual(10);
  });

  test.if(isFull).each([
    ["text without JSON", { text: "I think you click on it." }, /did not fit the schema/],
    ["JSON that is cut off", { text: '{"actions": [{"action_type": "click", ' }, /did not fit the schema/],
    [
      "a transition to a screen that the map does not contain",
      {
        json: {
          actions: [{ action_type: "click", target: "Help" }],
          transitions: [{ from_screen_id: "contact", to_screen_id: "moon" }],
        },
      },
      /no screen moon/,
    ],
    [
      "an address that the map does not contain",
      { json: { actions: [{ action_type: "navigate", target: "https://moon.example/" }] } },
      /not on the map/,
    ],
    ["no action", { json: { actions: [] } }, /proposes no action/],
    [
      "a screen that the map does not contain",
      { json: { actions: [{ action_type: "click", target: "Help", screen_id: "moon" }] } },
      /no screen moon/,
    ],
    [
      "an element that the map does not contain",
      { json: { actions: [{ action_type: "click", target: "Teleport" }] } },
      /no element "Teleport"/,
    ],
    ["an error", { status: 400 }, /scripted/],
    ["the error of an overloaded server", { status: 503, retryAfter: 0.01 }, /scripted/],
  ] as const)(
    "keep the proposal that was made without the model, and report an error, if the model returns %s",
    async (_name, answer, message) => {
      model.reset(answer as Parameters<typeof model.reset>[0]);
      const { errors, gaps_filled, inferred_actions } = await fill(
        createModels(model.settings("gemini", { strong: `gemini-${app}` })),
      );
      expect(errors).toHaveLength(1);
      expect(errors[0]).toStartWith("Gap contact.submit_form_form -> help.click_ask: ");
      expect(errors[0]).toMatch(message);
      expect([gaps_filled, inferred_actions[0]?.target]).toEqual([1, "Help"]);
    },
  );

  test("are filled by the map itself if it suggests another action with a higher confidence than the model", async () => {
    model.reset({
      json: { actions: [{ action_type: "click", target: "Send", confidence: 0.7 }], confidence: 0.7 },
    });
    const { inferred_actions } = await fill(createModels(model.settings("gemini", { strong: "low" })));
    expect(inferred_actions).toMatchObject([{ target: "Help", confidence: 0.92 }]);
  });

  test("are stored as filled only if the confidence is above 0.6", async () => {
    model.reset({
      json: { actions: [{ action_type: "click", target: "Help", confidence: 0.6 }], confidence: 0.6 },
    });
    const { stored, gaps_filled } = await fill(createModels(model.settings("gemini", { strong: "low" })));
    expect([gaps_filled, stored]).toEqual([1, 0]);
    expect(await transition("contact", "help")).toMatchObject({ inferred: false });
  });
});
