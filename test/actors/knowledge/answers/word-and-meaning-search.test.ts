/**
 * Tests the search that combines a ranking by words with one by meaning. The vectors come from a scripted
 * embedding server.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { embedTexts, fusedSearch } from "../../../../actors/knowledge/answers/word-and-meaning-search.ts";
import { createModels } from "../../../../actors/models/index.ts";
import { html, type ScriptedSite, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { EmbeddingServer } from "../../models/test-embedding-server.ts";
import { Town } from "../explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;
const server = new EmbeddingServer({ automobile: "car", vehicle: "car" });
const models = createModels(server.settings);
const signal = AbortSignal.timeout(30_000);

beforeAll(async () => {
  town = await Town.start();
  site = serveSite({
    "/": html("Garage", '<h1>Garage</h1><a href="/car">Car</a> <a href="/boat">Boat</a>'),
    "/car": html("Car", "<h1>Car</h1><p>How to wash a car.</p>"),
    "/boat": html("Boat", "<h1>Boat</h1><p>How to wash a boat.</p>"),
  });
  await town.explore("garage", site.url("/"), "garage");
});
afterAll(async () => {
  server.stop();
  await site.stop();
  await town.stop();
});

const titles = async (query: string) =>
  (await fusedSearch(town.store, models, "garage", query, 3)).map(({ title }) => title);

test("a map without search vectors is searched by words, and no model is called", async () => {
  expect(await titles("wash boat")).toContain("Boat");
  expect(await titles("automobile")).toEqual([]);
  expect(server.calls).toBe(0);
});

test("search vectors are computed once for each text, and find texts without a word of the query", async () => {
  await embedTexts(town.store, models, "garage", signal);
  const { calls } = server;
  expect(calls).toBe(1);
  await embedTexts(town.store, models, "garage", signal);
  expect(server.calls).toBe(calls);
  expect((await titles("automobile"))[0]).toBe("Car");
  expect((await titles("wash boat"))[0]).toBe("Boat");
});

test("a changed page loses its search vector and gets a new one", async () => {
  site.routes.set("/boat", html("Boat", "<h1>Boat</h1><p>How to paint a vehicle.</p>"));
  await town.explore("again", site.url("/"), "garage");
  expect((await town.store.vectors.missing("garage")).length).toBeGreaterThan(0);
  await embedTexts(town.store, models, "garage", signal);
  expect(await town.store.vectors.missing("garage")).toEqual([]);
});

test("after a change of the embedding model, search vectors of another dimension replace the old ones", async () => {
  await town.store.vectors.put([{ id: ["garage", "one"], vector: [1, 0, 0] }]);
  expect(await town.store.vectors.nearest("garage", [1, 0, 0], 3)).toEqual([["garage", "one"]]);
  expect(await town.store.vectors.nearest("garage", [1, 0], 3)).toEqual([]);
  await embedTexts(town.store, models, "garage", signal);
  expect((await titles("automobile"))[0]).toBe("Car");
});

test("search vectors of other maps do not displace those of the searched map", async () => {
  const near = server.vectorOf("automobile");
  const others = Array.from({ length: 20 }, (_, at) => ({
    id: ["other", `car-${at}`] as const,
    vector: near,
  }));
  await town.store.vectors.put(others);
  expect((await town.store.vectors.nearest("garage", near, 3)).map(([map]) => map)).toEqual(
    Array(3).fill("garage"),
  );
  expect((await titles("automobile"))[0]).toBe("Car");
});

test("if the embedding model is unavailable, the ranking by words is used, and the model is not called for some time", async () => {
  server.away = true;
  const { calls } = server;
  expect(await titles("wash boat")).not.toEqual([]);
  expect(await titles("automobile")).toEqual([]);
  expect(server.calls).toBe(calls + 1);
});
