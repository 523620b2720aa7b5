/**
 * How requests of the Model Context Protocol fail, other than calls of tools: with what may leave the process.
 *
 * The protocol's library tells a client the message of whatever is thrown. Neighbours: `cairn-server.ts` answers through
 * here, `tool-answer.ts` words the failures of tools.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { asCairnError } from "../../machines/errors.ts";
import type { Surface } from "../context.ts";
import { publicBody } from "../rest/error-response.ts";

/** What `give` answers; throws a `ProtocolError` that says no more than others are told. */
export async function withProtocolErrors<Answer>(
  { log, places }: Pick<Surface, "log" | "places">,
  give: () => Promise<Answer> | Answer,
): Promise<Answer> {
  try {
    return await give();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = asCairnError(thrown);
    if (error.status === 500) log.error("a request of MCP failed", { code: error.code, error });
    const { code, message } = publicBody(error, places);
    const own = error.status >= 500 || error.status === 429;
    const as = own ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(as, `${code}: ${message}`);
  }
}
