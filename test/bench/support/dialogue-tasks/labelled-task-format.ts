/**
 * The format of labelled tasks (tasks with the plan that a person expects). README.md in this folder explains
 * it.
 */
import { z } from "zod";
import { type TaskPage, taskPages } from "./dialogue-bench-pages.ts";

const expectedStepSchema = z
  .object({
    action: z.enum(["click", "input", "select_dropdown", "navigate", "send_keys"]),
    targets: z.array(z.string().min(1)).default([]).describe("Selectors: each of them is right"),
    value: z.string().optional(),
    risk: z.boolean().default(false),
  })
  .strict();

const labelledTaskSchema = z
  .object({
    id: z.string().min(1),
    // The cast is safe: `Object.keys` returns the keys of this table.
    page: z.enum(Object.keys(taskPages) as [TaskPage, ...TaskPage[]]),
    kind: z.enum(["clear", "ambiguous", "vague", "risky"]),
    task: z.string().min(1),
    steps: z.array(expectedStepSchema).default([]),
    candidates: z.array(z.string().min(1)).default([]),
    note: z.string().optional(),
  })
  .strict()
  .refine(({ kind, steps }) => kind === "ambiguous" || kind === "vague" || steps.length > 0, {
    message: "a clear and a risky task have steps",
  });
export type LabelledTask = z.infer<typeof labelledTaskSchema>;

export const labelledTasksSchema = z
  .array(labelledTaskSchema)
  .refine((tasks) => new Set(tasks.map(({ id }) => id)).size === tasks.length, {
    message: "an id is used twice",
  });
