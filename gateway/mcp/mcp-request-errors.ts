/**
 * Converts errors of MCP requests other than tool calls. The MCP library sends the message of any thrown
 * error to the client, so internal details are removed here.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { asCairnError } from "../../machines/errors.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { publicBody } from "../rest/error-response.ts";

/**
 * Calls `give` and returns its result. If `give` fails, throws a `ProtocolError` without internal details.
 */
export async function withProtocolErrors<Answer>(
  { log, pathRedaction }: Pick<Surface, "log" | "pathRedaction">,
  give: () => Promise<Answer> | Answer,
): Promise<Answer> {
  try {
    return await give();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = asCairnError(thrown);
    if (error.status === 500) log.error("a request of MCP failed", { code: error.code, error });
    const { code, message } = publicBody(error, pathRedaction);
    const isServerError = error.status >= 500 || error.status === 429;
    const protocolCode = isServerError ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(protocolCode, `${code}: ${message}`);
  }
}
