/**
 * Validates a `query_knowledge` request. This runs on the node's main thread, because workers do not load
 * zod.
 */
import type { z } from "zod";
import { Refused } from "../../machines/errors.ts";
import {
  type AgentQuestion,
  agentQuerySchema,
  type MapQuestion,
  mapQuestionSchema,
} from "../../machines/knowledge/knowledge-protocol.ts";
import { parseWithoutNulls } from "../../machines/parse-without-nulls.ts";

export interface KnowledgeQuestion {
  readonly query_type: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Parses and validates the parameters of a query to a map.
 * @throws Refused `knowledge.invalid_params` (422) with all `issues` in the details
 */
export function mapQuestion({ query_type, params }: KnowledgeQuestion): MapQuestion {
  const parsed = parseWithoutNulls(mapQuestionSchema, { query_type, params });
  if (parsed.success) return parsed.data;
  throw invalidParams(parsed.error);
}

/** Returns the validated question of an agent from the parameters of an `agent_query`. */
export function agentQuestion(params: Readonly<Record<string, unknown>>): AgentQuestion {
  const parsed = parseWithoutNulls(agentQuerySchema, params);
  if (parsed.success) return parsed.data;
  throw invalidParams(parsed.error);
}

function invalidParams(error: z.ZodError): Refused {
  const issues = error.issues.map(({ path, code, message }) => {
    const where = ["params", ...(path[0] === "params" ? path.slice(1) : path)].join(".");
    const isMissing = code === "invalid_type" && message.endsWith("received undefined");
    return isMissing ? `${where} is needed` : `${where}: ${message}`;
  });
  return new Refused("knowledge.invalid_params", issues.join("; "), { status: 422, details: { issues } });
}
