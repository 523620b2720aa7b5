/** Tests questions in words to a map, and the generated description of a screen's purpose. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DocumentService } from "../../../actors/knowledge/ingested-document-service.ts";
import { QuestionService } from "../../../actors/knowledge/map-question-service.ts";
import { mapQuestion } from "../../../actors/knowledge/query-knowledge-validation.ts";
import { createModels, type Models, noModels } from "../../../actors/models/index.ts";
import { createReader } from "../../../actors/reading/index.ts";
import {
  type QuestionAnswer,
  questionAnswerSchema,
} from "../../../machines/knowledge/map-question-schemas.ts";
import { meantBy } from "../../../machines/knowledge/screens/subject-words-of-question.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";
import type { ScriptedSite } from "../../sites/test-site-with-given-routes.ts";
import { ScriptedModelServer } from "../models/scripted-model-server.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";
import { shop } from "./shop-test-site.ts";

const GUIDE = `# Guide

## Refund an order
1. Go to Orders.
2. Click **Find order**.
3. Enter the number in the **Order number** field.

## Zebras
A zebra on the Settings page means that the shop is closed.
`;

test("null as the value of an optional parameter of a query counts as absent", () => {
  const given = { query_type: "search", params: { query: "zebra", top_k: null } };
  expect(mapQuestion(given)).toEqual(mapQuestion({ query_type: "search", params: { query: "zebra" } }));
});

test.each([
  ["How do I refund an order?", "refund an order"],
  ["where can I find the settings", "settings"],
  ["Where do I see the roadmap?", "roadmap"],
  ["Can you show me how to invite people?", "invite people"],
  ["What is an order?", "order"],
  ["invoices", "invoices"],
])("the words of the question %s are reduced to its subject %s", (question, meant) => {
  expect(meantBy(question)).toBe(meant);
});

describe("a question to a map", () => {
  let town: Town;
  let site: ScriptedSite;
  const reader = createReader({ userAgent: "Cairn/test", destinations });
  const model = new ScriptedModelServer();

  beforeAll(async () => {
    town = await Town.start();
    site = shop();
    await town.explore("shop", site.url("/"), "shop");
    const documents = new DocumentService(
      town.cairn,
      town.store,
      { loopback: true, allowPrivate: [] },
      reader,
      async () => undefined,
    );
    await documents.upload({
      knowledge_id: "shop",
      name: "guide.md",
      bytes: new TextEncoder().encode(GUIDE),
    });
  });
  afterAll(async () => {
    reader.close();
    model.stop();
    await site.stop();
    await town.stop();
  });

  const ask = async (
    question: string,
    models: Models = createModels(noModels),
    current_url: string | undefined = site.url("/"),
  ): Promise<QuestionAnswer> => {
    const service = new QuestionService(
      {
        query: (query) => town.cairn.query("knowledge", "shop", "query", mapQuestion(query)),
        ask: (map, asked) => town.cairn.query("knowledge", map, "agent", asked),
        list: async () => ({ knowledge: [{ knowledge_id: "shop" }] }),
      },
      models,
    );
    const context = current_url === "" ? {} : { current_url };
    const { data } = await service.answer({ params: { question, context } });
    return questionAnswerSchema.parse(data);
  };

  test("is answered with the task, the route and the passages that match it", async () => {
    const { answer, answered_by, task, route, sources } = await ask("How do I refund an order?");
    expect(answered_by).toBe("structure");
    expect(task?.metadata).toMatchObject({
      task_name: "Refund an order",
      kind: "document",
      unknown_steps: [],
    });
    expect(task?.actions.map(({ tool_name }) => tool_name)).toEqual(["click", "click", "input"]);
    expect(answer).toStartWith("Refund an order:\n1. ");
    expect(route).not.toBeNull();
    expect(sources.map(({ kind }) => kind)).toContain("passage");
  });

  test("is answered with the route to the screen where the task begins", async () => {
    const { task, route } = await ask("How do I refund an order?", createModels(noModels), "");
    expect(task?.actions[0]).toMatchObject({
      tool_name: "navigate",
      parameters: { url: site.url("/orders/") },
    });
    expect(route?.metadata.screen_name).toBe("Orders");
  });

  test("is answered with the screen if it asks where that screen is, and not with the form on the screen", async () => {
    const { answer, task, route } = await ask("Where do I see orders?");
    expect([answer, task]).toEqual(["See Orders.", null]);
    expect(route?.metadata.screen_name).toBe("Orders");
  });

  test("is answered in words by a model, with the passages that it names", async () => {
    model.reset({ json: { answer: "The shop is closed.", sources: [1, 99] } });
    const { answer, answered_by, sources } = await ask(
      "What does a zebra mean?",
      createModels(model.settings("gemini")),
    );
    expect([answer, answered_by]).toEqual(["The shop is closed.", "model"]);
    expect(sources).toHaveLength(1);
    expect(model.calls[0]?.body).toContain("A zebra on the Settings page");
  });

  test("is answered from the structure of the map if the model is unavailable", async () => {
    model.reset({ status: 400 });
    const settings = model.settings("gemini", { fast: "away" });
    const { answered_by, passages } = await ask("What does a zebra mean?", createModels(settings));
    expect(answered_by).toBe("structure");
    expect(passages[0]).toMatchObject({ kind: "passage", title: "Zebras" });
  });

  test("about the context of a screen is answered with its purpose: function, flows, tasks and passages", async () => {
    const { metadata } = await town.agent("shop", "get_screen_context", "Orders");
    expect(metadata.business_functions).toMatchObject([{ name: "Orders" }]);
    expect(metadata.tasks).toMatchObject([{ name: "Search: Order number" }]);
    const { metadata: settings } = await town.agent("shop", "get_screen_context", "Settings");
    expect(settings.documentation).toMatchObject([{ title: "Guide › Zebras", location: "line 9" }]);
  });
});
