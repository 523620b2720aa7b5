/**
 * Answers questions in natural language from a map: with the best task, the route to the best screen, and
 * passages of pages and documents with their sources.
 */
import { z } from "zod";
import { Refused } from "../../machines/errors.ts";
import type {
  AgentQuestion,
  AgentResponse,
  QueryAnswer,
  SearchHit,
} from "../../machines/knowledge/knowledge-protocol.ts";
import {
  mapQuestionInWordsSchema,
  type QuestionAnswer,
} from "../../machines/knowledge/map-question-schemas.ts";
import { meantBy } from "../../machines/knowledge/screens/subject-words-of-question.ts";
import { parseWithoutNulls } from "../../machines/parse-without-nulls.ts";
import type { Models } from "../models/index.ts";
import { renderPrompt } from "../models/index.ts";

/** The functions of the map service that are needed to answer questions. */
interface Maps {
  query(query: {
    readonly query_type: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly knowledge_id?: string | undefined;
  }): Promise<QueryAnswer>;
  ask(knowledgeId: string, question: AgentQuestion): Promise<AgentResponse>;
  list(): Promise<{ readonly knowledge: readonly { readonly knowledge_id: string }[] }>;
}

const PASSAGES = 8;
/** Maximum number of sources that an answer names. */
const SOURCES = 5;
const ANSWER_WITHIN = 30_000;
/** Matches a question that asks for a place, in English, German, French and Spanish. */
const ASKS_PLACE = /^[\s¿]*(?:where|wo|où|d[oó]nde)(?=\s)/iu;

const modelAnswerSchema = z.object({
  answer: z.string().min(1),
  sources: z.array(z.number().int()).describe("Numbers of the passages that say it"),
});

export class QuestionService {
  readonly #maps: Maps;
  readonly #models: Models;

  constructor(maps: Maps, models: Models) {
    this.#maps = maps;
    this.#models = models;
  }

  async answer(query: {
    readonly params: Readonly<Record<string, unknown>>;
    readonly knowledge_id?: string | undefined;
  }): Promise<QueryAnswer> {
    const parsed = parseWithoutNulls(mapQuestionInWordsSchema, query.params);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Refused("knowledge.invalid_params", `${issue?.path.join(".")}: ${issue?.message}`, {
        status: 422,
      });
    }
    const { question, context } = parsed.data;
    const map = query.knowledge_id ?? (await this.#onlyMap());
    const meant = meantBy(question);
    const [task, passages] = await Promise.all([
      this.#maps.ask(map, { instruction_type: "execute_task", target: meant, context }),
      this.#passages(map, question),
    ]);
    const route = await this.#route(map, { meant, passages, start: startOf(task) }, context);
    // "Where is the roadmap?" asks for the screen "Roadmap" itself. So the answer is its route, and no task
    // on this screen, such as filling in its form.
    const asksPlace = ASKS_PLACE.test(question) && route?.metadata.found_by === "name";
    const found = {
      task: task.success && !asksPlace ? task : null,
      route: route?.success ? route : null,
      passages,
    };
    const answered = await this.#inWords(question, found, asksPlace);
    const answer: QuestionAnswer = { question, ...answered, ...found };
    return {
      success: answer.answer !== NOTHING,
      data: { ...answer },
      error: answer.answer === NOTHING ? NOTHING : null,
    };
  }

  async #onlyMap(): Promise<string> {
    const { knowledge } = await this.#maps.list();
    const [only, ...others] = knowledge;
    if (only && others.length === 0) return only.knowledge_id;
    throw new Refused(
      "knowledge.which_map",
      only ? "Name one map with knowledge_id." : "There is no map yet. Start an exploration first.",
      { status: only ? 422 : 404 },
    );
  }

  async #passages(map: string, question: string): Promise<SearchHit[]> {
    const params = { query: question, top_k: PASSAGES };
    const { data } = await this.#maps.query({ query_type: "search", params, knowledge_id: map });
    // Cairn's own search created these hits, so the cast is safe.
    return (data?.results ?? []) as SearchHit[];
  }

  /**
   * Returns the route to the screen that the question asks for. If there is no such screen, the route leads
   * to the screen where the task begins, or else to the page that answers the question best.
   */
  async #route(
    map: string,
    {
      meant,
      passages,
      start,
    }: {
      readonly meant: string;
      readonly passages: readonly SearchHit[];
      readonly start: string | undefined;
    },
    context: AgentQuestion["context"],
  ): Promise<AgentResponse | undefined> {
    const named = await this.#maps.ask(map, {
      instruction_type: "navigate_to_screen",
      target: meant,
      context,
    });
    const { confidence, found_by } = named.metadata;
    const isExact = found_by !== "words" && found_by !== "link" && found_by !== "content";
    if (named.success && (isExact || (typeof confidence === "number" && confidence > SURE))) return named;
    const target = start ?? passages.find(({ kind }) => kind === "page")?.url;
    if (target === undefined) return named.success ? named : undefined;
    return await this.#maps.ask(map, { instruction_type: "navigate_to_screen", target, context });
  }

  async #inWords(
    question: string,
    { task, route, passages }: Pick<QuestionAnswer, "task" | "route" | "passages">,
    asksPlace: boolean,
  ): Promise<Pick<QuestionAnswer, "answer" | "answered_by" | "sources">> {
    const source = ({ kind, title, url, id }: SearchHit) => ({ kind, title, url, id });
    if (this.#models.configured && passages.length > 0) {
      const { outputSchema } = await import("../models/model-output-schema.ts");
      const prompt = await renderPrompt("answer_question", { question });
      const answer = await this.#models.complete({
        tier: "fast",
        prompt: {
          ...prompt,
          untrusted: [
            ...passages.map(({ title, snippet }, at) => ({
              label: String(at + 1),
              text: `${title}\n${snippet}`,
            })),
            ...(task
              ? [{ label: "task", text: task.actions.map(({ description }) => description).join("\n") }]
              : []),
          ],
        },
        schema: outputSchema(modelAnswerSchema),
        within: ANSWER_WITHIN,
        signal: AbortSignal.timeout(ANSWER_WITHIN),
      });
      if (answer.ok) {
        const cited = answer.value.sources.flatMap((number) => passages[number - 1] ?? []);
        return { answer: answer.value.answer, answered_by: "model", sources: cited.map(source) };
      }
    }
    return {
      answer: asksPlace && route ? screenAnswer(route) : plainAnswer(task, route, passages),
      answered_by: "structure",
      sources: passages.slice(0, SOURCES).map(source),
    };
  }
}

/**
 * Minimum confidence (0 to 1) at which a screen that was found by its name is used. It is then used even if
 * the search ranks another page higher.
 */
const SURE = 0.85;
const NOTHING = "The map has no task, no screen and no passage that fits.";

/** Returns the address that a task opens first; `undefined` if it begins on the current screen. */
function startOf({ success, actions: [first] }: AgentResponse): string | undefined {
  const url = success && first?.tool_name === "navigate" ? first.parameters.url : undefined;
  return typeof url === "string" ? url : undefined;
}

function plainAnswer(
  task: AgentResponse | null,
  route: AgentResponse | null,
  [best]: readonly SearchHit[],
): string {
  if (task) {
    const steps = task.actions.map(({ description }, at) => `${at + 1}. ${description}`).join("\n");
    return `${String(task.metadata.task_name ?? "Task")}:\n${steps}`;
  }
  if (best) return `${best.title}: ${best.snippet}`;
  return route ? screenAnswer(route) : NOTHING;
}

function screenAnswer({ metadata }: AgentResponse): string {
  return `See ${String(metadata.screen_name ?? "the screen")}.`;
}
