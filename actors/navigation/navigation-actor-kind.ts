/**
 * The actor kind `navigation/<run_id>`: answers a question from web pages, and decides at each page how to
 * continue.
 */
import { kinds } from "../../machines/actor-kinds.ts";
import { readIntent } from "../../machines/navigation/intent-of-prompt.ts";
import {
  navigationMachine,
  navigationStatus,
  sinceOf,
} from "../../machines/navigation/navigation-machine.ts";
import type { NavigationProtocol } from "../../machines/navigation/navigation-protocol.ts";
import type {
  DigestInput,
  DigestOutput,
  IntentInput,
  IntentOutput,
  NavigationContext,
} from "../../machines/navigation/navigation-run-context.ts";
import type {
  Article,
  Decision,
  NavigationResult,
} from "../../machines/navigation/navigation-run-schemas.ts";
import { deduplicate, joinThreads, summarise } from "../../machines/navigation/navigation-run-summary.ts";
import { SECOND } from "../../machines/time-and-size-units.ts";
import { ModelBudget } from "../models/index.ts";
import { defineKind, type EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { runSessions } from "./navigation-run-sessions.ts";
import { modelPolicy, visit } from "./visit-page-of-navigation-run.ts";

type Scope = EffectScope<CairnServices>;

async function intent({ request, usage, deadline }: IntentInput, scope: Scope): Promise<IntentOutput> {
  const now = Date.now();
  const read = readIntent(request.prompt, now);
  const { max_llm_calls, max_cost_usd } = request;
  const budget = new ModelBudget({ max_calls: max_llm_calls, max_cost_usd }, usage);
  const { services, address, signal } = scope;
  const policy = await modelPolicy({ models: services.models, budget, run: address.id, deadline, signal });
  const asked = await policy?.intent(request.prompt, new Date(now).toISOString().slice(0, 10));
  return { intent: asked ?? read, usage: budget.spent };
}

async function digest({ run_id, intent, since }: DigestInput, { services }: Scope): Promise<DigestOutput> {
  await runSessions(services).close(run_id);
  const articles = await storedArticles(services, run_id);
  const kept = deduplicate(articles, since);
  return {
    kept: kept.map((article) => articles.indexOf(article)),
    summary: summarise(joinThreads(kept), intent),
  };
}

async function storedArticles({ store }: CairnServices, run: string): Promise<readonly Article[]> {
  // The cast is safe: the navigation machine stored each article as JSON of an `Article`.
  return (await store.navigation.articles(run)).map((body) => JSON.parse(body) as Article);
}

async function resultOf(
  context: NavigationContext,
  status: NavigationResult["status"],
  services: CairnServices,
): Promise<NavigationResult> {
  const all = await storedArticles(services, context.run_id);
  // For a finished run, `kept` lists the articles that are no duplicates. An unfinished run, such as a
  // cancelled one, has no `kept`, so the duplicates among its articles are removed here.
  const articles = context.kept
    ? context.kept.flatMap((index) => all[index] ?? [])
    : deduplicate(all, context.request ? sinceOf(context) : null);
  const decisions = await services.store.navigation.decisions(context.run_id);
  const { calls, input_tokens, output_tokens, cost_usd } = context.usage;
  return {
    run_id: context.run_id,
    status,
    stopped_reason: context.stopped_reason,
    intent: context.intent,
    articles: [...joinThreads(articles)],
    summary: context.summary,
    // The cast is safe: the navigation machine stored each decision as JSON of a `Decision`.
    decisions: decisions.map((body) => JSON.parse(body) as Decision),
    usage: {
      llm_calls: calls,
      input_tokens,
      output_tokens,
      cost_usd,
      seconds: (context.now - context.started_at) / SECOND,
      pages_fetched: context.fetched,
    },
    error: status === "failed" ? context.failure : null,
  };
}

export const navigation = defineKind<NavigationProtocol, CairnServices, NavigationContext>({
  kind: "navigation",
  version: kinds.navigation.version,
  machine: navigationMachine,
  effects: { intent, visit, digest },
  queries: {
    result: async (_params, { context, value, services }) => {
      const status = navigationStatus(value);
      return status ? await resultOf(context, status, services) : null;
    },
  },
});
