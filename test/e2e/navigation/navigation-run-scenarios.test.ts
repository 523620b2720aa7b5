/**
 * Tests the thirteen scenarios of navigation runs. Each scenario runs without a model (by the structure of the
 * pages), and in the full tier also with models over the HTTP APIs of OpenAI and Gemini. The site's own log shows
 * which pages were opened.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { NavigationResult } from "../../../machines/navigation/navigation-run-schemas.ts";
import { ScriptedModelServer } from "../../actors/models/scripted-model-server.ts";
import type { ScriptedSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { sharedCairn } from "../support/shared-test-cairn.ts";
import { answerIn, MADE_UP, scenarios, serveScenarios } from "./navigation-run-scenarios.ts";

setDefaultTimeout(60_000);
const LINKS_PER_LISTING = 20;

describe.each(isFull ? (["structure", "openai", "gemini"] as const) : (["structure"] as const))(
  "a navigation run whose decisions come from %s",
  (policy) => {
    const model = new ScriptedModelServer();
    let site: ScriptedSite;
    let data: Awaited<ReturnType<typeof dataFolder>> | undefined;
    let cairn: Cairn;
    const spent: { calls: number; seconds: number; cost: number }[] = [];

    beforeAll(async () => {
      site = serveScenarios();
      if (policy === "structure") {
        cairn = await sharedCairn();
        return;
      }
      data = await dataFolder();
      const env = {
        openai: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.key },
        gemini: { GEMINI_BASE_URL: model.url, GEMINI_API_KEY: model.key },
      }[policy];
      cairn = await Cairn.start({ data: data.path, env: { ...env, CAIRN_WORKERS: "1" } });
    });
    afterAll(async () => {
      if (data) await cairn?.stop();
      await data?.remove();
      await site?.stop();
      model.stop();
    });

    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      "has the expected result in the scenario: %s",
      async (_name, scenario) => {
        model.reset();
        model.answerTo = answerIn(scenario, site);
        const before = site.requests.length;
        const { status, body } = await cairn.call("navigate_with_intent", {
          prompt: scenario.prompt,
          seed_links: scenario.seeds.map(site.url),
          render: "http",
          ...scenario.more,
        });
        expect([status, body.error?.message ?? null]).toEqual([200, null]);
        const result: NavigationResult = body;
        const opened = site.requests.slice(before).filter((path) => path !== "/robots.txt");
        expect(Object.fromEntries(result.articles.map(({ title, posts }) => [title, posts.length]))).toEqual(
          scenario.articles,
        );
        // `/loop` redirects to itself. The run may open it several times until it detects the loop.
        const once = opened.filter((path, index) => path !== "/loop" || opened.indexOf(path) === index);
        expect(once.toSorted()).toEqual([...scenario.opened].sort());
        expect(opened.filter((path) => path.startsWith(MADE_UP))).toEqual([]);
        const listings = result.decisions.filter(({ action }) => action === "EXTRACT_LINKS").length;
        expect(opened.length).toBeLessThanOrEqual(
          scenario.seeds.length + result.decisions.length + (LINKS_PER_LISTING + 1) * listings,
        );
        expect(result.usage.llm_calls).toBe(model.calls.length);
        expect(model.calls.length > 0).toBe(policy !== "structure");
        spent.push({
          calls: model.calls.length,
          seconds: result.usage.seconds,
          cost: result.usage.cost_usd ?? Number.POSITIVE_INFINITY,
        });
      },
    );

    test("needs fewer than 15 model calls and less than $0.15 on average", () => {
      const mean = (of: (run: (typeof spent)[number]) => number) =>
        spent.reduce((sum, run) => sum + of(run), 0) / spent.length;
      expect(spent).toHaveLength(scenarios.length);
      expect(mean(({ calls }) => calls)).toBeLessThan(15);
      expect(mean(({ cost }) => cost)).toBeLessThan(0.15);
    });
  },
);
