/**
 * The schemas of a question in words, such as "Where are the invoices?", and of the answer of the map. The
 * answer contains the task, the route and text passages with their sources.
 */
import { z } from "zod";
import { agentContextSchema, agentResponseSchema, searchHitSchema } from "./knowledge-protocol.ts";

export const mapQuestionInWordsSchema = z
  .object({
    question: z.string().min(1).max(2_000),
    context: agentContextSchema.default({}),
  })
  .strict();

export const questionAnswerSchema = z.object({
  question: z.string(),
  answer: z.string().describe("In words"),
  answered_by: z.enum(["model", "structure"]),
  /** The answer of `execute_task`; `null` if no task of the map fits the question. */
  task: agentResponseSchema.nullable(),
  /** The answer of `navigate_to_screen`; `null` when no screen fits the question. */
  route: agentResponseSchema.nullable(),
  passages: z.array(searchHitSchema),
  sources: z.array(z.object({ kind: z.string(), title: z.string(), url: z.string(), id: z.string() })),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** Whether an `agent_query` asks a question in words, and is not an instruction. */
export function questionIn(query: {
  readonly query_type: string;
  readonly params: Readonly<Record<string, unknown>>;
}): boolean {
  return query.query_type === "agent_query" && typeof query.params.question === "string";
}
