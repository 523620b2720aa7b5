/** Runs a call of a tool, and converts its result or its error to a result of MCP. */
import { asCairnError } from "../../machines/errors.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { CallContext } from "../tools/run-and-audit-tool-calls.ts";
import { takeDetail } from "./mcp-detail-argument.ts";
import { formResult, type ToolAnswer } from "./mcp-elicitation.ts";
import { toolFailure, toolResult } from "./mcp-tool-result.ts";

/** The part of the gateway's `Surface` that an MCP server uses. */
export type McpSurface = Pick<Surface, "system" | "registry" | "log" | "calls" | "pathRedaction">;

/** The caller of a tool, and the signal that aborts the caller's wait. */
export type ToolCallContext = CallContext & { readonly signal: AbortSignal };

/**
 * Runs a call and returns its answer. If the call fails, the answer contains the error.
 * @param given the arguments of the message, which may contain `detail`
 * @param beforeAnswer called when the result is known; the answer waits for it
 */
export async function answerOfTool(
  surface: McpSurface,
  tool: Tool,
  given: unknown,
  from: ToolCallContext,
  beforeAnswer: () => Promise<unknown> = async () => {},
): Promise<ToolAnswer> {
  const { signal, afterAnswer, ...rest } = from;
  try {
    const { args, records } = takeDetail(tool, given);
    // If the client receives the result as text, the check of the result against its schema is not awaited.
    // The check runs after the answer is sent.
    const isText = tool.hasModelText && !records;
    const result = await surface.calls.run(tool, args, {
      ...rest,
      signal,
      ...(isText ? { afterAnswer } : {}),
    });
    await beforeAnswer();
    return await toolResult(result, signal, records ? undefined : (output) => tool.modelText(output));
  } catch (thrown) {
    const form = formResult(thrown);
    if (form) return form;
    const error = asCairnError(thrown);
    if (error.status === 500 && !signal.aborted)
      surface.log.error("a tool failed", { tool: tool.name, code: error.code, error });
    return toolFailure(error, surface.pathRedaction);
  }
}
