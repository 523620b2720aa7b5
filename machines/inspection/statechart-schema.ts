/**
 * The zod schema of a state chart. It is separate from `statechart-of-state-machine.ts`, because workers and web pages use
 * that file without loading zod.
 */
import { z } from "zod";

const invokeSchema = z.object({ id: z.string(), src: z.string() });

const stateSchema = z.object({
  id: z.string(),
  key: z.string().describe("The last part of its path"),
  parent: z.string().nullable(),
  type: z.enum(["atomic", "compound", "parallel", "final", "history"]),
  history: z.enum(["shallow", "deep"]).nullable(),
  initial: z.string().nullable().describe("The id of the state that is entered first"),
  entry: z.array(z.string()).describe("Names of actions"),
  exit: z.array(z.string()),
  invokes: z.array(invokeSchema).describe("Effects that run while the state is active"),
  description: z.string().nullable(),
});

const transitionSchema = z.object({
  id: z.string(),
  source: z.string(),
  targets: z.array(z.string()).describe("Empty: it acts and stays"),
  event: z.string().describe("As XState names it; empty for a transition that is taken by itself"),
  label: z.string().describe("The event as people read it"),
  guard: z.string().nullable(),
  actions: z.array(z.string()),
  reenter: z.boolean(),
});

export const chartSchema = z.object({
  id: z.string(),
  states: z.array(stateSchema).describe("In the order of the document, the machine itself first"),
  transitions: z.array(transitionSchema),
});

export type ChartState = z.infer<typeof stateSchema>;
export type ChartTransition = z.infer<typeof transitionSchema>;
export type Chart = z.infer<typeof chartSchema>;
