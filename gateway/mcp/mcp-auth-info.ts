/** Passes the caller of a request through the MCP library as its `AuthInfo`. The key itself is not passed. */
import type { AuthInfo } from "@modelcontextprotocol/server";
import { Defect } from "../../machines/errors.ts";
import { type Caller, type Scope, scopes } from "../security/api-key-scopes.ts";
import type { CallContext } from "../tools/run-and-audit-tool-calls.ts";

type Sender = Pick<CallContext, "caller" | "requestId">;

export function authInfoOf({ caller, requestId }: Sender): AuthInfo {
  return { token: "", clientId: caller.name, scopes: [caller.scope], extra: { request_id: requestId } };
}

/**
 * Returns the caller and the request id of an MCP message. Over HTTP, `auth` contains both. On standard input
 * a message names no caller, so `owner` is returned with the message's own id.
 */
export function senderOf(auth: AuthInfo | undefined, owner: Caller | undefined, requestId: string): Sender {
  if (!auth) {
    if (owner) return { caller: owner, requestId };
    throw new Defect("gateway.no_caller", "An MCP message has no caller.");
  }
  const caller: Caller = { name: auth.clientId, scope: scopeOf(auth) };
  const id = auth.extra?.request_id;
  return { caller, requestId: typeof id === "string" ? id : requestId };
}

function scopeOf(auth: AuthInfo): Scope {
  return scopes.find((scope) => auth.scopes.includes(scope)) ?? "read";
}
