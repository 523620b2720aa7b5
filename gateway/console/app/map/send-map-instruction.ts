/** Sends an instruction to a map. Throws an error if the answer reports a failure. */
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";
import { ApiError, path, post } from "../console-api-client.ts";

export async function askMap(
  map: string,
  instruction: Readonly<Record<string, unknown>>,
): Promise<AgentResponse> {
  const answer = await post<AgentResponse>(`${path("/api/knowledge", map)}/query`, instruction);
  if (!answer.success) {
    throw new ApiError(
      String(answer.metadata.code ?? "knowledge.no_answer"),
      answer.error ?? "The map has no answer.",
      200,
    );
  }
  return answer;
}
