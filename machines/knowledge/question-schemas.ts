/** A question to a map in words, and its answer: the task, the route, the passages, with sources. */
import { z } from "zod";
import { agentContextSchema, agentResponseSchema, searchHitSchema } from "./protocol.ts";

export const mapQuestionInWordsSchema = z
  .object({
    question: z.string().min(1).max(2_000),
    context: agentContextSchema.default({}),
  })
  .strict();
export type QuestionInWords = z.output<typeof mapQuestionInWordsSchema>;

export const questionAnswerSchema = z.object({
  question: z.string(),
  answer: z.string().describe("In words"),
  answered_by: z.enum(["model", "structure"]),
  /** As execute_task answers it; `null` when no task fits. */
  task: agentResponseSchema.nullable(),
  /** As navigate_to_screen answers it; `null` when no screen fits. */
  route: agentResponseSchema.nullable(),
  passages: z.array(searchHitSchema),
  sources: z.array(z.object({ kind: z.string(), title: z.string(), url: z.string(), id: z.string() })),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** The question of an `agent_query` in words; `undefined` for an instruction. */
export function questionIn(query: {
  readonly query_type: string;
  readonly params: Readonly<Record<string, unknown>>;
}): boolean {
  return query.query_type === "agent_query" && typeof query.params.question === "string";
}
